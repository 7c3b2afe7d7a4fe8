//! What `verify` must notice: every statement of a report that the rules, the schedule or the clocks can contradict.

use super::host::c_bot;
use super::program::{arbiter, sample_bot, scratch};
use arbiter::record::schema::MatchReport;
use arbiter::verify::verify;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// What nobody can judge again: who says so, when and where it was, what a bot thought.
const TAKEN_ON_TRUST: &[&str] = &[
    ".arbiter",
    ".machine",
    ".started",
    ".finished",
    ".duration_ns",
    ".plan.players[0]",
    ".plan.players[1]",
    ".plan.players[2]",
    ".plan.in_process",
    ".plan.margin_ns",
    ".plan.max_",
    ".plan.options",
    ".games_asked",
    ".search",
    ".cpu_ns",
    ".fault.message",
    ".fault.again",
    ".fault.output",
    ".format",
];

/// Every place of a value, as a path and a JSON pointer.
fn leaves(value: &Value, path: &str, pointer: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                leaves(inner, &format!("{path}.{key}"), &format!("{pointer}/{key}"), found);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                leaves(inner, &format!("{path}[{index}]"), &format!("{pointer}/{index}"), found);
            }
        }
        _ => found.push((path.to_owned(), pointer.to_owned())),
    }
}

/// Another value of the same type, or none where there is nothing to change.
fn changed(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Bool(on) => json!(!on),
        Value::Number(number) if number.is_f64() => json!(number.as_f64()? + 0.5),
        Value::Number(number) if number.as_i64() == Some(0) => json!(1),
        Value::Number(number) => json!(number.as_i64()? - 1),
        Value::String(text) => json!(format!("{text}x")),
        _ => return None,
    })
}

/// A report that verifies, as JSON.
fn report(test: &str, args: &[&str]) -> Value {
    let folder = scratch(test);
    let file = folder.join("report.json");
    arbiter(&folder, &[args, &["--output", file.to_str().unwrap()]].concat()).expect(0);
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// Changes every single value of a report in turn. `verify` must find each change, or the file must not be read.
fn every_change_is_found(report: &Value) {
    assert!(is_right(report), "the report is right before it is changed");
    let mut places = Vec::new();
    leaves(report, "", "", &mut places);
    let mut judged = 0;
    for (path, pointer) in places {
        if TAKEN_ON_TRUST.iter().any(|trusted| path.contains(trusted)) {
            continue;
        }
        let mut forged = report.clone();
        let place = forged.pointer_mut(&pointer).unwrap();
        let Some(other) = changed(place) else { continue };
        let shown = format!("{path}: {place} made {other}");
        *place = other;
        assert!(!is_right(&forged), "nobody noticed {shown}");
        judged += 1;
    }
    assert!(judged > 50, "only {judged} values were changed");
}

fn is_right(report: &Value) -> bool {
    serde_json::from_value::<MatchReport>(report.clone()).is_ok_and(|report| verify(&report).is_empty())
}

#[test]
fn every_change_to_a_match_with_errors_and_a_forfeit_is_found() {
    let (stumbling, random) = (c_bot("stumbling"), sample_bot("random"));
    let stumbling = stumbling.to_str().unwrap();
    let plan = ["--game", "othello", "--games", "2", "-B", "1:illegal=1", "--max-errors", "2", "--seed", "1"];
    every_change_is_found(&report("forge-forfeit", &[&[stumbling, &random], &plan[..]].concat()));
}

#[test]
fn every_change_to_games_with_openings_lines_and_draws_is_found() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    every_change_is_found(&report(
        "forge-lines",
        &[&random, &greedy, "--game", "tic-tac-toe", "--games", "4", "--seed", "3"],
    ));
}

#[test]
fn every_change_to_earthquakes_is_found() {
    let random = sample_bot("random");
    let plan =
        ["--game", "stacks", "-O", "n=3", "-O", "earthquake=true", "-O", "max_turns=30", "--seed", "5"];
    let report = report("forge-earthquakes", &[&[random.as_str(), &random], &plan[..]].concat());
    let fell =
        report["games"][0]["plies"].as_array().unwrap().iter().any(|ply| ply["earthquake"] != json!({}));
    assert!(fell, "something must fall, or this tests nothing");
    every_change_is_found(&report);
}

