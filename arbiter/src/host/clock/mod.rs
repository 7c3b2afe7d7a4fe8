//! Time: points in time that both processes understand, the processor time of a process, and what a bot's clock is
//! charged with.
//!
//! `charge` is the rule, as arithmetic alone; `observe` asks the kernel for what it needs.

pub(super) mod charge;
#[cfg(target_os = "linux")]
mod linux;
pub(super) mod observe;

#[cfg(target_os = "linux")]
pub(super) use {
    charge::ProcessState,
    linux::{ProcessorClock, waited_here},
};

use std::time::Duration;

/// No point in time.
pub(crate) const NEVER: i64 = i64::MAX;

/// A point in time so long after another.
pub(crate) fn after(start: i64, time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).map_or(NEVER, |time| start.saturating_add(time))
}

/// How long it is from a point in time to another; nothing where that came before.
pub(crate) fn between(start: i64, end: i64) -> Duration {
    Duration::from_nanos(end.saturating_sub(start).max(0).unsigned_abs())
}

/// Nanoseconds on the monotonic clock, which is the same in every process.
#[cfg(unix)]
pub(crate) fn now_ns() -> i64 {
    shown_ns(rustix::time::ClockId::Monotonic)
}

/// What a clock shows, in nanoseconds.
#[cfg(unix)]
#[inline]
pub(super) fn shown_ns(clock: rustix::time::ClockId) -> i64 {
    let shown = rustix::time::clock_gettime(clock);
    shown.tv_sec.saturating_mul(1_000_000_000).saturating_add(shown.tv_nsec as i64)
}

/// Nanoseconds on the performance counter, which is the same in every process and never goes back.
#[cfg(windows)]
pub(crate) fn now_ns() -> i64 {
    use std::sync::OnceLock;
    use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};

    static TICKS_A_SECOND: OnceLock<i64> = OnceLock::new();
    let frequency = *TICKS_A_SECOND.get_or_init(|| {
        let mut ticks = 0;
        // SAFETY: the system writes a number to a variable of ours; since Windows XP it never fails.
        unsafe { QueryPerformanceFrequency(&raw mut ticks) };
        ticks.max(1)
    });
    let mut ticks = 0;
    // SAFETY: as above.
    unsafe { QueryPerformanceCounter(&raw mut ticks) };
    let (seconds, rest) = (ticks / frequency, ticks % frequency);
    seconds.saturating_mul(1_000_000_000).saturating_add(rest * 1_000_000_000 / frequency)
}
