//! Pages in Chromium: reports that are opened from disk, and games that are played and watched.

use crate::page::hostile_report;
use crate::support::{
    Run, arbiter, games, is_one_there, json as json_of, page_tools, sample, sample_bot, samples, scratch,
};
use arbiter_rules::draw::Charset;
use arbiter_rules::{Position, Setup, registry};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs a file of tests in Chromium, which find in this folder what they open.
fn in_chromium(tests: &str, folder: &Path) {
    let names = ["chromium-headless-shell", "chromium"];
    let Some(tools) = page_tools().filter(|_| is_one_there(&names)) else { return };
    let bots = ["greedy", "random"].map(sample_bot).join(":");
    let mut node = Command::new("node");
    node.arg("--test").arg(tools.join(tests)).env("FOLDER", folder).env("XDG_STATE_HOME", folder);
    node.env("ARBITER", env!("CARGO_BIN_EXE_arbiter")).env("BOTS", bots);
    Run::from(node.output().expect("node starts")).expect(0);
}

/// A report of bots that say all that can be said of a search.
fn talkative_report(games_asked: u32) -> Value {
    let mut report = json_of(sample("othello.json"));
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
    let name = match position.info().id {
        "connect-four" => format!("{} row {}", position.place_name(cell), cell / position.shape().width + 1),
        _ => position.cell_name(cell),
    };
    format!("{name} {}", if pieces.is_empty() { "empty" } else { &pieces })
}

#[test]
fn the_modules_of_the_page_have_the_types_that_they_say() {
    let Some(tools) = page_tools() else { return };
    let compiler = tools.join("node_modules/typescript/bin/tsc");
    let mut node = Command::new("node");
    node.arg(compiler).args(["--noEmit", "--project"]).arg(tools.join("tsconfig.json"));
    Run::from(node.output().expect("node starts")).expect(0);
}

#[test]
fn a_browser_shows_the_page_without_an_error_a_request_or_a_barrier() {
    let folder = scratch("browser-page");
    let mut expected = Vec::new();
    fs::create_dir(folder.join("all")).unwrap();
    for (number, file) in samples().iter().enumerate() {
        fs::copy(file, folder.join("all").join(file.file_name().unwrap())).unwrap();
        let report = json_of(file);
        for game in games(&report).iter().take(2) {
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
    let class = ["--game", "tic-tac-toe", "--output", "class.json", "--quiet"];
    arbiter(&folder, &[&["tournament"], &[bots[1]; 24][..], &class].concat()).expect(0);
    arbiter(&folder, &["report", "class.json", "-o", "class.html"]).expect(0);
    fs::write(folder.join("named.json"), badly_named_report(&folder.join("cup.json")).to_string()).unwrap();
    arbiter(&folder, &["report", "named.json", "-o", "named.html"]).expect(0);
    in_chromium("page.test.js", &folder);
}

#[test]
fn people_choose_a_game_watch_it_look_back_and_find_it_on_the_wall() {
    let folder = scratch("browser-served");
    fs::create_dir(folder.join("wall")).unwrap();
    fs::write(folder.join("wall/\"><b>.json"), hostile_report().to_string()).unwrap();
    in_chromium("web.test.js", &folder);
}

#[test]
fn people_play_every_game_to_its_end() {
    let folder = scratch("browser-games");
    fs::write(folder.join("othello.txt"), OTHELLO).unwrap();
    in_chromium("games.test.js", &folder);
}

/// An opening that leaves but a few moves.
const OTHELLO: &str = "c4 c5 e6 f5 c6 b5 a4 e3 g5 e7 f4 a5 a6 c3 e8 h5 h6 f3 h4 c7 d3 b4 g4 f6 c8 d2 g6 f7 c1 e2 e1 d7 f8 g7 d8 g3 h3 g2 h8 \
                       d1 h1 b3 f1 g1 a3 f2 h7 b7 d6 a2 a1 b6\n";
