//! Who is taken for the same bot when a match goes on, or parts are put together, and what is said where it is another.

use crate::support::{arbiter, c_bot, journal_of, json, scratch};
use std::fs;
use std::path::Path;

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
    let same = other("", "");
    for (words, sentence) in [
        (other("1s", "2s"), "has --move-time 1s, not 2s"),
        (other("3", "5"), "has --max-errors 3, not 5"),
        (other("2:one_in=9", "2:one_in=8"), "has other options for ./ben.so: one_in=9, not one_in=8"),
        (other("./ben.so", "./anna.so"), "has other players: ./ben.so is not among these"),
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
