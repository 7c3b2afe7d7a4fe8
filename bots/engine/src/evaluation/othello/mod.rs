//! Othello: what patterns of discs and the numbers of moves are worth.
//!
//! The heuristics that the option `eval` names are those of the literature since Rosenbloom's Iago (1982), each alone.

mod moves;
pub mod patterns;

pub use moves::{captures, discs, settled, turned};

use super::{Evaluation, Points};
use arbiter_plugin_api::Error;
use arbiter_rules::{Move, Position};
use std::str::FromStr;

pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;
pub(crate) const NOT_A_FILE: u64 = 0xfefe_fefe_fefe_fefe;
pub(crate) const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;
/// For each corner the cell diagonally next to it, and the two beside it on the edges.
const AT_CORNERS: [(u64, u64, u64); 4] = [
    (1, 1 << 9, 1 << 1 | 1 << 8),
    (1 << 7, 1 << 14, 1 << 6 | 1 << 15),
    (1 << 56, 1 << 49, 1 << 57 | 1 << 48),
    (1 << 63, 1 << 54, 1 << 62 | 1 << 55),
];

/// The discs of the side to move and of the other side.
#[must_use]
pub fn discs_of(position: &Position) -> (u64, u64) {
    let mut cells = [0; 64];
    position.write_cells(&mut cells);
    let (first, second) = discs(&cells);
    let is_second = position.to_move().is_some_and(|seat| seat.index() == 1);
    if is_second { (second, first) } else { (first, second) }
}

/// What a cell promises: corners first, what gives them away last.
pub const PROMISES: [i32; 64] = promises();

const fn promises() -> [i32; 64] {
    // A quarter of the board; the rest mirrors it.
    let quarter = [[90, -40, 10, 5], [-40, -60, -6, -3], [10, -6, 4, 2], [5, -3, 2, 0]];
    let mut promises = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        let (row, column) = (cell / 8, cell % 8);
        let row = if row > 3 { 7 - row } else { row };
        let column = if column > 3 { 7 - column } else { column };
        promises[cell] = quarter[row][column];
        cell += 1;
    }
    promises
}

/// What is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heuristic {
    /// Everything.
    #[default]
    All,
    /// More discs are better.
    Discs,
    /// Corners, and cells that give them away.
    Corners,
    /// More moves to choose from are better.
    Mobility,
    /// Moves that turn many discs are better to have.
    Captures,
}

impl FromStr for Heuristic {
    type Err = Error;

    fn from_str(word: &str) -> Result<Heuristic, Error> {
        match word {
            "all" => Ok(Heuristic::All),
            "discs" => Ok(Heuristic::Discs),
            "corners" => Ok(Heuristic::Corners),
            "mobility" => Ok(Heuristic::Mobility),
            "captures" => Ok(Heuristic::Captures),
            _ => Err(Error::unsupported("try all, discs, corners, mobility or captures")),
        }
    }
}

/// Reads positions of the rules.
#[derive(Debug, Default)]
pub struct Features {
    cells: super::Cells,
}

impl Evaluation for Features {
    fn points(&mut self, position: &Position) -> Points {
        let (own, other) = discs(self.cells.read(position));
        let is_second = position.to_move().is_some_and(|seat| seat.index() == 1);
        let score = if is_second { -evaluate(other, own) } else { evaluate(own, other) };
        [score, 0, 0, 0, 0, 0]
    }

    fn clear_lead(&self) -> i32 {
        800
    }

    fn promise(&self, m: Move, _: usize, _: usize) -> i32 {
        PROMISES.get(usize::from(m.to())).copied().unwrap_or(0)
    }

    fn has_sudden_wins(&self) -> bool {
        false
    }
}

fn count(cells: u64) -> i32 {
    cells.count_ones().cast_signed()
}

/// Everything, for the side to move; a hundred points are a disc more in the end.
#[must_use]
pub fn evaluate(own: u64, other: u64) -> i32 {
    patterns::Patterns::built_in().evaluate(own, other)
}

fn near_corners(own: u64, other: u64, empty: u64) -> i32 {
    let mut score = 0;
    for (corner, diagonal, beside) in AT_CORNERS {
        if empty & corner != 0 {
            score -= 350 * (count(own & diagonal) - count(other & diagonal));
            score -= 110 * (count(own & beside) - count(other & beside));
        }
    }
    score
}

/// One heuristic alone, for the side to move.
#[must_use]
pub fn evaluate_by(heuristic: Heuristic, own: u64, other: u64) -> i32 {
    match heuristic {
        Heuristic::All => evaluate(own, other),
        Heuristic::Discs => 100 * (count(own) - count(other)),
        Heuristic::Corners => {
            let corners = count(own & CORNERS) - count(other & CORNERS);
            1000 * corners + near_corners(own, other, !(own | other))
        }
        Heuristic::Mobility => 100 * (count(captures(own, other)) - count(captures(other, own))),
        Heuristic::Captures => 100 * (most_turned(own, other) - most_turned(other, own)),
    }
}

/// Discs that the move turns that turns the most.
fn most_turned(own: u64, other: u64) -> i32 {
    let mut moves = captures(own, other);
    let mut most = 0;
    while moves != 0 {
        most = most.max(count(turned(own, other, moves.trailing_zeros())));
        moves &= moves - 1;
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_is_good_and_the_cell_beside_an_empty_one_is_bad() {
        let board = |own: &[u32], other: &[u32]| {
            let set = |cells: &[u32]| cells.iter().fold(0, |set, cell| set | 1 << cell);
            let (own, other) = (set(own) | 0x0000_0018_0000_0000, set(other) | 0x0000_0000_1800_0000);
            [Heuristic::All, Heuristic::Corners].map(|heuristic| evaluate_by(heuristic, own, other))
        };
        let better = |a: [i32; 2], b: [i32; 2]| a[0] > b[0] && a[1] > b[1];
        assert!(better(board(&[0], &[20]), board(&[9], &[20])));
        assert!(better(board(&[18], &[20]), board(&[9], &[20])));
    }
}
