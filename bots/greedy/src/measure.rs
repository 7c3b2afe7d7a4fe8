//! How well a seat stands, as far as the cells tell.

use arbiter_plugin_api::{Cell, Game};

/// What counts.
#[derive(Debug, PartialEq)]
pub(crate) enum Measure {
    /// Pieces, a hundred points each.
    Pieces,
    /// The way to the far corner; one branch of the star for each seat.
    Way(&'static str),
    /// The stones that are missing for a connection on a board with sides of this length.
    Connection(usize),
}

impl Measure {
    pub(crate) fn of(game: &Game) -> Measure {
        match (game.id(), game.players()) {
            ("chinese-checkers", 2) => Measure::Way("AD"),
            ("chinese-checkers", 3) => Measure::Way("ACE"),
            ("chinese-checkers", 4) => Measure::Way("ABDE"),
            ("chinese-checkers", _) => Measure::Way("ABCDEF"),
            ("hex", _) => Measure::Connection(game.width()),
            _ => Measure::Pieces,
        }
    }

    /// The points of a seat, less those of everybody else.
    pub(crate) fn score(&self, seat: usize, cells: &[Cell]) -> i32 {
        if let &Measure::Connection(size) = self {
            return 100 * (missing_stones(cells, size, 1 - seat) - missing_stones(cells, size, seat));
        }
        let points = |(place, cell): (usize, &Cell)| {
            let owner = cell.seat()?;
            let points = match self {
                Measure::Pieces | Measure::Connection(_) => 100,
                // Squares, so that nobody is left behind.
                Measure::Way(branches) => -way(branches.as_bytes()[owner], place).pow(2),
            };
            Some(if owner == seat { points } else { -points })
        };
        cells.iter().enumerate().filter_map(points).sum()
    }
}

/// How many rows a piece has to go from a hole, if it started in this branch of the star.
fn way(branch: u8, hole: usize) -> i32 {
    let (row, column) = coordinates(hole);
    match branch {
        b'A' => 16 - row,
        b'B' => (column - row) / 2 + 6,
        b'C' => (column + row) / 2 - 2,
        b'D' => row,
        b'E' => 10 - (column - row) / 2,
        _ => 18 - (column + row) / 2,
    }
}

/// The row of a hole from the top, and its column, in halves of the step to the next hole in its row.
fn coordinates(mut hole: usize) -> (i32, i32) {
    let mut row = 0;
    for holes in [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2] {
        if hole < holes as usize {
            return (row, 13 - holes + 2 * hole as i32);
        }
        hole -= holes as usize;
        row += 1;
    }
    (row, 12)
}

/// Hex: how many more stones a seat needs to connect its two sides.
fn missing_stones(cells: &[Cell], size: usize, seat: usize) -> i32 {
    let from_side = |place: usize| if seat == 0 { place / size } else { place % size };
    let mut is_new = vec![true; cells.len()];
    // The cells that are reached with so many stones, and with one more.
    let (mut here, mut further) = (Vec::new(), Vec::new());
    let mut reach = |place: usize, here: &mut Vec<usize>, further: &mut Vec<usize>| {
        if std::mem::take(&mut is_new[place]) {
            match cells[place].seat() {
                None => further.push(place),
                Some(owner) if owner == seat => here.push(place),
                Some(_) => {}
            }
        }
    };
    (0..cells.len())
        .filter(|&place| from_side(place) == 0)
        .for_each(|place| reach(place, &mut here, &mut further));
    for stones in 0.. {
        while let Some(place) = here.pop() {
            if from_side(place) == size - 1 {
                return stones;
            }
            let (row, column) = (place / size, place % size);
            for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)] {
                let (row, column) = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                if row < size && column < size {
                    reach(row * size + column, &mut here, &mut further);
                }
            }
        }
        if further.is_empty() {
            break;
        }
        std::mem::swap(&mut here, &mut further);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tips of the six branches, and those opposite.
    const TIPS: [(u8, usize, usize); 6] =
        [(b'A', 0, 120), (b'B', 22, 98), (b'C', 110, 10), (b'D', 120, 0), (b'E', 98, 22), (b'F', 10, 110)];

    #[test]
    fn the_way_across_the_star_is_sixteen_rows_from_every_corner() {
        for (branch, start, target) in TIPS {
            assert_eq!((way(branch, start), way(branch, target)), (16, 0), "branch {}", char::from(branch));
            assert_eq!(way(branch, 60), 8, "from the middle it is half way");
        }
    }

    #[test]
    fn a_piece_of_ones_own_counts_for_and_others_count_against() {
        let cells = [Cell::of(0), Cell::EMPTY, Cell::of(1), Cell::of(0), Cell::OUTSIDE];
        assert_eq!(Measure::Pieces.score(0, &cells), 100);
        assert_eq!(Measure::Pieces.score(1, &cells), -100);
    }

    #[test]
    fn a_step_ahead_is_better_and_best_for_the_piece_that_is_farthest_behind() {
        let after = |holes: [usize; 2]| {
            let mut cells = [Cell::EMPTY; 121];
            for hole in holes {
                cells[hole] = Cell::of(0);
            }
            Measure::Way("AD").score(0, &cells)
        };
        assert!(after([1, 60]) > after([0, 60]));
        assert!(after([1, 60]) > after([0, 69]));
    }
}
