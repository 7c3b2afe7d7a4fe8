//! `arbiter ask`: one bot, one position, one move.

use super::host::command_of;
use crate::support::{Script, arbiter, c_bot, command, marked_faulty, sample_bot, scratch};
use arbiter::ask::{Answered, Question, ask};
use arbiter::host::Sandboxed;
use arbiter::player::{Answer, TimeControl};
use arbiter::verdict::{Failure, MachineFailure, Phase, Spent};
use arbiter_rules::{Chance, Position, Setup, registry};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A sample bot, with options that make it answer soon.
type Asked = (&'static str, &'static [(&'static str, &'static str)]);

const QUICK: &[Asked] = &[("random", &[]), ("greedy", &[]), ("minimax", &[("depth", "2")])];
/// Those that take the time they are given.
const SEARCHING: &[Asked] = &[("alphabeta", &[("level", "1")]), ("mcts", &[("level", "1")])];

/// The files of positions and games that other programs have made; see the README beside them.
const DATA: &[&str] = &[
    "cc-positions.jsonl",
    "stacks-positions.jsonl",
    "transcripts-connect-four.jsonl",
    "transcripts-connect-four-sizes.jsonl",
    "transcripts-othello.jsonl",
    "transcripts-rare-endings.jsonl",
    "transcripts-tic-tac-toe.jsonl",
    "transcripts-ultimate.jsonl",
];

/// A position of the data, and the legal moves that the data lists for it.
struct Case {
    name: String,
    position: Position,
    legal: BTreeSet<String>,
}

fn lines(file: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/tests/data");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// One position for each line: of a game, one of its moments, a later one from line to line.
fn case(file: &str, number: usize, line: &Value) -> Option<Case> {
    let game = match file.split('-').next() {
        Some("cc") => "chinese-checkers",
        Some("stacks") => "stacks",
        _ => line["game"].as_str().unwrap(),
    };
    let options = line["options"].as_object().unwrap().iter().map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (name.clone(), value)
    });
    let options: Vec<(String, String)> = options.collect();
    let given: Vec<_> = options.iter().map(|(name, value)| (&**name, &**value)).collect();
    let setup = Setup { players: None, options: &given, position: line["position"].as_str() };
    let mut position = registry::start(game, &setup).unwrap();
    let legal = match line["moves"].as_array() {
        Some(moves) => {
            let at = number * 7 % moves.len();
            for m in &moves[..at] {
                let m = position.read_move(m.as_str().unwrap()).unwrap().played;
                position.play(m, &Chance::NONE).unwrap();
            }
            line["legal"][at].as_array().unwrap().iter().map(|m| m.as_str().unwrap().to_owned()).collect()
        }
        None => listed(line["legal"].as_str().unwrap()),
    };
    // Texts of positions in which the game is over have nobody to ask.
    position.to_move()?;
    Some(Case { name: format!("{file}:{}", number + 1), position, legal })
}

/// A legal list as the data has it: `+a1 -b2`, or `4:1,2 7:2` for pawns; an empty one means the pass.
fn listed(list: &str) -> BTreeSet<String> {
    let moves = list.split_whitespace().flat_map(|word| match word.split_once(':') {
        Some((from, targets)) => targets.split(',').map(|to| format!("{from}>{to}")).collect(),
        None => vec![word.to_owned()],
    });
    let moves: BTreeSet<String> = moves.collect();
    if moves.is_empty() { BTreeSet::from(["pass".to_owned()]) } else { moves }
}

/// Asks these bots at every so many positions; returns how often.
fn every_answer_is_legal(bots: &[Asked], step: usize) -> usize {
    let mut asked = 0;
    for file in DATA {
        for (number, line) in lines(file).iter().enumerate().step_by(step) {
            let Some(case) = case(file, number, line) else { continue };
            for (bot, options) in bots {
                let answered = put(bot, options, &case.position)
                    .unwrap_or_else(|failed| panic!("{}: {bot}: {failed:?}", case.name));
                let text = case.position.move_text(answered.played);
                assert!(
                    case.legal.contains(&text),
                    "{}: {bot} plays {text}, not one of {:?}",
                    case.name,
                    case.legal
                );
                asked += 1;
            }
        }
    }
    asked
}

fn put(bot: &str, options: &[(&str, &str)], position: &Position) -> Result<Answered, arbiter::ask::Failed> {
    let player = Sandboxed::start(&command_of(sample_bot(bot), options));
    // Little to think, but much to prepare and to be late: what is asked is whether the answer is legal.
    let time = TimeControl::MoveTime(Duration::from_millis(250));
    let at_most = Some(Duration::from_millis(50));
    let margin = Duration::from_secs(60);
    ask(&Question { position, time, at_most, margin, seed: 1 }, Box::new(player))
}

