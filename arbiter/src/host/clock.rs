//! Points in time that both processes understand, and the processor time of a process.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// No point in time.
pub(crate) const NEVER: i64 = i64::MAX;

/// Nanoseconds on the monotonic clock, which is the same in every process.
pub(crate) fn now_ns() -> i64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec.saturating_mul(1_000_000_000).saturating_add(now.tv_nsec as i64)
}

/// A point in time so long after another.
pub(crate) fn after(start: i64, time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).map_or(NEVER, |time| start.saturating_add(time))
}

/// The processor time of another process.
#[derive(Clone, Copy, Debug)]
pub(super) struct CpuClock(Option<libc::clockid_t>);

impl CpuClock {
    pub(super) fn of(pid: libc::pid_t) -> CpuClock {
        let mut clock = 0;
        // SAFETY: the clock is written to a variable of ours.
        let status = unsafe { libc::clock_getcpuclockid(pid, &raw mut clock) };
        CpuClock((status == 0).then_some(clock))
    }

    pub(super) fn read(self) -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the time is written to a variable of ours; a clock of a process that is gone is an error.
        match unsafe { libc::clock_gettime(self.0?, &raw mut time) } {
            0 => Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?)),
            _ => None,
        }
    }

    pub(super) fn since(self, before: Option<Duration>) -> Option<Duration> {
        Some(self.read()?.saturating_sub(before?))
    }
}
