//! `arbiter report -o FILE.html`: a page for a browser. What only a browser can tell is in `tests/page/page.test.js`.

use crate::support::{arbiter, is_there, json as json_of, sample_bot, say_aloud, scratch};
use arbiter_rules::draw::Charset;
use arbiter_rules::{Position, Setup, registry};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A name that would do harm where text becomes markup.
const HOSTILE: &str = "<img src=x onerror=window.harmed=1>";

fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/samples");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// A report whose every text comes from somebody who means harm.
pub(crate) fn hostile_report() -> Value {
    let mut report = json_of(samples().into_iter().find(|file| file.ends_with("othello.json")).unwrap());
    report["plan"]["players"][0]["name"] = format!("{HOSTILE}{}", "W".repeat(200)).into();
    report["plan"]["players"][1]["name"] = "</script><script>window.harmed=1</script>\u{202e}".into();
    for player in report["plan"]["players"].as_array_mut().unwrap() {
        for field in ["author", "version", "file"] {
            player[field] = format!("\"'>{HOSTILE}").into();
        }
        player["options"] = json!({ HOSTILE: HOSTILE });
    }
    report["plan"]["seed"] = HOSTILE.into();
    let game = &mut report["games"][0];
    for ply in game["plies"].as_array_mut().unwrap() {
        ply["search"] =
            json!({ "depth": 3, "nodes": 5, "score": 7, "line": [HOSTILE, "d3"], "text": HOSTILE });
    }
    game["errors"] = json!([{
        "ply": 3, "seat": 1, "attempt": 0, "answer": HOSTILE, "reason": HOSTILE, "sentence": HOSTILE, "position": HOSTILE
    }]);
    game["ending"] = json!({ "how": "forfeit", "reason": "panicked", "seat": 1, "fault": {
        "kind": "panicked", "during": "choose_move", "sentence": HOSTILE, "message": HOSTILE, "position": HOSTILE,
        "output": format!("{HOSTILE}\n</pre>"), "again": format!("arbiter again {HOSTILE}")
    }});
    report
}

