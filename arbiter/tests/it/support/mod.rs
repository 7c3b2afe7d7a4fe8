//! What all tests here share: the program as a user runs it, the bots that play, and what reports say.

mod bots;
pub(crate) mod golden;
mod load;
mod pages;
mod program;
mod report;
mod scripted;

pub(crate) use bots::{bots_in, c_bot, c_bot_with, compiled, go_bot, marked_faulty, sample_bot};
pub(crate) use load::{Load, cores, on_core};
pub(crate) use pages::{blocks, checkout, page, root, sample, samples};
pub(crate) use program::{
    Run, arbiter, arbiter_after, arbiter_reading, children, command, command_after, is_one_there, is_there,
    make_pipe, only_file, page_tools, planned_by, ran, say_aloud, scratch, script, send, shell, sleepers,
    ten_minutes, wait_until_a_bot_thinks, words_of,
};
pub(crate) use report::{
    Judged, Lost, canonical, charged, findings, games, journal_of, json, no_faults, played, played_in,
    played_once, tally, turns, verify, wall,
};
pub(crate) use scripted::Script;
