//! Judges a match report again, without the bots: the same referee plays every game with the answers and times of the
//! file, and whatever then differs from the file is a finding.

mod difference;
mod rehearsal;
mod replay;

use crate::record::schema::{
    self, ClockKind, GameRecord, MatchReport, OpeningKind, Plan, Player, PlayerKind, ScheduleKind,
};
use crate::record::{Duplicates, Scored, Sums};
use crate::tournament::{Course, Fixture, MatchSeed, Openings, book_of};
use arbiter_rules::options::Given;
use arbiter_rules::{Position, Setup, registry};
use difference::differences;
use replay::{Form, Opened};
use std::fmt;

pub use rehearsal::{Moment, rehearse};

/// The most games that a match plays at once. Of a match that was stopped, as many games may be missing before one that
/// ended.
const MOST_AT_ONCE: usize = 1024;

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

/// Everything that is wrong with a report, in the order of the file; nothing when it is as arbiter would write it.
#[must_use]
pub fn verify(report: &MatchReport) -> Vec<Finding> {
    let whole = |problem: String| Finding { game: None, problem };
    let start = match start(&report.plan) {
        Ok(start) => start,
        Err(problem) => return vec![whole(problem)],
    };
    let mut findings: Vec<Finding> = plan_problems(&report.plan, &*start).into_iter().map(whole).collect();
    if !findings.is_empty() {
        return findings;
    }
    let form = if report.is_canonical() { Form::Canonical } else { Form::Whole };
    findings.extend(frame_problems(report, form).into_iter().map(whole));
    let followed = openings(&report.plan, &*start)
        .and_then(|openings| Ok((openings, Course::of_plan(&report.plan, report.games_asked, None, None)?)));
    let (mut openings, mut course) = match followed {
        Ok(followed) => followed,
        Err(problem) => {
            findings.push(whole(problem));
            return findings;
        }
    };
    let mut last = 0;
    for (before, game) in report.games.iter().enumerate() {
        let number = game.number;
        let problems = match course.fixture(number) {
            None => vec![no_such_game(report)],
            _ if number <= last => {
                vec![format!("it stands behind game {last}: every game is there once, by number")]
            }
            _ if is_match(report) && number as usize > before + MOST_AT_ONCE => {
                vec![format!("only {before} of the games before it are there, and games are played in order")]
            }
            _ if !course.counts(number) => {
                vec![
                    "it does not count: a test had decided before it, or somebody in it had been withdrawn"
                        .to_owned(),
                ]
            }
            Some(fixture) => {
                last = number;
                judge_again(report, &*start, game, &fixture, &mut openings, form)
            }
        };
        if let Some(scored) = Scored::of(game) {
            course.ended(number, scored);
        }
        findings.extend(problems.into_iter().map(|problem| Finding { game: Some(number), problem }));
    }
    findings.extend(sum_problems(report).into_iter().map(whole));
    findings.extend(course_problems(report, &course).into_iter().map(whole));
    findings
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

/// What follows from the results: how many games there have to be, who is withdrawn, what the test says.
fn course_problems(report: &MatchReport, course: &Course) -> Vec<String> {
    let mut problems = Vec::new();
    let asked = course.games_asked();
    if report.games_asked != asked {
        problems.push(format!(
            "games_asked: the file says {}, by the schedule it is {asked}",
            report.games_asked
        ));
    }
    let withdrawals = course.withdrawal_records();
    problems.extend(prefixed("withdrawals", differences(&report.withdrawals, &withdrawals)));
    problems.extend(prefixed("sprt", differences(&report.sprt, &course.sprt_record())));
    problems
}

fn prefixed(name: &str, problems: Vec<String>) -> impl Iterator<Item = String> {
    problems.into_iter().map(move |problem| format!("{name}{problem}"))
}

fn openings(plan: &Plan, start: &dyn Position) -> Result<Openings, String> {
    Ok(Openings::new(&MatchSeed::new(&plan.seed), start, &book_of(plan, start)?))
}

/// Where a game of a report stands in its schedule.
///
/// # Errors
/// That there is no such game.
fn fixture(report: &MatchReport, number: u32) -> Result<Fixture, String> {
    let mut course = Course::of_plan(&report.plan, report.games_asked, None, None)?;
    for game in &report.games {
        if let Some(scored) = Scored::of(game) {
            course.ended(game.number, scored);
        }
    }
    course.fixture(number).ok_or_else(|| no_such_game(report))
}

/// The position that every game of a plan starts from.
///
/// # Errors
/// What is wrong with the plan's game, options or position.
pub fn start(plan: &Plan) -> Result<Box<dyn Position>, String> {
    let values: Vec<_> =
        plan.options.iter().map(|(name, value)| (name.as_str(), value.to_string())).collect();
    let given: Vec<Given<'_>> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let setup =
        Setup { players: Some(plan.seats as usize), options: &given, position: Some(plan.position.as_str()) };
    registry::start(&plan.game, &setup).map_err(|error| format!("plan: {error}"))
}

fn plan_problems(plan: &Plan, start: &dyn Position) -> Vec<String> {
    let mut problems = Vec::new();
    let version = start.info().version;
    if plan.rules_version != version {
        problems.push(format!(
            "plan.rules_version: the file has version {} of the rules of {}, this arbiter has version {version}",
            plan.rules_version, plan.game
        ));
    }
    let options = start.options().iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    problems.extend(
        differences(&plan.options, &options).into_iter().map(|problem| format!("plan.options.{problem}")),
    );
    if plan.game != start.info().id {
        problems.push(format!(
            "plan.game: the file says {}, the game's id is {}",
            plan.game,
            start.info().id
        ));
    }
    if plan.position != start.text() {
        problems.push(format!(
            "plan.position: the file says {}, it is written {}",
            plan.position,
            start.text()
        ));
    }
    if plan.schedule.kind == ScheduleKind::Match && plan.players.len() != start.seats() {
        problems.push(format!("plan.players: {} players for {} seats", plan.players.len(), start.seats()));
    }
    let openings = &plan.openings;
    if (openings.kind == OpeningKind::Random) != (openings.plies > 0) {
        problems.push(format!("plan.openings: {:?} openings of {} plies", openings.kind, openings.plies));
    }
    if (openings.kind == OpeningKind::List) == openings.lines.is_empty() {
        let lines = openings.lines.len();
        problems.push(format!("plan.openings: {:?} openings with {lines} lines", openings.kind));
    }
    if plan.openings.plies > Openings::LONGEST {
        problems.push(format!("plan.openings: openings have at most {} plies", Openings::LONGEST));
    }
    if plan.in_process && plan.clock == Some(ClockKind::Processor) {
        problems
            .push("plan.clock: bots in arbiter's own process have no processor time of their own".to_owned());
    }
    if plan.max_plies == 0 {
        problems.push("plan.max_plies: no game can have 0 plies".to_owned());
    }
    if start.end().is_some() {
        problems.push("plan.position: the game is over there".to_owned());
    }
    for (index, player) in plan.players.iter().enumerate() {
        let is_taken = plan.players[..index].iter().any(|other| other.name == player.name);
        let of_player = |problem: &str| format!("plan.players[{index}]: {problem}");
        problems.extend(is_taken.then(|| of_player("two players have this name")));
        problems.extend(player_problem(player).map(of_player));
    }
    problems
}

/// What no player can be.
fn player_problem(player: &Player) -> Option<&'static str> {
    let is_hash = |hash: &String| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let schema::TimeControl { move_ns, base_ns, increment_ns } = player.time;
    if player.kind == PlayerKind::Bot && !player.sha256.as_ref().is_some_and(is_hash) {
        Some("a bot has the SHA-256 of its file, 64 hexadecimal digits")
    } else if player.kind == PlayerKind::Human && (player.sha256.is_some() || player.file.is_some()) {
        Some("a person has no file")
    } else if base_ns.is_some() != increment_ns.is_some() || move_ns.is_some() && base_ns.is_some() {
        Some("a time control is a time for every move, or a base and an increment, or neither")
    } else {
        None
    }
}

