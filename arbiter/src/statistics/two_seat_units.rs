//! Results of games for two, gathered by unit.

use std::collections::HashMap;
use thiserror::Error;

/// A share of a game's point: 0 for a loss, ½ for a draw, 1 for a win, or anything between. It is kept as its bits, whose order
/// is that of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score(u64);

impl Score {
    /// Nothing.
    pub const LOSS: Score = Score(0.0_f64.to_bits());
    /// Half of the point.
    pub const DRAW: Score = Score(0.5_f64.to_bits());
    /// The whole point.
    pub const WIN: Score = Score(1.0_f64.to_bits());

    /// A score, if it lies between 0 and 1.
    pub fn new(value: f64) -> Option<Score> {
        // Adding 0 turns −0 into 0.
        (0.0..=1.0).contains(&value).then_some(Score((value + 0.0).to_bits()))
    }

    /// The number.
    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// One game for two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TwoSeatGame {
    /// Who moved first, from 0.
    pub first: usize,
    /// Who moved second, from 0.
    pub second: usize,
    /// What the first one got.
    pub score: Score,
}

/// Why these are no results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum ResultsError {
    #[error("there is no player {player}: players are numbered from 0, and there are {players}")]
    NoSuchPlayer { player: usize, players: usize },
    #[error("player {0} is listed twice in one game")]
    Twice(usize),
    #[error("{0} players share a place; at most {max} can", max = super::MAX_TIED)]
    TooManyTied(usize),
}

/// Games for two among some players, gathered by unit: equal units are counted, not stored again.
///
/// The memory taken grows with the number of different units (at most a dozen for each pair that met, when units are
/// pairs), not with the number of games. The order in which units come makes no difference to anything.
#[derive(Clone, Debug)]
pub struct TwoSeatUnits {
    players: usize,
    units: HashMap<Vec<TwoSeatGame>, u64>,
    scratch: Vec<TwoSeatGame>,
}

impl TwoSeatUnits {
    /// No game yet among this many players.
    pub fn new(players: usize) -> TwoSeatUnits {
        TwoSeatUnits { players, units: HashMap::new(), scratch: Vec::new() }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// There are so many players now.
    pub fn grow(&mut self, players: usize) {
        self.players = self.players.max(players);
    }

    /// Adds the games of one unit, in any order.
    ///
    /// # Errors
    /// A player that does not exist, or that plays against himself; then nothing is added.
    pub fn add(&mut self, unit: &[TwoSeatGame]) -> Result<(), ResultsError> {
        self.add_equal(unit, 1)
    }

    /// Adds so many units with these games.
    pub(super) fn add_equal(&mut self, unit: &[TwoSeatGame], count: u64) -> Result<(), ResultsError> {
        self.scratch.clear();
        for game in unit {
            if let Some(&player) = [game.first, game.second].iter().find(|&&player| player >= self.players) {
                return Err(ResultsError::NoSuchPlayer { player, players: self.players });
            }
            if game.first == game.second {
                return Err(ResultsError::Twice(game.first));
            }
            self.scratch.push(*game);
        }
        self.scratch.sort_unstable();
        match self.units.get_mut(&self.scratch[..]) {
            Some(known) => *known += count,
            None => {
                self.units.insert(self.scratch.clone(), count);
            }
        }
        Ok(())
    }

    /// Every different unit with its number, in an order that depends on nothing else.
    pub(super) fn sorted(&self) -> Vec<(Vec<TwoSeatGame>, u64)> {
        let mut units: Vec<_> = self.units.iter().map(|(unit, &count)| (unit.clone(), count)).collect();
        units.sort_unstable();
        units
    }
}
