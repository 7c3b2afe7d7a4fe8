//! Results of games, gathered by unit.

use std::collections::HashMap;
use thiserror::Error;

/// The largest number of players who may share one place: their orders are taken apart one subset at a time.
pub const MAX_TIED: usize = 12;

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

/// A game for any number of seats: places from the best to the last, each with everybody who shares it.
pub(super) type Ranking = Vec<Vec<usize>>;

/// Why these are no results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum ResultsError {
    #[error("there is no player {player}: players are numbered from 0, and there are {players}")]
    NoSuchPlayer { player: usize, players: usize },
    #[error("player {0} is listed twice in one game")]
    Twice(usize),
    #[error("{0} players share a place; at most {MAX_TIED} can")]
    TooManyTied(usize),
}

/// Games of one kind among some players, gathered by unit: equal units are counted, not stored again.
///
/// The memory taken grows with the number of different units (with two seats at most a dozen for each pair that met, when
/// units are pairs), not with the number of games. The order in which units come makes no difference to anything.
#[derive(Clone, Debug)]
pub struct Units<G> {
    players: usize,
    /// Each unit as its games, in ascending order.
    units: HashMap<Vec<G>, u64>,
    scratch: Vec<G>,
}

/// Games for two.
pub type TwoSeatUnits = Units<TwoSeatGame>;
/// Games for any number of seats.
pub type RankedUnits = Units<Ranking>;

/// A game as it is gathered.
pub trait Gathered: Clone + Ord + std::hash::Hash {
    /// The game as all equal ones are kept, if it is one among so many players.
    ///
    /// # Errors
    /// What is wrong with it.
    fn checked(&self, players: usize) -> Result<Self, ResultsError>;
}

impl<G: Gathered> Units<G> {
    /// No game yet among this many players.
    pub fn new(players: usize) -> Units<G> {
        Units { players, units: HashMap::new(), scratch: Vec::new() }
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
    /// A player that does not exist or stands twice in one game, or more than [`MAX_TIED`] on one place; then nothing
    /// is added.
    pub fn add(&mut self, unit: &[G]) -> Result<(), ResultsError> {
        self.add_equal(unit, 1)
    }

    /// Adds so many units with these games.
    pub(super) fn add_equal(&mut self, unit: &[G], count: u64) -> Result<(), ResultsError> {
        self.scratch.clear();
        for game in unit {
            self.scratch.push(game.checked(self.players)?);
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
    pub(super) fn sorted(&self) -> Vec<(Vec<G>, u64)> {
        let mut units: Vec<_> = self.units.iter().map(|(unit, &count)| (unit.clone(), count)).collect();
        units.sort_unstable();
        units
    }
}

impl Gathered for TwoSeatGame {
    fn checked(&self, players: usize) -> Result<TwoSeatGame, ResultsError> {
        all_there([self.first, self.second], players)?;
        if self.first == self.second { Err(ResultsError::Twice(self.first)) } else { Ok(*self) }
    }
}

impl Gathered for Ranking {
    fn checked(&self, players: usize) -> Result<Ranking, ResultsError> {
        let mut ranking = self.clone();
        ranking.retain(|place| !place.is_empty());
        ranking.iter_mut().for_each(|place| place.sort_unstable());
        if let Some(place) = ranking.iter().find(|place| place.len() > MAX_TIED) {
            return Err(ResultsError::TooManyTied(place.len()));
        }
        let mut seated = self.concat();
        all_there(seated.iter().copied(), players)?;
        seated.sort_unstable();
        match seated.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(ResultsError::Twice(pair[0])),
            None => Ok(ranking),
        }
    }
}

fn all_there(seated: impl IntoIterator<Item = usize>, players: usize) -> Result<(), ResultsError> {
    match seated.into_iter().find(|player| *player >= players) {
        Some(player) => Err(ResultsError::NoSuchPlayer { player, players }),
        None => Ok(()),
    }
}