/// What is wrong with the report around its games. Who played when is taken as it stands, but must be there.
fn frame_problems(report: &MatchReport, form: Form) -> Vec<String> {
    let has_file = |player: &Player| player.kind == PlayerKind::Human || player.file.is_some();
    match form {
        Form::Canonical => {
            let is_bare = report.started.is_none() && report.finished.is_none();
            let is_placeless = report.plan.players.iter().all(|player| player.file.is_none());
            let problem = "machine: only the canonical form has none, but this has dates or paths";
            (!is_bare || !is_placeless).then(|| problem.to_owned()).into_iter().collect()
        }
        Form::Whole => {
            let mut problems = Vec::new();
            if is_match(report) && report.format_version > 1 && report.plan.schedule.games.is_none() {
                problems.push("plan.schedule.games: it is missing".to_owned());
            }
            if report.started.is_none() {
                problems.push("started: it is missing".to_owned());
            }
            if !report.plan.players.iter().all(has_file) {
                problems.push("plan.players: the file of a bot is missing".to_owned());
            }
            problems
        }
    }
}

fn judge_again(
    report: &MatchReport,
    start: &dyn Position,
    game: &GameRecord,
    fixture: &Fixture,
    openings: &mut Openings,
    form: Form,
) -> Vec<String> {
    let seats = &fixture.players;
    let recorded: Vec<usize> = game.seats.iter().map(|seat| seat.player as usize).collect();
    if recorded != *seats {
        return vec![format!(
            "seats: the file seats the players {recorded:?}, by the schedule it is {seats:?}"
        )];
    }
    let opening = match openings.of_unit(&fixture.unit) {
        Ok(opening) => opening,
        Err(error) => return vec![error.to_string()],
    };
    let round = fixture.round.filter(|_| report.format_version > 2);
    let opened = Opened { round, unit: fixture.unit.number, opening };
    match replay::replay(&report.plan, start, game, &opened, form) {
        Ok(expected) if expected == *game => Vec::new(),
        Ok(expected) => differences(game, &expected),
        Err(problems) => problems,
    }
}

