//! GTP, version 2, as engines for Othello speak it: <https://www.lysator.liu.se/~gunnar/gtp/>.

use super::Talk;
use super::process::Process;
use crate::player::{Answer, Briefing, GameResult, TimeControl, Turn};
use crate::verdict::{Event, Fault};
use arbiter_rules::{Position, Seat, registry};
use std::time::Duration;

/// Every command has a number, and its answer has the same.
#[derive(Default)]
pub(super) struct Gtp {
    last: u32,
    /// The move that it has found itself: it has played it on its own board.
    own: Option<(Seat, String)>,
    /// Whose move it is looking for.
    seat: Option<Seat>,
}

/// Who moves first in Othello is black.
const COLOURS: [&str; 2] = ["black", "white"];

/// GTP knows no position but the usual one.
pub(super) fn check(start: &Position) -> Result<(), String> {
    if start.info().id != "othello" {
        return Err(format!("gtp: is for othello, and this is {}; program: plays any game", start.info().id));
    }
    let options: Vec<_> = start.options().iter().map(|(name, value)| (name, value.to_string())).collect();
    let options: Vec<_> = options.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let usual = arbiter_rules::Setup { players: None, options: &options, position: None };
    match registry::start("othello", &usual) {
        Ok(usual) if usual.text() == start.text() => Ok(()),
        _ => Err("gtp: begins from the usual position only; openings are played move by move".to_owned()),
    }
}

impl Gtp {
    fn say(&mut self, process: &mut Process, command: &str) {
        self.last += 1;
        process.tell(&format!("{} {command}", self.last));
    }
}

impl Talk for Gtp {
    fn begin(&mut self, game: &Briefing<'_>, process: &mut Process) {
        let size = game.start.shape().width;
        self.say(process, &format!("boardsize {size}"));
        if let TimeControl::MoveTime(time) = game.time {
            self.say(process, &format!("time_settings 0 {} 1", whole(time)));
        } else if let TimeControl::Clock { base, .. } = game.time {
            self.say(process, &format!("time_settings {} 0 0", whole(base)));
        }
        self.say(process, "clear_board");
    }

    fn is_ready(&mut self, line: &str) -> bool {
        body(line, self.last).is_some()
    }

    fn told(&mut self, event: &Event<'_>, process: &mut Process) {
        if let Event::Played(played) = event
            && self.own.take().is_none_or(|own| own != (played.seat, played.text.to_owned()))
        {
            self.say(process, &format!("play {} {}", colour(played.seat), played.text));
        }
    }

    fn ask(&mut self, turn: &Turn<'_>, process: &mut Process) {
        if turn.attempt > 0 {
            self.say(process, "undo");
        }
        self.own = None;
        self.seat = Some(turn.seat);
        if let Some(left) = turn.clocks.get(turn.seat.index()).copied().flatten() {
            self.say(process, &format!("time_left {} {} 0", colour(turn.seat), whole(left)));
        }
        self.say(process, &format!("genmove {}", colour(turn.seat)));
    }

    fn answer(&mut self, line: &str) -> Option<Answer> {
        match body(line, self.last)? {
            Err(problem) => {
                let problem = format!("it cannot find a move: {problem}");
                Some(Answer::Fault(Fault::BadReply { problem }))
            }
            Ok(text) if text.eq_ignore_ascii_case("resign") => Some(Answer::Fault(Fault::Resigned)),
            Ok(text) => {
                let text = text.to_ascii_lowercase();
                self.own = self.seat.map(|seat| (seat, text.clone()));
                Some(Answer::Text(text))
            }
        }
    }

    fn over(&mut self, _: &GameResult<'_>, process: &mut Process) {
        self.say(process, "quit");
    }
}

/// What the answer to a command says: `=1 d3`, or why it fails: `?1 no such command`. None for any other line.
fn body(line: &str, number: u32) -> Option<Result<&str, &str>> {
    let (rest, is_good) = match (line.strip_prefix('='), line.strip_prefix('?')) {
        (Some(rest), _) => (rest, true),
        (None, Some(rest)) => (rest, false),
        (None, None) => return None,
    };
    let (of, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    (of == number.to_string()).then(|| if is_good { Ok(text.trim()) } else { Err(text.trim()) })
}

fn colour(seat: Seat) -> &'static str {
    COLOURS[seat.index() % COLOURS.len()]
}

/// Whole seconds, and at least one: GTP knows no others.
fn whole(time: Duration) -> u64 {
    time.as_secs().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_by_their_number() {
        assert_eq!(body("=7 d3", 7), Some(Ok("d3")));
        assert_eq!(body("=7", 7), Some(Ok("")));
        assert_eq!(body("?7 unknown command", 7), Some(Err("unknown command")));
        assert_eq!(body("=6 d3", 7), None);
        assert_eq!(body("thinking", 7), None);
    }
}
