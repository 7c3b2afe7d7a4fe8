//! Hex: how many more stones a seat needs to connect its sides, and how many cells it has to choose from.

use super::{Cells, Evaluation, Points};
use arbiter_rules::{Move, Position};

/// Most rows.
const LONGEST: usize = 19;

/// A set of cells, a word a row.
type Rows = [u32; LONGEST];

/// The ways across a board of some size.
#[derive(Debug)]
pub struct Ways {
    size: usize,
    cells: Cells,
}

impl Ways {
    /// The ways across a position's board.
    #[must_use]
    pub fn of(position: &Position) -> Ways {
        Ways { size: usize::from(position.shape().width), cells: Cells::default() }
    }

    /// The cells that are one of these, and all cells along the two sides that a seat connects.
    fn sides(&self, seat: usize) -> [Rows; 2] {
        let all = (1 << self.size) - 1;
        [0, self.size - 1].map(|edge| {
            std::array::from_fn(|row| match seat {
                _ if row >= self.size => 0,
                0 if row == edge => all,
                0 => 0,
                _ => 1 << edge,
            })
        })
    }
}

impl Evaluation for Ways {
    /// A stone that is missing weighs a hundred points; each cell beyond the first on a shortest way weighs a few, since
    /// the opponent can close only one of them at a time.
    fn points(&mut self, position: &Position) -> Points {
        let size = self.size;
        let cells = self.cells.read(position);
        let of = |owner: u8| -> Rows {
            std::array::from_fn(|row| {
                let row = cells.iter().skip(row * size).take(size);
                row.enumerate()
                    .filter(|&(_, &cell)| cell == owner)
                    .fold(0, |set, (column, _)| set | 1 << column)
            })
        };
        let (empty, own) = (of(0), [of(1), of(2)]);
        let mut points = [0; 6];
        for (seat, points) in points[..2].iter_mut().enumerate() {
            let own = own[seat];
            let [near, far] = self.sides(seat);
            let (there, back) = (steps(own, empty, near), steps(own, empty, far));
            let Some(missing) = there.iter().position(|reached| meets(reached, &far)) else { continue };
            let mut choice = 0;
            for k in 1..=missing {
                let (first, rest) = (new(&there, k), new(&back, missing + 1 - k));
                choice += (0..LONGEST)
                    .map(|row| (first[row] & rest[row] & empty[row]).count_ones() as i32)
                    .sum::<i32>();
            }
            *points = 4 * choice.min(24) - 100 * missing as i32;
        }
        points
    }

    fn clear_lead(&self) -> i32 {
        100
    }

    /// The nearer to the middle the better.
    fn promise(&self, m: Move, _: usize, _: usize) -> i32 {
        let (row, column) = (usize::from(m.to()) / self.size, usize::from(m.to()) % self.size);
        let from_middle = |at: usize| (2 * at + 1).abs_diff(self.size) as i32;
        -2 * (from_middle(row) + from_middle(column) + from_middle((row + column) / 2))
    }

    /// Random games tell as much: with the stones of both sides strewn, whoever is better connected wins more of them.
    fn trust(&self) -> f32 {
        0.3
    }
}

/// The cells that can be connected with a side by 0, 1, 2, ... more stones, up to all of them.
fn steps(own: Rows, empty: Rows, side: Rows) -> Vec<Rows> {
    let mut steps = vec![filled(std::array::from_fn(|row| side[row] & own[row]), &own)];
    loop {
        let last = steps[steps.len() - 1];
        let next =
            std::array::from_fn(|row| last[row] | (spread(&last, row) | side[row]) & (empty[row] | own[row]));
        let next = filled(next, &own);
        if next == last {
            return steps;
        }
        steps.push(next);
    }
}

/// The cells that take exactly so many stones.
fn new(steps: &[Rows], k: usize) -> Rows {
    match steps.get(k) {
        Some(reached) => std::array::from_fn(|row| reached[row] & !steps[k - 1][row]),
        None => [0; LONGEST],
    }
}

/// Together with own stones that hang on them.
fn filled(mut set: Rows, own: &Rows) -> Rows {
    loop {
        let before = set;
        for row in (0..LONGEST).chain((0..LONGEST).rev()) {
            set[row] |= spread(&set, row) & own[row];
        }
        if set == before {
            return set;
        }
    }
}

/// The columns of a row that touch one of the cells.
fn spread(set: &Rows, row: usize) -> u32 {
    let above = if row > 0 { set[row - 1] } else { 0 };
    let below = set.get(row + 1).copied().unwrap_or(0);
    set[row] << 1 | set[row] >> 1 | above | above >> 1 | below | below << 1
}

fn meets(a: &Rows, b: &Rows) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

#[cfg(test)]
mod tests {
    use crate::evaluation::tests::lead;

    const SIZE: &[(&str, &str)] = &[("size", "5")];

    #[test]
    fn fewer_missing_stones_are_better() {
        assert_eq!(lead("hex", SIZE, "...../...../...../...../..... x"), 0);
        assert!(lead("hex", SIZE, "..x../o..../..x../o..../..... x") > 50);
        assert!(lead("hex", SIZE, "ooo../x..x./...../x...x/..... o") < -50);
    }

    #[test]
    fn a_second_way_counts() {
        let one = lead("hex", SIZE, "..x../..x../..xo./.o..o/..x.o o");
        let two = lead("hex", SIZE, "..x../..x../..x.o/....o/..x.o o");
        assert!(two > one, "{two} and {one}");
    }
}
