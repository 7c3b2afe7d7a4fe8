//! The game as the rules see it.

use arbiter_plugin_api::{Error, Game, Result, Turn};
use arbiter_rules::{Chance, Move, Position, Setup, registry};

/// A position of the rules that follows the game, with its past where that counts.
///
/// Moves come from the history of each turn. Where playing them does not lead to the position that the arbiter tells
/// of (an earthquake, a seat taken out), that position is read from its text: the rules forget the past there too,
/// but for the count of turns that `max_turns` and `max_rounds` limit.
#[derive(Debug)]
pub struct Followed {
    position: Position,
    played: usize,
}

impl Followed {
    /// The position before the first move of a game.
    ///
    /// # Errors
    /// A game, an option or a position that these rules do not know.
    pub fn of(game: &Game<'_>) -> Result<Followed> {
        let options: Vec<_> = game.rules().collect();
        let setup =
            Setup { players: Some(game.players()), options: &options, position: Some(game.start_text()) };
        let position = registry::start(game.id(), &setup).map_err(Error::unsupported)?;
        Ok(Followed { position, played: 0 })
    }

    /// The position that was reached last.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position before a turn.
    ///
    /// # Errors
    /// The text of the position cannot be read, or it is not the bot's turn there.
    pub fn at(&mut self, turn: &Turn<'_>) -> Result<&Position> {
        let history = turn.history();
        let news = history.get(self.played..).unwrap_or(history);
        let follows = news.iter().all(|m| {
            let m = Move::from_bits(m.to_raw());
            self.position.play(m, &Chance::NONE).is_ok()
        });
        self.played = history.len();
        if !follows || self.position.end().is_some() || self.position.text() != turn.text() {
            self.position = self.position.read_position(turn.text())?;
        }
        if self.position.to_move().map(|seat| seat.index()) != Some(turn.seat()) {
            return Err(Error::failed(format!("it is not my turn in '{}'", turn.text())));
        }
        Ok(&self.position)
    }
}
