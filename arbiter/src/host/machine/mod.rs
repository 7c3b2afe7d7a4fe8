//! What the machine offers: the means of containment, and what makes clocks unreliable. Plain data, without a verdict.
//!
//! What a system does not tell is `None`.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
use other as linux;

#[cfg(unix)]
pub(crate) use linux::ignores_hang_ups;
pub use linux::{look, measure, names};
pub(crate) use linux::{peak_memory, private_memory};

use std::io;
use std::time::Duration;

/// What was found of a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// The operating system: `linux`.
    pub system: &'static str,
    /// The processor's architecture: `x86_64`.
    pub architecture: &'static str,
    /// The version of the kernel.
    pub kernel: Option<String>,
    /// What can hold a bot.
    pub offer: Offer,
    /// What this process may use.
    pub limits: ProcessLimits,
    /// What runs the bots.
    pub processor: Processor,
    /// Memory that has been put on disk, in bytes, and how much there is room for.
    pub swap: Option<(u64, u64)>,
}

/// The means of containment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// A file that no process can be started without, and that is not there.
    pub missing: Option<&'static str>,
    /// A process can give up gaining privileges.
    pub no_new_privs: bool,
    /// System calls can be filtered.
    pub seccomp: bool,
    /// So many workers of the kernel are stuck that it can install no filter any more.
    pub stuck_workers: Option<usize>,
    /// Filters can have a listener: the referee learns which call was forbidden, and counts threads.
    pub listener: bool,
    /// The version of Landlock's ABI: files can be closed to a process.
    pub landlock: Option<u32>,
    /// The setting that forbids namespaces to processes without privilege, if one does.
    pub namespaces_forbidden_by: Option<&'static str>,
    /// There are control groups of version 2, which limit memory and processes for real.
    pub has_cgroups: bool,
    /// This process is root: bots have to run as somebody else.
    pub is_root: bool,
    /// Memory can be shared without a file, sealed.
    pub memfd: bool,
    /// Processes can be held by a descriptor.
    pub pidfd: bool,
    /// All inherited descriptors can be closed at once.
    pub close_range: bool,
}

/// Limits of this process; `None` without a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Processes of this user.
    pub processes: Option<u64>,
    /// Bytes of addresses.
    pub addresses: Option<u64>,
    /// Open files.
    pub files: Option<u64>,
    /// Seconds of processor time of a process, at most.
    pub processor_time: Option<u64>,
    /// Bytes of stack, at most.
    pub stack: Option<u64>,
}

/// What runs the bots, as far as it matters to clocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Processor {
    /// Cores that this process may run on.
    pub cores: usize,
    /// Cores' worth of time that a control group grants.
    pub quota: Option<f64>,
    /// Processes that wanted to run, on the average of the last minute.
    pub load: Option<f64>,
    /// How the frequency is chosen: `powersave`.
    pub governor: Option<String>,
    /// Two cores share one.
    pub smt: Option<bool>,
    /// The frequency rises while it is cool enough.
    pub boost: Option<bool>,
    /// It is a virtual machine.
    pub is_virtual: Option<bool>,
    /// The share of time that other virtual machines took.
    pub steal: Option<f64>,
    /// Where time comes from: `tsc`.
    pub clocksource: Option<String>,
    /// How much later than asked a sleeper may be woken.
    pub timer_slack: Option<Duration>,
    /// Whether it is told how long bots wait for a core.
    pub run_delay: Option<RunDelay>,
}

/// Whether the kernel tells how long threads of bots wait for a core, which is charged to nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunDelay {
    /// It does.
    Told,
    /// It keeps no account of it.
    NotCounted,
    /// `/proc` hides bots' processes from the referee (`hidepid`), also what they are doing: without Landlock, and not as
    /// root, nothing else would keep bots from looking into each other.
    Hidden,
}

/// What a short measurement showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// How late a sleeper is woken, usually.
    pub overshoot: Duration,
    /// How late at worst.
    pub worst_overshoot: Duration,
    /// The longest time for which a busy thread did not run.
    pub longest_gap: Duration,
}

/// How bots are held, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// A process of its own, killed on its deadline. Nothing else keeps a bot from the user's files.
    Process,
    /// A filter of system calls besides, and limits that cannot be raised.
    Filter,
    /// Closed files besides.
    FilterAndFiles,
}

impl Offer {
    /// The tier that bots can get here.
    pub fn tier(&self) -> Tier {
        match (self.no_new_privs && self.seccomp, self.landlock) {
            (false, _) => Tier::Process,
            (true, None) => Tier::Filter,
            (true, Some(_)) => Tier::FilterAndFiles,
        }
    }
}

/// Whether a call failed because the system has no room at present, for another process or for another open file.
pub(super) fn is_full(error: &io::Error) -> bool {
    #[cfg(unix)]
    const FULL: [i32; 4] = [libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::ETOOMANYREFS];
    #[cfg(not(unix))]
    const FULL: [i32; 0] = [];
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory)
        || error.raw_os_error().is_some_and(|code| FULL.contains(&code))
}

/// Systems that are not asked for more than their cores.
#[cfg(not(target_os = "linux"))]
mod other {
    use super::{Machine, Measured, Processor};

    /// Looks at this machine.
    pub fn look() -> Machine {
        let (system, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let processor = Processor { cores, ..Processor::default() };
        Machine { system, architecture, processor, ..Machine::default() }
    }

    /// Tells no names.
    pub fn names() -> (Option<String>, Option<String>) {
        (None, None)
    }

    /// Measures nothing.
    pub fn measure() -> Measured {
        Measured::default()
    }

    #[cfg(unix)]
    pub(crate) fn ignores_hang_ups() -> bool {
        false
    }

    pub(crate) fn peak_memory(_pid: i32) -> Option<u64> {
        None
    }

    pub(crate) fn private_memory(_pid: i32) -> Option<u64> {
        None
    }
}
