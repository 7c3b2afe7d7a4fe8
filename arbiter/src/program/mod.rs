//! Programs as players: engines and bots of any language that talk through pipes, line by line.
//!
//! A program is started for every game and ended with it, with everything that it has started. It is not contained: it may do
//! what the user may do. Its clock is the one on the wall. Two protocols are spoken: lines of our own (`lines`, documented in
//! `README.md` beside this file) and GTP as engines for Othello speak it (`gtp`). What goes wrong is a fault as of any bot.
#![expect(
    clippy::disallowed_methods,
    reason = "the processes of programs are started here, and their clock runs here"
)]

mod gtp;
#[cfg(target_os = "linux")]
mod keeper;
mod lines;
mod process;

use crate::player::{Answer, Briefing, GameResult, Player, Printed, Reply, Turn};
use crate::verdict::{Event, Failure, Fault, Phase, Spent};
#[cfg(target_os = "linux")]
pub use keeper::{VERB, keep};
pub use process::end_all;
use process::{Clock, Process, Wait};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// A program as it is named on the command line: `program:CMD` or `gtp:CMD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    protocol: Protocol,
    words: Vec<String>,
    named: String,
}

/// How a program is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    Lines,
    Gtp,
}

/// Why something names no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum CommandError {
    #[error("programs are named program:CMD or gtp:CMD")]
    NoProgram,
    #[error("there is no command after the colon")]
    Empty,
    #[error("a quotation mark is not closed")]
    OpenQuote,
}

impl Command {
    /// Whether a word of the command line is meant to name a program.
    pub fn is_meant(word: &str) -> bool {
        word.starts_with("program:") || word.starts_with("gtp:")
    }

    /// What the player is called where nobody says otherwise: in every table it is seen to be a program.
    pub fn name(&self) -> String {
        let file = Path::new(self.program()).file_stem();
        let stem = file.map_or_else(|| self.program().into(), |stem| stem.to_string_lossy().into_owned());
        format!("{stem} (program)")
    }

    /// The program that runs it.
    pub fn program(&self) -> &str {
        &self.words[0]
    }

    /// Whether there is a file that may be run, as far as that can be told without running it.
    #[cfg(unix)]
    pub fn is_there(&self) -> bool {
        use rustix::fs::{Access, access};
        let runs = |file: &Path| file.is_file() && access(file, Access::EXEC_OK).is_ok();
        let word = Path::new(self.program());
        if self.program().contains('/') {
            return runs(word);
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| runs(&folder.join(word)))
    }

    /// Elsewhere that is not told.
    #[cfg(not(unix))]
    pub fn is_there(&self) -> bool {
        true
    }

    /// Whether it can play this game under these options.
    pub fn check(&self, start: &arbiter_rules::Position) -> Result<(), String> {
        match self.protocol {
            Protocol::Lines => Ok(()),
            Protocol::Gtp => gtp::check(start),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named)
    }
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(named: &str) -> Result<Command, CommandError> {
        let (protocol, line) = match named.split_once(':') {
            Some(("program", line)) => (Protocol::Lines, line),
            Some(("gtp", line)) => (Protocol::Gtp, line),
            _ => return Err(CommandError::NoProgram),
        };
        let words = words(line).ok_or(CommandError::OpenQuote)?;
        if words.first().is_none_or(String::is_empty) {
            return Err(CommandError::Empty);
        }
        Ok(Command { protocol, words, named: named.to_owned() })
    }
}

