//! Bots that are WebAssembly modules, and matches that are played by instructions: the program, as a user runs it. Modules are
//! written as text, so that nothing but the program is needed.

use crate::support::{
    Load, Run, arbiter, canonical, command, no_faults, planned_by, played_in, sample_bot, scratch,
};
use std::fs;
use std::path::PathBuf;

/// The table of a bot lies here in its module, and its name behind it.
const TABLE: usize = 1024;
const NAME: usize = 1280;

/// A module: `choose` is the body of `choose_move`, `more` are fields beside it. It has functions to call the arbiter by the
/// places of the host table: `$look` for what takes a table, and `$free` for what takes a position besides.
fn module(name: &str, choose: &str, more: &str) -> String {
    let function = |name: &str, index: u32| if more.contains(&format!("(func ${name} ")) { index } else { 0 };
    let [create, new_game, played] = [function("create", 2), function("new_game", 3), function("played", 4)];
    let element = |name: &str, index: u32| {
        if function(name, index) > 0 { format!("(elem (i32.const {index}) ${name})") } else { String::new() }
    };
    let words = [68, 0, NAME as u32, 0, 0, 0, 0, create, 0, new_game, 1, played, 0, 0, 0];
    let table: String =
        words.iter().flat_map(|word| word.to_le_bytes()).map(|byte| format!("\\{byte:02x}")).collect();
    format!(
        r#"(module
  (type $look (func (param i32) (result i32)))
  (type $free (func (param i32 i32)))
  (memory (export "memory") 1)
  (table (export "__indirect_function_table") 5 funcref)
  (elem (i32.const 1) $choose) {} {} {}
  (data (i32.const {TABLE}) "ARBT\01\00\01\00{table}")
  (data (i32.const {NAME}) "{name}\00")
  (func $first (param $turn i32) (result i64) (i64.load (i32.load offset=16 (local.get $turn))))
  (func $should_stop (param $turn i32) (result i32)
    (call_indirect (type $look) (i32.load offset=72 (local.get $turn))
      (i32.load offset=28 (i32.load offset=72 (local.get $turn)))))
  (func $choose (param $this i32) (param $turn i32) (param $out i32) (result i32) (local $n i32)
    {choose})
  {more}
  (func (export "arbiter_bot_v1") (param i32) (result i32) (i32.const {TABLE})))"#,
        element("create", 2),
        element("new_game", 3),
        element("played", 4),
    )
}

/// Plays the first move.
const FIRST: &str = "(i64.store (local.get $out) (call $first (local.get $turn))) (i32.const 0)";
/// Counts until it is told that it has thought enough, and plays the move with that number: a game of its own for every
/// way to measure time.
const THINKS: &str = "(loop $again (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if $again (i32.eqz (call $should_stop (local.get $turn)))))
    (i64.store (local.get $out) (i64.load (i32.add (i32.load offset=16 (local.get $turn))
      (i32.mul (i32.const 8) (i32.rem_u (local.get $n) (i32.load offset=12 (local.get $turn)))))))
    (i32.const 0)";
const ENDLESS: &str = "(loop $again (br $again)) (unreachable)";

/// A folder with `first.wasm` and `bot.wasm`. The bridge lies beside the program.
fn folder_with(name: &str, bot: &str) -> PathBuf {
    sample_bot("random");
    let folder = scratch(name);
    for (file, text) in [("first.wasm", &*module("First", FIRST, "")), ("bot.wasm", bot)] {
        fs::write(folder.join(file), wat::parse_str(text).unwrap_or_else(|error| panic!("{error}"))).unwrap();
    }
    folder
}

