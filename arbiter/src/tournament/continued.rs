//! A game that was broken off and goes on: what was played is played again, and then the players are asked.

use crate::player::{Answer, Briefing, GameResult, Player, Reply, Turn};
use crate::record::schema::{GameRecord, PlyRecord};
use crate::verdict::{Event, Failure, Fault, Spent};
use arbiter_rules::Seat;
use std::collections::VecDeque;
use std::time::Duration;

/// A player whose answers so far are known. They are a file's: whatever is no legal move there is asked of the player.
pub(super) struct Continued {
    player: Box<dyn Player>,
    /// The ply, the move and what it took.
    answers: VecDeque<(u32, String, Spent)>,
}

impl Continued {
    /// The player of a seat in a game that has come so far.
    pub(super) fn new(seat: Seat, player: Box<dyn Player>, begun: &GameRecord) -> Continued {
        let own = (0..).zip(begun.turns()).filter(|(_, (of, _))| *of as usize == seat.index());
        let answer = |(ply, (_, record)): (u32, (u32, &PlyRecord))| {
            let times = record.times();
            let spent = Spent {
                wall: nanoseconds(times.wall_ns),
                cpu: times.cpu_ns.map(Duration::from_nanos),
                charged: nanoseconds(times.charged()),
                pondered: record.pondered_ns.map(Duration::from_nanos),
            };
            (ply, record.played.clone(), spent)
        };
        Continued { player, answers: own.map(answer).collect() }
    }
}

impl Player for Continued {
    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let position = turn.position;
        while let Some((ply, text, spent)) = self.answers.pop_front() {
            if ply == position.ply() && position.read_move(&text).is_ok() {
                return Reply { answer: Answer::Text(text), spent, report: None };
            }
        }
        self.player.choose(turn)
    }

    fn new_game(&mut self, briefing: &Briefing<'_>) -> Result<(), Failure> {
        self.player.new_game(briefing)
    }

    fn told(&mut self, event: &Event<'_>) {
        self.player.told(event);
    }

    fn game_over(&mut self, result: &GameResult<'_>) -> Result<(), Fault> {
        self.player.game_over(result)
    }

    fn output(&self) -> String {
        self.player.output()
    }

    fn prepared(&self) -> Option<Duration> {
        self.player.prepared()
    }

    fn printed(&self) -> u64 {
        self.player.printed()
    }
}

/// How long the answers of a game took, together.
pub(super) fn taken(begun: &GameRecord) -> Duration {
    begun.plies.iter().map(|ply| nanoseconds(ply.wall_ns)).sum()
}

fn nanoseconds(number: Option<u64>) -> Duration {
    Duration::from_nanos(number.unwrap_or(0))
}
