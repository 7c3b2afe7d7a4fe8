//! The stop level of a bot in our own process: told by the clock, since no referee watches while it thinks.

use super::clock::{NEVER, now_ns};
use super::schedule::Schedule;
use super::stopper::Stopper;
use arbiter_plugin_api::raw;
use std::sync::atomic::{AtomicI64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

/// When the stop level rises in the turn being played. Used by one bot after another.
pub(super) struct Alarms {
    soft_at: AtomicI64,
    stop_at: AtomicI64,
    hard_at: AtomicI64,
    /// Whom the waker wakes: the bot that is seated now, if it wants to be woken.
    sleeper: Mutex<Option<Arc<Stopper>>>,
    /// The thread that wakes bots, once there has been one that wants to be woken.
    waker: OnceLock<Thread>,
    waker_sleeps_until: AtomicI64,
}

impl Alarms {
    /// Between turns: nobody wants an answer.
    pub(super) fn silent() -> Alarms {
        Alarms {
            soft_at: i64::MIN.into(),
            stop_at: i64::MIN.into(),
            hard_at: i64::MIN.into(),
            sleeper: Mutex::new(None),
            waker: OnceLock::new(),
            waker_sleeps_until: NEVER.into(),
        }
    }

    /// A turn begins.
    pub(super) fn set(&self, schedule: &Schedule) {
        self.soft_at.store(schedule.soft_at, Ordering::Relaxed);
        self.stop_at.store(schedule.stop_at, Ordering::Relaxed);
        self.hard_at.store(schedule.hard_at, Ordering::Relaxed);
        let Some(waker) = self.waker.get() else { return };
        // Either the waker sees the alarms before it sleeps, or we see how long it sleeps.
        fence(Ordering::SeqCst);
        // A waker that will be up in time need not be woken now, which would cost more than many a whole turn.
        if schedule.soft_at < self.waker_sleeps_until.load(Ordering::Relaxed) {
            waker.unpark();
        }
    }

    /// The turn is over.
    pub(super) fn silence(&self) {
        for alarm in [&self.soft_at, &self.stop_at, &self.hard_at] {
            alarm.store(i64::MIN, Ordering::Relaxed);
        }
    }

    /// The bot is gone: nobody is woken any more.
    pub(super) fn forget_bot(&self) {
        self.silence();
        *self.sleeper() = None;
    }

    /// What `should_stop` says at a point in time.
    pub(super) fn level(&self, now: i64) -> i32 {
        let over = |at: &AtomicI64| now >= at.load(Ordering::Relaxed);
        match () {
            () if over(&self.hard_at) => raw::ABANDON,
            () if over(&self.stop_at) => raw::STOP,
            () if over(&self.soft_at) => raw::ENOUGH,
            () => raw::GO_ON,
        }
    }

    /// Calls `stop` of a bot whenever the level rises in a turn, from a thread that stays for the next bots.
    pub(super) fn wake_bot(self: &Arc<Alarms>, stopper: Arc<Stopper>) -> std::io::Result<()> {
        *self.sleeper() = Some(stopper);
        if self.waker.get().is_some() {
            return Ok(());
        }
        let alarms = Arc::clone(self);
        let watch = move || {
            let mut last = now_ns();
            loop {
                let now = now_ns();
                if alarms.rang_between(last, now) {
                    let sleeper = alarms.sleeper().clone();
                    sleeper.iter().for_each(|stopper| stopper.call());
                }
                last = now;
                alarms.sleep(now);
            }
        };
        let thread = thread::Builder::new().name("stop".to_owned()).spawn(watch)?;
        // Only the thread that seats bots comes here, so there is none yet.
        let _ = self.waker.set(thread.thread().clone());
        Ok(())
    }

    fn sleeper(&self) -> MutexGuard<'_, Option<Arc<Stopper>>> {
        self.sleeper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rang_between(&self, from: i64, to: i64) -> bool {
        self.each().into_iter().any(|at| from < at && at <= to)
    }

    /// Sleeps until the next alarm, or until a turn begins that has an earlier one.
    fn sleep(&self, now: i64) {
        let next = self.next_after(now);
        self.waker_sleeps_until.store(next, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        // A turn that began before the store has not woken us.
        if self.next_after(now) < next {
            return;
        }
        match next {
            NEVER => thread::park(),
            at => thread::park_timeout(Duration::from_nanos(at.abs_diff(now))),
        }
    }

    fn next_after(&self, now: i64) -> i64 {
        self.each().into_iter().filter(|&at| at > now).min().unwrap_or(NEVER)
    }

    fn each(&self) -> [i64; 3] {
        [&self.soft_at, &self.stop_at, &self.hard_at].map(|at| at.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_rises_in_its_order_and_stays_up() {
        let alarms = Alarms::silent();
        assert_eq!(alarms.level(5), raw::ABANDON);
        alarms.set(&Schedule { look_at: 1, soft_at: 10, stop_at: 20, hard_at: 30, deadline: 35 });
        let levels = [9, 10, 19, 20, 29, 30, 1000].map(|now| alarms.level(now));
        assert_eq!(
            levels,
            [raw::GO_ON, raw::ENOUGH, raw::ENOUGH, raw::STOP, raw::STOP, raw::ABANDON, raw::ABANDON]
        );
        alarms.silence();
        assert_eq!(alarms.level(9), raw::ABANDON);
    }
}
