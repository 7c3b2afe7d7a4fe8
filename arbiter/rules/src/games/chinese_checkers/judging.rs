//! Whether a turn is legal, and if not, why: the first test that fails gives the reason.

use super::ChineseCheckers;
use super::blocking::Demand;
use super::board::{HOLES, holes, jumps, touch};
use super::jumps::shortest_chain;
use super::notation::path_text;
use crate::moves::{Choice, IllegalMove, Move, Refusal};
use crate::notation::{Notation, alternatives};

/// Most holes in a path.
pub(super) const LONGEST_PATH: usize = 64;

/// Nothing, or why not.
pub(super) type Judgement = Result<(), IllegalMove>;

impl ChineseCheckers {
    pub(super) fn judge_move(&self, m: Move) -> Judgement {
        if m == Move::PASS {
            return self.judge_turn(&[]).map(|_| ());
        }
        if m != Move::shift(m.from(), m.to()) {
            let sentence = "A move in this game takes a piece from one hole to another, or passes.";
            return Err(IllegalMove::new(Refusal::NotUnderstood, sentence));
        }
        if self.is_legal(usize::from(m.from()), usize::from(m.to())) {
            return Ok(());
        }
        self.judge_result(i64::from(m.from()), i64::from(m.to())).map(|_| ())
    }

    fn is_legal(&self, from: usize, to: usize) -> bool {
        from < HOLES && to < HOLES && self.legal_ends(from) >> to & 1 == 1
    }

    /// Judges a turn of which only the first and the last hole are given. What is wrong with it is what is wrong
    /// with the shortest way to make it.
    pub(super) fn judge_result(&self, from: i64, to: i64) -> Result<Move, IllegalMove> {
        if let &[start, end] = on_board(&[from, to]).as_deref().unwrap_or_default() {
            if self.is_legal(start, end) {
                return Ok(Move::shift(start as u16, end as u16));
            }
            if let Some(path) = shortest_chain(self.pawns.occupied(), start, end) {
                let path: Vec<_> = path.into_iter().map(i64::from).collect();
                return self.judge_turn(&path).map(|choice| choice.played);
            }
        }
        self.judge_turn(&[from, to]).map(|choice| choice.played)
    }

    pub(super) fn judge_turn(&self, path: &[i64]) -> Result<Choice, IllegalMove> {
        match (path.is_empty(), self.must_pass()) {
            (true, true) => return Ok(Move::PASS.into()),
            (true, false) => return Err(self.pass_not_allowed()),
            (false, true) => return Err(must_pass()),
            (false, false) => {}
        }
        if path.len() < 2 {
            return Err(too_short());
        }
        if path.len() > LONGEST_PATH {
            return Err(too_long());
        }
        let path = on_board(path)?;
        let (from, to) = (path[0], path[path.len() - 1]);
        self.judge_origin(from)?;
        if path.len() == 2 && touch(from, to) {
            self.judge_free(to)?;
        } else {
            self.judge_chain(&path)?;
        }
        if from != to && self.to_move.wings() >> to & 1 == 1 {
            let sentence =
                format!("A piece may pass through {to} but not stop there: it is a side triangle.");
            return Err(IllegalMove::new(Refusal::RestInWing, sentence));
        }
        if self.legal_ends(from) >> to & 1 == 0 {
            return Err(self.must_leave());
        }
        let path = path.into_iter().map(|hole| hole as u16).collect();
        Ok(Choice { played: Move::shift(from as u16, to as u16), path })
    }

    /// A path begins with an own pawn.
    pub(super) fn judge_origin(&self, hole: usize) -> Judgement {
        match self.pawns.owner(hole) {
            None => {
                let sentence = format!("Hole {hole} is empty: choose one of your own pieces first.");
                Err(IllegalMove::new(Refusal::EmptyOrigin, sentence))
            }
            Some(owner) if owner != self.to_move => {
                let sentence = format!("The piece on {hole} belongs to player {}.", self.seat(owner));
                Err(IllegalMove::new(Refusal::NotYourPawn, sentence))
            }
            Some(_) => Ok(()),
        }
    }

