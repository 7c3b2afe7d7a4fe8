//! What `verify` must notice: every statement of a report that the rules, the schedule or the clocks can contradict.

use crate::support::{arbiter, c_bot, findings, games, played, sample, sample_bot, samples, scratch, verify};
use arbiter::record::read;
use arbiter::record::schema::MatchReport;
use serde_json::{Value, json};

/// What nobody can judge again: who says so, when and where it was, what a bot thought, and limits and options that
/// these games did not come to.
const TAKEN_ON_TRUST: &[&str] = &[
    ".format", ".machine.", ".duration_ns", ".author", ".version", ".name", ".file", "].options", "].time.",
    ".plan.options.", ".plan.in_process", ".plan.margin_ns", ".plan.max_", ".plan.withdraw_after",
    ".games_asked", ".search", ".cpu_ns", ".prepared_ns", ".fault.message", ".fault.output",
];

/// What may be missing, because it is not always there.
const NOT_ALWAYS_THERE: &[&str] = &[
    ".host", ".processor", ".finished", ".author", ".version", "].options", ".move_ns", ".search", ".cpu_ns",
    ".prepared_ns", ".fault.message", ".fault.output",
];

fn is_one_of(path: &str, known: &[&str]) -> bool {
    known.iter().any(|known| path.contains(known))
}

/// A report with one change, and what was changed.
type Forgery = (String, Value);

/// Every way to change one value, to leave it out, and to leave out, double or swap elements of lists.
fn forgeries(report: &Value) -> Vec<Forgery> {
    let mut found = Vec::new();
    collect(report, report, "", "", &mut found);
    found
}

fn collect(report: &Value, value: &Value, path: &str, pointer: &str, found: &mut Vec<Forgery>) {
    let mut forge = |what: String, change: &dyn Fn(&mut Value)| {
        let mut forged = report.clone();
        change(forged.pointer_mut(pointer).unwrap());
        found.push((format!("{path}: {what}"), forged));
    };
    if let Some(other) = changed(value).filter(|_| !is_one_of(path, TAKEN_ON_TRUST)) {
        forge(format!("{value} made {other}"), &|place| *place = other.clone());
    }
    if !is_one_of(path, NOT_ALWAYS_THERE) {
        forge("left out".to_owned(), &|place| *place = Value::Null);
    }
    if let Value::Array(items) = value {
        for index in 0..items.len() {
            forge(format!("element {index} removed"), &|place| {
                drop(place.as_array_mut().unwrap().remove(index))
            });
            forge(format!("element {index} doubled"), &|place| {
                let items = place.as_array_mut().unwrap();
                items.insert(index, items[index].clone());
            });
        }
        // Which bot has which name is taken on trust.
        for index in (1..items.len()).filter(|_| path != ".plan.players") {
            forge(format!("element {index} swapped with the one before"), &|place| {
                place.as_array_mut().unwrap().swap(index - 1, index);
            });
        }
    }
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                collect(report, inner, &format!("{path}.{key}"), &format!("{pointer}/{key}"), found);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                collect(report, inner, &format!("{path}[{index}]"), &format!("{pointer}/{index}"), found);
            }
        }
        _ => {}
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

/// A report as JSON.
#[track_caller]
fn report(test: &str, args: &[&str]) -> Value {
    played(test, args).1
}

/// Whether anything in the games follows from the seed of the plan.
fn is_drawn_from(report: &Value) -> bool {
    let has_chance = |game: &Value| game.get("chance_seed").is_some();
    report["plan"]["openings"]["kind"] == "random" || games(report).iter().any(has_chance)
}

/// Makes every single forgery of a report in turn. `verify` must find each, or the file must not be read.
fn every_forgery_is_found(report: &Value) {
    let honest: MatchReport = serde_json::from_value(report.clone()).unwrap();
    assert_eq!(verify(&honest), [], "the report is right before it is changed");
    let mut judged = 0;
    let mut unnoticed = Vec::new();
    for (what, forged) in forgeries(report) {
        let read = serde_json::from_value::<MatchReport>(forged);
        if read.as_ref().is_ok_and(|forged| *forged != honest && verify(forged).is_empty()) {
            unnoticed.push(what);
        }
        judged += 1;
    }
    if !is_drawn_from(report) {
        unnoticed.retain(|what| !what.starts_with(".plan.seed: "));
    }
    assert!(unnoticed.is_empty(), "nobody noticed:\n{}", unnoticed.join("\n"));
    assert!(judged > 200, "only {judged} forgeries were tried");
}

