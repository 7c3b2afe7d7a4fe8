//! What people see while games are played. Everything here listens to events; nothing can change a result.

mod advice;
mod json;
mod keyboard;
mod line;
pub mod log;
pub mod menu;
pub(crate) mod preview;
pub mod printouts;
mod progress;
pub mod story;
pub mod terminal;
mod thoughts;
mod words;

pub use advice::{Advice, Adviser, review};
pub(crate) use json::drafted;
pub use json::entry_json;
pub use keyboard::{Heard, LineKeyboard, say};
pub use line::{LineView, Table, Tongue};
pub use progress::{Progress, Room};
pub use thoughts::{thoughts, thoughts_json};
pub use words::ended;
pub(crate) use words::{legal, prompt, rules_page, with_tables};

use std::io::{self, Write};

/// Prints a line on standard error at once. If its reader has gone away the line is lost, and nothing stops for that.
#[expect(clippy::let_underscore_must_use, reason = "nobody listens any more, and that is no error")]
pub fn talk(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// What the person has decided about leaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// Nothing.
    No,
    /// Leave; open games are forfeited.
    Asked,
    /// Leave now, whatever runs.
    AtOnce,
}

/// What somebody wants to play after a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The same once more.
    Again,
    /// The same with seats swapped: everybody moves up by one, and the first comes last.
    Swapped,
    /// Something else, from the menu.
    Another,
}

impl After {
    /// What people type for it, and what pages call it.
    pub(crate) fn named(word: &str) -> Option<After> {
        match word {
            "again" => Some(After::Again),
            "swap" => Some(After::Swapped),
            "another" => Some(After::Another),
            _ => None,
        }
    }
}

/// When the picture of a pass makes way for the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AfterPass {
    #[default]
    /// As soon as one has had time to read it.
    Soon,
    /// When the person says so.
    OnEnter,
}
