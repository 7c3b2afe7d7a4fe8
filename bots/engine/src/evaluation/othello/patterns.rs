//! What the rows, columns, diagonals and corners of a board are worth, as `examples/learn-othello` has learned it.
//!
//! Each of these patterns has a number for every way in which its cells can be owned (M. Buro's Logistello, 1995). The
//! numbers were fitted to the final differences of discs of games that the evaluation played against itself, at four
//! stages of the game; between two stages both count by how near they are.

use std::sync::LazyLock;

use super::captures;
use crate::evaluation::state;

/// Stages of the game.
pub const STAGES: usize = 4;
/// Empty cells at the last stage, and between two stages.
pub const STEP: u32 = 12;
/// So many units are one disc.
pub const UNIT: i32 = 8;

/// Cells of each kind of pattern: rows and columns from the edge to the middle, diagonals of eight to four cells, and the
/// nine cells at a corner.
const LENGTHS: [u32; 10] = [8, 8, 8, 8, 8, 7, 6, 5, 4, 9];
/// Moves that are told apart.
const MOVES: usize = 32;
/// Where the numbers of each kind begin; behind them those for the mover's and the opponent's moves.
const STARTS: [usize; 12] = starts();
/// How many numbers there are for a stage.
pub const SIZE: usize = STARTS[11] + MOVES;

const fn starts() -> [usize; 12] {
    let mut starts = [0; 12];
    let mut kind = 0;
    while kind < 10 {
        starts[kind + 1] = starts[kind] + 3_usize.pow(LENGTHS[kind]);
        kind += 1;
    }
    starts[11] = starts[10] + MOVES;
    starts
}

/// Powers of three.
const POWERS: [usize; 9] = [1, 3, 9, 27, 81, 243, 729, 2_187, 6_561];

/// The numbers of all patterns, which a mirrored pattern shares with its mirror image.
#[derive(Debug)]
pub struct Patterns(Vec<[i8; STAGES]>);

impl Patterns {
    /// Those that were learned.
    #[must_use]
    pub fn built_in() -> &'static Patterns {
        static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns::of(include_bytes!("patterns.bin")));
        &PATTERNS
    }

    /// Reads the numbers of the patterns that are their own representatives, in their order.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Patterns {
        let representatives = representatives();
        let mut numbers = bytes.as_chunks::<STAGES>().0.iter().map(|stages| stages.map(u8::cast_signed));
        let mut all = vec![[0; STAGES]; SIZE];
        for state in 0..SIZE {
            let first = representatives[state] as usize;
            all[state] = if first == state { numbers.next().unwrap_or_default() } else { all[first] };
        }
        Patterns(all)
    }

    /// How good a position looks for the side to move; a hundred points are a disc more in the end.
    #[must_use]
    pub fn evaluate(&self, own: u64, other: u64) -> i32 {
        let mut sums = [0; STAGES];
        states(own, other, |state| {
            for (sum, number) in sums.iter_mut().zip(self.0[state]) {
                *sum += i32::from(number);
            }
        });
        let (stage, part) = stage((!(own | other)).count_ones());
        let (near, far) = (sums[stage], sums[(stage + 1).min(STAGES - 1)]);
        let step = STEP.cast_signed();
        (near * (step - part) + far * part) * 100 / (UNIT * step)
    }
}

/// The stage that a number of empty cells has reached, and how many of [`STEP`] parts the one before it still counts.
#[must_use]
pub fn stage(left: u32) -> (usize, i32) {
    let before = left.clamp(STEP, STEP * STAGES as u32) - STEP;
    ((before / STEP) as usize, (before % STEP).cast_signed())
}

