//! Matches that go on where they were broken off: what is played then and what is left alone, who is taken for the same bot,
//! and what is said where it is another.

use crate::support::{
    Run, arbiter, c_bot, command, command_after, games, journal_of, json, only_file, scratch, send,
};
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// Makes a journal of a report, as if its match had been broken off before the last game.
fn break_off(report: &Path) {
    let mut begun = json(report);
    begun["games"].as_array_mut().unwrap().pop();
    fs::remove_file(report).unwrap();
    fs::write(report.with_extension("json.journal"), journal_of(&begun)).unwrap();
}

/// Otherwise a bot could keep a tournament from being resumed or put together by calling itself another name each time.
#[test]
fn a_bot_that_says_something_else_of_itself_each_time_stays_the_same_bot() {
    let folder = scratch("changeable");
    let (changeable, first) = (c_bot("changeable"), c_bot("first"));
    let bots = [&*changeable, &*first];
    for verb in [&["tournament"][..], &[], &["compare"]] {
        let plan =
            [verb, &bots, &["--game", "tic-tac-toe", "--seed", "1", "--output", "report.json"]].concat();
        let plan = match verb {
            ["compare"] => [&plan[..], &["--rounds", "2"]].concat(),
            [] => [&plan[..], &["--games", "3"]].concat(),
            _ => plan,
        };
        arbiter(&folder, &plan).expect(0);
        let players = json(folder.join("report.json"))["plan"]["players"].clone();
        break_off(&folder.join("report.json"));
        arbiter(&folder, &[&plan[..], &["--resume"]].concat()).expect(0);
        assert_eq!(json(folder.join("report.json"))["plan"]["players"], players, "{verb:?}");
        arbiter(&folder, &["verify", "report.json"]).expect(0);
        let finished = arbiter(&folder, &[&plan[..], &["--resume"]].concat());
        finished.and_says("this is finished");
    }
    let plan =
        [&["tournament"], &bots[..], &["--game", "tic-tac-toe", "--rounds", "2", "--seed", "1"]].concat();
    for part in ["1/2", "2/2"] {
        arbiter(&folder, &[&plan[..], &["--shard", part, "--results", "parts"]].concat()).expect(0);
    }
    arbiter(&folder, &["merge", "parts", "--output", "merged.json"]).expect(0);
    arbiter(&folder, &["verify", "merged.json"]).expect(0);
}

/// A name that somebody gives a bot is part of what is played.
#[test]
fn another_name_than_before_is_another_tournament() {
    let folder = scratch("resume-name");
    let first = c_bot("first");
    let plan = |name| {
        let bot = &*first;
        [
            "tournament", bot, bot, "--game", "tic-tac-toe", "--seed", "1", "--output", "report.json",
            "--name", name,
        ]
    };
    arbiter(&folder, &plan("1:Anna")).expect(0);
    break_off(&folder.join("report.json"));
    arbiter(&folder, &[&plan("1:Ben")[..], &["--resume"]].concat())
        .says(4, "has another --name: Anna, not Ben");
    arbiter(&folder, &[&plan("1:Anna")[..], &["--resume"]].concat()).expect(0);
}

/// As a bot's: the command that was typed first may have named it, or an earlier version called it something else.
#[test]
fn a_program_without_a_name_now_has_the_one_of_then() {
    let folder = scratch("resume-program");
    let plan = [
        "tournament", "program:false", "program:false x", "--game", "tic-tac-toe", "--seed", "1",
        "--time-odds", "2:5s", "--output", "report.json",
    ];
    arbiter(&folder, &[&plan[..], &["--name", "1:Anna", "--name", "2:false (program) 5s"]].concat())
        .expect(0);
    let players = json(folder.join("report.json"))["plan"]["players"].clone();
    break_off(&folder.join("report.json"));
    arbiter(&folder, &[&plan[..], &["--resume"]].concat()).expect(0);
    assert_eq!(json(folder.join("report.json"))["plan"]["players"], players);
}

