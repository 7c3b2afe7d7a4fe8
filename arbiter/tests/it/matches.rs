//! Whole matches through the command line: real bots, real processes, real files.

use crate::support::{
    Run, arbiter, arbiter_reading, c_bot, charged, command, cores, games, json, on_core, only_file, page,
    page_tools, played, sample_bot, samples, scratch, turns,
};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

#[track_caller]
fn assert_verified(file: &Path) {
    let out = arbiter(Path::new("."), &["verify", file.to_str().unwrap()]).expect(0);
    assert!(out.contains(": ok ("), "{out}");
}

#[test]
fn two_bots_play_ten_games_and_everybody_can_read_how_it_went() {
    let folder = scratch("ten-games");
    let (greedy, minimax) = (sample_bot("greedy"), sample_bot("minimax"));
    let args = [
        &greedy, &minimax, "--game", "othello", "--games", "10", "-B", "2:depth=2", "--no-clock", "--seed",
        "1",
    ];
    let out = arbiter(&folder, &args).expect(0);
    let file = only_file(&folder.join("results"), ".json");
    let last = out.lines().last().unwrap();
    assert_eq!(folder.join(last), file, "the path of the report comes last");
    assert!(out.contains("Greedy – Minimax") && out.contains("points"), "{out}");
    let report = json(&file);
    assert_eq!((&report["games_asked"], &report["games_ended"]), (&10.into(), &10.into()));
    let seats: Vec<_> = games(&report).iter().map(|game| &game["seats"][0]["player"]).collect();
    assert_eq!(seats, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], "seats are swapped from game to game");
    for pair in games(&report).chunks(2) {
        let opening = |game: &Value| game["plies"].as_array().unwrap()[..8].to_vec();
        assert_eq!(opening(&pair[0]), opening(&pair[1]), "each opening is played from both sides");
    }
    assert_verified(&file);
    let table = arbiter(&folder, &["report", "results"]).expect(0);
    assert!(table.contains("10 of 10 games ended") && table.contains("libminimax.so"), "{table}");
}

#[test]
fn bots_in_our_own_process_have_the_stack_that_they_are_promised() {
    let witness = c_bot("witness");
    let bots = [&*witness, &witness, "-B", "1:do=use stack"];
    let args = ["--game", "othello", "--games", "100", "--jobs", "2", "--in-process", "--json"];
    arbiter(&scratch("stacks"), &[&bots[..], &args].concat()).expect(0);
}

#[test]
fn events_of_games_played_at_the_same_time_are_whole_lines() {
    let random = sample_bot("random");
    let args = [&random, &random, "--game", "tic-tac-toe", "--games", "8", "--jobs", "4", "--json"];
    let out = arbiter(&scratch("json-lines"), &args).expect(0);
    let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let number = |ev: &str| events.iter().filter(|event| event["ev"] == ev).count();
    assert_eq!((number("start"), number("end"), number("report")), (8, 8, 1));
    let described = page("arbiter/src/ui/README.md");
    for event in &events {
        let fields = event.as_object().unwrap().keys().map(String::as_str);
        for word in fields.chain([event["ev"].as_str().unwrap()]) {
            assert!(described.contains(&format!("`{word}`")), "nobody is told what {word} is: {event}");
        }
    }
}

#[test]
fn every_format_of_a_report_tells_the_same_games() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let (file, report) =
        played("formats", &[&random, &greedy, "--game", "connect-four", "--games", "3", "--seed", "7"]);
    let print =
        |format| arbiter(Path::new("."), &["report", file.to_str().unwrap(), "--format", format]).expect(0);
    let csv = print("csv");
    assert_eq!(csv.lines().count(), 4, "{csv}");
    let head = "report,game,seats,winner,how,reason,plies,duration_ns,errors";
    assert!(csv.starts_with(&format!("{head}\n{},1,Random|Greedy,", file.display())), "{csv}");
    let taken = csv.lines().nth(1).and_then(|row| row.rsplit(',').nth(1)?.parse().ok());
    assert_eq!(
        taken,
        report["games"][0]["duration_ns"].as_u64(),
        "a short game does not take no time: {csv}"
    );
    assert!(print("md").contains("| game | seats "), "{}", print("md"));
    let summary: Value = serde_json::from_str(&print("json")).unwrap();
    assert_eq!(summary["totals"], report["totals"]);
    assert_eq!(games(&summary).len(), 3);
}

