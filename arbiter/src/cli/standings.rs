//! `arbiter standings`: how everybody stands, from reports and journals.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::output::Output;
use super::pool::Pool;
use super::saved::{files, not_read, tell};
use crate::record::schema::{GameRecord, Plan, ScheduleKind};
use crate::record::{Duplicates, Numbers, Reader};
use crate::report::{Circumstances, Format, Standings, Tally, standings_text};
use crate::sanitize::sanitize;
use crate::tournament::Course;
use crate::ui::talk;
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// Arguments of `arbiter standings`.
#[derive(Args, Debug)]
#[command(
    after_help = "Reports and journals of one tournament are put together, each game once. Those of several matches and \
                  tournaments of one game make a common table: a bot is the same if its name, file and options are, \
                  whatever its time; what they differ in is said.\n\n\
                  Equal points are told apart by the points of those with as many against each other (H2H), then by \
                  Sonneborn-Berger (SB: the points of opponents, by what was scored against them), then by wins; in Swiss \
                  tournaments by Buchholz (BH: the points of all opponents), then by Sonneborn-Berger. Ratings are in Elo, \
                  with the range that holds the true one in 95 of 100 cases, however few games there were; who is \
                  stronger is told from five pairs of games of a bot on. In games of three and more seats the last place \
                  is worth no points and each place before it one more; those who share places share their points."
)]
pub(super) struct StandingsArgs {
    /// Reports, journals, or folders of them; - for standard input
    #[arg(value_name = "FILE|DIR", required = true)]
    paths: Vec<PathBuf>,
    /// How to print them
    #[arg(long, value_enum, default_value_t = FormatArg::Table)]
    format: FormatArg,
}

/// How tables are printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormatArg {
    /// Columns
    Table,
    /// Markdown
    Md,
    /// Values between tabs
    Tsv,
    /// Values between commas
    Csv,
    /// One JSON object
    Json,
}

impl FormatArg {
    /// Whether remarks stand below the table.
    fn has_remarks(self) -> bool {
        match self {
            FormatArg::Table | FormatArg::Md => true,
            FormatArg::Tsv | FormatArg::Csv | FormatArg::Json => false,
        }
    }
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Format {
        match format {
            FormatArg::Table => Format::Table,
            FormatArg::Md => Format::Markdown,
            FormatArg::Tsv => Format::Tsv,
            FormatArg::Csv => Format::Csv,
            FormatArg::Json => Format::Json,
        }
    }
}

/// Runs `arbiter standings`.
///
/// # Errors
/// Files that are no reports, and reports that have nothing to do with each other.
pub(super) fn standings(args: &StandingsArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let mut paths = Vec::new();
    for path in &args.paths {
        paths.extend(files(path)?);
    }
    paths.sort();
    paths.dedup();
    let mut tournaments = tournaments(&paths)?;
    let standings = match &mut tournaments[..] {
        [one] => of_one(one)?,
        several => {
            let pool = Pool::of(several)?;
            if let Some(difference) = pool.difference()
                && !args.format.has_remarks()
            {
                talk(&format!("warning: {difference}"));
            }
            pool.standings(several)?
        }
    };
    out.text(&standings_text(&standings, args.format.into(), out.charset()))?;
    Ok(ExitCode::Done)
}

/// The files of one tournament or match, and what follows from all their results.
pub(super) struct Tournament<'a> {
    files: Vec<&'a Path>,
    pub(super) plan: Plan,
    pub(super) course: Course,
}

/// Sorts files by what they are of.
fn tournaments(paths: &[PathBuf]) -> Result<Vec<Tournament<'_>>, Failure> {
    let mut found: BTreeMap<String, Tournament<'_>> = BTreeMap::new();
    let mut failure = None;
    for path in paths {
        let reader = match Reader::open(path) {
            Ok(reader) => reader,
            Err(error) => {
                failure = Some(not_read(&error).after(failure));
                continue;
            }
        };
        let tournament = match found.entry(reader.plan_hash()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let report = reader.frame();
                let course = Course::of_plan(&report.plan, report.games_asked, None, None);
                let course = course.map_err(|problem| {
                    let message = format!("{}: {problem}", path.display());
                    Failure::new(ExitCode::File, message).hint("arbiter verify says more")
                })?;
                place.insert(Tournament { files: Vec::new(), plan: report.plan.clone(), course })
            }
        };
        tournament.files.push(path);
    }
    failure.map_or_else(|| Ok(found.into_values().collect()), Err)
}

