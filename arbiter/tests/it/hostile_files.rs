//! Files that somebody has spoilt, or made to harm whoever reads them: every verb says a sentence, soon, and without
//! filling the memory.

use crate::support::{Run, arbiter, arbiter_after, canonical, make_pipe, sample_bot, scratch, tally, verify};
use arbiter::record::{Reader, RecordError, read};
use arbiter::report::{Circumstances, Detail, Format, Style, summary};
use arbiter_rules::Random;
use arbiter_rules::draw::Charset;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// The verbs that read reports.
pub(crate) const READING_VERBS: [&[&str]; 5] =
    [&["verify"], &["report"], &["replay", "--text"], &["standings"], &["merge", "--output", "merged.json"]];

/// The text of a report of three games.
fn report(folder: &Path) -> String {
    let random = sample_bot("random");
    let plan = ["--game", "tic-tac-toe", "--games", "3", "--seed", "1", "--quiet", "--output", "report.json"];
    arbiter(folder, &[&[random.as_str(), &random], &plan[..]].concat()).expect(0);
    fs::read_to_string(folder.join("report.json")).unwrap()
}

/// Spoils a text in one of the ways in which files are spoilt.
fn spoilt(text: &[u8], dice: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    let at = dice.below(text.len());
    match dice.below(7) {
        0 => text.truncate(at),
        1 => text[at] ^= 1 << dice.below(8),
        2 => text[at] = 0,
        3 => drop(text.splice(at..at, b"[".repeat(1_000))),
        4 => drop(text.drain(at..(at + 1 + dice.below(200)).min(text.len()))),
        5 => {
            // Two fields change places.
            let mut fields: Vec<&[u8]> = text.split(|byte| *byte == b',').collect();
            let (one, other) = (dice.below(fields.len()), dice.below(fields.len()));
            fields.swap(one, other);
            text = fields.join(&b',');
        }
        _ => {
            let end = (at + 1 + dice.below(200)).min(text.len());
            let piece = text[at..end].to_vec();
            drop(text.splice(at..at, piece));
        }
    }
    text
}

/// Reads a file in every way there is.
fn use_all(file: &Path) -> Result<(), RecordError> {
    let mut reader = Reader::open(file)?;
    for game in &mut reader {
        game?.game()?;
    }
    reader.end()?;
    let report = read(file)?;
    drop(verify(&report));
    for format in [Format::Table, Format::Csv, Format::Json] {
        let style =
            Style { format, detail: Detail::Full, charset: Charset::Ascii, file: "report.json", room: None };
        assert!(!summary(&report, tally(&report), Circumstances::default(), &style).unwrap().contains('\0'));
    }
    Ok(())
}

/// Reads so many spoilt files of each kind in every way, and gives how many of all are refused.
fn refused_of(each: u32, folder: &Path) -> u32 {
    let ours = report(folder).into_bytes();
    let value: serde_json::Value = serde_json::from_slice(&ours).unwrap();
    let pretty = serde_json::to_vec_pretty(&value).unwrap();
    arbiter(folder, &["merge", "report.json", "--output", "packed.json.gz"]).expect(0);
    arbiter(folder, &["merge", "report.json", "--output", "packed.json.zst"]).expect(0);
    let packed = ["packed.json.gz", "packed.json.zst"].map(|name| fs::read(folder.join(name)).unwrap());
    let file = folder.join("spoilt.json");
    let (mut dice, mut refused) = (Random::new(1), 0);
    for text in [&ours, &pretty, &packed[0], &packed[1]] {
        for _ in 0..each {
            fs::write(&file, spoilt(text, &mut dice)).unwrap();
            refused += u32::from(use_all(&file).is_err());
        }
    }
    refused
}

#[test]
fn hundreds_of_spoilt_files_are_read_or_refused_and_nothing_breaks() {
    let refused = refused_of(100, &scratch("spoilt-files"));
    assert!((200..400).contains(&refused), "{refused} of 400 files were refused");
}

/// `cargo test --release -p arbiter --test it hostile:: -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_spoilt_files_do_not_fill_the_memory() {
    let folder = scratch("spoilt-for-long");
    let most = || {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
    };
    refused_of(1_000, &folder);
    let before = most();
    refused_of(25_000, &folder);
    assert!(most() < before + 64 * 1024, "it grew from {before} kB to {} kB", most());
}

