//! Exact endgames of Othello: half the final difference of discs with best play, empty cells counted for the winner.
//!
//! Alpha-beta with a window of one, on two words. While many cells are empty, the moves come first that leave the opponent
//! few replies ("fastest first") and a position that looks bad, positions are remembered, and before any move is searched
//! all are looked up ("enhanced transposition cutoff"); near the end, moves into regions with an odd number of empty cells
//! come first ("parity"), and the last four cells have code of their own.

mod last;

use arbiter_rules::{Move, Position};

use super::{Solver, Stop};
use crate::evaluation::othello::{CORNERS, captures, discs_of, evaluate, settled, turned};
use last::{few, final_score, turned_near};

/// Positions between two looks at the clock.
const LOOK: u64 = 1 << 12;
/// From so many empty cells on positions are remembered, and moves sorted by replies.
const SORTED: u32 = 7;
/// From so many empty cells on all moves are looked up before one is searched.
const LOOKED_UP: u32 = 10;
/// From so many empty cells on moves are sorted by how the position looks after them, and from so many after the best reply.
const LOOKED_AT: u32 = 11;
const LOOKED_BEYOND: u32 = 14;
/// Beyond every difference.
const BEYOND: i32 = 65;
/// The four quarters of the board.
const QUARTERS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    low: i8,
    high: i8,
    /// A move that was too good for the other side, or 64.
    best: u8,
    /// The number of empty cells.
    left: u8,
}

impl Entry {
    const UNKNOWN: Entry = Entry { low: -64, high: 64, best: 64, left: 0 };

    fn word(self) -> u64 {
        let Entry { low, high, best, left } = self;
        u64::from(u32::from_le_bytes([low.cast_unsigned(), high.cast_unsigned(), best, left]))
    }

    fn read(word: u64) -> Entry {
        let [low, high, best, left, ..] = word.to_le_bytes();
        Entry { low: low.cast_signed(), high: high.cast_signed(), best, left }
    }
}

/// The solver, with what it remembers.
#[derive(Debug)]
pub struct Endgame {
    /// Two places for each position, key and entry, the first of which keeps what has more empty cells.
    entries: Vec<[[u64; 2]; 2]>,
    root: (u64, u64),
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

impl Try {
    /// The position after the move, seen by the other side.
    fn after(self, own: u64, other: u64) -> (u64, u64) {
        (other ^ self.turned, own | self.turned | 1 << self.cell)
    }
}

impl Endgame {
    /// A solver that remembers as many positions as fit into so many bytes.
    #[must_use]
    pub fn new(memory: usize) -> Endgame {
        let size = (memory / size_of::<[[u64; 2]; 2]>()).max(1 << 10);
        let nothing = [u64::MAX, Entry::UNKNOWN.word()];
        // All is touched now and not during a turn.
        Endgame { entries: vec![[nothing; 2]; size], root: (0, 0), nodes: 0, stopped: false }
    }

    /// Whether the final difference of discs is at most `low` or more: a bound on that side.
    fn score(&mut self, own: u64, other: u64, low: i32, stop: Stop<'_>) -> i32 {
        self.nodes += 1;
        if self.nodes & (LOOK - 1) == 0 && stop() {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let empty = !(own | other);
        match empty.count_ones() {
            0 => final_score(own, other),
            1..=4 => self.last_few(own, other, low),
            5..SORTED => self.by_parity(own, other, low, stop),
            left => self.sorted(own, other, low, left, stop),
        }
    }

    /// The last cells, those in odd regions first.
    fn last_few(&mut self, own: u64, other: u64, low: i32) -> i32 {
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
        few(own, other, low, &cells[..number], &mut self.nodes)
    }

    /// Five or six empty cells: no lists, odd regions first.
    fn by_parity(&mut self, own: u64, other: u64, low: i32, stop: Stop<'_>) -> i32 {
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
                best = best.max(-self.score(other ^ turned, own | turned | 1 << cell, -low - 1, stop));
                if best > low {
                    return best;
                }
            }
        }
        if best > -BEYOND { best } else { self.passed(own, other, low, stop) }
    }

    /// The side to move has no move.
    fn passed(&mut self, own: u64, other: u64, low: i32, stop: Stop<'_>) -> i32 {
        if captures(other, own) == 0 {
            return final_score(own, other);
        }
        -self.score(other, own, -low - 1, stop)
    }

