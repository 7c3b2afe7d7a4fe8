//! `arbiter position --batch`: one JSON object in, one JSON object out.

use crate::support::{arbiter_reading, scratch};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

/// The answers to some lines, one each.
fn answers(lines: &[u8]) -> Vec<Value> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let folder = scratch(&format!("position-batch-{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
    let out = arbiter_reading(&folder, &["position", "--batch"], lines).expect(0);
    out.lines().map(|line| serde_json::from_str(line).expect("an answer is one JSON object")).collect()
}

fn ask_all(requests: &[Value]) -> Vec<Value> {
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let answers = answers(lines.as_bytes());
    assert_eq!(answers.len(), requests.len(), "every line has an answer");
    answers
}

fn ask(request: Value) -> Value {
    ask_all(&[request]).remove(0)
}

/// Asks, and expects each to be refused with a code at a ply.
fn assert_refused(cases: &[(Value, &str, Option<usize>)]) {
    let requests: Vec<Value> = cases.iter().map(|(request, ..)| request.clone()).collect();
    for ((request, code, ply), answer) in cases.iter().zip(ask_all(&requests)) {
        assert_error(&answer, code, *ply, &request.to_string());
    }
}

fn assert_error(answer: &Value, code: &str, ply: Option<usize>, request: &str) {
    let error = &answer["error"];
    assert_eq!((&error["code"], &error["ply"]), (&json!(code), &json!(ply)), "{request}: {answer}");
    let sentence = error["message"].as_str().unwrap_or_default();
    assert!(!sentence.is_empty(), "{request}: {answer}");
    assert_eq!(answer.as_object().map(serde_json::Map::len), Some(1), "{request}: {answer}");
}

#[test]
fn a_game_alone_is_answered_with_its_start() {
    assert_eq!(
        ask(json!({ "game": "othello" })),
        json!({
            "game": "othello", "options": {}, "players": 2, "to_move": 0, "ply": 0, "result": null,
            "position": "---------------------------OX------XO--------------------------- X",
            "legal": ["d3", "c4", "f5", "e6"],
        })
    );
    let stacks = ask(json!({ "game": "stacks", "options": { "n": "3", "variant": "top", "ko": "false" } }));
    let options = json!({
        "n": 3, "variant": "top", "earthquake": false, "earthquake_rate": 100, "removal": "any", "ko": false,
        "max_turns": 180, "repetition": 3,
    });
    assert_eq!(stacks["options"], options, "every option is listed in its own type");
}

#[test]
fn options_may_be_numbers_booleans_and_their_texts() {
    let sizes = [
        json!({ "columns": 5, "rows": 4 }),
        json!({ "columns": "5", "rows": 4.0 }),
        json!({ "size": "5x4" }),
    ];
    for options in sizes {
        let answer = ask(json!({ "game": "connect-four", "options": options }));
        assert_eq!(answer["options"], json!({ "columns": 5, "rows": 4, "connect": 4 }), "{answer}");
    }
    for flag in [json!(false), json!("false")] {
        let answer = ask(json!({ "game": "chinese-checkers", "options": { "allow_return": flag } }));
        assert_eq!(
            (&answer["options"]["allow_return"], answer["legal"].as_array().map(Vec::len)),
            (&json!(false), Some(14))
        );
    }
}

#[test]
fn plies_tell_what_could_be_played_before_each_move() {
    let answer =
        ask(json!({ "game": "tic-tac-toe", "position": "oxx1xo3", "moves": ["a2", "7"], "each_ply": true }));
    assert_eq!(
        answer["plies"],
        json!([
            { "legal": ["a2", "a3", "b3", "c3"], "to_move": 1 },
            { "legal": ["a3", "b3", "c3"], "to_move": 0 },
        ])
    );
    let result = json!({ "ranks": [1, 2], "winner": 0, "reason": "line", "score": null });
    assert_eq!(
        (&answer["result"], &answer["legal"], &answer["to_move"]),
        (&result, &json!([]), &Value::Null)
    );
    let without = ask(json!({ "game": "tic-tac-toe", "moves": ["a2"], "each_ply": false }));
    assert_eq!((without.get("plies"), &without["ply"]), (None, &json!(1)));
}

#[test]
fn a_forced_pass_is_listed_and_written() {
    let position = format!("XO{} O", "-".repeat(62));
    let answer =
        ask(json!({ "game": "othello", "position": position, "moves": ["pass", "c1"], "each_ply": true }));
    assert_eq!(answer["plies"][0], json!({ "legal": ["pass"], "to_move": 1 }));
    let score = json!({ "discs": [3, 0], "discs_empties_to_winner": [64, 0] });
    assert_eq!(
        answer["result"],
        json!({ "ranks": [1, 2], "winner": 0, "reason": "wipeout", "score": score })
    );
    assert_refused(&[
        (json!({ "game": "othello", "position": position, "moves": ["c1"] }), "must-pass", Some(0)),
        (json!({ "game": "othello", "moves": ["pass"] }), "pass-not-allowed", Some(0)),
    ]);
}

#[test]
fn a_draw_ranks_everybody_first_and_scores_are_by_seat() {
    let answer = ask(json!({ "game": "ultimate", "position": "XOXXOOOXX x -" }));
    assert_eq!(
        answer["result"],
        json!({
            "ranks": [1, 1], "winner": null, "reason": "all-boards-finished", "score": { "boards_won": [5, 4] },
        })
    );
    let counted = ask(json!({
        "game": "ultimate", "position": "XOXXOOOXX x -", "options": { "tie_break": "boards", "first": "o" },
    }));
    assert_eq!((&counted["result"]["ranks"], &counted["result"]["winner"]), (&json!([2, 1]), &json!(1)));
}

#[test]
fn paths_results_and_passes_are_turns_of_chinese_checkers() {
    let ladder = "1/2/3/4/6A6/5D6/11/4D5/9/4D5/11/5D6/13/4/3/2/1 AD A";
    let turns = [
        json!("16-39-60-79-104"),
        json!([16, 39, 60, 79, 104]),
        json!("16>104"),
        json!({ "move": [16, 39, 60, 79, 104] }),
    ];
    for turn in turns {
        let request = json!({
            "game": "chinese-checkers", "options": { "allow_return": false }, "position": ladder, "moves": [turn],
            "each_ply": true,
        });
        let answer = ask(request);
        let legal = json!(["16>7", "16>8", "16>15", "16>17", "16>29", "16>39", "16>60", "16>79", "16>104"]);
        let obligation = json!({ "tier": 0, "in_the_way": [] });
        assert_eq!(answer["plies"], json!([{ "legal": legal, "to_move": 0, "obligation": obligation }]));
        assert_eq!(answer["position"], "1/2/3/4/13/5D6/11/4D5/9/4D5/11/5D6/6A6/4/3/2/1 AD D");
    }
    let stuck = "1/2/3/3D/8D4/6DDA3/7DD2/6D1D1/9/10/11/12/13/4/3/2/1 AD A";
    for pass in [json!("pass"), json!([])] {
        let answer =
            ask(json!({ "game": "chinese-checkers", "position": stuck, "moves": [pass], "each_ply": true }));
        assert_eq!((&answer["plies"][0]["legal"], &answer["to_move"]), (&json!(["pass"]), &json!(1)));
    }
}

#[test]
fn a_refused_path_is_answered_with_its_reason() {
    let judged = |turn: Value, code: &'static str| {
        let position = "1/2/3/4/6A6/5D6/11/4D5/9/4D5/11/5D6/13/4/3/2/1 AD A";
        (json!({ "game": "chinese-checkers", "position": position, "moves": [turn] }), code, Some(0))
    };
    assert_refused(&[
        judged(json!([]), "pass-not-allowed"),
        judged(json!([16]), "too-short"),
        judged(json!([16, -1]), "off-board"),
        judged(json!("16--1"), "off-board"),
        judged(json!([16, 1e30]), "off-board"),
        judged(json!([16, 39, 40]), "step-in-chain"),
        judged(json!([16, 39.5]), "not-understood"),
        judged(json!(["16", "39"]), "not-understood"),
        judged(json!(16), "not-understood"),
        judged(json!({ "jump": [16, 39] }), "not-understood"),
    ]);
}

