//! Zobrist keys: one random number for every pawn on every hole, for the branch to move and for those in the game.

use super::board::{Branch, HOLES, holes};
use super::pawns::Pawns;
use super::seats::Branches;
use crate::random::{GOLDEN, mix};

static PAWNS: [[u128; HOLES]; 6] = {
    let mut keys = [[0; HOLES]; 6];
    let mut i = 0;
    while i < 6 * HOLES {
        keys[i / HOLES][i % HOLES] = random(i);
        i += 1;
    }
    keys
};

/// The branch to move, then the branches in the game.
static BRANCHES: [[u128; 6]; 2] = {
    let mut keys = [[0; 6]; 2];
    let mut i = 0;
    while i < 12 {
        keys[i / 6][i % 6] = random(6 * HOLES + i);
        i += 1;
    }
    keys
};

const fn random(n: usize) -> u128 {
    let high = mix(GOLDEN.wrapping_mul(2 * n as u64 + 1));
    let low = mix(GOLDEN.wrapping_mul(2 * n as u64 + 2));
    (high as u128) << 64 | low as u128
}

/// The key of a pawn on a hole.
#[inline]
pub(super) fn pawn(branch: Branch, hole: usize) -> u128 {
    PAWNS[branch.index()][hole]
}

/// The key of a branch being the one to move.
#[inline]
pub(super) fn to_move(branch: Branch) -> u128 {
    BRANCHES[0][branch.index()]
}

/// The key of a branch being in the game.
pub(super) fn standing(branch: Branch) -> u128 {
    BRANCHES[1][branch.index()]
}

/// The key of a position on the board as `place` lays it out.
pub(super) fn position(
    pawns: &Pawns,
    mover: Branch,
    in_game: Branches,
    place: impl Fn(usize) -> usize,
) -> u128 {
    in_game.iter().fold(to_move(mover), |key, branch| {
        let board = holes(pawns.of(branch)).fold(0, |board, hole| board ^ pawn(branch, place(hole)));
        key ^ standing(branch) ^ board
    })
}
