//! The catalogue with more around each bot: what `--isolate` asks for, where this machine has it.
//!
//! This program is started again with a word in its environment, under which all bots of these tests are isolated.

use super::support::{ISOLATE, begin, brief, c_bot, command, compiled, host, pass, start};
use crate::support::{Judged, Run, arbiter, journal_of, json, say_aloud, scratch};
use arbiter::host::{Isolation, Means, Sandbox, Sandboxed, Unavailable};
use arbiter::player::Player;
use arbiter::verdict::{Failure, MachineFailure};
use arbiter_rules::Seat;
use std::collections::HashSet;
use std::fs;
use std::process::{Command, Stdio};

/// Whether this machine has all of it; otherwise it is said that a test is left out, and why.
fn can_be_had(isolation: Isolation) -> bool {
    // Names the program that bots' processes run.
    compiled("older", &[]);
    let say = |error: &Unavailable| {
        say_aloud(&format!("not on this machine: --isolate {}: {error}", error.means.word()));
    };
    host().check(isolation).inspect_err(say).is_ok()
}

/// Runs tests of this program with bots that are isolated in this way.
#[track_caller]
fn with(means: &[Means], tests: &[&str]) {
    let isolation = Isolation::of(means);
    if !can_be_had(isolation) {
        return;
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.env(ISOLATE, isolation.to_string());
    pass(again, tests, &format!("with {isolation}"));
}

#[test]
fn in_namespaces_faults_are_told_as_exactly_as_outside() {
    let tests = [
        "host::catalogue::while_being_loaded",
        "host::catalogue::in_choose_move",
        "host::catalogue::between_turns",
    ];
    with(&[Means::Namespaces], &tests);
}

#[test]
fn in_groups_faults_are_told_as_exactly_as_outside() {
    with(&[Means::Cgroup], &["host::catalogue::while_being_loaded", "host::catalogue::in_choose_move"]);
}

#[test]
fn in_both_faults_are_told_as_exactly_as_outside() {
    with(&Means::ALL, &["host::catalogue::between_turns", "host::catalogue::in_destroy"]);
}

#[test]
fn in_namespaces_no_bot_is_left_behind_and_honest_ones_play() {
    let tests = [
        "host::orphans::a_player_that_is_dropped_leaves_no_process",
        "host::orphans::a_bot_that_still_loads_is_ended_with_its_player",
        "host::orphans::a_killed_referee_leaves_no_bot_behind",
        "host::orphans::a_bot_holds_its_library_and_nothing_else_of_ours",
        "host::plays::a_bot_in_c_plays_whole_games_of_othello",
        "host::plays::a_bot_in_cpp_plays_with_threads_and_its_exceptions_stay_inside",
        "host::plays::a_bot_in_go_plays_with_its_runtime",
    ];
    with(&[Means::Namespaces], &tests);
}

/// Long: every place of the catalogue, with all that this machine has. `cargo test -p arbiter --test it -- --ignored
/// isolated`.
#[test]
#[ignore = "takes minutes; the short ones above try the places that differ most"]
fn the_whole_catalogue() {
    let places = [
        "while_being_loaded", "in_create", "in_new_game", "in_choose_move", "in_played", "in_game_over",
        "in_destroy", "between_turns",
    ];
    let tests = places.map(|place| format!("host::catalogue::{place}"));
    let tests = tests.each_ref().map(String::as_str);
    with(&[Means::Namespaces], &tests);
    with(&[Means::Cgroup], &tests);
    with(&Means::ALL, &tests);
}

/// Someone who could break out of the filter would find the numbers of other processes of no use.
#[test]
fn in_namespaces_a_bot_is_alone() {
    let isolation = Isolation::of(&[Means::Namespaces]);
    if !can_be_had(isolation) {
        return;
    }
    let mut command = command("first", &[]);
    command.limits.isolation = isolation;
    let mut players = [Sandboxed::start(&command), Sandboxed::start(&command)];
    let namespace = |pid: u32, kind: &str| fs::read_link(format!("/proc/{pid}/ns/{kind}"));
    let mut seen = Vec::new();
    for player in &mut players {
        begin(player, "othello");
        let pid = player.pid().unwrap().unsigned_abs();
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:")).unwrap();
        assert_eq!(
            numbers.split_whitespace().last(),
            Some("2"),
            "one process only came before it: {numbers}"
        );
        // Only root may look at another's namespaces.
        seen.extend(["pid", "ipc"].iter().filter_map(|kind| namespace(pid, kind).ok()));
    }
    let own = ["pid", "ipc"].map(|kind| namespace(std::process::id(), kind).unwrap());
    assert!(own.iter().all(|own| !seen.contains(own)), "{seen:?}");
    let distinct: HashSet<_> = seen.iter().collect();
    assert_eq!(distinct.len(), seen.len(), "no two bots share a namespace: {seen:?}");
}

/// A match of games that end at once.
const MATCH: [&str; 6] = ["--game", "tic-tac-toe", "--games", "2", "--seed", "isolation"];

/// Its filter is another one, and lets more through to the supervisor.
#[test]
fn in_namespaces_bots_play_under_the_wide_list_too() {
    if !can_be_had(Isolation::of(&[Means::Namespaces])) {
        return;
    }
    let (folder, bot) = (scratch("isolated-wide"), c_bot("first"));
    let args = [&[&*bot, &bot, "--sandbox", "wide", "--isolate", "namespaces"], &MATCH[..]].concat();
    let report = Judged::play(&folder, &args);
    assert_eq!((report.games().len(), report.lost(), report.abandoned()), (2, vec![], 0));
}

#[test]
fn what_cannot_be_had_is_an_error_before_the_first_game() {
    let (folder, bot) = (scratch("cannot-isolate"), c_bot("first"));
    let mut without = Command::new(compiled("older", &[]));
    without.arg("namespaces").arg(env!("CARGO_BIN_EXE_arbiter")).args([&bot, &bot]).args(MATCH);
    without.args(["--isolate", "namespaces"]).current_dir(&folder).stdin(Stdio::null());
    let run = Run::from(without.output().unwrap());
    run.says(2, "bots cannot be isolated by --isolate namespaces here")
        .and_says("namespace cannot be made: Operation not permitted")
        .and_says("arbiter doctor");
    assert!(!folder.join("results").exists(), "nothing has begun");
}

#[test]
fn a_process_that_is_not_contained_is_refused_rather_than_left_without_its_namespaces() {
    let mut command = command("first", &[]);
    command.limits.sandbox = Sandbox::Plain;
    command.limits.isolation = Isolation::of(&[Means::Namespaces]);
    let mut player = Sandboxed::start(&command);
    let failure = player.new_game(&brief(&start("othello"), Seat::FIRST)).unwrap_err();
    let Failure::Machine(MachineFailure::NotStarted { problem }) = &failure else { panic!("{failure:?}") };
    assert!(problem.contains("only contained"), "{problem}");
}

#[test]
fn a_report_says_how_bots_were_held_and_no_other_way_goes_on_with_it() {
    if !can_be_had(Isolation::of(&[Means::Namespaces])) {
        return;
    }
    let (folder, bot) = (scratch("isolated-report"), c_bot("first"));
    let typed = [&[&*bot, &bot, "--isolate", "namespaces", "--output", "match.json"], &MATCH[..]].concat();
    arbiter(&folder, &typed).expect(0);
    let mut report = json(folder.join("match.json"));
    assert_eq!(report["machine"]["isolation"], serde_json::json!(["namespaces"]));
    assert_eq!(report["games_ended"], 2);

    // The journal of a match that was interrupted before its first game, and asked for other means.
    report["games"] = serde_json::json!([]);
    fs::remove_file(folder.join("match.json")).unwrap();
    fs::write(folder.join("match.json.journal"), journal_of(&report)).unwrap();
    let other = [&[&*bot, &bot, "--resume", "--output", "match.json"], &MATCH[..]].concat();
    arbiter(&folder, &other).says(4, "has --isolate namespaces");
    arbiter(&folder, &[&typed[..], &["--resume"]].concat()).expect(0);
}
