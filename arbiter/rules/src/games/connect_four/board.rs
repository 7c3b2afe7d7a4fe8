//! A position of connect four.
//!
//! Each seat's discs are bits, column by column from the left and from the bottom up, with one bit above each column
//! that is never set: so lines cannot run over from one column into the next (J. Tromp's layout).

use super::word::Word;
use super::{Grid, INFO, notation, read_options};
use crate::appearance::Appearance;
use crate::chance::Chance;
use crate::draft::{Draft, DraftResult, DraftStep, Input};
use crate::draw::{Charset, Scene};
use crate::game::{Extras, Game, Shape};
use crate::info::{Setup, SetupError};
use crate::layout::{Field, LABEL, Layout, Pieces, Point, STEP};
use crate::moves::{Choice, IllegalMove, Move, MoveKind, MoveList, Refusal};
use crate::notation::{Notation, write_rows};
use crate::options::Options;
use crate::outcome::{EndReason, GameEnd, Outcome};
use crate::random::key_of;
use crate::seat::Seat;

/// A position, copied rather than undone.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectFour<W> {
    pub(super) grid: Grid,
    /// Discs by seat.
    discs: [W; 2],
    /// Discs by column.
    heights: [u8; 20],
    /// The columns that are not full, from the left.
    open: [u8; 20],
    open_count: u8,
    pub(super) to_move: Seat,
    pub(super) winner: Option<Seat>,
}

impl<W: Word> ConnectFour<W> {
    fn empty(grid: Grid) -> ConnectFour<W> {
        ConnectFour {
            grid,
            discs: [W::EMPTY; 2],
            heights: [0; 20],
            open: std::array::from_fn(|column| column as u8),
            open_count: grid.columns,
            to_move: Seat::FIRST,
            winner: None,
        }
    }

    /// Drops a disc into a column that is not full.
    #[inline]
    pub(super) fn drop_disc(&mut self, column: u16, seat: Seat) {
        let height = &mut self.heights[usize::from(column)];
        let bit = u32::from(column) * self.grid.stride() + u32::from(*height);
        *height += 1;
        if *height == self.grid.rows {
            self.close(column);
        }
        self.discs[seat.index()] = self.discs[seat.index()].with(bit);
    }

    /// Drops a disc of the seat to move into a column that is not full, and hands the turn over.
    #[inline]
    fn choose_legal(&mut self, column: u16) {
        let mover = self.to_move;
        self.drop_disc(column, mover);
        self.to_move = mover.opponent();
        if self.has_line(mover) {
            self.winner = Some(mover);
        }
    }

    /// Takes a full column off the list of open ones: once a game for each column.
    #[cold]
    fn close(&mut self, column: u16) {
        let open = &mut self.open[..usize::from(self.open_count)];
        let place = open.iter().position(|&open| u16::from(open) == column).expect("the column was open");
        open.copy_within(place + 1.., place);
        self.open_count -= 1;
    }

    #[inline]
    pub(super) fn has_line(&self, seat: Seat) -> bool {
        let has_line_of = |wanted| {
            let [a, b, c, d] = self.directions().map(|direction| self.line_starts(seat, direction, wanted));
            !a.or(b).or(c).or(d).is_empty()
        };
        // The usual length is a case of its own, so that its loops are unrolled.
        if self.grid.connect == 4 { has_line_of(4) } else { has_line_of(u32::from(self.grid.connect)) }
    }

    /// Bits to the next cell up, to the right, and along both diagonals.
    #[inline]
    fn directions(&self) -> [u32; 4] {
        let stride = self.grid.stride();
        [1, stride, stride - 1, stride + 1]
    }

    /// The first cells of all lines in one direction. Runs of discs double in length until they are long enough.
    #[inline(always)]
    fn line_starts(&self, seat: Seat, direction: u32, wanted: u32) -> W {
        let (mut runs, mut length) = (self.discs[seat.index()], 1);
        while length < wanted {
            let more = length.min(wanted - length);
            runs = runs.paired(more * direction);
            length += more;
        }
        runs
    }

    /// The cell on which a disc in this column comes to rest.
    #[inline]
    fn landing(&self, column: u16) -> Move {
        let row = u16::from(self.grid.rows - 1 - self.heights[usize::from(column)]);
        Move::place(row * u16::from(self.grid.columns) + column)
    }

