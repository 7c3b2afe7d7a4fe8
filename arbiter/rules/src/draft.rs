//! The unfinished move of a person: what has been touched so far and what can be touched next.
//!
//! Each game says how touching cells builds up a move. A screen or page only passes touches on, and marks the cells of
//! [`DraftView`].

use crate::game::Game;
use crate::moves::{Choice, IllegalMove, Move, MoveList, Refusal};

/// How a person makes a move by touching the board. By default a cell is the whole move.
///
/// A game in which a cell is the whole move takes it as it is; see the example in [`game`](crate::game).
pub trait Input: Game {
    /// A person touches a cell while choosing a move. Any number may come as a cell, also one beyond the board.
    ///
    /// # Errors
    /// Why nothing can be done with the cell now.
    fn pick(&self, _draft: &Draft, cell: u16) -> DraftResult {
        self.judge(Move::place(cell)).map(|()| DraftStep::Finished(Move::place(cell).into()))
    }

    /// Everything that can ever be pressed beside the board in this game.
    fn actions(&self) -> &'static [DraftAction] {
        &[]
    }

    /// A person presses one of the actions of [`draft_view`](Input::draft_view), or `finish`.
    ///
    /// # Errors
    /// Why it cannot be done now.
    fn act(&self, _draft: &Draft, _action: &str) -> DraftResult {
        Err(IllegalMove::new(Refusal::NotUnderstood, "Choose a cell: that is the whole move."))
    }

    /// What can be touched next.
    fn draft_view(&self, _draft: &Draft) -> DraftView {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let targets = moves.iter().filter(|&&m| m != Move::PASS).map(|m| m.to()).collect();
        DraftView { targets, ..DraftView::default() }
    }
}

/// The cells that a person has picked in this turn, in order.
///
/// ```
/// use arbiter_rules::draft::{Draft, DraftStep};
/// use arbiter_rules::{Setup, registry};
///
/// let position = registry::start("chinese-checkers", &Setup::default()).unwrap();
/// let DraftStep::Unfinished(draft) = position.pick(&Draft::default(), 6).unwrap() else { panic!() };
/// let DraftStep::Finished(choice) = position.pick(&draft, 15).unwrap() else { panic!() };
/// assert_eq!(position.choice_text(&choice), "6-15");
/// ```
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
///
/// ```
/// use arbiter_rules::{Setup, registry};
///
/// let stacks = registry::start("stacks", &Setup::default()).unwrap();
/// assert!(stacks.actions().iter().any(|action| action.id == "remove"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DraftAction {
    /// What is sent back when it is pressed.
    pub id: &'static str,
    /// What people read.
    pub label: &'static str,
}

/// What a board shows of an unfinished move.
///
/// ```
/// use arbiter_rules::draft::Draft;
/// use arbiter_rules::{Setup, registry};
///
/// let position = registry::start("chinese-checkers", &Setup::default()).unwrap();
/// let view = position.draft_view(&Draft { cells: vec![6] });
/// assert_eq!((view.targets, view.can_finish), (vec![14, 15], false));
/// ```
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
