//! Whole tournaments through the command line: real bots, real processes, real files.

use super::terminal::pty::{Setup, Terminal};
use crate::support::{
    Run, arbiter, arbiter_after, bots_in, c_bot, c_bot_with, canonical, command, games, json, only_file,
    planned_by, played_once, sample_bot, scratch, words_of,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// Runs a tournament of bots in a folder.
pub(crate) fn tournament(folder: &Path, bots: &[&str], args: &[&str]) -> Run {
    arbiter(folder, &[&["tournament"], bots, args].concat())
}

/// The games that a dry run counts.
#[track_caller]
fn planned(folder: &Path, bots: &[&str], args: &[&str]) -> Value {
    tournament(folder, bots, &[args, &["--dry-run", "--json"]].concat()).json()
}

/// Plays a tournament, judges it again, and returns its report.
#[track_caller]
fn play(folder: &Path, bots: &[&str], args: &[&str], games: u64) -> Value {
    assert_eq!(planned(folder, bots, args)["games"], games, "the dry run counts the games");
    let run = tournament(folder, bots, &[args, &["--output", "report.json"]].concat());
    let (err, out) = (run.err.clone(), run.expect(0));
    let report = json(folder.join("report.json"));
    assert_eq!(
        (&report["games_ended"], &report["games_asked"]),
        (&games.into(), &games.into()),
        "{out}{err}"
    );
    let verified = arbiter(folder, &["verify", "report.json"]).expect(0);
    assert!(verified.contains(": ok ("), "{verified}");
    assert!(arbiter(folder, &["standings", "report.json"]).expect(0).contains("points by seat"));
    agree_on_places(folder);
    report
}

/// Whoever reads the report and whoever reads the standings sees the same places.
#[track_caller]
fn agree_on_places(folder: &Path) {
    let standings = arbiter(folder, &["standings", "report.json", "--format", "json"]).json();
    let report = arbiter(folder, &["report", "report.json"]).expect(0);
    let rows = report.lines().skip_while(|line| !line.trim_start().starts_with("#  player")).skip(1);
    for (line, row) in standings["standings"].as_array().unwrap().iter().zip(rows) {
        let place_and_name = format!("{}  {} ", line["place"], line["name"].as_str().unwrap());
        assert!(row.trim_start().starts_with(&place_and_name), "{place_and_name}: {report}");
    }
}

/// How often each code of an error or fault was counted.
fn errors(report: &Value) -> u64 {
    let totals = report["totals"].as_array().unwrap().iter();
    totals
        .flat_map(|totals| totals["errors"].as_object().unwrap().values())
        .map(|count| count.as_u64().unwrap())
        .sum()
}

#[test]
fn a_round_robin_of_every_game_ends_though_a_bot_crashes_at_random() {
    let (random, greedy, flaky) = (sample_bot("random"), sample_bot("greedy"), c_bot("flaky"));
    let folder = scratch("round-robin");
    let mut crashes = 0;
    for info in arbiter_rules::registry::GAMES {
        let more: &[&str] = match info.id {
            "stacks" => &["-O", "max_turns=30"],
            "chinese-checkers" => &["-O", "max_rounds=15"],
            _ => &[],
        };
        let args = [&["--game", info.id, "--seed", "1", "-B", "3:one_in=15"], more].concat();
        let report = play(&folder, &[&random, &greedy, &flaky], &args, 6);
        crashes += errors(&report);
    }
    assert!(crashes > 5, "somebody must have crashed, or this tests nothing: {crashes}");
}

#[test]
fn a_swiss_a_knockout_a_double_elimination_and_six_seats_are_played_to_their_ends() {
    let (random, greedy, flaky) = (sample_bot("random"), sample_bot("greedy"), c_bot("flaky"));
    let of = |count: usize| -> Vec<&str> {
        (0..count).map(|index| [&*random, &*greedy, &*flaky][index % 3]).collect()
    };
    let folder = scratch("kinds");
    let ttt = ["--game", "tic-tac-toe", "--seed", "2", "-B", "3:one_in=9"];
    let swiss = play(&folder, &of(16), &[&ttt[..], &["--schedule", "swiss", "--rounds", "4"]].concat(), 64);
    assert!(errors(&swiss) > 0, "the flaky bot must have crashed");
    // A cap of one pair decides ties at once, so that the number of games is known before.
    let cup = ["--max-pairs", "1", "--schedule"];
    let knockout = play(&folder, &of(7), &[&ttt[..], &cup, &["knockout"]].concat(), 12);
    assert_eq!(knockout["plan"]["schedule"]["kind"], "knockout");
    let standings = arbiter(&folder, &["standings", "report.json"]).expect(0);
    assert!(standings.contains("the better seed goes on"), "how ties are decided is said: {standings}");
    let args = [&ttt[..], &cup, &["double-elimination"]].concat();
    let least = planned(&folder, &of(6), &args)["games"].as_u64().unwrap();
    assert_eq!(least, 20, "ten matches, and one more if the final is turned round");
    tournament(&folder, &of(6), &[&args[..], &["--output", "double.json"]].concat()).expect(0);
    let ended = json(folder.join("double.json"))["games_ended"].as_u64().unwrap();
    assert!([20, 22].contains(&ended), "{ended}");
    arbiter(&folder, &["verify", "double.json"]).expect(0);
    let star = ["--game", "chinese-checkers", "--players", "6", "-O", "max_rounds=4", "--seed", "3"];
    let star = play(&folder, &of(7), &[&star[..], &["-B", "3:one_in=6"]].concat(), 42);
    let eliminated = |game: &Value| !game["eliminations"].is_null();
    assert!(games(&star).iter().any(eliminated), "somebody must have crashed");
}

#[test]
fn workers_and_the_order_of_files_change_nothing() {
    let (random, greedy, flaky) = (sample_bot("random"), sample_bot("greedy"), c_bot("flaky"));
    let folder = scratch("workers");
    let args = |first: &'static str, jobs: &'static str, output: &'static str| {
        [
            "--game", "connect-four", "--rounds", "3", "--seed", "3", "--withdraw-after", "2", "-B", first,
            "--jobs", jobs, "--output", output,
        ]
    };
    tournament(&folder, &[&flaky, &greedy, &random], &args("1:one_in=5", "1", "one.json")).expect(0);
    tournament(&folder, &[&random, &greedy, &flaky], &args("3:one_in=5", "5", "five.json")).expect(0);
    let one = canonical(&folder, "one.json");
    assert_eq!(one, canonical(&folder, "five.json"));
    let report: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(
        report["withdrawals"].as_array().unwrap().len(),
        1,
        "the flaky bot is withdrawn: {}",
        report["withdrawals"]
    );
}

