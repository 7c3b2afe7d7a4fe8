//! The top of a concave log-likelihood, by Newton's method, and how sure one can be of it.

use super::interval::Evidence;
use super::matrix::Matrix;
use super::ratings::{RatingError, Ratings};
use super::spread::Spread;
use std::fmt::Debug;

/// A log-likelihood of log-strengths, and perhaps of more parameters after them.
pub(super) trait Likelihood: Debug {
    fn players(&self) -> usize;

    /// How many parameters there are: the players' log-strengths and what follows them.
    fn parameters(&self) -> usize {
        self.players()
    }

    /// Whether it has one finite maximum with this prior.
    fn check_bounded(&self, prior: f64) -> Result<(), RatingError>;

    fn value(&self, at: &[f64]) -> f64;

    /// Adds its derivatives to what is there.
    fn add_slope(&self, at: &[f64], slope: &mut Slope);

    /// The group of each player: nobody has met anybody of another one, not even over others.
    fn groups(&self) -> Vec<usize>;

    /// Visits every different unit, with how often it happened and the derivatives by the parameters that it is about.
    fn for_each_unit(&self, at: &[f64], visit: &mut dyn FnMut(u64, &Slope));
}

/// The derivatives of a log-likelihood by some parameters.
pub(super) struct Slope {
    /// In ascending order.
    pub(super) parameters: Vec<usize>,
    pub(super) gradient: Vec<f64>,
    /// The second derivatives with the sign changed.
    pub(super) curvature: Matrix,
}

impl Slope {
    /// Nothing yet about these parameters.
    pub(super) fn of(parameters: impl IntoIterator<Item = usize>) -> Slope {
        let mut parameters: Vec<usize> = parameters.into_iter().collect();
        parameters.sort_unstable();
        parameters.dedup();
        let size = parameters.len();
        Slope { parameters, gradient: vec![0.0; size], curvature: Matrix::zero(size) }
    }

    /// The place of a parameter among these.
    pub(super) fn place(&self, parameter: usize) -> usize {
        // Of all parameters, each stands at its own number.
        if self.parameters.get(parameter) == Some(&parameter) {
            return parameter;
        }
        self.parameters.binary_search(&parameter).expect("it is one of these")
    }
}

/// Steps after which a maximum that was not reached never will be.
const MAX_STEPS: usize = 500;

/// Ratings by the largest value of log-likelihood − `prior`/2 Σ θ² over the log-strengths θ with mean 0.
pub(super) fn fit(likelihood: impl Likelihood + 'static, prior: f64) -> Result<Ratings, RatingError> {
    if likelihood.players() == 0 {
        return Err(RatingError::NoPlayers);
    }
    if !(prior >= 0.0 && prior.is_finite()) {
        return Err(RatingError::BadPrior);
    }
    likelihood.check_bounded(prior)?;
    let (top, value) = top(&likelihood, prior)?;
    let (_, curvature) = slope(&likelihood, prior, &top);
    let inverse = curvature.cholesky().ok_or(RatingError::NotFound)?.inverse();
    let spread = Spread::of(&likelihood, &top, inverse);
    Ok(Ratings::of(Evidence {
        likelihood: Box::new(likelihood),
        prior,
        top,
        value,
        spread,
        is_paired_by_results: false,
    }))
}

/// The best parameters, and the log-posterior there.
fn top(likelihood: &dyn Likelihood, prior: f64) -> Result<(Vec<f64>, f64), RatingError> {
    let players = likelihood.players();
    let posterior = |at: &[f64]| log_posterior(likelihood, prior, at);
    let mut at = vec![0.0; likelihood.parameters()];
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
            return Ok((at, value));
        }
    }
    Err(RatingError::NotFound)
}

/// Log-likelihood − `prior`/2 Σ θ².
pub(super) fn log_posterior(likelihood: &dyn Likelihood, prior: f64, at: &[f64]) -> f64 {
    let strengths = &at[..likelihood.players()];
    likelihood.value(at) - 0.5 * prior * strengths.iter().map(|theta| theta * theta).sum::<f64>()
}

/// The gradient of the log-posterior, and its curvature H + G.
pub(super) fn slope(likelihood: &dyn Likelihood, prior: f64, at: &[f64]) -> (Vec<f64>, Matrix) {
    let players = likelihood.players();
    let mut slope = Slope::of(0..likelihood.parameters());
    likelihood.add_slope(at, &mut slope);
    let Slope { mut gradient, mut curvature, .. } = slope;
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
