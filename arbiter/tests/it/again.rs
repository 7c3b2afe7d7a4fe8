//! `arbiter again`: the moment in which a bot failed, played once more.

use crate::support::{Script, arbiter, c_bot, json, only_file, played, sample_bot, scratch};
use arbiter::player::Answer;
use arbiter::record::read;
use arbiter::tournament::Course;
use arbiter::verdict::{MachineFailure, Phase, Spent};
use arbiter::verify::ask_again;
use arbiter_rules::Seat;
use std::fs;

#[test]
fn the_moment_of_a_crash_is_in_the_report_and_can_be_played_again() {
    let (faulty, first) = (c_bot("faulty"), c_bot("first"));
    let folder = scratch("again");
    let args = [
        &faulty, &first, "--game", "othello", "-B", "1:choose_move=flood", "--move-time", "5s",
        "--max-plies", "3",
    ];
    arbiter(&folder, &[&args[..], &["--output", "fine.json"]].concat()).expect(0);
    let args = [&first, &faulty, "--game", "othello", "-B", "2:played=segfault"];
    let crashed = arbiter(&folder, &[&args[..], &["--output", "crash.json"]].concat());
    let named =
        "`arbiter again crash.json --game-number 1 --seat 2` plays the moment of the first fault once more";
    assert_eq!(crashed.err.lines().next_back(), Some(named));
    let report = json(folder.join("crash.json"));
    let fault = &report["games"][0]["ending"]["fault"];
    assert_eq!(fault["again"], "arbiter again crash.json --game-number 1 --seat 2");
    assert_eq!(fault["position"], report["games"][0]["final_position"]);
    let again = arbiter(&folder, &["again", "crash.json", "--game-number", "1", "--seat", "2"]).expect(0);
    assert_eq!(
        again,
        "ply 2: seat 2 crashed in choose_move (signal 11, segmentation fault at address 0xdead0) (as before)\n"
    );
    let instead = arbiter(&folder, &["again", "crash.json", "--bot", &first]).expect(0);
    assert!(instead.starts_with("ply 2: seat 2 played "), "a mended bot can be tried: {instead}");
    for (asked, problem, hint) in [
        (&["fine.json"][..], "nobody lost a game of fine.json by a fault", "--game-number and --seat"),
        (&["fine.json", "--game-number", "1"], "nobody lost game 1 by a fault", "--seat 1 to 2"),
        (&["crash.json", "--seat", "3"], "there is no seat 3 in game 1", "--seat 1 to 2"),
        (&["crash.json", "--game-number", "2"], "there is no game 2 in crash.json", "one of 1"),
    ] {
        arbiter(&folder, &[&["again"], asked].concat()).says(2, problem).and_says(hint);
    }
}

/// Otherwise an author would look for what differs, or believe that the bot has one fault.
#[test]
fn an_answer_that_is_no_move_is_refused_as_before_and_other_lost_games_are_told() {
    let (stumbling, first) = (c_bot("stumbling"), c_bot("first"));
    let folder = scratch("again-refused");
    let args = [&stumbling, &first, "--game", "othello", "--games", "4", "--output", "report.json"];
    arbiter(&folder, &[&args[..], &["-B", "1:illegal=3", "-B", "1:bits=65535"]].concat()).expect(0);
    let again = arbiter(&folder, &["again", "report.json"]);
    let lines: Vec<_> = again.out.lines().collect();
    let is_same =
        |line: &&str| line.contains("played 0x000000000000ffff: ") && line.ends_with(" (as before)");
    assert!(lines.len() == 3 && lines.iter().all(is_same), "{}{}", again.out, again.err);
    assert_eq!(again.err, "3 other games were lost by a fault: --game-number with one of 2-4\n");
    let last = arbiter(&folder, &["again", "report.json", "--game-number", "4"]);
    assert!(last.err.is_empty() && last.out.contains("(as before)"), "{}{}", last.out, last.err);
}

