//! Openings: what is on the board before anybody is asked, the same for all games of a unit. Random ones are a few plies
//! that tell games apart and decide nothing.

use super::opening_list::OpeningList;
use super::schedule::Unit;
use super::seed::MatchSeed;
use arbiter_rules::{Chance, ChanceSource, Choice, Move, MoveList, Position, Random, SeatResult};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// After so many drawings in a row without a new opening, openings may repeat: small games have few.
const TRIES_FOR_A_NEW_ONE: u32 = 200;

/// After so many drawings that decided the game, it is assumed that every opening of this length does.
const TRIES: u32 = 2_000;

/// Openings that later ones are compared with. Beyond, an opening may come again, so that memory does not grow with the
/// number of games.
const MOST_COMPARED: usize = 100_000;

/// Openings that are kept for the games of units that are being played.
const KEPT: usize = 4_096;

/// How games are opened.
#[derive(Clone, Debug)]
pub enum Book {
    /// With the plan's position.
    None,
    /// With so many random plies.
    Random(u32),
    /// With the lines of a list, in turn: players who meet again get the next one.
    List(Arc<OpeningList>),
}

/// The opening of a unit.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The position before the moves, where it is not the plan's.
    pub elsewhere: Option<Arc<Position>>,
    /// Moves that are played before anybody is asked, by the paths that were given.
    pub moves: Vec<Choice>,
}

/// The openings of a match or tournament, by unit of play. Each random one is drawn from the seed of its unit and
/// differs from all before it, turned and mirrored ones too, as long as that is possible.
pub struct Openings {
    seed: MatchSeed,
    book: Book,
    start: Position,
    drawn: u32,
    latest: VecDeque<Vec<Move>>,
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

impl Opening {
    /// The position before the moves, of a game whose plan starts from this one.
    pub fn start<'a>(&'a self, plan: &'a Position) -> &'a Position {
        self.elsewhere.as_deref().unwrap_or(plan)
    }

    /// The text of the position before the moves, where it is not the plan's.
    pub fn position(&self) -> Option<String> {
        self.elsewhere.as_ref().map(|position| position.text())
    }
}

impl Openings {
    /// The most plies of a random opening.
    pub const LONGEST: u32 = 200;

    /// The openings of a book.
    pub fn new(seed: &MatchSeed, start: &Position, book: &Book) -> Openings {
        Openings {
            seed: seed.clone(),
            book: book.clone(),
            start: start.clone(),
            drawn: 0,
            latest: VecDeque::new(),
            seen: HashSet::new(),
            is_used_up: false,
        }
    }

    /// Whether there are any.
    pub fn are_drawn(&self) -> bool {
        !matches!(self.book, Book::None)
    }

    /// The opening of a unit.
    ///
    /// # Errors
    /// When random plies of the wanted length always decide the game.
    pub fn of_unit(&mut self, unit: &Unit) -> Result<Opening, OpeningsError> {
        match &self.book {
            Book::None => Ok(Opening::default()),
            Book::List(list) => Ok(list.line(unit.lane.wrapping_add(unit.meeting))),
            &Book::Random(plies) => {
                let moves = self.random(unit.number, plies)?.into_iter().map(Choice::from).collect();
                Ok(Opening { moves, elsewhere: None })
            }
        }
    }

    /// The random opening of a unit. Openings are drawn in order, because each differs from those before.
    fn random(&mut self, unit: u32, plies: u32) -> Result<Vec<Move>, OpeningsError> {
        let oldest = self.drawn - self.latest.len() as u32;
        if unit < oldest {
            return Openings::new(&self.seed, &self.start, &self.book).random(unit, plies);
        }
        while self.drawn <= unit {
            let opening = self.draw(self.drawn, plies)?;
            self.latest.push_back(opening);
            self.drawn += 1;
            if self.latest.len() > KEPT {
                self.latest.pop_front();
            }
        }
        let oldest = self.drawn - self.latest.len() as u32;
        Ok(self.latest[(unit - oldest) as usize].clone())
    }

    fn draw(&mut self, unit: u32, plies: u32) -> Result<Vec<Move>, OpeningsError> {
        let mut random = Random::new(self.seed.opening(unit));
        for attempt in 0..TRIES {
            let Some((opening, position)) = self.random_plies(&mut random, unit, plies) else { continue };
            self.is_used_up |= attempt >= TRIES_FOR_A_NEW_ONE || self.seen.len() >= MOST_COMPARED;
            if self.is_used_up || self.seen.insert(position.symmetric_key()) {
                return Ok(opening);
            }
        }
        Err(OpeningsError { plies })
    }

    /// One drawing, or `None` if it ends the game or lets the next seat end it at once.
    fn random_plies(&self, random: &mut Random, unit: u32, plies: u32) -> Option<(Vec<Move>, Position)> {
        let mut position = self.start.clone();
        let chance = ChanceSource::GameSeed(self.seed.chance(unit));
        let mut opening = Vec::new();
        for _ in 0..plies {
            let m = position.nth_legal(random.below(position.legal_count()));
            let fallen = position.draw_chance(m, chance);
            position.play(m, &fallen).expect("it is from the legal list");
            opening.push(m);
            if position.end().is_some() {
                return None;
            }
        }
        (!can_win_at_once(&position)).then_some((opening, position))
    }
}

fn can_win_at_once(position: &Position) -> bool {
    let Some(mover) = position.to_move() else { return false };
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut after = position.clone();
    moves.iter().any(|&m| {
        after.play(m, &Chance::NONE).expect("it is from the legal list");
        let is_win = after.end().is_some_and(|end| end.outcome.of(mover) == SeatResult::Win);
        after.undo();
        is_win
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Setup, registry};
    use std::time::{Duration, Instant};

    fn unit(number: u32) -> Unit {
        Unit { number, members: vec![0, 1], round: number, lane: 0, meeting: number }
    }

    #[test]
    fn a_game_with_few_openings_repeats_them_without_a_long_search() {
        let start = registry::start("tic-tac-toe", &Setup::default()).unwrap();
        let open = || Openings::new(&MatchSeed::new("few"), &start, &Book::Random(2));
        let mut openings = open();
        let begun = Instant::now();
        let drawn: Vec<_> =
            (0..20_000).map(|number| openings.of_unit(&unit(number)).unwrap().moves).collect();
        assert!(begun.elapsed() < Duration::from_secs(20), "200 drawings for each would take minutes");
        assert_eq!(
            open().of_unit(&unit(19_999)).unwrap().moves,
            drawn[19_999],
            "openings do not depend on who asks when"
        );
        assert_eq!(openings.of_unit(&unit(7)).unwrap().moves, drawn[7], "an old one is drawn again");
        let first: HashSet<_> = drawn[..12]
            .iter()
            .map(|moves| moves.iter().map(|choice| choice.played))
            .map(Vec::from_iter)
            .collect();
        assert_eq!(first.len(), 12, "two plies can be played in twelve ways up to symmetry");
    }
}
