//! Connect four as the search sees it: two words, and moves that do not lose at once.

use crate::board::{Board, Candidate};
use arbiter_rules::{Move, Position};
use bot_engine::evaluation::connect_four::evaluate;
use bot_engine::evaluation::connect_four::grid::{Discs, Grid};

/// A position for one side.
#[derive(Debug)]
pub(crate) struct BitBoard {
    grid: Grid,
    discs: Discs,
    is_ours: bool,
    /// Whether the side that has just moved has a line.
    is_won: bool,
    past: Vec<(Discs, bool)>,
}

impl BitBoard {
    /// The board of a position in which we are to move; `None` if its size or its lines are not for 64 bits.
    pub(crate) fn of(position: &Position) -> Option<BitBoard> {
        let grid = Grid::of(position)?;
        let discs = grid.discs_of(position);
        Some(BitBoard { grid, discs, is_ours: true, is_won: false, past: Vec::new() })
    }
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
        let wins = self.grid.wins(self.discs);
        let sensible = if wins != 0 { wins } else { self.grid.sensible(self.discs) };
        let landings = if sensible != 0 { sensible } else { self.grid.landings(self.discs) };
        let middle = self.grid.width.cast_signed() - 1;
        for column in 0..self.grid.width {
            let landing = landings & self.grid.column(column);
            if landing != 0 {
                let threats = self.grid.completing(self.discs.own | landing, self.discs.all).count_ones();
                let aside = (2 * column.cast_signed() - middle).abs();
                let promise = 100 * threats.cast_signed() - 4 * aside;
                list.push(Candidate { m: self.grid.move_of(landing), promise });
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
        let score = evaluate(&self.grid, self.discs);
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