/// Otherwise the points of a term would be given to the wrong one of two students.
#[test]
fn of_two_bots_with_one_name_each_has_that_of_its_file_whatever_the_lot_says() {
    let folder = scratch("one-name");
    for (file, behind) in [("anna.so", "a"), ("max.so", "m")] {
        fs::write(folder.join(file), [&fs::read(c_bot("first")).unwrap(), behind.as_bytes()].concat())
            .unwrap();
    }
    let bots = ["./anna.so", "./max.so", &sample_bot("random")];
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let args = ["--game", "tic-tac-toe", "--rounds", "1", "--seed", seed, "--output", "report.json"];
        tournament(&folder, &bots, &args).expect(0);
        let report = json(folder.join("report.json"));
        let players = report["plan"]["players"].as_array().unwrap();
        for (name, file) in [("First (anna)", "./anna.so"), ("First (max)", "./max.so")] {
            let named = players.iter().find(|player| player["name"] == name);
            assert_eq!(named.unwrap()["file"], file, "seed {seed}");
        }
        // Whoever repeats the command that is told gets the same lot and the same names.
        let odds = ["--game", "tic-tac-toe", "--seed", seed, "--name", "3:Karl", "--time-odds", "3:20ms"];
        let plan = |bots: &[&str], words: &[&str]| planned(&folder, bots, words);
        let first = plan(&bots, &odds);
        let command = first["command"].as_str().unwrap();
        assert_eq!(planned_by(&folder, command)["plan_hash"], first["plan_hash"], "{command}");
    }
}

#[test]
fn four_parts_put_together_equal_one_run() {
    let (random, greedy, flaky) = (sample_bot("random"), sample_bot("greedy"), c_bot("flaky"));
    let folder = scratch("parts");
    let bots = [&*random, &greedy, &flaky];
    let plan = ["--game", "tic-tac-toe", "--rounds", "5", "--seed", "4", "-B", "3:one_in=9", "--quiet"];
    tournament(&folder, &bots, &[&plan[..], &["--output", "whole.json"]].concat()).expect(0);
    for part in ["1/4", "2/4", "4/4"] {
        tournament(&folder, &bots, &[&plan[..], &["--shard", part, "--results", "parts"]].concat()).expect(0);
    }
    let missing = arbiter(&folder, &["merge", "parts", "-o", "merged.json"]);
    missing.says(1, "6 games missing: 7-8, 15-16, 23-24");
    let hint =
        missing.err.lines().find(|line| line.contains("--shard 3/4 --resume")).expect("the command is named");
    let command = hint.split("   plays").next().unwrap();
    arbiter(&folder, &words_of(command)[1..]).expect(0);
    arbiter(&folder, &["merge", "parts", "-o", "merged.json"]).expect(0);
    assert_eq!(canonical(&folder, "merged.json"), canonical(&folder, "whole.json"));
    let hosts = arbiter(&folder, &["report", "merged.json"]).expect(0);
    assert!(hosts.contains("4/4"), "who played what is told: {hosts}");
    let same =
        arbiter(&folder, &["merge", "parts", "merged.json", "whole.json", "-o", "again.json"]).expect(0);
    assert!(same.contains("30 games"), "equal games count once: {same}");
    let other = ["--game", "tic-tac-toe", "--rounds", "5", "--seed", "5", "-B", "3:one_in=9", "--quiet"];
    tournament(&folder, &bots, &[&other[..], &["--output", "stranger.json"]].concat()).expect(0);
    arbiter(&folder, &["merge", "parts", "stranger.json", "-o", "never.json"])
        .says(2, "it has --seed 5, not ");
    // A report that is there already loses no game: neither of these, nor of another tournament.
    let part = only_file(&folder.join("parts"), "3-of-4.json.journal");
    arbiter(&folder, &["merge", part.to_str().unwrap(), "-o", "merged.json"]).expect(0);
    assert_eq!(canonical(&folder, "merged.json"), canonical(&folder, "whole.json"));
    arbiter(&folder, &["merge", "parts", "-o", "stranger.json"])
        .says(4, "is of another tournament: it has --seed 5, not ");
    let mut forged = json(folder.join("whole.json"));
    forged["games"][6]["outcome"]["ranks"] = serde_json::json!([1, 1]);
    fs::write(folder.join("forged.json"), forged.to_string()).unwrap();
    arbiter(&folder, &["merge", "parts", "forged.json", "-o", "never.json"]).says(1, "game 7 is another in");
    arbiter(&folder, &["standings", "parts", "forged.json"]).says(1, "game 7 is another in");
    forged["plan"]["seats"] = 0.into();
    fs::write(folder.join("forged.json"), forged.to_string()).unwrap();
    let seatless = arbiter(&folder, &["merge", "forged.json", "-o", "never.json"]);
    assert!(
        seatless.code != 101 && seatless.err.contains("plan.seats: it must be 2 to 6"),
        "{}",
        seatless.err
    );
    assert!(!folder.join("never.json").exists());
}

