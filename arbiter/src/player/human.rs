//! A person, at the desk that all people of the program share.

use super::{Briefing, Desk, GameResult, Manners, News, Player, Reply, Turn};
use crate::verdict::{Failure, Fault, Spent};
use std::sync::Arc;

/// Longest line that is read; no move of any game is near it.
pub const LONGEST_LINE: usize = 4096;

/// A person in a seat of one game.
pub struct Human {
    desk: Arc<Desk>,
    game: u32,
    manners: Manners,
}

impl Human {
    /// A person who plays in this game.
    #[must_use]
    pub fn new(desk: Arc<Desk>, game: u32, manners: Manners) -> Human {
        Human { desk, game, manners }
    }
}

impl Player for Human {
    fn new_game(&mut self, _: &Briefing<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let (answer, wall) = self.desk.ask(turn, self.game, self.manners);
        Reply { answer, spent: Spent::of_wall(wall), report: None }
    }

    fn told(&mut self, _: &News) {}

    fn game_over(&mut self, _: &GameResult<'_>) -> Result<(), Fault> {
        Ok(())
    }
}
