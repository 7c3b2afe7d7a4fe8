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

/// A gap between two requests that is too short to be worth reading the clock again.
const SHORT_GAP_NS: i64 = 50_000;

/// Processor time between turns that says nothing, beside a hundredth of the gap: honest bots use a hundredth of it.
const HOUSEKEEPING: Duration = Duration::from_micros(500);

/// What another process uses of the processor, in its turns and between them.
#[derive(Debug)]
pub(super) struct CpuMeter {
    clock: Option<libc::clockid_t>,
    last: Reading,
    between_turns: Duration,
}

/// The processor time that a process had used at a point in time.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: i64,
    used: Option<Duration>,
}

impl CpuMeter {
    pub(super) fn of(pid: libc::pid_t) -> CpuMeter {
        let mut clock = 0;
        // SAFETY: the clock is written to a variable of ours.
        let status = unsafe { libc::clock_getcpuclockid(pid, &raw mut clock) };
        let clock = (status == 0).then_some(clock);
        CpuMeter { clock, last: Reading { at: i64::MIN, used: None }, between_turns: Duration::ZERO }
    }

    /// A turn begins: what was used since the last one was used out of turn. Returned if it was more than
    /// housekeeping.
    pub(super) fn begin_turn(&mut self) -> Option<Duration> {
        let now = now_ns();
        let gap = now.saturating_sub(self.last.at);
        if gap < SHORT_GAP_NS {
            return None;
        }
        let reading = Reading { at: now, used: self.read() };
        let before = std::mem::replace(&mut self.last, reading);
        let used = self.last.used?.saturating_sub(before.used?);
        self.between_turns += used;
        let housekeeping = HOUSEKEEPING + Duration::from_nanos(gap.unsigned_abs() / 100);
        (used > housekeeping).then_some(used)
    }

    /// What the turn has used so far.
    pub(super) fn in_turn(&self) -> Option<Duration> {
        Some(self.read()?.saturating_sub(self.last.used?))
    }

    /// A turn ended at this point in time: what it used.
    pub(super) fn end_turn(&mut self, now: i64) -> Option<Duration> {
        let reading = Reading { at: now, used: self.read() };
        let before = std::mem::replace(&mut self.last, reading);
        Some(self.last.used?.saturating_sub(before.used?))
    }

    /// What was used between turns so far.
    pub(super) fn between_turns(&self) -> Duration {
        self.between_turns
    }

    fn read(&self) -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the time is written to a variable of ours; a clock of a process that is gone is an error.
        match unsafe { libc::clock_gettime(self.clock?, &raw mut time) } {
            0 => Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?)),
            _ => None,
        }
    }
}
