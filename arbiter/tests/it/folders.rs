//! Folders of reports: which files in them are meant, and what becomes of the others.

use crate::support::{arbiter, arbiter_reading, journal_of, json, only_file, sample_bot, scratch};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A folder `results` with the report of two games.
fn played(test: &str) -> (PathBuf, PathBuf) {
    let (folder, random) = (scratch(test), sample_bot("random"));
    let game = ["--game", "tic-tac-toe", "--games", "2", "--seed", "1", "--quiet"];
    arbiter(&folder, &[&[random.as_str(), &random], &game[..]].concat()).expect(0);
    let report = only_file(&folder.join("results"), ".json");
    (folder, report)
}

/// Somebody would look in vain otherwise for the bot that a student has handed in for another machine.
#[test]
fn what_is_no_bot_by_its_name_is_named() {
    let folder = scratch("other-files");
    for name in ["a.so", "b.so"] {
        fs::copy(sample_bot("random"), folder.join(name)).unwrap();
    }
    let long = format!("{}.py", "long".repeat(50));
    for name in ["notes.txt", "bot.dll", ".hidden", "._a.so", "1.c", "2.tgz", "3.jar", "4.exe", &long] {
        fs::write(folder.join(name), "").unwrap();
    }
    let run = arbiter(&folder, &["bots", "."]);
    assert!(run.code == 0 && run.out.contains("a.so  Random"), "one long name leaves no room: {}", run.out);
    assert!(!run.out.contains("._a.so"), "{}", run.out);
    assert_eq!(run.out.matches(", the same file as ./a.so\n").count(), 1, "{}", run.out);
    run.and_says("left out: 1.c, 2.tgz, 3.jar, 4.exe, bot.dll, notes.txt. ");
}

const OF_OTHERS: [(&str, &str); 3] = [
    ("package.json", "{ \"name\": \"bot\", \"version\": \"1\" }\n"),
    ("list.json", "[1, 2]"),
    ("table.json", "{ \"format\": \"csv\", \"games\": [] }"),
];

fn add_json_of_others(results: &Path) {
    for (name, text) in OF_OTHERS {
        fs::write(results.join(name), text).unwrap();
    }
}

#[test]
fn json_of_others_in_a_folder_is_left_out_and_named() {
    let (folder, _) = played("json-of-others");
    let alone = arbiter(&folder, &["standings", "results"]).expect(0);
    add_json_of_others(&folder.join("results"));
    for verb in ["standings", "report", "verify", "replay"] {
        let run = arbiter(&folder, &[verb, "results"]);
        for (name, _) in OF_OTHERS {
            let warning = format!("{name} is left out");
            assert!(run.err.contains(&warning), "{verb}: {}", run.err);
        }
        assert_eq!(run.code, 0, "{verb}: {}", run.err);
        assert!(verb != "standings" || run.out == alone, "{}", run.out);
    }
    arbiter(&folder, &["merge", "results", "--output", "all.json"]).expect(0);
    arbiter(&folder, &["standings", "results/package.json"]).says(4, "no \"format\": \"arbiter-match\"");
}

#[test]
fn a_report_that_may_be_damaged_is_not_left_out_of_standings() {
    let (folder, report) = played("damaged-in-a-folder");
    let whole = fs::read_to_string(&report).unwrap();
    let begin = whole.find("\"plan\"").unwrap();
    let damaged =
        [&whole[..whole.len() / 2], "", "\0\0\0\0", &whole[begin..], "{ \"format\": \"arbiter-match\" }"];
    for text in damaged {
        fs::write(folder.join("results/other.json"), text).unwrap();
        let run = arbiter(&folder, &["standings", "results"]);
        run.says(4, "other.json");
        assert!(run.out.is_empty(), "standings without a part of the games are wrong: {}", run.out);
    }
}

#[test]
fn a_folder_that_has_nothing_but_json_of_others_has_no_report() {
    let folder = scratch("nothing-but-json-of-others");
    add_json_of_others(&folder);
    arbiter(&folder, &["report", "."]).says(4, "there is no match report in .");
}

#[test]
fn a_replay_of_a_folder_shows_the_report_that_was_written_last() {
    let (folder, report) = played("replay-of-a-folder");
    let older = folder.join("results/z.json");
    fs::copy(&report, &older).unwrap();
    let file = File::options().write(true).open(&older).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    let run = arbiter(&folder, &["replay", "results", "--game-number", "2", "--ply", "1"]);
    assert!(run.out.contains("game 2") && run.out.contains("after 1 move "), "{}{}", run.out, run.err);
    let name = report.file_name().unwrap().to_str().unwrap();
    run.and_says(&format!("{name} is the newest of 2 files"));
}

/// An older match would be shown as the newest otherwise, and nobody hear of the damage.
#[test]
fn a_damaged_journal_that_was_written_last_is_not_passed_over() {
    let (folder, report) = played("damaged-newest");
    let damaged = journal_of(&json(&report)).replace("\"number\":2", "\"number\":2 damaged");
    fs::write(folder.join("results/newest.json.journal"), damaged).unwrap();
    arbiter(&folder, &["replay", "results"]).says(4, "newest.json.journal is no journal, or damaged: line 3");
}

#[test]
fn a_replay_of_a_report_without_games_says_so() {
    let (folder, report) = played("replay-of-nothing");
    let mut nothing = json(&report);
    (nothing["games"], nothing["games_ended"]) = (serde_json::json!([]), 0.into());
    fs::write(&report, nothing.to_string()).unwrap();
    arbiter(&folder, &["replay", "results"]).says(2, "no game has ended in results");
}

/// A report that comes out of another program would otherwise have to be put into a file first.
#[test]
fn standard_input_is_a_report_or_a_journal_like_any_file() {
    let (folder, report) = played("standard-input");
    let report = fs::read_to_string(report).unwrap();
    let mut reversed: serde_json::Value = serde_json::from_str(&report).unwrap();
    reversed["games"].as_array_mut().unwrap().reverse();
    let journal = journal_of(&reversed);
    for (verb, words) in [("verify", "-: ok (2 games"), ("standings", "Random"), ("report", "Random (2)")] {
        for text in [&report, &journal] {
            let out = arbiter_reading(&folder, &[verb, "-"], text).expect(0);
            assert!(out.contains(words), "{verb}: {out}");
        }
    }
    arbiter_reading(&folder, &["merge", "-", "-o", "merged.json"], &journal).expect(0);
    arbiter(&folder, &["verify", "merged.json"]).expect(0);
    arbiter_reading(&folder, &["verify", "-"], "").says(4, "- is not a match report: it is empty");
}

/// Otherwise nobody who was stopped before the end would find the games under the name that was asked for.
#[test]
fn a_report_that_is_not_written_yet_is_refused_with_the_name_of_its_journal() {
    let (folder, report) = played("journal-of-a-missing-report");
    fs::write(folder.join("cup.json.journal"), journal_of(&json(&report))).unwrap();
    for verb in ["report", "standings", "verify", "again", "replay"] {
        let run = arbiter(&folder, &[verb, "cup.json"]);
        assert_eq!(run.code, 4, "{verb}: {}{}", run.out, run.err);
        for word in ["cup.json.journal", "--resume"] {
            assert!(run.err.contains(word), "{verb}: {}", run.err);
        }
    }
    arbiter(&folder, &["report", "cup.json.journal"]).expect(0);
}
