//! The top of a concave log-likelihood, by Newton's method, and how sure one can be of it.

use super::matrix::Matrix;
use super::ratings::{Fitted, RatingError};

/// A log-likelihood of log-strengths, and perhaps of more parameters after them.
pub(super) trait Likelihood {
    /// How many players there are.
    fn players(&self) -> usize;

    /// How many parameters there are: the players' log-strengths and what follows them.
    fn parameters(&self) -> usize;

    /// The log-likelihood.
    fn value(&self, at: &[f64]) -> f64;

    /// Its first derivatives and its second ones with the sign changed, both added to what is there.
    fn add_slope(&self, at: &[f64], gradient: &mut [f64], curvature: &mut Matrix);

    /// The group of each player: nobody has met anybody of another one, not even over others.
    fn groups(&self) -> Vec<usize>;

    /// Σ over units of the outer product of the unit's first derivatives.
    fn scatter(&self, at: &[f64]) -> Matrix;
}

/// Steps after which a maximum that was not reached never will be.
const MAX_STEPS: usize = 500;

/// Finds the largest value of log-likelihood − `prior`/2 Σ θ² over the log-strengths θ with mean 0, and its covariances.
///
/// With H the curvature at the top, the prior included, and G = 1/n on the log-strengths, A = (H + G)⁻¹; M takes the
/// mean away. By curvature the covariance is M A Mᵀ. By the scatter S of units it is M A S A Mᵀ, the sandwich of P. J.
/// Huber (1967) and H. White (1982), with clusters as in K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986); with two
/// bots this is the pentanomial error.
pub(super) fn fit(likelihood: &impl Likelihood, prior: f64) -> Result<Fitted, RatingError> {
    let (players, size) = (likelihood.players(), likelihood.parameters());
    let posterior = |at: &[f64]| {
        likelihood.value(at) - 0.5 * prior * at[..players].iter().map(|theta| theta * theta).sum::<f64>()
    };
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

fn covariances(
    likelihood: &impl Likelihood,
    prior: f64,
    parameters: Vec<f64>,
    log_posterior: f64,
) -> Result<Fitted, RatingError> {
    let players = likelihood.players();
    let (_, curvature) = slope(likelihood, prior, &parameters);
    let inverse = curvature.cholesky().ok_or(RatingError::NotFound)?.inverse();
    // With S = L Lᵀ the sandwich is (M A L)(M A L)ᵀ: kept as that root, small differences between players stay exact.
    // What one player of a group wins another one loses: what rounding left of that is taken away.
    let mut root_of_scatter = likelihood.scatter(&parameters).semidefinite_root();
    root_of_scatter.centre(&likelihood.groups());
    let mut cluster_root = inverse.times_transposed(&root_of_scatter.transposed());
    cluster_root.centre(&vec![0; players]);
    let mut fisher = inverse;
    fisher.centre(&vec![0; players]);
    fisher = fisher.transposed();
    fisher.centre(&vec![0; players]);
    Ok(Fitted { parameters, fisher, cluster_root, log_posterior })
}

/// The gradient of the log-posterior, and its curvature H + G.
fn slope(likelihood: &impl Likelihood, prior: f64, at: &[f64]) -> (Vec<f64>, Matrix) {
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
