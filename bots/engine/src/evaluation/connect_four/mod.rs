//! Connect four: lines that one side alone can still fill, and cells that win, by the rows they lie in.
//!
//! While both sides fill up columns in pairs, the first mover comes to play on odd rows and the second on even ones, so
//! a winning cell on a row of one's own kind tends to decide the game (J. D. Allen's and V. Allis's rules of
//! odd and even threats).

pub mod grid;
pub mod net;

use self::grid::{Discs, Grid};
use self::net::Net;
use super::{Cells, Evaluation, Points};
use arbiter_rules::{Move, MoveList, OptionValue, Outcome, Position, Random, Seat};

/// Every line of a board of some size, for boards and lines that 64 bits are not enough for.
#[derive(Debug)]
pub struct Lines {
    lines: Vec<Vec<u16>>,
    width: usize,
    height: usize,
    cells: Cells,
}

impl Lines {
    /// The lines of a position's board.
    #[must_use]
    pub fn of(position: &Position) -> Lines {
        let shape = position.shape();
        let (width, height) = (usize::from(shape.width), usize::from(shape.height));
        let length = match position.options().get("connect") {
            Some(OptionValue::Number(length)) => length as usize,
            _ => 4,
        };
        Lines { lines: lines(width, height, length), width, height, cells: Cells::default() }
    }
}

/// Every straight line of so many cells, numbered row by row.
pub(super) fn lines(width: usize, height: usize, length: usize) -> Vec<Vec<u16>> {
    let mut lines = Vec::new();
    for row in 0..height {
        for column in 0..width {
            let (right, down) = (column + length <= width, row + length <= height);
            let left = column + 1 >= length;
            let mut add = |fits: bool, step: usize| {
                if fits {
                    let start = row * width + column;
                    lines.push((0..length).map(|i| (start + i * step) as u16).collect());
                }
            };
            add(right, 1);
            add(down, width);
            add(right && down, width + 1);
            add(left && down && length > 1, width - 1);
        }
    }
    lines
}

/// How good a position looks for the side to move: a hundred points are one in the logarithm of the odds.
#[must_use]
pub fn evaluate(grid: &Grid, discs: Discs) -> i32 {
    match (grid.width as usize, grid.height as usize) {
        (net::WIDTH, net::HEIGHT) => Net::built_in().evaluate(grid, discs),
        _ => grid.evaluate(discs),
    }
}

/// Boards and lines for which 64 bits are enough.
#[derive(Debug)]
pub struct Bits {
    grid: Grid,
    cells: Cells,
}

impl Bits {
    /// For positions on this grid.
    #[must_use]
    pub fn on(grid: Grid) -> Bits {
        Bits { grid, cells: Cells::default() }
    }
}

impl Evaluation for Bits {
    fn points(&mut self, position: &Position) -> Points {
        let discs = self.grid.discs(self.cells.read(position));
        let score = evaluate(&self.grid, discs);
        [if discs.count() % 2 == 0 { score } else { -score }, 0, 0, 0, 0, 0]
    }

    fn clear_lead(&self) -> i32 {
        110
    }

    fn trust(&self) -> f32 {
        0.7
    }

    fn promise(&self, m: Move, _: usize, _: usize) -> i32 {
        super::promise_of_column(m, self.grid.width as usize)
    }

    fn narrow(&mut self, position: &Position, moves: &mut MoveList) {
        let discs = self.grid.discs(self.cells.read(position));
        let wins = self.grid.wins(discs);
        let good = if wins == 0 { self.grid.sensible(discs) } else { wins };
        if good != 0 {
            moves.retain(|m| self.grid.bit(u32::from(m.to())) & good != 0);
        }
    }

    fn play_out(&mut self, position: &Position, random: &mut Random) -> Option<Outcome> {
        let discs = self.grid.discs(self.cells.read(position));
        let mover = Seat::new(usize::from(discs.count() % 2 != 0)).expect("there are two");
        Some(match self.grid.play_out(discs, random) {
            Some(true) => Outcome::win(2, mover),
            Some(false) => Outcome::win(2, mover.opponent()),
            None => Outcome::draw(2, |_| true),
        })
    }

    fn has_sudden_wins(&self) -> bool {
        false
    }
}

impl Evaluation for Lines {
    fn points(&mut self, position: &Position) -> Points {
        let cells = self.cells.read(position);
        let mut points = [0; 6];
        for line in &self.lines {
            let (mut counts, mut gap) = ([0usize; 3], 0);
            for &cell in line {
                let owner = usize::from(cells[usize::from(cell)]);
                counts[owner] += 1;
                if owner == 0 {
                    gap = usize::from(cell);
                }
            }
            let seat = match counts {
                [_, 0, 0] => continue,
                [_, _, 0] => 0,
                [_, 0, _] => 1,
                _ => continue,
            };
            points[seat] += match counts[0] {
                1 => threat(cells, self.width, self.height, gap, seat),
                2 => 20,
                _ => 4,
            };
        }
        points
    }