#[test]
fn an_obligation_is_told_with_the_pawns_in_the_way() {
    let obliged = "D/DD/DDD/ADDD/4D8/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD A";
    let answer = ask(
        json!({ "game": "chinese-checkers", "position": obliged, "moves": ["6-15", "14-6"], "each_ply": true }),
    );
    assert_eq!(answer["plies"][0]["obligation"], json!({ "tier": 1, "in_the_way": [6] }));
    assert_eq!(
        answer["obligation"],
        json!({ "tier": 0, "in_the_way": [] }),
        "a finished game obliges nobody"
    );
    let score = json!({ "distance_to_go": [9, 0] });
    assert_eq!(answer["result"], json!({ "ranks": [2, 1], "winner": 1, "reason": "home", "score": score }));
}

#[test]
fn an_elimination_is_an_element_of_the_moves_and_of_the_plies() {
    let answer = ask(json!({
        "game": "chinese-checkers", "players": 3, "options": { "max_rounds": 1 }, "each_ply": true,
        "moves": ["5-16", { "eliminate": 1 }, "100>77"],
    }));
    assert_eq!(answer["plies"].as_array().map(Vec::len), Some(3));
    assert_eq!((&answer["plies"][1]["to_move"], &answer["plies"][2]["to_move"]), (&json!(1), &json!(2)));
    let score = json!({ "distance_to_go": [118, 120, 118] });
    assert_eq!(
        answer["result"],
        json!({ "ranks": [1, 2, 1], "winner": null, "reason": "round-limit", "score": score })
    );
    let game = |moves: Value| json!({ "game": "chinese-checkers", "moves": moves });
    assert_eq!(ask(game(json!([{ "eliminate": 0 }])))["result"]["ranks"], json!([2, 1]));
    let alone = "A/2/3/4/13/12/11/10/9/10/11/12/13/4/3/2/1 A A";
    assert_refused(&[
        (game(json!(["5-16", { "eliminate": 0 }, { "eliminate": 1 }])), "game-over", Some(2)),
        (game(json!([{ "eliminate": 2 }])), "not-understood", Some(0)),
        (game(json!([{ "eliminate": "0" }])), "not-understood", Some(0)),
        (
            json!({ "game": "chinese-checkers", "position": alone, "moves": [{ "eliminate": 0 }] }),
            "not-understood",
            Some(0),
        ),
    ]);
}

