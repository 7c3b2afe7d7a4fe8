//! Othello on two words: where discs can be placed, what they turn, and which stay for ever.

use super::{CORNERS, NOT_A_FILE, NOT_H_FILE};

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
}
