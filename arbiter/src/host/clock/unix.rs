//! The monotonic clock of Unix.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds on the monotonic clock, which is the same in every process.
pub(crate) fn now_ns() -> i64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec.saturating_mul(1_000_000_000).saturating_add(now.tv_nsec as i64)
}
