//! When a match between two bots may stop: the sequential probability ratio test.

use super::counts::Counts;
use super::likelihood::{Mean, loss_at_mean};
use super::normalized::loss_at_effect;
use super::scale::ELO_PER_NAT;
use thiserror::Error;

/// What the two hypotheses are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EloModel {
    /// Elo as everybody knows it: it fixes the mean score.
    Logistic,
    /// Normalised Elo: it fixes the distance of the mean score from ½ in standard deviations of one game.
    Normalized,
}

/// A sequential probability ratio test of two hypotheses about the first of two bots: H0, it is `elo0` stronger; H1, it is
/// `elo1` stronger.
///
/// A. Wald, Ann. Math. Statist. 16 (1945), generalised to hypotheses that leave most of the distribution open: each
/// hypothesis is represented by the likeliest distribution of unit results that fulfils it (M. Van den Bergh, "A practical
/// introduction to the GSPRT", 2017). Those distributions are found exactly; usual approximations fail where most units
/// end alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why this is no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum SprtError {
    #[error("elo0 must be below elo1, and both between -{MAX_ELO} and {MAX_ELO}")]
    Hypotheses,
    #[error("alpha and beta must be above 0, and their sum below 1")]
    Errors,
}

/// The hypotheses that can be tested lie within this many Elo.
const MAX_ELO: i32 = 5000;

/// What the results so far say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Play on.
    Continue,
    /// H0 is accepted: the log-likelihood ratio reached the lower bound.
    H0,
    /// H1 is accepted: the log-likelihood ratio reached the upper bound.
    H1,
}

/// What a result that never happened counts instead of 0, so that every distribution stays possible.
const NEVER: f64 = 1e-3;

/// Results counted less often than this share of all units count this share: nearer to 0, what a double holds of their
/// chances would be rounding. It matters beyond ten thousand million units.
const RARE: f64 = 1e-13;

/// The same for pairs under normalised Elo, where two sums have to cancel: beyond ten million pairs.
const RARE_NORMALIZED_PAIR: f64 = 1e-10;

impl Sprt {
    /// A test with its chances of error: `alpha` of accepting H1 when H0 holds, `beta` of accepting H0 when H1 holds.
    ///
    /// # Errors
    /// `elo0` not below `elo1`, hypotheses beyond 5000 Elo, or chances of error that are not above 0 with a sum below 1.
    pub fn new(model: EloModel, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let max = f64::from(MAX_ELO);
        if !(elo0 < elo1 && elo0 >= -max && elo1 <= max) {
            return Err(SprtError::Hypotheses);
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors);
        }
        Ok(Sprt { model, elo0, elo1, alpha, beta })
    }

    /// The log-likelihood ratio at which H0 is accepted: ln(β/(1 − α)).
    pub fn lower_bound(&self) -> f64 {
        libm::log(self.beta / (1.0 - self.alpha))
    }

    /// The log-likelihood ratio at which H1 is accepted: ln((1 − β)/α).
    pub fn upper_bound(&self) -> f64 {
        libm::log((1.0 - self.beta) / self.alpha)
    }

    /// The log-likelihood ratio of H1 to H0. Results that never happened count a thousandth of a unit.
    pub fn log_likelihood_ratio(&self, counts: &Counts) -> f64 {
        let rarest = match (self.model, counts.games_per_unit()) {
            (EloModel::Normalized, 2) => RARE_NORMALIZED_PAIR,
            _ => RARE,
        };
        let least = rarest * counts.units() as f64;
        let weight = |&count: &u64| if count == 0 { NEVER.max(least) } else { (count as f64).max(least) };
        let weights: Vec<f64> = counts.cells().iter().map(weight).collect();
        self.loss(&weights, self.elo0) - self.loss(&weights, self.elo1)
    }

    /// By how much the best distribution under this hypothesis explains the counts worse than their own frequencies.
    fn loss(&self, weights: &[f64], elo: f64) -> f64 {
        match self.model {
            EloModel::Logistic => loss_at_mean(weights, Mean::of_logit(elo / ELO_PER_NAT)),
            EloModel::Normalized => {
                let games_per_unit = (weights.len() - 1) as f64 / 2.0;
                loss_at_effect(weights, elo / (2.0 * ELO_PER_NAT) * libm::sqrt(games_per_unit))
            }
        }
    }

    /// What a log-likelihood ratio decides.
    pub fn decision_at(&self, ratio: f64) -> Decision {
        if ratio >= self.upper_bound() {
            Decision::H1
        } else if ratio <= self.lower_bound() {
            Decision::H0
        } else {
            Decision::Continue
        }
    }
}

/// A sequential test that looks at the units of a schedule in their order, one by one. Whoever feeds it waits for a unit
/// that is missing. Short games finish first, and one-sided games are short: deciding on whatever happens to be finished
/// would accept falsely, the more often the more workers there are. And so the same schedule stops at the same unit,
/// whoever played it.
#[derive(Clone, Debug)]
pub struct SprtRun {
    /// The test.
    pub sprt: Sprt,
    /// The units that were looked at; after a decision, those that decided.
    pub counts: Counts,
    /// Their log-likelihood ratio.
    pub ratio: f64,
    /// What is decided.
    pub decision: Decision,
}

impl SprtRun {
    /// A test before its first unit, which is a pair of games.
    pub fn new(sprt: Sprt) -> SprtRun {
        let counts = Counts::no_pairs();
        let ratio = sprt.log_likelihood_ratio(&counts);
        SprtRun { sprt, counts, ratio, decision: Decision::Continue }
    }

    /// Looks at the next unit, by the half points that the first bot made in it. After a decision nothing changes.
    ///
    /// # Panics
    /// More half points than a unit has.
    pub fn add(&mut self, half_points: usize) -> Decision {
        if self.decision == Decision::Continue {
            self.counts.add(half_points);
            self.ratio = self.sprt.log_likelihood_ratio(&self.counts);
            self.decision = self.sprt.decision_at(self.ratio);
        }
        self.decision
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(model: EloModel, cells: &[u64], elo0: f64, elo1: f64) -> f64 {
        let counts = Counts::new(cells).unwrap();
        Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap().log_likelihood_ratio(&counts)
    }

    #[test]
    fn a_whitewash_of_any_length_grows_evenly() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            for whitewash in [[0, 0, 0, 0, 1u64], [1, 0, 0, 0, 0]] {
                let ratio_of =
                    |units: u64| ratio(model, &whitewash.map(|cell| cell * units), 0.0, 2.0) / units as f64;
                let expected = ratio_of(1_000_000);
                for units in [1 << 33, 1 << 43, 1 << 53] {
                    assert!(
                        (ratio_of(units) / expected - 1.0).abs() < 1e-6,
                        "{model:?} {units}: {}",
                        ratio_of(units)
                    );
                }
            }
        }
    }

    /// From the closed form for three results, bisected with forty digits.
    #[test]
    fn a_bottom_close_to_the_end_of_its_range_is_found() {
        let found =
            ratio(EloModel::Normalized, &[1_000_000, 0, 0], -60.210_010_002_371_78, -58.210_010_002_371_78);
        assert!((found + 4_721.319_048_616_28).abs() < 1e-4, "{found}");
    }
}
