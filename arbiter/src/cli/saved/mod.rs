//! Where games are saved: the journal while they are played, the report at the end, and the way back from one to the
//! other.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::plan::Plan;
use crate::record;
use crate::record::schema::{self, FORMAT_VERSION, JournalHeader, Machine};
use crate::record::{
    Closing, Duplicates, Journal, JournalError, ReadError, Reopened, ReportError, Scored, Sums, is_report,
    plan_hash, read, write_report,
};
use crate::report::{FEW_GAMES, Tally};
use crate::tournament::{Course, MatchSeed, Schedule};
use chrono::{Local, SecondsFormat};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The end of a journal's name; the rest is the report's.
const JOURNAL: &str = ".journal";

/// What to do where nothing can be written.
const ANOTHER_FOLDER: &str = "a folder that can be written to, after --results";

/// The files of a running match or tournament, and how far it has come.
pub(super) struct Saved {
    pub(super) journal: Journal,
    pub(super) seed: MatchSeed,
    /// The plan as it is saved.
    pub(super) plan: schema::Plan,
    /// The schedule, with the games that are in the journal already.
    pub(super) course: Course,
    /// What those games add up to.
    pub(super) tally: Tally,
    report: PathBuf,
}

/// The present time as it is written into records.
pub(super) fn now() -> String {
    Local::now().to_rfc3339_opts(SecondsFormat::Millis, false)
}

