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
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

/// From one round to the next, if nothing comes between.
const ROUND_NS: i64 = ROUND.as_nanos() as i64;
/// The shortest stop that is one: nobody stops a program and lets it go on in less.
const SHORTEST_NS: i64 = 100_000_000;
/// How long whoever wakes before the thread that hears of it waits for that.
const MOMENT: Duration = Duration::from_millis(50);

/// What the watchman has seen.
static SEEN: Mutex<Seen> = Mutex::new(Seen { last: None, stills: Vec::new() });

#[derive(Debug)]
struct Seen {
    /// His last round, once he has begun.
    last: Option<i64>,
    /// From when to when the program stood still.
    stills: Vec<(i64, i64)>,
}

/// The watchman begins his rounds, or begins them again after a rest.
pub(super) fn begin() {
    static LISTENS: Once = Once::new();
    LISTENS.call_once(signal::listen);
    signal::take();
    seen().last = Some(now_ns());
}

/// Another round of his.
pub(super) fn round() {
    wait_for_word(now_ns());
    seen().round(now_ns(), signal::take());
}

/// For how long the program stood still between two points in time, the second of which is now.
pub(super) fn between(from: i64, to: i64) -> Duration {
    if to.saturating_sub(from) < SHORTEST_NS {
        return Duration::ZERO;
    }
    wait_for_word(to);
    seen().between(from, to, signal::look())
}

/// Gives the thread that hears of it a moment, if this may be the end of a stop.
fn wait_for_word(now: i64) {
    if seen().gap(now).is_some() && !signal::look() {
        std::thread::sleep(MOMENT);
    }
}

impl Seen {
    fn round(&mut self, now: i64, goes_on: bool) {
        let gap = self.gap(now).filter(|_| goes_on);
        self.stills.extend(gap);
        self.last = Some(now);
    }

    /// The time since the last round, if the next one is overdue.
    fn gap(&self, now: i64) -> Option<(i64, i64)> {
        self.last.filter(|last| now.saturating_sub(*last) > ROUND_NS + SHORTEST_NS).map(|last| (last, now))
    }

    fn between(&self, from: i64, to: i64, goes_on: bool) -> Duration {
        // Whoever asks may have woken before the watchman.
        let stills = self.stills.iter().copied().chain(self.gap(to).filter(|_| goes_on));
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
        let mut seen = Seen { last: None, stills: Vec::new() };
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
        let mut seen = Seen { last: Some(0), stills: Vec::new() };
        assert_eq!(seen.between(50 * MS, 150 * MS, true), Duration::ZERO);
        assert_eq!(seen.between(50 * MS, 1050 * MS, false), Duration::ZERO);
        assert_eq!(seen.between(50 * MS, 1050 * MS, true), Duration::from_secs(1));
        seen.round(1060 * MS, true);
        assert_eq!(seen.between(50 * MS, 1050 * MS, false), Duration::from_secs(1), "not twice");
    }
}
