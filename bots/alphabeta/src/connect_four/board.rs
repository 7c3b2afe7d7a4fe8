//! Connect four as the search sees it: two words, and moves that do not lose at once.

use arbiter_rules::{Move, Position};

use super::grid::{Discs, Grid};
use crate::board::{Board, Candidate};

/// A position for one side.
#[derive(Debug)]
pub struct BitBoard {
    grid: Grid,
    discs: Discs,
    is_ours: bool,
    /// Whether the side that has just moved has a line.
    is_won: bool,
    past: Vec<(Discs, bool)>,
    /// Cells of the rows that suit the first mover, from the bottom row on.
    odd_rows: u64,
    /// Whether we move on odd plies, as the first mover does.
    are_first: bool,
}

impl BitBoard {
    /// The board of a position in which we are to move; `None` if its size or its lines are not for 64 bits.
    #[must_use]
    pub fn of(position: &dyn Position) -> Option<BitBoard> {
        let grid = grid_of(position)?;
        let discs = discs_of(position, grid);
        let rows = |row: u32| (0..grid.width).fold(0, |set, c| set | grid.row_of_column(c, row));
        let odd_rows = (0..grid.height).step_by(2).fold(0, |set, row| set | rows(row));
        let are_first = discs.count() % 2 == 0;
        Some(BitBoard { grid, discs, is_ours: true, is_won: false, past: Vec::new(), odd_rows, are_first })
    }

    fn wins(&self) -> u64 {
        self.grid.completing(self.discs.own, self.discs.all) & self.grid.landings(self.discs)
    }

    fn as_move(&self, landing: u64) -> Move {
        move_of(self.grid, landing)
    }
}

/// The grid of a position of connect four, if lines are four long and it fits.
#[must_use]
pub fn grid_of(position: &dyn Position) -> Option<Grid> {
    let options = position.options();
    let length = options.get("connect")?.to_string();
    let shape = position.shape();
    Grid::new(u32::from(shape.width), u32::from(shape.height)).filter(|_| length == "4")
}

/// The discs of a position, seen by the side to move.
#[must_use]
pub fn discs_of(position: &dyn Position, grid: Grid) -> Discs {
    let mut cells = vec![0; position.shape().cells()];
    position.write_cells(&mut cells);
    let mover = position.to_move().map_or(1, |seat| seat.index() as u8 + 1);
    (0..).zip(cells).filter(|&(_, owner)| owner != 0).fold(
        Discs { own: 0, all: 0 },
        |discs, (cell, owner)| {
            let bit = grid.bit(cell);
            Discs { own: discs.own | if owner == mover { bit } else { 0 }, all: discs.all | bit }
        },
    )
}

/// The move of a disc that comes to rest on a cell.
#[must_use]
pub fn move_of(grid: Grid, landing: u64) -> Move {
    Move::place(grid.cell(landing) as u16)
}

impl Board for BitBoard {
    fn is_ours(&self) -> bool {
        self.is_ours
    }

    fn ended(&self) -> Option<i32> {
        if self.is_won {
            return Some(if self.is_ours { -1 } else { 1 });
        }
        (self.discs.count() == self.grid.cells()).then_some(0)
    }

    fn moves(&mut self, list: &mut Vec<Candidate>) {
        list.clear();
        let wins = self.wins();
        let sensible = if wins != 0 { wins } else { self.grid.sensible(self.discs) };
        let landings = if sensible != 0 { sensible } else { self.grid.landings(self.discs) };
        let middle = self.grid.width.cast_signed() - 1;
        for column in 0..self.grid.width {
            let landing = landings & self.grid.column(column);
            if landing != 0 {
                let threats = self.grid.completing(self.discs.own | landing, self.discs.all).count_ones();
                let aside = (2 * column.cast_signed() - middle).abs();
                let promise = 100 * threats.cast_signed() - 4 * aside;
                list.push(Candidate { m: self.as_move(landing), promise });
            }
        }
    }

    fn play(&mut self, m: Move) {
        let landing = self.grid.bit(u32::from(m.to()));
        self.past.push((self.discs, self.is_won));
        self.is_won = self.grid.completing(self.discs.own, self.discs.all) & landing != 0;
        self.discs = self.discs.after(landing);
        self.is_ours = !self.is_ours;
    }

    fn undo(&mut self) {
        (self.discs, self.is_won) = self.past.pop().expect("a move was played");
        self.is_ours = !self.is_ours;
    }

    fn evaluate(&mut self) -> i32 {
        let Discs { own, all } = self.discs;
        let mover_is_first = self.is_ours == self.are_first;
        let landings = self.grid.landings(self.discs);
        let points = |discs: u64, is_first: bool| {
            let threats = self.grid.completing(discs, all);
            let own_rows = if is_first { self.odd_rows } else { !self.odd_rows };
            let count = |set: u64| set.count_ones().cast_signed();
            // One above the other they cannot both be parried.
            30 * count(threats)
                + 70 * count(threats & own_rows & !landings)
                + 120 * count(threats & threats << 1)
                + self.grid.lines_through(discs, all)
        };
        let score = points(own, mover_is_first) - points(own ^ all, !mover_is_first);
        if self.is_ours { score } else { -score }
    }

    fn key(&self) -> u64 {
        self.grid.key(self.discs)
    }

    /// A win, or a threat that has to be met.
    fn is_forced(&mut self) -> bool {
        let Discs { own, all } = self.discs;
        let landings = self.grid.landings(self.discs);
        (self.grid.completing(own, all) | self.grid.completing(own ^ all, all)) & landings != 0
    }
}
