//! How ratings and a sequential test moved while games were played, at some moments: their number does not grow with the games.

use super::standings::ratings;
use super::tally::Tally;
use crate::record::schema::{Plan, SprtModel};
use crate::statistics::{EloModel, Interval, Sprt};

/// Moments that are kept at most; when there are more, every other one goes.
const MOST: usize = 48;
/// Players whose ratings are calculated again and again.
const MOST_PLAYERS: usize = 30;

#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// Games that had ended, in the order of the file.
    pub games: u32,
    /// Ratings by player; none for who had not played.
    pub ratings: Vec<Option<f64>>,
    /// Of two players, by how much the first is stronger, in Elo: the rating's difference and its 95 % interval.
    pub difference: Option<(f64, Interval)>,
    pub ratio: Option<f64>,
}

#[derive(Debug)]
pub(crate) struct OverTime {
    moments: Vec<Moment>,
    sprt: Option<Sprt>,
    /// The games from one moment to the next; 0 where nothing is kept.
    every: u32,
}

impl OverTime {
    pub(crate) fn new(plan: &Plan) -> OverTime {
        let sprt = plan.sprt.as_ref().and_then(|test| {
            let model = match test.model {
                SprtModel::Logistic => EloModel::Logistic,
                SprtModel::Normalized => EloModel::Normalized,
            };
            Sprt::new(model, test.elo0, test.elo1, test.alpha, test.beta).ok()
        });
        let every = if plan.players.len() <= MOST_PLAYERS { plan.seats } else { 0 };
        OverTime { moments: Vec::new(), sprt, every }
    }

    pub(crate) fn look(&mut self, tally: &Tally) {
        if self.every == 0 || !tally.games().is_multiple_of(self.every) {
            return;
        }
        self.note(tally);
        if self.moments.len() > MOST {
            let mut number = 0_usize;
            self.moments.retain(|_| {
                number += 1;
                number.is_multiple_of(2)
            });
            self.every *= 2;
        }
    }

    /// All moments, with the last game.
    pub(crate) fn end(mut self, tally: &Tally) -> Vec<Moment> {
        let is_last = self.moments.last().is_none_or(|last| last.games != tally.games());
        if self.every > 0 && tally.games() > 0 && is_last {
            self.note(tally);
        }
        self.moments
    }

    fn note(&mut self, tally: &Tally) {
        let Some(ratings) = ratings(tally) else { return };
        let has_played = |player: usize| tally.totals()[player].games > 0;
        let elo = |player: usize| has_played(player).then(|| ratings.players()[player].elo);
        let is_two = tally.totals().len() == 2;
        let difference = is_two.then(|| ratings.difference_interval(0, 1)).flatten();
        self.moments.push(Moment {
            games: tally.games(),
            ratings: (0..tally.totals().len()).map(elo).collect(),
            difference: difference
                .map(|interval| (ratings.players()[0].elo - ratings.players()[1].elo, interval)),
            ratio: self.sprt.zip(tally.pairs()).map(|(sprt, pairs)| sprt.log_likelihood_ratio(pairs)),
        });
    }
}
