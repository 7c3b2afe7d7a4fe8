//! How two bots did against each other.

use super::bradley_terry::{FirstSeatTerm, bradley_terry};
use super::counts::Counts;
use super::interval::Interval;
use super::likelihood::{Mean, loss_at_mean};
use super::ratings::WEAK_PRIOR;
use super::scale::{ELO_PER_NAT, Z95, elo_of_shares, log_ratio, normal_cdf};
use super::units::{Score, TwoSeatGame, TwoSeatUnits};

/// What is known about the first of two bots from their units.
///
/// Of the three intervals, `interval` is the one to show. The *normal* one is what people are used to: score ± 1.96 standard
/// errors of the units, carried over to the Elo scale; it claims 95 % and falls far short of them when units are few or
/// scores lopsided. The *profile-likelihood* one holds every mean score that some distribution of results explains well
/// enough (Owen 1988: a loss of log-likelihood of at most z²/2), which is too narrow only when units are few.
#[derive(Clone, Debug, PartialEq)]
pub struct EloSummary {
    /// Share of the points, 0 to 1.
    pub score: f64,
    /// Variance of a unit's share of its points.
    pub unit_variance: f64,
    /// Standard error of the score.
    pub score_error: f64,
    /// Difference in Elo that makes this score likely; infinite at 0 % and 100 %.
    pub elo: f64,
    /// Normal 95 % interval of the Elo difference.
    pub elo_interval: Interval,
    /// Half the width of that interval, where it is finite.
    pub elo_margin: Option<f64>,
    /// Chance that the first bot is the stronger one; unknown when all units ended alike.
    pub superiority: Option<f64>,
    /// Normalised Elo: the distance of the score from ½ in standard deviations of one game, times 800/ln 10 (M. Van den
    /// Bergh, "Normalized Elo", 2020); it does not depend on how many games are drawn. Unknown when all units ended alike.
    pub normalized_elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub normalized_elo_margin: Option<f64>,
    /// Profile-likelihood 95 % interval of the score.
    pub profile_score: Interval,
    /// Profile-likelihood 95 % interval of the Elo difference.
    pub profile_elo: Interval,
    /// The 95 % interval of the Elo difference that standings show ([`super::Ratings::difference_interval`]), where it was found.
    pub interval: Option<Interval>,
}

impl EloSummary {
    /// Sums up counted units; nothing without any.
    pub fn of(counts: &Counts) -> Option<EloSummary> {
        let units = counts.units();
        if units == 0 {
            return None;
        }
        let games = units * counts.games_per_unit();
        let (made, lost, unit_variance) = moments(counts);
        let score = made / (made + lost);
        let score_error = libm::sqrt(unit_variance / units as f64);
        // Shares of both bots side by side: close to 100 % the smaller one keeps its digits.
        let elo_at = |shift: f64| elo_of_shares(score + shift, lost / (made + lost) - shift);
        let elo_interval = Interval { low: elo_at(-Z95 * score_error), high: elo_at(Z95 * score_error) };
        let margin = (elo_interval.high - elo_interval.low) / 2.0;
        let varied = unit_variance > 0.0;
        let game_deviation = libm::sqrt(unit_variance * counts.games_per_unit() as f64);
        let (profile_score, profile_elo) = profile_intervals(counts);
        Some(EloSummary {
            score,
            unit_variance,
            score_error,
            elo: elo_of_shares(made, lost),
            elo_interval,
            elo_margin: margin.is_finite().then_some(margin),
            superiority: varied.then(|| normal_cdf((score - 0.5) / score_error)),
            normalized_elo: varied.then(|| (score - 0.5) / game_deviation * 2.0 * ELO_PER_NAT),
            normalized_elo_margin: varied.then(|| Z95 / libm::sqrt(games as f64) * 2.0 * ELO_PER_NAT),
            profile_score,
            profile_elo,
            interval: interval(counts),
        })
    }
}

/// The interval of tournaments: only the points of a unit matter there, so its games may share them equally.
fn interval(counts: &Counts) -> Option<Interval> {
    let mut units = TwoSeatUnits::new(2);
    for (cell, &count) in counts.cells().iter().enumerate().filter(|(_, count)| **count > 0) {
        let score = Score::new(cell as f64 / counts.half_points_per_unit() as f64)?;
        let game = TwoSeatGame { first: 0, second: 1, score };
        units.add_equal(&vec![game; counts.games_per_unit() as usize], count).ok()?;
    }
    bradley_terry(&units, WEAK_PRIOR, FirstSeatTerm::Absent).ok()?.difference_interval(0, 1)
}

/// Half points made and lost, and the variance between units, from whole numbers: nothing is rounded on the way.
fn moments(counts: &Counts) -> (f64, f64, f64) {
    let last = u128::from(counts.half_points_per_unit());
    let units = u128::from(counts.units());
    let cells = || (0u128..).zip(counts.cells().iter().map(|&count| u128::from(count)));
    let made: u128 = cells().map(|(points, count)| points * count).sum();
    let squares: u128 = cells().map(|(points, count)| points * points * count).sum();
    let spread = units * squares - made * made;
    let scale = (units * last) as f64;
    (made as f64, (units * last - made) as f64, spread as f64 / scale / scale)
}

/// The means whose loss of log-likelihood is at most z²/2, as scores and as Elo.
fn profile_intervals(counts: &Counts) -> (Interval, Interval) {
    let mut weights: Vec<f64> = counts.cells().iter().map(|&count| count as f64).collect();
    let low = lowest_logit(&weights);
    weights.reverse();
    let high = -lowest_logit(&weights);
    let score = |logit: f64| Mean::of_logit(logit).value();
    (
        Interval { low: score(low), high: score(high) },
        Interval { low: low * ELO_PER_NAT, high: high * ELO_PER_NAT },
    )
}

/// The log-odds of the smallest mean score that is still likely enough; −∞ for a bot that made no point.
fn lowest_logit(weights: &[f64]) -> f64 {
    let last = weights.len() as f64 - 1.0;
    let made: f64 = weights.iter().enumerate().map(|(points, weight)| points as f64 * weight).sum();
    let lost = last * weights.iter().sum::<f64>() - made;
    if made == 0.0 {
        return f64::NEG_INFINITY;
    }
    let too_unlikely = |logit: f64| loss_at_mean(weights, Mean::of_logit(logit)) > Z95 * Z95 / 2.0;
    let middle = if lost == 0.0 { 0.0 } else { log_ratio(made, lost) };
    let (mut outside, mut inside) = (middle, middle);
    let mut step = 1.0;
    while !too_unlikely(outside) {
        outside -= step;
        step *= 2.0;
    }
    step = 1.0;
    while too_unlikely(inside) {
        inside += step;
        step *= 2.0;
    }
    loop {
        let between = 0.5 * (outside + inside);
        if between <= outside || between >= inside {
            return between;
        }
        *(if too_unlikely(between) { &mut outside } else { &mut inside }) = between;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(counts: &[u64]) -> EloSummary {
        EloSummary::of(&Counts::new(counts).unwrap()).unwrap()
    }

    #[test]
    fn a_quadrillion_wins_do_not_lose_their_digits() {
        let many = summary(&[0, 0, 1 << 50]);
        // −ln of the bound is z²/2 divided by the number of wins.
        let odds = (many.profile_elo.low / ELO_PER_NAT).exp() * (Z95 * Z95 / 2.0) / (1u64 << 50) as f64;
        assert!((odds - 1.0).abs() < 1e-9, "{odds}");
    }
}
