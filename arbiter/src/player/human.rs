//! A person, through a keyboard that somebody else owns.

use super::{Answer, Briefing, GameResult, News, Player, Reply, Turn};
use crate::verdict::{Fault, Spent};
use arbiter_rules::draw::{Charset, Marks, draw};
use arbiter_rules::{IllegalMove, Move, Position};
use std::sync::Arc;
use std::time::Instant;

/// Longest line that is read; no move of any game is near it.
pub const LONGEST_LINE: usize = 4096;

/// Where a person types and reads: the port that a user interface implements. Several people may share one.
pub trait Keyboard: Send + Sync {
    /// Waits for a line.
    fn hear(&self) -> Heard;
    /// Shows a line.
    fn say(&self, line: &str);
}

/// What comes from a keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line without its end.
    Line(String),
    /// A line longer than [`LONGEST_LINE`], thrown away.
    TooLong,
    /// Nothing will come any more, or the program is stopping.
    Nothing,
}

/// What becomes of moves that the rules refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slips {
    /// The person is told why and tries again.
    AreForgiven,
    /// They count as errors, as a bot's do.
    Count,
}

/// A person in a seat.
pub struct Human {
    keyboard: Arc<dyn Keyboard>,
    slips: Slips,
}

impl Human {
    /// A person at this keyboard.
    #[must_use]
    pub fn new(keyboard: Arc<dyn Keyboard>, slips: Slips) -> Human {
        Human { keyboard, slips }
    }

    /// Listens until a line is a move, or the person is gone.
    fn answer(&self, turn: &Turn<'_>) -> Answer {
        loop {
            let line = match self.keyboard.hear() {
                Heard::Line(line) => line,
                Heard::TooLong => {
                    self.keyboard
                        .say(&format!("refused - not-understood: Lines have at most {LONGEST_LINE} bytes."));
                    continue;
                }
                Heard::Nothing => return Answer::Fault(Fault::Left),
            };
            match line.trim() {
                "" => {}
                "resign" => return Answer::Fault(Fault::Resigned),
                "quit" => return Answer::Fault(Fault::Left),
                command if self.obey(command, turn) => {}
                text => match (turn.position.read_move(text), self.slips) {
                    (Ok(choice), _) => return Answer::Text(turn.position.choice_text(&choice)),
                    (Err(_), Slips::Count) => return Answer::Text(text.to_owned()),
                    (Err(why), Slips::AreForgiven) => self.refuse(text, &why),
                },
            }
        }
    }

    /// Whether the line was a question that has been answered.
    fn obey(&self, command: &str, turn: &Turn<'_>) -> bool {
        let say = |line: &str| self.keyboard.say(line);
        match command {
            "?" => say(&format!("legal {}", legal(turn.position, turn.legal))),
            "board" => {
                let board = draw(turn.position, Charset::Ascii, &Marks::default());
                board.lines().for_each(|line| say(&format!("board {line}")));
            }
            "position" => say(&format!("position {}", turn.position.text())),
            "clock" => say(&format!("clock {}", clock(turn))),
            "rules" => {
                let info = turn.position.info();
                let options = info.options_page();
                info.page.lines().chain(options.lines()).for_each(|line| say(&format!("rules {line}")));
            }
            "help" => {
                say("help a move | ? (legal moves) | board | position | clock | rules | resign | quit");
            }
            _ => return false,
        }
        true
    }

    fn refuse(&self, text: &str, why: &IllegalMove) {
        let shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
        self.keyboard.say(&format!("refused {shown} {why}"));
    }
}

/// What every seat has left, or `none`.
fn clock(turn: &Turn<'_>) -> String {
    let seat = |left: &Option<std::time::Duration>| {
        left.map_or("none".to_owned(), |t| format!("{:.3}s", t.as_secs_f64()))
    };
    turn.clocks.iter().map(seat).collect::<Vec<_>>().join(" ")
}

/// Legal moves with blanks between them.
fn legal(position: &dyn Position, moves: &[Move]) -> String {
    moves.iter().map(|&m| position.move_text(m)).collect::<Vec<_>>().join(" ")
}

impl Player for Human {
    fn new_game(&mut self, _: &Briefing<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let start = Instant::now();
        let answer = self.answer(turn);
        Reply { answer, spent: Spent { wall: start.elapsed(), ..Spent::default() }, report: None }
    }

    fn told(&mut self, _: &News) {}

    fn game_over(&mut self, _: &GameResult<'_>) {}
}
