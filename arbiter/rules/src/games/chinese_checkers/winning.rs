//! When a seat has won.

use super::area::Ground;
use super::board::{Branch, holes};
use super::pawns::Pawns;

/// What counts as a full target: the option `win`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Win {
    /// Ten own pawns.
    Own,
    /// Ten pawns, at least one of them its own, and all others buried.
    OwnOrBuried,
    /// Ten pawns, at least one of them its own.
    Filled,
}

impl Win {
    /// The words of the option.
    pub(super) const WORDS: &[&str] = &["own", "own-or-buried", "filled"];

    pub(super) fn from_word(word: &str) -> Option<Win> {
        match word {
            "own" => Some(Win::Own),
            "own-or-buried" => Some(Win::OwnOrBuried),
            "filled" => Some(Win::Filled),
            _ => None,
        }
    }
}

/// Whether the pawns of a branch fill its target.
#[inline]
pub(super) fn has_won(pawns: &Pawns, branch: Branch, win: Win) -> bool {
    let target = branch.target();
    if pawns.occupied() & target != target {
        return false;
    }
    let own = pawns.of(branch) & target;
    match win {
        Win::Own => own == target,
        Win::OwnOrBuried => own != 0 && holes(target & !own).all(|hole| is_buried(pawns, hole)),
        Win::Filled => own != 0,
    }
}

/// Whether a pawn has no turn of its own that ends on another hole.
fn is_buried(pawns: &Pawns, hole: usize) -> bool {
    pawns.owner(hole).is_none_or(|owner| pawns.ends(hole, &Ground::of(owner).rest).is_empty())
}
