//! How good a position looks that nobody has won yet, as far as the cells tell.

use arbiter_plugin_api::{Cell, Game};

use super::distances::{branches, missing_stones, way};

/// How good a position looks for one seat; a hundred points are about one piece.
#[derive(Debug)]
pub(crate) struct Evaluation {
    seat: usize,
    players: usize,
    measure: Measure,
}

/// What counts.
#[derive(Debug)]
enum Measure {
    /// Every piece the same.
    Pieces,
    /// Every piece by the worth of its cell.
    Cells(Vec<i32>),
    /// Lines that one side alone may still fill.
    Lines(Vec<Vec<usize>>),
    /// Every piece by the way it has to go; one branch of the star for each seat.
    Way(&'static [u8]),
    /// The stones that are missing for a connection on a board with sides of this length.
    Connection(usize),
}

impl Evaluation {
    pub(crate) fn of(game: &Game) -> Evaluation {
        let (width, height, boards) = (game.width(), game.height(), game.depth());
        let measure = match game.id() {
            "tic-tac-toe" | "ultimate" => Measure::Lines(lines(width, height, boards, 3)),
            "stacks" => Measure::Lines(lines(width, height, boards, width)),
            "connect-four" => {
                let connect = game.rule("connect").and_then(|length| length.parse().ok()).unwrap_or(4);
                Measure::Lines(lines(width, height, boards, connect))
            }
            "hex" => Measure::Connection(width),
            "othello" => Measure::Cells(worth_of_cells(width, height)),
            "chinese-checkers" => Measure::Way(branches(game.players())),
            _ => Measure::Pieces,
        };
        Evaluation { seat: game.seat(), players: game.players(), measure }
    }

    /// The points of the seat, less what the others have on average.
    pub(crate) fn score(&self, cells: &[Cell]) -> i32 {
        let mut points = [0; 6];
        match &self.measure {
            Measure::Lines(lines) => {
                for line in lines {
                    count_line(line, cells, &mut points);
                }
            }
            &Measure::Connection(size) => {
                for (seat, points) in points[..2].iter_mut().enumerate() {
                    *points = -100 * missing_stones(cells, size, seat);
                }
            }
            by_piece => {
                for (place, cell) in cells.iter().enumerate() {
                    if let Some(owner) = cell.seat() {
                        points[owner] += match by_piece {
                            Measure::Cells(worth) => worth[place],
                            Measure::Way(branches) => -way(branches[owner], place).pow(2),
                            Measure::Pieces | Measure::Lines(_) | Measure::Connection(_) => 100,
                        };
                    }
                }
            }
        }
        let all: i32 = points.iter().sum();
        let others = i32::try_from(self.players - 1).expect("a game has few seats");
        points[self.seat] - (all - points[self.seat]) / others.max(1)
    }
}

/// Gives the points of a line to the one seat that has pieces on it; four times as many for each of them.
fn count_line(line: &[usize], cells: &[Cell], points: &mut [i32; 6]) {
    let mut owner = None;
    let mut pieces = 0;
    for &place in line {
        match (cells[place].seat(), owner) {
            (None, _) => {}
            (Some(seat), Some(owner)) if seat != owner => return,
            (Some(seat), _) => {
                owner = Some(seat);
                pieces += 1;
            }
        }
    }
    if let Some(owner) = owner {
        points[owner] += 1 << (2 * pieces.min(6));
    }
}

/// Every straight line of so many cells on each board.
fn lines(width: usize, height: usize, boards: usize, length: usize) -> Vec<Vec<usize>> {
    let mut lines = Vec::new();
    for board in 0..boards {
        for row in 0..height {
            for column in 0..width {
                let right = column + length <= width;
                let down = row + length <= height;
                let left = column + 1 >= length;
                let at = |row: usize, column: usize| (board * height + row) * width + column;
                if right {
                    lines.push((0..length).map(|i| at(row, column + i)).collect());
                }
                if down && length > 1 {
                    lines.push((0..length).map(|i| at(row + i, column)).collect());
                }
                if down && right && length > 1 {
                    lines.push((0..length).map(|i| at(row + i, column + i)).collect());
                }
                if down && left && length > 1 {
                    lines.push((0..length).map(|i| at(row + i, column - i)).collect());
                }
            }
        }
    }
    lines
}

/// Othello: a corner cannot be taken back, the cells around it give it away, and an edge is easy to hold.
fn worth_of_cells(width: usize, height: usize) -> Vec<i32> {
    let from_edge = |place: usize, length: usize| place.min(length - 1 - place);
    let worth = |row, column| match (from_edge(row, height), from_edge(column, width)) {
        (0, 0) => 2000,
        (1, 1) => -800,
        (0, 1) | (1, 0) => -300,
        (0, _) | (_, 0) => 200,
        _ => 20,
    };
    (0..height)
        .flat_map(|row| (0..width).map(move |column| (row, column)))
        .map(|(r, c)| worth(r, c))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_grid_counts_once() {
        assert_eq!(lines(3, 3, 1, 3).len(), 8);
        assert_eq!(lines(3, 3, 9, 3).len(), 72);
        assert_eq!(lines(7, 6, 1, 4).len(), 69);
        assert_eq!(lines(4, 4, 1, 4).len(), 10);
        assert_eq!(lines(5, 2, 1, 1).len(), 10);
        assert!(lines(7, 6, 1, 8).is_empty());
    }

    #[test]
    fn a_line_with_pieces_of_both_sides_is_worth_nothing() {
        let evaluation =
            Evaluation { seat: 0, players: 2, measure: Measure::Lines(vec![vec![0, 1, 2], vec![3, 4, 5]]) };
        let (x, o, none) = (Cell::of(0), Cell::of(1), Cell::EMPTY);
        assert_eq!(evaluation.score(&[x, o, x, none, none, none]), 0);
        assert_eq!(evaluation.score(&[x, none, x, none, o, none]), 16 - 4);
    }

    #[test]
    fn a_corner_of_othello_is_worth_more_than_what_gives_it_away() {
        let worth = worth_of_cells(8, 8);
        assert_eq!(worth.len(), 64);
        assert!(worth[0] > worth[2] && worth[2] > worth[27] && worth[27] > worth[1] && worth[1] > worth[9]);
        assert_eq!(worth.iter().rev().copied().collect::<Vec<_>>(), worth, "seen from the other side too");
    }
}