/// The journal in a folder.
fn journal(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.into_iter().find(|path| path.extension().is_some_and(|end| end == "journal"))
}

/// Kills a tournament so often at random moments, each time going on with it, and compares it with one that nobody killed.
fn kills(test: &str, times: u64, rounds: &str) {
    let (random, greedy, flaky) = (sample_bot("random"), sample_bot("greedy"), c_bot("flaky"));
    let folder = scratch(test);
    let bots = [&*random, &greedy, &flaky];
    let plan = ["--game", "tic-tac-toe", "--rounds", rounds, "--seed", "8", "-B", "3:one_in=30", "--quiet"];
    tournament(&folder, &bots, &[&plan[..], &["--output", "whole.json"]].concat()).expect(0);
    let args = [&["tournament"], &bots[..], &plan, &["--results", "killed"]].concat();
    let mut moments = arbiter_rules::Random::new(times);
    let (mut killed, mut is_over) = (0, false);
    while killed < times && !is_over {
        let before = journal(&folder.join("killed"));
        let resume: &[&str] = if before.is_some() { &["--resume"] } else { &[] };
        let lines = |journal: &Option<PathBuf>| {
            journal
                .as_ref()
                .and_then(|path| fs::read(path).ok())
                .map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count())
        };
        let had = lines(&before);
        let mut running = command(&folder, &[&args[..], resume].concat());
        let mut running = running.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Not before it has played something, so that everything comes to an end; then at a random moment.
        while lines(&journal(&folder.join("killed"))) <= had && running.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_micros(moments.below(15_000) as u64));
        running.kill().unwrap();
        is_over = running.wait().unwrap().success();
        killed += u64::from(!is_over);
        journal(&folder.join("killed")).map(|journal| played_once(&journal));
    }
    if !is_over {
        arbiter(&folder, &[&args[..], &["--resume"]].concat()).expect(0);
    }
    let report = only_file(&folder.join("killed"), ".json");
    assert_eq!(journal(&folder.join("killed")), None, "a journal that is in a report is in nobody's way");
    assert_eq!(canonical(&folder, report.to_str().unwrap()), canonical(&folder, "whole.json"));
    assert_eq!(killed, times, "it was over before it could be killed so often");
}

#[test]
fn a_tournament_that_is_killed_again_and_again_ends_as_if_nothing_had_happened() {
    kills("kills", 4, "40");
}

/// `cargo test --release -p arbiter --test it -- --ignored two_hundred_kills`
#[test]
#[ignore = "takes minutes"]
fn two_hundred_kills_lose_nothing() {
    kills("two-hundred-kills", 200, "1200");
}

/// Otherwise one of those who hand in could stop the tournament of all, or have the page show what a file of others begins with.
#[test]
fn what_is_no_file_in_a_folder_of_bots_is_left_out_and_stops_nothing() {
    let folder = scratch("odd-entries");
    fs::create_dir_all(folder.join("bots/folder.so")).unwrap();
    for name in ["random", "greedy"] {
        fs::copy(sample_bot(name), folder.join("bots").join(format!("{name}.so"))).unwrap();
    }
    fs::write(folder.join("secret"), "the answers").unwrap();
    std::os::unix::fs::symlink("../secret", folder.join("bots/link.py")).unwrap();
    let run = tournament(&folder, &["bots"], &["--game", "tic-tac-toe", "--quiet"]);
    run.and_says("bots/folder.so is left out: `bots/folder.so` is a folder, not a file");
    run.and_says("bots/link.py is left out: it is a link; put the file itself there, or name the link on the command line");
    assert!(run.expect(0).contains("2 players"));
}

#[test]
fn a_bot_that_cannot_start_loses_its_games_and_stops_nothing() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let folder = scratch("cannot-start");
    fs::write(folder.join("broken.so"), "this is no plugin\n").unwrap();
    let run = tournament(
        &folder,
        &[&random, "broken.so", &greedy],
        &["--game", "tic-tac-toe", "--output", "report.json"],
    );
    run.and_says("broken.so cannot be loaded and will lose its games");
    assert_eq!(run.err.matches("could not be loaded").count(), 1, "it is the same every time: {}", run.err);
    run.expect(0);
    let report = json(folder.join("report.json"));
    let players = report["plan"]["players"].as_array().unwrap();
    let broken = players.iter().position(|player| player["name"] == "broken").unwrap();
    assert_eq!(
        (&report["totals"][broken]["losses"], &report["totals"][broken]["errors"]["not-loaded"]),
        (&4.into(), &4.into())
    );
    assert_eq!(report["games_ended"], 6);
    arbiter(&folder, &["verify", "report.json"]).expect(0);
    tournament(&folder, &[&random, "mistyped.so"], &["--game", "tic-tac-toe"])
        .says(3, "cannot read bot mistyped.so");
    fs::create_dir(folder.join("empty")).unwrap();
    for (given, hint) in [("empty", "no bots in empty"), ("empty/*.so", "no file fits this pattern")] {
        tournament(&folder, &[given], &["--game", "tic-tac-toe"]).says(3, hint);
    }
    arbiter(&folder, &["standings", "empty"]).says(4, ".json");
}

/// The command that began it would begin anew for ever, since one of its bots is another one now.
#[test]
fn who_goes_on_with_bots_that_have_changed_hears_that_their_files_are_needed() {
    let folder = scratch("changed-bots");
    for name in ["alice.so", "bob.so", "carol.so", "dave.so"] {
        fs::copy(c_bot("first"), folder.join(name)).unwrap();
    }
    fs::copy(c_bot("flaky"), folder.join("eve.so")).unwrap();
    let bots = ["alice.so", "bob.so", "carol.so", "dave.so", "eve.so"];
    let play = ["--game", "tic-tac-toe", "--rounds", "100", "--jobs", "1"];
    let words = [&["tournament"], &bots[..], &play].concat();
    let full = arbiter_after("ulimit -f 400; exec", &folder, &words);
    assert_eq!(full.code, 4, "{}", full.err);
    fs::copy(c_bot("fainting"), folder.join("eve.so")).unwrap();
    let again = [&words[..], &["--resume"]].concat();
    let run = arbiter_after("ulimit -f 400; exec", &folder, &again);
    run.and_says("other players: eve.so has changed");
    run.and_says("to go on with that: the same command as before, with arbiter and the files");
}

