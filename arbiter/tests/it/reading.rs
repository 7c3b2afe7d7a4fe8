//! Files of matches as they are read: reports of every version, whoever has formatted or packed them, and journals that
//! end anywhere. Those that mean harm are in `hostile_files.rs`.

use crate::hostile_files::READING_VERBS;
use crate::support::{
    arbiter, canonical, journal_of, json as json_of, played, sample, sample_bot, scratch, tally, verify,
};
use arbiter::record::schema::MatchReport;
use arbiter::record::{Journal, Printer, Reader, RecordError, read};
use arbiter::report::{Circumstances, Detail, Format, Style, summary};
use arbiter_rules::draw::Charset;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::Path;

#[test]
fn numbers_of_a_forged_file_may_be_as_large_as_they_like() {
    let random = sample_bot("random");
    let (_, mut report) = played("huge", &[&random, &random, "--game", "tic-tac-toe", "--seed", "1"]);
    for ply in report["games"][0]["plies"].as_array_mut().unwrap() {
        (ply["cpu_ns"], ply["wall_ns"]) = (json!(u64::MAX), json!(u64::MAX));
    }
    report["duplicates"] = json!([[], [1]]);
    let report: MatchReport = serde_json::from_value(report).unwrap();
    assert!(!verify(&report).is_empty());
    for format in [Format::Table, Format::Markdown, Format::Csv, Format::Json] {
        let style =
            Style { format, detail: Detail::Full, charset: Charset::Ascii, file: "report.json", room: None };
        assert!(
            !summary(&report, tally(&report), Circumstances::default(), &style).unwrap().is_empty(),
            "{format:?}"
        );
    }
}

/// A row that goes on in the next line is no row any more.
#[test]
fn tables_of_a_report_fit_into_a_narrow_terminal_and_say_what_is_left_out() {
    let report = read(&sample("othello.json")).unwrap();
    let style = Style {
        format: Format::Table,
        detail: Detail::Full,
        charset: Charset::Ascii,
        file: "",
        room: Some(60),
    };
    let text = summary(&report, tally(&report), Circumstances::default(), &style).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("  ")).collect();
    assert!(rows.len() == 9 && rows.iter().all(|row| row.len() <= 60), "{text}");
    for left_out in ["time.", "errors.", "errors, ms/move."] {
        assert!(text.contains(&format!("A wider window has room for {left_out}\n")), "{left_out}: {text}");
    }
}

/// `verify` would otherwise blame a match that is being played, whose totals have a game more than it has shown.
#[test]
fn a_journal_that_grows_is_read_again_as_it_was_when_it_was_opened() {
    let file = scratch("growing-journal").join("swiss.json.journal");
    let whole = journal_of(&json_of(sample("swiss.json")));
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    fs::write(&file, lines[..6].concat()).unwrap();
    let reader = Reader::open(&file).unwrap();
    fs::write(&file, whole).unwrap();
    let again = reader.again().unwrap().unwrap();
    assert_eq!((reader.count(), again.count()), (5, 5));
}

#[test]
fn a_journal_that_ends_anywhere_keeps_every_whole_game() {
    let folder = scratch("cut-journal");
    let random = sample_bot("random");
    let plan =
        [&random, &random, "--game", "tic-tac-toe", "--games", "3", "--openings", "none", "--seed", "1"];
    let whole = journal_of(&played("cut-journal-report", &plan).1);
    let header = whole.find('\n').unwrap();
    let file = folder.join("report.json.journal");
    for cut in (0..=whole.len()).filter(|&cut| whole.is_char_boundary(cut)) {
        fs::write(&file, &whole[..cut]).unwrap();
        let lines = whole[..cut].matches('\n').count();
        match read(&file) {
            Ok(report) => {
                assert_eq!(report.games.len() + 1, lines, "cut at byte {cut}");
                assert_eq!(verify(&report), [], "cut at byte {cut}");
                let mut finished = 0;
                let (_, header) = Journal::reopen(&file, |_| finished += 1).unwrap();
                assert_eq!((finished, header.games_asked), (lines - 1, 3));
                assert!(fs::read_to_string(&file).unwrap().ends_with('\n'), "half a line is cut off");
            }
            Err(error) => assert!(cut <= header, "cut at byte {cut} of a header of {header}: {error}"),
        }
    }
}