/// Otherwise days of games are begun anew without a word, or nobody knows which of many files it is.
#[test]
fn what_has_changed_is_said_even_to_who_asks_for_quiet() {
    let folder = scratch("resume-changed");
    fs::copy(c_bot("first"), folder.join("anna.so")).unwrap();
    fs::copy(c_bot("flaky"), folder.join("ben.so")).unwrap();
    let usual = ["tournament", "./anna.so", "./ben.so", "--game", "tic-tac-toe", "--seed", "1"];
    let more = ["--move-time", "1s", "--max-errors", "3", "-B", "2:one_in=9"];
    let report = ["--output", "results/report.json"];
    arbiter(&folder, &[&usual[..], &more, &report].concat()).expect(0);
    let report = folder.join("results/report.json");
    let resume = |args: &[&str]| {
        let begun = arbiter(&folder, &[args, &["--resume", "--quiet"]].concat());
        let made = folder.join(begun.out.lines().last().unwrap());
        (begun.err, made)
    };
    break_off(&report);
    let other = |from: &str, to: &str| {
        let all = [&usual[..], &more].concat();
        all.into_iter()
            .map(|word| if word == from { to.to_owned() } else { word.to_owned() })
            .collect::<Vec<_>>()
    };
    fs::write(folder.join("lines.txt"), "b2\n").unwrap();
    let same = other("", "");
    let and = |more: &str| [other("", ""), more.split(' ').map(str::to_owned).collect()].concat();
    for (words, sentence) in [
        (and("--margin 1s"), "has --margin 0.005s, not 1s"),
        (and("--memory 64"), "has no --memory 64"),
        (and("--at-max-plies score"), "has no --at-max-plies score"),
        (and("--resign-score 900"), "has no --resign-score 900,8"),
        (and("--sprt 0,10"), "has no --sprt 0,10"),
        (and("--openings random:3"), "has --openings random:2, not random:3"),
        (and("--openings lines.txt"), "has another --openings"),
        (and("--rounds 2"), "has --rounds 1, not 2"),
        (other("1s", "2s"), "has --move-time 1s, not 2s"),
        (other("3", "5"), "has --max-errors 3, not 5"),
        (other("2:one_in=9", "2:one_in=8"), "has other options for ./ben.so: one_in=9, not one_in=8"),
        (other("./ben.so", "./anna.so"), "has other players: ./ben.so is not among these"),
        (and("./ben.so -B 3:one_in=9"), "has 2 players, not 3: some are named more than once"),
    ] {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (err, made) = resume(&words);
        assert!(err.contains(sentence), "{words:?}: {err}");
        fs::remove_file(made).unwrap();
    }
    fs::write(folder.join("ben.so"), [fs::read(folder.join("ben.so")).unwrap(), vec![0]].concat()).unwrap();
    let same: Vec<&str> = same.iter().map(String::as_str).collect();
    let (err, _) = resume(&same);
    assert!(err.contains("has other players: ./ben.so has changed"), "{err}");
}

/// Whoever does what it says would otherwise be refused again and again.
#[test]
fn what_another_arbiter_has_begun_is_that_ones_to_go_on_with() {
    let (folder, bot) = (scratch("resume-version"), &*c_bot("first"));
    let plan = [bot, bot, "--game", "tic-tac-toe", "--games", "2", "--seed", "1", "--output", "report.json"];
    arbiter(&folder, &plan).expect(0);
    break_off(&folder.join("report.json"));
    let journal = folder.join("report.json.journal");
    let begun = fs::read_to_string(&journal).unwrap();
    let own = concat!("\"arbiter\":\"", env!("CARGO_PKG_VERSION"), "\"");
    fs::write(&journal, begun.replacen(own, "\"arbiter\":\"0.0.1\"", 1)).unwrap();
    let run = arbiter(&folder, &[&plan[..], &["--resume"]].concat());
    run.says(4, "report.json.journal has another version of arbiter: 0.0.1, not ");
    run.and_says("the same command as before, with arbiter and the files of bots as they were");
}