#[test]
fn rows_have_a_column_for_everything_and_nothing_left_out() {
    let random = sample_bot("random");
    let (file, ours) = played("rows", &[&random, &random, "--game", "tic-tac-toe", "--games", "3"]);
    let folder = file.parent().unwrap();
    let csv = arbiter(folder, &["report", "report.json", "--format", "csv", "--rows", "games"]).expect(0);
    let lines: Vec<&str> = csv.lines().collect();
    assert!(
        lines.len() == 4 && lines[0].contains(",player_1,rank_1,") && lines[0].ends_with(",charged_ns_2"),
        "{csv}"
    );
    let fields = |line: &str| line.split(',').count();
    assert!(lines.iter().all(|line| fields(line) == fields(lines[0])), "{csv}");
    let plies = arbiter(folder, &["report", "report.json", "--format", "json", "--rows", "plies"]).expect(0);
    let rows: Vec<Value> = plies.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let asked = games(&ours).iter().map(|game| game["plies"].as_array().unwrap().len());
    assert_eq!(rows.len(), asked.sum::<usize>());
    for row in rows.iter().filter(|row| row["by"] == "player") {
        assert!(row["wall_ns"].is_u64() && row["charged_ns"].is_u64() && row["seat"].is_u64(), "{row}");
    }
    arbiter(folder, &["report", "report.json", "--rows", "plies"]).says(2, "--format csv, tsv or json");
}

#[test]
fn a_saved_report_shows_the_points_that_the_end_of_the_match_showed() {
    let folder = scratch("points");
    let (random, minimax) = (sample_bot("random"), sample_bot("minimax"));
    let args = [&*random, &minimax, "--game", "tic-tac-toe", "--games", "30", "-o", "points.json"];
    let played = arbiter(&folder, &args).expect(0);
    let (_, totals) = played.split_once("#  player").expect("a match ends with its totals");
    let totals = totals.split_once("\n\n").map_or(totals, |(table, _)| table);
    let [first, ..] = totals.lines().skip(1).collect::<Vec<_>>()[..] else { panic!("{played}") };
    assert!(first.starts_with("1  Minimax") && !first.contains(" 0.0 "), "{played}");
    let report = arbiter(&folder, &["report", "points.json"]).expect(0);
    assert!(report.contains(totals), "{report}\n---\n{played}");
}

#[test]
fn several_reports_make_one_table_of_values_and_a_bad_one_does_not_hide_the_others() {
    let folder = scratch("several");
    let first = c_bot("first");
    for output in ["a.json", "b.json"] {
        arbiter(&folder, &[&first, &first, "--game", "tic-tac-toe", "--quiet", "--output", output]).expect(0);
    }
    let csv = arbiter(&folder, &["report", ".", "--format", "csv"]).expect(0);
    assert_eq!(csv.lines().filter(|line| line.starts_with("report,")).count(), 1, "{csv}");
    assert!(csv.contains("\n./a.json,1,") && csv.contains("\n./b.json,1,"), "{csv}");
    fs::write(folder.join("aa.json"), "{").unwrap();
    let reported = arbiter(&folder, &["report", ".", "--format", "json"]);
    assert_eq!(reported.out.lines().count(), 2, "one object a line: {}", reported.out);
    let verified = arbiter(&folder, &["verify", "a.json", "aa.json", "missing.json", "b.json"]);
    assert_eq!(verified.out.matches(": ok (").count(), 2, "{}", verified.out);
    for run in [reported, verified] {
        run.says(4, "aa.json is not a match report");
    }
}