#[test]
fn a_module_plays_every_game_and_stands_in_the_report_with_what_runs_it() {
    let folder = folder_with("wasm-first", &module("Thinks", THINKS, ""));
    let random = sample_bot("random");
    for game in arbiter_rules::registry::GAMES {
        let words = ["./first.wasm", &random, "--game", game.id, "--games", "2", "--seed", "1"];
        let (_, report) = played_in(&folder, &words);
        let player = &report["plan"]["players"][0];
        assert_eq!((&player["name"], &player["payload"]["name"]), (&"First".into(), &"first.wasm".into()));
        assert!(player["runtime"].as_str().is_some_and(|runtime| runtime.starts_with("wasmi ")), "{player}");
        no_faults(&report);
        arbiter(&folder, &["verify", "report.json"]).expect(0);
    }
    let shown = arbiter(&folder, &["inspect", "./first.wasm"]).expect(0);
    assert!(shown.contains("wasmi "), "{shown}");
    assert!(arbiter(&folder, &["doctor"]).out.contains("bots in WebAssembly run in wasmi"));
    arbiter(&folder, &["check", "./first.wasm", "--game", "connect-four"]).expect(0);
}

#[test]
fn by_instructions_a_match_is_the_same_to_the_byte_however_busy_the_machine_is() {
    let folder = folder_with("wasm-fuel", &module("Thinks", THINKS, ""));
    let words = ["./bot.wasm", "./bot.wasm", "--game", "connect-four", "--games", "6", "--seed", "fuel"];
    let played = |fuel: &str, more: &[&str]| {
        let (_, report) = played_in(&folder, &[&words[..], &["--fuel", fuel], more].concat());
        arbiter(&folder, &["verify", "report.json"]).expect(0);
        (canonical(&folder, "report.json"), report)
    };
    let (quiet, report) = played("200k", &["--jobs", "1"]);
    assert_eq!(report["plan"]["clock"], "instructions");
    assert_eq!(report["plan"]["players"][0]["time"]["move_ns"], 200_000);
    assert!(arbiter(&folder, &["report", "report.json"]).expect(0).contains("200k instructions a move"));
    let load = Load::of(4);
    assert!(played("200k", &["--jobs", "4"]).0 == quiet, "the games depend on what else the machine does");
    drop(load);
    assert!(played("300k", &[]).0 != quiet, "the bot does not go by its clock, so that nothing is tested");
}

/// Otherwise who repeats a tournament by the command that it prints plays another one.
#[test]
fn the_command_of_a_tournament_that_counts_instructions_plays_the_same_again() {
    let folder = folder_with("wasm-command", &module("First", FIRST, ""));
    let typed =
        "arbiter tournament ./first.wasm ./bot.wasm --game tic-tac-toe --seed 1 --fuel 5M --prepare-time 30s";
    let plan = planned_by(&folder, typed);
    let told = planned_by(&folder, plan["command"].as_str().unwrap());
    assert_eq!(told["plan_hash"], plan["plan_hash"], "{plan}");
}

#[test]
fn verify_finds_a_move_that_took_more_instructions_than_there_were() {
    let folder = folder_with("wasm-forged", &module("Thinks", THINKS, ""));
    played_in(&folder, &["./bot.wasm", "./first.wasm", "--game", "tic-tac-toe", "--fuel", "100k"]);
    let text = fs::read_to_string(folder.join("report.json")).unwrap();
    let smaller = text.replace("\"move_ns\": 100000", "\"move_ns\": 1000");
    assert_ne!(text, smaller);
    fs::write(folder.join("forged.json"), smaller).unwrap();
    let found = arbiter(&folder, &["verify", "forged.json"]).expect(1);
    assert!(found.contains("ply 1: seat 1 took more time than it had and should have lost"), "{found}");
}

#[test]
fn only_bots_whose_instructions_are_counted_play_by_them() {
    let folder = folder_with("wasm-fuel-refused", &module("First", FIRST, ""));
    let random = sample_bot("random");
    for (words, said) in [
        (["./first.wasm", &random, "--fuel", "1M"], "cannot be counted"),
        (["./first.wasm", "human:Ana", "--fuel", "1M"], "those of Ana cannot be counted"),
        (["./first.wasm", "./bot.wasm", "--fuel", "1.5M"], "50M"),
        (["./first.wasm", "./bot.wasm", "--fuel", "0"], "50M"),
    ] {
        arbiter(&folder, &[&words[..], &["--game", "othello"]].concat()).says(2, said);
    }
    let both = ["./first.wasm", "./bot.wasm", "--fuel", "1M", "--margin", "1ms", "--game", "othello"];
    arbiter(&folder, &both).says(2, "--margin");
}

