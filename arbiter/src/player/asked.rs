//! A player that begins and moves in another way.

use super::{Briefing, GameResult, Player, Reply, Turn};
use crate::verdict::{Event, Failure, Fault};
use std::time::Duration;

/// A player for which `begin` and `choose` stand in place of its own `new_game` and `choose`. They may call these.
pub struct Asked<'a, Begin, Choose> {
    /// The player.
    pub player: Box<dyn Player + 'a>,
    /// What is done when a game begins.
    pub begin: Begin,
    /// What is done at a turn.
    pub choose: Choose,
}

impl<Begin, Choose> Player for Asked<'_, Begin, Choose>
where
    Begin: FnMut(&mut dyn Player, &Briefing<'_>) -> Result<(), Failure>,
    Choose: FnMut(&mut dyn Player, &Turn<'_>) -> Reply,
{
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        (self.begin)(&mut *self.player, game)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        (self.choose)(&mut *self.player, turn)
    }

    fn told(&mut self, event: &Event<'_>) {
        self.player.told(event);
    }

    fn game_over(&mut self, result: &GameResult<'_>) -> Result<(), Fault> {
        self.player.game_over(result)
    }

    fn output(&self) -> String {
        self.player.output()
    }

    fn prepared(&self) -> Option<Duration> {
        self.player.prepared()
    }

    fn printed(&self) -> u64 {
        self.player.printed()
    }
}
