//! The performance counter of Windows.

use std::sync::OnceLock;
use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};

/// Nanoseconds on the performance counter, which is the same in every process and never goes back.
pub(crate) fn now_ns() -> i64 {
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