impl Saved {
    /// Starts the journal, or goes on with the one that was interrupted. Whatever is wrong with the folder shows here,
    /// before the first move. The entrants are put into the order of their seeds.
    pub(super) fn open(plan: &mut Plan) -> Result<Saved, Failure> {
        if plan.resume
            && let Some(saved) = resume(plan)?
        {
            return Ok(saved);
        }
        let seed = seed(plan)?;
        plan.seat_by(&seed);
        let (saved, course) = course(plan, &seed)?;
        let header = header(plan, &saved, &course, &seed);
        let report = match (&plan.output, plan.shard) {
            (Some(file), None) => file.clone(),
            (Some(file), Some(_)) => of_part(file, plan),
            (None, _) => plan.results.join(file_name(plan)),
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
        let tally = Tally::new(saved.players.len(), saved.seats as usize);
        Ok(Saved { journal, seed, plan: saved, course, tally, report })
    }

    /// Writes the report of everything in the journal that counts, and returns it, with its games if they are few, and
    /// what they add up to. The journal goes when all games are in the report.
    pub(super) fn write_report(
        report: &Path,
        journal: &Path,
        course: &Course,
        mut tally: Tally,
    ) -> Result<(schema::MatchReport, Tally), Failure> {
        let closing = Closing {
            finished: Some(now()),
            games_asked: course.games_asked(),
            counts: &|number| course.counts(number),
            withdrawals: course.withdrawal_records(),
            sprt: course.sprt_record(),
            parts: Vec::new(),
        };
        let saved = write_report(report, &[journal], closing, FEW_GAMES, |game| tally.add(game));
        let saved = saved.map_err(|error| {
            let failure = Failure::of(ExitCode::File, &error);
            match error {
                ReportError::Write { .. } => failure.hint(format!(
                    "make room, then the same command with --resume; the games are in {}",
                    journal.display()
                )),
                ReportError::Read(_) => failure,
            }
        })?;
        if saved.games_ended == saved.games_asked {
            // A journal that cannot be removed does no harm: it says the same as the report.
            drop(fs::remove_file(journal));
        }
        Ok((saved, tally))
    }

    /// Where the report will be.
    pub(super) fn report(&self) -> &Path {
        &self.report
    }
}

/// The seed that was asked for, or a random one.
pub(super) fn seed(plan: &Plan) -> Result<MatchSeed, Failure> {
    let chosen = plan.seed.clone().map_or_else(MatchSeed::random, Ok);
    chosen.map_err(|error| {
        Failure::new(ExitCode::File, "the system has no random numbers for a seed").because(&error)
    })
}

/// The course of a plan, with the results that are known from other files.
pub(super) fn course(plan: &Plan, seed: &MatchSeed) -> Result<(schema::Plan, Course), Failure> {
    let saved = plan.saved(seed);
    let course = Course::of_plan(&saved, plan.most_games(), plan.shard, plan.wave);
    let mut course = course.map_err(|problem| Failure::new(ExitCode::Usage, problem))?;
    let hash = plan_hash(&saved, env!("CARGO_PKG_VERSION"));
    for path in &plan.known {
        let report = load(path).map_err(|error| not_read(&error))?;
        if plan_hash(&report.plan, &report.arbiter) != hash {
            let message = format!("{} is of another tournament", path.display());
            let failure = Failure::new(ExitCode::Usage, message);
            return Err(failure.hint("--after with results of the same bots, options and seed"));
        }
        for game in &report.games {
            if let Some(scored) = Scored::of(game) {
                course.ended(game.number, scored);
            }
        }
    }
    course.begin();
    Ok((saved, course))
}

fn header(plan: &Plan, saved: &schema::Plan, course: &Course, seed: &MatchSeed) -> JournalHeader {
    let arbiter = env!("CARGO_PKG_VERSION");
    JournalHeader {
        format: "arbiter-journal".to_owned(),
        format_version: FORMAT_VERSION,
        arbiter: arbiter.to_owned(),
        plan: saved.clone(),
        machine: machine(plan),
        started: now(),
        games_asked: course.games_asked(),
        plan_hash: Some(plan_hash(saved, arbiter)),
        shard: plan.shard.map(|shard| shard.to_string()),
        command: Some(plan.command(seed)),
    }
}

fn machine(plan: &Plan) -> Machine {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    Machine {
        host: host.map(|host| host.trim().to_owned()).filter(|host| !host.is_empty()),
        os: std::env::consts::OS.to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        processor: name.map(|(_, name)| name.to_owned()),
        cores: std::thread::available_parallelism().map_or(1, usize::from) as u32,
        jobs: plan.jobs as u32,
        isolation: isolation(plan),
    }
}

/// What holds bots besides the sandbox, in words.
fn isolation(plan: &Plan) -> Vec<String> {
    plan.limits.isolation.means().map(|means| means.word().to_owned()).collect()
}

/// `2026-11-21T10-06-40-othello-greedy-minimax.json`, or `…-othello-swiss-of-16.json`.
fn file_name(plan: &Plan) -> PathBuf {
    let time = Local::now().format("%Y-%m-%dT%H-%M-%S");
    let who: String = match plan.schedule {
        Schedule::Match { .. } => plan.places.iter().map(|place| format!("-{}", slug(&place.name))).collect(),
        Schedule::RoundRobin { .. } => format!("-round-robin-of-{}", plan.places.len()),
        Schedule::Gauntlet { .. } => format!("-gauntlet-of-{}", plan.places.len()),
        Schedule::Swiss { .. } => format!("-swiss-of-{}", plan.places.len()),
        Schedule::Knockout(_) => format!("-knockout-of-{}", plan.places.len()),
        Schedule::DoubleElimination(_) => format!("-double-elimination-of-{}", plan.places.len()),
    };
    of_part(Path::new(&format!("{time}-{}{who}.json", plan.start.info().id)), plan)
}

/// The name of a part: `cup-2-of-4.json`.
fn of_part(file: &Path, plan: &Plan) -> PathBuf {
    let Some(shard) = plan.shard else { return file.to_owned() };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}-{}-of-{}.json", shard.index(), shard.count()))
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
pub(super) fn check_place(report: &Path) -> Result<(), Failure> {
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

/// The report in a file. A journal is read as the report of the games in it that count.
///
/// # Errors
/// A file that cannot be read or is neither.
pub(super) fn load(path: &Path) -> Result<schema::MatchReport, ReadError> {
    match read(path)? {
        record::Saved::Report(report) => Ok(report),
        record::Saved::Journal(report) => Ok(settled(report)),
    }
}

/// What the games of a journal come to. A journal whose plan makes no sense is left to whoever judges it.
fn settled(mut report: schema::MatchReport) -> schema::MatchReport {
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
        ReadError::Journal(JournalError::Damaged { .. }) => {
            failure.hint("remove it, and begin again: without its first line nobody knows what was played")
        }
        ReadError::File { .. } | ReadError::Journal(_) => failure,
    }
}

/// Goes on with the newest journal of the same plan. A part of a tournament that has none yet begins: whoever starts it
/// again and again need not know how far it came.
fn resume(plan: &mut Plan) -> Result<Option<Saved>, Failure> {
    let candidates = match &plan.output {
        Some(report) => vec![beside(&of_part(report, plan))],
        None => journals(&plan.results),
    };
    let mut different = Vec::new();
    for path in candidates {
        match Journal::header(&path) {
            Ok(header) => match difference(&header, plan) {
                None => return go_on(&path, plan).map(Some),
                Some(what) => different.push(format!("{} has {what}", path.display())),
            },
            Err(JournalError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            Err(error) => different.push(error.to_string()),
        }
    }
    if plan.shard.is_some() && (plan.output.is_none() || different.is_empty()) {
        return Ok(None);
    }
    let place = plan.output.as_deref().unwrap_or(&plan.results).display();
    let failure = Failure::new(
        ExitCode::File,
        format!("there is no interrupted match or tournament of these players at {place}"),
    );
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

/// What a journal has that this plan has not. Without `--seed` the journal's seed is taken. Afterwards, the entrants are
/// in the order that follows from it.
fn difference(header: &JournalHeader, plan: &mut Plan) -> Option<&'static str> {
    let seed = plan.seed.clone().unwrap_or_else(|| MatchSeed::new(&header.plan.seed));
    plan.seat_by(&seed);
    let wanted = plan.saved(&seed);
    let found = &header.plan;
    let without_files = |players: &[schema::Player]| -> Vec<schema::Player> {
        players.iter().cloned().map(|player| schema::Player { file: None, ..player }).collect()
    };
    if found.game != wanted.game || found.options != wanted.options || found.seats != wanted.seats {
        Some("another game or other options")
    } else if found.rules_version != wanted.rules_version || header.arbiter != env!("CARGO_PKG_VERSION") {
        Some("another version of arbiter or its rules")
    } else if found.schedule != wanted.schedule {
        Some("another number of games, or another schedule")
    } else if header.shard != plan.shard.map(|shard| shard.to_string()) {
        Some("another part of the tournament")
    } else if found.seed != wanted.seed {
        Some("another seed")
    } else if without_files(&found.players) != without_files(&wanted.players) {
        Some("other players, bot files, bot options or times")
    } else if (schema::Plan { players: Vec::new(), ..found.clone() })
        != (schema::Plan { players: Vec::new(), ..wanted })
    {
        Some("another position, other openings or limits")
    } else if header.machine.isolation != isolation(plan) {
        // A report says how bots were held, of all of its games.
        Some("another --isolate")
    } else {
        None
    }
}

fn go_on(path: &Path, plan: &Plan) -> Result<Saved, Failure> {
    let seed = MatchSeed::new(
        &Journal::header(path).map_err(|error| Failure::of(ExitCode::File, &error))?.plan.seed,
    );
    let (saved, mut course) = course(plan, &seed)?;
    let mut tally = Tally::new(saved.players.len(), saved.seats as usize);
    let reopened = Journal::reopen(path, |_, game| {
        if let Some(scored) = Scored::of(&game)
            && course.ended(game.number, scored)
        {
            tally.add(&game);
        }
    });
    let Reopened { journal, .. } = reopened.map_err(|error| Failure::of(ExitCode::File, &error))?;
    let name = path.to_string_lossy();
    let report = PathBuf::from(name.strip_suffix(JOURNAL).unwrap_or(&name));
    Ok(Saved { journal, seed, plan: saved, course, tally, report })
}
