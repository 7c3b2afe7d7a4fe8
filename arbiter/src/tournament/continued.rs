//! A game that was broken off and goes on: what was played is played again, and then the players are asked.

use crate::player::{Answer, Asked, Briefing, Player, Reply, Turn};
use crate::record::schema::{GameRecord, PlyRecord};
use crate::verdict::Spent;
use arbiter_rules::Seat;
use std::collections::VecDeque;
use std::time::Duration;

/// A player who first repeats the moves that its seat has made in a game that was broken off. These come from a file: where
/// one of them is not legal, the player is asked.
pub(super) fn continued(seat: Seat, player: Box<dyn Player>, begun: &GameRecord) -> Box<dyn Player> {
    let own = (0..).zip(begun.turns()).filter(|(_, (of, _))| *of as usize == seat.index());
    let answer = |(ply, (_, record)): (u32, (u32, &PlyRecord))| {
        (ply, record.played.clone(), record.times().spent(record.pondered_ns))
    };
    let mut answers: VecDeque<(u32, String, Spent)> = own.map(answer).collect();
    let choose = move |player: &mut dyn Player, turn: &Turn<'_>| {
        while let Some((ply, text, spent)) = answers.pop_front() {
            if ply == turn.position.ply() && turn.position.read_move(&text).is_ok() {
                return Reply { answer: Answer::Text(text), spent, report: None };
            }
        }
        player.choose(turn)
    };
    let begin = |player: &mut dyn Player, game: &Briefing<'_>| player.new_game(game);
    Box::new(Asked { player, begin, choose })
}

/// How long the answers of a game took, together.
pub(super) fn taken(begun: &GameRecord) -> Duration {
    begun.plies.iter().map(|ply| Duration::from_nanos(ply.wall_ns.unwrap_or(0))).sum()
}
