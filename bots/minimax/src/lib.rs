//! Searches any game by alpha-beta, through the arbiter's own rules.
//!
//! It looks one move ahead, then two, and so on while the time for the turn lasts. With more than two seats it
//! takes everybody else for one enemy. The option `depth` sets how many moves it looks ahead at most, 5 unless it is
//! given: enough to beat beginners at once, and the same game on every machine. `-B SEAT:depth=64` uses all the time.
#![forbid(unsafe_code)]

#[path = "../../greedy/src/distances.rs"]
mod distances;
mod evaluation;
mod search;

use arbiter_plugin_api::{Bot, Error, Game, Move, Random, Result, Turn, export_bot};

use evaluation::Evaluation;
use search::Search;

/// Deeper than any search gets in a game that is not nearly over.
const DEEPEST: u32 = 64;

/// Quick on any machine, so that its games do not depend on the clock.
const USUAL: u32 = 5;

struct Minimax {
    depth: u32,
    evaluation: Evaluation,
    random: Random,
}

impl Bot for Minimax {
    fn new(game: &Game) -> Result<Self> {
        game.allow_options(&["depth"])?;
        let depth = game.parse_option("depth")?.unwrap_or(USUAL);
        if !(1..=DEEPEST).contains(&depth) {
            return Err(Error::unsupported(format!("option depth={depth}: it goes from 1 to {DEEPEST}")));
        }
        Ok(Minimax { depth, evaluation: Evaluation::of(game), random: Random::new(game.seed()) })
    }

    fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
        // Of equally good moves the search keeps the first.
        let mut moves = turn.moves().to_vec();
        self.random.shuffle(&mut moves);
        Ok(Search::new(turn, &self.evaluation, self.depth).best_of(moves))
    }
}

export_bot!(
    Minimax,
    name: "Minimax",
    author: "arbiter",
    about: "Searches any game by alpha-beta; option depth=1..64, usually 5",
    reentrant: true,
);
