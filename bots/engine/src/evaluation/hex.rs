//! Hex: how many more stones a seat needs to connect its sides, and how many cells it has to choose from.

use super::{Cells, Evaluation, Points};
use arbiter_rules::{Move, MoveKind, Position};

/// Most rows.
const LONGEST: usize = 19;

/// Points of promise that a way loses for each stone that it needs beyond a shortest one.
const DETOUR: i32 = 30;

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

    /// The stones of a position on this board.
    fn stones(&mut self, position: &Position) -> Stones {
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
        Stones { empty: of(0), own: [of(1), of(2)] }
    }

    /// The cells along the two sides that a seat connects.
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
        let stones = self.stones(position);
        let mut points = [0; 6];
        for (seat, points) in points[..2].iter_mut().enumerate() {
            let ways = stones.ways(self, seat);
            let Some(missing) = ways.missing else { continue };
            let mut choice = 0;
            for k in 1..=missing {
                let (first, rest) = (new(&ways.there, k), new(&ways.back, missing + 1 - k));
                choice += (0..LONGEST)
                    .map(|row| (first[row] & rest[row] & stones.empty[row]).count_ones() as i32)
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

    /// A move is the better the fewer stones either side would miss on a way through its cell: it gets on with one's own
    /// shortest way and stands in the other's.
    fn promises(&mut self, position: &Position, _: usize, moves: &[Move], list: &mut Vec<i32>) {
        let stones = self.stones(position);
        let ways = [0, 1].map(|seat| stones.ways(self, seat));
        let promise = |&m: &Move| {
            // Swapping leaves the board as it is, but for whose stone it is.
            if m.kind() != Some(MoveKind::Place) {
                return 0;
            }
            let (row, column) = (usize::from(m.to()) / self.size, usize::from(m.to()) % self.size);
            let detours = ways.iter().filter(|ways| ways.missing.is_some());
            let detour: i32 = detours.map(|ways| ways.detour(row, column).min(3)).sum();
            -DETOUR * detour + self.promise(m, 0, 2)
        };
        list.clear();
        list.extend(moves.iter().map(promise));
    }

    /// Random games tell as much: the seat that is better connected wins more of them.
    fn trust(&self) -> f32 {
        0.6
    }
}

/// The stones of a position.
struct Stones {
    empty: Rows,
    own: [Rows; 2],
}

impl Stones {
    /// The ways that a seat has across the board.
    fn ways(&self, board: &Ways, seat: usize) -> Across {
        let own = self.own[seat];
        let [near, far] = board.sides(seat);
        let (there, back) = (steps(own, self.empty, near), steps(own, self.empty, far));
        let missing = there.iter().position(|reached| meets(reached, &far));
        Across { there, back, missing }
    }
}

/// The ways of a seat from one of its sides to the other.
struct Across {
    /// The cells within so many stones of the first side, and of the second.
    there: Vec<Rows>,
    back: Vec<Rows>,
    /// The stones that are missing on a shortest way; nothing if all are barred.
    missing: Option<usize>,
}

impl Across {
    /// How many stones more than on a shortest way are missing on one through an empty cell.
    fn detour(&self, row: usize, column: usize) -> i32 {
        let stones = |steps: &[Rows]| {
            let within = |rows: &Rows| rows[row] >> column & 1 == 1;
            steps.iter().position(within).unwrap_or(LONGEST) as i32
        };
        stones(&self.there) + stones(&self.back) - 1 - self.missing.map_or(0, |missing| missing as i32)
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

/// The set with all own stones that are connected to it.
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
