//! What all tests here share: the program as a user runs it, the bots that play, and what reports say.

mod bots;
pub(crate) mod golden;
mod load;
mod pages;
mod program;
mod report;
mod scripted;

pub(crate) use bots::{c_bot, c_bot_with, compiled, go_bot, marked_faulty, sample_bot};
pub(crate) use load::{Load, cores, on_core};
pub(crate) use pages::{blocks, checkout, page, root};
#[cfg(unix)]
pub(crate) use program::script;
pub(crate) use program::{
    Run, arbiter, arbiter_reading, children, command, command_after, is_one_there, is_there, only_file,
    page_tools, ran, say_aloud, scratch, sleepers, ten_minutes, wait_until_a_bot_thinks,
};
pub(crate) use report::{
    Judged, Lost, charged, findings, journal_of, json, played, played_in, played_once, tally, turns, verify,
    wall,
};
pub(crate) use scripted::Script;
