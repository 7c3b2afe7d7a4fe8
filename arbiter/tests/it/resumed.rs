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
    let bots = [changeable.to_str().unwrap(), first.to_str().unwrap()];
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
        assert!(finished.err.contains("this is finished"), "{}", finished.err);
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
        let bot = first.to_str().unwrap();
        [
            "tournament",
            bot,
            bot,
            "--game",
            "tic-tac-toe",
            "--seed",
            "1",
            "--output",
            "report.json",
            "--name",
            name,
        ]
    };
    arbiter(&folder, &plan("1:Anna")).expect(0);
    break_off(&folder.join("report.json"));
    let other = arbiter(&folder, &[&plan("1:Ben")[..], &["--resume"]].concat());
    assert!(other.code == 4 && other.err.contains("has another --name"), "{}", other.err);
    arbiter(&folder, &[&plan("1:Anna")[..], &["--resume"]].concat()).expect(0);
}
