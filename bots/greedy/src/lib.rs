//! Plays the move after which it stands best, and never looks at the reply.
//!
//! A move that wins is best and one that loses is worst. In between it counts pieces, its own less everybody
//! else's; in Chinese checkers, where nothing is ever taken, it counts the way that its pieces still have to go.
//! Where several moves are equally good, the seed of the game decides.
#![forbid(unsafe_code)]

mod distances;
mod measure;

use arbiter_plugin_api::{
    Bot, Cell, Game, Move, Outcome, Position, Random, Report, Result, Turn, export_bot,
};

use measure::Measure;

struct Greedy {
    seat: usize,
    measure: Measure,
    random: Random,
    cells: Vec<Cell>,
}

impl Bot for Greedy {
    fn new(game: &Game) -> Result<Self> {
        game.allow_options(&[])?;
        Ok(Greedy {
            seat: game.seat(),
            measure: Measure::of(game),
            random: Random::new(game.seed()),
            cells: Vec::new(),
        })
    }

    fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
        let mut position = turn.position();
        let mut best = (i32::MIN, Vec::new());
        for &m in turn.moves() {
            position.apply(m)?;
            let score = self.score(&position);
            position.undo();
            if score > best.0 {
                best = (score, Vec::new());
            }
            if score == best.0 {
                best.1.push(m);
            }
        }
        let (score, moves) = best;
        let chosen = moves[self.random.below(moves.len())];
        turn.report(&Report::new(chosen).depth(1).score(score).nodes(turn.moves().len() as u64));
        Ok(chosen)
    }
}

impl Greedy {
    fn score(&mut self, position: &Position) -> i32 {
        match position.outcome(self.seat) {
            Some(Outcome::Win) => 100_000,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Loss) => -100_000,
            None => {
                position.cells_into(&mut self.cells);
                self.measure.score(self.seat, &self.cells)
            }
        }
    }
}

export_bot!(
    Greedy,
    name: "Greedy",
    author: "arbiter",
    about: "Plays the move after which it stands best at once",
    reentrant: true,
);