#[test]
fn every_forgery_of_a_match_with_errors_and_a_forfeit_is_found() {
    let (stumbling, random) = (c_bot("stumbling"), sample_bot("random"));
    let plan = ["--game", "othello", "--games", "2", "-B", "1:illegal=1", "--max-errors", "2", "--seed", "1"];
    every_forgery_is_found(&report("forge-forfeit", &[&[&*stumbling, &random], &plan[..]].concat()));
}

#[test]
fn every_forgery_of_games_with_openings_lines_and_draws_is_found() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    every_forgery_is_found(&report(
        "forge-lines",
        &[&random, &greedy, "--game", "tic-tac-toe", "--games", "4", "--seed", "3"],
    ));
}

#[test]
fn every_forgery_of_earthquakes_is_found() {
    let random = sample_bot("random");
    let plan =
        ["--game", "stacks", "-O", "n=3", "-O", "earthquake=true", "-O", "max_turns=30", "--seed", "5"];
    let report = report("forge-earthquakes", &[&[random.as_str(), &random], &plan[..]].concat());
    let fell =
        report["games"][0]["plies"].as_array().unwrap().iter().any(|ply| ply.get("earthquake").is_some());
    assert!(fell, "something must fall, or this tests nothing");
    every_forgery_is_found(&report);
}

#[test]
fn every_forgery_of_a_game_with_a_seat_less_is_found() {
    let (stumbling, greedy) = (c_bot("stumbling"), sample_bot("greedy"));
    let plan = ["--game", "chinese-checkers", "-O", "max_rounds=3", "-B", "2:illegal=3", "--seed", "1"];
    let args = [greedy.as_str(), &*stumbling, &greedy];
    let report = report("forge-elimination", &[&args[..], &plan[..]].concat());
    assert_eq!(
        report["games"][0]["eliminations"][0]["seat"], 1,
        "somebody must be out, or this tests nothing"
    );
    every_forgery_is_found(&report);
}

#[test]
fn a_clock_that_had_run_out_is_found() {
    let random = sample_bot("random");
    let plan = ["--game", "othello", "--clock", "10s+0s", "--max-plies", "4", "--seed", "1"];
    let mut report = report("forge-clock", &[&[random.as_str(), &random], &plan[..]].concat());
    for ply in [0, 2] {
        let ply = &mut report["games"][0]["plies"][ply];
        (ply["wall_ns"], ply["charged_ns"]) = (json!(6 * SECOND), json!(6 * SECOND));
    }
    let found = findings(&report);
    assert!(found.starts_with("game 1: ply 3: seat 1 took more time than it had"), "{found}");
}

/// The same match as a file from before clocks had names: what was not charged stands there, and not what was.
fn older(report: &Value) -> Value {
    fn without(value: &mut Value, key: &str) {
        match value {
            Value::Object(fields) => {
                fields.remove(key);
                fields.values_mut().for_each(|inner| without(inner, key));
            }
            Value::Array(items) => items.iter_mut().for_each(|inner| without(inner, key)),
            _ => {}
        }
    }
    let mut older = report.clone();
    for key in ["clock", "charged_ns", "prepared_ns"] {
        without(&mut older, key);
    }
    older
}

/// A report whose first answer took so much more, and was said to have.
fn longer(report: &Value, more: u64, change: impl Fn(&mut Value)) -> String {
    let mut changed = report.clone();
    let add = |value: &mut Value| *value = json!(value.as_u64().unwrap() + more);
    add(&mut changed["games"][0]["duration_ns"]);
    add(&mut changed["games"][0]["plies"][0]["wall_ns"]);
    changed["finished"] = json!("2999-01-01T00:00:00.000+00:00");
    let player = changed["games"][0]["seats"][0]["player"].as_u64().unwrap() as usize;
    add(&mut changed["totals"][player]["wall_ns"]);
    change(&mut changed["games"][0]["plies"][0]);
    findings(&changed)
}

