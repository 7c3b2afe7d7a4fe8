//! Results of games for any number of seats, gathered by unit.

use super::two_seat_units::ResultsError;
use std::collections::HashMap;

/// The largest number of players who may share one place: their orders are taken apart one subset at a time.
pub const MAX_TIED: usize = 12;

/// Rankings among some players, gathered by unit: equal units are counted, not stored again.
///
/// The order in which units come makes no difference to anything.
#[derive(Clone, Debug)]
pub struct RankedUnits {
    players: usize,
    /// Each unit as its rankings, in ascending order.
    units: HashMap<Vec<Ranking>, u64>,
}

/// Places from the best to the last, each with everybody who shares it in ascending order.
pub(super) type Ranking = Vec<Vec<usize>>;

impl RankedUnits {
    /// No game yet among this many players.
    pub fn new(players: usize) -> RankedUnits {
        RankedUnits { players, units: HashMap::new() }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// There are so many players now.
    pub fn grow(&mut self, players: usize) {
        self.players = self.players.max(players);
    }

    /// Adds the games of one unit, in any order: of each, the places from the best to the last, with everybody who
    /// shares that place.
    ///
    /// # Errors
    /// A player that does not exist or stands twice in one game, or more than [`MAX_TIED`] on one place; then nothing
    /// is added.
    pub fn add(&mut self, unit: &[Vec<Vec<usize>>]) -> Result<(), ResultsError> {
        let mut rankings = unit.iter().map(|game| self.ranking(game)).collect::<Result<Vec<_>, _>>()?;
        rankings.sort_unstable();
        *self.units.entry(rankings).or_default() += 1;
        Ok(())
    }

    fn ranking(&self, game: &[Vec<usize>]) -> Result<Ranking, ResultsError> {
        let mut ranking = game.to_vec();
        ranking.retain(|place| !place.is_empty());
        ranking.iter_mut().for_each(|place| place.sort_unstable());
        if let Some(place) = ranking.iter().find(|place| place.len() > MAX_TIED) {
            return Err(ResultsError::TooManyTied(place.len()));
        }
        let mut seated: Vec<usize> = game.iter().flatten().copied().collect();
        if let Some(&player) = seated.iter().find(|player| **player >= self.players) {
            return Err(ResultsError::NoSuchPlayer { player, players: self.players });
        }
        seated.sort_unstable();
        match seated.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(ResultsError::Twice(pair[0])),
            None => Ok(ranking),
        }
    }

    /// Every different unit with its number, in an order that depends on nothing else.
    pub(super) fn sorted(&self) -> Vec<(Vec<Ranking>, u64)> {
        let mut units: Vec<_> = self.units.iter().map(|(unit, &count)| (unit.clone(), count)).collect();
        units.sort_unstable();
        units
    }
}
