//! Where reports and journals lie: their names, and making sure that nothing else is overwritten.

use crate::cli::plan::{Plan, Seated};
use crate::cli::{ExitCode, Failure};
use crate::record::schema::{JournalHeader, ScheduleKind};
use crate::record::{Journal, RecordError, is_report, split_name};
use chrono::{DateTime, Local};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The end of a journal's name; the rest is the report's.
pub(super) const JOURNAL: &str = ".journal";

pub(crate) fn is_journal(path: &Path) -> bool {
    path.to_string_lossy().ends_with(JOURNAL)
}

/// The folder of a season's finals, in that of the season.
pub(crate) const FINALS: &str = "finals";

/// What to do where nothing can be written: whether the user has named the file decides which option says another place.
pub(super) fn another_place(is_named: bool) -> &'static str {
    match is_named {
        true => "a file in a folder that can be written to, after --output",
        false => "a folder that can be written to, after --results",
    }
}

/// Where the report of a plan shall be.
pub(super) fn wanted(plan: &Plan, seated: &Seated) -> PathBuf {
    let named = plan.run.output.as_deref().map(|file| of_part(file, plan));
    named.unwrap_or_else(|| plan.run.results.join(file_name(plan, seated)))
}

/// Whether a report may be put where it shall be. Only another report is ever replaced: the rename at the end would take
/// away a bot, a pipe, a device or a link, such as `/dev/stdout`, just as well.
pub(crate) fn check_place(report: &Path) -> Result<(), Failure> {
    let Ok(there) = fs::symlink_metadata(report) else { return Ok(()) };
    let refuse = |what: &str| Failure::file(format!("{} {what}", report.display()));
    if there.is_dir() {
        let failure = refuse("is a folder, not a file for a report");
        return Err(failure.hint(format!("--results {}", report.display())));
    }
    if !there.is_file() || there.len() > 0 && !is_report(report) {
        return Err(refuse("is there already and is no match report").hint("another file after --output"));
    }
    Ok(())
}

/// Creates the journal. A name that is taken gets a number, unless the file was named by the user.
pub(super) fn create(
    report: &Path,
    header: &JournalHeader,
    is_named: bool,
) -> Result<(Journal, PathBuf), Failure> {
    for number in 1.. {
        let report = if number == 1 { report.to_owned() } else { named(report, &format!("-{number}")) };
        let journal = journal_of(&report);
        if !is_named && report.exists() {
            continue;
        }
        match Journal::create(&journal, header) {
            // Another arbiter may have ended a match of this name since the report was looked for.
            Ok(journal) if !is_named && report.exists() => drop(fs::remove_file(journal.path())),
            Ok(journal) => return Ok((journal, report)),
            Err(RecordError::NotWritten { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => {
                if is_named {
                    Journal::check_free(&journal)?;
                    let message =
                        format!("{} is the journal of a match that did not finish", journal.display());
                    let hint = "the same command with --resume to go on with it, or remove it";
                    return Err(Failure::file(message).hint(hint));
                }
            }
            Err(error) => {
                let failure = Failure::of(ExitCode::File, &error);
                return Err(failure.hint(another_place(is_named)));
            }
        }
    }
    unreachable!("numbers do not end")
}

/// `2026-11-21T10-06-40-othello-greedy-minimax.json`, or `…-othello-swiss-of-16.json`.
#[expect(clippy::disallowed_methods, reason = "a name says when it was chosen")]
fn file_name(plan: &Plan, seated: &Seated) -> PathBuf {
    let time = DateTime::<Local>::from(SystemTime::now()).format("%Y-%m-%dT%H-%M-%S");
    let who = match plan.games.event.schedule.to_record().kind {
        ScheduleKind::Match => {
            seated.entrants.iter().map(|entrant| slug(&entrant.name)).collect::<Vec<_>>().join("-")
        }
        ScheduleKind::League => "league".to_owned(),
        kind => format!("{}-of-{}", kind.word(), seated.entrants.len()),
    };
    of_part(Path::new(&format!("{time}-{}-{who}.json", plan.games.start.info().id)), plan)
}

/// The name of a part: `cup-2-of-4.json`.
pub(super) fn of_part(file: &Path, plan: &Plan) -> PathBuf {
    let Some(shard) = plan.run.part.shard else { return file.to_owned() };
    named(file, &format!("-{}-of-{}", shard.index(), shard.count()))
}

/// The letters and digits of a name, in small letters and with hyphens for the rest.
fn slug(name: &str) -> String {
    let name: String = name.chars().take(24).collect::<String>().to_ascii_lowercase();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-");
    if slug.is_empty() { "bot".to_owned() } else { slug }
}

/// A name with more at its end, before what tells how the file is packed.
fn named(report: &Path, more: &str) -> PathBuf {
    let name = report.file_name().unwrap_or_default().to_string_lossy();
    let (stem, end) = match split_name(&name) {
        (_, "") => (report.file_stem().unwrap_or_default().to_string_lossy(), ".json"),
        (stem, end) => (stem.into(), end),
    };
    report.with_file_name(format!("{stem}{more}{end}"))
}

pub(crate) fn journal_of(report: &Path) -> PathBuf {
    let mut name = report.as_os_str().to_owned();
    name.push(JOURNAL);
    PathBuf::from(name)
}
