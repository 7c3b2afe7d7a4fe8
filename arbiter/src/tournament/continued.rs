//! A game that was broken off and goes on: what was played is played again, and then the players are asked.

use crate::player::{Answer, Asked, Briefing, Player, Reply, Turn};
use crate::record::fault_from_record;
use crate::record::schema::GameRecord;
use crate::verdict::{Fault, Phase, Spent};
use arbiter_rules::Seat;
use std::collections::VecDeque;
use std::time::Duration;

/// A player who first repeats what its seat has done in a game that was broken off: its moves, its errors, and the fault that took it
/// out of the game. These come from a file: where a move is not legal, the player is asked.
pub(super) fn continued(seat: Seat, player: Box<dyn Player>, begun: &GameRecord) -> Box<dyn Player> {
    let is_own = |of: u32| of as usize == seat.index();
    let errors = begun.errors.iter().filter(|error| is_own(error.seat));
    let errors = errors.map(|error| Answered {
        ply: error.ply,
        text: error.answer.clone(),
        spent: error.times().spent(None),
        is_legal: false,
    });
    let moves = (0..).zip(begun.turns()).filter(|(_, (of, _))| is_own(*of));
    let moves = moves.map(|(ply, (_, played))| Answered {
        ply,
        text: played.played.clone(),
        spent: played.times().spent(played.pondered_ns),
        is_legal: true,
    });
    // The errors of a turn come before its move.
    let mut answers: Vec<Answered> = errors.chain(moves).collect();
    answers.sort_by_key(|answer| answer.ply);
    let mut answers = VecDeque::from(answers);
    let out = begun.eliminations.iter().find(|out| is_own(out.seat));
    let out = out.and_then(|out| Some((out, fault_from_record(&out.fault, None).ok()?)));
    let out = out.filter(|(_, fault)| is_repeated(fault));
    let mut out = out.map(|(out, fault)| (out.ply, fault, out.fault.times().spent(None)));
    let choose = move |player: &mut dyn Player, turn: &Turn<'_>| {
        while let Some(Answered { ply, text, spent, is_legal }) = answers.pop_front() {
            if ply == turn.position.ply() && turn.position.read_move(&text).is_ok() == is_legal {
                return Reply { answer: Answer::Text(text), spent, report: None };
            }
        }
        // Once a player has been asked, the game is another one than that of the file.
        match out.take().filter(|(ply, ..)| *ply == turn.position.ply()) {
            Some((_, fault, spent)) => Reply { answer: Answer::Fault(fault), spent, report: None },
            None => player.choose(turn),
        }
    };
    let begin = |player: &mut dyn Player, game: &Briefing<'_>| player.new_game(game);
    Box::new(Asked { player, begin, choose })
}

/// What a player has answered in the game that was broken off.
struct Answered {
    ply: u32,
    text: String,
    spent: Spent,
    is_legal: bool,
}

/// Whether a fault is one that a player made when it was asked for a move. Whoever just left may have come back, and endless errors
/// are not all in the file.
fn is_repeated(fault: &Fault) -> bool {
    matches!(fault.phase(), None | Some(Phase::Move | Phase::Idle))
        && !matches!(fault, Fault::Left | Fault::EndlessErrors { .. })
}

/// How long the answers of a game took, together.
pub(super) fn taken(begun: &GameRecord) -> Duration {
    let moves = begun.plies.iter().map(|ply| ply.wall_ns);
    let errors = begun.errors.iter().map(|error| error.wall_ns);
    // Whoever is out for an illegal move is so for one of the errors.
    let faults = begun.eliminations.iter().map(|out| &out.fault);
    let faults = faults.filter(|fault| fault.kind != "illegal-move").map(|fault| fault.wall_ns);
    moves.chain(errors).chain(faults).flatten().map(Duration::from_nanos).sum()
}
