//! Reports and journals read back whole, and what a file is.

use super::duplicates::Duplicates;
use super::error::RecordError;
use super::head::Head;
use super::reader::Reader;
use super::schema::MatchReport;
use super::source;
use super::totals::Sums;
use serde::de::IgnoredAny;
use std::path::Path;

/// Reads a report with all its games. A journal is read as the report of the games that ended.
///
/// # Errors
/// A file that cannot be read, is neither, or is too new.
pub fn read(path: &Path) -> Result<MatchReport, RecordError> {
    let mut reader = Reader::open(path)?;
    let games = reader.by_ref().map(|game| game?.game()).collect::<Result<Vec<_>, _>>()?;
    let is_journal = reader.header().is_some();
    let mut report = reader.end()?;
    report.games = games;
    if is_journal {
        let sums = Sums::of(report.plan.players.len(), &report.games);
        report.add_up(&sums, Duplicates::of(&report.games));
    }
    Ok(report)
}

impl MatchReport {
    /// Says what the games add up to.
    pub fn add_up(&mut self, sums: &Sums, duplicates: Duplicates) {
        self.games_ended = sums.games_ended();
        self.totals = sums.totals_under(&self.plan);
        self.duplicates = duplicates.groups();
    }
}

/// Whether a file says that it is a report of any version.
pub fn is_report(path: &Path) -> bool {
    Head::of_file(path).is_ok_and(|(head, _)| head.is_report())
}

/// Whether a file is somebody else's JSON: well-formed, and without the mark that every file of ours begins with. What
/// is cut off or damaged is not, since it may have been ours.
pub fn is_foreign(path: &Path) -> bool {
    let is_ours = Head::of_file(path).is_ok_and(|(head, _)| head.has_mark());
    let is_json = |text| serde_json::from_reader::<_, IgnoredAny>(text).is_ok();
    !is_ours && source::open_text(path).is_ok_and(is_json)
}
