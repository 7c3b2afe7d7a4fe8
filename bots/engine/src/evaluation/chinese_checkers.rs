//! Chinese checkers: the way that pawns still have to go, above all those left behind.
//!
//! Distances are those of the rules, section 1.4: the steps to the tip of the target. The square of the distance makes
//! a step of the last pawn better than one of the first; pawns near the axis of their way find more to jump over.

use super::{Cells, Evaluation, Points};
use arbiter_rules::{Move, Position};
use std::sync::LazyLock;

const HOLES: usize = 121;

/// The tips of the six branches, clockwise from the top.
const TIPS: [usize; 6] = [0, 22, 110, 120, 98, 10];

/// What a pawn of each seat is worth in each hole.
#[derive(Debug)]
pub struct Distances {
    worth: Vec<[i32; HOLES]>,
    cells: Cells,
}

impl Distances {
    /// The worth of holes for the seats of a game.
    #[must_use]
    pub fn of(position: &Position) -> Distances {
        let branches = branches(position.seats());
        let worth = branches.iter().map(|&branch| std::array::from_fn(|hole| worth(branch, hole)));
        Distances { worth: worth.collect(), cells: Cells::default() }
    }
}

/// The branches where the seats begin, in turn order.
fn branches(seats: usize) -> &'static [usize] {
    match seats {
        2 => &[0, 3],
        3 => &[0, 2, 4],
        4 => &[0, 1, 3, 4],
        _ => &[0, 1, 2, 3, 4, 5],
    }
}

/// Steps that a move brings a seat nearer to its target, ten points each.
fn progress(seat: usize, seats: usize, m: Move) -> i32 {
    static WAYS: LazyLock<[[i32; HOLES]; 6]> =
        LazyLock::new(|| TIPS.map(|tip| std::array::from_fn(|hole| distance(hole, tip))));
    let way = &WAYS[(branches(seats)[seat] + 3) % 6];
    let at = |hole: u16| way.get(usize::from(hole)).copied().unwrap_or(0);
    10 * (at(m.from()) - at(m.to()))
}

fn worth(branch: usize, hole: usize) -> i32 {
    let target = (branch + 3) % 6;
    let way = distance(hole, TIPS[target]);
    // How much longer the way is from the start's tip through this hole than straight on: twice the way off the axis.
    let astray = distance(hole, TIPS[branch]) + way - 16;
    let off_axis = distance(hole, TIPS[(branch + 1) % 6]).abs_diff(distance(hole, TIPS[(branch + 5) % 6]));
    -(100 * way + 4 * way * way + 12 * off_axis.cast_signed() + 30 * astray)
}

/// Steps between two holes on an empty board.
fn distance(a: usize, b: usize) -> i32 {
    let ((row, column), (other_row, other_column)) = (coordinates(a), coordinates(b));
    let (rows, columns) = ((row - other_row).abs(), (column - other_column).abs());
    rows.max(i32::midpoint(rows, columns))
}

/// Row and column on the doubled grid of the rules.
fn coordinates(hole: usize) -> (i32, i32) {
    let (mut row, mut place) = (0, hole);
    for holes in [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1] {
        if place < holes {
            return (row, 13 + 2 * place as i32 - holes as i32);
        }
        (row, place) = (row + 1, place - holes);
    }
    unreachable!("the star has {HOLES} holes")
}

impl Evaluation for Distances {
    fn points(&mut self, position: &Position) -> Points {
        let mut points = [0; 6];
        for (hole, &owner) in self.cells.read(position).iter().enumerate() {
            if let Some(seat) = usize::from(owner).checked_sub(1) {
                points[seat] += self.worth[seat][hole];
            }
        }
        points
    }

    fn clear_lead(&self) -> i32 {
        1200
    }

    fn promise(&self, m: Move, seat: usize, seats: usize) -> i32 {
        progress(seat, seats, m)
    }

    fn dislike_of_draws(&self) -> i32 {
        2000
    }

    fn has_sudden_wins(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_star_looks_the_same_to_all_six() {
        for branch in 0..6 {
            let (start, target) = (TIPS[branch], TIPS[(branch + 3) % 6]);
            assert_eq!((distance(start, target), distance(start, 60), distance(60, target)), (16, 8, 8));
            assert_eq!((worth(branch, start), worth(branch, 60)), (worth(0, 0), worth(0, 60)));
        }
    }

    #[test]
    fn a_step_of_the_last_pawn_is_worth_more_than_one_of_the_first() {
        assert!(worth(0, 1) - worth(0, 0) > worth(0, 118) - worth(0, 115));
        assert!(worth(0, 60) > worth(0, 56), "the middle is better than the side");
    }
}
