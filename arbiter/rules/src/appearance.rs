//! What people see of a game.

use crate::draw::{Charset, Scene};
use crate::layout::Layout;
use crate::notation::Notation;

/// What people see of a game. Its layout is all that pictures need, and drawings of characters follow from it.
///
/// The example of a whole game in [`game`](crate::game) has one.
pub trait Appearance: Notation {
    /// Where the cells lie on a picture, and what they look like.
    fn layout(&self) -> Layout;

    /// Where the cells lie on a drawing.
    fn scene(&self, _charset: Charset) -> Scene {
        Scene::of(&self.layout())
    }

    /// The sign of a seat's pieces (`seat` counts from 0).
    fn sign(&self, seat: usize, _charset: Charset) -> char {
        ['X', 'O'][seat]
    }

    /// The sign of a seat's piece on one cell, where pieces of a seat look different from cell to cell.
    fn sign_on(&self, _cell: u16, seat: usize, charset: Charset) -> char {
        self.sign(seat, charset)
    }

    /// What somebody at the board calls a cell, by the names that stand around it.
    fn place_name(&self, cell: u16) -> String {
        self.cell_name(cell)
    }

    /// What somebody at the board calls the line that decided the game.
    fn line_name(&self, cells: &[u16]) -> String {
        match cells {
            [first, .., last] => {
                format!(
                    "{} in a line, {} to {}",
                    cells.len(),
                    self.place_name(*first),
                    self.place_name(*last)
                )
            }
            _ => "a line".to_owned(),
        }
    }

    /// Lines below a drawing: what the board alone does not show.
    fn notes(&self, _charset: Charset) -> Vec<String> {
        Vec::new()
    }

    /// Further lines below a drawing, about the turn that comes next. Only asked for while the game goes on.
    fn prompt(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether a move can turn pieces over, so that they change sides; views say which.
    fn turns_pieces(&self) -> bool {
        false
    }
}