/// Otherwise somebody who names everything in a folder has notes and archives among those who take part, and is refused for a folder.
#[test]
fn the_bots_in_a_folder_take_part_and_nothing_else_does() {
    let folder = scratch("folder-takes-part");
    let bots = folder.join("bots");
    bots_in(&folder, &["random", "greedy", "bridge_wasm"]);
    fs::create_dir(bots.join("__MACOSX")).unwrap();
    for name in ["README.md", "david.c", "._random.so", "broken.so"] {
        fs::write(bots.join(name), "this is no plugin\n").unwrap();
    }
    fs::copy(c_bot_with("first", &["-DGAMES=\"othello\""]), bots.join("othello.so")).unwrap();
    let options =
        ["--game", "tic-tac-toe", "--time-odds", "1:3s", "--name", "2:Guest", "--output", "report.json"];
    let run = tournament(&folder, &["bots", &sample_bot("random")], &options);
    run.and_says("left out: README.md, __MACOSX, david.c. ");
    run.and_says("broken.so cannot be loaded and will lose its games");
    run.and_says("othello.so is left out: it does not play tic-tac-toe; it plays othello");
    run.expect(0);
    let report = json(folder.join("report.json"));
    let players = report["plan"]["players"].as_array().unwrap();
    let mut files: Vec<_> = players.iter().map(|player| player["file"].as_str().unwrap()).collect();
    files.retain(|file| file.starts_with("bots"));
    files.sort_unstable();
    assert_eq!(files, ["bots/broken.so", "bots/greedy.so", "bots/random.so"]);
    assert_eq!(players.iter().filter(|player| player["name"] == "Guest").count(), 1, "{players:?}");
    // What is said of a place is said of all bots in the folder that is there.
    let has_more_time = |player: &&Value| player["time"]["move_ns"] == 3_000_000_000_u64;
    assert_eq!(players.iter().filter(has_more_time).count(), 3, "{players:?}");
    // A folder is seen from the file that names it, as every path is.
    fs::write(folder.join("cup.toml"), "game = \"tic-tac-toe\"\nbots = [\"bots\"]\n").unwrap();
    fs::create_dir(folder.join("elsewhere")).unwrap();
    let planned = ["tournament", "--file", "../cup.toml", "--dry-run"];
    let planned = arbiter(&folder.join("elsewhere"), &planned).expect(0);
    assert!(planned.contains("3 players") && planned.contains("../bots/greedy.so"), "{planned}");
}

#[test]
fn what_both_bots_say_ends_a_game_and_is_judged_again_without_them() {
    let alphabeta = sample_bot("alphabeta");
    let folder = scratch("agreed");
    let args = [
        "--game", "connect-four", "--move-time", "20ms", "--draw-score", "2000000000,4", "--openings",
        "none", "--quiet",
    ];
    tournament(&folder, &[&alphabeta, &alphabeta], &[&args[..], &["--output", "report.json"]].concat())
        .expect(0);
    let report = json(folder.join("report.json"));
    for game in games(&report) {
        assert_eq!(game["ending"]["reason"], "agreed-draw");
        assert!(game["plies"].as_array().unwrap().len() < 20, "whatever they say is enough");
    }
    arbiter(&folder, &["verify", "report.json"]).expect(0);
    fs::write(folder.join("canonical.json"), canonical(&folder, "report.json")).unwrap();
    arbiter(&folder, &["verify", "canonical.json"]).expect(0);
    let forged = fs::read_to_string(folder.join("report.json")).unwrap().replace("agreed-draw", "agreed-win");
    fs::write(folder.join("forged.json"), forged).unwrap();
    arbiter(&folder, &["verify", "forged.json"]).expect(1);
}

#[test]
fn each_adjudication_is_recorded_and_judged_again() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let folder = scratch("adjudications");
    let ends = |args: &[&str]| -> Vec<String> {
        // By lot, seats would follow from the bytes of the bots' files, and the games with them.
        let plan = ["--seed", "9", "--seeding", "given", "--quiet", "--output", "report.json"];
        tournament(&folder, &[&random, &greedy], &[args, &plan].concat()).expect(0);
        arbiter(&folder, &["verify", "report.json"]).expect(0);
        let report = json(folder.join("report.json"));
        games(&report).iter().map(|game| game["ending"]["reason"].as_str().unwrap().to_owned()).collect()
    };
    let draw = ends(&["--game", "othello", "--max-plies", "20"]);
    assert_eq!(draw, ["max-plies", "max-plies"]);
    let score = ends(&["--game", "othello", "--max-plies", "20", "--at-max-plies", "score", "--rounds", "3"]);
    assert!(score.iter().all(|reason| reason == "score-at-max-plies"), "{score:?}");
    let report = json(folder.join("report.json"));
    for game in games(&report) {
        let discs: Vec<i64> =
            game["scores"]["discs"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
        let ranks = discs.iter().map(|own| 1 + discs.iter().filter(|other| *other > own).count());
        assert_eq!(game["outcome"]["ranks"], ranks.collect::<Value>(), "{discs:?}");
    }
    let star = [
        "--game", "chinese-checkers", "-O", "max_rounds=3", "--openings", "none", "--max-plies", "5",
        "--at-max-plies", "score",
    ];
    ends(&star);
    for game in games(&json(folder.join("report.json"))) {
        let to_go: Vec<i64> = game["scores"]["distance_to_go"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_i64().unwrap())
            .collect();
        let ranks = to_go.iter().map(|own| 1 + to_go.iter().filter(|other| *other < own).count());
        assert_eq!(game["outcome"]["ranks"], ranks.collect::<Value>(), "less to go is better: {to_go:?}");
    }
    let stacks = [
        "--game", "stacks", "-O", "n=3", "-O", "repetition=0", "--openings", "none", "--max-repetitions",
        "2", "--rounds", "20",
    ];
    let repeated = ends(&stacks);
    assert!(repeated.iter().any(|reason| reason == "repeated-position"), "{repeated:?}");
    let standings = arbiter(&folder, &["standings", "report.json"]).expect(0);
    assert!(standings.contains("were drawn by adjudication"), "the policy is named: {standings}");
}

