//! Othello as the search sees it: two words, copied rather than undone.

use arbiter_rules::{Move, Position};
use bot_engine::evaluation::othello::{Heuristic, PROMISES, captures, discs_of, evaluate_by, turned};

use crate::board::{Board, Candidate};

/// A position for one side.
#[derive(Debug)]
pub(crate) struct BitBoard {
    own: u64,
    other: u64,
    is_ours: bool,
    /// Where the side to move can place.
    legal: u64,
    heuristic: Heuristic,
    past: Vec<(u64, u64, bool, u64)>,
}

impl BitBoard {
    /// The board of a position in which we are to move.
    pub(crate) fn of(position: &Position, heuristic: Heuristic) -> BitBoard {
        let (own, other) = discs_of(position);
        let legal = captures(own, other);
        BitBoard { own, other, is_ours: true, legal, heuristic, past: Vec::new() }
    }

    fn has_ended(&self) -> bool {
        self.legal == 0 && captures(self.other, self.own) == 0
    }
}

impl Board for BitBoard {
    fn is_ours(&self) -> bool {
        self.is_ours
    }

    fn ended(&self) -> Option<i32> {
        self.has_ended().then(|| {
            let (own, other) = (self.own.count_ones(), self.other.count_ones());
            let result = own.cmp(&other) as i32;
            if self.is_ours { result } else { -result }
        })
    }

    fn moves(&mut self, list: &mut Vec<Candidate>) {
        list.clear();
        if self.legal == 0 {
            list.push(Candidate { m: Move::PASS, promise: 0 });
        }
        let mut cells = self.legal;
        while cells != 0 {
            let cell = cells.trailing_zeros();
            cells &= cells - 1;
            let turned = turned(self.own, self.other, cell);
            let replies = captures(self.other ^ turned, self.own | turned | 1 << cell);
            let promise = 4 * PROMISES[cell as usize] - 25 * replies.count_ones().cast_signed();
            list.push(Candidate { m: Move::place(cell as u16), promise });
        }
    }

    fn play(&mut self, m: Move) {
        self.past.push((self.own, self.other, self.is_ours, self.legal));
        if m == Move::PASS {
            (self.own, self.other) = (self.other, self.own);
        } else {
            let turned = turned(self.own, self.other, u32::from(m.to()));
            (self.own, self.other) = (self.other ^ turned, self.own | turned | 1 << m.to());
        }
        self.is_ours = !self.is_ours;
        self.legal = captures(self.own, self.other);
    }

    fn undo(&mut self) {
        (self.own, self.other, self.is_ours, self.legal) = self.past.pop().expect("a move was played");
    }

    fn evaluate(&mut self) -> i32 {
        let score = evaluate_by(self.heuristic, self.own, self.other);
        if self.is_ours { score } else { -score }
    }

    fn key(&self) -> u64 {
        let mixed =
            self.own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed ^ mixed >> 29).wrapping_add(self.own ^ self.other.rotate_left(31)) ^ u64::from(self.is_ours)
    }

    /// A pass.
    fn is_forced(&mut self) -> bool {
        self.legal == 0
    }
}
