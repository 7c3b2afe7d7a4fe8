//! Exact endgames of Othello: the final difference of discs with best play.
//!
//! Principal variation search on two words. While many cells are empty, the moves that leave the opponent the fewest
//! replies come first ("fastest first") and positions are remembered; near the end, moves into regions with an odd
//! number of empty cells come first ("parity"), and the last four cells have code of their own.

use bot_engine::Watch;
use bot_engine::evaluation::othello::{captures, evaluate, settled, turned};

use super::last::{few, final_score, turned_near};

/// Positions between two looks at the clock.
const LOOK: u64 = 1 << 12;
/// From so many empty cells on positions are remembered, and moves sorted by replies.
const SORTED: u32 = 7;
/// From so many empty cells on moves are sorted by how the position looks after them.
const LOOKED_AT: u32 = 11;
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// Beyond every score.
const BEYOND: i32 = 65;
/// The four quarters of the board.
const QUARTERS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    own: u64,
    other: u64,
    low: i8,
    high: i8,
    best: u8,
}

impl Entry {
    fn words(self) -> [u64; 3] {
        let rest = u32::from_le_bytes([self.low.cast_unsigned(), self.high.cast_unsigned(), self.best, 0]);
        [self.own, self.other, u64::from(rest)]
    }

    fn read([own, other, rest]: [u64; 3]) -> Entry {
        let [low, high, best, ..] = rest.to_le_bytes();
        Entry { own, other, low: low.cast_signed(), high: high.cast_signed(), best }
    }
}

/// The solver, with what it remembers.
#[derive(Debug)]
pub struct Endgame {
    /// Plain words, so that memory which is never used is never touched either.
    entries: Vec<[u64; 3]>,
    nodes: u64,
    stopped: bool,
}

/// A move: where, what it turns, and how soon it is tried.
#[derive(Clone, Copy, Default)]
struct Try {
    cell: u32,
    turned: u64,
    order: i32,
}

impl Endgame {
    /// A solver that remembers as many positions as fit into so many bytes.
    #[must_use]
    pub fn new(memory: usize) -> Endgame {
        let size = (memory / size_of::<[u64; 3]>()).max(1 << 10);
        Endgame { entries: vec![[0; 3]; size], nodes: 0, stopped: false }
    }

    /// Positions looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The best cell, or `None` for a pass, and the final difference of discs for the side to move; nothing when an
    /// answer could not wait. The game must not be over.
    pub fn best(&mut self, own: u64, other: u64, watch: &dyn Watch) -> Option<(Option<u32>, i32)> {
        self.stopped = false;
        if captures(own, other) == 0 {
            let score = -self.score(other, own, -BEYOND, BEYOND, watch);
            return (!self.stopped).then_some((None, score));
        }
        let (mut tries, number) = self.tries(own, other, 64);
        let tries = &mut tries[..number];
        tries.sort_by_key(|t| t.order);
        let (mut best, mut cell) = (-BEYOND, None);
        for (i, &Try { cell: at, turned, .. }) in tries.iter().enumerate() {
            let (next_own, next_other) = (other ^ turned, own | turned | 1 << at);
            let mut score = best + 1;
            if i > 0 {
                score = -self.score(next_own, next_other, -best - 1, -best, watch);
            }
            if i == 0 || score > best {
                score = -self.score(next_own, next_other, -BEYOND, -best, watch);
            }
            if self.stopped {
                return None;
            }
            if score > best {
                (best, cell) = (score, Some(at));
            }
        }
        Some((cell, best))
    }

