//! A report made of journals and other reports: written to a temporary file and renamed.

use super::file::ReadError;
use super::merged::Merged;
use super::numbers::Numbers;
use super::packed::Packing;
use super::print::Printer;
use super::reader::Reader;
use super::schema::{GameRecord, MatchReport, PartRecord, SprtRecord, WithdrawalRecord};
use super::totals::{Duplicates, Sums};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What a report says besides its games and their sums.
pub struct Closing<'a> {
    /// When the report is written.
    pub finished: Option<String>,
    /// How many games there have to be.
    pub games_asked: u32,
    /// Which games count.
    pub counts: Box<dyn Fn(u32) -> bool + 'a>,
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

/// Writes the report of the games in some journals and reports of one plan, and returns it, without its games if they are
/// more than `most`. One game at a time is in memory, and `visit` is shown each. A game that is in several files is taken
/// from the first.
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
    let Closing { finished, games_asked, counts, withdrawals, sprt, parts } = closing;
    let mut numbers = Numbers::default();
    let mut games_ended = 0;
    for source in sources {
        for game in Reader::open(source)? {
            let number = game?.number()?;
            games_ended += u32::from(counts(number) && numbers.insert(number));
        }
    }
    let mut merged = Merged::open(sources)?;
    let frame = merged.readers().first().expect("a report is made of at least one file").frame().clone();
    let mut report = MatchReport { finished, games_asked, games_ended, withdrawals, sprt, parts, ..frame };
    let (mut sums, mut duplicates) = (Sums::new(report.plan.players.len()), Duplicates::default());
    let (mut games, mut unreadable) = (Vec::new(), None);
    let written = replace(path, |out| {
        let mut printer = Printer::begin(&report, out)?;
        for shared in &mut merged {
            let game = match shared {
                Ok(shared) => shared.game,
                Err(error) => {
                    unreadable = Some(error);
                    return Err(io::ErrorKind::InvalidData.into());
                }
            };
            if !counts(game.number) {
                continue;
            }
            sums.add(&game);
            duplicates.add(&game);
            visit(&game);
            printer.game(&game)?;
            if games_ended as usize <= most {
                games.push(game);
            }
        }
        report.add_up(&sums, std::mem::take(&mut duplicates));
        printer.end(&report)
    });
    if let Some(error) = unreadable {
        return Err(error.into());
    }
    written.map_err(|source| ReportError::Write { path: path.to_owned(), source })?;
    merged.end()?;
    report.games = games;
    Ok(report)
}

/// Writes a file so that a reader finds the old one or the whole new one, never a part: to a temporary file in the same
/// folder, which is then renamed. If that fails, the temporary file is removed. It is packed as its name says.
fn replace(path: &Path, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    remove_leftovers(path);
    let temporary = temporary(path);
    let written = File::create(&temporary).and_then(|file| {
        Packing::of_name(path).write(file, print)?.sync_all()?;
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Where this process writes a report before it is renamed: `cup.json.4711.tmp`.
fn temporary(report: &Path) -> PathBuf {
    let mut name = report.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    PathBuf::from(name)
}

/// Removes the temporary files of a report whose processes are gone. One that cannot be removed does no harm.
fn remove_leftovers(report: &Path) {
    let Some(name) = report.file_name().and_then(|name| name.to_str()) else { return };
    let folder = report.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    for entry in entries {
        let process = entry.file_name().to_str().and_then(|file| {
            file.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".tmp")?.parse::<i32>().ok()
        });
        if process.is_some_and(is_gone) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    Pid::from_raw(process).is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH))
}

/// Here only unsafe code could tell, so such a file stays until somebody removes it.
#[cfg(not(unix))]
fn is_gone(_: i32) -> bool {
    false
}
