//! Othello: corners and what gives them away, mobility now and later, discs that stay, parity, and discs at the end.
//!
//! The features are those of the literature since Rosenbloom's Iago (1982): a side with few moves is forced to give up
//! corners, so early on mobility weighs most and discs count for nothing. Weights depend on the number of empty cells.

use super::{Evaluation, Points};
use arbiter_plugin_api::Error;
use arbiter_rules::{Move, Position};
use std::str::FromStr;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const NOT_A_FILE: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;
/// For each corner the cell diagonally next to it, and the two beside it on the edges.
const AT_CORNERS: [(u64, u64, u64); 4] = [
    (1, 1 << 9, 1 << 1 | 1 << 8),
    (1 << 7, 1 << 14, 1 << 6 | 1 << 15),
    (1 << 56, 1 << 49, 1 << 57 | 1 << 48),
    (1 << 63, 1 << 54, 1 << 62 | 1 << 55),
];

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
    fn points(&mut self, position: &dyn Position) -> Points {
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

/// The discs of the first and of the second seat, as bits.
#[must_use]
pub fn discs(cells: &[u8]) -> (u64, u64) {
    let of = |seat| (0..).zip(cells).fold(0, |bits, (cell, &owner)| bits | u64::from(owner == seat) << cell);
    (of(1), of(2))
}

/// The empty cells on which `own` can be placed.
#[inline]
#[must_use]
pub fn captures(own: u64, other: u64) -> u64 {
    let inner = other & 0x7e7e_7e7e_7e7e_7e7e;
    let along = |step: u32, other: u64| {
        // Runs of the other's discs double in length: one, two, four, six.
        let up = other & (own << step);
        let up = up | other & (up << step);
        let pairs = other & (other << step);
        let up = up | pairs & (up << (2 * step));
        let up = up | pairs & (up << (2 * step));
        let down = other & (own >> step);
        let down = down | other & (down >> step);
        let pairs = pairs >> step;
        let down = down | pairs & (down >> (2 * step));
        let down = down | pairs & (down >> (2 * step));
        up << step | down >> step
    };
    (along(1, inner) | along(7, inner) | along(9, inner) | along(8, other)) & !(own | other)
}

/// All cells that touch these.
#[inline]
fn around(discs: u64) -> u64 {
    let wide = discs | (discs << 1 & NOT_A_FILE) | (discs >> 1 & NOT_H_FILE);
    wide | wide << 8 | wide >> 8
}

/// Discs that can never be turned again, as far as four quick passes from the corners see: a disc stays if on each of
/// the four lines through it one neighbour stays or is beyond the board.
#[must_use]
pub fn settled(own: u64) -> u64 {
    const A_FILE: u64 = !NOT_A_FILE;
    const H_FILE: u64 = !NOT_H_FILE;
    const ENDS: u64 = 0xff00_0000_0000_00ff;
    let mut stay = own & CORNERS;
    if stay == 0 {
        return 0;
    }
    for _ in 0..8 {
        let across = (stay << 1 & NOT_A_FILE) | (stay >> 1 & NOT_H_FILE) | A_FILE | H_FILE;
        let upright = stay << 8 | stay >> 8 | ENDS;
        let rising = (stay << 9 & NOT_A_FILE) | (stay >> 9 & NOT_H_FILE) | ENDS | A_FILE | H_FILE;
        let falling = (stay << 7 & NOT_H_FILE) | (stay >> 7 & NOT_A_FILE) | ENDS | A_FILE | H_FILE;
        let more = own & across & upright & rising & falling;
        if more | stay == stay {
            break;
        }
        stay |= more;
    }
    stay
}

fn count(cells: u64) -> i32 {
    cells.count_ones().cast_signed()
}

/// Everything, for the side to move.
#[must_use]
pub fn evaluate(own: u64, other: u64) -> i32 {
    let empty = !(own | other);
    let left = count(empty);
    let (moves, replies) = (captures(own, other), captures(other, own));
    let mobility = count(moves) - count(replies);
    let frontier = count(around(other) & empty) - count(around(own) & empty);
    let corners = count(own & CORNERS) - count(other & CORNERS);
    // A corner that can be taken at once is nearly as good as taken; the mover comes first.
    let next = 2 * count(moves & CORNERS) - count(replies & CORNERS);
    let staying = count(settled(own)) - count(settled(other));
    let late = 60 - left;
    let mut score = mobility * (70 - late / 2) + frontier * (36 - late / 3) + staying * 90;
    score += corners * 700 + next * 220 + near_corners(own, other, empty);
    if left < 20 {
        // With an odd number of empty cells the mover is likely to make the last move.
        score += if left % 2 == 1 { 120 } else { -60 };
    }
    score + (count(own) - count(other)) * (late - 36).max(-6)
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

/// For each cell its four rays to higher cells (E, SW, S, SE), then its four to lower ones.
static RAYS: [[u64; 8]; 64] = rays();

const fn rays() -> [[u64; 8]; 64] {
    let steps: [(i32, i32); 8] = [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut cell = 0;
    while cell < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (down, right) = steps[direction];
            let (mut row, mut column) = (cell as i32 / 8 + down, cell as i32 % 8 + right);
            while row >= 0 && row < 8 && column >= 0 && column < 8 {
                rays[cell][direction] |= 1 << (row * 8 + column);
                row += down;
                column += right;
            }
            direction += 1;
        }
        cell += 1;
    }
    rays
}

/// The discs of `other` that turn when `own` is placed on a cell.
///
/// Upwards, adding one to the ray lets a carry run through the other's discs to the first cell that is not theirs;
/// downwards the highest cell that is not theirs is found by counting zeros.
#[inline]
#[must_use]
pub fn turned(own: u64, other: u64, cell: u32) -> u64 {
    let rays = &RAYS[(cell & 63) as usize];
    let mut all = 0;
    for &ray in &rays[..4] {
        let end = (other | !ray).wrapping_add(ray & ray.wrapping_neg()) & own & ray;
        all |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for &ray in &rays[4..] {
        let stop = ray & !other | 1;
        let end = (1 << 63 >> stop.leading_zeros()) & own & ray;
        all |= ray & end.wrapping_neg().wrapping_shl(1) & if end == 0 { 0 } else { u64::MAX };
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Chance, MoveList, Random, Setup, registry};

    #[test]
    fn moves_and_turned_discs_are_those_of_the_rules() {
        let mut random = Random::new(7);
        for _ in 0..60 {
            let mut position = registry::start("othello", &Setup::default()).unwrap();
            let (mut cells, mut moves) = ([0; 64], MoveList::new());
            while let Some(seat) = position.to_move() {
                position.write_cells(&mut cells);
                let (first, second) = discs(&cells);
                let (own, other) = if seat.index() == 0 { (first, second) } else { (second, first) };
                position.legal_moves(&mut moves);
                let m = moves[random.below(moves.len())];
                if position.must_pass() {
                    assert_eq!(captures(own, other), 0);
                } else {
                    let listed = moves.iter().fold(0, |set, m| set | 1 << m.to());
                    assert_eq!(captures(own, other), listed, "{}", position.text());
                }
                position.play(m, &Chance::NONE).unwrap();
                if m.kind() == Some(arbiter_rules::MoveKind::Place) {
                    position.write_cells(&mut cells);
                    let after = discs(&cells);
                    let turned = turned(own, other, u32::from(m.to()));
                    let placed = own | turned | 1 << m.to();
                    let expected = if seat.index() == 0 { after.0 } else { after.1 };
                    assert_eq!(placed, expected, "{}", position.text());
                }
            }
        }
    }

    #[test]
    fn settled_discs_are_never_turned_again() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            let mut position = registry::start("othello", &Setup::default()).unwrap();
            let (mut cells, mut moves) = ([0; 64], MoveList::new());
            let mut held = (0, 0);
            while position.to_move().is_some() {
                position.legal_moves(&mut moves);
                position.play(moves[random.below(moves.len())], &Chance::NONE).unwrap();
                position.write_cells(&mut cells);
                let now = discs(&cells);
                assert_eq!((held.0 & now.0, held.1 & now.1), held, "{}", position.text());
                held = (settled(now.0), settled(now.1));
            }
        }
    }

    #[test]
    fn a_corner_is_good_and_the_cell_beside_an_empty_one_is_bad() {
        let board = |own: &[u32], other: &[u32]| {
            let set = |cells: &[u32]| cells.iter().fold(0, |set, cell| set | 1 << cell);
            evaluate(set(own) | 0x0000_0018_0000_0000, set(other) | 0x0000_0000_1800_0000)
        };
        assert!(board(&[0], &[20]) > board(&[3], &[20]));
        assert!(board(&[9], &[20]) < board(&[18], &[20]));
    }

    #[test]
    fn heuristics_are_told_by_their_words() {
        assert_eq!("mobility".parse(), Ok(Heuristic::Mobility));
        let error = "mobile".parse::<Heuristic>().unwrap_err().to_string();
        assert_eq!(error, "try all, discs, corners, mobility or captures");
        let (own, other) = (0x0000_0010_0800_0000, 0x0000_0008_1000_0000);
        assert_eq!(evaluate_by(Heuristic::Captures, own, other), 0);
        assert_eq!(evaluate_by(Heuristic::Discs, own | 1, other), 100);
        assert_eq!(evaluate_by(Heuristic::Corners, own | 1, other), 1000);
    }
}
