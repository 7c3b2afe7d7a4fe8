//! What the search sees of a game.

use arbiter_rules::{Chance, Move};

/// A move and how good it looks before anything is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// The move.
    pub(crate) m: Move,
    /// More is better; within a thousand either way.
    pub(crate) promise: i32,
}

/// A position that the search plays on. There are two sides: the seat for which the search is made ("we"), and
/// everybody else.
pub(crate) trait Board {
    /// Whether we are to move.
    fn is_ours(&self) -> bool;

    /// How the game ended for us: 1, 0 or -1 for a win, a draw and a loss; `None` while it goes on.
    fn ended(&self) -> Option<i32>;

    /// What a draw is worth to us.
    fn draw(&self) -> i32 {
        0
    }

    /// Replaces the list by the moves that are worth looking at: at least one while the game goes on.
    fn moves(&mut self, list: &mut Vec<Candidate>);

    /// Plays a move.
    fn play(&mut self, m: Move);

    /// Plays a move and what chance does after it, in games that leave something to chance.
    fn play_with(&mut self, m: Move, chance: &Chance) {
        let _ = chance;
        self.play(m);
    }

    /// Takes back the last move.
    fn undo(&mut self);

    /// How good the position looks for us; 100 is about one piece.
    fn evaluate(&mut self) -> i32;

    /// The same for equal positions.
    fn key(&self) -> u64;

    /// Whether the side to move has hardly a choice, so that looking one move further costs little.
    fn is_forced(&mut self) -> bool {
        false
    }
}
