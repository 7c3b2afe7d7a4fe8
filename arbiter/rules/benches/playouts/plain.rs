//! The yardstick: random games on bare bitboards, as one would write them for a single game and nothing else. They take
//! the same random numbers and the same moves as the rules, so both must come to the same number of plies.

use arbiter_rules::Random;

/// Plays a random game to its end and returns its plies.
pub(crate) type Plain = fn(&mut Random) -> u32;

/// The yardstick of a game with its usual options.
pub(crate) fn of(game: &str) -> Option<Plain> {
    match game {
        "othello" => Some(othello),
        "connect-four" => Some(connect_four),
        "ultimate" => Some(ultimate),
        _ => None,
    }
}

/// The n-th of the bits that are set.
fn nth_bit(mut bits: u64, n: usize) -> u64 {
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits & bits.wrapping_neg()
}

/// Picks one of the bits that are set.
fn pick(bits: u64, random: &mut Random) -> u64 {
    nth_bit(bits, random.below(bits.count_ones() as usize))
}

const DIRECTIONS: [(u32, u64); 4] =
    [(1, 0x7e7e_7e7e_7e7e_7e7e), (8, !0), (7, 0x7e7e_7e7e_7e7e_7e7e), (9, 0x7e7e_7e7e_7e7e_7e7e)];

fn othello(random: &mut Random) -> u32 {
    let (mut own, mut other) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
    let mut plies = 0;
    loop {
        let moves = captures(own, other);
        if moves != 0 {
            let placed = pick(moves, random);
            let turned = turned(own, other, placed);
            own |= placed | turned;
            other &= !turned;
        } else if captures(other, own) != 0 {
            random.bits();
        } else {
            return plies;
        }
        (own, other) = (other, own);
        plies += 1;
    }
}

fn captures(own: u64, other: u64) -> u64 {
    let mut ends = 0;
    for (step, inner) in DIRECTIONS {
        let between = other & inner;
        let (mut up, mut down) = (between & own << step, between & own >> step);
        for _ in 0..5 {
            up |= between & up << step;
            down |= between & down >> step;
        }
        ends |= up << step | down >> step;
    }
    ends & !(own | other)
}

fn turned(own: u64, other: u64, placed: u64) -> u64 {
    let mut turned = 0;
    for (step, inner) in DIRECTIONS {
        let between = other & inner;
        let (mut up, mut down) = (between & placed << step, between & placed >> step);
        for _ in 0..5 {
            up |= between & up << step;
            down |= between & down >> step;
        }
        if own & up << step != 0 {
            turned |= up;
        }
        if own & down >> step != 0 {
            turned |= down;
        }
    }
    turned
}

/// Six cells and a gap a column, from the bottom up.
const COLUMN: u32 = 7;

fn connect_four(random: &mut Random) -> u32 {
    let bottoms: u64 = (0..7).map(|column| 1 << (column * COLUMN)).sum();
    let tops = bottoms << 5;
    let (mut own, mut other) = (0u64, 0u64);
    for plies in 1..=42 {
        let taken = own | other;
        let bottom = pick(tops & !taken, random) >> 5;
        own |= (taken + bottom) & !taken & (bottom * 0x3f);
        let has_line = [1, COLUMN - 1, COLUMN, COLUMN + 1].into_iter().any(|step| {
            let pairs = own & own >> step;
            pairs & pairs >> (2 * step) != 0
        });
        if has_line {
            return plies;
        }
        (own, other) = (other, own);
    }
    42
}

/// Whether three of nine cells are in line, by the nine bits.
fn has_line(cells: u16) -> bool {
    const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    LINES.into_iter().any(|line| cells & line == line)
}

fn ultimate(random: &mut Random) -> u32 {
    let mut cells = [[0u16; 9]; 2];
    let (mut won, mut open) = ([0u16; 2], 0x1ff_u16);
    let (mut forced, mut mover, mut plies) = (None, 0, 0);
    let empty = |cells: &[[u16; 9]; 2], board: usize| 0x1ff & !(cells[0][board] | cells[1][board]);
    while open != 0 {
        let (board, cell) = match forced {
            Some(board) => (board, pick(empty(&cells, board).into(), random)),
            None => {
                let boards = (0..9).filter(|board| open >> board & 1 == 1);
                let count: u32 = boards.clone().map(|board| empty(&cells, board).count_ones()).sum();
                let mut n = random.below(count as usize);
                let mut found = (0, 0);
                for board in boards {
                    let count = empty(&cells, board).count_ones() as usize;
                    if n < count {
                        found = (board, nth_bit(empty(&cells, board).into(), n));
                        break;
                    }
                    n -= count;
                }
                found
            }
        };
        cells[mover][board] |= cell as u16;
        plies += 1;
        if has_line(cells[mover][board]) {
            open &= !(1 << board);
            won[mover] |= 1 << board;
            if has_line(won[mover]) {
                return plies;
            }
        } else if empty(&cells, board) == 0 {
            open &= !(1 << board);
        }
        let next = cell.trailing_zeros() as usize;
        forced = (open >> next & 1 == 1).then_some(next);
        mover = 1 - mover;
    }
    plies
}
