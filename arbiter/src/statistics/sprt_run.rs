//! A test fed by workers that finish in any order.

use super::counts::Counts;
use super::sprt::{Decision, Sprt};
use std::collections::BTreeMap;
use thiserror::Error;

/// A sequential test over the units of a schedule.
///
/// Units are reported as they finish; the test looks at them in the order of the schedule only, unit by unit, and never
/// past one that is missing. Short games finish first, and one-sided games are short: deciding on whatever happens to be
/// finished would accept falsely, the more often the more workers there are. And so the same schedule stops at the same
/// unit, whoever played it.
#[derive(Clone, Debug)]
pub struct SprtRun {
    sprt: Sprt,
    counts: Counts,
    ratio: f64,
    decision: Decision,
    waiting: BTreeMap<u64, usize>,
    next: u64,
}

/// A unit was reported a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("unit {0} was reported twice")]
pub struct ReportedTwice(pub u64);

impl SprtRun {
    /// A test before its first unit. `none` says what is counted: no games or no pairs.
    pub fn new(sprt: Sprt, none: Counts) -> SprtRun {
        let ratio = sprt.log_likelihood_ratio(&none);
        SprtRun { sprt, counts: none, ratio, decision: Decision::Continue, waiting: BTreeMap::new(), next: 0 }
    }

    /// Takes a finished unit: its number in the schedule, from 0, and the half points the first bot made in it. After a
    /// decision, units that come before the deciding one no longer exist, and later ones change nothing.
    ///
    /// # Errors
    /// The unit was reported before.
    ///
    /// # Panics
    /// More half points than a unit has.
    pub fn report(&mut self, unit: u64, half_points: usize) -> Result<Decision, ReportedTwice> {
        assert!(half_points < self.counts.cells().len(), "{half_points} half points from one unit");
        if unit < self.next || self.waiting.contains_key(&unit) {
            return Err(ReportedTwice(unit));
        }
        self.waiting.insert(unit, half_points);
        while self.decision == Decision::Continue {
            let Some(half_points) = self.waiting.remove(&self.next) else { break };
            self.next += 1;
            self.counts.add(half_points);
            self.ratio = self.sprt.log_likelihood_ratio(&self.counts);
            self.decision = self.sprt.decision_at(self.ratio);
        }
        Ok(self.decision)
    }

    /// The test.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// What is decided.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// The units that were looked at; after a decision, those that decided.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Their log-likelihood ratio.
    pub fn log_likelihood_ratio(&self) -> f64 {
        self.ratio
    }

    /// How many units were looked at: the number of the first one that is missing, or after a decision the number of
    /// units it took.
    pub fn units(&self) -> u64 {
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::EloModel;

    /// A fixed row of results with a surplus for the first bot.
    fn results() -> Vec<usize> {
        (0u64..400).map(|unit| [2, 3, 1, 4, 2, 2, 3, 0, 2, 3][(unit * 7 % 10) as usize]).collect()
    }

    fn run(order: impl IntoIterator<Item = usize>) -> SprtRun {
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 40.0, 0.05, 0.05).unwrap();
        let mut run = SprtRun::new(sprt, Counts::no_pairs());
        let results = results();
        for unit in order {
            run.report(unit as u64, results[unit]).unwrap();
        }
        run
    }

    #[test]
    fn the_order_of_reports_changes_nothing() {
        let ahead = run(0..400);
        assert_eq!(ahead.decision(), Decision::H1);
        assert!(ahead.units() < 400, "it stops in between");
        for run in [
            run((0..400).rev()),
            run((0..400).map(|unit| unit * 7 % 400)),
            run((0..400).map(|unit| unit ^ 5)),
        ] {
            assert_eq!((run.decision(), run.units()), (ahead.decision(), ahead.units()));
            assert_eq!(run.counts(), ahead.counts());
            assert_eq!(run.log_likelihood_ratio().to_bits(), ahead.log_likelihood_ratio().to_bits());
        }
    }

    #[test]
    fn nothing_is_decided_past_a_missing_unit() {
        let run = run(1..400);
        assert_eq!((run.decision(), run.units(), run.waiting.len()), (Decision::Continue, 0, 399));
    }

    #[test]
    fn a_unit_counts_once() {
        let mut run = run([0, 1, 5]);
        assert_eq!(run.report(1, 4), Err(ReportedTwice(1)));
        assert_eq!(run.report(5, 4), Err(ReportedTwice(5)));
        assert_eq!((run.units(), run.waiting.len()), (2, 1));
    }
}
