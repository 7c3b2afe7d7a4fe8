//! A report made of journals and other reports: written to a temporary file and renamed.

use super::file::{ReadError, frame};
use super::game_texts::GameTexts;
use super::leftovers;
use super::numbers::Numbers;
use super::origin::scan;
use super::print::print_parts;
use super::schema::{GameRecord, MatchReport, PartRecord, SprtRecord, WithdrawalRecord};
use super::totals::{Duplicates, Sums};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What a report says beside what its games add up to.
pub struct Closing<'a> {
    /// When the last game ended.
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

/// Where the text of a game lies: 16 bytes, because this alone grows with the number of games.
struct Place {
    number: u32,
    source: u32,
    at: u64,
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
    let (mut games, mut places): (Vec<GameRecord>, Vec<Place>) = (Vec::new(), Vec::new());
    let (mut sums, mut duplicates, mut first) = (None, Duplicates::default(), None);
    let mut taken = Numbers::default();
    for (source, file) in (0..).zip(sources) {
        let origin = scan(file, |plan, game, text| {
            if !(closing.counts)(game.number) || !taken.insert(game.number) {
                return;
            }
            sums.get_or_insert_with(|| Sums::new(plan.players.len())).add(&game);
            duplicates.add(&game);
            visit(&game);
            places.push(Place { number: game.number, source, at: text.start });
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
    let opened: io::Result<Vec<_>> = sources.iter().map(|source| GameTexts::open(source)).collect();
    let written = opened.and_then(|mut files| {
        let games = places.into_iter().map(|place| files[place.source as usize].at(place.at));
        replace(path, |out| print_parts(&report, games, out))
    });
    written.map_err(|source| ReportError::Write { path: path.to_owned(), source })?;
    if games.len() == report.games_ended as usize {
        games.sort_by_key(|game| game.number);
        report.games = games;
    }
    Ok(report)
}

/// Writes a file so that a reader finds the old one or the whole new one, never a part: to a temporary file in the same
/// folder, which is then renamed. If that fails, the temporary file is removed.
fn replace(path: &Path, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    leftovers::remove(path);
    let temporary = leftovers::temporary(path);
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
