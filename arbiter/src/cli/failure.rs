//! Everything that can stop the program, with its message, its cause, its hint and its exit code. The numbers of exit codes are
//! documented and never change.

use crate::host::NotLoaded;
use crate::sanitize::sanitize;
use crate::ui::talk_harmless;
use crate::verdict::MachineFailure;
use std::error::Error;
use std::io;
use std::path::Path;

/// How many letters of a message are shown: half of them from its beginning, half from its end.
const LONGEST_TOLD: usize = 1_500;
/// How many of the last lines that a bot printed are shown, and how many letters of each.
const MOST_LINES: usize = 8;
const LONGEST_SHOWN: usize = 200;

/// What to do where the machine gives too little to go on.
pub(super) const FREE_RESOURCES: &str =
    "free memory, processes (ulimit -u) or open files (ulimit -n), or raise the limit that is named";

/// The last lines of what a bot printed, cut to a length that can be read.
pub(super) fn last_lines(output: &str, most: usize) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let first = lines.len().saturating_sub(most);
    lines.into_iter().skip(first).map(|line| {
        let mut letters = line.chars();
        let shown: String = letters.by_ref().take(LONGEST_SHOWN).collect();
        if letters.next().is_some() { format!("{shown}…") } else { shown }
    })
}

/// A message as it is shown. What it quotes may be as long as a file.
fn told(message: &str) -> String {
    let shown = sanitize(message);
    let letters = shown.chars().count();
    if letters <= LONGEST_TOLD {
        return shown;
    }
    let each_end = LONGEST_TOLD / 2;
    shown.chars().take(each_end).chain(['…']).chain(shown.chars().skip(letters - each_end)).collect()
}

/// An error of ours or of the user's. Faults of bots are never one.
#[derive(Debug)]
#[must_use]
pub(super) struct Failure {
    pub(super) code: ExitCode,
    message: String,
    causes: Vec<String>,
    hint: Option<String>,
    more: String,
}

impl Failure {
    /// A failure with its exit code; the message is lower case without a full stop and says what and where.
    pub(super) fn new(code: ExitCode, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), causes: Vec::new(), hint: None, more: String::new() }
    }

    /// The user asked for something that cannot be.
    pub(super) fn usage(message: impl Into<String>) -> Failure {
        Failure::new(ExitCode::Usage, message)
    }

    /// A file cannot be read or written.
    pub(super) fn file(message: impl Into<String>) -> Failure {
        Failure::new(ExitCode::File, message)
    }

    /// Adds an error and everything behind it as causes.
    pub(super) fn because(mut self, error: &dyn Error) -> Failure {
        let mut next = Some(error);
        while let Some(cause) = next {
            self.causes.push(cause.to_string());
            next = cause.source();
        }
        self
    }

    /// For `map_err`: why a file or folder cannot be read, written or made, and what to do.
    pub(super) fn cannot<E: Error>(what: &str, path: &Path, hint: &str) -> impl FnOnce(E) -> Failure {
        let failure = Failure::new(ExitCode::File, format!("cannot {what} {}", path.display())).hint(hint);
        move |error| failure.because(&error)
    }

    /// For `map_err`: the system gives no more threads.
    pub(super) fn no_thread(error: io::Error) -> Failure {
        Failure::new(ExitCode::Bot, "the system gives no more threads").because(&error).hint(resources_hint())
    }

    pub(super) fn cause(mut self, cause: &str) -> Failure {
        self.causes.push(cause.to_owned());
        self
    }

    /// Adds the last lines of what a bot printed, without those that a cause has told.
    pub(super) fn printed(mut self, output: &str) -> Failure {
        let is_told = |line: &String| {
            let said = line.trim_start_matches("[error] ");
            self.causes.iter().any(|cause| cause.ends_with(said))
        };
        let lines: Vec<String> = last_lines(output, MOST_LINES).filter(|line| !is_told(line)).collect();
        self.causes.extend(lines.iter().map(|line| format!("it printed: {line}")));
        self
    }

    /// Adds why a bot cannot be loaded, what it printed, and what to do about it.
    pub(super) fn not_loaded(self, why: &NotLoaded) -> Failure {
        let failure = self.because(&why.error).printed(&why.printed);
        why.error.hint().into_iter().fold(failure, Failure::hint)
    }

    /// Says that this report is saved, whatever became of what should have been printed of it.
    pub(super) fn but_saved(self, report: &Path) -> Failure {
        let report = report.display();
        self.hint(format!(
            "`arbiter report {report}` where there is room to print: the report itself is saved"
        ))
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    /// A failure whose message is the error's own, with what is behind the error as causes.
    pub(super) fn of(code: ExitCode, error: &dyn Error) -> Failure {
        let failure = Failure::new(code, error.to_string());
        error.source().into_iter().fold(failure, |failure, cause| failure.because(cause))
    }

    /// Independent failures told together; the exit code is the first one's.
    pub(super) fn after(self, first: Option<Failure>) -> Failure {
        let Some(mut first) = first else { return self };
        first.more.push_str(&self.text());
        first
    }

    /// The text for standard error. Names of files and words out of them cannot do anything to a terminal.
    pub(super) fn text(&self) -> String {
        self.told_as("error")
    }

    pub(super) fn tell(&self) {
        talk_harmless(self.text().trim_end());
    }

    /// Tells it as a warning, where the program goes on all the same.
    pub(super) fn warn(&self) {
        talk_harmless(self.told_as("warning").trim_end());
    }

    fn told_as(&self, word: &str) -> String {
        let mut text = format!("{word}: {}\n", told(&self.message));
        text.extend(self.causes.iter().map(|cause| format!("  because: {}\n", told(cause))));
        text.extend(self.hint.iter().map(|hint| format!("  try: {}\n", sanitize(hint))));
        text + &self.more
    }
}

