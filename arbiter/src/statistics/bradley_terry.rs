//! Strengths of players from games for two.

use super::fit::{Likelihood, Slope, fit};
use super::ratings::{RatingError, Ratings};
use super::unique::{all_bounded, groups};
use super::units::{TwoSeatGame, TwoSeatUnits};
use std::collections::BTreeMap;

/// Whether sitting first is given a value of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstSeatTerm {
    /// Seats count alike. Pairs give nobody an advantage by them; where they decide many games, scores and so ratings lie closer together.
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
    fit(Results::of(units, first_seat), prior)
}

/// All games of two players with the same one sitting first.
#[derive(Debug)]
struct Meeting {
    first: usize,
    second: usize,
    games: f64,
    points: f64,
}

impl Meeting {
    /// Whether the first player made at least a part of a point.
    fn first_made(&self) -> bool {
        self.points > 0.0
    }

    fn second_made(&self) -> bool {
        self.points < self.games
    }
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

    /// Whether the advantage of the first seat has no single best value. With a prior, strengths stay where they are and
    /// only the seat can run away.
    fn first_seat_unbounded(&self, prior: f64) -> bool {
        if prior > 0.0 {
            return !self.meetings.iter().any(Meeting::first_made)
                || !self.meetings.iter().any(Meeting::second_made);
        }
        [1, -1].into_iter().any(|gain| self.first_seat_runs_away(gain))
    }

    /// Whether a shift of all strengths explains every result at least as well while the first seat gains (`gain` 1) or
    /// loses (−1). The question is one of difference constraints, answered by the Bellman–Ford method.
    fn first_seat_runs_away(&self, gain: i64) -> bool {
        let mut potential = vec![0i64; self.players];
        for _ in 0..=self.players {
            let mut changed = false;
            for meeting in &self.meetings {
                let (first, second) = (meeting.first, meeting.second);
                // A win must not become less likely: θ first − θ second + gain ≥ 0, and the other way for a loss.
                if meeting.first_made() && potential[second] > potential[first] + gain {
                    potential[second] = potential[first] + gain;
                    changed = true;
                }
                if meeting.second_made() && potential[first] > potential[second] - gain {
                    potential[first] = potential[second] - gain;
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    fn add_meeting(&self, meeting: &Meeting, at: &[f64], slope: &mut Slope) {
        let &Meeting { first, second, games, points } = meeting;
        let log_odds = self.log_odds(at, first, second);
        let (won, lost) = (chance(log_odds), chance(-log_odds));
        let surplus = points * lost - (games - points) * won;
        let weight = games * won * lost;
        let seat = self.seat().map_or(0, |seat| slope.place(seat));
        let signs = [(slope.place(first), 1.0), (slope.place(second), -1.0), (seat, 1.0)];
        let signs = &signs[..2 + usize::from(self.seat().is_some())];
        for &(row, sign) in signs {
            slope.gradient[row] += sign * surplus;
            for &(column, other) in signs {
                slope.curvature.add(row, column, sign * other * weight);
            }
        }
    }

    /// The parameter of the first seat, where it has one.
    fn seat(&self) -> Option<usize> {
        (self.first_seat == FirstSeatTerm::Fitted).then_some(self.players)
    }

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
        self.players + usize::from(self.seat().is_some())
    }

    fn check_bounded(&self, prior: f64) -> Result<(), RatingError> {
        if self.seat().is_some() && self.first_seat_unbounded(prior) {
            return Err(RatingError::FirstSeatUnbounded);
        }
        if prior == 0.0 {
            let mut arcs = Vec::new();
            for meeting in &self.meetings {
                arcs.extend(meeting.first_made().then_some((meeting.first, meeting.second)));
                arcs.extend(meeting.second_made().then_some((meeting.second, meeting.first)));
            }
            if !all_bounded(self.players, &arcs) {
                return Err(RatingError::Unbounded);
            }
        }
        Ok(())
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

    fn add_slope(&self, at: &[f64], slope: &mut Slope) {
        self.meetings.iter().for_each(|meeting| self.add_meeting(meeting, at, slope));
    }

    fn groups(&self) -> Vec<usize> {
        let met: Vec<(usize, usize)> =
            self.meetings.iter().map(|meeting| (meeting.first, meeting.second)).collect();
        groups(self.players, &met)
    }

    fn for_each_unit(&self, at: &[f64], visit: &mut dyn FnMut(u64, &Slope)) {
        for (games, count) in &self.units {
            let seated = games.iter().flat_map(|game| [game.first, game.second]);
            let mut unit = Slope::of(seated.chain(self.seat()));
            for &TwoSeatGame { first, second, score } in games {
                let meeting = Meeting { first, second, games: 1.0, points: score.value() };
                self.add_meeting(&meeting, at, &mut unit);
            }
            visit(*count, &unit);
        }
    }
}
