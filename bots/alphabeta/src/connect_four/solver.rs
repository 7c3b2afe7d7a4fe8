//! Connect four solved outright: the exact score of a position, by alpha-beta with a window of one.
//!
//! The score is the number of own discs left when winning, `(cells + 1 - plies before the winning move) / 2`, negative
//! for the loser, 0 for a draw. The means are those of J. Tromp's and P. Pons's solvers: only moves that do not lose at
//! once, those that make the most threats first, the middle before the sides; a hash table in which mirrored positions
//! are one; and the score found by halving the interval in which it must lie.

use bot_engine::Watch;
use bot_engine::evaluation::connect_four::grid::{Discs, Grid};

/// Positions between two looks at the clock: a fraction of a millisecond.
const LOOK: u64 = 1 << 10;

/// From so many discs on, mirrored positions meet too seldom to pay for looking.
const MIRROR_UNTIL: i32 = 22;

/// The solver of boards of one size, with what it remembers.
#[derive(Debug)]
pub struct Solver {
    grid: Grid,
    /// Columns from the middle to the sides.
    columns: Vec<u64>,
    keys: Vec<u64>,
    bounds: Vec<i8>,
    nodes: u64,
    stopped: bool,
}

/// A bound of a score, in one byte: an upper bound as it is, a lower bound beyond all scores.
const LOWER: i32 = 64;

impl Solver {
    /// A solver that remembers as many positions as fit into this memory.
    #[must_use]
    pub fn new(grid: Grid, memory: usize) -> Solver {
        let mut columns: Vec<u32> = (0..grid.width).collect();
        columns.sort_by_key(|&column| (2 * column + 1).abs_diff(grid.width));
        let size = (memory / 9).max(1 << 10);
        Solver {
            grid,
            columns: columns.into_iter().map(|column| grid.column(column)).collect(),
            keys: vec![0; size],
            bounds: vec![0; size],
            nodes: 0,
            stopped: false,
        }
    }

    /// Positions looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A best move, as the bit where its disc comes to rest, and the score; `None` when an answer could not wait.
    pub fn best(&mut self, discs: Discs, watch: &dyn Watch) -> Option<(u64, i32)> {
        let landings = self.grid.landings(discs);
        let wins = self.grid.wins(discs);
        if wins != 0 {
            return Some((wins & wins.wrapping_neg(), (self.grid.cells() + 1 - discs.count()) / 2));
        }
        let score = self.score(discs, watch)?;
        let moves = self.columns.clone().into_iter().map(|column| column & landings);
        for landing in moves.filter(|&landing| landing != 0) {
            let after = discs.after(landing);
            let value = if self.grid.wins(after) != 0 {
                -(self.grid.cells() - discs.count()) / 2
            } else {
                -self.bound(after, -score, 1 - score, watch)
            };
            if self.stopped {
                return None;
            }
            if value >= score {
                return Some((landing, score));
            }
        }
        unreachable!("some move has the score of the position");
    }

    /// The score of a position that is not over; `None` when an answer could not wait.
    pub fn score(&mut self, discs: Discs, watch: &dyn Watch) -> Option<i32> {
        self.stopped = false;
        let left = self.grid.cells() - discs.count();
        if self.grid.wins(discs) != 0 {
            return Some((left + 1) / 2);
        }
        let (mut low, mut high) = (-left / 2, (left + 1) / 2);
        while low < high {
            // Near 0 first: who wins is more quickly told than how soon.
            let mut middle = low + (high - low) / 2;
            if middle <= 0 && low / 2 < middle {
                middle = low / 2;
            } else if middle >= 0 && high / 2 > middle {
                middle = high / 2;
            }
            let bound = self.bound(discs, middle, middle + 1, watch);
            if self.stopped {
                return None;
            }
            if bound <= middle {
                high = bound;
            } else {
                low = bound;
            }
        }
        Some(low)
    }

    /// Whether the score is at most `low` or at least `high`: a bound on that side. The side to move cannot win at once.
    fn bound(&mut self, discs: Discs, mut low: i32, mut high: i32, watch: &dyn Watch) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) && watch.must_stop() {
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
        if least >= high {
            return least;
        }
        if low >= most {
            return most;
        }
        (low, high) = (low.max(least), high.min(most));
        let (place, key) = self.place(discs, count);
        if self.keys[place] == key {
            let bound = i32::from(self.bounds[place]);
            if bound >= LOWER / 2 {
                low = low.max(bound - LOWER);
            } else {
                high = high.min(bound);
            }
            if low >= high {
                return if bound >= LOWER / 2 { bound - LOWER } else { bound };
            }
        }
        let (ordered, number) = self.ordered(discs, moves);
        let mut best = low;
        for &landing in ordered[..number].iter().rev() {
            let value = -self.bound(discs.after(landing), -high, -best, watch);
            if self.stopped {
                return 0;
            }
            if value >= high {
                self.keys[place] = key;
                self.bounds[place] = (value + LOWER) as i8;
                return value;
            }
            best = best.max(value);
        }
        self.keys[place] = key;
        self.bounds[place] = best as i8;
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
        // No position is 0, as places are that hold nothing.
        key += 1;
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (((u128::from(spread) * self.keys.len() as u128) >> 64) as usize, key)
    }
}
