//! What lies on a cell.

use std::fmt;

use crate::raw;

/// What lies on a cell: nothing, or a piece of one seat.
///
/// The order of the cells of each game is a table in `arbiter_bot.h`.
///
/// ```
/// use arbiter_plugin_api::Cell;
///
/// let cells = [Cell::of(0), Cell::EMPTY, Cell::of(1)];
/// assert_eq!(cells.iter().filter(|cell| cell.seat() == Some(1)).count(), 1);
/// assert!(cells[1].is_empty());
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl Cell {
    /// No piece.
    pub const EMPTY: Cell = Cell(raw::CELL_EMPTY);
    /// A place in the array that is not on the board.
    pub const OUTSIDE: Cell = Cell(raw::CELL_OUTSIDE);

    /// A piece of this seat.
    ///
    /// # Panics
    ///
    /// When no game has such a seat.
    #[must_use]
    pub const fn of(seat: usize) -> Cell {
        match seat {
            0 => Cell(1),
            1 => Cell(2),
            2 => Cell(3),
            3 => Cell(4),
            4 => Cell(5),
            5 => Cell(6),
            _ => panic!("no game has more than six seats"),
        }
    }

    /// The seat whose piece lies here, from 0.
    #[must_use]
    pub fn seat(self) -> Option<usize> {
        match self {
            Cell::EMPTY | Cell::OUTSIDE => None,
            Cell(piece) => Some(usize::from(piece) - 1),
        }
    }

    /// Whether this place is on the board and has no piece.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Cell::EMPTY
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seat() {
            Some(seat) => write!(f, "Cell(seat {seat})"),
            None if self.is_empty() => f.write_str("Cell(empty)"),
            None => f.write_str("Cell(outside)"),
        }
    }
}
