//! Our own protocol: `README.md` beside this file is its documentation.

use super::Talk;
use super::process::Process;
use crate::player::{Answer, Briefing, GameResult, TimeControl, Turn};
use crate::verdict::{Event, Fault};
use arbiter_rules::{Seat, SeatResult};
use std::time::Duration;

#[derive(Default)]
pub(super) struct Lines {
    seat: Option<Seat>,
}

const VERSION: u32 = 1;

impl Talk for Lines {
    fn begin(&mut self, game: &Briefing<'_>, process: &mut Process) {
        self.seat = Some(game.seat);
        process.tell(&format!("arbiter {VERSION}"));
        process.tell(&format!("game {} {}", game.start.info().id, game.start.seats()));
        for (name, value) in game.start.options().iter() {
            process.tell(&format!("option {name} {value}"));
        }
        process.tell(&format!("seat {}", game.seat));
        process.tell(&format!("seed {}", game.seed));
        process.tell(&match game.time {
            TimeControl::MoveTime(time) => format!("time move {}", seconds(time)),
            TimeControl::Clock { base, increment } => {
                format!("time clock {} {}", seconds(base), seconds(increment))
            }
            TimeControl::Unlimited => "time none".to_owned(),
        });
        process.tell(&format!("position {}", game.start.text()));
        process.tell("ready?");
    }

    fn is_ready(&mut self, line: &str) -> bool {
        line.eq_ignore_ascii_case("ready")
    }

    fn told(&mut self, event: &Event<'_>, process: &mut Process) {
        match event {
            Event::Played(played) => process.tell(&format!("moved {} {}", played.seat, played.text)),
            Event::Eliminated { seat, fault, .. } => process.tell(&format!("left {} {}", seat, fault.code())),
            // A program is told of these when it is asked, or they concern another player alone.
            Event::Started { .. }
            | Event::Asked { .. }
            | Event::Refused(_)
            | Event::TakenBack { .. }
            | Event::Ended { .. } => {}
        }
    }

    fn ask(&mut self, turn: &Turn<'_>, process: &mut Process) {
        if turn.attempt > 0 {
            process.tell(&format!("refused {}", turn.attempt));
        }
        process.tell(&format!("position {}", turn.position.text()));
        let moves: Vec<String> = turn.legal.iter().map(|m| turn.position.move_text(*m)).collect();
        process.tell(&format!("legal {}", moves.join(" ")));
        let time = turn.budget.hard.map(|time| format!(" {}", seconds(time)));
        process.tell(&format!("go{}", time.unwrap_or_default()));
    }

    fn answer(&mut self, line: &str) -> Option<Answer> {
        if line.is_empty() || line.starts_with('#') || self.is_ready(line) {
            return None;
        }
        Some(if line.eq_ignore_ascii_case("resign") {
            Answer::Fault(Fault::Resigned)
        } else {
            Answer::Text(line.to_owned())
        })
    }

    fn over(&mut self, result: &GameResult<'_>, process: &mut Process) {
        let own = self.seat.map(|seat| result.outcome.of(seat));
        let word = match own {
            Some(SeatResult::Win) => "win",
            Some(SeatResult::Draw) => "draw",
            Some(SeatResult::Loss) | None => "loss",
        };
        process.tell(&format!("over {word} {}", result.reason));
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}
