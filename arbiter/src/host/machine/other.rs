//! Systems that are not asked for more than their cores.

use super::{Machine, Measured, Processor};

/// Looks at this machine.
#[must_use]
pub fn look() -> Machine {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Machine {
        system: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
        processor: Processor { cores, ..Processor::default() },
        ..Machine::default()
    }
}

/// Measures nothing.
#[must_use]
pub fn measure() -> Measured {
    Measured::default()
}

/// Not told.
pub(crate) fn peak_memory(_pid: i32) -> Option<u64> {
    None
}

/// Not told.
pub(crate) fn private_memory(_pid: i32) -> Option<u64> {
    None
}