#[test]
fn hostile_names_become_no_markup_and_the_page_lets_nothing_else_run() {
    let folder = scratch("page-hostile");
    let file = folder.join(format!("\">{HOSTILE}.json"));
    fs::write(&file, hostile_report().to_string()).unwrap();
    let run = arbiter(&folder, &["report", file.to_str().unwrap(), "-o", "hostile.html"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let page = fs::read_to_string(folder.join("hostile.html")).unwrap();
    assert!(page.contains("&lt;img src=x onerror=window.harmed=1&gt;"));
    assert!(!page.contains("<img") && !page.contains("<script>"));
    let policy =
        page.split("Content-Security-Policy\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(policy.starts_with("default-src &#39;none&#39;; script-src &#39;sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    // Addresses are names of elements, moves and the alphabet of SVG, but nothing that is fetched.
    for outside in ["src=\"", "@import", "url(http", "url(//", " href=\"http", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_page_says_without_a_script_who_won_and_what_went_wrong() {
    let folder = scratch("page-tables");
    let bots = [sample_bot("greedy"), sample_bot("random")];
    let play = ["--game", "tic-tac-toe", "--games", "4", "--output", "one.json"];
    let args: Vec<&str> = bots.iter().map(String::as_str).chain(play).collect();
    arbiter(&folder, &args).expect(0);
    let printed = arbiter(&folder, &["report", "one.json", "--format", "html"]).expect(0);
    arbiter(&folder, &["report", "one.json", "-o", "pages/one.html"]).expect(0);
    assert_eq!(printed, fs::read_to_string(folder.join("pages/one.html")).unwrap());
    let shown = printed.split("<script").next().unwrap();
    for word in ["Standings", "Score by seat", "Time a move", "Greedy", "Random", "Games"] {
        assert!(shown.contains(word), "{word}");
    }
    let refused = arbiter(&folder, &["report", "one.json", "-o", "one.txt"]);
    assert_eq!((refused.code, refused.err.contains("--format html")), (2, true), "{}", refused.err);
}

/// A report of bots that say all that can be said of a search.
fn talkative_report(games_asked: u32) -> Value {
    let mut report = json_of(samples().into_iter().find(|file| file.ends_with("othello.json")).unwrap());
    report["games_asked"] = games_asked.into();
    let scores = [0, 4, 57, -57, 994, -1234, 1234, 99_996, -100_000, 31].map(Value::from);
    let scores = [&scores[..], &[Value::Null]].concat();
    for (ply, told) in report["games"][0]["plies"].as_array_mut().unwrap().iter_mut().enumerate() {
        let expected = ["c4", "e3", "no move", "h8", "a1", "b2", "g7"].into_iter().cycle().skip(ply);
        let mut line: Vec<Value> = expected.take(ply % 17).map(Value::from).collect();
        if ply % 3 > 0 && !line.is_empty() {
            line[0] = told["move"].clone();
        }
        let score = &scores[ply % scores.len()];
        told["search"] = json!({ "depth": ply % 5 * 4, "nodes": 9 * ply, "score": score, "line": line });
    }
    report
}

/// A cup of bots whose names leave no room, or cannot be seen, with options that are longer still.
fn badly_named_report(cup: &Path) -> Value {
    let mut report = json_of(cup);
    let players = report["plan"]["players"].as_array_mut().unwrap();
    let names = ["W".repeat(200), " ".to_owned(), "שלום עולם ".repeat(20), String::new()];
    for (player, name) in players.iter_mut().zip(names) {
        player["name"] = name.into();
        player["options"] = json!({ "weights": "0.123456789,".repeat(400) });
    }
    report
}

#[test]
fn a_page_says_nothing_of_games_that_there_were_not() {
    let folder = scratch("page-nothing");
    let mut report = json_of(samples().into_iter().find(|file| file.ends_with("tic-tac-toe.json")).unwrap());
    (report["games"], report["games_ended"], report["totals"]) = (json!([]), 0.into(), json!([]));
    fs::write(folder.join("none.json"), report.to_string()).unwrap();
    let page = arbiter(&folder, &["report", "none.json", "--format", "html"]).expect(0);
    let shown = page.split("<script").next().unwrap();
    assert!(shown.contains("No game has ended.") && shown.contains("How it was played"));
    for untrue in ["Standings", "The dot is", "Place", "0 won", "<h2>Games"] {
        assert!(!shown.contains(untrue), "{untrue}");
    }
}

#[test]
fn a_seat_of_a_game_of_three_has_no_more_points_than_there_are_and_a_fault_is_told_in_a_sentence() {
    let folder = scratch("page-three");
    let star = samples().into_iter().find(|file| file.ends_with("chinese-checkers-3-seats.json")).unwrap();
    let page = arbiter(&folder, &["report", star.to_str().unwrap(), "--format", "html"]).expect(0);
    let seats = page.split("<h2>Score by seat").nth(1).unwrap().split("</table>").next().unwrap();
    let cells: Vec<(f64, f64)> = (seats.split("<small>").skip(1))
        .map(|cell| cell.split('<').next().unwrap().split_once(" of ").unwrap())
        .map(|(made, most)| (made.parse().unwrap(), most.parse().unwrap()))
        .collect();
    assert!(cells.len() > 3 && cells.iter().all(|(made, most)| made <= most), "{cells:?}");
    fs::write(folder.join("hostile.json"), hostile_report().to_string()).unwrap();
    let page = arbiter(&folder, &["report", "hostile.json", "--format", "html"]).expect(0);
    assert!(
        page.contains("<span class=\"quiet\">, in <a class=\"game\""),
        "a fault and its game are one sentence"
    );
}

/// What lies on every cell at the end of a game, as the page says it in words.
fn last_board(report: &Value, game: &Value) -> Vec<String> {
    let plan = &report["plan"];
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let options: Vec<(String, String)> = plan["options"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| (name.clone(), text(value)))
        .collect();
    let given: Vec<(&str, &str)> =
        options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let setup = Setup {
        players: Some(plan["seats"].as_u64().unwrap() as usize),
        options: &given,
        position: game["final_position"].as_str(),
    };
    let position = registry::start(plan["game"].as_str().unwrap(), &setup).unwrap();
    (0..position.shape().cells() as u16).map(|cell| told(&position, cell)).collect()
}

fn told(position: &Position, cell: u16) -> String {
    let pieces: String = position
        .column(cell)
        .iter()
        .map(|&owner| position.sign(usize::from(owner) - 1, Charset::Unicode))
        .collect();
    format!("{} {}", position.cell_name(cell), if pieces.is_empty() { "empty" } else { &pieces })
}

/// The folder with what browser tests need, if it has been filled: `npm ci` in `tests/page`.
pub(crate) fn tools() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page");
    if !is_there("node") {
        return None;
    }
    if !folder.join("node_modules").is_dir() {
        say_aloud("skipped: npm ci has not been run in arbiter/tests/page");
        return None;
    }
    Some(folder)
}

pub(crate) fn expect_done(command: &mut Command) {
    let output = command.output().expect("node starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn the_modules_of_the_page_have_the_types_that_they_say() {
    let Some(tools) = tools() else { return };
    let compiler = tools.join("node_modules/typescript/bin/tsc");
    expect_done(
        Command::new("node").arg(compiler).args(["--noEmit", "--project"]).arg(tools.join("tsconfig.json")),
    );
}

#[test]
fn a_browser_shows_the_page_without_an_error_a_request_or_a_barrier() {
    let Some(tools) = tools() else { return };
    if !is_there("chromium") {
        return;
    }
    let folder = scratch("page-browser");
    let mut expected = Vec::new();
    fs::create_dir(folder.join("all")).unwrap();
    for (number, file) in samples().iter().enumerate() {
        fs::copy(file, folder.join("all").join(file.file_name().unwrap())).unwrap();
        let report = json_of(file);
        for game in report["games"].as_array().unwrap().iter().take(2) {
            let plies = game["plies"].as_array().unwrap().len();
            let cells = last_board(&report, game);
            expected.push(
                json!({ "report": number + 1, "of": report["plan"]["game"], "game": game["number"], "plies": plies, "cells": cells }),
            );
        }
    }
    fs::write(folder.join("expected.json"), Value::from(expected).to_string()).unwrap();
    arbiter(&folder, &["report", "all", "-o", "all.html"]).expect(0);
    fs::write(folder.join("hostile.json"), hostile_report().to_string()).unwrap();
    arbiter(&folder, &["report", "hostile.json", "-o", "hostile.html"]).expect(0);
    for (file, games_asked) in [("told", 2), ("many", 101)] {
        fs::write(folder.join(file).with_extension("json"), talkative_report(games_asked).to_string())
            .unwrap();
        arbiter(&folder, &["report", &format!("{file}.json"), "-o", &format!("{file}.html")]).expect(0);
    }
    let bots = ["greedy", "random", "minimax", "alphabeta"].map(sample_bot);
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
    let one = ["--game", "othello", "--games", "2", "--output", "one.json"];
    arbiter(&folder, &[&bots[..2], &one].concat()).expect(0);
    arbiter(&folder, &["report", "one.json", "-o", "one.html"]).expect(0);
    let cup =
        ["--schedule", "knockout", "--game", "tic-tac-toe", "--move-time", "50ms", "--output", "cup.json"];
    arbiter(&folder, &[&["tournament"], &bots[..], &cup].concat()).expect(0);
    arbiter(&folder, &["report", "cup.json", "-o", "cup.html"]).expect(0);
    fs::write(folder.join("named.json"), badly_named_report(&folder.join("cup.json")).to_string()).unwrap();
    arbiter(&folder, &["report", "named.json", "-o", "named.html"]).expect(0);
    let mut tests = Command::new("node");
    tests.arg("--test").arg(tools.join("page.test.js")).env("PAGES", &folder);
    expect_done(&mut tests);
}