#[test]
fn a_seed_draws_every_earthquake_and_a_record_brings_its_own() {
    let position = "xoxo,-,x/ox,xoxoxo,oxo/x,-,xoxo x -";
    let options = json!({ "n": 3, "variant": "top", "earthquake": true, "removal": "off" });
    let seeded = ask(json!({
        "game": "stacks", "options": options, "position": position, "seed": "0x0123456789ABCDEF", "each_ply": true,
        "moves": ["+c3"],
    }));
    assert_eq!(seeded["plies"][0]["earthquake"], json!({ "c3": 2 }), "the earthquake that the rules print");
    assert_eq!(seeded["position"], "xoxo,-,x/ox,xoxoxo,oxo/x,-,xox o -");
    let recorded = ask(json!({
        "game": "stacks", "options": options, "position": position, "seed": "0x0123456789ABCDEF", "each_ply": true,
        "moves": [{ "move": "+c3", "earthquake": { "a1": 4 } }, { "move": "+a1", "earthquake": {} }],
    }));
    assert_eq!(recorded["position"], "o,-,x/ox,xoxoxo,oxo/x,-,xoxox x -");
    assert_eq!(recorded["plies"][0]["earthquake"], json!({ "a1": 4 }), "what is recorded counts");
    let calm = ask(json!({ "game": "stacks", "options": options, "position": position, "moves": ["+c3"] }));
    assert_eq!(calm["position"], "xoxo,-,x/ox,xoxoxo,oxo/x,-,xoxox o -", "without a seed nothing falls");
    let off = ask(json!({ "game": "stacks", "seed": 7, "moves": ["+a1"], "each_ply": true }));
    assert_eq!(off["plies"][0]["earthquake"], json!({}));
    let fallen = |earthquake: Value| {
        let moves = json!(["+a1", { "move": "+c3", "earthquake": earthquake }]);
        (json!({ "game": "stacks", "options": options, "moves": moves }), "not-understood", Some(1))
    };
    assert_refused(&[
        fallen(json!({ "c3": 2 })),
        fallen(json!({ "c3": 0 })),
        fallen(json!({ "c3": -1 })),
        fallen(json!({ "d4": 1 })),
        fallen(json!(["c3"])),
    ]);
}

#[test]
fn lists_of_moves_may_be_one_text() {
    for (game, moves, ply) in [
        ("othello", "f5d6c3d3c4", 5),
        ("connect-four", "4455", 4),
        ("ultimate", "9 b 2 5a1", 2),
        ("chinese-checkers", "5-16 117-106", 2),
    ] {
        assert_eq!(ask(json!({ "game": game, "moves": moves }))["ply"], ply, "{game}");
    }
}