    /// The score of a position: exact within the window, a bound beyond it.
    fn score(&mut self, own: u64, other: u64, low: i32, high: i32, watch: &dyn Watch) -> i32 {
        self.nodes += 1;
        if self.nodes & (LOOK - 1) == 0 && watch.must_stop() {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let empty = !(own | other);
        match empty.count_ones() {
            0 => final_score(own, other),
            1..=4 => self.last_few(own, other, low, high),
            5..SORTED => self.by_parity(own, other, low, high, watch),
            _ => self.sorted(own, other, low, high, watch),
        }
    }

    /// The last cells, those in odd regions first.
    fn last_few(&mut self, own: u64, other: u64, low: i32, high: i32) -> i32 {
        let empty = !(own | other);
        let odd = odd_quarters(empty);
        let (mut cells, mut number) = ([0; 4], 0);
        for mut set in [empty & odd, empty & !odd] {
            while set != 0 {
                cells[number] = set.trailing_zeros();
                set &= set - 1;
                number += 1;
            }
        }
        few(own, other, low, high, &cells[..number], &mut self.nodes)
    }

    /// Five or six empty cells: no lists, odd regions first.
    fn by_parity(&mut self, own: u64, other: u64, mut low: i32, high: i32, watch: &dyn Watch) -> i32 {
        if let Some(bound) = bound_by_settled(other, low) {
            return bound;
        }
        let empty = !(own | other);
        let odd = odd_quarters(empty);
        let mut best = -BEYOND;
        for mut set in [empty & odd, empty & !odd] {
            while set != 0 {
                let cell = set.trailing_zeros();
                set &= set - 1;
                let turned = turned_near(own, other, cell);
                if turned == 0 {
                    continue;
                }
                let score = -self.score(other ^ turned, own | turned | 1 << cell, -high, -low, watch);
                if score > best {
                    best = score;
                    low = low.max(score);
                    if low >= high {
                        return best;
                    }
                }
            }
        }
        if best > -BEYOND {
            best
        } else if captures(other, own) != 0 {
            -self.score(other, own, -high, -low, watch)
        } else {
            final_score(own, other)
        }
    }

    /// Many empty cells: remembered, and sorted.
    fn sorted(&mut self, own: u64, other: u64, low: i32, high: i32, watch: &dyn Watch) -> i32 {
        if captures(own, other) == 0 {
            if captures(other, own) == 0 {
                return final_score(own, other);
            }
            return -self.score(other, own, -high, -low, watch);
        }
        if let Some(bound) = bound_by_settled(other, low) {
            return bound;
        }
        let place = self.place(own, other);
        let entry = Entry::read(self.entries[place]);
        let is_known = (entry.own, entry.other) == (own, other);
        let (mut low, mut high) = (low, high);
        if is_known {
            low = low.max(i32::from(entry.low));
            high = high.min(i32::from(entry.high));
            if low >= high {
                return if i32::from(entry.low) >= high { i32::from(entry.low) } else { high };
            }
        }
        let (mut tries, number) = self.tries(own, other, if is_known { entry.best.into() } else { 64 });
        let tries = &mut tries[..number];
        tries.sort_unstable_by_key(|t| t.order);
        let (mut best, mut best_cell, floor) = (-BEYOND, 64, low);
        for (i, &Try { cell, turned, .. }) in tries.iter().enumerate() {
            let (next_own, next_other) = (other ^ turned, own | turned | 1 << cell);
            let mut score = low + 1;
            if i > 0 {
                score = -self.score(next_own, next_other, -low - 1, -low, watch);
            }
            if i == 0 || score > low && score < high {
                score = -self.score(next_own, next_other, -high, -low, watch);
            }
            if self.stopped {
                return 0;
            }
            if score > best {
                (best, best_cell) = (score, cell);
                low = low.max(score);
                if low >= high {
                    break;
                }
            }
        }
        let (mut at_least, mut at_most) = if is_known { (entry.low, entry.high) } else { (-64, 64) };
        if best > floor {
            at_least = at_least.max(best as i8);
        }
        if best < high {
            at_most = at_most.min(best as i8);
        }
        let entry = Entry { own, other, low: at_least, high: at_most, best: best_cell as u8 };
        self.entries[place] = entry.words();
        best
    }

    /// The moves, not yet sorted: small orders are to come first.
    fn tries(&self, own: u64, other: u64, known: u32) -> ([Try; 34], usize) {
        let (mut tries, mut number) = ([Try::default(); 34], 0);
        let empty = !(own | other);
        let left = empty.count_ones();
        let odd = odd_quarters(empty);
        let mut moves = captures(own, other);
        while moves != 0 {
            let cell = moves.trailing_zeros();
            moves &= moves - 1;
            let turned = turned(own, other, cell);
            let (next_own, next_other) = (other ^ turned, own | turned | 1 << cell);
            let replies = captures(next_own, next_other);
            let corners = (replies & CORNERS).count_ones();
            let mut order = 16 * (replies.count_ones() + corners).cast_signed();
            order -= if odd >> cell & 1 == 1 { 8 } else { 0 };
            order -= if CORNERS >> cell & 1 == 1 { 16 } else { 0 };
            if left >= LOOKED_AT {
                order += evaluate(next_own, next_other) / 12;
            }
            if cell == known {
                order = i32::MIN;
            }
            tries[number] = Try { cell, turned, order };
            number += 1;
        }
        (tries, number)
    }

    fn place(&self, own: u64, other: u64) -> usize {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        ((u128::from(mixed) * self.entries.len() as u128) >> 64) as usize
    }
}

/// All cells of the quarters with an odd number of empty cells.
#[inline]
fn odd_quarters(empty: u64) -> u64 {
    QUARTERS
        .iter()
        .filter(|&&quarter| (empty & quarter).count_ones() % 2 == 1)
        .fold(0, |odd, quarter| odd | quarter)
}

/// An upper bound no better than `low`, if discs that stay with the other side give one.
#[inline]
fn bound_by_settled(other: u64, low: i32) -> Option<i32> {
    if other & CORNERS == 0 {
        return None;
    }
    let bound = 64 - 2 * settled(other).count_ones().cast_signed();
    (bound <= low).then_some(bound)
}
