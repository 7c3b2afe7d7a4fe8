//! How far units scatter about the best ratings, and how surely that is known.
//!
//! The curvature of the log-likelihood says how far estimates scatter if all games are independent and none is drawn. Draws
//! make it less, games of a pair that end alike make it more. The ratio of the two variances is the *design effect* (J. N. K.
//! Rao and A. J. Scott, J. Amer. Statist. Assoc. 76 (1981)); the sandwich estimates it for each rating from that player's
//! own units alone, which is not enough when they are few. So three sources are weighed against each other:
//!
//! - the units that tell of this very rating, as in the sandwich;
//! - all units of the tournament together, worth [`POOLED`] of those;
//! - behind these, [`ASSUMED`] units that scatter as independent games do, which hardly count once there are more.
//!
//! Residuals are smaller than what they estimate, since the ratings were fitted to them; what the fit took is taken off the
//! expected sums too (R. M. Bell and D. F. McCaffrey, Survey Methodology 28 (2002)). Units are counted by what they tell:
//! a game that is as good as decided before it begins is a small part of one between equals.

use super::fit::{Likelihood, Slope};
use super::matrix::Matrix;

/// What all units together say of scatter counts as much as so many units of a player's own.
const POOLED: f64 = 10.0;

/// So many units between equals with independent games are assumed beside those that were played.
const ASSUMED: f64 = 2.0;

/// The sums over units that errors are made of.
#[derive(Debug)]
pub(super) struct Spread {
    /// Inverse of the curvature of the log-posterior.
    pub(super) inverse: Matrix,
    /// Σ of the units' curvatures.
    information: Matrix,
    /// Σ of the outer products of the units' first derivatives.
    pub(super) scatter: Matrix,
    /// What fitting takes away from the expected scatter: Σ I A I, where I is a unit's curvature and A the inverse.
    fitted: Matrix,
    /// The diagonal of the curvature if all players were equals.
    among_equals: Vec<f64>,
    /// Units that tell of each parameter.
    pub(super) units: Vec<u64>,
    all_units: u64,
}

/// By which factor variances differ from those of independent games, and how many degrees of freedom it is known by.
#[derive(Clone, Copy, Debug)]
pub(super) struct DesignEffect {
    pub(super) factor: f64,
    pub(super) freedom: f64,
}

impl Spread {
    pub(super) fn of(likelihood: &dyn Likelihood, at: &[f64], inverse: Matrix) -> Spread {
        let size = at.len();
        let mut equal = Slope::of(0..size);
        likelihood.add_slope(&vec![0.0; size], &mut equal);
        let mut spread = Spread {
            information: Matrix::zero(size),
            scatter: Matrix::zero(size),
            fitted: Matrix::zero(size),
            among_equals: (0..size).map(|parameter| equal.curvature.at(parameter, parameter)).collect(),
            units: vec![0; size],
            all_units: 0,
            inverse,
        };
        likelihood.for_each_unit(at, &mut |count, unit| {
            let of = &unit.parameters;
            let share = spread.inverse.part(of);
            let fitted = unit.curvature.times_transposed(&share).times_transposed(&unit.curvature);
            spread.all_units += count;
            let weight = count as f64;
            for (i, &row) in of.iter().enumerate() {
                spread.units[row] += count;
                for (j, &column) in of.iter().enumerate() {
                    spread.scatter.add(row, column, weight * unit.gradient[i] * unit.gradient[j]);
                    spread.information.add(row, column, weight * unit.curvature.at(i, j));
                    spread.fitted.add(row, column, weight * fitted.at(i, j));
                }
            }
        });
        spread
    }

    /// The design effect for a combination of parameters that units tell of.
    pub(super) fn design_effect(&self, contrast: &[f64]) -> DesignEffect {
        let pooled = self.pooled();
        let influence = self.inverse.times(contrast);
        let expected = self.information.quadratic(&influence);
        let units = self.units_among_equals(contrast);
        let free = units * (1.0 - self.fitted.quadratic(&influence) / expected);
        let factor = (units * self.scatter.quadratic(&influence) / expected + POOLED * pooled.factor)
            / (free + POOLED);
        // The variance of a weighted mean of an estimate from a part, and one from the whole that holds this part.
        let own_share = free / (free + POOLED);
        let beyond_pooled = free / (free + POOLED).powi(2) - own_share * own_share / pooled.freedom;
        DesignEffect { factor, freedom: 1.0 / (1.0 / pooled.freedom + beyond_pooled.max(0.0)) }
    }

    /// The design effect of all units together.
    fn pooled(&self) -> DesignEffect {
        let one_unit = self.among_equals.iter().sum::<f64>() / self.all_units as f64;
        let free = (self.information.trace() - self.fitted.trace()) / one_unit;
        let factor = (self.scatter.trace() / one_unit + ASSUMED) / (free + ASSUMED);
        DesignEffect { factor, freedom: free + ASSUMED }
    }

    /// How many units between equals would tell as much of a contrast: the harmonic mean over the players in it.
    fn units_among_equals(&self, contrast: &[f64]) -> f64 {
        let of_parameter = |parameter: usize| {
            self.units[parameter] as f64 * self.information.at(parameter, parameter)
                / self.among_equals[parameter]
        };
        let involved = || contrast.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        let weights: f64 = involved().map(|(_, weight)| weight.abs()).sum();
        weights / involved().map(|(parameter, weight)| weight.abs() / of_parameter(parameter)).sum::<f64>()
    }
}
