//! What people see while games are played. Everything here listens to events; nothing can change a result.

mod advice;
mod json;
mod keyboard;
mod line;
pub(crate) mod log;
pub(crate) mod menu;
pub(crate) mod preview;
pub(crate) mod printouts;
mod progress;
pub(crate) mod story;
pub mod terminal;
mod thoughts;
mod words;

pub(crate) use advice::{Advice, Adviser, review};
pub(crate) use json::drafted;
pub(crate) use keyboard::{LineKeyboard, say_json};
pub(crate) use line::{LineView, Table, Tongue};
pub(crate) use progress::{Progress, Room};
pub(crate) use thoughts::{thoughts, thoughts_json};
pub(crate) use words::{ended, legal, prompt, rules_page, with_tables};

use crate::sanitize::sanitize;
use std::io::{self, Write};

/// Prints a line on standard error at once, whatever names are in it. If its reader has gone away the line is lost, and nothing
/// stops for that.
pub(crate) fn talk(line: &str) {
    talk_harmless(&sanitize(line));
}

/// The same with lines that are made of what is harmless already.
#[expect(clippy::let_underscore_must_use, reason = "nobody listens any more, and that is no error")]
pub(crate) fn talk_harmless(lines: &str) {
    let _ = writeln!(io::stderr(), "{lines}");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    No,
    /// Leave; open games are forfeited.
    Asked,
    /// Leave now, whatever runs.
    AtOnce,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Again,
    /// The same with seats swapped: everybody moves up by one, and the first comes last.
    Swapped,
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
pub(crate) enum AfterPass {
    #[default]
    /// As soon as one has had time to read it.
    Soon,
    OnEnter,
}
