//! Any game of the rules as the search sees it.

use arbiter_rules::{Chance, Move, MoveList, Position, Seat, SeatResult};
use bot_engine::evaluation::{Evaluation, LIKELY, balance};

use crate::board::{Board, Candidate};

/// A position of any game, for one seat against all others.
///
/// With more than two seats the others are not one enemy: each of them is taken to play one of the few moves that bring
/// itself most, and of these the one that is worst for us. That lies between the "paranoid" search, which fears
/// moves that nobody has a reason to play, and max^n, which cannot cut off; and it looks several of our own moves ahead.
///
/// Earthquakes are left out here: `average.rs` draws them after the first move.
pub(crate) struct AnyGame {
    position: Position,
    evaluation: Box<dyn Evaluation>,
    seat: Seat,
    list: MoveList,
    promises: Vec<i32>,
}

impl AnyGame {
    pub(crate) fn new(position: &Position, evaluation: Box<dyn Evaluation>, seat: Seat) -> AnyGame {
        AnyGame { position: position.clone(), evaluation, seat, list: MoveList::new(), promises: Vec::new() }
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
        self.evaluation.promises(&self.position, seat, &self.list, &mut self.promises);
        list.clear();
        list.extend(self.list.iter().zip(&self.promises).map(|(&m, &promise)| Candidate { m, promise }));
        if seats > 2 && !self.is_ours() {
            list.sort_by_key(|candidate| -candidate.promise);
            list.truncate(LIKELY);
        }
    }

    /// Where positions can come again, both sides can often force a draw for ever: a little less than nothing makes us
    /// try something else first.
    fn draw(&self) -> i32 {
        -self.evaluation.dislike_of_draws()
    }

    fn play(&mut self, m: Move) {
        self.play_with(m, &Chance::NONE);
    }

    fn play_with(&mut self, m: Move, chance: &Chance) {
        self.position.play_legal(m, chance);
    }

    fn undo(&mut self) {
        self.position.undo();
    }

    fn evaluate(&mut self) -> i32 {
        let points = self.evaluation.points(&self.position);
        balance(&points, self.seat.index(), self.position.seats())
    }

    fn key(&self) -> u64 {
        self.position.key() as u64
    }
}
