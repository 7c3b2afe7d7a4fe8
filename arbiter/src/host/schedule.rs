//! When a bot is told to stop, and when nobody waits any more.

use super::clock::{NEVER, after};
use arbiter_plugin_api::raw;
use std::time::Duration;

/// How long after the clock has started a bot's process is looked at first: quick answers pay nothing for it.
pub(crate) const FIRST_LOOK: Duration = Duration::from_millis(1);

/// When the level of the stop flag rises and when nobody waits any more: points in time on the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    /// For a look at the bot's process, before anything is said to the bot.
    pub(crate) look_at: i64,
    /// For [`raw::ENOUGH`].
    pub(crate) soft_at: i64,
    /// For [`raw::STOP`].
    pub(crate) stop_at: i64,
    /// For [`raw::ABANDON`].
    pub(crate) hard_at: i64,
    /// When the process is killed.
    pub(crate) deadline: i64,
}

impl Schedule {
    /// No alarms but the deadline.
    pub(crate) fn until(started: i64, limit: Duration) -> Schedule {
        Schedule {
            look_at: NEVER,
            soft_at: NEVER,
            stop_at: NEVER,
            hard_at: NEVER,
            deadline: after(started, limit),
        }
    }

    pub(super) fn rises(&self) -> Rises {
        Rises {
            at: [
                (self.look_at.min(self.deadline), raw::GO_ON),
                (self.soft_at.min(self.deadline), raw::ENOUGH),
                (self.stop_at.min(self.deadline), raw::STOP),
                (self.hard_at.min(self.deadline), raw::ABANDON),
                (self.deadline, raw::ABANDON),
            ],
            next: 0,
        }
    }
}

/// The points in time of a schedule in their order, each with its level; the deadline last.
pub(super) struct Rises {
    at: [(i64, i32); 5],
    next: usize,
}

impl Rises {
    pub(super) fn peek(&self) -> &(i64, i32) {
        &self.at[self.next]
    }

    pub(super) fn is_last(&self) -> bool {
        self.next + 1 == self.at.len()
    }

    pub(super) fn advance(&mut self) {
        self.next += 1;
    }
}
