//! A match as its report tells it: who lost by what, and what time everybody was charged with.
//!
//! Reports are read as plain JSON here: what is asked is the same whichever version of them has which field.

use super::{arbiter, command, scratch};
use arbiter::record::Reader;
use arbiter::record::schema::MatchReport;
use arbiter::report::Tally;
use arbiter::verify::{Finding, Judge, Source};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file of JSON.
#[track_caller]
pub(crate) fn json(file: impl AsRef<Path>) -> Value {
    let text = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.as_ref().display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", file.as_ref().display()))
}

/// The numbers of the games in a journal, none of which has been played twice.
#[track_caller]
pub(crate) fn played_once(journal: &Path) -> BTreeSet<u32> {
    let mut numbers = BTreeSet::new();
    for game in Reader::open(journal).unwrap() {
        let number = game.unwrap().number().unwrap();
        assert!(numbers.insert(number), "game {number} has been played twice");
    }
    numbers
}

/// A report without anything that two runs may differ in. It has been judged again.
#[track_caller]
pub(crate) fn canonical(folder: &Path, file: &str) -> String {
    arbiter(folder, &["verify", "--canonical", file]).expect(0)
}

/// The games of a report.
#[track_caller]
pub(crate) fn games(report: &Value) -> &[Value] {
    report["games"].as_array().expect("a report has games")
}

/// Makes sure that nobody lost a game of a report by a fault.
#[track_caller]
pub(crate) fn no_faults(report: &Value) {
    for game in games(report) {
        assert!(game["ending"]["fault"].is_null(), "{}: {}", report["plan"]["game"], game["ending"]);
    }
}

/// Plays a match in a folder of the test's own, and gives the file of its report and what is in it.
#[track_caller]
pub(crate) fn played(test: &str, args: &[&str]) -> (PathBuf, Value) {
    let folder = scratch(test);
    let (_, report) = played_in(&folder, args);
    (folder.join("report.json"), report)
}

/// Plays a match in a folder, and gives what was printed and the report.
#[track_caller]
pub(crate) fn played_in(folder: &Path, args: &[&str]) -> (String, Value) {
    let file = folder.join("report.json");
    let _ = fs::remove_file(&file);
    let out = arbiter(folder, &[args, &["--output", "report.json"]].concat()).expect(0);
    (out, json(file))
}

/// Everything that is wrong with a report, as `arbiter verify` says it.
pub(crate) fn verify(report: &MatchReport) -> Vec<Finding> {
    // A report in memory does not say what it was read from.
    let source = if report.finished.is_some() { Source::Report } else { Source::Journal };
    let mut judge = Judge::new(MatchReport { games: Vec::new(), ..report.clone() }, source);
    judge.games(&report.games);
    judge.end(report);
    judge.findings()
}

/// The same as text, with a line each; or why a report is not read at all.
pub(crate) fn findings(report: &Value) -> String {
    match MatchReport::deserialize(report) {
        Ok(report) => verify(&report).iter().map(|finding| format!("{finding}\n")).collect(),
        Err(error) => error.to_string(),
    }
}

/// What the games of a report add up to.
pub(crate) fn tally(report: &MatchReport) -> Tally {
    let mut tally = Tally::under(&report.plan);
    report.games.iter().for_each(|game| tally.add(game));
    tally
}

/// A report as the journal of a match that has just played its last game.
pub(crate) fn journal_of(report: &Value) -> String {
    let mut header = json!({ "format": "arbiter-journal" });
    for field in ["format_version", "arbiter", "plan", "machine", "started", "games_asked"] {
        header[field] = report[field].clone();
    }
    std::iter::once(&header).chain(games(report)).map(|line| format!("{line}\n")).collect()
}

/// The moves of a saved game, each with its seat, which is left out where it is simply the next one.
pub(crate) fn turns(game: &Value) -> Vec<(u64, &Value)> {
    let seats = game["seats"].as_array().expect("every game has seats").len() as u64;
    let mut next = 0;
    let mut turns = Vec::new();
    for ply in game["plies"].as_array().expect("every game has moves") {
        let seat = ply["seat"].as_u64().unwrap_or(next);
        next = (seat + 1) % seats;
        turns.push((seat, ply));
    }
    turns
}

/// A match that has been played.
pub(crate) struct Judged(Value);

/// A game that was lost by a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    /// Whose fault it was: the number on the command line, from 0.
    pub(crate) player: u64,
    /// What it was, as a code, and what the bot was doing.
    pub(crate) kind: String,
    pub(crate) during: String,
    /// What people are told.
    pub(crate) sentence: String,
    /// The limit that was broken, where it is one of time.
    pub(crate) limit: Option<Duration>,
    /// What the last answer took, or would have taken.
    pub(crate) wall: Option<Duration>,
    pub(crate) cpu: Option<Duration>,
}

impl Judged {
    /// Plays a match in a folder and reads its report.
    #[track_caller]
    pub(crate) fn play(folder: &Path, args: &[&str]) -> Judged {
        let file = folder.join("judged.json");
        let output = ["--quiet", "--output", file.to_str().unwrap()];
        let run = command(folder, &[args, &output].concat()).output().expect("the program starts");
        assert!(run.status.success(), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
        Judged::read(&file)
    }

    #[track_caller]
    pub(crate) fn read(file: &Path) -> Judged {
        Judged(json(file))
    }

    pub(crate) fn games(&self) -> &[Value] {
        games(&self.0)
    }

    /// Every game that ended by a fault.
    pub(crate) fn lost(&self) -> Vec<Lost> {
        let of = |game: &Value| {
            let ending = &game["ending"];
            let fault = ending["fault"].as_object()?;
            let word = |name: &str| fault.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let time = |name: &str| fault.get(name).and_then(Value::as_u64).map(Duration::from_nanos);
            let seat = ending["seat"].as_u64().expect("somebody's fault it was") as usize;
            Some(Lost {
                player: game["seats"][seat]["player"].as_u64().expect("every seat has a player"),
                kind: word("kind"),
                during: word("during"),
                sentence: word("sentence"),
                limit: time("limit"),
                wall: time("wall_ns"),
                cpu: time("cpu_ns"),
            })
        };
        self.games().iter().filter_map(of).collect()
    }

    /// How many games nobody won or lost because the machine failed.
    pub(crate) fn abandoned(&self) -> usize {
        self.games().iter().filter(|game| game["ending"]["how"] == "abandoned").count()
    }

    /// The moves that a player chose in all games.
    pub(crate) fn plies_of(&self, player: u64) -> impl Iterator<Item = &Value> {
        self.games().iter().flat_map(move |game| {
            let is_own = move |(seat, ply): &(u64, &Value)| {
                ply["by"].is_null() && game["seats"][*seat as usize]["player"] == player
            };
            turns(game).into_iter().filter(is_own).map(|(_, ply)| ply)
        })
    }
}

/// What the clock was charged with for a move. Older reports tell what it was not charged with.
pub(crate) fn charged(ply: &Value) -> Duration {
    let ns = |name: &str| ply[name].as_u64();
    let by_wall = || wall(ply).as_nanos() as u64 - ns("starved_ns").unwrap_or(0);
    Duration::from_nanos(ns("charged_ns").unwrap_or_else(by_wall))
}

/// How long a move took by the clock on the wall.
pub(crate) fn wall(ply: &Value) -> Duration {
    Duration::from_nanos(ply["wall_ns"].as_u64().expect("every move has its time"))
}
