//! Reports on disk: written to a temporary file and renamed, read back whole.

use super::head::{Foreign, Head};
use super::journal::{FORMAT as JOURNAL_FORMAT, Journal, JournalError};
use super::schema::{FORMAT, FORMAT_VERSION, JournalHeader, MatchReport};
use super::totals::{Duplicates, Sums};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
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
    // Editors of some systems put a byte order mark before everything they save.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.is_empty() {
        return Err(not_a_report("it is empty".to_owned()));
    }
    if is_journal(text) {
        return read_journal(path).map(Saved::Journal);
    }
    let head: Head = serde_json::from_str(text).map_err(|error| not_a_report(error.to_string()))?;
    head.check(FORMAT).map_err(|foreign| match foreign {
        Foreign::NotOurs(problem) => not_a_report(problem),
        Foreign::TooNew(found) => ReadError::TooNew { path: path.to_owned(), found },
    })?;
    serde_json::from_str(text).map(Saved::Report).map_err(|error| not_a_report(error.to_string()))
}

fn is_journal(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    serde_json::from_str(first).is_ok_and(|head: Head| head.is(JOURNAL_FORMAT))
}

/// Whether a file says that it is a report of any version.
#[must_use]
pub fn is_report(path: &Path) -> bool {
    let file = File::open(path).map(BufReader::new);
    file.is_ok_and(|file| serde_json::from_reader(file).is_ok_and(|head: Head| head.is(FORMAT)))
}

fn read_journal(path: &Path) -> Result<MatchReport, ReadError> {
    let mut games = Vec::new();
    let (header, _) = Journal::scan(path, |_, game, _| games.push(game))?;
    games.sort_by_key(|game| game.number);
    let sums = Sums::of(header.plan.players.len(), &games);
    let duplicates = Duplicates::of(&games).groups();
    Ok(MatchReport { games, ..frame(header, &sums, duplicates) })
}

/// A report of these sums, still without its games.
fn frame(header: JournalHeader, sums: &Sums, duplicates: Vec<Vec<u32>>) -> MatchReport {
    MatchReport {
        format: FORMAT.to_owned(),
        format_version: FORMAT_VERSION,
        arbiter: header.arbiter,
        plan: header.plan,
        machine: Some(header.machine),
        started: Some(header.started),
        finished: None,
        games_asked: header.games_asked,
        games_ended: sums.games_ended(),
        games: Vec::new(),
        totals: sums.totals().to_vec(),
        duplicates,
    }
}

/// A report that could not be made of a journal.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The report cannot be written.
    #[error("cannot write the report {}", path.display())]
    Write {
        /// The report.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// Writes the report of everything in a journal, and returns it, without its games if they are more than `most`. One
/// game at a time is in memory, so that the length of a match costs little.
///
/// # Errors
/// A journal that cannot be read, a report that cannot be written.
pub fn write_report(
    path: &Path,
    journal: &Path,
    finished: String,
    most: usize,
) -> Result<MatchReport, ReportError> {
    let (mut games, mut lines) = (Vec::new(), Vec::new());
    let (mut sums, mut duplicates) = (None, Duplicates::default());
    let (header, _) = Journal::scan(journal, |header, game, line| {
        sums.get_or_insert_with(|| Sums::new(header.plan.players.len())).add(&game);
        duplicates.add(&game);
        lines.push((game.number, line));
        if lines.len() <= most {
            games.push(game);
        }
    })?;
    let sums = sums.unwrap_or_else(|| Sums::new(header.plan.players.len()));
    let mut report = frame(header, &sums, duplicates.groups());
    report.finished = Some(finished);
    lines.sort_unstable_by_key(|(number, _)| *number);
    let written = File::open(journal).and_then(|mut journal| {
        let games = lines.into_iter().map(|(_, line)| read_line(&mut journal, line));
        replace(path, |out| print_parts(&report, games, out))
    });
    written.map_err(|source| ReportError::Write { path: path.to_owned(), source })?;
    if games.len() == report.games_ended as usize {
        games.sort_by_key(|game| game.number);
        report.games = games;
    }
    Ok(report)
}

/// The bytes of a line without its newline.
fn read_line(file: &mut File, line: Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; (line.end - line.start) as usize];
    file.seek(SeekFrom::Start(line.start))?;
    file.read_exact(&mut bytes)?;
    bytes.truncate(bytes.trim_ascii_end().len());
    Ok(bytes)
}

/// Writes a file so that a reader finds the old one or the whole new one, never a part: to a temporary file in the same
/// folder, which is then renamed. If that fails, the temporary file is removed.
fn replace(path: &Path, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let written = File::create(&temporary).and_then(|file| {
        let mut out = BufWriter::new(file);
        print(&mut out)?;
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
    let games = report.games.iter().map(|game| Ok(serde_json::to_vec(game)?));
    print_parts(&report.clone_without_games(), games, out)
}

/// Prints a report whose games come one by one.
fn print_parts(
    report: &MatchReport,
    games: impl Iterator<Item = io::Result<Vec<u8>>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bare = MatchReport { duplicates: Vec::new(), ..report.clone_without_games() };
    let frame = serde_json::to_string_pretty(&bare)?;
    let (head, rest) = split_at_list(&frame, "games");
    let (middle, end) = split_at_list(rest, "duplicates");
    out.write_all(head.as_bytes())?;
    print_list(games, out)?;
    out.write_all(middle.as_bytes())?;
    print_list(report.duplicates.iter().map(|group| Ok(serde_json::to_vec(group)?)), out)?;
    out.write_all(end.as_bytes())?;
    out.write_all(b"\n")
}

/// The text before and after the inside of an empty list. No text inside the JSON can look like the list, because its
/// quotes would be escaped.
fn split_at_list<'a>(text: &'a str, name: &str) -> (&'a str, &'a str) {
    let list = format!("\"{name}\": []");
    let at = text.find(&list).expect("the report has this list");
    text.split_at(at + list.len() - 1)
}

/// Prints each item on a line of its own.
fn print_list(items: impl Iterator<Item = io::Result<Vec<u8>>>, out: &mut dyn Write) -> io::Result<()> {
    let mut is_empty = true;
    for item in items {
        out.write_all(if is_empty { b"\n    " } else { b",\n    " })?;
        out.write_all(&item?)?;
        is_empty = false;
    }
    if is_empty { Ok(()) } else { out.write_all(b"\n  ") }
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
