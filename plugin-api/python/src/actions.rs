//! Moves as small numbers, as policies need them: every move that can ever be made in a game has one of its own.

use arbiter_rules::{Move, MoveKind, Position};

/// How the moves of a game are numbered.
#[derive(Clone, Copy)]
pub(crate) enum Actions {
    /// By the column that a piece is dropped into.
    Columns { width: usize },
    /// By the cell: pieces are put, then taken off where that is allowed; last the one move that is neither, if there is one.
    Cells { cells: usize, removal: bool, other: bool },
    /// By the cells from and to; last the pass.
    FromTo { cells: usize },
}

impl Actions {
    /// The numbering of a game under its options.
    pub(crate) fn of(start: &Position) -> Actions {
        let (cells, options) = (start.shape().cells(), start.options());
        match start.info().id {
            "connect-four" => Actions::Columns { width: start.shape().width.into() },
            "chinese-checkers" => Actions::FromTo { cells },
            "othello" => Actions::Cells { cells, removal: false, other: true },
            "hex" => Actions::Cells { cells, removal: false, other: options.flag("swap") },
            "stacks" => Actions::Cells { cells, removal: options.word("removal") != "off", other: false },
            _ => Actions::Cells { cells, removal: false, other: false },
        }
    }

    /// How many numbers there are.
    pub(crate) fn count(self) -> usize {
        match self {
            Actions::Columns { width } => width,
            Actions::Cells { cells, removal, other } => {
                cells * (1 + usize::from(removal)) + usize::from(other)
            }
            Actions::FromTo { cells } => cells * cells + 1,
        }
    }

    /// The number of a move; none for one that this game cannot have.
    pub(crate) fn number(self, m: Move) -> Option<usize> {
        let (from, to) = (usize::from(m.from()), usize::from(m.to()));
        let number = match (self, m.kind()?) {
            (Actions::Columns { width }, MoveKind::Place) => to % width,
            (Actions::Cells { cells, .. }, MoveKind::Place) if to < cells => to,
            (Actions::Cells { cells, removal: true, .. }, MoveKind::Remove) if to < cells => cells + to,
            // The pass of othello, the swap of hex.
            (Actions::Cells { other: true, .. }, MoveKind::Pass | MoveKind::Shift) => self.count() - 1,
            (Actions::FromTo { cells }, MoveKind::Shift) if to < cells => from * cells + to,
            (Actions::FromTo { .. }, MoveKind::Pass) => self.count() - 1,
            _ => return None,
        };
        Some(number).filter(|number| *number < self.count())
    }

    /// The one move that can have this number, where the number alone says which.
    pub(crate) fn only(self, action: usize) -> Option<Move> {
        let cell = |number: usize| u16::try_from(number).ok();
        match self {
            Actions::Cells { cells, .. } if action < cells => cell(action).map(Move::place),
            Actions::Cells { cells, removal: true, .. } => cell(action.checked_sub(cells)?).map(Move::remove),
            Actions::FromTo { cells } if action < cells * cells => {
                Some(Move::shift(cell(action / cells)?, cell(action % cells)?))
            }
            _ => None,
        }
    }
}
