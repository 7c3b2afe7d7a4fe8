//! What bots print: the first tool of whoever writes one.

use crate::support::{Run, arbiter, blocks, c_bot, command, is_there, only_file, sample_bot, scratch};
use std::fs;
use std::path::Path;

/// A game of `loud` against `greedy`.
fn play(folder: &Path, more: &[&str]) -> Run {
    let (loud, greedy) = (c_bot("loud"), sample_bot("greedy"));
    let words = [&*loud, &greedy, "--game", "tic-tac-toe"];
    arbiter(folder, &[&words, more].concat())
}

#[test]
fn what_a_bot_prints_is_shown_line_by_line_and_can_do_nothing_to_the_terminal() {
    let folder = scratch("show-output");
    let run = play(&folder, &["--show-output"]);
    let first = run.err.lines().find(|line| line.contains('|'));
    assert_eq!(first, Some("Loud | \\x1b[2Jthe first of    9 moves"), "{}", run.err);
    assert!(run.err.lines().all(|line| !line.starts_with("Greedy |")), "{}", run.err);
    run.expect(0);
    assert_eq!(fs::read_dir(folder.join("results")).unwrap().count(), 1, "nothing is kept unasked");
    play(&folder, &["--show-output", "--games", "2"]).and_says("game 2, Loud | \\x1b");
    let quiet = play(&folder, &[]);
    assert_eq!(quiet.err, "");
}

#[test]
fn of_a_flood_the_end_is_kept_the_rest_is_counted_and_the_game_goes_on() {
    let folder = scratch("keep-output");
    let run =
        play(&folder, &["-B", "1:lines=100000", "--move-time", "30s", "--show-output", "--keep-output"]);
    run.and_says("bytes left out)");
    assert!(run.err.len() < 1 << 20, "{} bytes were told", run.err.len());
    run.expect(0);
    let kept = fs::read_to_string(only_file(&folder.join("results"), ".output.txt")).unwrap();
    assert!(kept.starts_with("game 1, Loud, the last 65536 of "), "{}", &kept[..60]);
    assert!(kept.ends_with("    line 99999\n"));
    let report = only_file(&folder.join("results"), ".json");
    arbiter(&folder, &["verify", report.to_str().unwrap()]).expect(0);
}

#[test]
fn ask_shows_what_the_bot_printed_when_it_is_to_tell_more() {
    let folder = scratch("ask-output");
    let loud = c_bot("loud");
    let words = ["ask", &*loud, "--game", "tic-tac-toe"];
    arbiter(&folder, &[&words[..], &["--debug"]].concat()).and_says(" | \\x1b[2Jthe first of    9 moves\n");
    assert_eq!(arbiter(&folder, &words).err, "");
}

/// What somebody sees of the bot that was played against is all that tells why it played so.
#[test]
fn debug_tells_what_the_moves_that_a_bot_has_tried_are_worth_in_play_too() {
    let folder = scratch("play-debug");
    let (minimax, greedy) = (sample_bot("minimax"), sample_bot("greedy"));
    let words = [&minimax, &greedy, "--game", "tic-tac-toe", "--position", "xx1oo4 x"];
    let told = |run: Run| {
        let told = run.err.clone();
        run.expect(0);
        told
    };
    let mut by_variable = command(&folder, &words);
    by_variable.env("DEBUG", "1");
    let by_variable = told(by_variable.output().unwrap().into());
    let by_flag = told(arbiter(&folder, &[&words[..], &["--debug"]].concat()));
    for told in [by_variable, by_flag] {
        assert!(told.starts_with("Minimax plays c1\n  depth 1  score 99999  nodes "), "{told}");
        assert!(told.contains("\n    c1     = 99999\n"), "{told}");
    }
    assert_eq!(told(arbiter(&folder, &words)), "");
}

#[test]
fn what_a_program_writes_to_standard_error_is_shown_too() {
    if !is_there("python3") {
        return;
    }
    let folder = scratch("program-output");
    let client = &blocks("arbiter/src/program/README.md", "python")[0];
    let client = format!("import sys\nprint('here I am', file=sys.stderr)\n{client}\n");
    fs::write(folder.join("client.py"), client).unwrap();
    let greedy = sample_bot("greedy");
    let seat = "1=program:python3 client.py";
    let words = [
        "--seat", seat, &greedy, "--game", "tic-tac-toe", "--show-output", "--keep-output", "--output",
        "r.json",
    ];
    let run = arbiter(&folder, &words);
    run.and_says("python3 (program) | here I am\n");
    run.expect(0);
    let kept = fs::read_to_string(folder.join("r.json.output.txt")).unwrap();
    assert_eq!(kept, "game 1, python3 (program), 10 bytes:\n    here I am\n");
}

#[test]
fn a_file_that_cannot_be_written_is_said_before_the_first_move() {
    let folder = scratch("output-refused");
    fs::create_dir(folder.join("r.json.output.txt")).unwrap();
    let run = play(&folder, &["--keep-output", "--output", "r.json"]);
    run.and_says("cannot write r.json.output.txt");
    assert_eq!((run.code, run.out), (4, String::new()));
}

/// Otherwise a file has the output of matches that nobody can tell apart, or another user's link decides what is written into.
#[test]
fn a_file_has_the_output_of_one_match_and_is_no_link() {
    let folder = scratch("output-anew");
    let file = folder.join("r.json.output.txt");
    let kept = || {
        play(&folder, &["--keep-output", "--output", "r.json", "--seed", "1"]).expect(0);
        fs::read_to_string(&file).unwrap()
    };
    let once = kept();
    assert!(!once.is_empty());
    assert_eq!(kept(), once, "an earlier match has left nothing");
    fs::remove_file(&file).unwrap();
    fs::write(folder.join("other.txt"), "mine").unwrap();
    std::os::unix::fs::symlink("other.txt", &file).unwrap();
    play(&folder, &["--keep-output", "--output", "r.json"]).says(4, "is a link");
    assert_eq!(fs::read_to_string(folder.join("other.txt")).unwrap(), "mine");
}