impl Tournament<'_> {
    /// Tells the course every result, and shows every game that counts, each once. Where it follows from the results
    /// which games count, the files are read twice.
    pub(super) fn visit(&mut self, mut visit: impl FnMut(GameRecord)) -> Result<(), Failure> {
        if self.course.may_leave_out() {
            self.read(|course, game| tell(course, &game))?;
        }
        let mut seen = Numbers::default();
        self.read(|course, game| {
            if !course.counts(game.number) || !seen.insert(game.number) {
                return;
            }
            tell(course, &game);
            visit(game);
        })
    }

    fn read(&mut self, mut visit: impl FnMut(&mut Course, GameRecord)) -> Result<(), Failure> {
        let mut failure = None;
        for path in &self.files {
            let mut read = || {
                let mut reader = Reader::open(path)?;
                for game in &mut reader {
                    visit(&mut self.course, game?.game()?);
                }
                reader.end()
            };
            if let Err(error) = read() {
                failure = Some(not_read(&error).after(failure));
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

/// What the course of a schedule adds to results.
pub(super) fn circumstances(plan: &Plan, course: &Course, repeated: u32) -> Circumstances {
    let players = plan.players.len();
    let mut withdrawn_after = vec![None; players];
    for record in course.withdrawal_records() {
        withdrawn_after[record.player as usize] = Some(record.after_game);
    }
    Circumstances {
        title: title(plan),
        names: plan.players.iter().map(|player| player.name.clone()).collect(),
        opponents_differ: plan.schedule.kind == ScheduleKind::Swiss,
        bye_half_points: course.bye_half_points(),
        places: course.places(),
        withdrawn_after,
        sprt: course.sprt_record(),
        games_asked: course.games_asked(),
        repeated,
        clock: plan.clock,
        remarks: policies(plan),
    }
}

/// What was played, in words.
pub(super) fn title(plan: &Plan) -> String {
    let kind = match plan.schedule.kind {
        ScheduleKind::Match => "match",
        ScheduleKind::RoundRobin => "round robin",
        ScheduleKind::Gauntlet => "gauntlet",
        ScheduleKind::Swiss => "Swiss",
        ScheduleKind::Knockout => "knockout",
        ScheduleKind::DoubleElimination => "double elimination",
    };
    let rounds = plan.schedule.rounds.filter(|&rounds| rounds > 1);
    let rounds = rounds.map(|rounds| format!(", {rounds} rounds")).unwrap_or_default();
    format!("{kind}, {}, {} players{rounds}", sanitize(&plan.game), plan.players.len())
}

/// The policies that may have decided something, each a sentence.
pub(super) fn policies(plan: &Plan) -> Vec<String> {
    let mut policies = Vec::new();
    if plan.max_repetitions > 0 {
        policies.push(format!(
            "Games in which a position occurred {} times were drawn by adjudication.",
            plan.max_repetitions
        ));
    }
    if plan.at_max_plies == crate::record::schema::AtMaxPlies::Score {
        policies.push(format!("Games of {} plies were decided by their score.", plan.max_plies));
    }
    if let Some(time) = plan.prepare_time_ns {
        policies.push(format!("Bots had {} s to load and begin.", time as f64 / 1e9));
    }
    if plan.withdraw_after > 0 {
        let times = plan.withdraw_after;
        policies.push(format!(
            "Whoever loses {times} games in a row by faults, in the order of the schedule, is withdrawn."
        ));
    }
    if let Some(most) = plan.schedule.most_pairs {
        policies.push(format!(
            "A tied meeting gets one pair of games more at a time, up to {most}; after that the better seed goes on."
        ));
    }
    policies
}

/// Standings of one tournament.
fn of_one(tournament: &mut Tournament<'_>) -> Result<Standings, Failure> {
    let mut tally = Tally::under(&tournament.plan);
    let mut duplicates = Duplicates::default();
    tournament.visit(|game| {
        tally.add(&game);
        duplicates.add(&game);
    })?;
    let Tournament { plan, course, .. } = tournament;
    Ok(Standings::new(&tally, circumstances(plan, course, repeated(duplicates))))
}

/// Games that repeat an earlier one.
pub(super) fn repeated(duplicates: Duplicates) -> u32 {
    duplicates.groups().iter().map(|group| group.len().saturating_sub(1) as u32).sum()
}
