//! Judges a match report again, without the bots: the same referee plays every game with the answers and times of the
//! file, and whatever then differs from the file is a finding.

mod again;
mod disagreements;
mod fault;
mod frame;
mod plan;
mod replay;
mod said;
mod sums;
mod times;

use crate::record::schema::{GameRecord, MatchReport, Plan, ScheduleKind};
use crate::record::{Duplicates, Sums, in_threads};
use crate::tournament::{Course, Fixture, MOST_JOBS, MatchSeed, Opening, Openings, book_of};
use arbiter_rules::options::Given;
use arbiter_rules::{Position, Setup, registry};
use disagreements::disagreements;
use frame::Span;
use replay::Form;
use std::fmt;

pub use again::{Moment, ask_again};

/// Something in a report that does not agree with the rules, or with the rest of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The game, or `None` for the report as a whole.
    pub game: Option<u32>,
    /// What differs, in words.
    pub problem: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            Some(number) => write!(f, "game {number}: {}", self.problem),
            None => f.write_str(&self.problem),
        }
    }
}

/// What a report was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A report, which was written when its match stopped.
    Report,
    /// A journal, which knows no end.
    Journal,
}

/// Judges a report whose games come one after another, many at a time.
pub struct Judge {
    /// The report without its games; what follows the games in the file may be missing too.
    frame: MatchReport,
    /// What games are judged by; nothing where the plan makes no sense.
    state: Option<State>,
    findings: Vec<Finding>,
}

struct State {
    start: Position,
    openings: Openings,
    course: Course,
    /// The number of the last game, and how many there were.
    last: u32,
    before: usize,
    sums: Sums,
    duplicates: Duplicates,
    span: Span,
}

impl Judge {
    /// Judges what stands before the games.
    pub fn new(frame: MatchReport, source: Source) -> Judge {
        let mut judge = Judge { frame, state: None, findings: Vec::new() };
        if let Err(problems) = judge.begin(source) {
            judge.find(None, problems);
        }
        judge
    }

    fn begin(&mut self, source: Source) -> Result<(), Vec<String>> {
        let frame = &self.frame;
        let start = start(&frame.plan).map_err(|problem| vec![problem])?;
        let problems = plan::problems(&frame.plan, frame.format_version, &start);
        if !problems.is_empty() {
            return Err(problems);
        }
        let problems = frame::problems(frame, source);
        let state = State::new(frame, start);
        self.find(None, problems);
        self.state = Some(state.map_err(|problem| vec![problem])?);
        Ok(())
    }

    /// What has been found since this was asked last.
    pub fn findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// Judges the next games, on all cores.
    pub fn games(&mut self, games: &[GameRecord]) {
        let Some(state) = &mut self.state else { return };
        let calls: Vec<_> = games.iter().map(|game| (game, state.call(&self.frame, game))).collect();
        let start = &state.start;
        let judged = in_threads(calls, |(game, call)| {
            let problems = match call {
                Err(problem) => vec![problem],
                Ok(scheduled) => judge_again(&self.frame, start, game, &scheduled),
            };
            (Some(game.number), problems)
        });
        judged.into_iter().for_each(|(game, problems)| self.find(game, problems));
    }

    /// How many games of the schedule are missing before the last one, of those that have been judged.
    pub fn left_out(&self) -> u32 {
        let missing = |state: &State| {
            let asked = (1..=state.last).filter(|number| state.course.counts(*number)).count() as u32;
            asked.saturating_sub(state.sums.games_ended())
        };
        self.state.as_ref().map_or(0, missing)
    }

    /// Judges what the report says of all its games, once all of them have been judged.
    pub fn end(&mut self, report: &MatchReport) {
        if let Some(state) = self.state.take() {
            self.find(None, sums::problems(report, &state.sums, state.duplicates));
            self.find(None, sums::course_problems(report, &state.course));
            self.findings.extend(state.span.problems(report, state.course.may_leave_out()));
        }
    }

    fn find(&mut self, game: Option<u32>, problems: Vec<String>) {
        self.findings.extend(problems.into_iter().map(|problem| Finding { game, problem }));
    }
}

impl State {
    fn new(frame: &MatchReport, start: Position) -> Result<State, String> {
        Ok(State {
            openings: openings(&frame.plan, &start)?,
            course: Course::of_report(frame)?,
            start,
            last: 0,
            before: 0,
            sums: Sums::new(frame.plan.players.len()),
            duplicates: Duplicates::default(),
            span: Span::default(),
        })
    }

    /// Finds the place of a game in the schedule, or why it has none, and goes on to the next.
    fn call(&mut self, frame: &MatchReport, game: &GameRecord) -> Result<Scheduled, String> {
        let place = self.place(frame, game.number);
        self.before += 1;
        self.course.hear(game);
        self.sums.add(game);
        self.duplicates.add(game);
        self.span.add(game, frame);
        place
    }