fn resources_hint() -> String {
    format!("{FREE_RESOURCES}, then the same command; `arbiter doctor` says what is wrong")
}

/// All that went well, and all failures, told together.
pub(super) fn apart<T>(results: impl IntoIterator<Item = Result<T, Failure>>) -> (Vec<T>, Option<Failure>) {
    let (mut all, mut failure) = (Vec::new(), None);
    for result in results {
        match result {
            Ok(one) => all.push(one),
            Err(other) => failure = Some(other.after(failure)),
        }
    }
    (all, failure)
}

/// All that went well, where all did.
pub(super) fn together<T>(results: impl IntoIterator<Item = Result<T, Failure>>) -> Result<Vec<T>, Failure> {
    let (all, failure) = apart(results);
    failure.map_or(Ok(all), Err)
}

/// A bot that cannot be loaded. Seats count from 1 here.
pub(super) fn cannot_load(file: &str, seat: usize, error: &NotLoaded) -> Failure {
    Failure::new(ExitCode::Bot, format!("cannot load bot {file} for seat {seat}")).not_loaded(error)
}

/// A bot that the machine could not run, which is no fault of the bot.
pub(super) fn machine_failed(bot: &str, failure: &MachineFailure) -> Failure {
    let message = format!("bot {bot} {}", failure.sentence());
    Failure::new(ExitCode::Bot, sanitize(&message)).hint(match failure {
        MachineFailure::Stalled { .. } => "the same command when the machine is less busy".to_owned(),
        _ => resources_hint(),
    })
}

/// Why the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitCode {
    /// Done as asked, whoever won.
    Done = 0,
    /// Done, but a check that was asked for failed.
    CheckFailed = 1,
    /// Wrong use: arguments, clock, option, position, number of bots.
    Usage = 2,
    /// A bot's file is missing, is no plugin, or speaks another ABI; or the machine cannot run it.
    Bot = 3,
    /// A report, journal or picture could not be written or read.
    File = 4,
    /// A seat is empty and nobody can play it.
    EmptySeat = 5,
    /// A bug in arbiter; finished games are saved.
    Bug = 101,
    /// Stopped by Ctrl-C; finished games are saved.
    Interrupted = 130,
    /// Stopped by SIGTERM; finished games are saved.
    Terminated = 143,
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        std::process::ExitCode::from(code as u8)
    }
}
