//! Who thinks behind a [`Seated`](crate::Seated) bot.

use arbiter_plugin_api::{Game, Report, Result, RootMove, Turn};
use arbiter_rules::{Move, Position};

use crate::Watch;

/// What a player knows when it sits down.
#[derive(Clone, Copy, Debug)]
pub struct Seating {
    /// Its seat, from 0.
    pub seat: usize,
    /// For its random numbers.
    pub seed: u64,
    /// Bytes that it should not use more of for what it remembers.
    pub memory: usize,
}

/// A player that chooses moves on positions of the rules.
pub trait Thinker: Sized + 'static {
    /// The names of its options.
    const OPTIONS: &'static [&'static str];

    /// Reads its options, and makes ready for a game from this position on.
    ///
    /// # Errors
    /// An option has a value that it does not take; the error says which it takes.
    fn sit_down(game: &Game<'_>, start: &Position, seating: Seating) -> Result<Self>;

    /// Chooses one of the legal moves of a position in which its seat is to move.
    fn choose(&mut self, position: &Position, watch: &mut dyn Watch) -> Move;
}

/// What has been found so far.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The best line; the first move is the answer if time runs out.
    pub line: &'a [Move],
    /// Plies searched.
    pub depth: u32,
    /// From the seat's own view.
    pub score: i32,
    /// Positions looked at, or games played out.
    pub nodes: u64,
    /// One line for people, or nothing.
    pub text: &'a str,
    /// What moves to choose from are worth, as far as that is known.
    pub values: &'a [Value],
}

/// What one of the moves to choose from is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The move.
    pub m: Move,
    /// From the seat's own view, as [`Finding::score`].
    pub score: i32,
    /// Whether the score is the value; otherwise the value is no higher.
    pub is_exact: bool,
}

impl Finding<'_> {
    /// Tells the arbiter.
    pub(crate) fn report_to(&self, turn: &Turn<'_>) {
        let line: Vec<_> = self.line.iter().copied().map(to_api).collect();
        let Some(&best) = line.first() else { return };
        let report = Report::new(best).depth(self.depth).score(self.score).nodes(self.nodes);
        turn.report(&report.line(&line).text(self.text));
        let value = |&Value { m, score, is_exact }: &Value| match is_exact {
            true => RootMove::exact(to_api(m), score),
            false => RootMove::at_most(to_api(m), score),
        };
        if !self.values.is_empty() {
            turn.report_root_moves(self.depth, &self.values.iter().map(value).collect::<Vec<_>>());
        }
    }
}

/// The same move in the words of the plugin API: both are the same number.
pub(crate) fn to_api(m: Move) -> arbiter_plugin_api::Move {
    arbiter_plugin_api::Move::from_raw(m.bits())
}