/// Waits until the journal of a running match has so many whole lines, and returns it.
#[track_caller]
fn wait_for_journal(folder: &Path, running: &mut Child, lines: usize) -> PathBuf {
    loop {
        let entries = fs::read_dir(folder.join("results")).into_iter().flatten().flatten();
        let is_journal = |path: &PathBuf| path.extension().is_some_and(|end| end == "journal");
        let is_long =
            |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.lines().count() >= lines);
        if let Some(journal) = entries.map(|entry| entry.path()).filter(is_journal).find(is_long) {
            return journal;
        }
        assert!(running.try_wait().unwrap().is_none(), "the match was over too soon");
        std::thread::yield_now();
    }
}

#[test]
fn a_match_that_is_being_played_cannot_be_resumed_by_another_program() {
    let folder = scratch("played-twice");
    let (first, stumbling) = (c_bot("first"), c_bot("stumbling"));
    let plan =
        [&first, &stumbling, "--game", "othello", "--games", "100", "-B", "2:sleep_ms=20", "--jobs", "1"];
    let mut running = command(&folder, &plan).stderr(Stdio::null()).spawn().unwrap();
    let journal = wait_for_journal(&folder, &mut running, 1);
    let report = journal.with_extension("");
    let seconds = [&["--resume"][..], &["--output", report.to_str().unwrap()]]
        .map(|more| arbiter(&folder, &[&plan[..], more].concat()));
    running.kill().unwrap();
    running.wait().unwrap();
    for second in seconds {
        second.says(4, "still being played by another arbiter");
    }
    assert!(journal.exists());
}

/// Whoever logs out would otherwise find half a night's games.
#[test]
fn a_match_that_nohup_has_started_is_played_to_its_end_when_its_terminal_hangs_up() {
    let folder = scratch("nohup");
    let (first, stumbling) = (c_bot("first"), c_bot("stumbling"));
    let plan =
        [&first, &stumbling, "--game", "tic-tac-toe", "--games", "100", "-B", "2:sleep_ms=5", "--quiet"];
    let mut running =
        command_after("trap '' HUP; exec", &folder, &plan).stderr(Stdio::null()).spawn().unwrap();
    let journal = wait_for_journal(&folder, &mut running, 1);
    send(Signal::HUP, running.id());
    assert_eq!(running.wait().unwrap().code(), Some(0));
    assert_eq!(games(&json(journal.with_extension(""))).len(), 100);
}

/// Whoever reads the folder would otherwise see the games of the first run alone, or lose games that only the report has.
#[test]
fn a_match_that_goes_on_takes_its_report_away_if_the_journal_has_all_of_it() {
    let folder = scratch("resume-report");
    let (first, stumbling) = (c_bot("first"), c_bot("stumbling"));
    let plan =
        [&first, &stumbling, "--game", "othello", "--games", "1000", "-B", "2:sleep_ms=5", "--jobs", "1"];
    let mut running = command(&folder, &plan).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let journal = wait_for_journal(&folder, &mut running, 2);
    send(Signal::INT, running.id());
    running.wait().unwrap();
    let report = journal.with_extension("");
    let (stopped, games) = (fs::read(&report).unwrap(), fs::read_to_string(&journal).unwrap());
    let go_on_and_see = |games: &str| {
        fs::write(&report, &stopped).unwrap();
        fs::write(&journal, games).unwrap();
        let plan = [&plan[..], &["--resume"]].concat();
        let mut running =
            command(&folder, &plan).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for_journal(&folder, &mut running, games.lines().count() + 1);
        running.kill().unwrap();
        running.wait().unwrap();
        report.exists()
    };
    assert!(!go_on_and_see(&games), "the journal is read");
    let header = format!("{}\n", games.lines().next().unwrap());
    assert!(go_on_and_see(&header), "games would be lost");
}

