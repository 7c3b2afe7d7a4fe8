//! The board of three by three cells that tic-tac-toe and ultimate share.
//!
//! Sets of cells are nine bits, bit 0 is `a1`, bit 8 is `c3`.

use crate::notation::{cell_name, read_cell};

/// All nine cells.
pub(super) const ALL: u16 = 0x1ff;

/// Rows, columns and diagonals.
const LINES: [u16; 8] =
    [0b000_000_111, 0b000_111_000, 0b111_000_000, 0b001_001_001, 0b010_010_010, 0b100_100_100, 0o421, 0o124];

static HAS_LINE: [bool; 512] = {
    let mut table = [false; 512];
    let mut set = 0;
    while set < table.len() {
        let mut line = 0;
        while line < LINES.len() {
            table[set] |= set as u16 & LINES[line] == LINES[line];
            line += 1;
        }
        set += 1;
    }
    table
};

/// Whether three of the cells are in line.
#[inline]
pub(super) fn has_line(set: u16) -> bool {
    HAS_LINE[usize::from(set)]
}

/// The first three of the cells that are in line.
pub(super) fn line(set: u16) -> Option<u16> {
    LINES.into_iter().find(|line| set & line == *line)
}

/// Cells of a set, ascending.
pub(super) fn cells(mut set: u16) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u16);
        set &= set.wrapping_sub(1);
        cell
    })
}

/// The n-th cell of a set, from 0.
#[inline]
pub(super) fn nth_cell(mut set: u16, n: usize) -> u16 {
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros() as u16
}

/// Reads `b2`, and the digits 1 to 9 in reading order. `None` for what is no cell, `Some(None)` for a cell that there is not.
pub(super) fn read_cell_or_digit(text: &str) -> Option<Option<u16>> {
    match text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty() {
        true => {
            Some(text.parse().ok().filter(|number| (1..=9).contains(number)).map(|number: u16| number - 1))
        }
        false => read_cell(text, 3, 3),
    }
}

/// What becomes of each cell in the eight turned and mirrored images: `IMAGES[symmetry][cell]`.
pub(super) static IMAGES: [[usize; 9]; 8] = {
    let mut images = [[0; 9]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut cell = 0;
        while cell < 9 {
            let (mut row, mut column) = (cell / 3, cell % 3);
            if symmetry & 1 != 0 {
                column = 2 - column;
            }
            if symmetry & 2 != 0 {
                row = 2 - row;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            images[symmetry][cell] = row * 3 + column;
            cell += 1;
        }
        symmetry += 1;
    }
    images
};

/// The set with every cell where the symmetry takes it.
pub(super) fn image(set: u16, symmetry: usize) -> u16 {
    cells(set).fold(0, |image, cell| image | 1 << IMAGES[symmetry][usize::from(cell)])
}

/// Appends nine cells as `x`, `o` and digits for runs of empty cells.
pub(super) fn write(x: u16, o: u16, text: &mut String) {
    let mut empty = 0;
    for cell in 0..9 {
        let sign = match (x >> cell & 1, o >> cell & 1) {
            (0, 0) => {
                empty += 1;
                continue;
            }
            (0, _) => 'o',
            _ => 'x',
        };
        write_run(&mut empty, text);
        text.push(sign);
    }
    write_run(&mut empty, text);
}

fn write_run(empty: &mut u8, text: &mut String) {
    if *empty > 0 {
        text.push(char::from(b'0' + std::mem::take(empty)));
    }
}

/// The cell that people call by its name, as in `cell b2`.
pub(super) fn name(cell: u16) -> String {
    cell_name(cell, 3)
}