/// The words of a command. Quotation marks of both kinds hold words together; nothing else means anything.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// What a protocol says, and how it reads what is said.
trait Talk {
    /// What a program is told when a game begins. It has to answer: see [`is_ready`](Talk::is_ready).
    fn begin(&mut self, game: &Briefing<'_>, process: &mut Process);
    /// Whether this line says that the program is ready.
    fn is_ready(&mut self, line: &str) -> bool;
    fn told(&mut self, event: &Event<'_>, process: &mut Process);
    fn ask(&mut self, turn: &Turn<'_>, process: &mut Process);
    /// What a line means while an answer is waited for; none where it is no answer.
    fn answer(&mut self, line: &str) -> Option<Answer>;
    fn over(&mut self, result: &GameResult<'_>, process: &mut Process);
}

/// A program in a seat of one game.
pub struct Program {
    command: Command,
    prepare: Duration,
    talk: Box<dyn Talk>,
    process: Option<Process>,
    printed: Arc<Printed>,
}

impl Program {
    /// One that is started when its game begins, and has this long to be ready; what it writes to standard error goes to
    /// `printed`.
    pub fn new(command: &Command, prepare: Duration, printed: Arc<Printed>) -> Program {
        let talk: Box<dyn Talk> = match command.protocol {
            Protocol::Lines => Box::new(lines::Lines::default()),
            Protocol::Gtp => Box::new(gtp::Gtp::default()),
        };
        Program { command: command.clone(), prepare, talk, process: None, printed }
    }

    fn start(&mut self, game: &Briefing<'_>) -> Result<(), Fault> {
        let mut clock = Clock::start();
        let process = Process::start(&self.command.words, &self.printed).map_err(|error| {
            let problem = format!("{} cannot be started: {error}", self.command.program());
            Fault::NotLoaded { problem }
        })?;
        let process = self.process.insert(process);
        self.talk.begin(game, process);
        let (limit, budget) = (self.prepare, self.prepare);
        let wait = Wait { during: Phase::Load, clock: &mut clock, limit, budget };
        let mut said = String::new();
        let heard = process.hear(wait, |line| {
            line.clone_into(&mut said);
            self.talk.is_ready(line).then_some(())
        });
        if matches!(heard, Err(Fault::TimedOut { .. })) {
            // Whoever wonders why it is not ready sees what it said instead, behind what it printed.
            let printed = self.printed.end();
            if !printed.is_empty() && !printed.ends_with('\n') {
                self.printed.add(b"\n");
            }
            self.printed.add(said.as_bytes());
        }
        heard
    }

    fn answer(&mut self, turn: &Turn<'_>, clock: &mut Clock) -> Result<Answer, Fault> {
        let process = self.process.as_mut().ok_or(Fault::Left)?;
        process.forget_what_was_said()?;
        self.talk.ask(turn, process);
        let limit = turn.budget.deadline().unwrap_or(crate::player::LONGEST_TIME);
        let wait = Wait { during: Phase::Move, clock, limit, budget: turn.limit.unwrap_or(limit) };
        process.hear(wait, |line| self.talk.answer(line))
    }
}

impl Player for Program {
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        self.start(game).map_err(Failure::Fault)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let mut clock = Clock::start();
        let answer = self.answer(turn, &mut clock).unwrap_or_else(Answer::Fault);
        Reply { answer, spent: Spent::of_wall(clock.look()), report: None }
    }

    fn told(&mut self, event: &Event<'_>) {
        if let Some(process) = &mut self.process {
            self.talk.told(event, process);
        }
    }

    fn game_over(&mut self, result: &GameResult<'_>) -> Result<(), Fault> {
        if let Some(process) = &mut self.process {
            self.talk.over(result, process);
            process.leave();
        }
        Ok(())
    }

    fn output(&self) -> String {
        self.printed.end()
    }

    fn printed(&self) -> u64 {
        self.printed.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_words_and_quotation_marks() {
        let words = |named: &str| named.parse::<Command>().map(|command| command.words);
        assert_eq!(
            words("program:java -jar 'my bot.jar' \"\" a\"b c\"d").unwrap(),
            ["java", "-jar", "my bot.jar", "", "ab cd"]
        );
        assert_eq!(words("gtp:edax -gtp").unwrap(), ["edax", "-gtp"]);
        assert_eq!(words("program: ").unwrap_err(), CommandError::Empty);
        assert_eq!(words("program:a 'b").unwrap_err(), CommandError::OpenQuote);
        assert_eq!(words("./bot.so").unwrap_err(), CommandError::NoProgram);
        let named = "program:/usr/bin/python3 bot.py".parse::<Command>().unwrap();
        assert_eq!(
            (named.name(), named.to_string()),
            ("python3 (program)".into(), "program:/usr/bin/python3 bot.py".into())
        );
    }
}