    fn place(&mut self, frame: &MatchReport, number: u32) -> Result<Scheduled, String> {
        let State { course, last, before, .. } = self;
        let mut fixture = course.fixture(number).ok_or_else(|| no_such_game(frame))?;
        if number <= *last {
            return Err(format!("it stands behind game {last}: every game is there once, by number"));
        }
        if is_match(frame) && number as usize > *before + most_at_once(frame) {
            return Err(format!(
                "only {before} of the games before it are there, and games are played in order"
            ));
        }
        if !course.counts(number) {
            let problem =
                "it does not count: a test had decided before it, or somebody in it had been withdrawn";
            return Err(problem.to_owned());
        }
        *last = number;
        // Formats 1 and 2 did not name rounds.
        fixture.round = fixture.round.filter(|_| frame.format_version > 2);
        let opening = self.openings.of_unit(&fixture.unit).map_err(|error| error.to_string())?;
        Ok((fixture, opening))
    }
}

/// Where a game stands in its schedule, and how it is opened.
type Scheduled = (Fixture, Opening);

/// The most games that a match plays at once. Of a match that was stopped, as many games may be missing before one that
/// ended.
fn most_at_once(frame: &MatchReport) -> usize {
    let cores = frame.machine.as_ref().map_or(0, |machine| machine.cores);
    cores.max(u32::from(MOST_JOBS)) as usize
}

fn no_such_game(report: &MatchReport) -> String {
    if is_match(report) {
        format!("there are games 1 to {}", report.plan.schedule.games.unwrap_or(report.games_asked))
    } else {
        "there is no such game in the schedule, as far as it follows from the games before".to_owned()
    }
}

fn is_match(report: &MatchReport) -> bool {
    report.plan.schedule.kind == ScheduleKind::Match
}

/// What is wrong with something, in sentences.
#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    /// Says it if there is something wrong.
    fn when(&mut self, is_wrong: bool, problem: impl fmt::Display) {
        self.0.extend(is_wrong.then(|| problem.to_string()));
    }

    /// Says what is wrong with a part of this name.
    fn of(&mut self, name: &str, problems: impl IntoIterator<Item = impl fmt::Display>) {
        self.0.extend(problems.into_iter().map(|problem| format!("{name}{problem}")));
    }
}

fn openings(plan: &Plan, start: &Position) -> Result<Openings, String> {
    let book = book_of(plan, start)?;
    match plan::list_problem(&plan.openings, &book) {
        Some(problem) => Err(problem),
        None => Ok(Openings::new(&MatchSeed::new(&plan.seed), start, &book)),
    }
}

/// The position that every game of a plan starts from.
///
/// # Errors
/// What is wrong with the plan's game, options or position.
pub fn start(plan: &Plan) -> Result<Position, String> {
    let values: Vec<_> =
        plan.options.iter().map(|(name, value)| (name.as_str(), value.to_string())).collect();
    let given: Vec<Given<'_>> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let setup =
        Setup { players: Some(plan.seats as usize), options: &given, position: Some(plan.position.as_str()) };
    registry::start(&plan.game, &setup).map_err(|error| format!("plan: {error}"))
}

fn judge_again(
    frame: &MatchReport,
    start: &Position,
    game: &GameRecord,
    scheduled: &Scheduled,
) -> Vec<String> {
    let players = &scheduled.0.players;
    let recorded: Vec<usize> = game.seats.iter().map(|seat| seat.player as usize).collect();
    if recorded != *players {
        return vec![format!(
            "seats: the file seats the players {recorded:?}, by the schedule it is {players:?}"
        )];
    }
    let form = if frame.is_canonical() { Form::Canonical } else { Form::Whole };
    let replayed = replay::play_again(&frame.plan, start, game, scheduled, form, |_, ghost| Box::new(ghost));
    let mut expected = match replayed {
        Ok(expected) => expected,
        Err(problems) => return problems,
    };
    if frame.format_version < 3 {
        keep_scores_of_eliminated(&mut expected, game);
    }
    let mut problems = if expected == *game { Vec::new() } else { disagreements(game, &expected) };
    if form == Form::Whole {
        problems.extend(times::problems(game));
        problems.extend(said::problems(frame, game));
    }
    problems
}

/// In formats 1 and 2 the score of a seat was taken when its pieces had gone already. It decided nothing.
fn keep_scores_of_eliminated(expected: &mut GameRecord, game: &GameRecord) {
    for (name, by_seat) in &mut expected.scores {
        for out in &game.eliminations {
            let said = game.scores.get(name).and_then(|said| said.get(out.seat as usize));
            if let (Some(score), Some(said)) = (by_seat.get_mut(out.seat as usize), said) {
                *score = *said;
            }
        }
    }
}
