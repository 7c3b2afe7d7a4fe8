//! Connect four solved outright: alpha-beta with a window of one.
//!
//! The result is the number of own discs left when winning, `(cells + 1 - plies before the winning move) / 2`, negative
//! for the loser, 0 for a draw. The means are those of J. Tromp's and P. Pons's solvers: only moves that do not lose at
//! once, those that make the most threats first, the middle before the sides, and a hash table in which mirrored positions
//! are one.

use arbiter_rules::{Move, Position};

use super::{Solver, Stop};
use crate::evaluation::connect_four::grid::{Discs, Grid};

/// Positions between two looks at the clock: a fraction of a millisecond.
const LOOK: u64 = 1 << 10;

/// From so many discs on, mirrored positions meet too seldom to pay for looking.
const MIRROR_UNTIL: i32 = 12;

/// The results of the seven columns on the empty board of 7x6, by which the middle alone wins (J. D. Allen and V. Allis, 1988;
/// the numbers of discs are J. Tromp's).
const OPENINGS: [i32; 7] = [-2, -1, 0, 1, 0, -1, -2];

/// Whether a position is the start of 7x6, whose result is known.
pub(super) fn is_known(position: &Position) -> bool {
    let shape = position.shape();
    (shape.width, shape.height, position.ply()) == (7, 6, 0)
        && Grid::of(position).is_some_and(|grid| grid.discs_of(position).count() == 0)
}

/// The solver of boards of one size, with what it remembers.
#[derive(Debug)]
pub struct Lines {
    grid: Grid,
    /// Columns from the middle to the sides.
    columns: Vec<u64>,
    /// What is remembered: 56 bits of the spread key, and a bound in the last byte.
    words: Vec<u64>,
    root: Discs,
    is_known: bool,
    nodes: u64,
    stopped: bool,
}

/// A bound of a result, in one byte: an upper bound as it is, a lower bound beyond all results.
const LOWER: i32 = 64;

impl Lines {
    /// A solver that remembers as many positions as fit into this memory.
    #[must_use]
    pub fn new(grid: Grid, memory: usize) -> Lines {
        let mut columns: Vec<u32> = (0..grid.width).collect();
        columns.sort_by_key(|&column| (2 * column + 1).abs_diff(grid.width));
        let size = (memory / 8).max(1 << 10);
        Lines {
            grid,
            columns: columns.into_iter().map(|column| grid.column(column)).collect(),
            // Not 0, so that all is touched now and not during a turn.
            words: vec![u64::MAX; size],
            root: Discs { own: 0, all: 0 },
            is_known: false,
            nodes: 0,
            stopped: false,
        }
    }

    /// Whether the result is at most `low` or more: a bound on that side. The side to move cannot win at once.
    fn score(&mut self, discs: Discs, low: i32, stop: Stop<'_>) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) && stop() {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let count = discs.count();
        let left = self.grid.cells() - count;
        let moves = self.grid.sensible(discs);
        if moves == 0 {
            // The next disc of the other side wins, or the board is full.
            return if left == 0 { 0 } else { -(left / 2) };
        }
        if left <= 2 {
            return 0;
        }
        let (least, most) = (-(left - 2) / 2, (left - 1) / 2);
        if least > low {
            return least;
        }
        if low >= most {
            return most;
        }
        let (place, key) = self.place(discs, count);
        let word = self.words[place];
        if word & !0xff == key {
            let bound = i32::from(word as i8);
            if bound >= LOWER / 2 {
                if bound - LOWER > low {
                    return bound - LOWER;
                }
            } else if bound <= low {
                return bound;
            }
        }
        let (ordered, number) = self.ordered(discs, moves);
        let mut best = -most - 1;
        for &landing in ordered[..number].iter().rev() {
            let value = -self.score(discs.after(landing), -low - 1, stop);
            if self.stopped {
                return 0;
            }
            best = best.max(value);
            if best > low {
                break;
            }
        }
        let bound = if best > low { best + LOWER } else { best };
        self.words[place] = key | u64::from((bound as i8).cast_unsigned());
        best
    }

    /// The moves, those that make the most threats last and those in the middle behind those at the sides.
    fn ordered(&self, discs: Discs, moves: u64) -> ([u64; 20], usize) {
        let (mut ordered, mut threats, mut number) = ([0; 20], [0; 20], 0);
        for &column in self.columns.iter().rev() {
            let landing = column & moves;
            if landing == 0 {
                continue;
            }
            let count = self.grid.completing(discs.own | landing, discs.all).count_ones();
            let mut at = number;
            while at > 0 && threats[at - 1] > count {
                (ordered[at], threats[at]) = (ordered[at - 1], threats[at - 1]);
                at -= 1;
            }
            (ordered[at], threats[at]) = (landing, count);
            number += 1;
        }
        (ordered, number)
    }

    /// Where a position is remembered, and by which key.
    fn place(&self, discs: Discs, count: i32) -> (usize, u64) {
        let mut key = self.grid.key(discs);
        if count < MIRROR_UNTIL {
            key = key.min(self.grid.key(self.grid.mirrored(discs)));
        }
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (((u128::from(spread) * self.words.len() as u128) >> 64) as usize, spread & !0xff)
    }
}

impl Solver for Lines {
    fn set_up(&mut self, position: &Position) -> Vec<Move> {
        let discs = self.grid.discs_of(position);
        self.root = discs;
        self.is_known = is_known(position);
        let (wins, sensible) = (self.grid.wins(discs), self.grid.sensible(discs));
        let moves = [wins, sensible, self.grid.landings(discs)].into_iter().find(|&moves| moves != 0);
        let (ordered, number) = self.ordered(discs, moves.expect("the game is not over"));
        ordered[..number].iter().rev().map(|&landing| self.grid.move_of(landing)).collect()
    }

    fn bound(&mut self, m: Move, low: i32, stop: Stop<'_>) -> Option<i32> {
        let landing = self.grid.bit(u32::from(m.to()));
        if self.is_known {
            return Some(OPENINGS[usize::from(m.to()) % OPENINGS.len()]);
        }
        let left = self.grid.cells() - self.root.count();
        if self.grid.wins(self.root) & landing != 0 {
            return Some((left + 1) / 2);
        }
        let after = self.root.after(landing);
        if self.grid.wins(after) != 0 {
            return Some(-left / 2);
        }
        self.stopped = false;
        let result = -self.score(after, -low - 1, stop);
        (!self.stopped).then_some(result)
    }

    fn most(&self) -> i32 {
        (self.grid.cells() + 1) / 2
    }

    fn points(&self) -> i32 {
        1
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
