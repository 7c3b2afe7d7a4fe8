//! What a bot does outside its turns, which belong to others.
//!
//! Whoever keeps the core busy there takes time from whoever's turn it is, and with many threads nearly all of it. So the
//! watchman looks at every bot that is not asked anything, and stops those that work on: from then on they are stopped
//! whenever their turn is over. The only thing that makes a stopped process go on by itself is a timer that sends it the
//! signal to go on; who uses that has nothing honest in mind, and is ended.

use super::clock::ProcessorClock;
use super::process::Held;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Processor time outside its turns from which on a bot is stopped there.
const RESTLESS: Duration = Duration::from_millis(100);

/// How often a bot that has been stopped may be found to have used as much again: what it is doing in the kernel goes on
/// to its end, and to give back gigabytes of memory takes long.
const MOST_RELAPSES: u32 = 5;

/// A bot's process, and whether it is asked something.
pub(super) struct Rest {
    process: Arc<dyn Held>,
    clock: Option<ProcessorClock>,
    now: Mutex<Now>,
}

/// What holds at present.
struct Now {
    /// It is stopped outside its turns.
    is_restless: bool,
    gap: Option<Gap>,
}

/// The time between two requests.
struct Gap {
    /// What the process had used when it began, or when it was last stopped.
    used: Option<Duration>,
    is_stopped: bool,
    relapses: u32,
}

impl Rest {
    /// That of a process that is asked something. `is_stopped` says whether it is stopped outside its turns in any case.
    pub(super) fn of(process: Arc<dyn Held>, is_stopped: bool) -> Rest {
        let clock = ProcessorClock::of(process.pid());
        Rest { process, clock, now: Mutex::new(Now { is_restless: is_stopped, gap: None }) }
    }

    /// The process.
    pub(super) fn process(&self) -> &dyn Held {
        &*self.process
    }

    /// It has answered. `count` tells what processor time it has used in all, once it is stopped if it has to be.
    pub(super) fn begin(&self, count: impl FnOnce() -> Option<Duration>) {
        let mut now = self.now();
        let is_stopped = now.is_restless;
        if is_stopped {
            self.process.stop();
        }
        now.gap = Some(Gap { used: count(), is_stopped, relapses: 0 });
    }

    /// It is asked something, and has used so much outside its turns so far.
    pub(super) fn end(&self, used_between_turns: Option<Duration>) {
        let mut now = self.now();
        now.is_restless |= used_between_turns.is_some_and(|used| used > RESTLESS);
        if now.gap.take().is_some_and(|gap| gap.is_stopped) {
            self.process.go_on();
        }
    }

    /// A look from time to time, by somebody who waits for nothing.
    pub(super) fn look(&self) {
        let mut now = self.now();
        let Some(Gap { used: Some(before), is_stopped, relapses }) = now.gap else { return };
        let Some(used) = self.clock.as_ref().and_then(ProcessorClock::read) else { return };
        if used.saturating_sub(before) <= RESTLESS {
            return;
        }
        if relapses == MOST_RELAPSES {
            self.process.state().run_on();
            self.process.kill();
            return;
        }
        self.process.stop();
        let relapses = relapses + u32::from(is_stopped);
        *now = Now { is_restless: true, gap: Some(Gap { used: Some(used), is_stopped: true, relapses }) };
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
