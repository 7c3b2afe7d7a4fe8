//! A turn by clicks: first the pawn, then every landing.

use super::ChineseCheckers;
use super::area::{Ground, SPOTS, numbers};
use super::blocking::Demand;
use super::board::{NEIGHBOURS, holes, jumps, touch};
use super::judging::{LONGEST_PATH, must_pass, on_board, too_long, too_short};
use crate::draft::{Draft, DraftResult, DraftStep, DraftView};
use crate::moves::{IllegalMove, Refusal};

impl ChineseCheckers {
    /// The first click takes a pawn, every further one is a step, a jump, or another choice of the pawn.
    pub(super) fn click(&self, draft: &Draft, cell: u16) -> DraftResult {
        if self.must_pass() {
            return Err(must_pass());
        }
        let hole = on_board(&[i64::from(cell)])?[0];
        let is_own = self.pawns.of(self.to_move) >> hole & 1 == 1;
        match draft.cells.as_slice() {
            [] => self.take(hole),
            // A landing comes first: a chain may come back to the hole of the pawn itself.
            path => match self.go_on(path, cell) {
                Err(_) if path == [cell] => Ok(DraftStep::Unfinished(Draft::default())),
                Err(_) if is_own => self.take(hole),
                step => step,
            },
        }
    }

    /// Chooses a pawn, which must be able to take a turn.
    fn take(&self, hole: usize) -> DraftResult {
        self.judge_origin(hole)?;
        if self.legal_ends(hole) != 0 {
            return Ok(DraftStep::Unfinished(Draft { cells: vec![hole as u16] }));
        }
        let ground = Ground::of(self.to_move);
        if !self.pawns.ends(hole, &ground.rest).is_empty() {
            return Err(self.must_leave());
        }
        let why = if self.pawns.is_shut_in(hole) {
            "every touching hole is taken and there is no jump"
        } else {
            "it could only stop in a side triangle"
        };
        let sentence = format!("The piece on {hole} cannot move: {why}.");
        Err(IllegalMove::new(Refusal::StuckPiece, sentence))
    }

    /// Adds a hole to the path of a pawn. A step is a whole turn.
    fn go_on(&self, path: &[u16], cell: u16) -> DraftResult {
        let path: Vec<i64> = path.iter().chain([&cell]).map(|&hole| i64::from(hole)).collect();
        if path.len() > LONGEST_PATH {
            return Err(too_long());
        }
        let way = on_board(&path)?;
        self.judge_origin(way[0])?;
        let is_step = way.len() == 2 && touch(way[0], way[1]);
        if !is_step {
            self.judge_chain(&way)?;
        }
        if is_step || !self.leads_to_an_end(&way) {
            return self.judge_turn(&path).map(DraftStep::Finished);
        }
        Ok(DraftStep::Unfinished(Draft { cells: way.into_iter().map(|hole| hole as u16).collect() }))
    }

    /// Whether a chain may end where it has come to, or could after further jumps.
    fn leads_to_an_end(&self, way: &[usize]) -> bool {
        let (from, last) = (way[0], way[way.len() - 1]);
        let board = if self.rules.allow_return { self.pawns.without(self.to_move, from) } else { self.pawns };
        let onward = numbers(SPOTS[last].class(), board.reach(last)) | 1 << last;
        self.legal_ends(from) & onward != 0
    }

    pub(super) fn press(&self, draft: &Draft, action: &str) -> DraftResult {
        if action != "finish" {
            let sentence = "There is nothing to press in this game but finish.";
            return Err(IllegalMove::new(Refusal::NotUnderstood, sentence));
        }
        if draft.cells.len() < 2 {
            return Err(if self.must_pass() { must_pass() } else { too_short() });
        }
        let path: Vec<i64> = draft.cells.iter().copied().map(i64::from).collect();
        self.judge_turn(&path).map(DraftStep::Finished)
    }

    pub(super) fn view(&self, draft: &Draft) -> DraftView {
        let duty = self.duty();
        let must = match duty.demand {
            Demand::Leave | Demand::MoveInside => duty.in_the_way,
            Demand::Nothing | Demand::Lapsed => 0,
        };
        let path: Vec<i64> = draft.cells.iter().copied().map(i64::from).collect();
        let targets = match on_board(&path).as_deref() {
            Ok([]) => self.movable(),
            Ok(way) if self.judge_origin(way[0]).is_ok() && self.judge_chain(way).is_ok() => self.next(way),
            _ => 0,
        };
        let cells = |set| holes(set).map(|hole| hole as u16).collect();
        let can_finish = path.len() > 1 && self.judge_turn(&path).is_ok();
        DraftView { targets: cells(targets), actions: Vec::new(), can_finish, must: cells(must) }
    }

    /// The pawns that can be chosen.
    fn movable(&self) -> u128 {
        self.turns().filter(|(_, ends)| !ends.is_empty()).fold(0, |set, (from, _)| set | 1 << from)
    }

    /// The holes to which a pawn that came along a way can go on.
    fn next(&self, way: &[usize]) -> u128 {
        let (from, last) = (way[0], way[way.len() - 1]);
        let steps = if way.len() == 1 { self.legal_ends(from) & NEIGHBOURS[from] } else { 0 };
        if way.len() == LONGEST_PATH {
            return steps;
        }
        let landings = jumps(last).map(|(_, landing)| landing).filter(|&landing| {
            self.judge_jump(way, landing).is_ok() && self.leads_to_an_end(&[from, landing])
        });
        landings.fold(steps, |set, landing| set | 1 << landing)
    }
}
