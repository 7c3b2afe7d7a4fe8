//! Positions in which something happens: found by playing at random, the same ones every time.

use super::bench::{Bench, SEED, Sitting};
use arbiter_rules::{ChanceSource, Choice, GameInfo, Move, Position, Random, Seat, Setup, registry};

/// Random games that are looked through for something rare.
const GAMES: u64 = 2_000;

/// A way to a position, from a start.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) moves: Vec<Move>,
    /// Where chance came from.
    pub(super) seed: u64,
    pub(super) position: Position,
}

impl Way {
    /// The position that it leads to, without a past.
    pub(super) fn as_start(&self) -> Position {
        let text = self.position.text();
        self.position.read_position(&text).expect("positions are read as they are written")
    }
}

/// The usual start of a game with so many seats and options.
pub(super) fn start(info: &GameInfo, players: Option<usize>, options: &[(&str, &str)]) -> Position {
    registry::start(info.id, &Setup { players, options, position: None })
        .expect("the steps use what the games have")
}

/// So many random plies from a start, after which the game goes on; fewer where no game is so long.
pub(super) fn random_plies(start: &Position, plies: u32) -> Way {
    let mut lengths = (0..=plies).rev().flat_map(|plies| (0..50).map(move |number| (plies, number)));
    lengths
        .find_map(|(plies, number)| walk(start, SEED + number, |way| way.moves.len() as u32 == plies))
        .expect("a game that has begun goes on for no plies")
}

/// Ways to positions with something that is looked for, in different games.
pub(super) fn search<'a>(
    start: &'a Position,
    wanted: impl Fn(&Way) -> bool + Copy + 'a,
) -> impl Iterator<Item = Way> + 'a {
    (0..GAMES).filter_map(move |number| walk(start, SEED + number, wanted))
}

/// Plays at random until a position is wanted, or the game is over.
fn walk(start: &Position, seed: u64, wanted: impl Fn(&Way) -> bool) -> Option<Way> {
    let mut random = Random::new(seed);
    let mut way = Way { moves: Vec::new(), seed, position: start.clone() };
    while way.position.end().is_none() {
        if wanted(&way) {
            return Some(way);
        }
        let m = way.position.nth_legal(random.below(way.position.legal_count()));
        let chance = way.position.draw_chance(m, ChanceSource::GameSeed(seed));
        way.position.play(m, &chance).expect("it is from the legal list");
        way.moves.push(m);
    }
    None
}

impl Bench<'_> {
    /// A game that is opened by a way, with the bot in a seat.
    pub(super) fn after<'s>(&self, start: &'s Position, way: &Way, seat: Seat, plies: u32) -> Sitting<'s> {
        let sitting = self.sitting(start, seat, plies);
        let opening = way.moves.iter().copied().map(Choice::from).collect();
        Sitting { opening, seed: way.seed, ..sitting }
    }
}
