//! A person, at the desk that all people of the program share.

use super::{Desk, HumanOptions, Player, Reply, Turn};
use crate::verdict::Spent;
use std::sync::Arc;

/// Longest line that is read; no move of any game is near it.
pub const LONGEST_LINE: usize = 4096;

/// A person in a seat of one game.
pub struct Human {
    desk: Arc<Desk>,
    game: u32,
    human_options: HumanOptions,
}

impl Human {
    /// A person who plays in this game.
    pub fn new(desk: Arc<Desk>, game: u32, human_options: HumanOptions) -> Human {
        Human { desk, game, human_options }
    }
}

impl Player for Human {
    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let (answer, wall) = self.desk.ask(turn, self.game, self.human_options);
        Reply { answer, spent: Spent::of_wall(wall), report: None }
    }
}