    fn judge_free(&self, hole: usize) -> Judgement {
        match self.pawns.owner(hole) {
            None => Ok(()),
            Some(owner) => {
                let sentence = format!("Hole {hole} is taken by player {}.", self.seat(owner));
                Err(IllegalMove::new(Refusal::Occupied, sentence))
            }
        }
    }

    /// Every hole of a path but the first is a jump away from the one before.
    pub(super) fn judge_chain(&self, path: &[usize]) -> Judgement {
        (1..path.len()).try_for_each(|landing| self.judge_jump(&path[..landing], path[landing]))
    }

    /// The pawn that came along a path may jump on to a hole. While it jumps, the hole it left is empty.
    pub(super) fn judge_jump(&self, path: &[usize], landing: usize) -> Judgement {
        let (start, from) = (path[0], path[path.len() - 1]);
        if landing != start {
            self.judge_free(landing)?;
        }
        let Some((over, _)) = jumps(from).find(|&(_, behind)| behind == landing) else {
            return Err(if touch(from, landing) {
                step_in_chain(path.len() == 1, from, landing)
            } else if from == landing {
                IllegalMove::new(Refusal::NotInReach, format!("The piece stands on {from} already."))
            } else {
                let how = "a piece steps to a touching hole or jumps over exactly one touching piece";
                let sentence = format!("{landing} cannot be reached from {from}: {how}.");
                IllegalMove::new(Refusal::NotInReach, sentence)
            });
        };
        if over == start || self.pawns.is_empty(over) {
            let sentence = format!("There is no piece between {from} and {landing} to jump over.");
            return Err(IllegalMove::new(Refusal::NothingToJump, sentence));
        }
        if landing == start && !self.rules.allow_return {
            let sentence = "In this game a chain may not come back to the hole it began in.";
            return Err(IllegalMove::new(Refusal::ReturnedToStart, sentence));
        }
        Ok(())
    }

    fn pass_not_allowed(&self) -> IllegalMove {
        let (mut turns, null_turns): (Vec<_>, Vec<_>) = self
            .turns()
            .flat_map(|(from, ends)| holes(ends.holes()).map(move |to| Move::shift(from as u16, to as u16)))
            .partition(|m| m.from() != m.to());
        turns.extend(null_turns);
        IllegalMove::pass_not_allowed(turns.len(), |n| path_text(&self.path(turns[n])))
    }

    pub(super) fn must_leave(&self) -> IllegalMove {
        let sentence = format!("You must move {} first (rule: no blocking).", self.way_out());
        IllegalMove::new(Refusal::MustLeave, sentence)
    }

    /// Which pawns the no-blocking rule lets move, and where to.
    pub(super) fn way_out(&self) -> String {
        let able: Vec<_> = self.turns().filter(|(_, ends)| !ends.is_empty()).map(|(from, _)| from).collect();
        let where_to = match self.duty().demand {
            Demand::MoveInside => "to another hole of your home",
            Demand::Nothing | Demand::Leave | Demand::Lapsed => "out of your home",
        };
        format!("the piece on {} {where_to}", alternatives(&able))
    }
}

/// The holes of a path, all of which must exist.
pub(super) fn on_board(path: &[i64]) -> Result<Vec<usize>, IllegalMove> {
    let hole = |&number: &i64| match usize::try_from(number) {
        Ok(hole) if hole < HOLES => Ok(hole),
        _ => {
            let sentence =
                format!("There is no hole called '{number}': holes are numbered 0 to {}.", HOLES - 1);
            Err(IllegalMove::new(Refusal::OffBoard, sentence))
        }
    };
    path.iter().map(hole).collect()
}

pub(super) fn must_pass() -> IllegalMove {
    IllegalMove::new(Refusal::MustPass, "You have no legal move: the turn is passed.")
}

pub(super) fn too_short() -> IllegalMove {
    IllegalMove::new(Refusal::TooShort, "A move names at least two holes.")
}

pub(super) fn too_long() -> IllegalMove {
    IllegalMove::new(Refusal::TooLong, format!("A path holds at most {LONGEST_PATH} holes."))
}

fn step_in_chain(is_first: bool, from: usize, to: usize) -> IllegalMove {
    let rule =
        if is_first { "A step is a whole turn" } else { "After a jump only further jumps are allowed" };
    IllegalMove::new(Refusal::StepInChain, format!("{rule}: {from} to {to} is a step."))
}