#[test]
fn the_program_says_what_is_wrong_with_a_spoilt_file() {
    let folder = scratch("spoilt-for-the-program");
    let ours = report(&folder).into_bytes();
    let mut dice = Random::new(2);
    let text = String::from_utf8_lossy(&ours);
    let seats =
        ["0", "4294967295"].map(|seats| text.replace("\"seats\": 2,", &format!("\"seats\": {seats},")));
    for number in 0..500 / READING_VERBS.len() {
        let file =
            seats.get(number).map_or_else(|| spoilt(&ours, &mut dice), |text| text.clone().into_bytes());
        fs::write(folder.join("spoilt.json"), file).unwrap();
        for words in READING_VERBS {
            let run = arbiter(&folder, &[&[words[0], "spoilt.json"], &words[1..]].concat());
            assert!(matches!(run.code, 0 | 1 | 4), "{words:?} of file {number}: {} {}", run.code, run.err);
            assert!(
                run.code != 4 || run.err.starts_with("error: "),
                "{words:?} of file {number}: {}",
                run.err
            );
        }
    }
}

/// A file of so many megabytes of the same between two texts.
fn large(path: &Path, before: &str, piece: &str, megabytes: usize, after: &str) {
    let mut file = File::create(path).unwrap();
    file.write_all(before.as_bytes()).unwrap();
    let block = piece.repeat((1 << 20) / piece.len());
    (0..megabytes).for_each(|_| file.write_all(block.as_bytes()).unwrap());
    file.write_all(after.as_bytes()).unwrap();
}

#[test]
fn whatever_a_file_is_or_holds_every_verb_says_a_sentence_soon() {
    let folder = scratch("hostile");
    let ours = report(&folder);
    let (head, tail) = ours.split_once("\"Random\"").unwrap();
    large(&folder.join("name.json"), &format!("{head}\""), "x", 200, &format!("\"{tail}"));
    large(&folder.join("deep.json"), head, "[", 8, tail);
    large(&folder.join("zeros.json"), "", "\0", 200, "");
    large(&folder.join("endless-line.json"), &ours.replace('\n', " "), " ", 200, "");
    let player = &ours[ours.find("      {").unwrap()..ours.find("      },").unwrap()];
    let players = format!("{player}      }},\n").repeat(20_000);
    fs::write(folder.join("players.json"), ours.replacen(player, &format!("{players}{player}"), 1)).unwrap();
    fs::write(folder.join("header.journal"), "{\"format\":\"arbiter-journal\",\"format_version\":3}\n")
        .unwrap();
    let quoted = format!("\"max_errors\": \"{}\"", "x".repeat(1 << 20));
    fs::write(folder.join("quoted.json"), ours.replacen("\"max_errors\": 3", &quoted, 1)).unwrap();
    fs::write(folder.join("empty.json"), "").unwrap();
    fs::write(folder.join("bomb.json.gz"), b"\x1f\x8b\x08\0\0\0\0\0\0\0").unwrap();
    fs::write(folder.join("magic.json.zst"), b"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff").unwrap();
    fs::create_dir(folder.join("folder.json")).unwrap();
    let pipe = folder.join("pipe.json");
    make_pipe(&pipe);
    let files = [
        "name.json", "deep.json", "zeros.json", "endless-line.json", "players.json", "header.journal",
        "empty.json", "bomb.json.gz", "magic.json.zst", "quoted.json", "pipe.json", "/dev/zero",
        "folder.json",
    ];
    for file in files {
        for verb in READING_VERBS {
            let words = [verb, &[file]].concat();
            // Memory that may be used, of which half is what the program's own threads set aside. Seconds are usual, minutes
            // only a hang.
            let Run { err, code, .. } = arbiter_after("ulimit -v 1000000; exec timeout 120", &folder, &words);
            assert!(code == 4 && err.starts_with("error: ") && err.len() < 2_000, "{words:?}: {code} {err}");
        }
    }
}

