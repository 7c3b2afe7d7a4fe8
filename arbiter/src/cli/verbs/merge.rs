//! `arbiter merge`: one report of the parts of a tournament.

use crate::cli::saved::{
    Aspect, all_files, check_place, course_of_file, differences, hear_all, no_stranger, not_before, stranger,
    write_report,
};
use crate::cli::show::circumstances::circumstances;
use crate::cli::show::names::Names;
use crate::cli::show::results::print_standings;
use crate::cli::{ExitCode, Failure, Output};
use crate::record::schema::{JournalHeader, MatchReport, PartRecord, Plan};
use crate::record::{Effort, Merged, Reader};
use crate::report::{Format, Ledger, Standings, count, ranges};
use crate::sanitize::quoted;
use crate::tournament::schedule::Unit;
use crate::tournament::{Course, Shard};
use crate::ui::talk;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  arbiter merge cup/ -o cup.json\n\nA game that is in several files counts once, and a report that \
                  is there already is one of these files. If they differ in a game, nothing is written: bots that play \
                  differently from run to run must not play a game twice. Exit code 0: no game is missing. Exit code 1: \
                  some are, be it that a round has not been played or that a test has not decided; the report of the \
                  others is written."
)]
pub(crate) struct MergeArgs {
    /// Journals and reports of the same tournament, or folders of them; - for standard input
    #[arg(value_name = "FILE|DIR", required = true)]
    paths: Vec<PathBuf>,
    /// The report
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How the standings are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

struct Found {
    plan: Plan,
    /// The journals among the files, with their first lines.
    journals: Vec<(PathBuf, JournalHeader)>,
    /// The numbers of all games, in order.
    games: Vec<u32>,
    /// What follows from their results.
    course: Course,
    ledger: Ledger,
    parts: Vec<PartRecord>,
}

pub(crate) fn merge(args: &MergeArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let mut paths = all_files(&args.paths)?;
    check_place(&args.output)?;
    if !paths.contains(&args.output) && fs::metadata(&args.output).is_ok_and(|there| there.len() > 0) {
        check_same(&args.output, &paths[0])?;
        // Games that only the report has which is replaced would be lost.
        paths.push(args.output.clone());
    }
    let found = read_all(&paths)?;
    let (plan, course) = (&found.plan, &found.course);
    let hint = "another file after --output";
    let games = Merged::open(&paths)?;
    let (report, tally) = write_report(&args.output, games, course, found.ledger, found.parts, hint)?;
    let named = Names::named(plan, &args.output);
    let standings = Standings::new(&tally, circumstances(&named, course, report.repeated()));
    print_standings(&standings, args.format, &args.output, out)?;
    Ok(what_is_missing(plan, course, &found.games, &found.journals))
}

/// Whether a report that is there already is of the tournament that is merged.
fn check_same(report: &Path, part: &Path) -> Result<(), Failure> {
    let Some(what) = unlike(&Reader::open(report)?, &Reader::open(part)?) else { return Ok(()) };
    let message =
        format!("{} is there already and is of another tournament: it has {what}", report.display());
    Err(Failure::file(message).hint("another file after --output"))
}

fn read_all(paths: &[PathBuf]) -> Result<Found, Failure> {
    let mut merged = Merged::open(paths)?;
    let readers = merged.readers();
    let first = &readers[0];
    let path = first.path().display();
    if let Some((reader, what)) = readers.iter().find_map(|reader| Some((reader, unlike(reader, first)?))) {
        let message = format!("{} does not belong to {path}: it has {what}", reader.path().display());
        return Err(
            Failure::usage(message).hint("only files of one tournament: the same command but for --shard")
        );
    }
    let has_its_names = |reader: &Reader| {
        differences(reader.plan(), first.plan()).iter().all(|of| of.aspect != Aspect::Names)
    };
    if !readers.iter().all(has_its_names) {
        talk(&format!("players have other names in other parts: those of {path} are taken"));
    }
    let plan = first.plan().clone();
    let mut course = course_of_file(first)?;
    let headers: Vec<_> = readers.iter().map(|reader| reader.header().cloned()).collect();
    let mut ledger = Ledger::under(&plan);
    let (mut games, mut efforts) = (Vec::new(), vec![Effort::default(); paths.len()]);
    let not_counted = hear_all(&mut merged, paths, &mut course, |game, file, counts| {
        games.push(game.number);
        efforts[file].add(&game);
        game.ended().into_iter().for_each(not_before);
        if counts {
            ledger.add(&game);
        }
    })?;
    let reports = merged.end()?;
    // What is missing before games of later rounds is said with the commands that play it.
    if course.waits_for().is_none() {
        no_stranger(&course, not_counted)?;
    }
    let parts = reports.into_iter().zip(&headers).zip(efforts);
    let parts =
        parts.flat_map(|((report, header), effort)| parts_of(report, header.as_ref(), &effort)).collect();
    let journals = paths.iter().cloned().zip(headers);
    let journals = journals.filter_map(|(path, header)| Some((path, header?))).collect();
    Ok(Found { plan, journals, games, course, ledger, parts })
}

/// The parts that a file tells of, or is. What another file has already is not counted twice.
fn parts_of(report: MatchReport, header: Option<&JournalHeader>, effort: &Effort) -> Vec<PartRecord> {
    let told: u64 = report.parts.iter().map(|part| u64::from(part.games)).sum();
    let has_all = told == u64::from(effort.games);
    match (report.machine, report.started) {
        _ if !report.parts.is_empty() && has_all => report.parts,
        _ if !report.parts.is_empty() && effort.games == 0 => Vec::new(),
        (Some(machine), Some(started)) => vec![PartRecord {
            shard: header.and_then(|header| header.shard.clone()),
            machine,
            started,
            games: effort.games,
            moves: effort.moves,
            wall_ns: effort.wall_ns,
        }],
        _ => Vec::new(),
    }
}

/// What a file of another tournament than the first has.
fn unlike(other: &Reader, first: &Reader) -> Option<String> {
    stranger(other, first.plan(), &first.frame().arbiter)
}

/// Says which games are still missing, and which commands play them.
fn what_is_missing(
    plan: &Plan,
    course: &Course,
    games: &[u32],
    journals: &[(PathBuf, JournalHeader)],
) -> ExitCode {
    let seats = plan.seats;
    let of_unit = |unit: &Unit| unit.number * seats + 1..=(unit.number + 1) * seats;
    let numbers = course.units().flat_map(|unit| of_unit(&unit));
    let has = |number: u32| games.binary_search(&number).is_ok();
    let missing: Vec<u32> = numbers.filter(|number| course.counts(*number) && !has(*number)).collect();
    let command = journals.iter().find_map(|(_, header)| header.command.clone());
    let command = command.unwrap_or_else(|| "the command of the parts".to_owned());
    // If no game of the last round has been played, that round has only just been drawn from the results.
    let last_round = course.units().map(|unit| unit.round).last();
    let is_of_last = |number: &u32| course.fixture(*number).map(|fixture| fixture.unit.round) == last_round;
    let mut of_last_round = course.units().filter(|unit| Some(unit.round) == last_round);
    let is_new_round = !course.is_fixed()
        && missing.iter().all(is_of_last)
        && !of_last_round.any(|unit| of_unit(&unit).any(has));
    // A test that has not decided goes on behind the last game.
    let last_game = games.last().copied().unwrap_or(0);
    let is_undecided = course.sprt().is_some() && missing.first().is_some_and(|first| *first > last_game);
    let waits = is_new_round || is_undecided;
    if missing.is_empty() || waits {
        if course.is_over() {
            return ExitCode::Done;
        }
        // Without a wave, a test would be played to the end of its schedule.
        let shard = if is_undecided { "--shard and --wave" } else { "and --shard" };
        talk(&format!(
            "games are missing that follow from these; the next wave: {command}, with --after and this report, {shard}"
        ));
        return ExitCode::CheckFailed;
    }
    name_missing(seats, journals, &missing, &command);
    ExitCode::CheckFailed
}

/// Names games that are missing and the commands that play them.
fn name_missing(seats: u32, journals: &[(PathBuf, JournalHeader)], missing: &[u32], command: &str) {
    let games = count(missing.len() as u32, "game");
    talk(&format!("{games} missing: {}", ranges(missing)));
    let shard = journals.iter().find_map(|(_, header)| header.shard.as_ref()?.parse::<Shard>().ok());
    let Some(parts) = shard.map(Shard::count) else {
        return talk(&format!("  {command}{} --resume", place(journals.first())));
    };
    for part in (1..=parts).filter_map(|index| Shard::new(index, parts)) {
        let own = missing.iter().copied().filter(|number| part.has((number - 1) / seats));
        let own: Vec<u32> = own.collect();
        if !own.is_empty() {
            let is_own = |(_, header): &&(_, JournalHeader)| header.shard == Some(part.to_string());
            let place = place(journals.iter().find(is_own).or(journals.first()));
            talk(&format!("  {command}{place} --shard {part} --resume   plays {}", ranges(&own)));
        }
    }
}

/// The option that says where a journal lies, so that the command goes on with it; nothing where it is looked for anyway.
fn place(journal: Option<&(PathBuf, JournalHeader)>) -> String {
    let Some(folder) = journal.and_then(|(path, _)| path.parent()) else { return String::new() };
    match folder.to_string_lossy() {
        usual if usual == "results" => String::new(),
        here if here.is_empty() => " --results .".to_owned(),
        other => format!(" --results {}", quoted(&other)),
    }
}
