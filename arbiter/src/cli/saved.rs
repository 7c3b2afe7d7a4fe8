//! Where a match is saved: the journal while it runs, the report when it ends, and the way back from one to the other.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::plan::Plan;
use crate::record::schema::{self, FORMAT_VERSION, JournalHeader, Machine};
use crate::record::{Journal, JournalError, ReadError, Reopened, ReportError, Sums, is_report, write_report};
use crate::report::FEW_GAMES;
use crate::tournament::MatchSeed;
use chrono::{Local, SecondsFormat};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The end of a journal's name; the rest is the report's.
const JOURNAL: &str = ".journal";

/// What to do where nothing can be written.
const ANOTHER_FOLDER: &str = "a folder that can be written to, after --results";

/// The files of a running match.
pub(super) struct Saved {
    pub(super) journal: Journal,
    pub(super) seed: MatchSeed,
    /// The games that are in the journal already, and their sums.
    pub(super) finished: HashSet<u32>,
    pub(super) sums: Sums,
    report: PathBuf,
}

/// The present time as it is written into records.
pub(super) fn now() -> String {
    Local::now().to_rfc3339_opts(SecondsFormat::Millis, false)
}

impl Saved {
    /// Starts the journal of a new match, or goes on with the one that was interrupted. Whatever is wrong with the
    /// folder shows here, before the first move.
    pub(super) fn open(plan: &Plan) -> Result<Saved, Failure> {
        if plan.resume {
            return resume(plan);
        }
        let seed = match &plan.seed {
            Some(seed) => seed.clone(),
            None => MatchSeed::random().map_err(|error| {
                Failure::new(ExitCode::File, "the system has no random numbers for a seed").because(&error)
            })?,
        };
        let header = header(plan, &seed);
        let report = match &plan.output {
            Some(file) => file.clone(),
            None => plan.results.join(file_name(plan)),
        };
        if let Some(folder) = report.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| {
                let failure =
                    Failure::new(ExitCode::File, format!("cannot make the folder {}", folder.display()));
                failure.because(&error).hint(ANOTHER_FOLDER)
            })?;
        }
        check_place(&report)?;
        let (journal, report) = create(&report, &header, plan.output.is_some())?;
        let sums = Sums::new(plan.places.len());
        Ok(Saved { journal, seed, finished: HashSet::new(), sums, report })
    }

    /// Writes the report of everything in the journal, and returns it, with its games if they are few. The journal goes
    /// when all games are in the report.
    pub(super) fn write_report(report: &Path, journal: &Path) -> Result<schema::MatchReport, Failure> {
        let saved = write_report(report, journal, now(), FEW_GAMES).map_err(|error| {
            let failure = Failure::of(ExitCode::File, &error);
            match error {
                ReportError::Write { .. } => failure.hint(format!(
                    "make room, then the same command with --resume; the games are in {}",
                    journal.display()
                )),
                ReportError::Journal(_) => failure,
            }
        })?;
        if saved.games_ended == saved.games_asked {
            // A journal that cannot be removed does no harm: it says the same as the report.
            drop(fs::remove_file(journal));
        }
        Ok(saved)
    }

    /// Where the report will be.
    pub(super) fn report(&self) -> &Path {
        &self.report
    }
}

fn header(plan: &Plan, seed: &MatchSeed) -> JournalHeader {
    JournalHeader {
        format: "arbiter-journal".to_owned(),
        format_version: FORMAT_VERSION,
        arbiter: env!("CARGO_PKG_VERSION").to_owned(),
        plan: plan.saved(seed),
        machine: machine(plan.jobs),
        started: now(),
        games_asked: plan.games,
    }
}

fn machine(jobs: usize) -> Machine {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    Machine {
        os: std::env::consts::OS.to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        processor: name.map(|(_, name)| name.to_owned()),
        cores: std::thread::available_parallelism().map_or(1, usize::from) as u32,
        jobs: jobs as u32,
    }
}

/// `2026-11-21T10-06-40-othello-greedy-minimax.json`.
fn file_name(plan: &Plan) -> String {
    let time = Local::now().format("%Y-%m-%dT%H-%M-%S");
    let names: String = plan.places.iter().map(|place| format!("-{}", slug(&place.name))).collect();
    format!("{time}-{}{names}.json", plan.start.info().id)
}

/// The letters and digits of a name, in small letters and with hyphens for the rest.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().take(24) {
        match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => slug.push(c),
            _ if !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "bot".to_owned() } else { slug.to_owned() }
}

