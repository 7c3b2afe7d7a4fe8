//! When this whole program stood still: Ctrl-Z, a signal to stop, a machine that was frozen.
//!
//! Bots may have run on meanwhile, and nobody told them to come to an end. So such time counts for nobody: turns and calls
//! are that much longer, and it is not charged. It is seen by a watchman who looks around regularly, and has not: other
//! work on the machine delays it by milliseconds.

use super::clock::now_ns;
use super::watchman::ROUND;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A round that comes so long after the one before was kept from coming.
const LONGEST_GAP_NS: i64 = ROUND.as_nanos() as i64 + 200_000_000;

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
    seen().last = Some(now_ns());
}

/// Another round of his.
pub(super) fn round() {
    seen().round(now_ns());
}

/// For how long the program stood still between two points in time.
pub(super) fn between(from: i64, to: i64) -> Duration {
    if to.saturating_sub(from) < LONGEST_GAP_NS - ROUND.as_nanos() as i64 {
        return Duration::ZERO;
    }
    seen().between(from, to)
}

impl Seen {
    fn round(&mut self, now: i64) {
        let gap = self.gap(now);
        self.stills.extend(gap);
        self.last = Some(now);
    }

    /// What the time since the last round is, if the next one has been kept from coming.
    fn gap(&self, now: i64) -> Option<(i64, i64)> {
        self.last.filter(|last| now.saturating_sub(*last) > LONGEST_GAP_NS).map(|last| (last, now))
    }

    fn between(&self, from: i64, to: i64) -> Duration {
        // Whoever asks may have woken before the watchman.
        let stills = self.stills.iter().copied().chain(self.gap(to));
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
    fn rounds_that_come_late_are_no_standstill_and_those_that_do_not_come_are() {
        let mut seen = Seen { last: None, stills: Vec::new() };
        assert_eq!(seen.between(0, 9000 * MS), Duration::ZERO, "nobody has begun to look");
        [1000, 1100, 1350, 1450, 6450, 6550].into_iter().for_each(|at| seen.round(at * MS));
        assert_eq!(seen.stills, [(1450 * MS, 6450 * MS)]);
        assert_eq!(seen.between(1000 * MS, 1450 * MS), Duration::ZERO);
        assert_eq!(
            seen.between(2450 * MS, 6500 * MS),
            Duration::from_secs(4),
            "in a turn that began in its middle"
        );
        assert_eq!(seen.between(1000 * MS, 6500 * MS), Duration::from_secs(5));
    }

    #[test]
    fn who_wakes_before_the_watchman_knows_it_too() {
        let mut seen = Seen { last: Some(0), stills: Vec::new() };
        assert_eq!(seen.between(50 * MS, 300 * MS), Duration::ZERO);
        assert_eq!(seen.between(50 * MS, 1050 * MS), Duration::from_secs(1));
        seen.round(1060 * MS);
        assert_eq!(seen.between(50 * MS, 1050 * MS), Duration::from_secs(1), "not twice");
    }
}
