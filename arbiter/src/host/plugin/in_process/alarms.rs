//! The stop level of a bot in our own process. No referee watches while it thinks, so the clock alone tells it.

use super::super::stop::StopNotifier;
use crate::host::clock::{NEVER, now_ns};
use arbiter_plugin_api::raw;
use std::sync::atomic::{AtomicI64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

/// When the stop level rises in one turn: points in time on the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(in crate::host) struct Alarm {
    /// For [`raw::ENOUGH`].
    pub(in crate::host) soft_at: i64,
    /// For [`raw::STOP`].
    pub(in crate::host) stop_at: i64,
    /// For [`raw::ABANDON`].
    pub(in crate::host) hard_at: i64,
}

/// When the stop level rises in this turn. Several bots use it, one after another.
pub(in super::super) struct Alarms {
    soft_at: AtomicI64,
    stop_at: AtomicI64,
    hard_at: AtomicI64,
    /// The `stop` of the bot that is seated now, if it has one.
    notifier: Mutex<Option<Arc<StopNotifier>>>,
    /// The thread that calls `stop`. The first bot that has one starts it.
    thread: OnceLock<Thread>,
    sleeps_until: AtomicI64,
}

impl Alarms {
    /// Between turns: nobody wants an answer.
    pub(in super::super) fn silent() -> Alarms {
        Alarms {
            soft_at: i64::MIN.into(),
            stop_at: i64::MIN.into(),
            hard_at: i64::MIN.into(),
            notifier: Mutex::new(None),
            thread: OnceLock::new(),
            sleeps_until: NEVER.into(),
        }
    }

    /// A turn begins.
    pub(in super::super) fn set(&self, alarm: &Alarm) {
        self.soft_at.store(alarm.soft_at, Ordering::Relaxed);
        self.stop_at.store(alarm.stop_at, Ordering::Relaxed);
        self.hard_at.store(alarm.hard_at, Ordering::Relaxed);
        let Some(thread) = self.thread.get() else { return };
        // Either the thread sees these alarms before it sleeps, or we see how long it sleeps.
        fence(Ordering::SeqCst);
        // It is not woken if it wakes early enough by itself: to wake it costs more than many a turn.
        if alarm.soft_at < self.sleeps_until.load(Ordering::Relaxed) {
            thread.unpark();
        }
    }

    /// The turn is over.
    pub(in super::super) fn silence(&self) {
        for alarm in [&self.soft_at, &self.stop_at, &self.hard_at] {
            alarm.store(i64::MIN, Ordering::Relaxed);
        }
    }

    /// The bot is gone: its `stop` is not called any more.
    pub(in super::super) fn forget_bot(&self) {
        self.silence();
        *self.notifier() = None;
    }

    /// What `should_stop` says at a point in time.
    pub(in super::super) fn level(&self, now: i64) -> i32 {
        let over = |at: &AtomicI64| now >= at.load(Ordering::Relaxed);
        match () {
            () if over(&self.hard_at) => raw::ABANDON,
            () if over(&self.stop_at) => raw::STOP,
            () if over(&self.soft_at) => raw::ENOUGH,
            () => raw::GO_ON,
        }
    }

    /// Calls `stop` of a bot whenever the level rises in a turn, from a thread that stays for the next bots.
    pub(in super::super) fn notify(self: &Arc<Alarms>, notifier: Arc<StopNotifier>) -> std::io::Result<()> {
        *self.notifier() = Some(notifier);
        if self.thread.get().is_some() {
            return Ok(());
        }
        let alarms = Arc::clone(self);
        let watch = move || {
            let mut last = now_ns();
            loop {
                let now = now_ns();
                if alarms.rang_between(last, now) {
                    let notifier = alarms.notifier().clone();
                    notifier.iter().for_each(|notifier| notifier.call());
                }
                last = now;
                alarms.sleep(now);
            }
        };
        let thread = thread::Builder::new().name("stop".to_owned()).spawn(watch)?;
        // Only the thread that seats bots comes here, so there is none yet.
        let _ = self.thread.set(thread.thread().clone());
        Ok(())
    }

    fn notifier(&self) -> MutexGuard<'_, Option<Arc<StopNotifier>>> {
        self.notifier.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rang_between(&self, from: i64, to: i64) -> bool {
        self.each().into_iter().any(|at| from < at && at <= to)
    }

    /// Sleeps until the next alarm, or until a turn begins that has an earlier one.
    fn sleep(&self, now: i64) {
        let next = self.next_after(now);
        self.sleeps_until.store(next, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        // If a turn began before the store, it has not woken us.
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
        alarms.set(&Alarm { soft_at: 10, stop_at: 20, hard_at: 30 });
        let levels = [9, 10, 19, 20, 29, 30, 1000].map(|now| alarms.level(now));
        assert_eq!(
            levels,
            [raw::GO_ON, raw::ENOUGH, raw::ENOUGH, raw::STOP, raw::STOP, raw::ABANDON, raw::ABANDON]
        );
        alarms.silence();
        assert_eq!(alarms.level(9), raw::ABANDON);
    }
}
