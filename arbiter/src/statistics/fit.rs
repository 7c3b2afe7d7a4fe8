//! The top of a concave log-likelihood, by Newton's method, and how sure one can be of it.

use super::matrix::Matrix;
use super::ratings::{Fitted, RatingError};
use super::spread::Spread;
use std::fmt::Debug;

/// A log-likelihood of log-strengths, and perhaps of more parameters after them.
pub(super) trait Likelihood: Debug {
    fn players(&self) -> usize;

    /// How many parameters there are: the players' log-strengths and what follows them.
    fn parameters(&self) -> usize {
        self.players()
    }

    fn value(&self, at: &[f64]) -> f64;

    /// Its first derivatives and its second ones with the sign changed, both added to what is there.
    fn add_slope(&self, at: &[f64], gradient: &mut [f64], curvature: &mut Matrix);

    /// The group of each player: nobody has met anybody of another one, not even over others.
    fn groups(&self) -> Vec<usize>;

    /// Visits every different unit, with how often it happened.
    fn for_each_unit(&self, at: &[f64], visit: &mut dyn FnMut(u64, &UnitSlope));
}

/// The derivatives of one unit's log-likelihood by the parameters that it is about.
pub(super) struct UnitSlope {
    /// In ascending order.
    pub(super) parameters: Vec<usize>,
    pub(super) gradient: Vec<f64>,
    /// The second derivatives with the sign changed.
    pub(super) curvature: Matrix,
}

impl UnitSlope {
    /// Nothing yet about these parameters.
    pub(super) fn of(parameters: impl Iterator<Item = usize>) -> UnitSlope {
        let mut parameters: Vec<usize> = parameters.collect();
        parameters.sort_unstable();
        parameters.dedup();
        let size = parameters.len();
        UnitSlope { parameters, gradient: vec![0.0; size], curvature: Matrix::zero(size) }
    }

    fn local(&self, parameter: usize) -> usize {
        self.parameters.iter().position(|&of| of == parameter).expect("it is one of the unit's")
    }

    pub(super) fn add_slope(&mut self, parameter: usize, slope: f64) {
        let index = self.local(parameter);
        self.gradient[index] += slope;
    }

    pub(super) fn add_curvature(&mut self, row: usize, column: usize, bend: f64) {
        let (row, column) = (self.local(row), self.local(column));
        self.curvature.add(row, column, bend);
    }
}
/// Steps after which a maximum that was not reached never will be.
const MAX_STEPS: usize = 500;

/// Finds the largest value of log-likelihood − `prior`/2 Σ θ² over the log-strengths θ with mean 0, and its covariances.
///
/// With H the curvature at the top, the prior included, and G = 1/n on the log-strengths, A = (H + G)⁻¹; M takes the
/// mean away. By curvature the covariance is M A Mᵀ. By the scatter S of units it is M A S A Mᵀ, the sandwich of P. J.
/// Huber (1967) and H. White (1982), with clusters as in K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986); with two
/// bots this is the pentanomial error.
pub(super) fn fit(likelihood: &dyn Likelihood, prior: f64) -> Result<Fitted, RatingError> {
    let (players, size) = (likelihood.players(), likelihood.parameters());
    let posterior = |at: &[f64]| log_posterior(likelihood, prior, at);
    let mut at = vec![0.0; size];
    let mut value = posterior(&at);
    for _ in 0..MAX_STEPS {
        let (gradient, curvature) = slope(likelihood, prior, &at);
        let step = curvature.cholesky().ok_or(RatingError::NotFound)?.solve(&gradient);
        let length = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
        let mut share = 1.0;
        loop {
            let mut next: Vec<f64> = at.iter().zip(&step).map(|(theta, step)| theta + share * step).collect();
            centre(&mut next[..players]);
            let reached = posterior(&next);
            // Near the top the value no longer tells steps apart, and Newton's steps are safe there.
            if reached >= value || length < 1e-3 {
                (at, value) = (next, reached);
                break;
            }
            share *= 0.5;
            if share < 1e-12 {
                return Err(RatingError::NotFound);
            }
        }
        if length < 1e-10 {
            return covariances(likelihood, prior, at, value);
        }
    }
    Err(RatingError::NotFound)
}

/// Log-likelihood − `prior`/2 Σ θ².
pub(super) fn log_posterior(likelihood: &dyn Likelihood, prior: f64, at: &[f64]) -> f64 {
    let strengths = &at[..likelihood.players()];
    likelihood.value(at) - 0.5 * prior * strengths.iter().map(|theta| theta * theta).sum::<f64>()
}

fn covariances(
    likelihood: &dyn Likelihood,
    prior: f64,
    parameters: Vec<f64>,
    log_posterior: f64,
) -> Result<Fitted, RatingError> {
    let players = likelihood.players();
    let (_, curvature) = slope(likelihood, prior, &parameters);
    let inverse = curvature.cholesky().ok_or(RatingError::NotFound)?.inverse();
    // With S = L Lᵀ the sandwich is (M A L)(M A L)ᵀ: kept as that root, small differences between players stay exact.
    // What one player of a group wins another one loses: what rounding left of that is taken away.
    let spread = Spread::of(likelihood, &parameters, inverse);
    let mut root_of_scatter = spread.scatter.clone().semidefinite_root();
    root_of_scatter.centre(&likelihood.groups());
    let mut cluster_root = spread.inverse.times_transposed(&root_of_scatter.transposed());
    cluster_root.centre(&vec![0; players]);
    let mut fisher = spread.inverse.clone();
    fisher.centre(&vec![0; players]);
    fisher = fisher.transposed();
    fisher.centre(&vec![0; players]);
    Ok(Fitted { parameters, fisher, cluster_root, log_posterior, spread })
}

/// The gradient of the log-posterior, and its curvature H + G.
pub(super) fn slope(likelihood: &dyn Likelihood, prior: f64, at: &[f64]) -> (Vec<f64>, Matrix) {
    let (players, size) = (likelihood.players(), likelihood.parameters());
    let (mut gradient, mut curvature) = (vec![0.0; size], Matrix::zero(size));
    likelihood.add_slope(at, &mut gradient, &mut curvature);
    for player in 0..players {
        gradient[player] -= prior * at[player];
        curvature.add(player, player, prior);
        for other in 0..players {
            curvature.add(player, other, 1.0 / players as f64);
        }
    }
    (gradient, curvature)
}

fn centre(strengths: &mut [f64]) {
    let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
    strengths.iter_mut().for_each(|theta| *theta -= mean);
}