fn sum_problems(report: &MatchReport) -> Vec<String> {
    let sums = Sums::of(report.plan.players.len(), &report.games);
    let mut problems = differences_of_totals(report, &sums);
    if report.games_ended != sums.games_ended() {
        let (said, are) = (report.games_ended, sums.games_ended());
        problems.push(format!("games_ended: the file says {said}, but {are} games are in it"));
    }
    if report.games_asked < report.games_ended {
        problems.push(format!("games_asked: {} is less than games_ended", report.games_asked));
    }
    let duplicates = Duplicates::of(&report.games).groups();
    if report.duplicates != duplicates {
        let (said, are) = (&report.duplicates, duplicates);
        problems.push(format!("duplicates: the file says {said:?}, the games give {are:?}"));
    }
    problems
}

fn differences_of_totals(report: &MatchReport, sums: &Sums) -> Vec<String> {
    if report.totals.len() != sums.totals().len() {
        return vec![format!("totals: {} for {} players", report.totals.len(), sums.totals().len())];
    }
    let pairs = report.totals.iter().zip(sums.totals()).enumerate();
    pairs
        .flat_map(|(player, (said, sum))| {
            let mut sum = sum.clone();
            if report.plan.clock.is_none() {
                sum.charged_ns = None;
            }
            if report.is_canonical() {
                (sum.wall_ns, sum.cpu_ns, sum.charged_ns) = (None, None, None);
            }
            let name = report.plan.players[player].name.clone();
            differences(said, &sum).into_iter().map(move |problem| format!("totals of {name}: {problem}"))
        })
        .collect()
}
