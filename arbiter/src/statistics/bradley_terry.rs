//! Strengths of players from games for two.

use super::fit::{Likelihood, UnitSlope, fit};
use super::matrix::Matrix;
use super::ratings::{RatingError, Ratings};
use super::two_seat_units::{TwoSeatGame, TwoSeatUnits};
use super::unique::{FirstSeatPoints, all_bounded, first_seat_runs_away, groups};
use std::collections::BTreeMap;

/// Whether sitting first is given a value of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstSeatTerm {
    /// Seats count alike. With pairs, seats cancel out of the ratings anyway.
    Absent,
    /// One number for all, estimated without a prior.
    Fitted,
}

/// Rates players by the model of Bradley and Terry.
///
/// R. A. Bradley and M. E. Terry, Biometrika 39 (1952); first E. Zermelo, Math. Z. 29 (1929). The first of two players
/// wins with chance 1/(1 + e^−(θ₁ − θ₂ + γ)); a draw counts as half a win and half a loss. The ratings maximise the
/// log-likelihood minus `prior`/2 Σ θ², a Gaussian prior; 0.1 is weak and makes 10–0 a number, 0 is maximum likelihood.
/// γ, the value of the first seat, has no prior (R. R. Davidson and R. J. Beaver, Biometrics 33 (1977)).
///
/// # Errors
/// No players, a bad prior, or results without a single finite maximum: without a prior, or for the first seat.
pub fn bradley_terry(
    units: &TwoSeatUnits,
    prior: f64,
    first_seat: FirstSeatTerm,
) -> Result<Ratings, RatingError> {
    if units.players() == 0 {
        return Err(RatingError::NoPlayers);
    }
    if !(prior >= 0.0 && prior.is_finite()) {
        return Err(RatingError::BadPrior);
    }
    let results = Results::of(units, first_seat);
    results.check_bounded(prior)?;
    let fitted = fit(&results, prior)?;
    Ok(Ratings::new(fitted, Box::new(results), prior))
}

/// All games of two players with the same one sitting first.
#[derive(Debug)]
struct Meeting {
    first: usize,
    second: usize,
    games: f64,
    points: f64,
}

#[derive(Debug)]
struct Results {
    players: usize,
    first_seat: FirstSeatTerm,
    meetings: Vec<Meeting>,
    units: Vec<(Vec<TwoSeatGame>, u64)>,
}

impl Results {
    fn of(units: &TwoSeatUnits, first_seat: FirstSeatTerm) -> Results {
        let sorted = units.sorted();
        let mut meetings: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
        for (games, count) in &sorted {
            for game in games {
                let (games, points) = meetings.entry((game.first, game.second)).or_default();
                *games += *count as f64;
                *points += *count as f64 * game.score.value();
            }
        }
        let meeting = |((first, second), (games, points))| Meeting { first, second, games, points };
        Results {
            players: units.players(),
            first_seat,
            meetings: meetings.into_iter().map(meeting).collect(),
            units: sorted,
        }
    }

    fn check_bounded(&self, prior: f64) -> Result<(), RatingError> {
        let made = |meeting: &Meeting| FirstSeatPoints {
            first: meeting.first,
            second: meeting.second,
            first_made: meeting.points > 0.0,
            second_made: meeting.points < meeting.games,
        };
        let points: Vec<FirstSeatPoints> = self.meetings.iter().map(made).collect();
        if self.first_seat == FirstSeatTerm::Fitted && self.first_seat_unbounded(&points, prior) {
            return Err(RatingError::FirstSeatUnbounded);
        }
        if prior == 0.0 {
            let mut arcs = Vec::new();
            for game in &points {
                arcs.extend(game.first_made.then_some((game.first, game.second)));
                arcs.extend(game.second_made.then_some((game.second, game.first)));
            }
            if !all_bounded(self.players, &arcs) {
                return Err(RatingError::Unbounded);
            }
        }
        Ok(())
    }

    /// With a prior, strengths stay where they are and only the seat can run away.
    fn first_seat_unbounded(&self, points: &[FirstSeatPoints], prior: f64) -> bool {
        if prior > 0.0 {
            return !points.iter().any(|game| game.first_made) || !points.iter().any(|game| game.second_made);
        }
        [1, -1].into_iter().any(|gain| first_seat_runs_away(self.players, points, gain))
    }

    /// The log-odds of the first player.
    fn log_odds(&self, at: &[f64], first: usize, second: usize) -> f64 {
        at[first] - at[second] + at.get(self.players).copied().unwrap_or(0.0)
    }
}

/// The chance that belongs to these log-odds.
fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-log_odds))
}

impl Likelihood for Results {
    fn players(&self) -> usize {
        self.players
    }

    fn parameters(&self) -> usize {
        self.players + usize::from(self.first_seat == FirstSeatTerm::Fitted)
    }

    fn value(&self, at: &[f64]) -> f64 {
        let one = |meeting: &Meeting| {
            let log_odds = self.log_odds(at, meeting.first, meeting.second);
            // ln p and ln (1 − p) differ by the log-odds; the smaller of the two is the one that keeps its digits.
            let log_losing_side = -libm::log1p(libm::exp(-log_odds.abs())) - log_odds.abs();
            let favourite = if log_odds >= 0.0 { meeting.points } else { meeting.games - meeting.points };
            favourite * log_odds.abs() + meeting.games * log_losing_side
        };
        self.meetings.iter().map(one).sum()
    }

    fn add_slope(&self, at: &[f64], gradient: &mut [f64], curvature: &mut Matrix) {
        for &Meeting { first, second, games, points } in &self.meetings {
            let log_odds = self.log_odds(at, first, second);
            let (won, lost) = (chance(log_odds), chance(-log_odds));
            let surplus = points * lost - (games - points) * won;
            let weight = games * won * lost;
            let mut signs = vec![(first, 1.0), (second, -1.0)];
            signs.extend((gradient.len() > self.players).then_some((self.players, 1.0)));
            for &(row, sign) in &signs {
                gradient[row] += sign * surplus;
                for &(column, other) in &signs {
                    curvature.add(row, column, sign * other * weight);
                }
            }
        }
    }

    fn groups(&self) -> Vec<usize> {
        let met: Vec<(usize, usize)> =
            self.meetings.iter().map(|meeting| (meeting.first, meeting.second)).collect();
        groups(self.players, &met)
    }

    fn for_each_unit(&self, at: &[f64], visit: &mut dyn FnMut(u64, &UnitSlope)) {
        let seat = (at.len() > self.players).then_some(self.players);
        for (games, count) in &self.units {
            let seated = games.iter().flat_map(|game| [game.first, game.second]);
            let mut unit = UnitSlope::of(seated.chain(seat));
            for game in games {
                let log_odds = self.log_odds(at, game.first, game.second);
                let (won, lost) = (chance(log_odds), chance(-log_odds));
                let score = game.score.value();
                let signs =
                    [(game.first, 1.0), (game.second, -1.0)].into_iter().chain(seat.map(|seat| (seat, 1.0)));
                for (row, sign) in signs.clone() {
                    unit.add_slope(row, sign * (score * lost - (1.0 - score) * won));
                    for (column, other) in signs.clone() {
                        unit.add_curvature(row, column, sign * other * won * lost);
                    }
                }
            }
            visit(*count, &unit);
        }
    }
}