const SECOND: u64 = 1_000_000_000;

/// Whoever keeps a file of last year's tournament would otherwise be told that it is forged.
#[test]
fn a_report_without_a_name_for_its_clock_is_judged_as_it_always_was() {
    let random = sample_bot("random");
    let plan = ["--game", "tic-tac-toe", "--openings", "none", "--move-time", "1s", "--seed", "1"];
    let older = older(&report("older-clock", &[&[random.as_str(), &random], &plan[..]].concat()));
    assert_eq!(findings(&older), "", "a report that an older arbiter wrote is right");
    let starved = |time: u64| move |ply: &mut Value| ply["starved_ns"] = json!(time);
    assert_eq!(longer(&older, 2 * SECOND, starved(3 * SECOND / 2)), "", "it was kept waiting");
    let too_late = longer(&older, 2 * SECOND, starved(SECOND / 2));
    assert!(too_late.contains("took more time than it had"), "{too_late}");
    let in_time = longer(&older, 0, starved(1));
    assert!(in_time.contains("said to have been kept waiting, but was not late"), "{in_time}");
    let mixed = longer(&older, 0, |ply| ply["charged_ns"] = json!(1));
    assert!(mixed.contains("charged_ns"), "the two ways do not mix: {mixed}");
}

/// Nobody can be made to lose, or be spared, by a number that no clock has shown.
#[test]
fn a_charge_that_no_clock_can_have_shown_is_found() {
    let random = sample_bot("random");
    let plan = ["--game", "tic-tac-toe", "--openings", "none", "--move-time", "1s", "--seed", "1"];
    let report = report("charged", &[&[random.as_str(), &random], &plan[..]].concat());
    assert_eq!(findings(&report), "", "a report that arbiter wrote is right");
    let is_by_processor = report["plan"]["clock"] == json!("processor");
    assert_eq!(is_by_processor, cfg!(target_os = "linux"));
    let kept = longer(&report, 2 * SECOND, |ply| {
        if ply.get("charged_ns").is_none() {
            ply["charged_ns"] = json!(ply["wall_ns"].as_u64().unwrap() - 2 * SECOND);
        }
    });
    assert_eq!(kept.is_empty(), is_by_processor, "by its processor, it was kept waiting: {kept}");
    // A busy machine may have kept it waiting in truth.
    let forget = |ply: &mut Value| drop(ply.as_object_mut().unwrap().remove("charged_ns"));
    let late = longer(&report, 2 * SECOND, forget);
    assert!(late.contains("took more time than it had"), "{late}");
    let made_up = longer(&report, 0, |ply| ply["charged_ns"] = json!(SECOND / 2));
    assert!(made_up.contains("500000000 ns are charged for an answer of"), "{made_up}");
    if is_by_processor {
        let spared = longer(&report, 2 * SECOND, |ply| {
            (ply["cpu_ns"], ply["charged_ns"]) = (json!(2 * SECOND), json!(SECOND / 2));
        });
        assert!(
            spared.contains("500000000 ns are charged for an answer of 2000000000 ns at least"),
            "{spared}"
        );
    }
    let excused = longer(&report, 0, |ply| {
        forget(ply);
        ply["starved_ns"] = json!(1);
    });
    assert!(excused.contains("said to have been kept waiting"), "{excused}");
    let mut shared = report.clone();
    (shared["plan"]["in_process"], shared["plan"]["clock"]) = (json!(true), json!("processor"));
    assert_ne!(findings(&shared), "", "a bot in our own process has no clock of its own");
    let mut sundial = report.clone();
    sundial["plan"]["clock"] = json!("sundial");
    let refused = findings(&sundial);
    assert!(refused.contains("`processor`") && refused.contains("`wall`"), "{refused}");
}

