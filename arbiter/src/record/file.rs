//! Reports on disk: written to a temporary file and renamed, read back whole.

use super::head::{Foreign, Head};
use super::journal::{FORMAT as JOURNAL_FORMAT, JournalError};
use super::origin::{Origin, scan};
use super::schema::{
    FORMAT, FORMAT_VERSION, GameRecord, MatchReport, PartRecord, SprtRecord, WithdrawalRecord,
};
use super::totals::{Duplicates, Sums};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
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
    let head: Head = serde_json::from_str(text).map_err(|error| not_a_report(error.to_string()))?;
    head.check(FORMAT).map_err(|foreign| match foreign {
        Foreign::NotOurs(problem) => not_a_report(problem),
        Foreign::TooNew(found) => ReadError::TooNew { path: path.to_owned(), found },
    })?;
    serde_json::from_str(text).map_err(|error| not_a_report(error.to_string()))
}

/// Refuses a file that is no report, or too new, without reading its games into memory.
pub(super) fn check_head(path: &Path) -> Result<(), ReadError> {
    let not_a_report = |problem: String| ReadError::NotAReport { path: path.to_owned(), problem };
    let file = File::open(path).map_err(|source| ReadError::File { path: path.to_owned(), source })?;
    let head: Head =
        serde_json::from_reader(BufReader::new(file)).map_err(|error| not_a_report(error.to_string()))?;
    head.check(FORMAT).map_err(|foreign| match foreign {
        Foreign::NotOurs(problem) => not_a_report(problem),
        Foreign::TooNew(found) => ReadError::TooNew { path: path.to_owned(), found },
    })
}

/// Whether the first line of a file is that of a journal.
pub(super) fn is_journal_file(path: &Path) -> bool {
    let mut line = Vec::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut line));
    read.is_ok() && serde_json::from_slice(&line).is_ok_and(|head: Head| head.is(JOURNAL_FORMAT))
}

/// Whether a file says that it is a report of any version.
#[must_use]
pub fn is_report(path: &Path) -> bool {
    let file = File::open(path).map(BufReader::new);
    file.is_ok_and(|file| serde_json::from_reader(file).is_ok_and(|head: Head| head.is(FORMAT)))
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
fn frame(origin: Origin, sums: &Sums, duplicates: Vec<Vec<u32>>) -> MatchReport {
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
        totals: sums.totals().to_vec(),
        duplicates,
        withdrawals: Vec::new(),
        sprt: None,
        parts: Vec::new(),
    }
}

/// What a report says beside what its games add up to.
pub struct Closing<'a> {
    /// When the last game ended.
    pub finished: Option<String>,
    /// How many games there have to be.
    pub games_asked: u32,
    /// Which games count.
    pub counts: &'a dyn Fn(u32) -> bool,
    /// Who was withdrawn.
    pub withdrawals: Vec<WithdrawalRecord>,
    /// How the test stands.
    pub sprt: Option<SprtRecord>,
    /// What each journal holds, if there are several.
    pub parts: Vec<PartRecord>,
}

/// A report that could not be made of journals and other reports.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A journal, or a report that it is made of, cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The report cannot be written.
    #[error("cannot write the report {}", path.display())]
    Write {
        /// The report.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// Where a game lies: 16 bytes, because this alone grows with the number of games.
struct Place {
    number: u32,
    source: u32,
    /// Where its line begins in a journal; its place among the texts of games that reports hold.
    at: u64,
}

/// Writes the report of the games in some journals and reports of one plan, and returns it, without its games if they are
/// more than `most`. Of journals, one game at a time is in memory, and `visit` is shown each. A game that is in several
/// files is taken from the first.
///
/// # Errors
/// A file that cannot be read, a report that cannot be written.
pub fn write_report(
    path: &Path,
    sources: &[&Path],
    closing: Closing<'_>,
    most: usize,
    mut visit: impl FnMut(&GameRecord),
) -> Result<MatchReport, ReportError> {
    let (mut games, mut places): (Vec<GameRecord>, Vec<Place>) = (Vec::new(), Vec::new());
    let (mut sums, mut duplicates, mut first) = (None, Duplicates::default(), None);
    let mut taken = HashSet::new();
    let mut texts = Vec::new();
    for (source, file) in sources.iter().enumerate() {
        let is_journal = is_journal_file(file);
        let origin = scan(file, |plan, game, line| {
            let is_new = sources.len() == 1 || taken.insert(game.number);
            if !is_new || !(closing.counts)(game.number) {
                return;
            }
            sums.get_or_insert_with(|| Sums::new(plan.players.len())).add(&game);
            duplicates.add(&game);
            visit(&game);
            let at = match line {
                Some(line) => line.start,
                None => {
                    texts.push(serde_json::to_vec(&game).expect("a game is plain data"));
                    texts.len() as u64 - 1
                }
            };
            let source = if is_journal { source as u32 } else { u32::MAX };
            places.push(Place { number: game.number, source, at });
            if places.len() <= most {
                games.push(game);
            }
        })?;
        first.get_or_insert(origin);
    }
    let origin = first.expect("a report is made of at least one file");
    let sums = sums.unwrap_or_else(|| Sums::new(origin.plan.players.len()));
    let report = frame(origin, &sums, duplicates.groups());
    let Closing { finished, games_asked, withdrawals, sprt, parts, .. } = closing;
    let mut report = MatchReport { finished, games_asked, withdrawals, sprt, parts, ..report };
    places.sort_unstable_by_key(|place| place.number);
    let opened: io::Result<Vec<_>> =
        sources.iter().map(|source| File::open(source).map(BufReader::new)).collect();
    let written = opened.and_then(|mut files| {
        let games = places.into_iter().map(|place| match files.get_mut(place.source as usize) {
            Some(file) => read_line(file, place.at),
            None => Ok(std::mem::take(&mut texts[place.at as usize])),
        });
        replace(path, |out| print_parts(&report, games, out))
    });
    written.map_err(|source| ReportError::Write { path: path.to_owned(), source })?;
    if games.len() == report.games_ended as usize {
        games.sort_by_key(|game| game.number);
        report.games = games;
    }
    Ok(report)
}

/// The bytes of the line that begins there, without its newline.
fn read_line(file: &mut BufReader<File>, start: u64) -> io::Result<Vec<u8>> {
    // Games are nearly always in order, so that the next line is in the buffer already.
    let here = file.stream_position()?;
    file.seek_relative(start.cast_signed() - here.cast_signed())?;
    let mut bytes = Vec::new();
    file.read_until(b'\n', &mut bytes)?;
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
            withdrawals: self.withdrawals.clone(),
            sprt: self.sprt.clone(),
            parts: self.parts.clone(),
        }
    }
}
