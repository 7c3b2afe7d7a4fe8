//! Any game of the rules as the search sees it.

use arbiter_rules::{Chance, Move, MoveList, Position, Seat, SeatResult};
use bot_engine::evaluation::{Evaluation, balance};

use crate::board::{Board, Candidate};

/// A position of any game, for one seat against all others: with more than two seats everybody else is taken for one
/// enemy (the "paranoid" search of Sturtevant and Korf, which cuts off more than max^n does).
///
/// Earthquakes are left out of the search: it plays as if none came, and the evaluation trusts low tokens more.
pub(crate) struct AnyGame {
    position: Box<dyn Position>,
    evaluation: Box<dyn Evaluation>,
    seat: Seat,
    list: MoveList,
}

impl AnyGame {
    pub(crate) fn new(position: &dyn Position, evaluation: Box<dyn Evaluation>, seat: Seat) -> AnyGame {
        AnyGame { position: position.copy(), evaluation, seat, list: MoveList::new() }
    }

    /// The evaluation, to be used again.
    pub(crate) fn into_evaluation(self) -> Box<dyn Evaluation> {
        self.evaluation
    }
}

impl Board for AnyGame {
    fn is_ours(&self) -> bool {
        self.position.to_move() == Some(self.seat)
    }

    fn ended(&self) -> Option<i32> {
        self.position.end().map(|end| match end.outcome.of(self.seat) {
            SeatResult::Win => 1,
            SeatResult::Draw => 0,
            SeatResult::Loss => -1,
        })
    }

    fn moves(&mut self, list: &mut Vec<Candidate>) {
        self.position.legal_moves(&mut self.list);
        let seats = self.position.seats();
        let seat = self.position.to_move().map_or(0, Seat::index);
        list.clear();
        let promise = |m| self.evaluation.promise(m, seat, seats);
        list.extend(self.list.iter().map(|&m| Candidate { m, promise: promise(m) }));
    }

    fn play(&mut self, m: Move) {
        self.position.play_legal(m, &Chance::NONE);
    }

    fn undo(&mut self) {
        self.position.undo();
    }

    fn evaluate(&mut self) -> i32 {
        let points = self.evaluation.points(&*self.position);
        balance(&points, self.seat.index(), self.position.seats())
    }

    fn key(&self) -> u64 {
        self.position.key() as u64
    }
}
