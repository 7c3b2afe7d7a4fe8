//! What a thinking bot has found so far.

use std::fmt;
use std::ptr;

use crate::{Move, raw, read};

/// One of the moves to choose from, and what the bot thinks of it; see [`Turn::report_root_moves`].
///
/// ```
/// use arbiter_plugin_api::{Move, RootMove};
///
/// /// What alpha-beta knows: the value of the best move, and that no other is better.
/// fn values(best: Move, score: i32, others: &[Move]) -> Vec<RootMove> {
///     let others = others.iter().map(|&m| RootMove::at_most(m, score));
///     std::iter::once(RootMove::exact(best, score)).chain(others).collect()
/// }
///
/// assert_eq!(values(Move::PASS, 30, &[]), [RootMove::exact(Move::PASS, 30)]);
/// ```
///
/// [`Turn::report_root_moves`]: crate::Turn::report_root_moves
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct RootMove(raw::RootMove);

impl RootMove {
    /// A move and its value from the bot's side: 100 is about one piece, 100000 a sure win.
    #[must_use]
    pub fn exact(m: Move, score: i32) -> RootMove {
        RootMove::of(m, score, raw::EXACT)
    }

    /// A move that is worth no more than this: all that alpha-beta knows of most moves.
    #[must_use]
    pub fn at_most(m: Move, score: i32) -> RootMove {
        RootMove::of(m, score, raw::AT_MOST)
    }

    /// A move that is worth no less than this.
    #[must_use]
    pub fn at_least(m: Move, score: i32) -> RootMove {
        RootMove::of(m, score, raw::AT_LEAST)
    }

    fn of(m: Move, score: i32, bound: u32) -> RootMove {
        RootMove(raw::RootMove { r#move: m.to_raw(), score, bound })
    }

    /// A list as the arbiter reads it.
    pub(crate) fn as_raw(list: &[RootMove]) -> *const raw::RootMove {
        // A `RootMove` is its struct and nothing else.
        list.as_ptr().cast()
    }
}

impl fmt::Debug for RootMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0.bound {
            raw::AT_MOST => "<=",
            raw::AT_LEAST => ">=",
            _ => "=",
        };
        write!(f, "{:?} {sign} {}", Move::from_raw(self.0.r#move), self.0.score)
    }
}

/// What a thinking bot has found so far.
///
/// ```
/// use arbiter_plugin_api::{Move, Report, Turn};
///
/// fn tell(turn: &Turn, line: &[Move]) {
///     turn.report(&Report::new(line[0]).depth(6).score(150).nodes(20_000).line(line));
/// }
/// ```
#[derive(Clone, Debug)]
#[must_use = "hand it to Turn::report"]
pub struct Report<'a> {
    best: Move,
    depth: u32,
    score: Option<i32>,
    nodes: u64,
    line: &'a [Move],
    text: &'a str,
}

impl<'a> Report<'a> {
    /// A report of the best move so far.
    pub fn new(best: Move) -> Report<'a> {
        Report { best, depth: 0, score: None, nodes: 0, line: &[], text: "" }
    }

    /// Plies searched.
    pub fn depth(self, depth: u32) -> Report<'a> {
        Report { depth, ..self }
    }

    /// How good it looks from the bot's side: 100 is about one piece, 100000 a sure win.
    pub fn score(self, score: i32) -> Report<'a> {
        Report { score: Some(score), ..self }
    }

    /// Positions looked at.
    pub fn nodes(self, nodes: u64) -> Report<'a> {
        Report { nodes, ..self }
    }

    /// The expected line of play.
    pub fn line(self, line: &'a [Move]) -> Report<'a> {
        Report { line, ..self }
    }

    /// One line for a human.
    pub fn text(self, text: &'a str) -> Report<'a> {
        Report { text, ..self }
    }

    pub(crate) fn with_raw(&self, use_it: impl FnOnce(&raw::Report)) {
        let text = (!self.text.is_empty()).then(|| read::c_text(self.text));
        use_it(&raw::Report {
            struct_size: read::c_len(size_of::<raw::Report>()),
            depth: self.depth,
            best: self.best.to_raw(),
            nodes: self.nodes,
            score: self.score.unwrap_or(raw::NO_SCORE),
            pv_count: read::c_len(self.line.len()),
            // A `Move` is its number and nothing else.
            pv: self.line.as_ptr().cast(),
            text: text.as_ref().map_or(ptr::null(), |text| text.as_ptr()),
        });
    }
}