#[test]
fn openings_come_from_a_file_and_pairs_share_them() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let folder = scratch("openings");
    let drawn = concat!(env!("CARGO_MANIFEST_DIR"), "/openings/connect-four-12ply-drawn.txt");
    let args = ["--game", "connect-four", "--openings", drawn, "--rounds", "2", "--seed", "10"];
    let report = play(&folder, &[&random, &greedy, &random], &args, 12);
    assert_eq!(
        report["plan"]["openings"]["lines"].as_array().unwrap().len(),
        160,
        "no two lines are the same"
    );
    for pair in games(&report).chunks(2) {
        let opening = |game: &Value| game["plies"].as_array().unwrap()[..12].to_vec();
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
    }
    fs::write(folder.join("positions.txt"), "# a position, and moves\nx3o4 x\nb2 a1\n").unwrap();
    let args = ["--game", "tic-tac-toe", "--openings", "positions.txt", "--rounds", "2", "--seed", "10"];
    let report = play(&folder, &[&random, &greedy], &args, 4);
    assert_eq!(
        (&report["games"][0]["position"], &report["games"][2]["position"]),
        (&"x3o4 x".into(), &Value::Null)
    );
    let replay =
        arbiter(&folder, &["replay", "report.json", "--game-number", "1", "--text", "--ply", "0"]).expect(0);
    assert!(replay.contains("x"), "the game is shown from its own position: {replay}");
    fs::write(folder.join("paths.txt"), "5-18-5 117>106 5-18\n").unwrap();
    let args = ["--game", "chinese-checkers", "--openings", "paths.txt", "--rounds", "2", "--max-plies", "4"];
    let report = play(&folder, &[&random, &greedy], &args, 4);
    let played = |ply: usize| &report["games"][0]["plies"][ply]["move"];
    assert_eq!([0, 1, 2].map(played), ["5-18-5", "117-106", "5-18"], "paths stay as they were given");
    // Older versions saved the shortest path, and what they wrote is still true.
    let saved = fs::read_to_string(folder.join("report.json")).unwrap();
    for (path, fits) in [("5-16-5", true), ("5-17-5", false)] {
        fs::write(folder.join("older.json"), saved.replace(r#""5-18-5","#, &format!(r#""{path}","#)))
            .unwrap();
        assert_eq!(arbiter(&folder, &["verify", "older.json"]).code == 0, fits, "{path}");
    }
    fs::write(folder.join("wrong.txt"), "b2 b2\n").unwrap();
    tournament(&folder, &[&random, &greedy], &["--game", "tic-tac-toe", "--openings", "wrong.txt"])
        .says(2, "line 1: as moves: b2 is taken");
}

#[test]
fn a_tournament_file_says_what_the_command_line_says() {
    let (random, minimax) = (sample_bot("random"), sample_bot("minimax"));
    let folder = scratch("file");
    let toml = format!(
        "bots = [{{ file = {minimax:?}, options = {{ depth = 2 }}, time = \"2s\" }}, {random:?}]\ngame = \"connect-four\"\nrounds = 4\nseed = \"file\"\n\
         no-clock = true\nmax_plies = 30\nprepare_time = \"30s\"\n\n[options]\ncolumns = 5\nrows = 4\n"
    );
    fs::write(folder.join("cup.toml"), toml).unwrap();
    let same = serde_json::json!({
        "bots": [{ "file": minimax, "options": { "depth": 2 }, "time": "2s" }, random], "game": "connect-four", "rounds": 4,
        "seed": "file", "no-clock": true, "max-plies": 30, "prepare-time": "30s", "options": { "columns": 5, "rows": 4 },
    });
    fs::write(folder.join("cup.json"), same.to_string()).unwrap();
    let hash = |bots: &[&str], args: &[&str]| planned(&folder, bots, args)["plan_hash"].clone();
    let typed = [
        "--game", "connect-four", "-O", "columns=5", "-O", "rows=4", "--rounds", "4", "--seed", "file",
        "--no-clock", "--max-plies", "30", "--prepare-time", "30s", "-B", "1:depth=2", "--time-odds", "1:2s",
    ];
    let expected = hash(&[&minimax, &random], &typed);
    assert_eq!(hash(&[], &["--file", "cup.toml"]), expected);
    assert_eq!(hash(&[], &["--file", "cup.json"]), expected);
    for typed in [["--rounds", "5"], ["--time-odds", "1:3s"], ["--prepare-time", "20s"]] {
        assert_ne!(
            hash(&[], &[&["--file", "cup.toml"], &typed[..]].concat()),
            expected,
            "it counts more: {typed:?}"
        );
    }
    let plan = planned(&folder, &[], &["--file", "cup.toml"]);
    let meant = planned_by(&folder, plan["command"].as_str().unwrap());
    assert_eq!(meant["plan_hash"], expected, "the command that is printed means the same");
    for (text, problem) in [
        ("game = othello\n", "is no tournament file"),
        ("game = \"othello\"\nseed = \"a\n", "at line 2, column "),
        ("gmae = \"othello\"\n", "wrong.toml: there is no key 'gmae' (did you mean game?)"),
        ("bots = \"a.so\"\n", "expected a list of files"),
        ("bots = [{ nmae = \"a\" }]\n", "bot 1: unknown field `nmae`, expected one of `file`, `name`"),
    ] {
        fs::write(folder.join("wrong.toml"), text).unwrap();
        tournament(&folder, &[], &["--file", "wrong.toml"]).says(2, problem);
    }
}

/// Half a minute for a game would become half a minute for every move.
#[test]
fn odds_of_a_tournament_on_a_clock_are_clocks() {
    let (random, minimax) = (sample_bot("random"), sample_bot("minimax"));
    let folder = scratch("odds");
    let plan = |time: &str, odds: [&str; 2]| {
        let args = ["--game", "tic-tac-toe", "--seeding", "given", "--seed=-odds", time, "60s"];
        let odds = ["--time-odds", odds[0], "--time-odds", odds[1]];
        planned(&folder, &[&random, &minimax], &[&args[..], &odds].concat())
    };
    let clock = plan("--clock", ["1:30s", "2:20ms/move"]);
    let command = clock["command"].as_str().unwrap();
    assert!(command.contains(" --clock 60s --time-odds 1:30s --time-odds 2:20ms/move "), "{command}");
    assert_eq!(planned_by(&folder, command)["plan_hash"], clock["plan_hash"], "{command}");
    let moves = plan("--move-time", ["1:30s", "2:20ms/move"]);
    let command = moves["command"].as_str().unwrap();
    assert!(command.contains(" --move-time 60s --time-odds 1:30s --time-odds 2:20ms/move "), "{command}");
}

/// One slow bot among many would make the estimate several times too long.
#[test]
fn a_dry_run_adds_up_the_time_of_those_who_play() {
    let (random, minimax) = (sample_bot("random"), sample_bot("minimax"));
    let folder = scratch("estimate");
    let args = ["--game", "tic-tac-toe", "--seed", "long", "--jobs", "1", "--clock", "60s"];
    let odds = ["--time-odds", "1:30s", "--time-odds", "2:20ms/move"];
    let seconds = |bots: &[&str], schedule: &[&str]| {
        let plan = planned(&folder, bots, &[&args[..], &odds, schedule].concat());
        plan["seconds_at_most"].as_f64().unwrap()
    };
    // Thirty turns of 20 ms are 0.6 s.
    let all = seconds(&[&random, &minimax, &random], &[]);
    assert!((all - 2.0 * (30.6 + 90.0 + 60.6)).abs() < 1e-6, "{all}");
    let shown = [&args[..], &odds, &["--dry-run"]].concat();
    let shown = tournament(&folder, &[&random, &minimax, &random], &shown).expect(0);
    assert!(shown.contains("at most 7 min,"), "six minutes and 2.4 s: {shown}");
    // Of the second round nothing is known but that the slowest may meet.
    let swiss = seconds(&[&random, &minimax, &random, &minimax], &["--schedule", "swiss", "--rounds", "2"]);
    assert!((swiss - 2.0 * (30.0 + 0.6 + 60.0 + 60.0) - 4.0 * 120.0).abs() < 1e-6, "{swiss}");
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_whoever_plays() {
    let (random, minimax) = (sample_bot("random"), sample_bot("minimax"));
    let folder = scratch("sprt");
    let test = ["--game", "tic-tac-toe", "--sprt", "0,200", "--seed", "11", "--quiet", "-B", "1:depth=2"];
    for (jobs, output) in [("1", "one.json"), ("4", "four.json")] {
        let args =
            [&test[..], &["--rounds", "2000", "--sprt-exit", "--jobs", jobs, "--output", output]].concat();
        tournament(&folder, &[&minimax, &random], &args).expect(0);
    }
    assert_eq!(canonical(&folder, "one.json"), canonical(&folder, "four.json"));
    let report = json(folder.join("one.json"));
    assert_eq!(report["sprt"]["decision"], "h1");
    let games = report["games_ended"].as_u64().unwrap();
    assert_eq!(
        (games, report["games_asked"].as_u64()),
        (report["sprt"]["units"].as_u64().unwrap() * 2, Some(games))
    );
    assert!(games < 400, "it stops early: {games}");
    let weaker = [
        "--game", "tic-tac-toe", "--sprt", "0,200", "--seed", "11", "--quiet", "--rounds", "2000",
        "--sprt-exit",
    ];
    let run = tournament(&folder, &[&random, &minimax], &weaker);
    assert_eq!(run.code, 1, "the first is not stronger: {}", run.out);
    let as_match = ["--game", "tic-tac-toe", "--sprt", "0,200", "--seed", "11", "--games", "4000", "--quiet"];
    let out = arbiter(&folder, &[&[&*minimax, &random], &as_match[..]].concat()).expect(0);
    assert!(out.contains("The test accepts H1"), "a match stops as well: {out}");
    tournament(&folder, &[&random, &minimax, &random], &["--game", "tic-tac-toe", "--sprt", "0,5"])
        .says(2, "between two bots");
}

/// Two bots that always play alike would otherwise be found unequal by one game, played again and again.
#[test]
fn a_test_that_may_run_out_of_openings_is_warned_of() {
    let (folder, bots) = (scratch("few-openings"), [&*sample_bot("greedy"), &sample_bot("random")]);
    let test = ["--game", "tic-tac-toe", "--sprt", "0,200", "--seed", "1", "--rounds", "9"];
    tournament(&folder, &bots, &[&test[..], &["--openings", "none"]].concat())
        .says(0, "warning: 1 opening for up to 9 pairs of games");
    assert!(!tournament(&folder, &bots, &test).err.contains("warning"));
}

/// A student asks this before every hand-in.
#[test]
fn two_versions_are_compared_until_it_is_known_which_is_stronger() {
    let folder = scratch("compare");
    let [old, new] = ["random", "greedy"].map(sample_bot);
    let asked =
        ["compare", &*old, &*new, "--game", "connect-four", "--seed", "7", "--move-time", "200ms", "--quiet"];
    let out = arbiter(&folder, &asked).expect(0);
    assert!(out.contains(": Greedy is stronger than Random."), "{out}");
    let out = arbiter(&folder, &[&asked[..], &["--rounds", "1"]].concat()).expect(0);
    assert!(out.contains("The test has not decided after 1 pair"), "{out}");
    fs::write(folder.join("cup.toml"), "game = \"connect-four\"\nmove-time = \"200ms\"").unwrap();
    let out = arbiter(&folder, &["compare", &old, &new, "--seed", "7", "--file", "cup.toml"]).expect(0);
    assert!(out.contains(": Greedy is stronger than Random."), "options from a file: {out}");
    let out = arbiter(&folder, &["compare", "--seed", "7", &old, "--file", "cup.toml", &new]).expect(0);
    assert!(out.contains(": Greedy is stronger than Random."), "options before the bots: {out}");
    arbiter(&folder, &["compare", &old, "--game", "hex"]).says(2, "two versions are compared; here are 1");
    arbiter(&folder, &["compare", &old, &new, "--gam", "hex"]).says(2, "unexpected argument '--gam'");
}

/// Otherwise the weaker version would be handed in.
#[test]
fn options_and_the_verdict_of_a_comparison_name_the_versions_in_the_order_of_the_command_line() {
    let folder = scratch("compare-places");
    let compare = |old: &str, new: &str, options: &[&str]| {
        let game = ["--game", "tic-tac-toe", "--seed", "7", "--move-time", "200ms", "--quiet"];
        arbiter(&folder, &[&["compare", old, new], &game[..], options].concat()).expect(0)
    };
    let (minimax, random) = (sample_bot("minimax"), sample_bot("random"));
    let rounds = ["--rounds", "1", "--output", "named.json"];
    let named = ["-B", "1:depth=1", "--name", "1:OLD", "--name", "2:NEW", "--time-odds", "2:100ms"];
    compare(&minimax, &random, &[&named[..], &rounds].concat());
    let report = json(folder.join("named.json"));
    let [new, old] = [0, 1].map(|player| &report["plan"]["players"][player]);
    assert!(new["file"] == *random && new["time"]["move_ns"] == 100_000_000, "{new}");
    assert!(old["file"] == *minimax && old["options"]["depth"] == "1" && old["name"] == "OLD", "{old}");
    assert!(new["name"].as_str().unwrap().starts_with("NEW"), "{new}");

    let path = |name: &str| folder.join(name).display().to_string();
    for name in ["v1.so", "v2.so"] {
        fs::copy(&minimax, path(name)).unwrap();
    }
    let depth = ["-B", "1:depth=1", "-B", "2:depth=6"];
    let out = compare(&path("v1.so"), &path("v2.so"), &depth);
    assert!(out.contains(": Minimax (v2) is stronger than Minimax (v1)."), "{out}");
    let out = compare(&minimax, &minimax, &depth);
    assert!(out.contains(": Minimax (new) is stronger than Minimax (old)."), "{out}");
}

/// Nobody would know otherwise which of two versions of a bot has won.
#[test]
fn bots_that_call_themselves_the_same_are_named_by_their_files() {
    let (folder, random) = (scratch("same-names"), sample_bot("random"));
    for file in ["alice.so", "old/bob.so", "new/bob.so"] {
        fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
        fs::copy(&random, folder.join(file)).unwrap();
    }
    let bots = ["./alice.so", "./old/bob.so", "./new/bob.so", "./alice.so", &sample_bot("greedy")];
    let play = ["--game", "tic-tac-toe", "--rounds", "1"];
    let cup = [&["tournament"], &bots[..], &play].concat();
    arbiter(&folder, &[&cup[..], &["--output", "cup.json"]].concat()).expect(0);
    let players = json(folder.join("cup.json"))["plan"]["players"].clone();
    let named = |player: &Value| {
        (player["name"].as_str().unwrap().to_owned(), player["file"].as_str().unwrap().to_owned())
    };
    let mut named: Vec<_> =
        players.as_array().unwrap().iter().map(named).filter(|(name, _)| name != "Greedy").collect();
    named.sort();
    let expected = [
        ("Random (alice)", "./alice.so"),
        ("Random (alice) (2)", "./alice.so"),
        ("Random (new/bob.so)", "./new/bob.so"),
        ("Random (old/bob.so)", "./old/bob.so"),
    ];
    assert_eq!(named, expected.map(|(name, file)| (name.to_owned(), file.to_owned())));
    // A class has names for files, whatever bots call themselves.
    fs::write(folder.join("names.csv"), "bot,name\nlibgreedy,Staff\nalice,Nobody\nJ\u{fc}rgen,Jo\n").unwrap();
    let table = arbiter(&folder, &["standings", "cup.json"]).expect(0);
    assert!(table.contains("Staff") && table.contains("Random (alice)"), "{table}");
    let anchored = ["--output", "named.json", "--anchor", "Greedy=1500"];
    let table = arbiter(&folder, &[&cup[..], &anchored].concat()).expect(0);
    assert!(table.contains("Staff") && table.contains("Elo, with Staff at 1500"), "{table}");
    // Whoever calls itself like the file of another is not that one. A Mac spells an ü with two characters.
    let of_a_mac = "./Ju\u{308}rgen.so";
    fs::copy(sample_bot("minimax"), folder.join(of_a_mac)).unwrap();
    let bots = [&sample_bot("greedy"), "./alice.so", of_a_mac];
    let other = [&["tournament"], &bots[..], &["--name", "1:alice", "--output", "other.json"]].concat();
    arbiter(&folder, &[&other[..], &play].concat()).expect(0);
    let table = arbiter(&folder, &["standings", "other.json"]).expect(0);
    assert!(["Staff", "Nobody", "Jo "].iter().all(|name| table.contains(name)), "{table}");
    // The command that repeats it needs no names.
    let plan = arbiter(&folder, &[&cup[..], &["--dry-run", "--seeding", "given"]].concat()).expect(0);
    assert!(plan.contains("Random (alice) (2)") && !plan.contains("--name"), "{plan}");
}

/// A teacher would not see otherwise that somebody has handed in what another one wrote.
#[test]
fn bots_that_are_the_same_file_in_several_places_are_remarked_on() {
    let folder = scratch("same-files");
    let bots = ["alice.so", "bob.so"].map(|name| {
        fs::copy(sample_bot("random"), folder.join(name)).unwrap();
        folder.join(name).display().to_string()
    });
    let greedy = sample_bot("greedy");
    let names = ["--name", "1:alice", "--name", "2:bob", "--seeding", "given"];
    let plan = [&["--game", "tic-tac-toe", "--output", "same.json"], &names[..]].concat();
    let run = tournament(&folder, &[&bots[0], &bots[1], &greedy, &greedy], &plan);
    assert!(run.err.contains("warning: alice and bob are the same file."), "before they play: {}", run.err);
    let out = run.expect(0);
    let report = arbiter(&folder, &["report", "same.json"]).expect(0);
    for text in [out, report] {
        let told = text.matches("alice and bob are the same file.").count();
        assert!(told == 1 && text.matches("the same file").count() == 1, "{text}");
    }
}

#[test]
fn a_sequential_test_in_parts_goes_wave_by_wave() {
    let (random, minimax) = (sample_bot("random"), sample_bot("minimax"));
    let folder = scratch("sprt-parts");
    let bots = [&*minimax, &*random];
    let plan = ["--game", "tic-tac-toe", "--sprt", "0,200", "--seed", "12", "--rounds", "500", "--quiet"];
    let plan = [&plan[..], &["-B", "1:depth=2"]].concat();
    tournament(&folder, &bots, &[&plan[..], &["--output", "whole.json"]].concat()).expect(0);
    let mut waves = 0;
    loop {
        let results = format!("wave-{waves}");
        for part in ["1/2", "2/2"] {
            let mut args = [&plan[..], &["--shard", part, "--wave", "5", "--results", &results]].concat();
            if waves > 0 {
                args.extend(["--after", "merged.json"]);
            }
            tournament(&folder, &bots, &args).expect(0);
        }
        let known = if waves > 0 { "merged.json" } else { &results };
        let merged = arbiter(&folder, &["merge", known, &results, "-o", "merged.json"]);
        waves += 1;
        if merged.code == 0 {
            break;
        }
        merged.says(1, "the next wave").and_says("--shard and --wave");
        assert!(waves < 100, "the test never ends");
    }
    assert!(waves > 1, "one wave proves nothing");
    assert_eq!(canonical(&folder, "merged.json"), canonical(&folder, "whole.json"));
    assert_eq!(json(folder.join("merged.json"))["sprt"]["decision"], "h1");
}

#[test]
fn faults_can_be_made_to_count_for_the_exit_code() {
    let (random, flaky) = (sample_bot("random"), c_bot("flaky"));
    let folder = scratch("fail-on-fault");
    let args = ["--game", "othello", "--seed", "12", "--quiet", "--fail-on-fault"];
    tournament(&folder, &[&random, &random], &args).expect(0);
    tournament(&folder, &[&random, &flaky], &[&args[..], &["-B", "2:one_in=2"]].concat()).expect(1);
    // A move that was refused has lost nothing.
    let stumbling = c_bot("stumbling");
    let refused = ["-B", "1:illegal=1", "--max-errors", "0"];
    tournament(&folder, &[&stumbling, &random], &[&args[..], &refused].concat()).expect(0);
}

#[test]
fn a_program_can_follow_a_tournament_event_by_event() {
    let random = sample_bot("random");
    let folder = scratch("follow");
    let out =
        tournament(&folder, &[&random, &random, &random], &["--game", "tic-tac-toe", "--json"]).expect(0);
    let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let number = |ev: &str| events.iter().filter(|event| event["ev"] == ev).count();
    assert_eq!((number("game"), number("report")), (6, 1));
    let last = events.iter().rfind(|event| event["ev"] == "progress").expect("there is progress");
    assert_eq!((&last["games_ended"], last["standings"].as_array().unwrap().len()), (&6.into(), 3));
}

#[test]
fn on_a_terminal_the_standings_are_there_while_games_are_played() {
    let (random, stumbling) = (sample_bot("random"), c_bot("stumbling"));
    let folder = scratch("live");
    let args = [
        "tournament", &random, &*stumbling, &random, "--game", "othello", "--rounds", "50", "-B",
        "2:sleep_ms=15", "--jobs", "1", "--seed", "14",
    ];
    let mut terminal = Terminal::start(&folder, &args, Setup { columns: 130, ..Setup::default() });
    terminal.wait_for("round robin, othello, 3 players, 50 rounds");
    terminal.wait_for("of 300 games");
    terminal.wait_for("rating 95%");
    terminal.wait_for("Stumbling");
    terminal.wait_for("games/s");
    terminal.keys("\x03");
    terminal.wait_for("--resume plays the rest");
    assert_eq!(terminal.exit_code(), 130);
    let report = json(only_file(&folder.join("results"), ".json"));
    assert!(report["games_ended"].as_u64() > Some(0) && report["games_asked"] == 300);
}
