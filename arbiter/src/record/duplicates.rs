//! Games that repeat others move by move: deterministic bots do, and nothing new is learnt from them.

use super::schema::{GameRecord, MatchReport};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The games that repeat another one, among the [first](MOST_COMPARED).
#[derive(Clone, Debug, Default)]
pub struct Duplicates {
    /// Fingerprints, with the numbers of their games.
    games: Vec<(u64, u32)>,
}

/// The last game that is compared with others, so that memory does not grow with the number of games. Which games are
/// compared depends on their numbers alone: parts of a match say the same as the whole.
pub const MOST_COMPARED: u32 = 1_000_000;

impl Duplicates {
    /// Those among these games.
    pub fn of(games: &[GameRecord]) -> Duplicates {
        let mut duplicates = Duplicates::default();
        games.iter().for_each(|game| duplicates.add(game));
        duplicates
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        if game.number <= MOST_COMPARED {
            self.games.push((fingerprint(game), game.number));
        }
    }

    /// Groups of equal games, by their first number.
    pub fn groups(mut self) -> Vec<Vec<u32>> {
        self.games.sort_unstable();
        let equal = self.games.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1);
        let mut groups: Vec<Vec<u32>> =
            equal.map(|equal| equal.iter().map(|game| game.1).collect()).collect();
        groups.sort_unstable();
        groups
    }
}

/// Equal for games with the same moves between the same players, in whatever seats.
fn fingerprint(game: &GameRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut players: Vec<u32> = game.seats.iter().map(|seat| seat.player).collect();
    players.sort_unstable();
    (players, &game.position).hash(&mut hasher);
    let mut moves = Vec::with_capacity(8 * game.plies.len());
    for (number, ply) in game.plies.iter().enumerate() {
        moves.extend_from_slice(ply.played.as_bytes());
        moves.push(0xff);
        if let Some(earthquake) = &ply.earthquake {
            (number, earthquake).hash(&mut hasher);
        }
    }
    (moves, &game.ending.reason).hash(&mut hasher);
    hasher.finish()
}

impl MatchReport {
    /// Games that repeat an earlier one.
    pub fn repeated(&self) -> u32 {
        self.duplicates.iter().map(|group| group.len().saturating_sub(1) as u32).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read;

    /// A course that runs for weeks would otherwise fill the memory, or two parts of it disagree with the whole.
    #[test]
    fn games_beyond_the_first_million_are_not_compared_in_whatever_order_they_come() {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/samples/tic-tac-toe.json");
        let game = read(sample.as_ref()).unwrap().games.remove(0);
        let equal = [MOST_COMPARED + 1, 7, MOST_COMPARED, 3];
        let games = equal.map(|number| GameRecord { number, ..game.clone() });
        assert_eq!(Duplicates::of(&games).groups(), [[3, 7, MOST_COMPARED]]);
    }
}
