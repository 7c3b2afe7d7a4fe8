//! The catalogue on machines that give less: without Landlock, and where nobody can be told of system calls.
//!
//! This program is started again under a filter that takes these away, for itself and for all bots.

use super::support::{compiled, pass};
use crate::support::say_aloud;
use std::path::Path;
use std::process::Command;

/// Runs tests of this program where something is missing.
#[track_caller]
fn without(missing: &str, tests: &[&str]) {
    let older = compiled("older", &[]);
    let mut again = Command::new(older);
    again.arg(missing).arg(std::env::current_exe().unwrap());
    pass(again, tests, &format!("without {missing}"));
}

#[test]
fn without_landlock_bots_are_held_by_the_filter_alone() {
    // There the referee does not see who sleeps, as `doctor` says; who does loses at the cap, which is no part of the catalogue.
    if !Path::new("/proc/1/stat").exists() {
        return say_aloud("skipped: /proc hides processes from this user");
    }
    without("landlock", &["host::catalogue::while_being_loaded", "host::catalogue::in_choose_move"]);
}

#[test]
fn without_a_listener_forbidden_calls_still_end_bots() {
    without("listener", &["host::catalogue::while_being_loaded", "host::catalogue::in_choose_move"]);
}

#[test]
fn honest_bots_play_where_both_are_missing() {
    let plays = [
        "host::plays::a_bot_in_c_plays_whole_games_of_othello",
        "host::plays::a_bot_in_cpp_plays_with_threads_and_its_exceptions_stay_inside",
        "host::plays::a_bot_in_go_plays_with_its_runtime",
    ];
    without("landlock,listener", &plays);
}
