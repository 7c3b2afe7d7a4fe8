//! Saved files read back: which ones are meant, what their games come to, and what to do about those that are none.

use super::super::exit_code::ExitCode;
use super::super::failure::Failure;
use super::place::JOURNAL;
use crate::record;
use crate::record::schema::MatchReport;
use crate::record::{Duplicates, JournalError, ReadError, Scored, Sums, is_foreign, read};
use crate::sanitize::sanitize;
use crate::tournament::Course;
use crate::ui::talk;
use std::fs;
use std::path::{Path, PathBuf};

/// The report in a file. A journal is read as the report of the games in it that count.
///
/// # Errors
/// A file that cannot be read or is neither.
pub(in crate::cli) fn load(path: &Path) -> Result<MatchReport, ReadError> {
    match read(path)? {
        record::Saved::Report(report) => Ok(report),
        record::Saved::Journal(report) => Ok(settled(report)),
    }
}

/// What the games of a journal come to. A journal whose plan makes no sense is left to whoever judges it.
fn settled(mut report: MatchReport) -> MatchReport {
    let Ok(mut course) = Course::of_plan(&report.plan, report.games_asked, None, None) else { return report };
    for game in &report.games {
        if let Some(scored) = Scored::of(game) {
            course.ended(game.number, scored);
        }
    }
    report.games_asked = course.games_asked();
    report.withdrawals = course.withdrawal_records();
    report.sprt = course.sprt_record();
    let before = report.games.len();
    report.games.retain(|game| course.counts(game.number));
    if report.games.len() < before {
        let sums = Sums::of(report.plan.players.len(), &report.games);
        report.games_ended = sums.games_ended();
        report.totals = sums.totals().to_vec();
        report.duplicates = Duplicates::of(&report.games).groups();
    }
    report
}

/// A file that is no report, with what to do about it.
pub(in crate::cli) fn not_read(error: &ReadError) -> Failure {
    let failure = Failure::of(ExitCode::File, error);
    match error {
        ReadError::NotAReport { .. } => failure.hint(
            "a file that arbiter wrote: a report ends in .json, the journal of a running match in .journal",
        ),
        ReadError::TooNew { .. } | ReadError::Journal(JournalError::TooNew { .. }) => {
            failure.hint("the arbiter that wrote it")
        }
        ReadError::Journal(JournalError::Damaged { line: 2.., .. }) => {
            failure.hint("take that line out with an editor: the games of the others are whole")
        }
        ReadError::Journal(JournalError::Damaged { .. }) => {
            failure.hint("remove it, and begin again: without its first line nobody knows what was played")
        }
        ReadError::Journal(JournalError::InUse { .. }) => {
            failure.hint("wait for its end, or play another match: without --resume, or with another --seed")
        }
        ReadError::Journal(JournalError::Write { .. }) => {
            failure.hint("make room, or see to it that the file can be written to")
        }
        ReadError::File { .. } | ReadError::Journal(JournalError::Read { .. }) => {
            failure.hint("the path of a file that can be read")
        }
    }
}

/// The file, or the reports and journals in the folder by name. JSON of others in a folder is left out with a warning;
/// what may be a damaged report is not.
pub(in crate::cli) fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).map_err(|error| {
        let failure = Failure::new(ExitCode::File, format!("cannot read the folder {}", path.display()));
        failure.because(&error).hint("a folder that can be read, or a report in it by its name")
    })?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| is_saved(path)).collect();
    files.sort();
    files.retain(|path| {
        let is_foreign = is_foreign(path);
        if is_foreign {
            let warning = format!("warning: {} is left out: it is JSON, but no match report", path.display());
            talk(&sanitize(&warning));
        }
        !is_foreign
    });
    if files.is_empty() {
        let failure = Failure::new(ExitCode::File, format!("there is no match report in {}", path.display()));
        return Err(failure.hint("a folder with reports (.json) or journals (.journal); matches are saved in results, unless --results said another"));
    }
    Ok(files)
}

/// The file, or the one in the folder that was written last.
pub(in crate::cli) fn newest(path: &Path) -> Result<PathBuf, Failure> {
    let files = files(path)?;
    let written = |file: &PathBuf| fs::metadata(file).and_then(|file| file.modified()).ok();
    let last =
        files.iter().max_by_key(|file| (written(file), *file)).expect("there is no folder without a file");
    if files.len() > 1 {
        talk(&sanitize(&format!("{} is the newest of {} files", last.display(), files.len())));
    }
    Ok(last.clone())
}

/// A report, or the journal of a match that has none yet.
fn is_saved(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let is_lonely = |report: &str| !Path::new(report).exists();
    name.ends_with(".json") || name.strip_suffix(JOURNAL).is_some_and(is_lonely)
}