/// Calls with the state of every pattern of a position.
#[inline]
pub fn states(own: u64, other: u64, mut call: impl FnMut(usize)) {
    let index = |own: u64, other: u64| state((own & 511) as u16, (other & 511) as u16);
    for (own, other) in [(own, other), (transposed(own), transposed(other))] {
        for row in 0..8 {
            let kind = if row < 4 { row } else { 7 - row };
            call(STARTS[kind] + index(own >> (8 * row) & 255, other >> (8 * row) & 255));
        }
    }
    for (own, other) in [(own, other), (own.swap_bytes(), other.swap_bytes())] {
        call(STARTS[4] + index(diagonal(own, 0), diagonal(other, 0)));
        for aside in 1..5 {
            let right = index(diagonal(own << (8 * aside), aside), diagonal(other << (8 * aside), aside));
            let left = index(diagonal(own >> (8 * aside), 0), diagonal(other >> (8 * aside), 0));
            call(STARTS[4 + aside as usize] + right);
            call(STARTS[4 + aside as usize] + left);
        }
        for (own, other) in [(own, other), (own.reverse_bits(), other.reverse_bits())] {
            call(STARTS[9] + index(corner(own), corner(other)));
        }
    }
    let moves = |own, other| (captures(own, other).count_ones() as usize).min(MOVES - 1);
    call(STARTS[10] + moves(own, other));
    call(STARTS[11] + moves(other, own));
}

/// The cells of the diagonal from the upper left to the lower right corner, by their columns from this one on.
fn diagonal(set: u64, from: u32) -> u64 {
    ((set & 0x8040_2010_0804_0201).wrapping_mul(0x0101_0101_0101_0101) >> 56) >> from
}

/// The nine cells at the upper left corner.
fn corner(set: u64) -> u64 {
    set & 7 | (set >> 8 & 7) << 3 | (set >> 16 & 7) << 6
}

/// Rows as columns.
fn transposed(set: u64) -> u64 {
    let swap = |set: u64, mask: u64, by: u32| {
        let change = (set ^ set >> by) & mask;
        set ^ change ^ change << by
    };
    let set = swap(set, 0x00aa_00aa_00aa_00aa, 7);
    let set = swap(set, 0x0000_cccc_0000_cccc, 14);
    swap(set, 0x0000_0000_f0f0_f0f0, 28)
}

/// For every state the first one that is the same or its mirror image.
#[must_use]
pub fn representatives() -> Vec<u32> {
    let mut representatives: Vec<u32> = (0..SIZE as u32).collect();
    for (kind, &length) in LENGTHS.iter().enumerate() {
        for state in 0..3_usize.pow(length) {
            let (mut rest, mut mirrored) = (state, 0);
            for at in 0..length {
                // A line is read backwards, a corner by columns.
                let to = if length == 9 { at % 3 * 3 + at / 3 } else { length - 1 - at };
                mirrored += rest % 3 * POWERS[to as usize];
                rest /= 3;
            }
            representatives[STARTS[kind] + state] = (STARTS[kind] + state.min(mirrored)) as u32;
        }
    }
    representatives
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::Random;

    #[test]
    fn a_board_turned_or_mirrored_looks_the_same() {
        let mut random = Random::new(4);
        let patterns = Patterns::built_in();
        for _ in 0..200 {
            let (a, b) = (random.bits(), random.bits());
            let (own, other) = (a & b, a & !b);
            let score = patterns.evaluate(own, other);
            assert_eq!(patterns.evaluate(transposed(own), transposed(other)), score);
            assert_eq!(patterns.evaluate(own.swap_bytes(), other.swap_bytes()), score);
            assert_eq!(patterns.evaluate(own.reverse_bits(), other.reverse_bits()), score);
        }
    }

    #[test]
    fn every_cell_is_seen_and_every_state_in_range() {
        let seen = |own, other| {
            let mut list = Vec::new();
            states(own, other, |state| list.push(state));
            assert!(list.iter().all(|&state| state < SIZE));
            list
        };
        let nothing = seen(0, 0);
        for cell in 0..64 {
            assert_ne!(seen(1 << cell, 0), nothing);
            assert_ne!(seen(1 << cell, 0), seen(0, 1 << cell));
        }
        let _ = (seen(u64::MAX, 0), seen(0, u64::MAX));
    }
}
