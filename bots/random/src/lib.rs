//! Plays any legal move, each as likely as the others.
#![forbid(unsafe_code)]

use arbiter_plugin_api::{Bot, Game, Move, Random, Result, Turn, export_bot};

struct AnyMove {
    random: Random,
}

impl Bot for AnyMove {
    fn new(game: &Game) -> Result<Self> {
        game.allow_options(&[])?;
        Ok(AnyMove { random: Random::new(game.seed()) })
    }

    fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
        Ok(turn.moves()[self.random.below(turn.moves().len())])
    }
}

export_bot!(
    AnyMove,
    name: "Random",
    author: "arbiter",
    about: "Plays any legal move, each as likely as the others",
    reentrant: true,
);