/// Each refused answer may be late by nearly the margin, and all but a thousand are only summed up.
#[test]
fn a_turn_that_was_refused_until_time_was_up_has_one_margin_and_is_right() {
    let (stumbling, first) = (c_bot("stumbling"), c_bot("first"));
    let bots = [&*stumbling, &*first];
    let plan = ["--game", "othello", "--openings", "none", "--max-errors", "0", "-B", "1:illegal=1000000"];
    for time in [["--move-time", "100ms"], ["--clock", "100ms+1s"]] {
        let report: MatchReport =
            serde_json::from_value(report("one-margin", &[&bots, &plan[..], &time].concat())).unwrap();
        assert_eq!(verify(&report), [], "a report that arbiter wrote is right");
        let game = &report.games[0];
        let errors = game.errors.iter().map(|error| error.times().charged());
        let left_out = game.errors_left_out.iter().map(|turn| turn.times().charged());
        let refused = errors.chain(left_out).map(Option::unwrap);
        assert!(refused.sum::<u64>() <= 105_000_000, "100 ms and one margin of 5 ms");
        let fault = game.ending.fault.as_ref().unwrap();
        let limit = (fault.kind.as_str(), fault.limit);
        assert_eq!(limit, ("timed-out", Some(100_000_000)), "the time of the turn, not what was left of it");
    }
}

/// Nothing else would ever end it.
#[test]
fn without_a_clock_and_a_limit_of_errors_a_game_ends_and_its_report_is_right() {
    let (stumbling, first) = (c_bot("stumbling"), c_bot("first"));
    let bots = [&*stumbling, &*first];
    let plan = ["--game", "othello", "--openings", "none", "--max-errors", "0", "--no-clock"];
    let written = report("endless", &[&bots, &plan[..], &["-B", "1:illegal=1000000"]].concat());
    let report: MatchReport = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(verify(&report), [], "a report that arbiter wrote is right");
    let fault = report.games[0].ending.fault.as_ref().unwrap();
    assert_eq!((fault.kind.as_str(), fault.limit), ("endless-errors", Some(10_000)));
    let forge = |change: &dyn Fn(&mut Value)| {
        let mut forged = written.clone();
        change(&mut forged);
        findings(&forged)
    };
    let fewer =
        forge(&|report| report["games"][0]["errors_left_out"][0]["reasons"] = json!({"not-a-capture": 7}));
    assert!(fewer.contains("10000 errors are said to have lost the game, but the file has 1007"), "{fewer}");
    let limited = forge(&|report| report["plan"]["max_errors"] = json!(1000));
    assert!(limited.contains("game 1"), "{limited}");
}

#[test]
fn points_of_draws_between_three_are_exact_in_every_order() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let plan = [
        "--game", "chinese-checkers", "-O", "max_rounds=2", "--openings", "none", "--games", "7", "--seed",
        "1",
    ];
    let report = report("thirds", &[&[random.as_str(), &greedy, &random], &plan[..]].concat());
    let points: Vec<_> = report["totals"].as_array().unwrap().iter().map(|sums| &sums["points"]).collect();
    assert_eq!(points, [&json!(7.0 / 3.0); 3], "seven thirds, not three and four thirds of a rounded number");
    assert_eq!(findings(&report), "", "a report that arbiter wrote is right");
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
        json!(2 - honest["games"][0]["outcome"]["ranks"][0].as_i64().unwrap());
    forged[2].0 = "totals of Random: points";
    forged[2].1["totals"][0]["points"] = json!(1.75);
    for (wanted, report) in forged {
        let found = findings(&report);
        assert!(found.lines().any(|finding| finding.starts_with(wanted)), "{wanted}: {found}");
    }
}

