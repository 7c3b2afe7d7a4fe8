//! Random openings: a few plies that tell games apart and decide nothing.

use super::seed::MatchSeed;
use arbiter_rules::{ChanceSource, Move, MoveList, Position, Random, Seat, SeatResult};
use std::collections::HashSet;

/// Drawings in a row that bring nothing new, after which openings repeat themselves: small games have few.
const TRIES_FOR_A_NEW_ONE: u32 = 200;

/// Drawings after which there is no opening of this length that decides nothing.
const TRIES: u32 = 2_000;

/// The openings of a match, by unit of play. Each is drawn from the seed of its unit and differs from all before it,
/// turned and mirrored ones too, as long as that is possible.
#[derive(Debug)]
pub struct Openings {
    seed: MatchSeed,
    plies: u32,
    start: Box<dyn Position>,
    known: Vec<Vec<Move>>,
    seen: HashSet<u128>,
    /// Whether a search for a new opening has been given up.
    is_used_up: bool,
}

/// There is no opening of the wanted length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no opening of {plies} random plies leaves the game open")]
pub struct OpeningsError {
    /// The wanted length.
    pub plies: u32,
}

impl Openings {
    /// The most random plies that make an opening and not a game.
    pub const LONGEST: u32 = 200;

    /// Openings of so many random plies; 0 for none.
    #[must_use]
    pub fn new(seed: &MatchSeed, start: &dyn Position, plies: u32) -> Openings {
        Openings {
            seed: seed.clone(),
            plies,
            start: start.copy(),
            known: Vec::new(),
            seen: HashSet::new(),
            is_used_up: false,
        }
    }

    /// The opening of a unit.
    ///
    /// # Errors
    /// When random plies of this length always decide the game.
    pub fn of_unit(&mut self, unit: u32) -> Result<Vec<Move>, OpeningsError> {
        while self.known.len() <= unit as usize {
            let opening = self.draw(self.known.len() as u32)?;
            self.known.push(opening);
        }
        Ok(self.known[unit as usize].clone())
    }

    fn draw(&mut self, unit: u32) -> Result<Vec<Move>, OpeningsError> {
        if self.plies == 0 {
            return Ok(Vec::new());
        }
        let mut random = Random::new(self.seed.opening(unit));
        for attempt in 0..TRIES {
            let Some((opening, position)) = self.random_plies(&mut random, unit) else { continue };
            self.is_used_up |= attempt >= TRIES_FOR_A_NEW_ONE;
            if self.is_used_up || self.seen.insert(position.symmetric_key()) {
                return Ok(opening);
            }
        }
        Err(OpeningsError { plies: self.plies })
    }

    /// One drawing, or `None` if it ends the game or lets the next seat end it at once.
    fn random_plies(&self, random: &mut Random, unit: u32) -> Option<(Vec<Move>, Box<dyn Position>)> {
        let mut position = self.start.copy();
        let chance = ChanceSource::GameSeed(self.seed.chance(unit));
        let mut opening = Vec::new();
        for _ in 0..self.plies {
            let m = position.nth_legal(random.below(position.legal_count()));
            let fallen = position.draw_chance(m, chance);
            position.play(m, &fallen).expect("it is from the legal list");
            opening.push(m);
            if position.end().is_some() {
                return None;
            }
        }
        (!can_win_at_once(&*position)).then_some((opening, position))
    }
}

fn can_win_at_once(position: &dyn Position) -> bool {
    let Some(mover) = position.to_move() else { return false };
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut after = position.copy();
    moves.iter().any(|&m| wins(&mut *after, m, mover))
}

fn wins(position: &mut dyn Position, m: Move, mover: Seat) -> bool {
    position.play(m, &arbiter_rules::Chance::NONE).expect("it is from the legal list");
    let is_win = position.end().is_some_and(|end| end.outcome.of(mover) == SeatResult::Win);
    position.undo();
    is_win
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Setup, registry};
    use std::time::{Duration, Instant};

    #[test]
    fn a_game_with_few_openings_repeats_them_without_a_long_search() {
        let start = registry::start("tic-tac-toe", &Setup::default()).unwrap();
        let mut openings = Openings::new(&MatchSeed::new("few"), &*start, 2);
        let begun = Instant::now();
        let drawn: Vec<_> = (0..20_000).map(|unit| openings.of_unit(unit).unwrap()).collect();
        assert!(begun.elapsed() < Duration::from_secs(20), "200 drawings for each would take minutes");
        let mut again = Openings::new(&MatchSeed::new("few"), &*start, 2);
        assert_eq!(again.of_unit(19_999).unwrap(), drawn[19_999], "openings do not depend on who asks when");
        let first: HashSet<_> = drawn[..12].iter().collect();
        assert_eq!(first.len(), 12, "two plies can be played in twelve ways up to symmetry");
    }
}
