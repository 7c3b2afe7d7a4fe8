//! Ultimate tic-tac-toe: lines on the small boards, and lines of small boards.
//!
//! What a small board looks worth is looked up by its nine cells. A line of boards is worth the more, the more of them
//! are won and the better the others look; it is worth nothing once the opponent has one of them.

use super::{Cells, Evaluation, Points};
use arbiter_rules::{Move, Position};
use std::sync::LazyLock;

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// What a board that is won is worth on the scale of those that are not.
const WON: i32 = 100;

/// Chances on a small board by its cells in base three: for the seats, or `None` when no line is left.
static CHANCES: LazyLock<Vec<Small>> = LazyLock::new(|| {
    (0..19683)
        .map(|mut code| {
            let cells: [u8; 9] = std::array::from_fn(|_| {
                let cell = (code % 3) as u8;
                code /= 3;
                cell
            });
            Small::of(&cells)
        })
        .collect()
});

/// How a small board stands for each seat, from 0 to [`WON`].
#[derive(Clone, Copy, Debug)]
struct Small([i32; 2]);

impl Small {
    fn of(cells: &[u8; 9]) -> Small {
        let mut chances = [0, 0];
        for line in LINES {
            let count = |seat: u8| line.iter().filter(|&&cell| cells[cell] == seat).count();
            let (first, second) = (count(1), count(2));
            if first == 3 || second == 3 {
                return Small(if first == 3 { [WON, 0] } else { [0, WON] });
            }
            let worth = |signs: usize| [2, 7, 24][signs];
            if second == 0 {
                chances[0] += worth(first);
            }
            if first == 0 {
                chances[1] += worth(second);
            }
        }
        Small(chances.map(|chance| chance.min(WON * 3 / 4)))
    }
}

/// Reads positions of the rules.
#[derive(Debug, Default)]
pub struct Grids {
    cells: Cells,
}

impl Evaluation for Grids {
    fn points(&mut self, position: &dyn Position) -> Points {
        let cells = self.cells.read(position);
        let mut boards = [Small([0, 0]); 9];
        for (board, cells) in boards.iter_mut().zip(cells.chunks_exact(9)) {
            let code = cells.iter().rev().fold(0, |code, &cell| code * 3 + usize::from(cell));
            *board = CHANCES[code];
        }
        let mut points = [0; 6];
        for (place, &Small(chances)) in boards.iter().enumerate() {
            let weight = [12, 9, 12, 9, 15, 9, 12, 9, 12][place];
            points[0] += chances[0] * weight / 8;
            points[1] += chances[1] * weight / 8;
        }
        for line in LINES {
            for (seat, points) in points[..2].iter_mut().enumerate() {
                *points += line_of_boards(line.map(|board| boards[board].0[seat]));
            }
        }
        points
    }

    fn clear_lead(&self) -> i32 {
        180
    }

    fn promise(&self, m: Move, _: usize, _: usize) -> i32 {
        super::promise_of_nine(m)
    }
}

/// A line of boards by their chances: about what their product says.
fn line_of_boards(chances: [i32; 3]) -> i32 {
    let [a, b, c] = chances.map(|chance| chance + 4);
    if chances.contains(&0) { 0 } else { a * b * c / 2500 }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lead;

    #[test]
    fn won_boards_count_and_most_in_line() {
        let apart = lead("ultimate", &[], "X9999X9oo7o8 x -");
        let in_line = lead("ultimate", &[], "X99X99oo79o8 x -");
        let behind = lead("ultimate", &[], "O99O99xx79x8 x -");
        assert!(in_line > apart, "{in_line} {apart}");
        assert_eq!(behind, -in_line);
    }
}
