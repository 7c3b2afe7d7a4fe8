//! Which lines there are, in both variants.

use super::board::Board;
use crate::seat::Seat;

/// What counts as a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// Tops in line, as seen from above.
    Top,
    /// Tokens in space: level, rising or upright.
    Space,
}

/// A line that somebody has.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) cells: u128,
    /// The levels of its first and last token, counted from 0; none where the tops count.
    pub(super) levels: Option<[i64; 2]>,
}

/// A row, column or main diagonal.
#[derive(Clone, Copy)]
struct Straight {
    start: u16,
    step: u16,
}

/// The straight lines through a cell, and how many cells of the line come before it.
fn straights(n: u16, cell: u16) -> impl Iterator<Item = (Straight, u16)> {
    let (row, column) = (cell / n, cell % n);
    let diagonal = (row == column).then_some((Straight { start: 0, step: n + 1 }, row));
    let counter_diagonal = (row + column == n - 1).then_some((Straight { start: n - 1, step: n - 1 }, row));
    [
        Some((Straight { start: row * n, step: 1 }, column)),
        Some((Straight { start: column, step: n }, row)),
        diagonal,
        counter_diagonal,
    ]
    .into_iter()
    .flatten()
}

impl Straight {
    fn cells(self, n: u16) -> impl Iterator<Item = u16> {
        (0..n).map(move |i| self.start + i * self.step)
    }

    fn as_set(self, n: u16) -> u128 {
        self.cells(n).fold(0, |set, cell| set | 1 << cell)
    }
}

/// A line that the token on one level of a cell belongs to; in variant `top` the uppermost counts.
pub(super) fn through(board: &Board, variant: Variant, cell: u16, level: u32) -> Option<Line> {
    let seat = Seat::all(2).find(|&seat| board.has(seat, cell, i64::from(level)))?;
    match variant {
        Variant::Top => top_line(board, cell, seat),
        Variant::Space => upright(board, cell, level, seat).or_else(|| space_line(board, cell, level, seat)),
    }
}

fn top_line(board: &Board, cell: u16, seat: Seat) -> Option<Line> {
    let mut lines = straights(board.n, cell).map(|(line, _)| line.as_set(board.n));
    let cells = lines.find(|line| board.tops(seat) & line == *line)?;
    Some(Line { cells, levels: None })
}

/// Looks down from a token, for `n` of its colour in one stack.
fn upright(board: &Board, cell: u16, level: u32, seat: Seat) -> Option<Line> {
    let (lowest, level) = (i64::from(level) + 1 - i64::from(board.n), i64::from(level));
    let is_line = (lowest..=level).all(|level| board.has(seat, cell, level));
    is_line.then_some(Line { cells: 1 << cell, levels: Some([lowest, level]) })
}

/// Looks along all straight lines, level, up and down.
fn space_line(board: &Board, cell: u16, level: u32, seat: Seat) -> Option<Line> {
    let rising = |line: Straight, before: u16, slope: i64| {
        let start = i64::from(level) - slope * i64::from(before);
        let is_line = line.cells(board.n).zip(0..).all(|(cell, i)| board.has(seat, cell, start + slope * i));
        let levels = Some([start, start + slope * (i64::from(board.n) - 1)]);
        is_line.then(|| Line { cells: line.as_set(board.n), levels })
    };
    straights(board.n, cell)
        .find_map(|(line, before)| [0, 1, -1].into_iter().find_map(|slope| rising(line, before, slope)))
}

/// A line of either seat, wherever it is.
pub(super) fn all(board: &Board, variant: Variant) -> [Option<Line>; 2] {
    let mut found = [None, None];
    for cell in 0..board.cells() {
        let height = board.height(cell);
        let lowest = if variant == Variant::Top { height.saturating_sub(1) } else { 0 };
        for (level, seat) in (lowest..height).zip(board.stack(cell).skip(lowest as usize)) {
            let line = &mut found[seat.index()];
            *line = line.or_else(|| through(board, variant, cell, level));
        }
    }
    found
}
