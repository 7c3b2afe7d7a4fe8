//! Intervals of 95 % that hold with few units, and the chance that goes with them.
//!
//! The interval of a rating, or of a difference, holds every value that explains the results nearly as well as the best one:
//! twice the loss of log-posterior, divided by the design effect of `spread.rs`, stays below the square of the 97.5 % point
//! of Student's t. The profile of the likelihood (D. J. Venzon and S. H. Moolgavkar, Appl. Statist. 37 (1988)) makes the
//! interval lopsided where results are; scaling it by the units' scatter is due to R. E. Chandler and S. Bate, Biometrika 94
//! (2007); Student's t pays for not knowing that scatter. `benches/coverage.rs` measures how often such intervals hold.

use super::fit::{Likelihood, log_posterior, slope};
use super::scale::{Z95, normal_cdf, normal_of_student, student_of_normal};
use super::spread::{DesignEffect, Spread};

/// Two ends of a 95 % interval. An end may be infinite on the Elo scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// What pairings that follow results take from the evidence, as a factor of variance. Whoever had luck meets others who had, so errors
/// add up from opponent to opponent, which neither the likelihood nor the scatter of units shows. In simulations of Swiss tournaments
/// and brackets of up to 32 equals, intervals twice as wide hold (`benches/coverage.rs`).
const OF_PAIRINGS: f64 = 4.0;

/// In fields of more players, other ratings move with the one in question along a straight line only. That costs nothing
/// worth having there, and saves solving for all of them again and again.
const MOST_PROFILED: usize = 64;

/// Steps after which an end that was not found never will be: a handful is usual.
const MAX_STEPS: usize = 100;

/// The longest step in log-strengths, since far away the curvature is another one.
const LONGEST_STEP: f64 = 2.0;

/// Results together with their best explanation.
#[derive(Debug)]
pub(super) struct Evidence {
    pub(super) likelihood: Box<dyn Likelihood>,
    pub(super) prior: f64,
    /// The best parameters.
    pub(super) top: Vec<f64>,
    /// The log-posterior there.
    pub(super) value: f64,
    pub(super) spread: Spread,
    /// Results decided who met whom.
    pub(super) is_paired_by_results: bool,
}

impl Evidence {
    /// The interval of a combination of parameters that units tell of, in units of log-strength.
    pub(super) fn interval(&self, contrast: &[f64]) -> Interval {
        let effect = self.design_effect(contrast);
        let student = student_of_normal(Z95, effect.freedom);
        let loss = effect.factor * student * student / 2.0;
        let end = |sign: f64| self.end(contrast, loss, sign).unwrap_or(sign * f64::INFINITY);
        Interval { low: end(-1.0), high: end(1.0) }
    }

    /// The chance that a combination of parameters is more than 0.
    pub(super) fn chance_above_zero(&self, contrast: &[f64]) -> f64 {
        let effect = self.design_effect(contrast);
        let student = libm::sqrt(2.0 * self.loss_at_zero(contrast).max(0.0) / effect.factor);
        normal_cdf(normal_of_student(student, effect.freedom).copysign(dot(contrast, &self.top)))
    }

    fn design_effect(&self, contrast: &[f64]) -> DesignEffect {
        let effect = self.spread.design_effect(contrast);
        let of_pairings = if self.is_paired_by_results { OF_PAIRINGS } else { 1.0 };
        DesignEffect { factor: effect.factor * of_pairings, ..effect }
    }

    fn value_at(&self, at: &[f64]) -> f64 {
        log_posterior(&*self.likelihood, self.prior, at)
    }

    /// The largest (`sign` 1) or smallest (−1) value of a contrast at which so much log-posterior is lost.
    fn end(&self, contrast: &[f64], loss: f64, sign: f64) -> Option<f64> {
        if self.likelihood.players() > MOST_PROFILED {
            return self.end_of_line(contrast, loss, sign);
        }
        let mut at = self.top.clone();
        for _ in 0..MAX_STEPS {
            let (gradient, curvature) = slope(&*self.likelihood, self.prior, &at);
            let curvature = curvature.cholesky()?;
            let (up, pull) = (curvature.solve(&gradient), curvature.solve(contrast));
            // The parabola that fits here has the loss asked for at the points up ± tension · pull.
            let left = 2.0 * (self.value_at(&at) - self.value + loss) + dot(&gradient, &up);
            let tension = sign * libm::sqrt(left.max(0.0) / dot(contrast, &pull));
            let step: Vec<f64> = up.iter().zip(&pull).map(|(up, pull)| up + tension * pull).collect();
            let length = longest(&step);
            walk(&mut at, &step, (LONGEST_STEP / length).min(1.0));
            if length < 1e-9 {
                return Some(dot(contrast, &at));
            }
        }
        None
    }

    /// The same along the line on which the others follow as they do close to the top, by secants of the root of the loss.
    fn end_of_line(&self, contrast: &[f64], loss: f64, sign: f64) -> Option<f64> {
        let line = self.spread.inverse.times(contrast);
        let root_at = |distance: f64| {
            let mut at = self.top.clone();
            walk(&mut at, &line, sign * distance);
            libm::sqrt((self.value - self.value_at(&at)).max(0.0))
        };
        let asked = libm::sqrt(loss);
        let (mut before, mut root_before) = (0.0, 0.0);
        let mut distance = libm::sqrt(2.0 * loss / dot(contrast, &line));
        for _ in 0..MAX_STEPS {
            let root = root_at(distance);
            if (root - asked).abs() < 1e-9 * asked {
                return Some(dot(contrast, &self.top) + sign * distance * dot(contrast, &line));
            }
            let next = distance + (asked - root) * (distance - before) / (root - root_before);
            (before, root_before, distance) = (distance, root, next);
        }
        None
    }

    /// The log-posterior that is lost where a contrast is 0.
    fn loss_at_zero(&self, contrast: &[f64]) -> f64 {
        let mut at = self.top.clone();
        let follow = self.spread.inverse.times(contrast);
        let distance = dot(contrast, &at) / dot(contrast, &follow);
        walk(&mut at, &follow, -distance);
        let mut value = self.value_at(&at);
        if self.likelihood.players() > MOST_PROFILED {
            return self.value - value;
        }
        for _ in 0..MAX_STEPS {
            let (gradient, curvature) = slope(&*self.likelihood, self.prior, &at);
            let Some(curvature) = curvature.cholesky() else { break };
            let (up, pull) = (curvature.solve(&gradient), curvature.solve(contrast));
            let back = dot(contrast, &up) / dot(contrast, &pull);
            let step: Vec<f64> = up.iter().zip(&pull).map(|(up, pull)| up - back * pull).collect();
            walk(&mut at, &step, (LONGEST_STEP / longest(&step)).min(1.0));
            let before = std::mem::replace(&mut value, self.value_at(&at));
            if (value - before).abs() <= 1e-12 * (1.0 + value.abs()) {
                break;
            }
        }
        self.value - value
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn longest(step: &[f64]) -> f64 {
    step.iter().fold(0.0, |longest, part| part.abs().max(longest))
}

fn walk(at: &mut [f64], step: &[f64], share: f64) {
    at.iter_mut().zip(step).for_each(|(theta, step)| *theta += share * step);
}