#[test]
fn every_sample_bot_answers_with_a_move_that_other_programs_call_legal() {
    let asked = every_answer_is_legal(QUICK, 40) + every_answer_is_legal(SEARCHING, 150);
    assert!(asked > 100, "only {asked} questions");
}

/// The whole data: `cargo test --release -p arbiter --test it -- --ignored every_line_of_the_data`.
#[test]
#[ignore = "ten thousand bot processes: some minutes"]
fn every_line_of_the_data_is_answered_legally() {
    let asked = every_answer_is_legal(QUICK, 1) + every_answer_is_legal(SEARCHING, 1);
    assert!(asked > 7000, "only {asked} questions");
}

/// Somebody whose machine is full would otherwise look for a mistake in the bot.
#[test]
fn what_the_machine_does_wrong_is_no_answer_of_the_bot() {
    let start = registry::start("othello", &Setup::default()).unwrap();
    let question = |position| Question {
        position,
        time: TimeControl::MoveTime(Duration::from_secs(1)),
        at_most: Some(Duration::from_millis(100)),
        margin: Duration::ZERO,
        seed: 1,
    };
    let full = MachineFailure::NotStarted { problem: "no room".to_owned() };
    let failed = ask(&question(&start), Box::new(Script::failing(full.clone()))).unwrap_err();
    assert_eq!(failed.failure, Failure::Machine(full));
    // Late as it is: whether that was the bot's doing has been decided already.
    let waited = Duration::from_secs(20);
    let stalled = MachineFailure::Stalled { during: Phase::Move, waited };
    let script = Script::new([(Answer::Machine(stalled.clone()), Spent::of_wall(waited))]);
    let failed = ask(&question(&start), Box::new(script)).unwrap_err();
    assert_eq!(failed.failure, Failure::Machine(stalled));
}

#[test]
fn the_best_move_stands_alone_on_standard_output() {
    let folder = scratch("ask-alone");
    let bot = sample_bot("minimax");
    let question = ["ask", &bot, "--game", "tic-tac-toe", "--position", "xx1oo4 x", "--move-time", "10s"];
    let run = arbiter(&folder, &question);
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), ("c1\n", "", 0));
    let pass = format!("XO{} O", "-".repeat(62));
    let run = arbiter(&folder, &["ask", &bot, "--game", "othello", "--position", &pass]);
    assert_eq!((run.out.as_str(), run.code), ("pass\n", 0), "the only legal move is the answer");
}

#[test]
fn debug_tells_depth_values_and_the_move_beside_the_answer() {
    let folder = scratch("ask-debug");
    let bot = sample_bot("minimax");
    let question = ["ask", &bot, "--game", "tic-tac-toe", "--position", "xx1oo4 x", "--move-time", "10s"];
    let told = |mut command: std::process::Command| {
        let output = command.output().unwrap();
        assert_eq!(output.stdout, b"c1\n");
        String::from_utf8(output.stderr).unwrap()
    };
    let mut by_variable = command(&folder, &question);
    by_variable.env("DEBUG", "1");
    let mut by_flag = command(&folder, &question);
    by_flag.arg("--debug");
    for told in [told(by_variable), told(by_flag)] {
        assert!(told.starts_with("depth 1  score 99999  nodes "), "{told}");
        assert!(told.contains("\nvalues at depth 1:\n"), "{told}");
        // The winning move is exact, and every other legal one is told too.
        assert!(told.contains("\n  c1     = 99999\n"), "{told}");
        for other in ["c2", "a3", "b3", "c3"] {
            assert!(told.contains(&format!("\n  {other}  ")), "{told}");
        }
        assert!(told.contains("\nplayed c1 in "), "{told}");
    }
    let mut off = command(&folder, &question);
    off.env("DEBUG", "0");
    assert_eq!(told(off), "");
}

#[test]
fn json_has_depth_score_nodes_line_and_values() {
    let folder = scratch("ask-json");
    let bot = sample_bot("minimax");
    let question =
        ["ask", &bot, "--game", "tic-tac-toe", "--position", "xx1oo4 x", "--move-time", "10s", "--json"];
    let answer = arbiter(&folder, &question).json();
    assert_eq!(answer["move"], "c1");
    assert_eq!(answer["score"], 99_999);
    assert_eq!(answer["line"], serde_json::json!(["c1"]));
    assert!(answer["depth"] == 1 && answer["nodes"].as_u64().unwrap() > 0, "{answer}");
    let values = answer["values"]["moves"].as_array().unwrap();
    assert_eq!(values.len(), 5, "{answer}");
    assert!(values.contains(&serde_json::json!({ "move": "c1", "score": 99_999, "bound": "exact" })));
}

