//! Processor cores: which ones there are for us, and staying on one.
//!
//! A game's referee and bots take turns, so one core serves them best: waking an idle core costs ten times as much as
//! going on with the same one, whatever they talk over.

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The cores that this program may use, by their numbers. Empty where the system does not tell.
#[cfg(target_os = "linux")]
#[must_use]
pub fn cores() -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect()
}

/// Keeps the calling thread on a core. Where that is refused, the thread goes where the system puts it.
#[cfg(target_os = "linux")]
pub fn stay_on(core: usize) {
    let mut only = CpuSet::new();
    only.set(core);
    if let Err(error) = sched_setaffinity(None, &only) {
        tracing::warn!(core, %error, "cannot stay on a core");
    }
}

/// The cores that this program may use. Empty: this system does not tell.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// Keeps the calling thread on a core where the system has a way to.
#[cfg(not(target_os = "linux"))]
pub fn stay_on(_core: usize) {}
