//! Points in time that both processes understand, and the processor time of a process.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod monotonic;
#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other.rs")]
mod processor;

pub(crate) use monotonic::now_ns;

pub(super) use processor::ProcessorClock;
use std::time::Duration;

/// No point in time.
pub(crate) const NEVER: i64 = i64::MAX;

/// A point in time so long after another.
pub(crate) fn after(start: i64, time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).map_or(NEVER, |time| start.saturating_add(time))
}

/// A gap between two requests that is too short to be worth reading the clock again.
const SHORT_GAP_NS: i64 = 50_000;

/// Processor time between turns that says nothing, beside a hundredth of the gap: honest bots use a hundredth of it.
const HOUSEKEEPING: Duration = Duration::from_micros(500);

/// The same before the first turn: threads that `new_game` has started may still be settling down.
const SETTLING: Duration = Duration::from_millis(5);

/// What another process uses of the processor, in its turns and between them.
#[derive(Debug)]
pub(super) struct CpuMeter {
    clock: Option<ProcessorClock>,
    last: Reading,
    between_turns: Duration,
    /// What says nothing before the next turn, beside a hundredth of the gap.
    housekeeping: Duration,
}

/// The processor time that a process had used at a point in time.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: i64,
    used: Option<Duration>,
}

impl CpuMeter {
    pub(super) fn of(pid: i32) -> CpuMeter {
        let clock = ProcessorClock::of(pid);
        let last = Reading { at: i64::MIN, used: None };
        CpuMeter { clock, last, between_turns: Duration::ZERO, housekeeping: HOUSEKEEPING }
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
        let housekeeping = self.housekeeping + Duration::from_nanos(gap.unsigned_abs() / 100);
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
        self.housekeeping = HOUSEKEEPING;
        Some(self.last.used?.saturating_sub(before.used?))
    }

    /// A call outside its turns has ended at this point in time: what is used from here on is used out of turn.
    pub(super) fn end_call(&mut self, now: i64) {
        self.last = Reading { at: now, used: self.read() };
        self.housekeeping = SETTLING;
    }

    /// What was used in all when this was last read.
    pub(super) fn used(&self) -> Option<Duration> {
        self.last.used
    }

    /// What was used between turns so far; none where the system does not count it.
    pub(super) fn between_turns(&self) -> Option<Duration> {
        self.clock.as_ref().map(|_| self.between_turns)
    }

    fn read(&self) -> Option<Duration> {
        self.clock.as_ref()?.read()
    }
}