/// Nobody would know otherwise that there had been more games.
#[test]
fn a_report_that_was_cut_off_behind_a_game_is_not_replayed_as_if_it_were_whole() {
    let folder = scratch("cut-report");
    let text = fs::read_to_string(sample("swiss.json")).unwrap();
    for game in ["    {\"number\":1,", "    {\"number\":3,"] {
        fs::write(folder.join("cut.json"), text.split_once(game).unwrap().0).unwrap();
        arbiter(&folder, &["replay", "cut.json", "--text"]).says(4, "EOF");
    }
}

#[test]
fn files_that_are_hardly_reports_are_read_or_refused_with_a_reason() {
    let folder = scratch("hardly-reports");
    let random = sample_bot("random");
    let (_, report) = played("hardly-report", &[&random, &random, "--game", "tic-tac-toe", "--seed", "1"]);
    let report = report.to_string();
    let file = folder.join("file.json");
    let read = |text: &[u8]| {
        fs::write(&file, text).unwrap();
        read(&file).map_err(|error| error.to_string())
    };
    let windows = format!("\u{feff}{}", report.replace(",\"", ",\r\n\""));
    assert!(read(windows.as_bytes()).is_ok(), "a byte order mark and carriage returns change nothing");
    let deep = "[".repeat(100_000);
    let zero = report.replacen("\"format_version\":3", "\"format_version\":0", 1);
    let infinite = report.replacen("\"points\":", "\"points\":1e999, \"point\":", 1);
    let cases: [(&[u8], &str); 7] = [
        (b"", "it is empty"),
        (b"{", "EOF"),
        (b"\xff\xfe{\0}\0", "not UTF-8"),
        (deep.as_bytes(), "line 1"),
        (zero.as_bytes(), "format_version"),
        (infinite.as_bytes(), "out of range"),
        (&report.as_bytes()[..report.len() / 2], "EOF"),
    ];
    for (text, words) in cases {
        let problem = read(text).expect_err(words);
        assert!(problem.contains(words), "{words}: {problem}");
    }
}

/// The numbers of the games that are shown one by one, each of which is known before the game is read.
fn scanned(file: &Path) -> Result<Vec<u32>, String> {
    let scan = || {
        let mut reader = Reader::open(file)?;
        assert_eq!(reader.plan().game, "tic-tac-toe");
        let mut numbers = Vec::new();
        for game in &mut reader {
            let game = game?;
            let number = game.number();
            numbers.push(game.game()?.number);
            assert_eq!(number.ok(), numbers.last().copied());
        }
        reader.end().map(|_| numbers)
    };
    scan().map_err(|error: RecordError| error.to_string())
}

