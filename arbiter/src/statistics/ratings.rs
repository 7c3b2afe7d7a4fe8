//! Ratings on the Elo scale with their errors.

use super::interval::{Evidence, Interval};
use super::matrix::Matrix;
use super::scale::{ELO_PER_NAT, normal_cdf};
use thiserror::Error;

/// A number on the Elo scale with its standard errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The likeliest value.
    pub elo: f64,
    /// Standard error if every game were independent of all others: from the curvature of the log-likelihood, the prior
    /// included.
    pub fisher_error: f64,
    /// Standard error from how the units scatter (sandwich estimate). With few units it is too small, and 1.96 of them are
    /// no interval of 95 %: [`Ratings::interval`] is one.
    pub cluster_error: f64,
}

/// What makes ratings impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum RatingError {
    #[error("there are no players")]
    NoPlayers,
    #[error("the strength of the prior must be 0 or more")]
    BadPrior,
    #[error(
        "without a prior these results have no single best ratings: some players never made a point against the others, \
         or never met them"
    )]
    Unbounded,
    #[error(
        "the results do not tell how much the first seat is worth: there are none, or one seat made every point"
    )]
    FirstSeatUnbounded,
    #[error("the best ratings were not found: the results are too extreme for the strength of the prior")]
    NotFound,
}

/// The prior of tournaments, which keeps ratings of spotless scores finite.
pub const WEAK_PRIOR: f64 = 0.1;

/// Ratings of all players of a tournament: mean 0, Elo scale.
#[derive(Debug)]
pub struct Ratings {
    players: Vec<Estimate>,
    first_seat: Option<Estimate>,
    groups: Vec<usize>,
    /// The covariance by the scatter of units is this, in units of log-strength, times its transpose.
    cluster_root: Matrix,
    evidence: Evidence,
}

impl Ratings {
    /// With H the curvature at the top, the prior included, and G = 1/n on the log-strengths, A = (H + G)⁻¹; M takes the
    /// mean away. By curvature the covariance is M A Mᵀ. By the scatter S of units it is M A S A Mᵀ, the sandwich of P. J.
    /// Huber (1967) and H. White (1982), with clusters as in K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986); with two
    /// bots this is the pentanomial error.
    pub(super) fn of(evidence: Evidence) -> Ratings {
        let groups = evidence.likelihood.groups();
        let all_players = vec![0; groups.len()];
        // With S = L Lᵀ the sandwich is (M A L)(M A L)ᵀ: kept as that root, small differences between players stay exact.
        // What one player of a group wins another one loses: what rounding left of that is taken away.
        let spread = &evidence.spread;
        let mut root_of_scatter = spread.scatter.clone().semidefinite_root();
        root_of_scatter.centre(&groups);
        let mut cluster_root = spread.inverse.times_transposed(&root_of_scatter.transposed());
        cluster_root.centre(&all_players);
        let mut fisher = spread.inverse.clone();
        fisher.centre(&all_players);
        fisher = fisher.transposed();
        fisher.centre(&all_players);
        let estimate = |(i, parameter): (usize, &f64)| {
            let fisher_error = ELO_PER_NAT * libm::sqrt(fisher.at(i, i).max(0.0));
            let cluster_error = unless_rounding(ELO_PER_NAT * cluster_root.row_length(i), fisher_error);
            Estimate { elo: ELO_PER_NAT * parameter, fisher_error, cluster_error }
        };
        let mut players: Vec<Estimate> = evidence.top.iter().enumerate().map(estimate).collect();
        let first_seat = players.split_off(groups.len()).pop();
        Ratings { players, first_seat, groups, cluster_root, evidence }
    }

    /// The same where results decided who met whom, as in a Swiss tournament: intervals are twice as wide.
    #[must_use]
    pub fn paired_by_results(mut self) -> Ratings {
        self.evidence.is_paired_by_results = true;
        self
    }

    /// The rating of each player.
    pub fn players(&self) -> &[Estimate] {
        &self.players
    }

    /// What sitting first is worth, where that was asked for.
    pub fn first_seat(&self) -> Option<Estimate> {
        self.first_seat
    }

    /// The group of each player, numbered from 0 in order of first member. Ratings compare players of one group;
    /// between groups, nobody ever met anybody, not even over others, and only the prior holds them side by side.
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// Whether two players can be compared: they met, directly or over others.
    pub fn comparable(&self, a: usize, b: usize) -> bool {
        self.groups[a] == self.groups[b]
    }

    /// The standard error of the difference between two ratings, by units; the ratings of one tournament are not
    /// independent, so this is not the sum of two errors.
    pub fn difference_error(&self, a: usize, b: usize) -> f64 {
        let error = ELO_PER_NAT * self.cluster_root.row_distance(a, b);
        unless_rounding(error, self.players[a].fisher_error + self.players[b].fisher_error)
    }

    /// The chance that `a` is stronger than `b` if units scattered as they did: Φ(difference / its standard error). Too bold
    /// with few units. Nothing for a player and himself, for players who cannot be compared, and where results do not
    /// scatter at all.
    pub fn cluster_superiority(&self, a: usize, b: usize) -> Option<f64> {
        let error = self.difference_error(a, b);
        let known = a != b && self.comparable(a, b) && error > 0.0;
        known.then(|| normal_cdf((self.players[a].elo - self.players[b].elo) / error))
    }

    /// The 95 % interval of a rating: the one to show. Nothing for somebody who has not played.
    pub fn interval(&self, player: usize) -> Option<Interval> {
        let is_in_group = |other: usize| self.comparable(player, other);
        let group = (0..self.players.len()).filter(|&other| is_in_group(other)).count();
        let mut contrast = self.nothing();
        for other in (0..self.players.len()).filter(|&other| is_in_group(other)) {
            contrast[other] = -1.0 / group as f64;
        }
        contrast[player] += 1.0;
        (group > 1).then(|| on_elo_scale(self.evidence.interval(&contrast)))
    }

    /// The 95 % interval of the difference between two ratings, and nothing where they cannot be compared.
    pub fn difference_interval(&self, a: usize, b: usize) -> Option<Interval> {
        Some(on_elo_scale(self.evidence.interval(&self.difference(a, b)?)))
    }

    /// The chance that `a` is stronger than `b`, above 97.5 % where the interval of their difference says so. Nothing for
    /// a player and himself, and for players who cannot be compared.
    pub fn superiority(&self, a: usize, b: usize) -> Option<f64> {
        Some(self.evidence.chance_above_zero(&self.difference(a, b)?))
    }

    fn difference(&self, a: usize, b: usize) -> Option<Vec<f64>> {
        let mut contrast = self.nothing();
        (contrast[a], contrast[b]) = (1.0, -1.0);
        (a != b && self.comparable(a, b)).then_some(contrast)
    }

    fn nothing(&self) -> Vec<f64> {
        vec![0.0; self.evidence.top.len()]
    }

    /// The log-likelihood of the results minus λ/2 Σ θ² of the prior, at these ratings.
    pub fn log_posterior(&self) -> f64 {
        self.evidence.value
    }
}

fn on_elo_scale(interval: Interval) -> Interval {
    Interval { low: ELO_PER_NAT * interval.low, high: ELO_PER_NAT * interval.high }
}

/// An error, or 0 where it is no more than what rounding leaves of 0 beside numbers of this size.
fn unless_rounding(error: f64, size: f64) -> f64 {
    if error <= 1e-12 * size { 0.0 } else { error }
}