    pub(super) fn height(&self, column: u16) -> u8 {
        self.heights[usize::from(column)]
    }

    fn is_open(&self, column: u16) -> bool {
        self.height(column) < self.grid.rows
    }

    /// Who has a disc on a cell.
    pub(super) fn owner(&self, cell: u16) -> Option<Seat> {
        let (row, column) = (cell / u16::from(self.grid.columns), cell % u16::from(self.grid.columns));
        let bit = u32::from(column) * self.grid.stride() + u32::from(self.grid.rows - 1) - u32::from(row);
        Seat::all(2).find(|seat| self.discs[seat.index()].has(bit))
    }

    /// The cell that a bit stands for.
    fn cell(&self, bit: u32) -> u16 {
        let (column, height) = (bit / self.grid.stride(), bit % self.grid.stride());
        ((u32::from(self.grid.rows) - 1 - height) * u32::from(self.grid.columns) + column) as u16
    }

    /// Chooses a column, from 0.
    fn choose(&self, column: u16) -> Result<Move, IllegalMove> {
        if column >= u16::from(self.grid.columns) {
            let sentence = format!("Columns are 1 to {}.", self.grid.columns);
            return Err(IllegalMove::new(Refusal::NoSuchColumn, sentence));
        }
        if !self.is_open(column) {
            let sentence = format!("Column {} is full: choose another column.", column + 1);
            return Err(IllegalMove::new(Refusal::ColumnFull, sentence));
        }
        Ok(self.landing(column))
    }

    fn columns(&self) -> impl DoubleEndedIterator<Item = u16> + use<W> {
        0..u16::from(self.grid.columns)
    }

    /// The board column by column, read in this order, and the side to move.
    fn key_of_columns(&self, columns: impl Iterator<Item = u16>) -> u128 {
        let side = self.to_move.index() as u64;
        let code = |column: u16| {
            let bottom = u32::from(column) * self.grid.stride();
            let second = |height: u8| u64::from(self.discs[1].has(bottom + u32::from(height)));
            let height = self.heights[usize::from(column)];
            (0..height).fold(u64::from(height), |code, height| code << 1 | second(height))
        };
        key_of(columns.map(code).chain([side]))
    }
}

impl<W: Word> Game for ConnectFour<W> {
    fn start(setup: &Setup<'_>) -> Result<(ConnectFour<W>, Options), SetupError> {
        let (grid, options) = read_options(setup.options)?;
        let mut position = ConnectFour::empty(grid);
        if let Some(text) = setup.position {
            notation::read(text, &mut position)?;
        }
        Ok((position, options))
    }

    fn shape(&self) -> Shape {
        Shape { width: u16::from(self.grid.columns), height: u16::from(self.grid.rows), depth: 1 }
    }

    #[inline]
    fn to_move(&self) -> Seat {
        self.to_move
    }

    #[inline]
    fn ending(&self) -> Option<GameEnd> {
        if let Some(winner) = self.winner {
            return Some(GameEnd { outcome: Outcome::win(2, winner), reason: EndReason::Line });
        }
        let full = GameEnd { outcome: Outcome::draw(2, |_| true), reason: EndReason::Full };
        (self.open_count == 0).then_some(full)
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let columns = self.columns().filter(|&column| self.is_open(column));
        columns.for_each(|column| moves.push(self.landing(column)));
    }

    #[inline]
    fn legal_count(&self) -> usize {
        usize::from(self.open_count)
    }

    #[inline]
    fn nth_legal(&self, n: usize) -> Move {
        self.landing(u16::from(self.open[..usize::from(self.open_count)][n]))
    }

    fn judge(&self, m: Move) -> Result<(), IllegalMove> {
        let cell = m.to();
        if m.kind() != Some(MoveKind::Place) || m != Move::place(cell) {
            let sentence = "A move in this game drops a disc into a column.";
            return Err(IllegalMove::new(Refusal::NotUnderstood, sentence));
        }
        if usize::from(cell) >= self.shape().cells() {
            return self.choose(u16::MAX).map(drop);
        }
        let column = cell % u16::from(self.grid.columns);
        let landing = self.choose(column)?;
        if m != landing {
            let [lands, asked] = [landing.to(), cell].map(|cell| self.cell_name(cell));
            let sentence = format!("A disc in column {} falls on {lands}, not on {asked}.", column + 1);
            return Err(IllegalMove::new(Refusal::NotUnderstood, sentence));
        }
        Ok(())
    }

