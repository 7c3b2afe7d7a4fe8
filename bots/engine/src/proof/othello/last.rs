//! The last few empty cells of a game of Othello, without tables and lists.
//!
//! Scores are final differences of discs for the side to move, empty cells counted for the winner.

use crate::evaluation::othello::{NOT_A_FILE, NOT_H_FILE, turned};

/// All cells that touch a cell.
static NEIGHBOURS: [u64; 64] = neighbours();

const fn neighbours() -> [u64; 64] {
    let mut table = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        let set: u64 = 1 << cell;
        let wide = set | (set << 1 & NOT_A_FILE) | (set >> 1 & NOT_H_FILE);
        table[cell] = (wide | wide << 8 | wide >> 8) & !set;
        cell += 1;
    }
    table
}

/// Discs that turn, if the cell touches any that could.
#[inline]
pub(super) fn turned_near(own: u64, other: u64, cell: u32) -> u64 {
    if NEIGHBOURS[(cell & 63) as usize] & other == 0 { 0 } else { turned(own, other, cell) }
}

/// The score when nobody can move any more.
#[inline]
pub(super) fn final_score(own: u64, other: u64) -> i32 {
    let (own, other) = (own.count_ones().cast_signed(), other.count_ones().cast_signed());
    let empty = 64 - own - other;
    own - other + empty * (own - other).signum()
}

/// One empty cell.
#[inline]
pub(super) fn one(own: u64, other: u64, cell: u32) -> i32 {
    let own_count = own.count_ones().cast_signed();
    let mine = turned_near(own, other, cell).count_ones().cast_signed();
    if mine > 0 {
        return 2 * (own_count + mine + 1) - 64;
    }
    let theirs = turned_near(other, own, cell).count_ones().cast_signed();
    if theirs > 0 { 2 * (own_count - theirs) - 64 } else { final_score(own, other) }
}

/// Up to four empty cells, tried in this order: whether the score is at most `low` or more, a bound on that side.
pub(super) fn few(own: u64, other: u64, low: i32, cells: &[u32], nodes: &mut u64) -> i32 {
    *nodes += 1;
    if let &[cell] = cells {
        return one(own, other, cell);
    }
    let mut best = -65;
    for (i, &cell) in cells.iter().enumerate() {
        let turned = turned_near(own, other, cell);
        if turned == 0 {
            continue;
        }
        let mut rest = [0; 3];
        rest[..i].copy_from_slice(&cells[..i]);
        rest[i..cells.len() - 1].copy_from_slice(&cells[i + 1..]);
        let rest = &rest[..cells.len() - 1];
        best = best.max(-few(other ^ turned, own | turned | 1 << cell, -low - 1, rest, nodes));
        if best > low {
            return best;
        }
    }
    if best > -65 {
        return best;
    }
    if cells.iter().any(|&cell| turned_near(other, own, cell) != 0) {
        -few(other, own, -low - 1, cells, nodes)
    } else {
        final_score(own, other)
    }
}
