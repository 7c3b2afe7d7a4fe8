//! What a position is worth that the tree does not go beyond.

use arbiter_plugin_api::Random;
use arbiter_rules::{ChanceSource, MAX_SEATS, Outcome, Position, Seat};
use bot_engine::Watch;
use bot_engine::evaluation::{Evaluation, balance, chance_of};

use crate::tree::{Proven, Rewards};

/// Plies of a random game between two looks at the clock.
const LOOK: u32 = 64;

/// What everybody gets of a game that has ended.
pub(crate) fn rewards_of(outcome: &Outcome) -> Rewards {
    let mut rewards = [0.0; MAX_SEATS];
    let ranks = outcome.ranks();
    let first = ranks.iter().filter(|&&rank| rank == 1).count();
    for (reward, &rank) in rewards.iter_mut().zip(ranks) {
        *reward = match (rank, first) {
            (1, 1) => 1.0,
            (1, _) => 0.5,
            _ => 0.0,
        };
    }
    rewards
}

/// The same as something that is known.
pub(crate) fn proven_by(outcome: &Outcome) -> Proven {
    outcome.winner().map_or(Proven::Drawn, |seat| Proven::Won(seat.index() as u8))
}

/// Plays random moves to the end of the game; nothing if the time is over before, as it can be in long games.
pub(crate) fn play_out(position: &mut Position, random: &mut Random, watch: &dyn Watch) -> Option<Rewards> {
    if position.has_chance() || matches!(position.info().id, "chinese-checkers" | "stacks") {
        let mut plies = 0_u32;
        while position.end().is_none() {
            let m = position.nth_legal(random.below(position.legal_count()));
            let chance = position.draw_chance(m, ChanceSource::Sample(random.bits()));
            position.play_legal(m, &chance);
            plies += 1;
            if plies.is_multiple_of(LOOK) && watch.is_enough() {
                return None;
            }
        }
    } else {
        position.playout(&mut arbiter_rules::Random::new(random.bits()));
    }
    Some(rewards_of(&position.end().expect("it was played to the end").outcome))
}

/// What everybody may expect by the evaluation: a clear lead wins three games of four.
pub(crate) fn expect(position: &Position, evaluation: &mut dyn Evaluation) -> Rewards {
    let points = evaluation.points(position);
    let seats = position.seats();
    let mut rewards = [0.0; MAX_SEATS];
    for seat in Seat::all(seats).filter(|&seat| position.is_in(seat)) {
        let lead = balance(&points, seat.index(), seats);
        rewards[seat.index()] = chance_of(lead, evaluation.clear_lead());
    }
    rewards
}
