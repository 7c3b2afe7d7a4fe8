//! Reports and journals read back whole.

use super::head::Head;
use super::journal::{FORMAT as JOURNAL_FORMAT, JournalError};
use super::origin::{Origin, scan};
use super::schema::{FORMAT, FORMAT_VERSION, GameRecord, MatchReport};
use super::totals::{Duplicates, Sums};
use serde::de::IgnoredAny;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// What was found in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Saved {
    /// A report.
    Report(MatchReport),
    /// The journal of a match that was not finished, as a report of the games that ended.
    Journal(MatchReport),
}

impl Saved {
    /// The report, finished or not.
    #[must_use]
    pub fn into_report(self) -> MatchReport {
        match self {
            Saved::Report(report) | Saved::Journal(report) => report,
        }
    }
}

/// A file that is no report that this version can read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file system refused.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is no JSON, or not that of a report.
    #[error("{} is not a match report: {problem}", path.display())]
    NotAReport {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
    },
    /// The format is newer than this version of arbiter.
    #[error("{} has format version {found}; this arbiter reads versions up to {FORMAT_VERSION}", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// It begins like a journal but is damaged.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Reads a report or a journal.
///
/// # Errors
/// A file that cannot be read, is neither, or is too new.
pub fn read(path: &Path) -> Result<Saved, ReadError> {
    if is_journal_file(path) {
        read_journal(path).map(Saved::Journal)
    } else {
        read_report(path).map(Saved::Report)
    }
}

/// Reads a report.
fn read_report(path: &Path) -> Result<MatchReport, ReadError> {
    let not_a_report = |problem: String| ReadError::NotAReport { path: path.to_owned(), problem };
    let text = fs::read(path).map_err(|source| ReadError::File { path: path.to_owned(), source })?;
    let text = String::from_utf8(text).map_err(|_| not_a_report("it is not UTF-8 text".to_owned()))?;
    // Editors of some systems put a byte order mark before everything they save.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.is_empty() {
        return Err(not_a_report("it is empty".to_owned()));
    }
    let report = serde_json::from_str::<MatchReport>(text);
    let head = match &report {
        Ok(report) => Head::of_report(report),
        // What looks wrong may be of another kind or version.
        Err(_) => serde_json::from_str(text).map_err(|error| not_a_report(error.to_string()))?,
    };
    head.check(FORMAT).map_err(|foreign| foreign.told(path.to_owned()))?;
    let mut report = report.map_err(|error| not_a_report(error.to_string()))?;
    report.games.iter_mut().for_each(GameRecord::leave_out_derivable);
    Ok(report)
}

/// Whether a file begins like a journal.
pub(super) fn is_journal_file(path: &Path) -> bool {
    Head::of_file(path).is(JOURNAL_FORMAT)
}

/// Whether a file says that it is a report of any version.
#[must_use]
pub fn is_report(path: &Path) -> bool {
    Head::of_file(path).is(FORMAT)
}

/// Whether a file is somebody else's JSON: well-formed, and without the mark that every file of ours begins with. What
/// is cut off or damaged is not, since it may have been ours.
#[must_use]
pub fn is_foreign(path: &Path) -> bool {
    let is_ours = Head::of_file(path).has_mark();
    let is_json = |file| serde_json::from_reader::<_, IgnoredAny>(BufReader::new(file)).is_ok();
    !is_ours && File::open(path).is_ok_and(is_json)
}

fn read_journal(path: &Path) -> Result<MatchReport, ReadError> {
    let mut games = Vec::new();
    let origin = scan(path, |_, game, _| games.push(game))?;
    games.sort_by_key(|game| game.number);
    let sums = Sums::of(origin.plan.players.len(), &games);
    let duplicates = Duplicates::of(&games).groups();
    Ok(MatchReport { games, ..frame(origin, &sums, duplicates) })
}

/// A report of these sums, still without its games.
pub(super) fn frame(origin: Origin, sums: &Sums, duplicates: Vec<Vec<u32>>) -> MatchReport {
    let mut totals = sums.totals().to_vec();
    if origin.plan.clock.is_none() {
        totals.iter_mut().for_each(|totals| totals.charged_ns = None);
    }
    MatchReport {
        format: FORMAT.to_owned(),
        format_version: FORMAT_VERSION,
        arbiter: origin.arbiter,
        plan: origin.plan,
        machine: origin.machine,
        started: origin.started,
        finished: None,
        games_asked: origin.games_asked,
        games_ended: sums.games_ended(),
        games: Vec::new(),
        totals,
        duplicates,
        withdrawals: Vec::new(),
        sprt: None,
        parts: Vec::new(),
    }
}
