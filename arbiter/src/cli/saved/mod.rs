//! Where games are saved: the journal while they are played, the report at the end, and the way back from one to the
//! other.

mod dates;
mod place;
mod read;
mod resume;
mod unlike;

pub(super) use dates::{not_before, now};
pub(super) use place::{FINALS, check_place, is_journal, journal_of};
pub(super) use read::{
    Games, all_files, course_of_file, files, hear_all, in_folder, newest, no_game, no_stranger,
};
pub(super) use resume::{finished, is_left};
pub(super) use unlike::{Aspect, begun_with, differences, stranger};

use super::plan::{Plan, Seated, Show};
use crate::cli::options::Begins;
use crate::cli::{ExitCode, Failure};
use crate::host::machine;
use crate::record::schema::{self, FORMAT_VERSION, GameRecord, JournalHeader, Machine, PartRecord};
use crate::record::{self, Journal, Merged, Reader, ReportError, Unread, live_file, plan_hash};
use crate::report::{FEW_GAMES, Ledger, Tally};
use crate::tournament::{Course, MatchSeed, Openings};
use crate::ui::talk;
use parking_lot::Mutex;
use place::{another_place, create, wanted};
use read::{settle, some};
use resume::resume;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a running match, tournament or league, and how far it has come.
pub(super) struct Saved {
    pub(super) journal: Journal,
    /// Who plays, in the order of their seeds; in a league all who have ever taken part, in the order of their arrival.
    pub(super) seated: Seated,
    /// What the journal says is played.
    pub(super) plan: schema::Plan,
    /// The schedule, with the games that are in the journal already.
    pub(super) course: Course,
    pub(super) openings: Mutex<Openings>,
    /// A game of people that was broken off, as far as it had come.
    pub(super) begun: Option<GameRecord>,
    /// What was made for a match that begins now.
    pub(super) made: Option<Made>,
    /// Where games are found again: the report that will be written, of a league the journal.
    pub(super) report: PathBuf,
}

/// What was made for a match before its first move.
pub(super) struct Made {
    journal: PathBuf,
    /// The innermost first.
    folders: Vec<PathBuf>,
}

