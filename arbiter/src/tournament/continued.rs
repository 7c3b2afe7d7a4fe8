//! A game that was broken off and goes on: what was played is played again, and then the players are asked.

use crate::player::{Answer, Asked, Briefing, Player, Reply, Turn};
use crate::record::fault_from_record;
use crate::record::schema::{GameRecord, PlyRecord};
use crate::verdict::{Fault, Phase, Spent};
use arbiter_rules::Seat;
use std::collections::VecDeque;
use std::time::Duration;

/// A player who first repeats what its seat has done in a game that was broken off: its moves, and the fault that took it out of the
/// game. These come from a file: where a move is not legal, the player is asked.
pub(super) fn continued(seat: Seat, player: Box<dyn Player>, begun: &GameRecord) -> Box<dyn Player> {
    let own = (0..).zip(begun.turns()).filter(|(_, (of, _))| *of as usize == seat.index());
    let answer = |(ply, (_, record)): (u32, (u32, &PlyRecord))| {
        (ply, record.played.clone(), record.times().spent(record.pondered_ns))
    };
    let mut answers: VecDeque<(u32, String, Spent)> = own.map(answer).collect();
    let out = begun.eliminations.iter().find(|out| out.seat as usize == seat.index());
    let out = out.and_then(|out| Some((out, fault_from_record(&out.fault, None).ok()?)));
    let out = out.filter(|(_, fault)| was_made_in_a_turn(fault));
    let mut out = out.map(|(out, fault)| (out.ply, fault, out.fault.times().spent(None)));
    let choose = move |player: &mut dyn Player, turn: &Turn<'_>| {
        while let Some((ply, text, spent)) = answers.pop_front() {
            if ply == turn.position.ply() && turn.position.read_move(&text).is_ok() {
                return Reply { answer: Answer::Text(text), spent, report: None };
            }
        }
        match out.take_if(|(ply, ..)| *ply == turn.position.ply()) {
            Some((_, fault, spent)) => Reply { answer: Answer::Fault(fault), spent, report: None },
            None => player.choose(turn),
        }
    };
    let begin = |player: &mut dyn Player, game: &Briefing<'_>| player.new_game(game);
    Box::new(Asked { player, begin, choose })
}

/// Whether a player made a fault when it was asked for a move, and did not just leave: whoever left may have come back.
fn was_made_in_a_turn(fault: &Fault) -> bool {
    matches!(fault.phase(), None | Some(Phase::Move | Phase::Idle)) && *fault != Fault::Left
}

/// How long the answers of a game took, together.
pub(super) fn taken(begun: &GameRecord) -> Duration {
    begun.plies.iter().map(|ply| Duration::from_nanos(ply.wall_ns.unwrap_or(0))).sum()
}
