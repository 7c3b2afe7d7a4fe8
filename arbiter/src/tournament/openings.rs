//! Random openings: a few plies that tell games apart and decide nothing.

use super::seed::MatchSeed;
use arbiter_rules::{ChanceSource, Move, MoveList, Position, Random, Seat, SeatResult};
use std::collections::HashSet;

/// Drawings after which an opening may be one that was there before: small games have few.
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
}

/// There is no opening of the wanted length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no opening of {plies} random plies leaves the game open")]
pub struct OpeningsError {
    /// The wanted length.
    pub plies: u32,
}

impl Openings {
    /// Openings of so many random plies; 0 for none.
    #[must_use]
    pub fn new(seed: &MatchSeed, start: &dyn Position, plies: u32) -> Openings {
        Openings { seed: seed.clone(), plies, start: start.copy(), known: Vec::new(), seen: HashSet::new() }
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
        let mut random = Random::new(self.seed.opening(unit));
        for attempt in 0..TRIES {
            let Some((opening, position)) = self.random_plies(&mut random, unit) else { continue };
            let is_new = self.seen.insert(position.symmetric_key());
            if is_new || attempt >= TRIES_FOR_A_NEW_ONE || self.plies == 0 {
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
        (self.plies == 0 || !can_win_at_once(&*position)).then_some((opening, position))
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