#[test]
fn every_mistake_has_its_code_and_its_ply() {
    assert_refused(&[
        (json!([]), "bad-json", None),
        (json!({}), "bad-json", None),
        (json!({ "game": 1 }), "bad-json", None),
        (json!({ "game": "othello", "position": 1 }), "bad-json", None),
        (json!({ "game": "othello", "moves": 1 }), "bad-json", None),
        (json!({ "game": "othello", "options": [] }), "bad-json", None),
        (json!({ "game": "othello", "each_ply": "yes" }), "bad-json", None),
        (json!({ "game": "othello", "move": "d3" }), "bad-json", None),
        (
            json!({ "game": "stacks", "moves": ["+a1", { "move": "+b2", "earthquakes": {} }] }),
            "not-understood",
            Some(1),
        ),
        (
            json!({ "game": "stacks", "moves": [{ "eliminate": 0, "move": "+b2" }] }),
            "not-understood",
            Some(0),
        ),
        (json!({ "game": "stacks", "seed": "0x" }), "bad-json", None),
        (json!({ "game": "stacks", "seed": "0x+1" }), "bad-json", None),
        (json!({ "game": "stacks", "seed": -1 }), "bad-json", None),
        (json!({ "game": "Othello" }), "unknown-game", None),
        (json!({ "game": "othello", "players": 3 }), "bad-option", None),
        (json!({ "game": "othello", "options": { "size": "8x8" } }), "bad-option", None),
        (json!({ "game": "stacks", "options": { "n": 4.5 } }), "bad-option", None),
        (json!({ "game": "stacks", "options": { "n": true } }), "bad-option", None),
        (json!({ "game": "stacks", "options": { "ko": 1 } }), "bad-option", None),
        (json!({ "game": "stacks", "options": { "n": null } }), "bad-option", None),
        (json!({ "game": "othello", "position": "" }), "bad-position", None),
        (json!({ "game": "othello", "moves": ["d3", "d3"] }), "occupied", Some(1)),
        (json!({ "game": "othello", "moves": ["d3", null] }), "not-understood", Some(1)),
        (
            json!({ "game": "tic-tac-toe", "moves": ["a1", "a2", "b1", "b2", "c1", "c2"] }),
            "game-over",
            Some(5),
        ),
    ]);
}

#[test]
fn no_line_stops_the_batch() {
    let deep = "[".repeat(100_000);
    let long = "x".repeat(1_000_000);
    let lines: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"  \t ".to_vec(),
        b"\xff\xfe".to_vec(),
        b"{\"game\":\"oth\xffello\"}".to_vec(),
        b"{\"game\":\"othello\"".to_vec(),
        b"{\"game\":\"othello\"} {}".to_vec(),
        b"\"\\ud800\"".to_vec(),
        b"NaN".to_vec(),
        deep.clone().into_bytes(),
        format!("{{\"game\":\"othello\",\"moves\":{deep}}}").into_bytes(),
        b"{\"game\":\"stacks\",\"options\":{\"n\":1e999}}".to_vec(),
    ];
    let rest = [
        (format!("{{\"game\":\"{long}\"}}"), "unknown-game", None),
        (format!("{{\"game\":\"othello\",\"position\":\"{long}\"}}"), "bad-position", None),
        (format!("{{\"game\":\"othello\",\"moves\":[\"{long}\"]}}"), "not-understood", Some(0)),
        (
            format!("{{\"game\":\"othello\",\"moves\":[\"a{}\"]}}", "1".repeat(1_000_000)),
            "off-board",
            Some(0),
        ),
        (format!("{{\"game\":\"othello\",\"{long}\":1}}"), "bad-json", None),
        (format!("{{\"game\":\"othello\",\"options\":{{\"{long}\":1}}}}"), "bad-option", None),
        (
            format!("{{\"game\":\"othello\",\"position\":\"{} {long}\"}}", "-".repeat(64)),
            "bad-position",
            None,
        ),
        (
            format!("{{\"game\":\"chinese-checkers\",\"moves\":[[{}5]]}}", "5,".repeat(100_000)),
            "too-long",
            Some(0),
        ),
        ("{\"game\":\"ultimate\",\"moves\":[\"\u{0669}b2\"]}".to_owned(), "not-understood", Some(0)),
    ];
    let last = "{\"game\":\"othello\"}\r";
    let mut input = lines.join(&b'\n');
    for (line, ..) in &rest {
        input.push(b'\n');
        input.extend(line.as_bytes());
    }
    input.push(b'\n');
    input.extend(last.as_bytes());
    let answers = answers(&input);
    assert_eq!(answers.len(), lines.len() + rest.len() + 1, "every line has an answer, the last one too");
    for (line, answer) in lines.iter().zip(&answers) {
        assert_error(answer, "bad-json", None, &String::from_utf8_lossy(&line[..line.len().min(60)]));
    }
    for ((line, code, ply), answer) in rest.iter().zip(&answers[lines.len()..]) {
        let start: String = line.chars().take(60).collect();
        assert_error(answer, code, *ply, &start);
        assert!(answer.to_string().len() < 500, "a message quotes the beginning only: {start}");
    }
    assert_eq!(answers[answers.len() - 1]["to_move"], 0, "carriage returns are blanks");
}

#[test]
fn a_mistyped_key_is_named_with_those_that_there_are() {
    let answer = ask(json!({ "game": "othello", "positon": "" }));
    let keys = "`game`, `players`, `options`, `position`, `moves`, `seed`, `each_ply`";
    let message = format!("unknown field `positon`, expected one of {keys}");
    assert_eq!(answer["error"]["message"], message);
}

/// A program that never sends a newline would otherwise fill the memory.
#[test]
fn a_line_without_an_end_is_refused() {
    let run = arbiter_reading(
        &scratch("position-batch-endless"),
        &["position", "--batch"],
        vec![b'['; (64 << 20) + 1],
    );
    run.says(4, "more than 64 MiB");
}
