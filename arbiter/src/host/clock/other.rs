//! Systems whose count of another process's processor time is not fine enough to accuse anybody with, and that do not tell
//! what its threads are doing.

use super::charge::Seen;
use std::time::Duration;

/// There is none.
#[derive(Debug)]
pub(in super::super) enum ProcessorClock {}

impl ProcessorClock {
    pub(in super::super) fn of(_pid: i32) -> Option<ProcessorClock> {
        None
    }

    pub(in super::super) fn read(&self) -> Option<Duration> {
        match *self {}
    }
}

/// Systems that do not tell how long a thread waited.
#[derive(Debug, Default)]
pub(in super::super) struct Waits;

impl Waits {
    pub(in super::super) fn of(_pid: i32) -> Waits {
        Waits
    }

    pub(in super::super) fn mark_main(&mut self) {}

    pub(in super::super) fn mark_all(&mut self) {}

    pub(in super::super) fn since_mark(&mut self) -> Duration {
        Duration::ZERO
    }

    pub(in super::super) fn of_referee(&mut self) -> Duration {
        Duration::ZERO
    }

    pub(in super::super) fn seen(&self) -> Seen {
        Seen::Idle
    }

    pub(in super::super) fn involuntary_switches(&self) -> u64 {
        0
    }
}
