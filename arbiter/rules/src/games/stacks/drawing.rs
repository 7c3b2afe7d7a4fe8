//! The board from above, the heights beside it, and what lies in stacks below.

use super::board::Board;
use crate::draw::Scene;
use crate::notation::cell_name;
use crate::seat::Seat;

/// Columns that the lines below the board may take.
const WIDTH: usize = 78;

/// The tops with room for rings around them, and every height to the right.
pub(super) fn scene(board: &Board) -> Scene {
    let n = board.n;
    let place = |cell: u16| (6 + 4 * (cell % n), 2 + 2 * (cell / n));
    let columns = (0..n).map(|x| (6 + 4 * x, 0, cell_name(x, n)[..1].to_owned()));
    let rows = (0..n).map(|y| (2, 2 + 2 * y, (y + 1).to_string()));
    let right = 8 + 4 * n;
    let heights = (0..n).map(|y| (right, 2 + 2 * y, heights(board, y)));
    let title = [(right, 0, "heights".to_owned())];
    let labels = columns.chain(rows).chain(title).chain(heights).collect();
    Scene { cells: (0..board.cells()).map(place).collect(), labels }
}

/// The heights of one row, in columns that are wide enough for all rows.
fn heights(board: &Board, row: u16) -> String {
    let highest = (0..board.cells()).map(|cell| board.height(cell)).max().unwrap_or(0);
    let width = highest.to_string().len();
    let heights = (0..board.n).map(|column| format!("{:width$}", board.height(row * board.n + column)));
    heights.collect::<Vec<_>>().join(" ")
}

/// The tokens of every stack of more than one.
pub(super) fn tall_stacks(board: &Board, sign: impl Fn(Seat) -> char) -> Vec<String> {
    let mut lines = vec![String::new()];
    for cell in (0..board.cells()).filter(|&cell| board.height(cell) > 1) {
        if lines.len() == 1 {
            lines.push("  from the bottom:".to_owned());
        }
        let tokens: String = board.stack(cell).map(&sign).collect();
        let stack = format!("  {} {tokens}", cell_name(cell, board.n));
        match lines.last_mut() {
            Some(line) if line.len() + stack.len() <= WIDTH => line.push_str(&stack),
            _ => lines.push(format!("                  {stack}")),
        }
    }
    lines
}
