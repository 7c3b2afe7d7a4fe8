//! A thinker at the arbiter's table.

use arbiter_plugin_api::{Bot, Error, Game, Move, Result, Turn};

use crate::thinker::to_api;
use crate::watch::{TurnWatch, is_on_a_clock};
use crate::{Followed, Seating, Thinker};

/// What a bot remembers at most, where the arbiter allows it more than four times as much.
const MEMORY: u64 = 128 << 20;

/// More than a bot fills in a millisecond, and less than is touched in one: 1 MB takes 0.6 to 0.9 ms here. Hash tables are
/// touched in `new_game`, as a page that is touched for the first time can take long; there is as much time for that as for a
/// move, or a tenth of a second.
const MEMORY_A_MILLISECOND: u64 = 256 << 10;

/// Less would not help.
const LEAST_MEMORY: u64 = 8 << 20;

/// The bot that the arbiter sees.
#[derive(Debug)]
pub struct Seated<T> {
    followed: Followed,
    thinker: T,
    /// Answers to the present turn that were refused.
    refused: Vec<Move>,
}

impl<T: Thinker> Bot for Seated<T> {
    fn new(game: &Game<'_>) -> Result<Seated<T>> {
        game.allow_options(T::OPTIONS)?;
        let milliseconds = [game.time(), game.move_limit()].into_iter().flatten().min();
        let milliseconds = milliseconds.map_or(u64::MAX, |time| time.as_millis() as u64);
        let memory = MEMORY.min(milliseconds.saturating_mul(MEMORY_A_MILLISECOND).max(LEAST_MEMORY));
        let memory = game.memory().map_or(memory, |allowed| memory.min(allowed / 4));
        let memory = usize::try_from(memory).expect("it was cut down to little");
        let seating = Seating { seat: game.seat(), seed: game.seed(), memory };
        let followed = Followed::of(game)?;
        let thinker = T::sit_down(game, followed.position(), seating)?;
        Ok(Seated { followed, thinker, refused: Vec::new() })
    }

    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<Move> {
        let position = self.followed.at(turn)?;
        if turn.attempt() == 0 {
            self.refused.clear();
        }
        let other = turn.moves().iter().find(|m| !self.refused.contains(m));
        let chosen = match (turn.moves(), other) {
            // A refusal should not happen, and may have taken most of the time.
            (_, Some(&other)) if !self.refused.is_empty() => other,
            (&[only], _) if is_on_a_clock(turn) => only,
            _ => to_api(self.thinker.choose(position, &mut TurnWatch::of(turn))),
        };
        self.refused.push(chosen);
        if turn.moves().contains(&chosen) {
            Ok(chosen)
        } else {
            Err(Error::failed(format!("{chosen:?} is not a move of '{}'", turn.text())))
        }
    }
}
