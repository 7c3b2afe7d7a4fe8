//! Whatever is wrong with what a user gives: one message that says what, where and what to do, before the first move,
//! with the documented exit code.

use crate::support::{
    Run, arbiter, arbiter_after, arbiter_reading, bots_in, c_bot, command, sample_bot, scratch, words_of,
};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

/// A case: the arguments, the exit code, and words that the message must have.
type Case<'a> = (&'a [&'a str], i32, &'a [&'a str]);

#[track_caller]
fn check(folder: &Path, cases: &[Case<'_>]) {
    for (args, code, words) in cases {
        let run = arbiter(folder, args);
        assert_eq!(run.code, *code, "{args:?}: {}{}", run.out, run.err);
        for word in *words {
            assert!(run.err.contains(word), "{args:?}: '{word}' is missing in {}", run.err);
        }
        assert!(run.err.starts_with("error: "), "{args:?}: {}", run.err);
        let says_what_to_do = run.err.contains("\n  try: ") || run.err.contains("try '--help'");
        assert!(says_what_to_do, "{args:?}: {}", run.err);
        assert_eq!(run.out, "", "{args:?}: nothing is printed before everything has been checked");
        assert!(!folder.join("results").exists(), "{args:?}: a match that never began left something behind");
    }
}

/// A library made from a line of C.
fn library(folder: &Path, name: &str, source: &str) {
    let file = folder.join(name).with_extension("c");
    fs::write(&file, source).unwrap();
    let mut cc = Command::new("cc");
    let status = cc.args(["-shared", "-fPIC", "-o"]).arg(folder.join(name)).arg(&file).status();
    assert!(status.expect("a compiler is needed").success(), "{source}");
}

#[test]
fn files_that_are_no_bots_are_told_apart() {
    let folder = scratch("no-bots");
    fs::write(folder.join("text.so"), "hello\n").unwrap();
    fs::create_dir(folder.join("folder.so")).unwrap();
    // Without a byte on the disk.
    fs::File::create(folder.join("huge.so")).unwrap().set_len(1 << 40).unwrap();
    let good = fs::read(c_bot("first")).unwrap();
    fs::write(folder.join("cut.so"), &good[..good.len() / 2]).unwrap();
    let mut foreign = good.clone();
    foreign[18] = if foreign[18] == 0xb7 { 0x3e } else { 0xb7 };
    fs::write(folder.join("foreign.so"), foreign).unwrap();
    library(&folder, "nothing.so", "int add(int a, int b) { return a + b; }");
    // What a C++ compiler makes of `arbiter_bot_v1(unsigned)` without `extern "C"`.
    library(
        &folder,
        "mangled.so",
        "const void *_Z14arbiter_bot_v1j(unsigned abi) { return (void *)(long)abi; }",
    );
    library(&folder, "new.so", "const void *arbiter_bot_v2(unsigned abi) { return (void *)(long)abi; }");
    let first = &*c_bot("first");
    check(
        &folder,
        &[
            (
                &["./missing.so", first, "--game", "othello"],
                3,
                &["./missing.so", "seat 1", "no file", "try:"],
            ),
            (
                &[first, "./folder.so", "--game", "othello"],
                3,
                &["./folder.so", "seat 2", "a folder, not", "bot.py"],
            ),
            (&["./text.so", first, "--game", "othello"], 3, &["text file", "try:", "program:CMD"]),
            (&["./huge.so", first, "--game", "othello"], 3, &["more than 1 GiB", "try:"]),
            (&["./cut.so", first, "--game", "othello"], 3, &["cut short", "try:"]),
            (&["./foreign.so", first, "--game", "othello"], 3, &["machine", "try:"]),
            (
                &["./nothing.so", first, "--game", "othello"],
                3,
                &["does not export", "arbiter_bot_v1", "try:"],
            ),
            (&["./mangled.so", first, "--game", "othello"], 3, &["C++", "extern \"C\"", "try:"]),
            (&["./new.so", first, "--game", "othello"], 3, &["arbiter_bot_v2", "try:"]),
            (&["./text.so", "./missing.so", "--game", "othello"], 3, &["text.so", "missing.so"]),
            (&["inspect", "./text.so"], 3, &["text file"]),
            (&["bots", "./nowhere"], 4, &["nowhere"]),
        ],
    );
}

/// A shell writes names of strangers' files where `*` stands.
#[test]
fn words_that_no_option_has_do_nothing_to_a_terminal() {
    arbiter(&scratch("bad-words"), &["report", "--\u{9b}2J\u{202e}x"]).says(2, "--\\x9b2J\\u{202e}x");
}

#[test]
fn arguments_that_make_no_sense_are_refused_before_anything_happens() {
    let folder = scratch("bad-arguments");
    let bot = &*c_bot("first");
    check(
        &folder,
        &[
            (&[bot, bot, "--game", "othelo"], 2, &["othelo", "did you mean othello", "connect-four"]),
            (&[bot, bot], 2, &["--game"]),
            (&[bot, bot, bot, "--game", "othello"], 2, &["3 bots for 2 seats", "try:"]),
            (&[bot, bot, "--game", "chinese-checkers", "--players", "5"], 2, &["no 5 seats", "2, 3, 4, 6"]),
            (&[bot, bot, "--game", "othello", "--clock", "sixty"], 2, &["--clock", "60s+0.5s"]),
            (&[bot, bot, "--game", "othello", "--move-time", "0s"], 2, &["--move-time"]),
            (&[bot, bot, "--game", "othello", "--move-time", "1s", "--clock", "60s"], 2, &["--clock"]),
            (&[bot, bot, "--game", "othello", "--games", "0"], 2, &["--games"]),
            (
                &[bot, bot, "--game", "othello", "--openings", "queen"],
                2,
                &["none, random, random:PLIES, or a file"],
            ),
            (&[bot, bot, "--game", "tic-tac-toe", "--openings", "random:9"], 2, &["opening", "try:"]),
            (&[bot, bot, "--game", "othello", "-O", "size=8"], 2, &["no option 'size'"]),
            (
                &[bot, bot, "--game", "stacks", "-O", "n=10"],
                2,
                &["from 3 to 9", "10", "arbiter rules stacks"],
            ),
            (&[bot, bot, "--game", "stacks", "-O", "size=3"], 2, &["n, variant, earthquake"]),
            (&[bot, bot, "--game", "othello", "--position", "XO"], 2, &["64 cells", "try:"]),
            (&[bot, bot, "--game", "othello", "-B", "3:depth=2"], 2, &["-B 3", "try:"]),
            (&[bot, bot, "--game", "othello", "-B", "depth=2"], 2, &["PLACE:KEY=VALUE"]),
            (&[bot, bot, "--game", "othello", "--time-odds", "3:1s"], 2, &["--time-odds 3", "try:"]),
            (&[bot, bot, "--game", "othello", "--time-odds", "1s"], 2, &["PLACE:TIME", "2:20ms"]),
            (&[bot, "--game", "othello"], 5, &["seat 2 is empty", "no keyboard", "try:"]),
            (&["perft", "--game", "chess", "--depth", "1"], 2, &["chess"]),
            (&["standings", "none.json", "--anchor", "a=1e17"], 2, &["from -1000000 to 1000000"]),
            (&["position", "--game", "othello", "--moves", "a1"], 2, &["a1", "not-a-capture"]),
        ],
    );
}

/// A file that was packed on another system would otherwise be no bot, and nobody would know which.
#[test]
fn a_bot_whose_name_is_not_utf_8_is_named_wherever_it_is_found() {
    let folder = scratch("bad-input-utf-8");
    let bots = folder.join("bots");
    fs::create_dir(&bots).unwrap();
    fs::write(bots.join("league.toml"), "game = \"othello\"\nevery = \"10ms\"\n").unwrap();
    fs::copy(sample_bot("random"), bots.join(OsStr::from_bytes(b"gr\xfcn.so"))).unwrap();
    let path = OsStr::from_bytes(b"bots/gr\xfcn.so");
    let game = ["--game", "othello"].map(OsStr::new);
    for (code, args) in [
        (3, [&["bots", "bots"].map(OsStr::new)[..], &[]]),
        (0, [&["league", "bots", "--once"].map(OsStr::new)[..], &[]]),
        (2, [&[OsStr::new("tournament"), path, path][..], &game]),
        (2, [&[OsStr::new("check"), path][..], &game]),
    ] {
        let run = arbiter(&folder, &args.concat());
        let said = format!("{}{}", run.out, run.err);
        assert_eq!(run.code, code, "{said}");
        assert!(said.contains("gr\u{fffd}n.so") && said.contains("not text in UTF-8"), "{said}");
    }
}

/// Otherwise somebody would wait for a tournament that is another one than was asked for.
#[test]
fn an_option_that_would_change_nothing_is_refused_with_what_it_belongs_to() {
    let folder = scratch("idle-options");
    let bot = &*c_bot("first");
    let cup = ["tournament", bot, bot, "--game", "othello", "--schedule"];
    let one = [bot, bot, "--game", "othello"];
    let with = |args: &[&'static str]| -> Vec<&str> { [&cup[..], args].concat() };
    let alone = |args: &[&'static str]| -> Vec<&str> { [&one[..], args].concat() };
    check(
        &folder,
        &[
            (
                &with(&["round-robin", "--pairs", "5"]),
                2,
                &["--pairs is for --schedule swiss or knockout", "try:"],
            ),
            (&with(&["knockout", "--rounds", "7"]), 2, &["--rounds is for --schedule round-robin"]),
            (&with(&["swiss", "--max-pairs", "9"]), 2, &["--max-pairs is for --schedule knockout"]),
            (&with(&["swiss", "--challengers", "1"]), 2, &["--challengers is for --schedule gauntlet"]),
            (&alone(&["--sprt", "0,5"]), 2, &["--sprt looks at pairs of games", "--games"]),
            (&alone(&["--games", "4", "--sprt-errors", "0.1,0.1"]), 2, &["--sprt <ELO0,ELO1>"]),
            (&alone(&["--delay", "1s"]), 2, &["--delay is about games that are watched", "--watch"]),
            (&alone(&["--picture-format", "png"]), 2, &["none are wanted", "--pictures DIR"]),
            (&alone(&["--in-process", "--sandbox", "wide"]), 2, &["--sandbox", "--in-process"]),
            (&alone(&["--in-process", "--isolate", "namespaces"]), 2, &["--isolate", "--in-process"]),
            (&alone(&["--in-process", "--prepare-time", "30s"]), 2, &["--prepare-time", "--in-process"]),
        ],
    );
}

#[test]
fn files_that_cannot_be_written_or_read_are_named() {
    let folder = scratch("bad-files");
    let bot = &*c_bot("first");
    fs::write(folder.join("file"), "not a folder").unwrap();
    fs::write(folder.join("report.json"), "{\"format\": \"something else\"}").unwrap();
    fs::write(folder.join("new.json"), "{\"format\": \"arbiter-match\", \"format_version\": 99}").unwrap();
    fs::write(folder.join("cup.json"), "{\"game\": \"hex\", \"rounds\": 2, \"rounds\": 200}").unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    check(
        &folder,
        &[
            (&[bot, bot, "--game", "othello", "--results", "file"], 4, &["file", "try:"]),
            (&[bot, bot, "--game", "othello", "--results", "file/deeper"], 4, &["file/deeper", "try:"]),
            (&[bot, bot, "--game", "othello", "--output", "empty"], 4, &["empty is a folder", "--results"]),
            (&[bot, bot, "--game", "othello", "--output", "file/deeper.json"], 4, &["after --output"]),
            (
                &["tournament", "--file", "cup.json"],
                2,
                &["cup.json is no tournament file", "rounds is there twice"],
            ),
            (&["verify", "nowhere.json"], 4, &["nowhere.json"]),
            (&["verify", "file"], 4, &["not a match report"]),
            (&["verify", "report.json"], 4, &["not a match report", "format"]),
            (&["verify", "new.json"], 4, &["format version 99", "up to 3"]),
            (&["report", "empty"], 4, &["no match report in empty"]),
        ],
    );
}

#[test]
fn a_path_that_is_no_utf8_is_written_to_or_refused_in_a_sentence() {
    let folder = scratch("no-utf8");
    let bot = sample_bot("greedy");
    let bot = bot.as_str();
    let strange = OsStr::from_bytes(b"o\xff");
    let with = |words: &[&str], more: &[&OsStr]| {
        let words = words.iter().map(OsStr::new).chain(more.iter().copied());
        arbiter(&folder, &words.collect::<Vec<_>>())
    };
    let game = ["--game", "tic-tac-toe", "--quiet"];
    with(&[&[bot, bot], &game[..], &["--output"]].concat(), &[strange]).expect(0);
    assert!(folder.join(strange).is_file());
    let versions = ["compare", bot, bot, "--rounds", "1"];
    with(&[&versions, &game[..], &["--results"]].concat(), &[OsStr::from_bytes(b"r\xff")]).expect(0);
    // A file names other files from its folder, and may name none that is only nearly meant.
    let cups = folder.join(OsStr::from_bytes(b"c\xff"));
    fs::create_dir(&cups).unwrap();
    fs::write(
        cups.join("cup.toml"),
        format!("game = 'hex'\nbots = ['{bot}', '{bot}']\noutput = './cup.json'"),
    )
    .unwrap();
    with(&["tournament", "--file"], &[cups.join("cup.toml").as_os_str()]).says(2, "UTF-8").and_says("try: ");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "something lies where nobody asked for it");
}

#[test]
fn a_full_standard_output_takes_no_report_away_and_says_where_it_is() {
    let folder = scratch("full-output");
    let bot = sample_bot("random");
    for (verb, file) in [(&[][..], "match.json"), (&["tournament"], "cup.json")] {
        let args = [verb, &[&bot, &bot, "--game", "tic-tac-toe", "--output", file]].concat();
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let run: Run = command(&folder, &args).stdout(full).output().unwrap().into();
        assert_eq!(run.code, 4, "{}", run.err);
        let told = format!("  try: `arbiter report {file}`");
        run.and_says(&told).and_says("is saved");
        arbiter(&folder, &["verify", file]).expect(0);
    }
}

#[test]
fn a_script_that_keeps_the_help_hears_that_the_disk_is_full() {
    for word in ["--help", "--version"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let run: Run = command(Path::new("."), &[word]).stdout(full).output().unwrap().into();
        run.says(4, "cannot write to standard output");
    }
}

#[test]
fn a_project_that_does_not_fit_on_the_disk_leaves_nothing_in_the_way_of_the_next() {
    let folder = scratch("new-bot-full");
    let words = ["new-bot", "mine", "--lang", "c"];
    arbiter_after("ulimit -f 2; exec", &folder, &words).says(4, "cannot write mine/");
    arbiter(&folder, &words).expect(0);
}

#[test]
fn a_match_for_which_there_is_no_room_leaves_nothing_in_the_way_of_the_next() {
    let folder = scratch("no-room-to-begin");
    let words = ["human:Ana", "human:Bob", "--game", "tic-tac-toe", "--web", "--output", "match.json"];
    // People need no bot's file, which would have no room either.
    arbiter_after("ulimit -f 0; exec", &folder, &words).says(4, "cannot write the journal");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "an empty journal is no match that did not finish");
}

#[test]
fn a_full_disk_stops_the_match_and_says_how_to_go_on() {
    let folder = scratch("full-disk");
    let bot = &*c_bot("first");
    // A limit on the size of files stands for a full disk.
    let play = [bot, bot, "--game", "othello", "--games", "200", "--jobs", "1"];
    let run = arbiter_after("ulimit -f 400; exec", &folder, &play);
    run.says(4, "cannot write the journal").and_says("--resume");
    let list = arbiter(&folder, &["report", "results"]).expect(0);
    assert!(list.contains("of 200 games ended"), "what was played can be read: {list}");

    let other = arbiter(&folder, &[bot, bot, "--game", "othello", "--games", "100", "--resume"]);
    other.says(0, "has --games 200, not 100");
    let told = other.err.lines().find_map(|line| line.strip_prefix("  to go on with that: arbiter "));
    let told = told.expect("a command");
    arbiter(&folder, &words_of(&format!("{told} --quiet"))).expect(0);
    let list = arbiter(&folder, &["report", "results"]).expect(0);
    assert!(list.contains("200 of 200 games ended"), "the command that was told goes on: {list}");
}

/// Otherwise the command that is told would not go on: the people of the match had agreed on more than it says.
#[test]
fn the_command_that_goes_on_with_a_match_of_people_says_what_they_agreed_on() {
    let (folder, bot) = (scratch("people-go-on"), sample_bot("greedy"));
    let words = ["human:Ana", &bot, "--game", "tic-tac-toe", "--ui", "line", "--seed", "1"];
    let agreed = ["--games", "2", "--casual", "--human-time", "5m+5s"];
    arbiter_reading(&folder, &[&words[..], &agreed].concat(), "b2\n").says(130, "1 of 2 games");
    let other = arbiter_reading(&folder, &[&words[..], &["--games", "3", "--resume"]].concat(), "b2\n");
    let told = other.err.lines().find_map(|line| line.strip_prefix("  to go on with that: arbiter "));
    let told = words_of(&format!("{} --ui line", told.expect("a command")));
    let goes_on = arbiter_reading(&folder, &told, "b2\n");
    assert!(goes_on.out.contains("saved 2 of 2 games"), "{}{}", goes_on.out, goes_on.err);
}

#[test]
fn a_mistyped_command_is_not_taken_for_a_bot() {
    let (folder, greedy) = (scratch("mistyped"), sample_bot("greedy"));
    check(
        &folder,
        &[
            (
                &["tournamet", "a.so", "--game", "othello"],
                2,
                &["'tournamet'", "did you mean tournament?", "--help"],
            ),
            (&["verfy", "report.json"], 2, &["'verfy'", "did you mean verify?"]),
            (&["bot", "--game", "othello"], 2, &["'bot'", "did you mean bots?"]),
            (&["./tournamet", "--game", "othello"], 3, &["no file"]),
            (&["mybot", "--game", "othello"], 3, &["no file"]),
            (&[&greedy, "gredy", "--game", "othello"], 3, &["no file `gredy`", "did you mean greedy?"]),
            (&["gredy"], 2, &["'gredy'", "did you mean greedy?"]),
        ],
    );
}

#[test]
fn a_message_that_nobody_hears_changes_nothing() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let folder = scratch("nobody-hears");
    let status = command(&folder, &["position", "--game", "othelo"]).stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_program_quietly() {
    let program = env!("CARGO_BIN_EXE_arbiter");
    let script = format!("set -o pipefail; '{program}' rules chinese-checkers | head -n 1");
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success(), "{:?}", output.status);
}

#[test]
fn a_bot_that_refuses_its_options_or_the_games_is_told_before_the_first_move() {
    let folder = scratch("refused-options");
    let (minimax, random, tripping) = (sample_bot("minimax"), sample_bot("random"), c_bot("tripping"));
    let small = ["--game", "connect-four", "-O", "columns=5", "-B", "1:mistake=declines other sizes"];
    let cases: [Case<'_>; 3] = [
        (
            &[&random, &minimax, "--game", "othello", "-B", "2:depth=999"],
            2,
            &["minimax.so refuses to begin in seat 2", "depth=999: it goes from 1 to", "-B 2:KEY=VALUE"],
        ),
        (
            &[&minimax, &random, "--game", "othello", "-B", "1:dept=3", "-B", "2:x=1"],
            2,
            &["minimax.so refuses to begin in seat 1", "dept"],
        ),
        (
            &[&[&*tripping, &random], &small[..]].concat(),
            2,
            &["refuses to begin in seat 1", "does not play this game with these options"],
        ),
    ];
    check(&folder, &cases);
}

#[test]
fn one_name_is_not_given_to_all_bots_of_a_folder() {
    let folder = scratch("one-name-for-a-folder");
    fs::create_dir(folder.join("bots")).unwrap();
    for bot in ["random", "greedy"] {
        fs::copy(sample_bot(bot), folder.join("bots").join(format!("{bot}.so"))).unwrap();
    }
    let named = ["tournament", "bots", "--game", "othello", "--name", "1:alice"];
    check(&folder, &[(&named, 2, &["--name 1:alice names one bot, and bots has several"])]);
}

#[test]
fn a_tournament_says_what_its_bots_refuse_before_the_first_game() {
    let folder = scratch("refused-in-tournament");
    let (minimax, random) = (sample_bot("minimax"), sample_bot("random"));
    let file = format!(
        "game = \"othello\"\nbots = [\"{random}\", {{ file = \"{minimax}\", options = {{ depth = 999 }} }}]\n"
    );
    fs::write(folder.join("cup.toml"), file).unwrap();
    // The same file twice: only the one with the mistake is told.
    let two = ["tournament", &minimax, &random, &minimax, "--game", "othello", "-B", "3:depth=999"];
    let seen: &[&str] =
        &["minimax.so refuses to begin as bot 3", "depth=999: it goes from 1 to", "-B 3:KEY=VALUE"];
    bots_in(&folder, &["random", "greedy"]);
    let behind_a_folder = ["tournament", "bots", &minimax, "--game", "othello", "-B", "2:depth=999"];
    let cases: [Case<'_>; 5] = [
        (&two, 2, seen),
        (&behind_a_folder, 2, &["minimax.so refuses to begin as bot 2", "-B 2:KEY=VALUE"]),
        (&[&two[..], &["--seed", "1", "--shard", "2/3"]].concat(), 2, seen),
        (&[&two[..], &["--dry-run"]].concat(), 2, seen),
        (&["tournament", "--file", "cup.toml"], 2, &["minimax.so refuses to begin as bot 2", "depth=999"]),
    ];
    check(&folder, &cases);
}