    /// Many empty cells: remembered, and sorted.
    fn sorted(&mut self, own: u64, other: u64, low: i32, left: u32, stop: Stop<'_>) -> i32 {
        let moves = captures(own, other);
        if moves == 0 {
            return self.passed(own, other, low, stop);
        }
        if let Some(bound) = bound_by_settled(other, low) {
            return bound;
        }
        let (place, key) = self.place(own, other);
        let mut entry = self.remembered(place, key);
        if i32::from(entry.low) > low {
            return entry.low.into();
        }
        if i32::from(entry.high) <= low {
            return entry.high.into();
        }
        let (mut tries, number) = tries(own, other, moves, left, entry.best.into());
        let tries = &mut tries[..number];
        if left >= LOOKED_UP {
            for t in &*tries {
                let (next_own, next_other) = t.after(own, other);
                let (place, key) = self.place(next_own, next_other);
                let bound = -i32::from(self.remembered(place, key).high);
                if bound > low {
                    return bound;
                }
            }
        }
        let mut best = -BEYOND;
        for i in 0..number {
            let next = (i..number).min_by_key(|&at| tries[at].order).expect("there are some left");
            tries.swap(i, next);
            let (next_own, next_other) = tries[i].after(own, other);
            let score = -self.score(next_own, next_other, -low - 1, stop);
            if self.stopped {
                return 0;
            }
            best = best.max(score);
            if best > low {
                entry.best = tries[i].cell as u8;
                break;
            }
        }
        if best > low {
            entry.low = best as i8;
        } else {
            entry.high = best as i8;
        }
        self.remember(place, key, Entry { left: left as u8, ..entry });
        best
    }

    fn remembered(&self, place: usize, key: u64) -> Entry {
        let found = self.entries[place].iter().find(|[there, _]| *there == key);
        found.map_or(Entry::UNKNOWN, |&[_, word]| Entry::read(word))
    }

    fn remember(&mut self, place: usize, key: u64, entry: Entry) {
        let [first, second] = &mut self.entries[place];
        // What is new displaces what is as far from the end or nearer to it; the rest it leaves to the second place.
        let there = if first[0] == key || Entry::read(first[1]).left <= entry.left { first } else { second };
        *there = [key, entry.word()];
    }

    fn place(&self, own: u64, other: u64) -> (usize, u64) {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let place = ((u128::from(mixed) * self.entries.len() as u128) >> 64) as usize;
        (place, (mixed ^ own).rotate_left(29) ^ other)
    }
}

/// The moves, not yet sorted: small orders are to come first.
fn tries(own: u64, other: u64, mut moves: u64, left: u32, known: u32) -> ([Try; 34], usize) {
    let (mut tries, mut number) = ([Try::default(); 34], 0);
    let odd = odd_quarters(!(own | other));
    while moves != 0 {
        let cell = moves.trailing_zeros();
        moves &= moves - 1;
        let mut t = Try { cell, turned: turned(own, other, cell), order: i32::MIN };
        if cell != known {
            let (next_own, next_other) = t.after(own, other);
            let replies = captures(next_own, next_other);
            let corners = (replies & CORNERS).count_ones();
            t.order = 16 * (replies.count_ones() + corners).cast_signed();
            t.order -= if odd >> cell & 1 == 1 { 8 } else { 0 };
            t.order -= if CORNERS >> cell & 1 == 1 { 16 } else { 0 };
            t.order += match left {
                LOOKED_BEYOND.. => after_best_reply(next_own, next_other, replies) / 24,
                LOOKED_AT.. => evaluate(next_own, next_other) / 32,
                _ => 0,
            };
        }
        tries[number] = t;
        number += 1;
    }
    (tries, number)
}

/// How a position looks for the side to move after the reply that looks best.
fn after_best_reply(own: u64, other: u64, mut replies: u64) -> i32 {
    let mut best = if replies == 0 { evaluate(own, other) } else { i32::MIN };
    while replies != 0 {
        let cell = replies.trailing_zeros();
        replies &= replies - 1;
        let turned = turned(own, other, cell);
        best = best.max(-evaluate(other ^ turned, own | turned | 1 << cell));
    }
    best
}

impl Solver for Endgame {
    fn set_up(&mut self, position: &Position) -> Vec<Move> {
        let (own, other) = discs_of(position);
        self.root = (own, other);
        let moves = captures(own, other);
        if moves == 0 {
            return vec![Move::PASS];
        }
        let (mut tries, number) = tries(own, other, moves, (!(own | other)).count_ones(), 64);
        tries[..number].sort_by_key(|t| t.order);
        tries[..number].iter().map(|t| Move::place(t.cell as u16)).collect()
    }

    fn bound(&mut self, m: Move, low: i32, stop: Stop<'_>) -> Option<i32> {
        let (own, other) = self.root;
        let (next_own, next_other) = if m == Move::PASS {
            (other, own)
        } else {
            let cell = u32::from(m.to());
            Try { cell, turned: turned(own, other, cell), order: 0 }.after(own, other)
        };
        self.stopped = false;
        // Differences are even, as the empty cells count too.
        let difference = -self.score(next_own, next_other, -2 * low - 1, stop);
        (!self.stopped).then_some(difference / 2)
    }

    fn most(&self) -> i32 {
        32
    }

    fn points(&self) -> i32 {
        2
    }

    fn nodes(&self) -> u64 {
        self.nodes
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