#[test]
fn the_sample_reports_are_right_and_show_every_game() {
    let mut games = std::collections::BTreeSet::new();
    for file in samples() {
        let report = read(&file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(verify(&report), [], "{}", file.display());
        games.insert(report.plan.game);
    }
    let all = arbiter_rules::registry::GAMES.iter().map(|info| info.id.to_owned()).collect();
    assert_eq!(games, all, "a game without a sample report");
}

/// A sample report as JSON.
fn saved(name: &str) -> Value {
    let mut report = read(&sample(name)).unwrap();
    // Format 2 has a seed in games without chance as well, where nothing follows from it.
    report.games.iter_mut().for_each(|game| game.chance_seed = None);
    serde_json::to_value(report).unwrap()
}

#[test]
fn every_change_to_an_obligation_is_found() {
    for tier in 1..=3 {
        let report = saved(&format!("no-blocking-tier-{tier}.json"));
        let plies = report["games"][0]["plies"].as_array().unwrap();
        assert!(plies.iter().any(|ply| ply["obligation"]["tier"] == tier), "no obligation of tier {tier}");
        every_forgery_is_found(&report);
    }
}

#[test]
fn a_pass_that_is_made_a_move_or_left_out_is_found() {
    let report = saved("othello.json");
    let is_pass = |ply: &Value| ply["move"] == "pass";
    let games = games(&report);
    let found = games.iter().enumerate().find_map(|(number, game)| {
        game["plies"].as_array().unwrap().iter().position(is_pass).map(|ply| (number, ply))
    });
    let (number, ply) = found.expect("somebody passes in the sample");
    let mut left_out = report.clone();
    left_out["games"][number]["plies"].as_array_mut().unwrap().remove(ply);
    let mut chosen = report.clone();
    drop(chosen["games"][number]["plies"][ply].as_object_mut().unwrap().remove("by"));
    assert!(!findings(&left_out).is_empty() && !findings(&chosen).is_empty());
}

/// Whoever reads that a bot won wants to know which game it was.
#[test]
fn a_report_names_the_options_that_somebody_chose_and_no_others() {
    let random = sample_bot("random");
    let folder = scratch("chosen-options");
    let chosen = ["-O", "earthquake=true", "-O", "earthquake_rate=10", "-O", "n=3"];
    let play = [&[&*random, &random, "--game", "stacks", "--output", "quakes.json"], &chosen[..]].concat();
    arbiter(&folder, &play).expect(0);
    arbiter(&folder, &["verify", "quakes.json"]).expect(0);
    let report = arbiter(&folder, &["report", "quakes.json"]).expect(0);
    let first = report.lines().next().unwrap_or_default();
    assert!(first.contains(" earthquake on, earthquake rate 10, n 3 "), "{first}");
}

/// Whoever takes a lost game out of its middle would otherwise be told only that a part was judged.
#[test]
fn a_report_with_a_hole_says_so() {
    let folder = scratch("hole");
    let bots = [&*sample_bot("random"), &*sample_bot("greedy")];
    let plan = ["--game", "tic-tac-toe", "--games", "6", "--seed", "1", "--quiet", "--output", "whole.json"];
    arbiter(&folder, &[&bots[..], &plan].concat()).expect(0);
    let text = std::fs::read_to_string(folder.join("whole.json")).unwrap();
    let mut report: Value = serde_json::from_str(&text).unwrap();
    report["games"].as_array_mut().unwrap().remove(2);
    std::fs::write(folder.join("cut.json"), report.to_string()).unwrap();
    // It names the hole, and adds up what is there.
    arbiter(&folder, &["merge", "cut.json", "--output", "part.json"]).says(1, "1 game missing: 3");
    let judged = |file| arbiter(&folder, &["verify", file]).expect(0);
    let (whole, part) = (judged("whole.json"), judged("part.json"));
    assert!(whole.contains("ok (6 games") && !whole.contains("missing"), "{whole}");
    assert!(
        part.contains("ok (5 of 6 games") && part.contains("1 game before its last one is missing"),
        "{part}"
    );
    let crashing = c_bot("faulty");
    let withdrawn = [
        "--game", "tic-tac-toe", "--rounds", "3", "--withdraw-after", "1", "--quiet", "--output",
        "short.json", "-B", "1:choose_move=segfault",
    ];
    let bots = ["tournament", &*crashing, bots[0], bots[1]];
    arbiter(&folder, &[&bots[..], &withdrawn].concat());
    let short = judged("short.json");
    assert!(!short.contains("missing"), "games of somebody withdrawn are not to be played: {short}");
}