/// With more memory than it had, a bot that ran out of it plays on, and nothing is learnt.
#[test]
fn a_bot_that_ran_out_of_memory_has_as_little_when_it_is_asked_again() {
    let (faulty, first) = (c_bot("faulty"), c_bot("first"));
    let folder = scratch("again-memory");
    let args = [&first, &faulty, "--game", "othello", "--memory", "40", "-B", "2:choose_move=fill memory"];
    arbiter(&folder, &[&args[..], &["--output", "full.json"]].concat()).expect(0);
    let again = arbiter(&folder, &["again", "full.json"]).expect(0);
    assert!(again.contains("it may use 40 MiB (as before)"), "{again}");
}

/// A result is worth little if nobody knows with what bots came to it, and games of stronger bots would be added to it.
#[test]
fn a_report_says_what_bots_could_use_and_they_have_the_same_when_they_are_asked_again() {
    let (faulty, first) = (c_bot("faulty"), c_bot("first"));
    let folder = scratch("limits");
    let match_of = |options: &[&str], output: &str| {
        let args = [&first, &faulty, "--game", "othello", "--seed", "1", "-B", "2:choose_move=call mount"];
        arbiter(&folder, &[&args[..], options, &["--output", output]].concat()).expect(0)
    };
    let options = ["--sandbox", "wide", "--threads", "2", "--memory", "64", "--stop-between-turns"];
    let said = match_of(&options, "x.json");
    let had = "had 2 cores to keep busy, 64 MiB of memory, the wide sandbox, no processor outside its turns.";
    assert!(said.contains(had), "{said}");
    let limits = &json(folder.join("x.json"))["plan"]["limits"];
    let memory = 64 << 20;
    let wanted = serde_json::json!({ "threads": 2, "memory": memory, "wide_sandbox": true, "stopped_between_turns": true });
    assert_eq!(*limits, wanted);
    arbiter(&folder, &["verify", "x.json"]).expect(0);
    let again = arbiter(&folder, &["again", "x.json"]).expect(0);
    assert!(again.contains("99") && again.contains("(as before)"), "{again}");
    match_of(&[], "y.json");
    assert!(json(folder.join("y.json"))["plan"].get("limits").is_none(), "older readers know no such field");
    arbiter(&folder, &["merge", "x.json", "y.json", "--output", "both.json"])
        .says(2, "y.json does not belong to x.json: it has no --threads 2");
}

#[test]
fn the_moment_of_a_failure_is_found_in_a_folder_of_reports() {
    let folder = scratch("again-in-a-folder");
    let (faulty, random) = (c_bot("faulty"), sample_bot("random"));
    let options = ["--game", "othello", "--quiet", "-B", "1:choose_move=abort", "--results", "all/results"];
    arbiter(&folder, &[&[&*faulty, &random], &options[..]].concat()).expect(0);
    let report = only_file(&folder.join("all/results"), ".json");
    fs::copy(&report, folder.join("all/results/copy.json")).unwrap();
    let run = arbiter(&folder, &["again", "all/results"]);
    run.and_says("is the newest of 2 files");
    assert!(run.out.contains("crashed in choose_move"), "{}{}", run.out, run.err);
}

/// Whoever plays the moment of a fault again on a full machine would otherwise take the machine's doing for the bot's.
#[test]
fn a_moment_that_the_machine_spoils_is_not_told_as_the_bots_doing() {
    let random = sample_bot("random");
    let plan = ["--game", "tic-tac-toe", "--openings", "none", "--seed", "1"];
    let (file, _) = played("spoilt", &[&[random.as_str(), &random], &plan[..]].concat());
    let report = read(&file).unwrap();
    let full = MachineFailure::NotStarted { problem: "no room".to_owned() };
    let gone = MachineFailure::Unreachable { during: Phase::Move, problem: "no memory".to_owned() };
    let at_its_move = Script::new([(Answer::Machine(gone.clone()), Spent::default())]);
    for (mut bot, failure, ply) in [(Script::failing(full.clone()), full, None), (at_its_move, gone, Some(0))]
    {
        let course = Course::of_report(&report).unwrap();
        let moments = ask_again(&report, &course, &report.games[0], Seat::FIRST, &mut bot).unwrap();
        let blamed: Vec<_> = moments.iter().map(|moment| (moment.ply, moment.machine.clone())).collect();
        assert_eq!(blamed, [(ply, Some(failure))], "and it is not asked again");
    }
}