#[test]
fn whatever_a_module_does_wrong_it_loses_its_own_game_with_a_sentence_that_says_why() {
    // What it does, its code, the kind of its fault (none where it plays on), and words of the sentence about it.
    let plays = |before: &str| format!("{before} {FIRST}");
    let asks_in_vain = |times: u32| {
        plays(&format!(
            "(local.set $n (i32.const {times}))
             (loop $again (drop (memory.grow (i32.const 60000)))
              (drop (table.grow 0 (ref.null func) (i32.const 2000000000)))
              (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))"
        ))
    };
    let misdeeds = [
        ("loop", ENDLESS.to_owned(), "", Some("timed-out"), "had no answer within 5M instructions"),
        (
            "ask for ever",
            "(loop $again (drop (call $should_stop (local.get $turn))) (br $again)) (unreachable)".to_owned(),
            "",
            Some("timed-out"),
            "no answer within 5M instructions",
        ),
        (
            "loop between turns",
            FIRST.to_owned(),
            "(func $played (param i32 i32) (loop $again (br $again)))",
            Some("timed-out"),
            "no answer within 5M instructions",
        ),
        (
            "fill memory",
            "(loop $again (br_if $again (i32.ge_s (memory.grow (i32.const 64)) (i32.const 0)))) (unreachable)"
                .to_owned(),
            "",
            Some("out-of-memory"),
            "memory",
        ),
        (
            "a huge table",
            plays("(drop (table.grow 0 (ref.null func) (i32.const 2000000000)))"),
            "",
            None,
            "",
        ),
        ("ask in vain for more", asks_in_vain(5_000), "", None, ""),
        ("ask in vain for ever", asks_in_vain(300_000), "", Some("out-of-memory"), "ran out of memory"),
        (
            "recursion",
            "(call $choose (local.get $this) (local.get $turn) (local.get $out))".to_owned(),
            "",
            Some("panicked"),
            "nested too deeply",
        ),
        ("trap", "unreachable".to_owned(), "", Some("panicked"), "unreachable"),
        (
            "divide",
            "(i32.div_u (i32.const 1) (local.get $n))".to_owned(),
            "",
            Some("panicked"),
            "divide by zero",
        ),
        (
            "outside of memory",
            "(i32.load (i32.const -8))".to_owned(),
            "",
            Some("panicked"),
            "out of bounds memory access",
        ),
        (
            "a position that is none",
            plays(
                "(call_indirect (type $free) (i32.load offset=72 (local.get $turn)) (i32.const 77)
                  (i32.load offset=48 (i32.load offset=72 (local.get $turn))))",
            ),
            "",
            Some("panicked"),
            "named a position that is not there",
        ),
        (
            "an answer outside of memory",
            plays("(i32.store offset=24 (local.get $turn) (i32.const -1))"),
            "",
            None,
            "",
        ),
        ("an illegal move", "(i32.const 0)".to_owned(), "", Some("illegal-move"), ""),
        ("resign", "(i32.const 1)".to_owned(), "", Some("resigned"), "resigned"),
        ("fail", "(i32.const -1)".to_owned(), "", Some("failed"), "status -1"),
        (
            "fail in create",
            FIRST.to_owned(),
            "(func $create (param i32 i32) (result i32) (i32.const -1))",
            Some("failed"),
            "in create",
        ),
        (
            "loop in new_game",
            FIRST.to_owned(),
            "(func $new_game (param i32 i32) (result i32) (loop $again (br $again)) (unreachable))",
            Some("panicked"),
            "used up its instructions",
        ),
    ];
    for (name, choose, more, fault, said) in misdeeds {
        let folder = folder_with("wasm-misdeeds", &module("Bad", &choose, more));
        let words = ["./bot.wasm", "./first.wasm", "--game", "tic-tac-toe", "--seed", "1", "--fuel", "5M"];
        let words = [&words[..], &["--memory", "64"]].concat();
        let (_, report) = played_in(&folder, &words);
        let ending = &report["games"][0]["ending"];
        assert_eq!(ending["fault"]["kind"].as_str(), fault, "{name}: {ending}");
        let sentence = ending["fault"]["sentence"].as_str().unwrap_or_default();
        assert!(sentence.contains(said), "{name}: {sentence}");
        arbiter(&folder, &["verify", "report.json"]).expect(0);
    }
}

