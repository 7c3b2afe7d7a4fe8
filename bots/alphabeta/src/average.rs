//! Games that leave something to chance: the move that is best on average.
//!
//! In every round chance is drawn after each of the moves, from one random number for all of them, and what comes then is
//! searched a few plies deep as if nothing more were left to chance. What a move is worth is the mean of the chances
//! to win that these searches show.

use arbiter_plugin_api::Random;
use arbiter_rules::{ChanceSource, Position};
use bot_engine::Value;
use bot_engine::evaluation::{chance_of, lead_of};

use crate::board::{Board, Candidate};
use crate::search::{Found, Search};

/// Rounds in which only the reply is looked at.
const SHALLOW: u32 = 8;
/// Plies that are searched afterwards.
const DEPTH: u32 = 2;
/// Rounds where the depth is limited, so that the choice does not depend on the machine.
const ROUNDS: u32 = 2 * SHALLOW;

/// How much is to be drawn, and by which numbers.
#[derive(Debug)]
pub(crate) struct Draws<'a> {
    /// Plies to look ahead at most, if that was limited.
    pub(crate) depth: Option<u32>,
    /// The lead in points that wins three games of four.
    pub(crate) clear_lead: i32,
    pub(crate) random: &'a mut Random,
}

/// The best of the moves of a position as far as time allows to see.
pub(crate) fn best<B: Board>(
    search: &mut Search<'_, B>,
    position: &Position,
    mut moves: Vec<Candidate>,
    draws: Draws<'_>,
) -> Found {
    moves.sort_by_key(|candidate| -candidate.promise);
    let mut found = Found { line: vec![moves[0].m], depth: 0, score: 0, is_complete: false };
    let mut sums = vec![0.0; moves.len()];
    let rounds = draws.depth.map_or(u32::MAX, |_| ROUNDS);
    for round in 1..=rounds {
        let deep = if round <= SHALLOW { 1 } else { DEPTH };
        let depth = draws.depth.map_or(deep, |depth| deep.min(depth - 1));
        let source = ChanceSource::Sample(draws.random.bits());
        let mut gains = Vec::with_capacity(moves.len());
        for &Candidate { m, .. } in &moves {
            let chance = position.draw_chance(m, source);
            let Some(score) = search.value_of(m, &chance, depth) else { break };
            gains.push(chance_of(score, draws.clear_lead));
        }
        let is_whole = gains.len() == moves.len();
        // An unfinished round would favour the moves that it has come to; only the first is better than nothing.
        if is_whole || round == 1 {
            sums.iter_mut().zip(&gains).for_each(|(sum, gain)| *sum += gain);
            let mean = |sum: f32| lead_of(sum / round as f32, draws.clear_lead);
            let value = |(candidate, &sum): (&Candidate, &f32)| Value {
                m: candidate.m,
                score: mean(sum),
                is_exact: true,
            };
            let values: Vec<_> = moves.iter().zip(&sums).take(gains.len()).map(value).collect();
            if let Some(best) = values.iter().rev().max_by_key(|value| value.score) {
                found = Found { line: vec![best.m], depth: depth + 1, score: best.score, is_complete: false };
                search.tell(&found, &values);
            }
        }
        if !is_whole {
            break;
        }
    }
    found
}
