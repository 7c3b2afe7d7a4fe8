//! `arbiter standings`: who stands where, in every form, and what is said of how games were played.

use crate::support::{arbiter, c_bot, sample, sample_bot, scratch};
use crate::tournaments::tournament;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[test]
fn a_bye_puts_nobody_behind_its_equals() {
    let random = sample_bot("random");
    let folder = scratch("bye");
    let swiss = ["--game", "tic-tac-toe", "--schedule", "swiss", "--rounds", "1", "--seed", "1", "--quiet"];
    tournament(&folder, &[&random, &random, &random], &[&swiss[..], &["--output", "cup.json"]].concat())
        .expect(0);
    let standings = arbiter(&folder, &["standings", "cup.json", "--format", "json"]).json();
    let lines = standings["standings"].as_array().unwrap();
    let free = lines.iter().find(|line| line["games"] == 0).expect("one of three has a bye");
    // Two points for two games that nobody played, against a dummy with as many points.
    let csv = arbiter(&folder, &["standings", "cup.json", "--format", "csv"]).expect(0);
    let (head, rows) = csv.split_once('\n').unwrap();
    let cells: Vec<&str> = rows.lines().find(|row| row.contains(",0,2,")).unwrap().split(',').collect();
    let expected = [("bye_points", 2.0), ("points", 2.0), ("buchholz", 4.0), ("sonneborn_berger", 4.0)];
    for (field, expected) in expected {
        assert_eq!(free[field].as_f64(), Some(expected), "{field}: {free}");
        let column = head.split(',').position(|name| name == field).expect("JSON and CSV use the same words");
        assert_eq!(cells[column].parse(), Ok(expected), "{field}: {csv}");
    }
}

#[test]
fn every_form_of_the_standings_tells_the_same() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let folder = scratch("forms");
    let plan =
        ["--game", "connect-four", "--rounds", "3", "--seed", "13", "--quiet", "--output", "report.json"];
    tournament(&folder, &[&random, &greedy, &random], &plan).expect(0);
    let print = |format| arbiter(&folder, &["standings", "report.json", "--format", format]);
    let standings = print("json").json();
    let best = &standings["standings"][0];
    assert_eq!((&best["name"], &best["place"]), (&"Greedy".into(), &1.into()));
    for (format, separator) in [("csv", ","), ("tsv", "\t")] {
        let text = print(format).expect(0);
        let (head, first) = (text.lines().next().unwrap(), text.lines().nth(1).unwrap());
        assert_eq!(head.split(separator).count(), first.split(separator).count(), "{text}");
        assert!(first.starts_with(&format!("1{separator}Greedy{separator}12{separator}")), "{text}");
    }
    let md = print("md").expect(0);
    assert!(md.contains("| # | player "), "{md}");
    let table = print("table").expect(0);
    for part in [
        "round robin, connect-four, 3 players, 3 rounds: 18 games",
        "rating 95%",
        "against",
        "stronger than",
        "seat 2",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    tournament(&folder, &[&random, &greedy], &["--game", "connect-four", "--quiet", "--output", "more.json"])
        .expect(0);
    let both = arbiter(&folder, &["standings", "report.json", "more.json"]).expect(0);
    assert!(both.contains("2 matches and tournaments, connect-four, 3 players: 20 games"), "{both}");
    assert!(!both.contains("differ"), "schedules and seeds may: {both}");
}

/// Otherwise whoever was free, or was to meet somebody who had been withdrawn, would have more points in each table than in the
/// common one.
#[test]
fn a_common_table_has_the_points_of_games_that_nobody_had_to_play() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let folder = scratch("pool-walkovers");
    std::fs::write(folder.join("broken.so"), "no bot").unwrap();
    for seed in ["one", "two"] {
        let file = format!("{seed}.json");
        let plan =
            ["--game", "tic-tac-toe", "--rounds", "3", "--withdraw-after", "1", "--seed", seed, "--quiet"];
        let bots = [&*random, &*greedy, "broken.so"];
        tournament(&folder, &bots, &[&plan[..], &["--output", &file]].concat()).expect(0);
    }
    let points = |files: &[&str]| -> BTreeMap<String, f64> {
        let standings = arbiter(&folder, &[&["standings", "--format", "json"], files].concat()).json();
        let lines = standings["standings"].as_array().unwrap();
        let of = |line: &Value| (line["name"].as_str().unwrap().to_owned(), line["points"].as_f64().unwrap());
        lines.iter().map(of).collect()
    };
    let (one, two) = (points(&["one.json"]), points(&["two.json"]));
    let sum: BTreeMap<String, f64> =
        one.into_iter().map(|(name, points)| (name.clone(), points + two[&name])).collect();
    assert_eq!(points(&["one.json", "two.json"]), sum);
}

