//! Plays the first move there is.
#![forbid(unsafe_code)]

use arbiter_plugin_api::{Bot, Game, Move, Result, Turn, export_bot};

struct First;

impl Bot for First {
    fn new(_: &Game) -> Result<Self> {
        Ok(First)
    }

    fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
        Ok(turn.moves()[0])
    }
}

export_bot!(First, name: "First (Rust)");