#[test]
fn what_is_put_in_the_place_of_a_report_meanwhile_stays_and_no_game_is_lost() {
    let folder = scratch("replace-meanwhile");
    let (first, stumbling) = (c_bot("first"), c_bot("stumbling"));
    let plan = [&first, &stumbling, "--game", "othello", "--games", "4", "-B", "2:sleep_ms=5"];
    let mut running = command(&folder, &plan);
    running.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut running = running.spawn().unwrap();
    let journal = wait_for_journal(&folder, &mut running, 1);
    let report = journal.with_extension("");
    fs::write(&report, "mine").unwrap();
    Run::from(running.wait_with_output().unwrap()).says(4, "is there already").and_says("move it away, then");
    assert_eq!(fs::read_to_string(&report).unwrap(), "mine");
    fs::rename(&report, folder.join("mine")).unwrap();
    arbiter(&folder, &[&plan[..], &["--resume"]].concat()).expect(0);
    arbiter(&folder, &["verify", &report.display().to_string()]).expect(0);
}

#[test]
fn a_results_folder_that_is_deleted_while_a_match_runs_costs_no_game() {
    let folder = scratch("deleted-folder");
    let (first, stumbling) = (c_bot("first"), c_bot("stumbling"));
    let plan =
        [&first, &stumbling, "--game", "tic-tac-toe", "--games", "10", "-B", "2:sleep_ms=20", "--jobs", "1"];
    let mut running = command(&folder, &plan).stdout(Stdio::null()).spawn().unwrap();
    wait_for_journal(&folder, &mut running, 3);
    fs::remove_dir_all(folder.join("results")).unwrap();
    assert!(running.wait().unwrap().success());
    let report = only_file(&folder.join("results"), ".json");
    assert_eq!(json(&report)["games_ended"], 10);
    arbiter(&folder, &["verify", &report.display().to_string()]).expect(0);
}

#[test]
fn a_script_may_resume_again_and_again_without_knowing_how_far_it_came() {
    let folder = scratch("resume-again");
    let first = c_bot("first");
    for place in [&["--output", "named.json"][..], &["--results", "others"]] {
        let plan = [&[&first, &first, "--game", "tic-tac-toe", "--games", "4", "--resume"], place].concat();
        let begun = arbiter(&folder, &plan);
        begun.and_says("there is nothing to go on with: this begins");
        let report = begun.expect(0).lines().last().unwrap().to_owned();
        let text = fs::read(folder.join(&report)).unwrap();
        let again = arbiter(&folder, &plan);
        again.and_says("this is finished");
        assert_eq!(again.expect(0), format!("{report}\n"));
        assert_eq!(fs::read(folder.join(&report)).unwrap(), text, "nothing was played");
    }
    let test = ["--sprt", "0,20", "--sprt-exit", "--resume", "--output", "test.json"];
    let test = [&[&*first, &*first, "--game", "tic-tac-toe", "--games", "4"][..], &test].concat();
    for how in ["this begins", "this is finished"] {
        arbiter(&folder, &test).says(1, how);
    }
    let other =
        [&first, &first, "--game", "tic-tac-toe", "--games", "6", "--resume", "--output", "named.json"];
    let other = arbiter(&folder, &other);
    assert_eq!(other.code, 4, "a report of something else is not replaced: {}", other.err);
    other.and_says("named.json has --games 4, not 6");
}