/// A megabyte can hold any number of games once it is packed.
#[test]
fn a_game_among_any_number_of_others_is_played_again_in_little_memory() {
    let folder = scratch("hostile-again");
    let ours = report(&folder);
    let (head, rest) = ours.split_once("\"games\": [").unwrap();
    let (_, tail) = rest.split_once("\n  ]").unwrap();
    let rest = "\"seats\":[],\"plies\":[],\"ending\":{\"reason\":\"line\"},\"final_position\":\"9 x\"}";
    let games =
        (1..300_000).map(|number| format!("{{\"number\":{number},{rest}")).collect::<Vec<_>>().join(",\n");
    fs::write(folder.join("many.json"), format!("{head}\"games\": [\n{games}\n  ]{tail}")).unwrap();
    arbiter_after("ulimit -v 200000; exec", &folder, &["again", "many.json"]).says(2, "nobody lost a game");
}

/// A name would otherwise turn the direction of writing on a terminal, or steer it.
#[test]
fn the_canonical_form_on_a_terminal_does_nothing_to_it_and_says_the_same() {
    let folder = scratch("hostile-canonical");
    let name = "\u{202e}Random\u{9b}31m";
    let ours = report(&folder).replacen("\"name\": \"Random\"", &format!("\"name\": \"{name}\""), 1);
    fs::write(folder.join("report.json"), ours).unwrap();
    let canonical = canonical(&folder, "report.json");
    assert!(!canonical.contains(['\u{202e}', '\u{9b}']), "{canonical}");
    let canonical: serde_json::Value = serde_json::from_str(&canonical).unwrap();
    assert_eq!(canonical["plan"]["players"][0]["name"], name);
}

/// Whoever hands in a bot would otherwise hold up the tournament of all, or fill the memory.
#[test]
fn a_tournament_waits_for_no_pipe_in_the_place_of_a_bot() {
    let (folder, random) = (scratch("hostile-bots"), sample_bot("random"));
    make_pipe(&folder.join("pipe.so"));
    let words = ["tournament", "./pipe.so", &random, "--game", "hex"];
    arbiter_after("exec timeout 60", &folder, &words).says(3, "a device or a pipe");
}

/// The same for a pipe in the place of what the league writes.
#[test]
fn a_league_waits_for_no_pipe_in_its_season() {
    let (folder, random) = (scratch("hostile-season"), sample_bot("random"));
    fs::create_dir_all(folder.join("course/season")).unwrap();
    fs::copy(random, folder.join("course/random.so")).unwrap();
    fs::write(folder.join("course/text.so"), "no bot").unwrap();
    let told = folder.join("course/season/not-let-in.txt");
    make_pipe(&told);
    let words = ["league", "course", "--once", "--game", "tic-tac-toe", "--every", "10ms"];
    arbiter_after("exec timeout 60", &folder, &words).expect(0);
    assert!(fs::read_to_string(told).unwrap().contains("text.so is not let in"));
}

/// A list of openings or a table of names that somebody hands in would otherwise fill the memory, or hold up a tournament.
#[test]
fn what_people_write_by_hand_is_read_from_files_that_end() {
    let folder = scratch("hand-written");
    report(&folder);
    let season = folder.join("season");
    fs::create_dir(&season).unwrap();
    fs::copy(folder.join("report.json"), season.join("report.json")).unwrap();
    for pipe in [folder.join("pipe"), season.join("names.csv")] {
        make_pipe(&pipe);
    }
    let random = sample_bot("random");
    let mut verbs = vec![vec!["standings", "season"], vec!["report", "season", "-o", "page.html"]];
    for file in ["./pipe", "/dev/zero"] {
        verbs.push(vec![&random, &random, "--game", "hex", "--openings", file]);
        verbs.push(vec!["position", "--game", "hex", "--file", file]);
        verbs.push(vec!["tournament", "--file", file]);
    }
    for words in verbs {
        let run = arbiter_after("ulimit -v 2000000; exec timeout 60", &folder, &words);
        run.says(4, "it is a pipe or a device");
    }
    // What a shell makes of `<(command)` is a pipe too, and the user has said it.
    let script = "pipe() { \"$@\" <(echo a1); }; pipe";
    arbiter_after(script, &folder, &["position", "--game", "hex", "--file"]).expect(0);
}