impl Made {
    /// Removes it, as the match could not begin. What cannot be removed does no harm.
    pub(super) fn remove(&self) {
        drop(fs::remove_file(&self.journal));
        drop(fs::remove_file(live_file(&self.journal)));
        self.folders.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

/// What [`Saved::open`] finds for a plan.
pub(super) enum Opened {
    /// There is something to play, and this is what has been played.
    ToPlay(Box<(Saved, Ledger)>),
    /// This report has all of its games already, so `--resume` has nothing to do.
    Finished(PathBuf),
}

impl Saved {
    /// Starts the journal, or goes on with the one that was interrupted. Whatever is wrong with the folder shows here,
    /// before the first move.
    pub(super) fn open(plan: &Plan) -> Result<Opened, Failure> {
        if plan.run.resume
            && let Some(opened) = resume(plan)?
        {
            return Ok(opened);
        }
        let seated = seated(plan)?;
        let (saved, course) = course(plan, &seated)?;
        let header = header_of(plan, &seated, &saved, &course);
        let report = wanted(plan, &seated);
        let folder = report.parent().filter(|folder| !folder.as_os_str().is_empty());
        let missing = folder.into_iter().flat_map(Path::ancestors).take_while(|folder| !folder.exists());
        let folders: Vec<_> =
            missing.filter(|folder| !folder.as_os_str().is_empty()).map(PathBuf::from).collect();
        folder.map_or(Ok(()), |folder| make_folder(folder, another_place(plan.run.output.is_some())))?;
        check_place(&report)?;
        if plan.run.output.is_some() && plan.view.show == Show::Everything && record::is_report(&report) {
            talk(&format!("the report {} is replaced at the end", report.display()));
        }
        let (journal, report) = create(&report, &header, plan.run.output.is_some())?;
        let ledger = Ledger::under(&saved);
        let made = Some(Made { journal: journal.path().to_owned(), folders });
        let openings = openings(plan, &seated);
        let saved = Saved { journal, seated, plan: saved, course, openings, begun: None, made, report };
        Ok(Opened::ToPlay(Box::new((saved, ledger))))
    }

    pub(super) fn begins(&self) -> Begins {
        if self.made.is_some() { Begins::Anew } else { Begins::WithEarlierGames }
    }

    /// Writes the report of everything in the journal that counts, and returns it, with its games if they are few,
    /// what they add up to, and their course. The ledger has all of the journal. The journal goes when all games are in the report.
    pub(super) fn close(self, mut ledger: Ledger) -> Result<(schema::MatchReport, Tally, Course), Failure> {
        let Saved { journal, course, report, .. } = self;
        let path = journal.path().to_owned();
        if course.may_leave_out() {
            ledger = added_up(&path, &course)?;
        }
        let again = format!("then the same command with --resume; the games are in {}", path.display());
        // What has come to lie there since the match began is not ours to replace.
        check_place(&report).map_err(|failure| failure.hint(format!("move it away, {again}")))?;
        let hint = format!("make room, {again}");
        let merged = Merged::of_written(journal)?;
        let (written, tally) = write_report(&report, merged, &course, ledger, Vec::new(), &hint)?;
        if written.games_ended == written.games_asked {
            // A journal that cannot be removed does no harm: it says the same as the report.
            drop(fs::remove_file(path));
        }
        Ok((written, tally, course))
    }
}

/// The openings of a plan, none of which has been drawn yet.
pub(super) fn openings(plan: &Plan, seated: &Seated) -> Mutex<Openings> {
    Mutex::new(Openings::new(&seated.seed, &plan.games.start, &plan.games.book))
}

/// Writes the report of those games in these files that count by their course, and returns it, with its games if they are few,
/// and what they add up to. The hint is for a report that cannot be written.
pub(super) fn write_report(
    path: &Path,
    merged: Merged,
    course: &Course,
    ledger: Ledger,
    parts: Vec<PartRecord>,
    hint: &str,
) -> Result<(schema::MatchReport, Tally), Failure> {
    let Ledger { tally, duplicates } = ledger;
    let frame = merged.readers().first().expect("a report is made of at least one file").frame().clone();
    let mut report = schema::MatchReport { finished: Some(now()), parts, ..frame };
    settle(&mut report, course);
    report.add_up(&tally.sums, duplicates);
    let counts = |number| course.counts(number);
    record::write_report(path, merged, &mut report, counts, FEW_GAMES).map_err(|error| match error {
        ReportError::Read(error) => error.into(),
        ReportError::Write { .. } => Failure::of(ExitCode::File, &error).hint(hint),
    })?;
    Ok((report, tally))
}

/// What the games of a journal add up to that count by its course.
pub(super) fn added_up(journal: &Path, course: &Course) -> Result<Ledger, Failure> {
    let mut reader = Reader::open(journal)?;
    let mut ledger = Ledger::under(reader.plan());
    for games in some(&mut reader) {
        games?.iter().filter(|game| course.counts(game.number)).for_each(|game| ledger.add(game));
    }
    Ok(ledger)
}

pub(super) fn make_folder(folder: &Path, hint: &str) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(Failure::cannot("make the folder", folder, hint))
}

/// The entrants in the order of the seed that was asked for, or of a random one.
pub(super) fn seated(plan: &Plan) -> Result<Seated, Failure> {
    seed(plan).map(|seed| plan.games.seated(&seed))
}

pub(super) fn seed(plan: &Plan) -> Result<MatchSeed, Failure> {
    plan.games.seed.clone().map_or_else(MatchSeed::random, Ok).map_err(|error| {
        let failure = Failure::file("the system has no random numbers for a seed");
        failure.because(&error).hint("--seed with any text of yours")
    })
}

/// The course of a plan, with the results that are known from other files.
pub(super) fn course(plan: &Plan, seated: &Seated) -> Result<(schema::Plan, Course), Failure> {
    let saved = plan.saved(seated);
    let course = Course::of_plan(&saved, plan.games.most_games(), plan.run.part.shard, plan.run.part.wave);
    let mut course = course.map_err(Failure::usage)?;
    for path in &plan.run.part.after {
        let reader = Reader::open(path)?;
        if let Some(what) = stranger(&reader, &saved, env!("CARGO_PKG_VERSION")) {
            let message = format!("{} is of another tournament: it has {what}", path.display());
            let failure = Failure::usage(message);
            return Err(failure.hint("--after with results of the same bots, options and seed"));
        }
        for game in reader {
            course.hear(&game.and_then(Unread::game)?);
        }
    }
    course.begin();
    Ok((saved, course))
}

/// The first line of a journal that begins now.
fn header_of(plan: &Plan, seated: &Seated, saved: &schema::Plan, course: &Course) -> JournalHeader {
    JournalHeader {
        games_asked: course.games_asked(),
        plan_hash: Some(plan_hash(saved, env!("CARGO_PKG_VERSION"))),
        shard: plan.run.part.shard.map(|shard| shard.to_string()),
        command: Some(plan.command(&seated.seed)),
        ..header(plan, saved.clone())
    }
}

/// The first line of a journal that begins now, of a plan whose games follow from their results.
pub(super) fn header(plan: &Plan, saved: schema::Plan) -> JournalHeader {
    let (host, processor) = machine::names();
    JournalHeader {
        format: "arbiter-journal".to_owned(),
        format_version: FORMAT_VERSION,
        arbiter: env!("CARGO_PKG_VERSION").to_owned(),
        plan: saved,
        machine: Machine {
            host,
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            processor,
            cores: std::thread::available_parallelism().map_or(1, usize::from) as u32,
            jobs: plan.run.jobs as u32,
            isolation: isolation(plan),
        },
        started: now(),
        games_asked: 0,
        plan_hash: None,
        shard: None,
        command: None,
    }
}

/// What holds bots besides the sandbox, in words.
fn isolation(plan: &Plan) -> Vec<String> {
    plan.run.limits.isolation.means().map(|means| means.word().to_owned()).collect()
}
