//! Where the cells of any game lie on the screen: turned, made narrow, and found again by arrows and mouse. Everything
//! follows from the places that the rules give; nothing here knows a game.

use arbiter_rules::draw::Scene;

/// The four arrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// Within the row.
    Left,
    /// Within the row.
    Right,
}

/// The places of all cells and labels, relative to the top left of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// Column and row of each cell's own character.
    pub cells: Vec<(u16, u16)>,
    /// Fixed texts.
    pub labels: Vec<(u16, u16, String)>,
    /// Columns and rows that the board takes, marks included.
    pub size: (u16, u16),
    /// The smallest distance between two cells of a row, and between two rows.
    pub step: (u16, u16),
}

impl Board {
    /// The board as the rules lay it out.
    #[must_use]
    pub(super) fn of(scene: &Scene) -> Board {
        Board::new(scene.cells.clone(), scene.labels.clone())
    }

    fn new(cells: Vec<(u16, u16)>, labels: Vec<(u16, u16, String)>) -> Board {
        let ends = cells.iter().map(|&(x, y)| (x + 2, y + 1));
        let ends = ends.chain(labels.iter().map(|(x, y, text)| (x + text.chars().count() as u16, y + 1)));
        let size = ends.fold((0, 0), |size, end| (size.0.max(end.0), size.1.max(end.1)));
        let step = (smallest_step(&cells, Axis::Within), smallest_step(&cells, Axis::Between));
        // Rings around cells take a row below the last one.
        let size = if step.0 >= 4 && step.1 >= 2 { (size.0 + 1, size.1 + 1) } else { size };
        Board { cells, labels, size, step }
    }

    /// Whether rings fit around the cells.
    #[must_use]
    pub(super) fn has_rings(&self) -> bool {
        self.step.0 >= 4 && self.step.1 >= 2
    }

    /// The same with half the distance within rows, where there is nothing but cells.
    #[must_use]
    pub(super) fn narrow(&self) -> Option<Board> {
        let left = self.cells.iter().map(|&(x, _)| x).min()?;
        let fits = self.labels.is_empty() && self.step.0 >= 4;
        let cells = self.cells.iter().map(|&(x, y)| ((x - left) / 2, y)).collect();
        let mut board = fits.then(|| Board::new(cells, Vec::new()))?;
        board.size.0 -= 1;
        Some(board)
    }

    /// The next way round after so many: by 60 degrees for a board of triangles, otherwise upside down, or not at all
    /// where texts would have to be turned.
    #[must_use]
    pub(super) fn turned(&self, times: u8) -> Board {
        let mut board = self.clone();
        for _ in 0..times {
            board = board.turned_by_60().or_else(|| board.upside_down()).unwrap_or(board);
        }
        board
    }

    fn turned_by_60(&self) -> Option<Board> {
        let place = |&(x, y): &(u16, u16)| (i32::from(x), i32::from(y));
        let (left, right) = ends(self.cells.iter().map(|cell| place(cell).0))?;
        let (top, bottom) = ends(self.cells.iter().map(|cell| place(cell).1))?;
        let (middle, centre) = (left + right, top + bottom);
        if !self.labels.is_empty() || middle % 2 != 0 || centre % 2 != 0 {
            return None;
        }
        // Columns count double: one to the right is two of them, one down to the right is one.
        let turn = |cell: &(u16, u16)| {
            let (x, y) = place(cell);
            let (across, down) = ((x - middle / 2) / 2, y - centre / 2);
            let (across, down) = ((across - 3 * down) / 2, (across + down) / 2);
            (across * 2 + middle / 2, down + centre / 2)
        };
        let cells: Vec<_> = self.cells.iter().map(turn).collect();
        let is_cell = |&(x, y): &(i32, i32)| {
            let cell = (u16::try_from(x), u16::try_from(y));
            matches!(cell, (Ok(x), Ok(y)) if self.cells.contains(&(x, y)))
        };
        if !cells.iter().all(is_cell) {
            return None;
        }
        Some(Board::new(cells.into_iter().map(|(x, y)| (x as u16, y as u16)).collect(), Vec::new()))
    }

    fn upside_down(&self) -> Option<Board> {
        let (left, right) = ends(self.cells.iter().map(|&(x, _)| i32::from(x)))?;
        let (top, bottom) = ends(self.cells.iter().map(|&(_, y)| i32::from(y)))?;
        let is_at_edge = |(x, y, text): &(u16, u16, String)| {
            let is_outside = i32::from(*x) < left || i32::from(*y) < top || i32::from(*y) > bottom;
            text.chars().count() <= 2 && is_outside
        };
        if !self.labels.iter().all(is_at_edge) {
            return None;
        }
        let flip = |x: u16, y: u16| {
            let x = if (left..=right).contains(&i32::from(x)) {
                left + right - i32::from(x)
            } else {
                i32::from(x)
            };
            let y = if (top..=bottom).contains(&i32::from(y)) {
                top + bottom - i32::from(y)
            } else {
                i32::from(y)
            };
            (x as u16, y as u16)
        };
        let labels = self.labels.iter().map(|(x, y, text)| {
            let (x, y) = flip(*x, *y);
            (x, y, text.clone())
        });
        Some(Board::new(self.cells.iter().map(|&(x, y)| flip(x, y)).collect(), labels.collect()))
    }

