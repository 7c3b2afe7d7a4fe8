//! How well a seat stands, as far as the cells tell.

use arbiter_plugin_api::{Cell, Game};

use super::distances::{branches, missing_stones, way};

/// What counts.
#[derive(Debug, PartialEq)]
pub(crate) enum Measure {
    /// Pieces, a hundred points each.
    Pieces,
    /// The way to the far corner; one branch of the star for each seat.
    Way(&'static [u8]),
    /// The stones that are missing for a connection on a board with sides of this length.
    Connection(usize),
}

impl Measure {
    pub(crate) fn of(game: &Game) -> Measure {
        match game.id() {
            "chinese-checkers" => Measure::Way(branches(game.players())),
            "hex" => Measure::Connection(game.width()),
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
                Measure::Way(branches) => -way(branches[owner], place).pow(2),
            };
            Some(if owner == seat { points } else { -points })
        };
        cells.iter().enumerate().filter_map(points).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_ahead_is_better_and_best_for_the_piece_that_is_farthest_behind() {
        let after = |holes: [usize; 2]| {
            let mut cells = [Cell::EMPTY; 121];
            for hole in holes {
                cells[hole] = Cell::of(0);
            }
            Measure::Way(b"AD").score(0, &cells)
        };
        assert!(after([1, 60]) > after([0, 60]));
        assert!(after([1, 60]) > after([0, 69]));
    }
}