#[test]
fn a_report_is_read_game_by_game_whoever_has_formatted_it() {
    let folder = scratch("formatted");
    let random = sample_bot("random");
    let plan = [&random, &random, "--game", "tic-tac-toe", "--games", "3", "--seed", "1"];
    let (_, report) = played("formatted-report", &plan);
    let file = folder.join("report.json");
    let short = report.to_string();
    // The fields of a `Value` are sorted: the games stand before the plan, as in a file that was sorted by jq -S.
    assert!(short.find("\"games\"").unwrap() < short.find("\"plan\"").unwrap());
    let long = serde_json::to_string_pretty(&report).unwrap();
    let mut ours = Vec::new();
    let report: MatchReport = serde_json::from_value(report).unwrap();
    let mut printer = Printer::begin(&report, &mut ours).unwrap();
    report.games.iter().for_each(|game| printer.game(game).unwrap());
    printer.end(&report).unwrap();
    let ours = String::from_utf8(ours).unwrap();
    for text in [&ours, &short, &long, &format!("\u{feff}{}", long.replace('\n', "\r\n"))] {
        fs::write(&file, text).unwrap();
        assert_eq!(scanned(&file).unwrap(), [1, 2, 3]);
        arbiter(&folder, &["standings", "report.json"]).expect(0);
        arbiter(&folder, &["merge", "report.json", "--output", "again.json"]).expect(0);
        let again = fs::read_to_string(folder.join("again.json")).unwrap();
        let lines =
            again.lines().filter(|line| line.contains("\"plies\"") && line.contains("\"final_position\""));
        assert_eq!(lines.count(), 3, "a game is a line: {again}");
        arbiter(&folder, &["verify", "again.json"]).expect(0);
    }
    let cases = [
        (ours[..ours.len() / 2].to_owned(), "EOF"),
        (ours.replacen("\"number\":2", "\"numbr\":2", 1), "unknown field `numbr`"),
        (ours.replacen("\"wall_ns\":", "\"wal_ns\":", 1), "unknown field `wal_ns`"),
        (ours.replacen("\"number\":2", "\"number\":!", 1), "at line "),
        (ours.replacen("\"duplicates\": []", "\"duplicates\": [[1 2]]", 1), "expected `,` or `]` at line "),
        (format!("{ours}{{}}"), "trailing characters"),
        (ours.replacen("\"format_version\": 3", "\"format_version\": 99", 1), "has format version 99"),
        (ours.replacen("arbiter-match", "arbiter-mitch", 1), "it has no \"format\": \"arbiter-match\""),
    ];
    for (text, words) in cases {
        fs::write(&file, text).unwrap();
        let problem = scanned(&file).expect_err(words);
        assert!(problem.contains(words), "{words}: {problem}");
        arbiter(&folder, &["standings", "report.json"]).says(4, words);
    }
    let line = ours.lines().position(|line| line.contains("\"number\":2")).unwrap() + 1;
    fs::write(&file, ours.replacen("\"number\":2", "\"number\":!", 1)).unwrap();
    assert!(scanned(&file).unwrap_err().contains(&format!("line {line} column 15")), "{:?}", scanned(&file));
}

#[test]
fn a_report_of_version_1_is_read_and_judged_as_ever() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records/version-1.json");
    let report = read(&file).unwrap();
    assert_eq!((report.format_version, report.games.len()), (1, 4));
    assert_eq!(verify(&report), [], "a match without a schedule is one of as many games as were asked for");
    let standings = arbiter(Path::new("."), &["standings", file.to_str().unwrap()]).expect(0);
    assert!(standings.contains("match, tic-tac-toe, 2 players: 4 games"), "{standings}");
}

#[test]
fn a_packed_report_is_read_as_it_is() {
    let folder = scratch("packed");
    let random = sample_bot("random");
    let plan = [&random, &random, "--game", "tic-tac-toe", "--games", "3", "--output", "report.json"];
    arbiter(&folder, &plan).expect(0);
    let plain = canonical(&folder, "report.json");
    for name in ["packed.json.gz", "packed.json.zst"] {
        arbiter(&folder, &["merge", "report.json", "--output", name]).expect(0);
        let packed = fs::read(folder.join(name)).unwrap();
        assert!(!packed.starts_with(b"{"), "{name} is packed");
        assert_eq!(canonical(&folder, name), plain);
        for verb in READING_VERBS {
            arbiter(&folder, &[verb, &[name]].concat()).expect(0);
        }
    }
}

/// Somebody who is told that it is damaged, and to begin again, would lose the games.
#[test]
fn a_journal_that_somebody_has_packed_is_named_as_what_it_is() {
    let folder = scratch("packed-journal");
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(journal_of(&json_of(sample("swiss.json"))).as_bytes()).unwrap();
    fs::write(folder.join("cup.journal.gz"), packer.finish().unwrap()).unwrap();
    arbiter(&folder, &["verify", "cup.journal.gz"]).says(4, "it is packed");
}
