//! The unfinished move of a person: what has been touched so far and what can be touched next.
//!
//! Each game says beside its rules how touching cells builds up a move; whoever shows a board to a person only
//! passes touches on and marks the cells of [`DraftView`].

use crate::moves::{Choice, IllegalMove};

/// The cells that a person has picked in this turn, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Picked cells; for a jump chain the whole path so far.
    pub cells: Vec<u16>,
}

/// What came of touching something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftStep {
    /// The move needs more.
    Unfinished(Draft),
    /// The move is complete and legal.
    Finished(Choice),
}

/// Something to press beside the board, such as "remove".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DraftAction {
    /// What is sent back when it is pressed.
    pub id: &'static str,
    /// What people read.
    pub label: &'static str,
}

/// What a board shows of an unfinished move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DraftView {
    /// Cells that can be picked next.
    pub targets: Vec<u16>,
    /// What can be pressed next.
    pub actions: Vec<DraftAction>,
    /// Whether the draft as it stands is a whole legal move that a person may finish.
    pub can_finish: bool,
    /// Cells that the rules oblige the seat to deal with, such as pawns that must leave.
    pub must: Vec<u16>,
}

/// The result of a touch: a step, or why nothing happened.
pub type DraftResult = Result<DraftStep, IllegalMove>;
