//! Time: points in time that both processes understand, the processor time of a process, and what a bot's clock is
//! charged with.
//!
//! `charge` is the rule, as arithmetic alone; `observe` asks the kernel for what it needs.

pub(super) mod charge;
pub(super) mod observe;

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod monotonic;
#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other.rs")]
mod processor;

pub(crate) use monotonic::now_ns;

pub(super) use processor::{ProcessorClock, Waits};
use std::time::Duration;

/// No point in time.
pub(crate) const NEVER: i64 = i64::MAX;

/// A point in time so long after another.
pub(crate) fn after(start: i64, time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).map_or(NEVER, |time| start.saturating_add(time))
}