#[test]
fn names_of_bots_and_words_of_forged_files_cannot_leave_their_cells() {
    let first = c_bot("first");
    let (file, mut report) = played("hostile-words", &[&first, &first, "--game", "tic-tac-toe"]);
    report["plan"]["players"][0]["name"] = "a|b,\"c\u{1b}[2J\u{202e}<i>".into();
    report["plan"]["players"][1]["name"] = "\u{9b}2J\u{2066}\u{e0041}".into();
    report["games"][0]["ending"]["reason"] = "\u{1b}]0;title\u{7}".into();
    report["games"][0]["plies"][0]["pondered_ns"] = 1_000_000.into();
    report["started"] = "\u{9b}2J".into();
    fs::write(&file, report.to_string()).unwrap();
    let print =
        |format| arbiter(Path::new("."), &["report", file.to_str().unwrap(), "--format", format]).expect(0);
    for format in ["table", "md", "csv", "json"] {
        let text = print(format);
        let is_hidden = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{2066}\u{e0041}".contains(c);
        assert!(!text.contains(is_hidden), "{format}: {text:?}");
    }
    let json: Value = serde_json::from_str(&print("json")).unwrap();
    let names = report["plan"]["players"].as_array().unwrap().iter().map(|player| player["name"].clone());
    assert_eq!(json["players"], names.collect::<Value>(), "a program reads what was there");
    assert!(print("md").contains(r#"| a\|b,"c\\x1b\[2J\\u{202e}\<i\>"#), "{}", print("md"));
    assert!(print("csv").contains(r#"a|b,""c\x1b[2J"#), "{}", print("csv"));
    let md = print("md");
    assert!(md.contains("ran between its turns before 1 of "), "{md}");
    assert!(!md.replace(r"\<", "").contains('<'), "sentences have names too: {md}");
}

/// Times on a busy machine would otherwise look like those of a machine of one's own.
#[test]
fn a_report_says_how_much_longer_answers_took_than_clocks_were_charged() {
    let first = c_bot("first");
    let (file, mut report) = played("waited", &[&first, &first, "--game", "tic-tac-toe", "--games", "2"]);
    let mut print = |wall: u64, charged: u64, clock: &str| {
        let set = |times: &mut Value| {
            (times["wall_ns"], times["charged_ns"]) = (wall.into(), charged.into());
        };
        report["totals"].as_array_mut().unwrap().iter_mut().for_each(set);
        for game in report["games"].as_array_mut().unwrap() {
            game["plies"].as_array_mut().unwrap().iter_mut().for_each(set);
        }
        report["plan"]["clock"] = clock.into();
        fs::write(&file, report.to_string()).unwrap();
        let verbs = [&["report", file.to_str().unwrap()][..], &["standings", file.to_str().unwrap()]];
        verbs.map(|words| arbiter(Path::new("."), words).out)
    };
    let [quiet, standings] = print(2_200_000_000, 2_000_000_000, "processor");
    let said = "Clocks: processor time; bots waited 1.10 times as long as they were charged.";
    assert!(quiet.contains(said) && !quiet.contains("too busy"), "{quiet}");
    assert!(!standings.contains("bots waited"), "little is not worth a sentence there: {standings}");
    for busy in print(3_000_000_000, 2_000_000_000, "processor") {
        assert!(busy.contains("bots waited 1.50 times") && busy.contains("too busy"), "{busy}");
    }
    for wall in print(3_000_000_000, 2_000_000_000, "wall") {
        assert!(!wall.contains("bots waited"), "nobody knows it then: {wall}");
    }
}

/// A clock that is not the one on the wall would otherwise be taken for it.
#[test]
fn a_report_names_its_clock_and_what_every_answer_was_charged_with() {
    let first = c_bot("first");
    let contained = if cfg!(target_os = "linux") { "processor" } else { "wall" };
    for (more, clock) in [(&[][..], contained), (&["--in-process"], "wall")] {
        let plan = [&first, &first, "--game", "tic-tac-toe"];
        let (file, report) = played("named-clock", &[&plan[..], more].concat());
        assert_eq!(report["plan"]["clock"], clock, "{more:?}");
        let plies = report["games"][0]["plies"].as_array().unwrap();
        assert!(plies.iter().all(|ply| ply.get("starved_ns").is_none()), "{more:?}");
        let sum: u64 = plies.iter().map(|ply| charged(ply).as_nanos() as u64).sum();
        let totals = report["totals"].as_array().unwrap().iter();
        assert_eq!(totals.map(|sums| sums["charged_ns"].as_u64().unwrap()).sum::<u64>(), sum, "{more:?}");
        let canonical = ["verify", "--canonical", file.to_str().unwrap()];
        let canonical = arbiter(Path::new("."), &canonical).expect(0);
        assert!(!canonical.contains("charged_ns"), "no two runs agree in times: {canonical}");
    }
}

#[test]
fn where_the_locale_knows_no_other_characters_tables_are_plain() {
    let first = c_bot("first");
    let (file, _) = played("plain-table", &[&first, &first, "--game", "tic-tac-toe", "--games", "2"]);
    for (locale, is_plain) in [("C", true), ("C.UTF-8", false)] {
        let mut report = command(Path::new("."), &["report", file.to_str().unwrap()]);
        let table = report.env("LC_ALL", locale).output().unwrap().stdout;
        let table = String::from_utf8(table).unwrap().replace(env!("CARGO_TARGET_TMPDIR"), "");
        assert_eq!(table.is_ascii(), is_plain, "{locale}: {table}");
    }
}

#[test]
fn a_position_may_begin_with_a_hyphen() {
    let start = "---------------------------OX------XO--------------------------- X";
    let first = c_bot("first");
    let args =
        [&first, &first, "--game", "othello", "--games", "4", "--openings", "random:2", "--position", start];
    let (file, report) = played("hyphens", &args);
    assert_eq!(report["plan"]["position"], start);
    assert_verified(&file);
}

#[test]
fn reports_are_what_their_schema_says() {
    let Some(tools) = page_tools() else { return };
    let schema = scratch("schema").join("schema.json");
    fs::write(&schema, arbiter(Path::new("."), &["schema"]).expect(0)).unwrap();
    let (random, faulty) = (sample_bot("random"), c_bot("faulty"));
    let (plain, _) = played(
        "schema-plain",
        &[&random, &random, "--game", "stacks", "-O", "earthquake=true", "--games", "2"],
    );
    let (fault, _) =
        played("schema-fault", &[&random, &faulty, "--game", "othello", "-B", "2:choose_move=segfault"]);
    let mut node = Command::new("node");
    node.arg(tools.join("schema.js")).arg(schema).args(samples()).args([plain, fault]);
    Run::from(node.output().expect("node starts")).expect(0);
}

/// Who gives odds would lose every game if they stayed with the seat, or went to the other bot.
#[test]
fn a_bot_has_the_time_of_its_own_in_every_seat() {
    let stumbling = c_bot("stumbling");
    let args = [
        [&stumbling, &stumbling, "--game", "tic-tac-toe", "--games", "2"],
        ["-B", "1:sleep_ms=400", "-B", "2:sleep_ms=400", "--move-time", "100ms"],
        ["--time-odds", "2:none", "--time-odds", "2:60s+1s", "--seed", "odds"],
    ];
    let (file, report) = played("time-odds", &args.concat());
    for game in games(&report) {
        let seat = &game["ending"]["seat"];
        let loser = &game["seats"][seat.as_u64().expect("somebody lost on time") as usize];
        assert_eq!(loser["player"], 0, "{}", game["ending"]);
        assert_eq!(game["ending"]["fault"]["limit"], 100_000_000);
    }
    let times = [0, 1].map(|player| &report["plan"]["players"][player]["time"]);
    let names = [0, 1].map(|player| report["plan"]["players"][player]["name"].as_str().unwrap());
    assert_eq!(names, ["Stumbling", "Stumbling 60s+1s"], "tables tell them apart");
    assert_eq!((&times[0]["move_ns"], &times[1]["move_ns"]), (&100_000_000.into(), &Value::Null));
    assert_eq!(
        (&times[1]["base_ns"], &times[1]["increment_ns"]),
        (&60_000_000_000_u64.into(), &1_000_000_000.into())
    );
    assert_verified(&file);
}

#[test]
fn a_report_replaces_nothing_but_a_report() {
    let folder = scratch("replace");
    let first = c_bot("first");
    let play = |output: &str| {
        arbiter(&folder, &[&first, &first, "--game", "tic-tac-toe", "--quiet", "--output", output])
    };
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::write(folder.join("room.json"), "").unwrap();
    // `/dev/stdout` is a link to a file that is empty, where that is what a shell has opened.
    for (link, to) in [("device", "/dev/null"), ("link", "room.json"), ("nowhere", "not-there.json")] {
        std::os::unix::fs::symlink(to, folder.join(link)).unwrap();
    }
    for place in ["notes.txt", "device", "link", "nowhere"] {
        let run = play(place);
        assert_eq!(run.code, 4, "{place}: {}", run.err);
        run.and_says("is there already and is no match report");
    }
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "mine");
    fs::write(folder.join("empty.json"), "").unwrap();
    let told = |run: Run| run.code == 0 && run.err.contains("the report empty.json is replaced at the end");
    let aloud = ["--game", "tic-tac-toe", "--output", "empty.json"];
    let again = || arbiter(&folder, &[&[&*first, &*first], &aloud[..]].concat());
    assert_eq!([again(), again()].map(told), [false, true]);
    assert_verified(&folder.join("empty.json"));
}

#[test]
fn a_killed_run_leaves_no_temporary_files_for_ever() {
    let folder = scratch("leftovers");
    let first = c_bot("first");
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let living = std::process::id();
    let [left, foreign, used] = [
        format!("report.json.{}.tmp", gone.id()),
        format!("other.json.{}.tmp", gone.id()),
        format!("report.json.{living}.tmp"),
    ];
    for file in [&left, &foreign, &used] {
        fs::write(folder.join(file), "half a report").unwrap();
    }
    arbiter(&folder, &[&first, &first, "--game", "tic-tac-toe", "--output", "report.json"]).expect(0);
    let is_there = |file: &String| folder.join(file).exists();
    assert_eq!([&left, &foreign, &used].map(is_there), [false, true, true]);
}

#[test]
fn a_person_plays_through_a_pipe_and_the_report_is_judged_like_any_other() {
    let folder = scratch("person");
    let first = c_bot("first");
    let moves = "zz\na1\n?\nboard\nclock\nhelp\nf5\n".to_owned() + &"resign\n".repeat(2);
    let out = arbiter_reading(&folder, &["human", &first, "--game", "othello"], &moves).expect(0);
    for line in [
        "game othello players 2 you 1",
        "turn 1 legal d3 c4 f5 e6 clock none",
        "refused zz not-understood: 'zz' is not a move. Moves look like: d3.",
        "refused a1 not-a-capture: a1 turns no disc: a disc must trap at least one opposing disc in a straight line.",
        "legal d3 c4 f5 e6",
        "move 1 f5 flips e5",
        "end winner 2 score 3 3 reason resigned",
    ] {
        assert!(out.lines().any(|said| said == line), "{line:?} is missing in\n{out}");
    }
    let file = only_file(&folder.join("results"), ".json");
    let report = json(&file);
    assert_eq!(report["plan"]["players"][0]["kind"], "human");
    assert_eq!(report["games"][0]["errors"], Value::Null, "people are not punished for a slip");
    assert_verified(&file);
}

#[test]
fn leaving_through_a_pipe_leaves_the_match_and_resigning_only_the_game() {
    let folder = scratch("leave-pipe");
    let args = ["human", "human", "--game", "othello", "--games", "3"];
    for input in ["resign\nquit\n", "resign\n"] {
        let run = arbiter_reading(&folder, &args, input);
        assert_eq!(run.code, 130, "{}{}", run.out, run.err);
        assert_eq!(run.out.matches("\nend ").count(), 2, "the third game never begins: {}", run.out);
        assert!(run.out.contains("reason resigned") && run.out.contains("reason left"), "{}", run.out);
        assert!(run.out.contains("saved 2 of 3 games"), "{}", run.out);
        run.and_says("2 of 3 games ended and are saved; the same command with --resume");
    }
}

#[test]
fn with_count_slips_a_script_is_judged_like_a_bot() {
    let folder = scratch("slips");
    let args = ["human", &c_bot("first"), "--game", "othello", "--count-slips"];
    let out = arbiter_reading(&folder, &args, "a1\na1\na1\n").expect(0);
    assert!(out.contains("end winner 2 score 2 2 reason illegal-move"), "{out}");
    assert_verified(&only_file(&folder.join("results"), ".json"));
}

#[test]
fn games_of_more_seats_go_on_without_a_seat_that_resigns() {
    let folder = scratch("three-seats");
    let first = c_bot("first");
    let args = ["human", &first, &first, "--game", "chinese-checkers", "-O", "max_rounds=3"];
    let out = arbiter_reading(&folder, &args, "6-14\nresign\n").expect(0);
    assert!(out.contains("out 1 resigned: seat 1 resigned"), "{out}");
    let file = only_file(&folder.join("results"), ".json");
    let report = json(&file);
    assert_eq!(report["games"][0]["eliminations"][0]["seat"], 0);
    assert_eq!(report["games"][0]["ending"]["reason"], "round-limit");
    assert_eq!(report["games"][0]["outcome"]["ranks"], serde_json::json!([2, 1, 1]));
    assert_verified(&file);
}

#[test]
fn bots_inside_the_referee_play_the_same_games_as_bots_outside() {
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let plan = [&random, &greedy, "--game", "ultimate", "--games", "4", "--seed", "same", "--no-clock"];
    let (_, outside) = played("outside", &plan);
    let (_, inside) = played("inside", &[&plan[..], &["--in-process"]].concat());
    let moves = |report: &Value| -> Vec<Value> {
        let games = games(report).iter();
        games
            .flat_map(|game| game["plies"].as_array().unwrap().iter().map(|ply| ply["move"].clone()))
            .collect()
    };
    assert_eq!(moves(&outside), moves(&inside));
}

/// What each player was found to have used on its opponent's time, before each of its moves where it was more than
/// nothing, in nanoseconds.
fn pondered(report: &Value) -> [Vec<u64>; 2] {
    let mut times = [vec![], vec![]];
    for game in games(report) {
        for (seat, ply) in turns(game) {
            let player = game["seats"][seat as usize]["player"].as_u64().unwrap();
            times[player as usize].extend(ply["pondered_ns"].as_u64());
        }
    }
    times
}

/// How often it is found is tried in `proofs/pondering.rs`.
#[test]
fn thinking_on_the_opponents_time_is_noted_and_can_be_prevented() {
    let (clocked, stumbling) = (c_bot("clocked"), c_bot("stumbling"));
    let bots = [&*clocked, &stumbling, "-B", "1:ponder_ms=5", "-B", "2:sleep_ms=40"];
    let plan = [&bots[..], &["--game", "othello", "--max-plies", "20", "--no-clock"]].concat();
    let (file, report) = played("ponders", &plan);
    let plies = turns(&report["games"][0]);
    let moves = plies.iter().filter(|(seat, ply)| *seat == 0 && ply["by"].is_null()).count();
    let found = pondered(&report);
    // A machine with much else to do may not let it think between two turns.
    assert!(!found[0].is_empty() && found[1].is_empty(), "{found:?}");
    let table = arbiter(Path::new("."), &["report", file.to_str().unwrap()]).expect(0);
    let times = found[0].len();
    let remark = format!("Clocked ran between its turns before {times} of {moves} moves, and paid for it.");
    assert!(table.contains(&remark), "{table}");
    let (_, stopped) = played("stopped", &[&plan[..], &["--stop-between-turns"]].concat());
    let [of_stopped, others] = pondered(&stopped);
    // On a busy machine it can run for a moment until the signal reaches it, and pays for that.
    assert!(of_stopped.iter().sum::<u64>() < found[0].iter().sum::<u64>() / 10, "{of_stopped:?}");
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn who_asks_for_more_than_the_machine_has_is_told_what_there_is() {
    let (folder, first) = (scratch("more-than-there-is"), c_bot("first"));
    let told = |args: &[&str]| {
        let all = [&[&*first, &*first, "--game", "tic-tac-toe", "--games", "4", "--output", "x.json"], args]
            .concat();
        let ran = on_core(cores()[0], || arbiter(&folder, &all));
        fs::remove_file(folder.join("x.json")).unwrap();
        ran.err
    };
    let games = told(&["--jobs", "3"]);
    assert!(games.contains("warning: 3 games at the same time on 1 core: bots will wait"), "{games}");
    let threads = told(&["--threads", "4"]);
    assert!(threads.contains("warning: --threads 4 on 1 core: bots are told that they have 1"), "{threads}");
    assert!(!told(&["--jobs", "1"]).contains("warning"));
}