#[test]
fn a_clock_that_had_run_out_is_found() {
    let random = sample_bot("random");
    let plan = ["--game", "othello", "--clock", "10s+0s", "--max-plies", "4", "--seed", "1"];
    let mut report = report("forge-clock", &[&[random.as_str(), &random], &plan[..]].concat());
    report["games"][0]["plies"][0]["wall_ns"] = json!(6_000_000_000_u64);
    report["games"][0]["plies"][2]["wall_ns"] = json!(6_000_000_000_u64);
    let report: MatchReport = serde_json::from_value(report).unwrap();
    let findings: Vec<String> = verify(&report).iter().map(ToString::to_string).collect();
    assert!(findings[0].starts_with("game 1: ply 3: seat 1 took more time than it had"), "{findings:?}");
}

#[test]
fn what_differs_is_named_with_its_game_and_place() {
    let random = sample_bot("random");
    let honest = report("named", &[&random, &random, "--game", "othello", "--games", "2", "--seed", "9"]);
    let mut forged: [(&str, Value); 3] = std::array::from_fn(|_| ("", honest.clone()));
    forged[0].0 = "game 2: ply 3: a1 is not legal";
    forged[0].1["games"][1]["plies"][2]["move"] = json!("a1");
    forged[1].0 = "game 1: outcome.winner";
    forged[1].1["games"][0]["outcome"]["winner"] =
        json!(1 - honest["games"][0]["outcome"]["winner"].as_i64().unwrap());
    forged[2].0 = "totals of Random: points";
    forged[2].1["totals"][0]["points"] = json!(1.75);
    for (wanted, report) in forged {
        let report: MatchReport = serde_json::from_value(report).unwrap();
        let findings: Vec<String> = verify(&report).iter().map(ToString::to_string).collect();
        assert!(findings.iter().any(|finding| finding.starts_with(wanted)), "{wanted}: {findings:?}");
    }
}

#[test]
fn the_canonical_form_of_a_right_report_is_right() {
    let random = sample_bot("random");
    let folder = scratch("canonical-again");
    arbiter(&folder, &[&random, &random, "--game", "ultimate", "--games", "2", "--output", "report.json"])
        .expect(0);
    let canonical = arbiter(&folder, &["verify", "--canonical", "report.json"]).expect(0);
    fs::write(folder.join("canonical.json"), canonical).unwrap();
    arbiter(&folder, &["verify", "canonical.json"]).expect(0);
}

#[test]
fn the_sample_reports_are_right_and_show_every_game() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/samples");
    let mut games = std::collections::BTreeSet::new();
    for file in fs::read_dir(samples).unwrap().map(|entry| entry.unwrap().path()) {
        let text = fs::read_to_string(&file).unwrap();
        let report: MatchReport =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        assert_eq!(verify(&report), [], "{}", file.display());
        games.insert(report.plan.game);
    }
    let all = arbiter_rules::registry::GAMES.iter().map(|info| info.id.to_owned()).collect();
    assert_eq!(games, all, "a game without a sample report");
}

/// A sample report as JSON.
fn sample(name: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/samples").join(name);
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn every_change_to_an_elimination_is_found() {
    let report = sample("chinese-checkers-3-seats.json");
    assert_eq!(report["games"][0]["eliminations"].as_array().unwrap().len(), 1);
    every_change_is_found(&report);
}

#[test]
fn every_change_to_an_obligation_is_found() {
    for tier in 1..=3 {
        let report = sample(&format!("no-blocking-tier-{tier}.json"));
        let plies = report["games"][0]["plies"].as_array().unwrap();
        assert!(plies.iter().any(|ply| ply["obligation"]["tier"] == tier), "no obligation of tier {tier}");
        every_change_is_found(&report);
    }
}

#[test]
fn a_pass_that_is_made_a_move_or_left_out_is_found() {
    let report = sample("othello.json");
    let is_pass = |ply: &Value| ply["move"] == "pass";
    let games = report["games"].as_array().unwrap();
    let found = games.iter().enumerate().find_map(|(number, game)| {
        game["plies"].as_array().unwrap().iter().position(is_pass).map(|ply| (number, ply))
    });
    let (number, ply) = found.expect("somebody passes in the sample");
    let mut left_out = report.clone();
    left_out["games"][number]["plies"].as_array_mut().unwrap().remove(ply);
    let mut chosen = report.clone();
    chosen["games"][number]["plies"][ply]["by"] = json!("player");
    assert!(!is_right(&left_out) && !is_right(&chosen));
}