    fn clear_lead(&self) -> i32 {
        150
    }

    fn trust(&self) -> f32 {
        0.5
    }

    fn promise(&self, m: Move, _: usize, _: usize) -> i32 {
        super::promise_of_column(m, self.width)
    }
}

/// What a cell is worth that wins for a seat. Those that can be played on now are for the search.
fn threat(cells: &[u8], width: usize, height: usize, gap: usize, seat: usize) -> i32 {
    let row = height - 1 - gap / width;
    let is_open = gap + width >= cells.len() || cells[gap + width] != 0;
    match (is_open, row % 2 == seat) {
        (true, _) => 40,
        (false, true) => 150 - 8 * row as i32,
        (false, false) => 60 - 4 * row as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lead;
    use super::super::{Evaluation, of};
    use super::lines;
    use arbiter_rules::{MoveList, Outcome, Position, Random, Seat, Setup, registry};

    /// A position on 7x6, and its evaluation.
    fn four(rows: [&str; 6]) -> (Position, Box<dyn Evaluation>) {
        let count = |sign| rows.concat().matches(sign).count();
        let text = format!("{} {}", rows.join("/"), if count('x') == count('o') { 'x' } else { 'o' });
        let setup = Setup { position: Some(&text), ..Setup::default() };
        let position = registry::start("connect-four", &setup).unwrap();
        let evaluation = of(&position);
        (position, evaluation)
    }

    /// The columns that are left of the legal moves.
    fn narrowed(rows: [&str; 6]) -> Vec<String> {
        let (position, mut evaluation) = four(rows);
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        evaluation.narrow(&position, &mut moves);
        moves.iter().map(|&m| position.move_text(m)).collect()
    }

    const EMPTY: &str = ".......";

    #[test]
    fn only_wins_are_left_then_only_parries_then_what_does_not_lose_at_once() {
        assert_eq!(narrowed([EMPTY, EMPTY, EMPTY, EMPTY, "ooo....", "xxx...."]), ["4"]);
        assert_eq!(narrowed([EMPTY, EMPTY, EMPTY, EMPTY, "oo.....", "xxx...."]), ["4"]);
        // A disc on the fourth column would let the other side complete the line above it.
        let above = [EMPTY, EMPTY, EMPTY, ".......", "xxx....", "oox...o"];
        assert_eq!(narrowed(above), ["1", "2", "3", "5", "6", "7"]);
        // Both ends of three are open: every move loses, so all are left.
        assert_eq!(narrowed([EMPTY, EMPTY, EMPTY, EMPTY, "..oo...", "..xxx.."]).len(), 7);
    }

    #[test]
    fn quick_games_are_won_lost_and_drawn_where_there_is_no_choice() {
        let play_out = |rows| {
            let (position, mut evaluation) = four(rows);
            (0..20)
                .map(|seed| evaluation.play_out(&position, &mut Random::new(seed)).unwrap())
                .collect::<Vec<_>>()
        };
        let ends = [EMPTY, EMPTY, EMPTY, EMPTY, "..oo...", "..xxx.."];
        assert_eq!(play_out(ends), vec![Outcome::win(2, Seat::FIRST); 20]);
        let win = [EMPTY, EMPTY, EMPTY, EMPTY, "ooo....", "xxx...."];
        assert_eq!(play_out(win), vec![Outcome::win(2, Seat::FIRST); 20]);
        let full = ["xoxoxo.", "xoxoxox", "oxoxoxo", "oxoxoxo", "xoxoxox", "xoxoxox"];
        assert_eq!(play_out(full), vec![Outcome::draw(2, |_| true); 20]);
    }

    #[test]
    fn every_line_of_a_grid_counts_once() {
        assert_eq!(lines(7, 6, 4).len(), 69);
        assert_eq!(lines(4, 4, 4).len(), 10);
        assert!(lines(7, 6, 8).is_empty());
    }

    #[test]
    fn a_threat_of_ones_own_rows_is_worth_more() {
        // Lines of four on 64 bits, and the same with the general code, on a wider board.
        for (options, more) in [(&[] as &[_], ""), (&[("size", "10x6")], "...")] {
            let lead = |rows: [&str; 6]| {
                let rows = rows.map(|row| format!("{row}{more}"));
                lead("connect-four", options, &format!("{} o", rows.join("/")))
            };
            // Three in a row, to be closed on the third row and on the second.
            let third = lead([".......", ".......", ".......", "xxx....", "xox...o", "oxo...o"]);
            let second = lead([".......", ".......", ".......", ".......", "xxx....", "oox...o"]);
            assert!(third > second, "{options:?}: {third} {second}");
        }
    }
}