/// Whether a report may be put where it shall be. Only another report is ever replaced: the rename at the end would take
/// away a bot, a pipe or a device just as well.
fn check_place(report: &Path) -> Result<(), Failure> {
    let Ok(there) = fs::metadata(report) else { return Ok(()) };
    let refuse = |what: &str| Failure::new(ExitCode::File, format!("{} {what}", report.display()));
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
fn create(report: &Path, header: &JournalHeader, is_named: bool) -> Result<(Journal, PathBuf), Failure> {
    for number in 1.. {
        let report = numbered(report, number);
        let journal = beside(&report);
        if !is_named && report.exists() {
            continue;
        }
        match Journal::create(&journal, header) {
            // Another arbiter may have ended a match of this name since the report was looked for.
            Ok(journal) if !is_named && report.exists() => drop(fs::remove_file(journal.path())),
            Ok(journal) => return Ok((journal, report)),
            Err(JournalError::Write { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => {
                if is_named {
                    let message =
                        format!("{} is the journal of a match that did not finish", journal.display());
                    let hint = "the same command with --resume to go on with it, or remove it";
                    return Err(Failure::new(ExitCode::File, message).hint(hint));
                }
            }
            Err(error) => {
                let failure = Failure::of(ExitCode::File, &error);
                return Err(failure.hint(ANOTHER_FOLDER));
            }
        }
    }
    unreachable!("numbers do not end")
}

fn numbered(report: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return report.to_owned();
    }
    let stem = report.file_stem().unwrap_or_default().to_string_lossy();
    report.with_file_name(format!("{stem}-{number}.json"))
}

fn beside(report: &Path) -> PathBuf {
    let mut name = report.as_os_str().to_owned();
    name.push(JOURNAL);
    PathBuf::from(name)
}

/// A file that is no report, with what to do about it.
pub(super) fn not_read(error: &ReadError) -> Failure {
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
        ReadError::File { .. } | ReadError::Journal(_) => failure,
    }
}

/// Goes on with the newest journal of the same plan.
fn resume(plan: &Plan) -> Result<Saved, Failure> {
    let candidates = match &plan.output {
        Some(report) => vec![beside(report)],
        None => journals(&plan.results),
    };
    let mut different = Vec::new();
    for path in candidates {
        match Journal::header(&path).map(|header| difference(&header, plan)) {
            Ok(None) => return go_on(&path, plan),
            Ok(Some(what)) => different.push(format!("{} has {what}", path.display())),
            Err(JournalError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            Err(error) => different.push(error.to_string()),
        }
    }
    let place = plan.output.as_deref().unwrap_or(&plan.results).display();
    let failure =
        Failure::new(ExitCode::File, format!("there is no interrupted match of these players at {place}"));
    let failure = different.iter().fold(failure, |failure, what| failure.cause(what));
    Err(failure.hint("the same command as before, with --resume added"))
}

/// The journals in a folder, newest first: their names begin with the time.
fn journals(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = entries.filter(|path| path.to_string_lossy().ends_with(JOURNAL)).collect();
    paths.sort();
    paths.reverse();
    paths
}

/// What a journal has that this plan has not. Without `--seed` the journal's seed is taken.
fn difference(header: &JournalHeader, plan: &Plan) -> Option<&'static str> {
    let seed = plan.seed.clone().unwrap_or_else(|| MatchSeed::new(&header.plan.seed));
    let wanted = plan.saved(&seed);
    let found = &header.plan;
    let without_files = |players: &[schema::Player]| -> Vec<schema::Player> {
        players.iter().cloned().map(|player| schema::Player { file: None, ..player }).collect()
    };
    if found.game != wanted.game || found.options != wanted.options || found.seats != wanted.seats {
        Some("another game or other options")
    } else if found.rules_version != wanted.rules_version || header.arbiter != env!("CARGO_PKG_VERSION") {
        Some("another version of arbiter or its rules")
    } else if header.games_asked != plan.games {
        Some("another number of games")
    } else if found.seed != wanted.seed {
        Some("another seed")
    } else if without_files(&found.players) != without_files(&wanted.players) {
        Some("other players, bot files, bot options or times")
    } else if (schema::Plan { players: Vec::new(), ..found.clone() })
        != (schema::Plan { players: Vec::new(), ..wanted })
    {
        Some("another position, other openings or limits")
    } else {
        None
    }
}

fn go_on(path: &Path, plan: &Plan) -> Result<Saved, Failure> {
    let Reopened { journal, header, finished, sums } =
        Journal::reopen(path).map_err(|error| Failure::of(ExitCode::File, &error))?;
    let name = path.to_string_lossy();
    let report = match &plan.output {
        Some(report) => report.clone(),
        None => PathBuf::from(name.strip_suffix(JOURNAL).unwrap_or(&name)),
    };
    Ok(Saved { journal, seed: MatchSeed::new(&header.plan.seed), finished, sums, report })
}