    #[inline]
    fn play(&mut self, m: Move, _: &Chance) {
        self.choose_legal(self.grid.column(m.to()));
    }

    #[inline]
    fn play_nth(&mut self, n: usize) {
        self.choose_legal(u16::from(self.open[..usize::from(self.open_count)][n]));
    }

    fn key(&self) -> u128 {
        self.key_of_columns(self.columns())
    }

    fn symmetric_key(&self) -> u128 {
        self.key().min(self.key_of_columns(self.columns().rev()))
    }

    fn write_cells(&self, cells: &mut [u8]) {
        for (cell, content) in cells.iter_mut().enumerate() {
            *content = self.owner(cell as u16).map_or(0, |seat| seat.index() as u8 + 1);
        }
    }

    fn write_text(&self, text: &mut String) {
        write_rows(self.shape(), |cell| self.owner(cell), self.to_move, text);
    }

    fn winning_cells(&self) -> Vec<u16> {
        let Some(winner) = self.winner else { return Vec::new() };
        let line = self.directions().into_iter().find_map(|direction| {
            let starts = self.line_starts(winner, direction, self.grid.connect.into());
            let first = (0..self.grid.bits()).find(|&bit| starts.has(bit))?;
            Some((0..u32::from(self.grid.connect)).map(|i| self.cell(first + i * direction)).collect())
        });
        let mut cells: Vec<u16> = line.unwrap_or_default();
        cells.sort_unstable();
        cells
    }
}

impl<W: Word> Extras for ConnectFour<W> {}

impl<W: Word> Notation for ConnectFour<W> {
    fn write_move(&self, m: Move, text: &mut String) {
        text.push_str(&(m.to() % u16::from(self.grid.columns) + 1).to_string());
    }

    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove> {
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(IllegalMove::not_understood(text, INFO.example));
        }
        let column = text.parse::<u16>().unwrap_or(u16::MAX).wrapping_sub(1);
        self.choose(column).map(Choice::from)
    }

    /// Also cuts lists without blanks where every column is one digit: `4455`.
    fn split_moves<'a>(&self, text: &'a str) -> Vec<&'a str> {
        notation::split_moves(text, self.grid)
    }
}

impl<W: Word> Appearance for ConnectFour<W> {
    fn scene(&self, _: Charset) -> Scene {
        let Shape { width, height, .. } = self.shape();
        let cells = (0..width * height).map(|cell| (3 + cell % width * 3, 1 + cell / width)).collect();
        let label = |column: u16| {
            let number = (column + 1).to_string();
            (4 + column * 3 - number.len() as u16, 0, number)
        };
        Scene { cells, labels: self.columns().map(label).collect() }
    }

    fn layout(&self) -> Layout {
        let label = |x: u16| (Point::new(i32::from(x) * STEP, -LABEL), (x + 1).to_string());
        let labels = self.columns().map(label).collect();
        Layout { labels, ..Layout::grid(self.shape(), Field::Rack, Pieces::Discs) }
    }

    fn place_name(&self, cell: u16) -> String {
        format!("column {}", self.grid.column(cell) + 1)
    }

    /// Rows have no names.
    fn line_name(&self, cells: &[u16]) -> String {
        let columns = || cells.iter().map(|&cell| self.grid.column(cell) + 1);
        let (Some(first), Some(last), [a, .., b]) = (columns().min(), columns().max(), cells) else {
            return "a line".to_owned();
        };
        let width = u16::from(self.grid.columns);
        match (first == last, a / width == b / width) {
            (true, _) => format!("{} in column {first}", cells.len()),
            (false, true) => format!("{} in a row, columns {first} to {last}", cells.len()),
            (false, false) => format!("{} on a diagonal, columns {first} to {last}", cells.len()),
        }
    }

    fn notes(&self, _: Charset) -> Vec<String> {
        vec![format!("  {} in a row wins", self.grid.connect)]
    }
}

impl<W: Word> Input for ConnectFour<W> {
    /// Any cell of a column stands for the column.
    fn pick(&self, _: &Draft, cell: u16) -> DraftResult {
        let is_cell = usize::from(cell) < self.shape().cells();
        let column = if is_cell { cell % u16::from(self.grid.columns) } else { u16::MAX };
        self.choose(column).map(|m| DraftStep::Finished(m.into()))
    }
}
