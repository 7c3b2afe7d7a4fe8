//! Reports on disk: written to a temporary file and renamed, read back whole.

use super::journal::{FORMAT as JOURNAL_FORMAT, Journal, JournalError};
use super::schema::{FORMAT, FORMAT_VERSION, MatchReport};
use super::totals::{Duplicates, Sums};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
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
    let not_a_report = |problem: String| ReadError::NotAReport { path: path.to_owned(), problem };
    let text = fs::read(path).map_err(|source| ReadError::File { path: path.to_owned(), source })?;
    let text = String::from_utf8(text).map_err(|_| not_a_report("it is not UTF-8 text".to_owned()))?;
    if text.lines().next().is_some_and(|line| line.contains(JOURNAL_FORMAT)) {
        return read_journal(path).map(Saved::Journal);
    }
    let json: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| not_a_report(error.to_string()))?;
    if json.get("format").and_then(|format| format.as_str()) != Some(FORMAT) {
        return Err(not_a_report(format!("it has no \"format\": \"{FORMAT}\"")));
    }
    let version = json.get("format_version").and_then(serde_json::Value::as_u64).unwrap_or(0);
    if version > u64::from(FORMAT_VERSION) {
        return Err(ReadError::TooNew { path: path.to_owned(), found: version });
    }
    // Read again from the text: errors then name line and column.
    serde_json::from_str(&text).map(Saved::Report).map_err(|error| not_a_report(error.to_string()))
}

fn read_journal(path: &Path) -> Result<MatchReport, ReadError> {
    let (header, mut games, _) = Journal::read(path)?;
    games.sort_by_key(|game| game.number);
    let sums = Sums::of(header.plan.players.len(), &games);
    Ok(MatchReport {
        format: FORMAT.to_owned(),
        format_version: FORMAT_VERSION,
        arbiter: header.arbiter,
        plan: header.plan,
        machine: Some(header.machine),
        started: Some(header.started),
        finished: None,
        games_asked: header.games_asked,
        games_ended: sums.games_ended(),
        totals: sums.totals().to_vec(),
        duplicates: Duplicates::of(&games).groups(),
        games,
    })
}

/// Writes a report so that a reader finds the old file or the whole new one, never a part: to a temporary file in
/// the same folder, which is then renamed.
///
/// # Errors
/// The file system's; the temporary file is removed.
pub fn write_report(path: &Path, report: &MatchReport) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let written = File::create(&temporary).and_then(|file| {
        let mut out = BufWriter::new(file);
        print_report(report, &mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Prints a report as JSON that people can read: indented, but every game on a line of its own.
///
/// # Errors
/// Those of `out`.
pub fn print_report(report: &MatchReport, out: &mut dyn Write) -> io::Result<()> {
    let mut frame = serde_json::to_string_pretty(&report.clone_without_games())?;
    // No text inside the JSON can look like this, because its quotes would be escaped.
    let hole = "\"games\": []";
    let at = frame.find(hole).expect("a report has games") + hole.len() - 1;
    let rest = frame.split_off(at);
    out.write_all(frame.as_bytes())?;
    for (index, game) in report.games.iter().enumerate() {
        out.write_all(if index == 0 { b"\n    " } else { b",\n    " })?;
        serde_json::to_writer(&mut *out, game)?;
    }
    if !report.games.is_empty() {
        out.write_all(b"\n  ")?;
    }
    out.write_all(rest.as_bytes())?;
    out.write_all(b"\n")
}

impl MatchReport {
    /// Whether this is the canonical form, which no machine is named in.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        self.machine.is_none()
    }

    fn clone_without_games(&self) -> MatchReport {
        let MatchReport { plan, machine, totals, duplicates, started, finished, format, arbiter, .. } = self;
        MatchReport {
            format: format.clone(),
            format_version: self.format_version,
            arbiter: arbiter.clone(),
            plan: plan.clone(),
            machine: machine.clone(),
            started: started.clone(),
            finished: finished.clone(),
            games_asked: self.games_asked,
            games_ended: self.games_ended,
            games: Vec::new(),
            totals: totals.clone(),
            duplicates: duplicates.clone(),
        }
    }
}
