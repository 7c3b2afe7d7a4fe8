//! Any game of the rules as the search sees it.

use arbiter_rules::{Chance, Move, MoveKind, MoveList, Position, Seat, SeatResult};
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
    /// What each move is worth by itself, where a game has such a thing.
    promise: Promise,
}

/// How moves are judged before anything is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    /// Nothing is known.
    None,
    /// The nearer to the target the better.
    Way,
    /// The middle of a small board is better than its corners, and those better than its edges.
    Nine,
    /// Towards the middle of a grid.
    Middle(u16),
}

impl AnyGame {
    pub(crate) fn new(position: &dyn Position, evaluation: Box<dyn Evaluation>, seat: Seat) -> AnyGame {
        let promise = match position.info().id {
            "chinese-checkers" => Promise::Way,
            "ultimate" | "tic-tac-toe" => Promise::Nine,
            "connect-four" | "stacks" => Promise::Middle(position.shape().width),
            _ => Promise::None,
        };
        AnyGame { position: position.copy(), evaluation, seat, list: MoveList::new(), promise }
    }

    /// The evaluation, to be used again.
    pub(crate) fn into_evaluation(self) -> Box<dyn Evaluation> {
        self.evaluation
    }

    fn promise_of(&self, m: Move, seat: usize, seats: usize) -> i32 {
        match self.promise {
            Promise::None => 0,
            Promise::Way => bot_engine::evaluation::chinese_checkers::progress(seat, seats, m),
            Promise::Nine => [20, 10, 20, 10, 30, 10, 20, 10, 20][usize::from(m.to() % 9)],
            Promise::Middle(width) => {
                let column = i32::from(m.to() % width);
                let removal = if m.kind() == Some(MoveKind::Remove) { 50 } else { 0 };
                -(2 * column + 1 - i32::from(width)).abs() - removal
            }
        }
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
        list.extend(self.list.iter().map(|&m| Candidate { m, promise: self.promise_of(m, seat, seats) }));
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