/// Otherwise nobody could say whose a row is, and with numbers for names a bot had one row for each tournament.
#[test]
fn a_common_table_gives_every_bot_one_row_and_every_row_one_name() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let folder = scratch("pool-names");
    let handed_in = folder.join("ann.so");
    let play = |bots: [&str; 2], output: &str| {
        let plan = ["--game", "tic-tac-toe", "--seeding", "given", "--quiet", "--output", output];
        tournament(&folder, &bots, &plan).expect(0);
    };
    let first = std::fs::read(c_bot("first")).unwrap();
    std::fs::write(&handed_in, &first).unwrap();
    play([&random, "ann.so"], "1.json");
    std::fs::write(&handed_in, [&first[..], b"next week"].concat()).unwrap();
    play(["ann.so", &random], "2.json");
    play([&greedy, "ann.so"], "3.json");
    let names = |args: &[&str]| -> BTreeSet<String> {
        let files = ["1.json", "2.json", "3.json"];
        let standings = arbiter(&folder, &[&["standings", "--format", "json"], args, &files].concat()).json();
        let lines = standings["standings"].as_array().unwrap();
        lines.iter().map(|line| line["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&[]), ["Random", "First", "First (2)", "Greedy"].map(str::to_owned).into());
    let anonymous = ["Bot 1", "Bot 2", "Bot 2 (2)", "Bot 3"].map(str::to_owned).into();
    assert_eq!(names(&["--pseudonyms"]), anonymous);
}

/// A bot that has ten times the time is another one to whoever reads the ratings.
#[test]
fn standings_of_results_that_were_not_played_alike_say_so() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let folder = scratch("unlike");
    let play = |file: &str, args: &[&str]| {
        let plan = ["--game", "connect-four", "--seed", "unlike", "--quiet", "--output", file];
        tournament(&folder, &[&random, &greedy], &[&plan, args].concat()).expect(0);
    };
    play("usual.json", &[]);
    play("slow.json", &["--time-odds", "1:10s", "--max-plies", "50"]);
    play("clock.json", &["--clock", "60s", "--at-max-plies", "score"]);
    let standings = |file: &str, format: &str| {
        let run = arbiter(&folder, &["standings", "usual.json", file, "--format", format]);
        let err = run.err.clone();
        (run.expect(0), err)
    };
    let (out, err) = standings("slow.json", "table");
    let difference = "The files differ in when games are adjudicated, and count together all the same.";
    assert!(out.contains(difference) && out.contains("3 players") && err.is_empty(), "{out}{err}");
    assert!(out.contains("They played from 2 to 4 games, and places go by points: compare %."), "{out}");
    let difference = "The files differ in the time of Greedy, Random; when games are adjudicated, and count";
    let (out, err) = standings("clock.json", "table");
    assert!(out.contains(difference) && err.is_empty(), "{out}{err}");
    assert!(out.contains("were decided by their score"), "policies of all are told: {out}");
    let (out, err) = standings("clock.json", "csv");
    assert!(err.contains(difference) && !out.contains("differ"), "{out}{err}");
}

/// A teacher of a large class would look for it.
#[test]
fn a_table_of_too_many_for_each_against_each_says_so() {
    let (folder, first) = (scratch("many"), c_bot("first"));
    let all = vec![&*first; 31];
    let plan = ["--game", "tic-tac-toe", "--schedule", "swiss", "--rounds", "1"];
    let out = tournament(&folder, &all, &plan).expect(0);
    assert!(out.contains("Who did how against whom is shown for up to 30 players."), "{out}");
}

/// Somebody who reads the table can tell why one of two with equal points is ahead.
#[test]
fn standings_show_what_sets_equal_points_apart() {
    let folder = scratch("tie-breaks");
    let first = c_bot("first");
    let bots = [&*first; 3];
    let head = |args: &[&str]| {
        let told =
            tournament(&folder, &bots, &[&["--game", "tic-tac-toe", "--openings", "none"], args].concat());
        let told = told.expect(0);
        told.lines().find(|line| line.starts_with("#  player")).expect("a head").to_owned()
    };
    let has = |head: &str, tie_break: &str| head.split_whitespace().any(|word| word == tie_break);
    let round_robin = head(&[]);
    assert!(has(&round_robin, "H2H") && has(&round_robin, "SB"), "all win as first: {round_robin}");
    let swiss = head(&["--schedule", "swiss"]);
    assert!(has(&swiss, "BH") && !has(&swiss, "H2H"), "{swiss}");
}

/// Whoever has luck in such a tournament meets others who have, and looks stronger than it is.
#[test]
fn ranges_are_wider_where_results_decide_who_meets_whom() {
    let (folder, first) = (scratch("paired"), c_bot("first"));
    let told = |kind: &str, report: &str| {
        let plan = ["--game", "tic-tac-toe", "--seed", "1", "--output", report, "--schedule", kind];
        tournament(&folder, &[&*first; 4], &plan).expect(0)
    };
    let (all, swiss) = (told("round-robin", "all.json"), told("swiss", "swiss.json"));
    let reason = "twice as wide as elsewhere, since those who had luck met each other";
    assert!(!all.contains(reason) && swiss.contains(reason), "{all}{swiss}");
    let pooled = arbiter(&folder, &["standings", "all.json", "swiss.json"]).expect(0);
    assert!(pooled.contains(reason), "{pooled}");
    // The same games, said to have been paired so.
    let width = |report: &str| {
        let told = arbiter(&folder, &["standings", report, "--format", "json"]).json();
        let end = |end: &str| told["standings"][0][end].as_f64().unwrap();
        end("upper") - end("lower")
    };
    let plan = ["--game", "tic-tac-toe", "--seed", "1", "--openings", "none", "--output", "two.json"];
    tournament(&folder, &[&*first; 2], &plan).expect(0);
    let swiss = [&plan[..6], &["--output", "paired.json", "--schedule", "swiss", "--rounds", "1"]].concat();
    tournament(&folder, &[&*first; 2], &swiss).expect(0);
    assert!(width("paired.json") > 1.5 * width("two.json"), "{} {}", width("paired.json"), width("two.json"));
}

/// One game of three seats, in which one came home and the others share the second place.
#[test]
fn places_make_points_and_one_unit_says_who_is_stronger_to_nobody() {
    let sample = sample("chinese-checkers-3-seats.json");
    let sample = sample.to_str().unwrap();
    let folder = scratch("rank-points");
    let table = arbiter(&folder, &["standings", sample]).expect(0);
    assert!(table.contains("Points: 2 for the first place of a game"), "{table}");
    assert!(table.contains("not told before two players have 5 rotations"), "{table}");
    assert!(table.contains("range that holds the true rating in 95 of 100 cases"), "{table}");
    let told = arbiter(&folder, &["standings", sample, "--format", "json"]).json();
    let lines = told["standings"].as_array().unwrap();
    let of = |field: &str| lines.iter().map(|line| line[field].as_f64().unwrap()).collect::<Vec<_>>();
    assert_eq!((of("points"), of("wins")), (vec![2.0, 0.5, 0.5], vec![1.0, 0.0, 0.0]));
    for line in lines {
        let (low, high) = (line["lower"].as_f64().unwrap(), line["upper"].as_f64().unwrap());
        assert!(low < 0.0 && high > 0.0, "{line}");
        assert!(line["against"].as_array().unwrap().iter().all(|other| other["superiority"].is_null()));
    }
    let report = arbiter(&folder, &["report", sample]).expect(0);
    assert!(report.contains("Points: 2 for the first place of a game"), "{report}");
}

/// Three who tie share the two points of the first place and the one of the second, in whatever seats they sat.
#[test]
fn the_points_of_all_seats_are_the_points_of_the_player() {
    let folder = scratch("points-by-seat");
    let random = sample_bot("random");
    let args =
        ["--game", "chinese-checkers", "--players", "3", "--max-plies", "20", "--quiet", "--format", "json"];
    let told = tournament(&folder, &[&random, &random, &random], &args).json();
    for line in told["standings"].as_array().unwrap() {
        let seats = line["by_seat"].as_array().unwrap();
        let sum: f64 = seats.iter().map(|seat| seat["points"].as_f64().unwrap()).sum();
        assert!(sum == 3.0 && line["points"] == 3.0 && line["percent"] == 50.0, "{line}");
        assert_eq!((seats.len(), &line["draws"]), (3, &3.into()), "{line}");
    }
}

/// Half a pair is none: nine games are four pairs, and the tables say that five are needed.
#[test]
fn who_is_stronger_is_told_from_five_whole_pairs_on() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    for (games, said) in
        [("9", "by 4 pairs of games; fewer than 5 pairs"), ("10", "by 5 pairs of games; Greedy is stronger")]
    {
        let args = ["--game", "tic-tac-toe", "--games", games, "--seed", "a", "--no-clock", "--in-process"];
        let folder = scratch(&format!("whole-pairs-{games}"));
        arbiter(&folder, &[&[&*random, &greedy], &args[..]].concat()).expect(0);
        let out = arbiter(&folder, &["standings", "results"]).expect(0);
        assert!(out.contains(said), "{out}");
    }
}

/// Four points for two games won of four, or a draw beside a bot that crashed, would otherwise be riddles.
#[test]
fn a_report_says_what_was_won_without_play_and_who_was_out_of_a_game() {
    let swiss = arbiter(Path::new("."), &["report", sample("swiss.json").to_str().unwrap()]).expect(0);
    assert!(swiss.contains("Points for byes and walkovers, which the column % leaves out: "), "{swiss}");
    let three = sample("chinese-checkers-3-seats.json");
    let three = arbiter(Path::new("."), &["report", three.to_str().unwrap()]).expect(0);
    assert!(three.contains("human resigned, home"), "{three}");
}
