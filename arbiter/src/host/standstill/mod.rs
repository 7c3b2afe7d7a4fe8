//! When this whole program was stopped: by Ctrl-Z, or a signal that somebody sent.
//!
//! Bots may have run on meanwhile, and nobody told them to come to an end. So such time counts for nobody: turns and calls
//! are that much longer, and it is not charged. The system tells that the program goes on; for how long it was stopped
//! tells a watchman who looks around regularly, and has not. That alone would prove nothing: other work on the machine
//! delays him too.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "other.rs")]
mod signal;

use super::clock::now_ns;
use super::watchman::ROUND;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// From one round to the next, if nothing comes between.
const ROUND_NS: i64 = ROUND.as_nanos() as i64;
/// The shortest stop that is one: nobody stops a program and lets it go on in less.
const SHORTEST_NS: i64 = 100_000_000;
/// How long it may take on a crowded core until somebody hears that the program goes on.
const DOUBT_NS: i64 = 2_000_000_000;
/// How long, and how often, whoever wakes before the thread that hears of it waits for that.
const MOMENT: Duration = Duration::from_millis(10);
const MOMENTS: u32 = 20;

/// What the watchman has seen.
static SEEN: Mutex<Seen> = Mutex::new(Seen::NOTHING);

#[derive(Debug)]
struct Seen {
    /// His last round, once he has begun.
    last: Option<i64>,
    /// The longest time of late before a round that was overdue: who hears of the end of a stop may be the last to wake.
    doubtful: Option<(i64, i64)>,
    /// From when to when the program stood still.
    stills: Vec<(i64, i64)>,
}

/// The watchman begins his rounds.
pub(super) fn begin() {
    signal::listen();
    rested();
}

/// He begins them again.
pub(super) fn rested() {
    signal::take();
    seen().last = Some(now_ns());
}

/// Another round of his.
pub(super) fn round() {
    seen().round(now_ns(), signal::take());
}

/// For how long the program stood still between two points in time, the second of which is now, as far as that is known
/// at once: for what a bot must not wait for.
pub(super) fn known(from: i64, to: i64) -> Duration {
    if to.saturating_sub(from) < SHORTEST_NS {
        return Duration::ZERO;
    }
    seen().between(from, to, signal::look())
}

/// The same for sure. It may take a moment.
pub(super) fn between(from: i64, to: i64) -> Duration {
    if to.saturating_sub(from) < SHORTEST_NS {
        return Duration::ZERO;
    }
    for _ in 0..MOMENTS {
        if signal::look() || !seen().may_have_stood_still(to) {
            break;
        }
        std::thread::sleep(MOMENT);
    }
    known(from, to)
}

impl Seen {
    const NOTHING: Seen = Seen { last: None, doubtful: None, stills: Vec::new() };

    fn round(&mut self, now: i64, goes_on: bool) {
        let recent = self.doubtful.filter(|(_, end)| now.saturating_sub(*end) < DOUBT_NS);
        self.doubtful = recent.into_iter().chain(self.gap(now)).max_by_key(|(begin, end)| end - begin);
        if goes_on {
            self.stills.extend(self.doubtful.take());
        }
        self.last = Some(now);
    }

    /// The time since the last round, if the next one is overdue.
    fn gap(&self, now: i64) -> Option<(i64, i64)> {
        self.last.filter(|last| now.saturating_sub(*last) > ROUND_NS + SHORTEST_NS).map(|last| (last, now))
    }

    fn may_have_stood_still(&self, now: i64) -> bool {
        self.doubtful.is_some() || self.gap(now).is_some()
    }

    fn between(&self, from: i64, to: i64, goes_on: bool) -> Duration {
        // Whoever asks may have woken before the watchman.
        let unheard = self.doubtful.into_iter().chain(self.gap(to)).max_by_key(|(begin, end)| end - begin);
        let stills = self.stills.iter().copied().chain(unheard.filter(|_| goes_on));
        let shared = stills.map(|(begin, end)| end.min(to).saturating_sub(begin.max(from)).max(0));
        Duration::from_nanos(shared.sum::<i64>().unsigned_abs())
    }
}

fn seen() -> MutexGuard<'static, Seen> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    #[test]
    fn rounds_that_are_late_are_no_standstill_unless_the_program_was_told_to_go_on() {
        let mut seen = Seen::NOTHING;
        assert_eq!(seen.between(0, 9000 * MS, true), Duration::ZERO, "nobody has begun to look");
        let rounds = [(1000, false), (1100, true), (4100, false), (4200, false), (9200, true), (9300, false)];
        rounds.into_iter().for_each(|(at, goes_on)| seen.round(at * MS, goes_on));
        assert_eq!(seen.stills, [(4200 * MS, 9200 * MS)]);
        assert_eq!(seen.between(1000 * MS, 4200 * MS, false), Duration::ZERO);
        let from_its_middle = seen.between(5200 * MS, 9250 * MS, false);
        assert_eq!(from_its_middle, Duration::from_secs(4), "a turn that began meanwhile");
        assert_eq!(seen.between(1000 * MS, 9250 * MS, false), Duration::from_secs(5));
    }

    #[test]
    fn who_wakes_before_the_watchman_knows_it_too() {
        let mut seen = Seen { last: Some(0), ..Seen::NOTHING };
        assert_eq!(seen.between(50 * MS, 150 * MS, true), Duration::ZERO);
        assert_eq!(seen.between(50 * MS, 1050 * MS, false), Duration::ZERO);
        assert_eq!(seen.between(50 * MS, 1050 * MS, true), Duration::from_secs(1));
        seen.round(1060 * MS, false);
        assert_eq!(seen.between(50 * MS, 1050 * MS, true), Duration::from_secs(1), "nor if he wakes first");
        seen.round(1160 * MS, true);
        assert_eq!(seen.between(50 * MS, 1050 * MS, false), Duration::from_secs(1), "not twice");
    }
}