/// Otherwise it would be replaced by a match that begins anew, and all that it has be lost.
#[test]
fn a_report_that_lacks_games_is_gone_on_with() {
    let folder = scratch("resume-lacking");
    let (first, report) = (c_bot("first"), folder.join("report.json"));
    let plan = ["tournament", &first, &first, &first, &first, "--game", "tic-tac-toe", "--schedule", "swiss"];
    let plan = [&plan[..], &["--rounds", "2", "--output", "report.json"]].concat();
    arbiter(&folder, &plan).expect(0);
    let without = |number: u64| {
        let mut lacking = json(&report);
        lacking["games"].as_array_mut().unwrap().retain(|game| game["number"] != number);
        fs::write(&report, lacking.to_string()).unwrap();
        lacking
    };
    let lacking = without(8);
    arbiter(&folder, &[&plan[..], &["--resume"]].concat()).expect(0);
    arbiter(&folder, &["verify", "report.json"]).expect(0);
    let whole = json(&report);
    assert_eq!((games(&whole).len(), &games(&whole)[..7]), (8, games(&lacking)));
    // Without a game of the first round nobody knows who plays in the second.
    let lacking = without(1);
    arbiter(&folder, &[&plan[..], &["--resume"]].concat()).says(4, "take the lines of the later ones out");
    assert_eq!(json(&report), lacking);
    let plan = ["tournament", &first, &first, "--game", "tic-tac-toe", "--rounds", "2", "--seed", "1"];
    arbiter(&folder, &[&plan[..], &["--shard", "1/2", "--results", "parts"]].concat()).expect(0);
    arbiter(&folder, &["merge", "parts", "--output", "merged.json"]).says(1, "2 games missing");
    let merged = json(folder.join("merged.json"));
    arbiter(&folder, &[&plan[..], &["--output", "merged.json", "--resume"]].concat())
        .says(4, "merged.json is merged of parts, and lacks games");
    assert_eq!(json(folder.join("merged.json")), merged);
}

/// Otherwise a game would be lost without a word, or the match be played to its end and never be over.
#[test]
fn a_journal_with_a_game_that_is_none_of_the_match_is_refused() {
    let folder = scratch("resume-foreign-game");
    let first = c_bot("first");
    let plan = [&first, &first, "--game", "tic-tac-toe", "--games", "4", "--output", "report.json"];
    arbiter(&folder, &plan).expect(0);
    let mut report = json(folder.join("report.json"));
    report["games"].as_array_mut().unwrap().pop();
    report["games"][1]["number"] = 999.into();
    fs::remove_file(folder.join("report.json")).unwrap();
    fs::write(folder.join("report.json.journal"), journal_of(&report)).unwrap();
    let resumed = [&plan[..], &["--resume"]].concat();
    let merged = ["merge", "report.json.journal", "--output", "merged.json"];
    for args in
        [&resumed[..], &["verify", "report.json.journal"], &["standings", "report.json.journal"], &merged]
    {
        let refused = arbiter(&folder, args);
        assert_eq!(refused.code, 4, "{args:?}: {}", refused.err);
        assert!(refused.err.contains("has a game 999"), "{args:?}: {}", refused.err);
    }
    assert!(!folder.join("merged.json").exists());
}

/// Somebody who took a damaged line of an early round out would otherwise be told to take out good games one by one.
#[test]
fn a_journal_without_a_game_of_an_early_round_is_played_again_from_that_round_on() {
    let folder = scratch("resume-early-round");
    let first = c_bot("first");
    let plan = ["tournament", &first, &first, &first, &first, "--game", "tic-tac-toe", "--schedule", "swiss"];
    let plan = [&plan[..], &["--rounds", "2", "--output", "report.json"]].concat();
    arbiter(&folder, &plan).expect(0);
    let mut report = json(folder.join("report.json"));
    fs::remove_file(folder.join("report.json")).unwrap();
    report["games"].as_array_mut().unwrap().remove(2);
    fs::write(folder.join("report.json.journal"), journal_of(&report)).unwrap();
    for args in [&[&plan[..], &["--resume"]].concat()[..], &["verify", "report.json.journal"]] {
        let refused = arbiter(&folder, args);
        assert_eq!(refused.code, 4, "{}", refused.err);
        let sentence = "has game 5, but not game 3, which decides who plays it";
        refused.and_says(sentence);
    }
    report["games"].as_array_mut().unwrap().truncate(3);
    fs::write(folder.join("report.json.journal"), journal_of(&report)).unwrap();
    arbiter(&folder, &[&plan[..], &["--resume"]].concat()).expect(0);
    arbiter(&folder, &["verify", "report.json"]).expect(0);
}
