//! Every reason why a move is refused, with its code and its sentence, as programs and people get them.

use crate::support::{arbiter_reading, scratch};
use arbiter_rules::Refusal;
use serde_json::{Value, json};
use std::collections::HashSet;

/// A request to `arbiter position --batch`, the code it is refused with, and a part of the sentence.
fn cases() -> Vec<(Value, &'static str, &'static str)> {
    let at =
        |game: &str, position: &str, m: Value| json!({ "game": game, "position": position, "moves": [m] });
    let with = |game: &str, options: Value, position: &str, m: &str| json!({ "game": game, "options": options, "position": position, "moves": [m] });
    let start = |game: &str, moves: Value| json!({ "game": game, "moves": moves });
    let stack = "xo,-,x/-,ox,-/-,-,o x c3";
    let forced = "9999x89999 o b2";
    let stuck = format!("XO{} O", "-".repeat(62));
    let star = |path: Value| start("chinese-checkers", json!([path]));
    let long: Vec<u32> = (0..65).map(|hole| 6 + hole % 2).collect();
    let mut cases = vec![
        (start("othello", json!(["foo"])), "not-understood", "'foo' is not a move. Moves look like: d3."),
        (
            start("tic-tac-toe", json!(["a1", "a2", "b1", "b2", "c1", "c2"])),
            "game-over",
            "The game is over: player 1 won.",
        ),
        (star(json!([6, 300])), "off-board", "There is no hole called '300': holes are numbered 0 to 120."),
        (star(json!([60, 61])), "empty-origin", "Hole 60 is empty: choose one of your own pieces first."),
        (star(json!([111, 102])), "not-your-pawn", "The piece on 111 belongs to player 2."),
        (at("ultimate", forced, json!("5a1")), "occupied", "is taken by X."),
        (start("hex", json!(["swap"])), "swap-not-now", "Swapping is possible only as the first answer."),
        (
            with("hex", json!({ "size": 2, "swap": false }), "../.. x", "swap"),
            "swap-off",
            "There is no swapping in this game.",
        ),
        (
            star(json!([6, 60])),
            "not-in-reach",
            "60 cannot be reached from 6: a piece steps to a touching hole or jumps",
        ),
        (star(json!([6])), "too-short", "A move names at least two holes."),
        (star(json!(long)), "too-long", "A path holds at most 64 holes."),
        (start("othello", json!(["pass"])), "pass-not-allowed", "You may not pass:"),
        (at("othello", &stuck, json!("c1")), "must-pass", "You have no legal move: the turn is passed."),
        (start("connect-four", json!(["9"])), "no-such-column", "Columns are 1 to 7."),
        (
            start("connect-four", json!(["4", "4", "4", "4", "4", "4", "4"])),
            "column-full",
            "Column 4 is full: choose another column.",
        ),
        (
            start("othello", json!(["e3"])),
            "not-a-capture",
            "e3 turns no disc: a disc must trap at least one opposing disc in a straight line.",
        ),
        (
            at("ultimate", forced, json!("9a1")),
            "wrong-board",
            "You are sent to grid 5: grid 9 is not allowed.",
        ),
        (
            at("ultimate", "Xo8oo7999999 x -", json!("1b2")),
            "board-finished",
            "Grid 1 is finished: choose an open grid.",
        ),
        (
            with("stacks", json!({ "n": 3 }), stack, "-b1"),
            "empty-stack",
            "The stack on b1 is empty: there is nothing to remove.",
        ),
        (
            with("stacks", json!({ "n": 3, "removal": "off" }), stack, "-a1"),
            "removal-off",
            "In this game nothing is removed.",
        ),
        (
            with("stacks", json!({ "n": 3, "removal": "own" }), stack, "-a1"),
            "not-your-token",
            "The top of a1 is not yours.",
        ),
        (
            with("stacks", json!({ "n": 3 }), stack, "-c3"),
            "just-placed",
            "The token on c3 has just been placed: it may be removed from the next turn on.",
        ),
    ];
    // Positions in which the finer rules of chinese checkers refuse a path, one for each.
    let judged = include_str!("../../rules/tests/data/cc-judgements.jsonl");
    for (code, sentence) in [
        ("nothing-to-jump", "to jump over."),
        ("step-in-chain", "is a step."),
        ("rest-in-wing", "may pass through"),
        ("returned-to-start", "In this game a chain may not come back to the hole it began in."),
        ("must-leave", "out of your home first (rule: no blocking)."),
    ] {
        let line = judged.lines().find(|line| line.contains(&format!("\"verdict\":\"{code}\"")));
        let line: Value = serde_json::from_str(line.expect("the data have every verdict")).unwrap();
        let request = json!({
            "game": "chinese-checkers",
            "position": line["position"],
            "options": line["options"],
            "moves": [line["path"]],
        });
        cases.push((request, code, sentence));
    }
    cases
}

/// What only touching can bring about: the object that is sent, the code, a part of the sentence.
const TOUCHES: &[(&str, &str, &str)] = &[
    (
        r#"{"act":"pick","cell":0}"#,
        "stuck-piece",
        "The piece on 0 cannot move: every touching hole is taken and there is no jump.",
    ),
    (r#"{"act":"pick","cell":6,"seat":1}"#, "not-your-turn", "It is player 1's turn."),
    (r#"{"act":"pick","cell":6,"ply":7}"#, "stale", "The game has moved on since this was drawn."),
    (r#"{"act":"back"}"#, "nothing-to-take-back", "There is nothing to take back."),
    (r#"{"act":"finish"}"#, "too-short", "A move names at least two holes."),
];

#[test]
fn every_code_is_produced_with_its_sentence() {
    let folder = scratch("refusals");
    let mut seen = HashSet::new();
    let cases = cases();
    let input: String = cases.iter().map(|(request, ..)| format!("{request}\n")).collect();
    let answers = arbiter_reading(&folder, &["position", "--batch"], &input).expect(0);
    for ((request, code, sentence), answer) in cases.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(answer["error"]["code"], *code, "{request}: {answer}");
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.contains(sentence), "{code} says '{said}', not '{sentence}'");
        seen.insert(*code);
    }
    let input: String =
        TOUCHES.iter().map(|(object, ..)| format!("{object}\n")).chain(["quit\n".to_owned()]).collect();
    let args = ["human", "human", "--game", "chinese-checkers", "--json"];
    let out = arbiter_reading(&folder, &args, &input).expect(0);
    assert!(out.contains("\"human (2)\""), "a program is told the names that the report has: {out}");
    let mut answers = out.lines().filter(|line| line.contains("\"ev\":\"answer\""));
    for (object, code, sentence) in TOUCHES {
        let answer: Value = serde_json::from_str(answers.next().expect("every touch is answered")).unwrap();
        assert_eq!((&answer["ok"], &answer["code"]), (&json!(false), &json!(code)), "{object}: {answer}");
        assert!(answer["why"].as_str().unwrap().contains(sentence), "{object}: {answer}");
        seen.insert(code);
    }
    for refusal in Refusal::ALL {
        assert!(seen.contains(refusal.code()), "{refusal} is not in this table");
    }
}