#[test]
fn a_place_for_bridges_that_is_none_is_named_and_not_passed_over() {
    let folder = folder_with("wasm-bridges", &module("First", FIRST, ""));
    for place in ["there/is/none", "/there/is/none", env!("CARGO_BIN_EXE_arbiter")] {
        let mut inspect = command(&folder, &["inspect", "./first.wasm"]);
        let run: Run = inspect.env("ARBITER_BRIDGES", place).output().unwrap().into();
        run.says(3, &format!("ARBITER_BRIDGES names {place}"));
    }
}

#[test]
fn without_instructions_an_endless_module_loses_on_time() {
    let folder = folder_with("wasm-endless", &module("Endless", ENDLESS, ""));
    let words = ["./bot.wasm", "./first.wasm", "--game", "tic-tac-toe", "--move-time", "50ms"];
    let (_, report) = played_in(&folder, &words);
    assert_eq!(report["games"][0]["ending"]["fault"]["kind"], "timed-out");
}

#[test]
fn a_file_that_is_no_bot_is_refused_with_a_sentence_that_says_what_to_do() {
    let good = module("Good", FIRST, "");
    let with = |from: &str, to: &str| good.replacen(from, to, 1);
    let modules = [
        (with("(memory (export \"memory\") 1)", "(memory 1)"), "does not export its memory"),
        (with("(export \"__indirect_function_table\")", ""), "--export-table --growable-table"),
        (with("5 funcref", "5 5 funcref"), "cannot grow: link it with"),
        (with("(export \"arbiter_bot_v1\")", ""), "does not export a function arbiter_bot_v1"),
        (with("ARBT", "ARBX"), "no table of a bot"),
        (with("ARBT\\01\\00\\01", "ARBT\\01\\00\\02"), "version 2 of arbiter_bot.h"),
        (with("(memory (export \"memory\") 1)", "(memory (export \"memory\") 1 1)"), "its own maximum"),
        (
            with("(memory (export \"memory\") 1)", "(memory (export \"memory\") 40000)"),
            "than --memory allows",
        ),
        (with("5 funcref", "2000000000 funcref"), "a table of more than 1048576 entries"),
        (with("(i32.const 1024)))", "(i32.const -4)))"), "outside of the module's memory"),
        (
            with(
                "(memory (export",
                "(import \"wasi_snapshot_preview1\" \"fd_write\" (func (param i32))) (memory (export",
            ),
            "imports wasi_snapshot_preview1.fd_write",
        ),
        (
            with("(elem (i32.const 1) $choose)", "(elem (i32.const 1) $first)"),
            "choose_move of the bot's table",
        ),
        (with("(type $look", "(start $run) (func $run unreachable) (type $look"), "unreachable"),
    ];
    for (text, said) in modules {
        let folder = folder_with("wasm-refused", &text);
        arbiter(&folder, &["inspect", "./bot.wasm"]).says(3, said);
    }
    let folder = folder_with("wasm-nonsense", &good);
    let whole = fs::read(folder.join("first.wasm")).unwrap();
    let long = [&whole[..], &vec![0; 33 << 20]].concat();
    for (bytes, said) in [
        (&b"no module"[..], "does not begin as WebAssembly does"),
        (&whole[..whole.len() / 2], "no module that can be run"),
        (&[], "no module that can be run"),
        (&long, "at most 32 are played"),
    ] {
        fs::write(folder.join("bot.wasm"), bytes).unwrap();
        arbiter(&folder, &["inspect", "./bot.wasm"]).says(3, said);
    }
    // One that never comes to its end is stopped while it is loaded.
    let endless = with("(type $look", "(start $run) (func $run (loop $again (br $again))) (type $look");
    let folder = folder_with("wasm-start", &endless);
    let words = ["./bot.wasm", "./first.wasm", "--game", "othello", "--prepare-time", "100ms"];
    let run = arbiter(&folder, &words);
    assert!(run.code == 3 && run.err.contains("did not finish within 0.1 s"), "{} {}", run.code, run.err);
}