    /// The cell that was meant by a place on the board: the nearest one of the row, if it is near.
    #[must_use]
    pub(super) fn cell_at(&self, x: u16, y: u16) -> Option<u16> {
        let reach = (self.step.0 / 2).max(1).min(3);
        let near = |&(_, &(cx, cy)): &(usize, &(u16, u16))| {
            let rows = if self.has_rings() { 1 } else { 0 };
            cx.abs_diff(x) <= reach.min(self.step.0.saturating_sub(1).max(1)) && cy.abs_diff(y) <= rows
        };
        let found = self.cells.iter().enumerate().filter(near);
        found.min_by_key(|(_, (cx, cy))| (cy.abs_diff(y), cx.abs_diff(x))).map(|(cell, _)| cell as u16)
    }

    /// The cell that an arrow leads to, wishing for a column.
    #[must_use]
    pub(super) fn beside(&self, cell: u16, direction: Direction, wished: u16) -> Option<u16> {
        let (x, y) = self.cells[usize::from(cell)];
        let cells = || self.cells.iter().enumerate().map(|(cell, &place)| (cell as u16, place));
        match direction {
            Direction::Left => {
                cells().filter(|(_, p)| p.1 == y && p.0 < x).max_by_key(|(_, p)| p.0).map(|(cell, _)| cell)
            }
            Direction::Right => {
                cells().filter(|(_, p)| p.1 == y && p.0 > x).min_by_key(|(_, p)| p.0).map(|(cell, _)| cell)
            }
            Direction::Up => {
                let row = cells().map(|(_, p)| p.1).filter(|&row| row < y).max()?;
                nearest(cells().filter(|(_, p)| p.1 == row), wished)
            }
            Direction::Down => {
                let row = cells().map(|(_, p)| p.1).filter(|&row| row > y).min()?;
                nearest(cells().filter(|(_, p)| p.1 == row), wished)
            }
        }
    }
}

fn nearest(row: impl Iterator<Item = (u16, (u16, u16))>, wished: u16) -> Option<u16> {
    row.min_by_key(|(_, (x, _))| x.abs_diff(wished)).map(|(cell, _)| cell)
}

fn ends(values: impl Iterator<Item = i32> + Clone) -> Option<(i32, i32)> {
    values.clone().min().zip(values.max())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Within,
    Between,
}

/// The smallest distance between two cells of one row, or between two rows.
fn smallest_step(cells: &[(u16, u16)], axis: Axis) -> u16 {
    let mut places: Vec<(u16, u16)> = match axis {
        Axis::Within => cells.iter().map(|&(x, y)| (y, x)).collect(),
        Axis::Between => cells.iter().map(|&(_, y)| (0, y)).collect(),
    };
    places.sort_unstable();
    places.dedup();
    let steps = places.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1 - pair[0].1);
    steps.min().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::draw::Charset;
    use arbiter_rules::{Setup, registry};
    use std::collections::HashSet;

    fn board(game: &str) -> Board {
        Board::of(&registry::start(game, &Setup::default()).unwrap().scene(Charset::Unicode))
    }

    #[test]
    fn arrows_reach_every_cell_of_every_game() {
        for info in registry::GAMES {
            let board = board(info.id);
            let mut reached = HashSet::from([0]);
            let mut open = vec![0];
            while let Some(cell) = open.pop() {
                for direction in [Direction::Up, Direction::Down, Direction::Left, Direction::Right] {
                    let wished = board.cells[usize::from(cell)].0;
                    open.extend(board.beside(cell, direction, wished).filter(|&next| reached.insert(next)));
                }
            }
            assert_eq!(reached.len(), board.cells.len(), "{}", info.id);
        }
    }

    #[test]
    fn a_click_on_a_cell_is_a_click_on_that_cell() {
        for info in registry::GAMES {
            let board = board(info.id);
            for (cell, &(x, y)) in board.cells.iter().enumerate() {
                assert_eq!(board.cell_at(x, y), Some(cell as u16), "{}", info.id);
            }
        }
    }

    #[test]
    fn the_star_turns_by_sixths_and_squares_turn_upside_down() {
        let star = board("chinese-checkers");
        assert_eq!((star.size, star.narrow().unwrap().size), ((51, 17), (25, 17)));
        assert_ne!(star.turned(1), star);
        assert_eq!(star.turned(6), star);
        let othello = board("othello");
        assert_eq!(othello.turned(1).cells[0], othello.cells[63]);
        assert_eq!(othello.turned(2), othello);
        assert_eq!(board("ultimate").turned(1), board("ultimate"), "frames cannot be turned");
    }
}