#[test]
fn the_last_move_is_checked_and_says_which_grid_is_forced() {
    let folder = scratch("ask-last");
    let bot = sample_bot("random");
    let ask = |game: &str, position: &str, last: &str| {
        arbiter(&folder, &["ask", &bot, "--game", game, "--position", position, "--last", last])
    };
    let refused = [
        (
            "ultimate",
            "9999x89999 o a1",
            "5b1",
            "5b1 cannot have been the last move: there is no piece on 5b1.",
        ),
        ("ultimate", "9999x89999 o b2", "5a1", "the position says that b2 was played last."),
        ("tic-tac-toe", "x8 o", "b2", "b2 cannot have been the last move: there is no piece on b2."),
        ("tic-tac-toe", "xo7 x", "a1", "the piece on a1 belongs to player 1, who is to move."),
        ("connect-four", "......./......./......./......./......./...x... o", "3", "there is no piece on c1"),
        (
            "othello",
            "---------------------------OX------XO--------------------------- X",
            "z9",
            "'z9' is not a move.",
        ),
    ];
    for (game, position, last, why) in refused {
        let run = ask(game, position, last);
        assert_eq!(run.code, 2, "{game} {last}: {}", run.err);
        run.and_says("--last does not fit the position").and_says(why);
    }
    let fits = [
        ("ultimate", "9999x89999 o", "5 a 1"),
        ("tic-tac-toe", "x8 o", "A1"),
        ("connect-four", "......./......./......./......./......./...x... o", "4"),
        ("othello", "-------------------X-------XX------XO--------------------------- O", "d3"),
        ("stacks", "x,-,-,-/-,-,-,-/-,-,-,-/-,-,-,- o a1", "+a1"),
    ];
    for (game, position, last) in fits {
        let run = ask(game, position, last);
        assert_eq!(run.code, 0, "{game} {last}: {}", run.err);
    }
    for last in ["5a1", "a1"] {
        let forced = ask("ultimate", "9999x89999 o", last).expect(0);
        assert!(forced.starts_with('1'), "a1 sends to grid 1, not to {forced}");
    }
}

#[test]
fn impossible_questions_have_their_sentence_and_their_exit_code() {
    let folder = scratch("ask-refused");
    let random = sample_bot("random");
    let minimax = sample_bot("minimax");
    let faulty = &*c_bot("faulty");
    let start = ["--game", "othello"];
    let over = ["--game", "tic-tac-toe", "--position", "xxxoo4 o"];
    let cases: &[(&str, &[&str], i32, &str)] = &[
        (&random, &["--game", "othelo"], 2, "othelo"),
        (
            &random,
            &["--game", "tic-tac-toe", "--position", "xxxoo5 o"],
            2,
            "the board has 10 cells instead of 9",
        ),
        (&random, &over, 2, "the game is over: player 1 won (line)"),
        ("./nobody.so", &start, 3, "cannot load bot ./nobody.so"),
        (&minimax, &["--game", "othello", "-B", "depth=999"], 2, "it goes from 1 to 64"),
        (faulty, &["--game", "othello", "-B", "choose_move=abort"], 1, "crashed in choose_move"),
        (faulty, &["--game", "othello", "-B", "answer=5"], 1, "played "),
        (
            faulty,
            &["--game", "othello", "-B", "choose_move=sleep", "--move-time", "50ms"],
            1,
            "had no answer within 0.05 s",
        ),
        (
            faulty,
            &["--game", "othello", "-B", "choose_move=sleep", "--time", "300s", "--move-time", "50ms"],
            1,
            "had no answer within 0.05 s",
        ),
        (
            faulty,
            &["--game", "chinese-checkers", "--players", "6", "-B", "choose_move=abort"],
            1,
            "crashed in choose_move",
        ),
    ];
    for (bot, arguments, code, sentence) in cases {
        let run = arbiter(&folder, &[&["ask", bot], *arguments].concat());
        assert_eq!(run.code, *code, "{bot} {arguments:?}: {}", run.err);
        assert!(run.out.is_empty() && run.err.contains(sentence), "{bot} {arguments:?}: {}", run.err);
    }
    // No time for a move makes the time to load and create longer.
    let sleeper = marked_faulty(&[("create", "sleep")]);
    let run = arbiter(&folder, &["ask", &*sleeper, "--game", "othello"]);
    run.and_says("did not finish within 5 s in create");
    assert!(!run.err.contains("--move-time"), "{}", run.err);
}

#[test]
fn the_help_names_the_environment() {
    let help = arbiter(&scratch("ask-help"), &["ask", "--help"]).expect(0);
    assert!(help.contains("DEBUG=1"), "{help}");
}
