//! Games of `alphabeta` against itself.

use alphabeta::Alphabeta;
use arbiter_rules::{Chance, MoveList, Position, Random, Seat, SeatResult, Setup, registry};
use bot_engine::evaluation::ultimate::{Boards, boards_of};
use bot_engine::{Level, Patience, SURE, Seating, Thinker};

use crate::sample::Sample;

/// At most so many moves of a game are drawn at random before the two begin to think.
const OPENING: usize = 12;
/// One of so many later moves is drawn at random.
const SELDOM: usize = 50;

/// Two players that search 128 positions times so many looks for each move.
pub(crate) struct Table {
    players: [Alphabeta; 2],
    looks: u64,
    random: Random,
}

impl Table {
    pub(crate) fn new(looks: u64, seed: u64) -> Table {
        let start = registry::start("ultimate", &Setup::default()).expect("it is a game");
        let player = |seat| {
            let seating = Seating { seat, seed, memory: 2 << 20 };
            Alphabeta::new(&start, seating, Level::FULL).at_ease_with_draws()
        };
        Table { players: [0, 1].map(player), looks, random: Random::new(seed) }
    }

    /// Plays a game, until somebody sees how to win; its positions from the opening on.
    pub(crate) fn play(&mut self) -> Vec<Sample> {
        let mut position = registry::start("ultimate", &Setup::default()).expect("it is a game");
        let (mut moves, mut cells) = (MoveList::new(), vec![0; 81]);
        let mut samples = Vec::new();
        let opening = self.random.below(OPENING + 1);
        let mut played = 0;
        while let Some(seat) = position.to_move().map(Seat::index) {
            position.legal_moves(&mut moves);
            let mut m = moves[self.random.below(moves.len())];
            if played >= opening {
                let mut patience = Patience::of(self.looks);
                let best = self.players[seat].choose(&position, &mut patience);
                if patience.score.abs() > SURE / 2 {
                    return won(samples, if patience.score > 0 { seat } else { 1 - seat });
                }
                position.write_cells(&mut cells);
                let score = patience.score.clamp(-2000, 2000) as i16;
                let boards = Boards::of(&cells);
                samples.push(Sample { boards, seat, allowed: boards_of(&moves), result: 0.5, score });
                if self.random.below(SELDOM) > 0 {
                    m = best;
                }
            }
            position.play(m, &Chance::NONE).expect("it is legal");
            played += 1;
        }
        match winner(&position) {
            Some(seat) => won(samples, seat),
            None => samples,
        }
    }
}

fn winner(position: &Position) -> Option<usize> {
    let outcome = position.end()?.outcome;
    [0, 1].into_iter().find(|&seat| outcome.of(Seat::new(seat).expect("there are two")) == SeatResult::Win)
}

fn won(mut samples: Vec<Sample>, winner: usize) -> Vec<Sample> {
    for sample in &mut samples {
        sample.result = if sample.seat == winner { 1.0 } else { 0.0 };
    }
    samples
}
