//! Judges a match report again, without the bots: the same referee plays every game with the answers and times of the
//! file, and whatever then differs from the file is a finding.

mod difference;
mod rehearsal;
mod replay;

use crate::record::schema::{
    self, ClockKind, GameRecord, MatchReport, OpeningKind, Plan, Player, PlayerKind, ScheduleKind,
};
use crate::record::{Duplicates, Scored, Sums, in_threads};
use crate::tournament::{Course, Fixture, MatchSeed, Openings, book_of};
use arbiter_rules::options::Given;
use arbiter_rules::{Position, Setup, registry};
use difference::differences;
use replay::{Form, Opened};
use std::collections::BTreeSet;
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
    let mut judge = Judge::new(MatchReport { games: Vec::new(), ..report.clone() });
    judge.games(&report.games);
    judge.end(report);
    judge.findings()
}

/// Judges a report whose games come one after another, many at a time.
pub struct Judge {
    /// The report without its games, and perhaps without what stands behind them.
    frame: MatchReport,
    form: Form,
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
}

impl Judge {
    /// Judges what stands before the games.
    #[must_use]
    pub fn new(frame: MatchReport) -> Judge {
        let form = if frame.is_canonical() { Form::Canonical } else { Form::Whole };
        let mut judge = Judge { frame, form, state: None, findings: Vec::new() };
        let start = match start(&judge.frame.plan) {
            Ok(start) => start,
            Err(problem) => {
                judge.find(vec![problem]);
                return judge;
            }
        };
        let problems = plan_problems(&judge.frame.plan, &start);
        if !problems.is_empty() {
            judge.find(problems);
            return judge;
        }
        judge.find(frame_problems(&judge.frame, form));
        match State::new(&judge.frame, start) {
            Ok(state) => judge.state = Some(state),
            Err(problem) => judge.find(vec![problem]),
        }
        judge
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
        let judged = in_threads(calls, |(game, call)| match call {
            Call::Out(problem) => (game.number, vec![problem]),
            Call::Play(players, opened) => {
                (game.number, judge_again(&self.frame, start, game, &players, &opened, self.form))
            }
        });
        for (number, problems) in judged {
            let findings = problems.into_iter().map(|problem| Finding { game: Some(number), problem });
            self.findings.extend(findings);
        }
    }

    /// Judges what the report says of all its games, once all of them have been judged.
    pub fn end(&mut self, report: &MatchReport) {
        if let Some(state) = self.state.take() {
            let course = course_problems(report, &state.course);
            self.find(sum_problems(report, &state.sums, state.duplicates));
            self.find(course);
        }
    }

    fn find(&mut self, problems: Vec<String>) {
        self.findings.extend(problems.into_iter().map(|problem| Finding { game: None, problem }));
    }
}

/// What is to be done with a game.
enum Call {
    /// It cannot be there.
    Out(String),
    /// It is played again, with these players in its seats.
    Play(Vec<usize>, Opened),
}

impl State {
    fn new(frame: &MatchReport, start: Position) -> Result<State, String> {
        Ok(State {
            openings: openings(&frame.plan, &start)?,
            course: Course::of_plan(&frame.plan, frame.games_asked, None, None)?,
            start,
            last: 0,
            before: 0,
            sums: Sums::new(frame.plan.players.len()),
            duplicates: Duplicates::default(),
        })
    }

    /// Finds the place of a game in the schedule, and goes on to the next.
    fn call(&mut self, frame: &MatchReport, game: &GameRecord) -> Call {
        let State { course, last, before, .. } = self;
        let number = game.number;
        let call = match course.fixture(number) {
            None => Call::Out(no_such_game(frame)),
            _ if number <= *last => {
                Call::Out(format!("it stands behind game {last}: every game is there once, by number"))
            }
            _ if is_match(frame) && number as usize > *before + MOST_AT_ONCE => Call::Out(format!(
                "only {before} of the games before it are there, and games are played in order"
            )),
            _ if !course.counts(number) => Call::Out(
                "it does not count: a test had decided before it, or somebody in it had been withdrawn"
                    .to_owned(),
            ),
            Some(Fixture { unit, players, round, .. }) => {
                *last = number;
                // Formats 1 and 2 did not name rounds.
                let round = round.filter(|_| frame.format_version > 2);
                match self.openings.of_unit(&unit) {
                    Ok(opening) => Call::Play(players, Opened { round, unit: unit.number, opening }),
                    Err(error) => Call::Out(error.to_string()),
                }
            }
        };
        self.before += 1;
        if let Some(scored) = Scored::of(game) {
            self.course.ended(number, scored);
        }
        self.sums.add(game);
        self.duplicates.add(game);
        call
    }
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

fn openings(plan: &Plan, start: &Position) -> Result<Openings, String> {
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
pub fn start(plan: &Plan) -> Result<Position, String> {
    let values: Vec<_> =
        plan.options.iter().map(|(name, value)| (name.as_str(), value.to_string())).collect();
    let given: Vec<Given<'_>> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let setup =
        Setup { players: Some(plan.seats as usize), options: &given, position: Some(plan.position.as_str()) };
    registry::start(&plan.game, &setup).map_err(|error| format!("plan: {error}"))
}

fn plan_problems(plan: &Plan, start: &Position) -> Vec<String> {
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
    let mut names = BTreeSet::new();
    for (index, player) in plan.players.iter().enumerate() {
        let is_taken = !names.insert(&player.name);
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
    frame: &MatchReport,
    start: &Position,
    game: &GameRecord,
    players: &[usize],
    opened: &Opened,
    form: Form,
) -> Vec<String> {
    let recorded: Vec<usize> = game.seats.iter().map(|seat| seat.player as usize).collect();
    if recorded != players {
        return vec![format!(
            "seats: the file seats the players {recorded:?}, by the schedule it is {players:?}"
        )];
    }
    let replayed = replay::replay(&frame.plan, start, game, opened, form);
    let replayed = replayed.map(|mut expected| {
        if frame.format_version < 3 {
            keep_scores_of_eliminated(&mut expected, game);
        }
        expected
    });
    match replayed {
        Ok(expected) if expected == *game => Vec::new(),
        Ok(expected) => differences(game, &expected),
        Err(problems) => problems,
    }
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

fn sum_problems(report: &MatchReport, sums: &Sums, duplicates: Duplicates) -> Vec<String> {
    let mut problems = differences_of_totals(report, sums);
    if report.games_ended != sums.games_ended() {
        let (said, are) = (report.games_ended, sums.games_ended());
        problems.push(format!("games_ended: the file says {said}, but {are} games are in it"));
    }
    if report.games_asked < report.games_ended {
        problems.push(format!("games_asked: {} is less than games_ended", report.games_asked));
    }
    let duplicates = duplicates.groups();
    if report.duplicates != duplicates {
        let (said, are) = (&report.duplicates, duplicates);
        problems.push(format!("duplicates: the file says {}, the games give {}", few(said), few(&are)));
    }
    problems
}

/// The first few groups.
fn few(groups: &[Vec<u32>]) -> String {
    const SHOWN: usize = 8;
    let more =
        if groups.len() > SHOWN { format!(" and {} more", groups.len() - SHOWN) } else { String::new() };
    format!("{:?}{more}", &groups[..groups.len().min(SHOWN)])
}

fn differences_of_totals(report: &MatchReport, sums: &Sums) -> Vec<String> {
    let totals = sums.totals_under(&report.plan);
    if report.totals.len() != totals.len() {
        return vec![format!("totals: {} for {} players", report.totals.len(), totals.len())];
    }
    let pairs = report.totals.iter().zip(totals).enumerate();
    pairs
        .flat_map(|(player, (said, mut sum))| {
            if report.is_canonical() {
                (sum.wall_ns, sum.cpu_ns, sum.charged_ns) = (None, None, None);
            }
            let name = report.plan.players[player].name.clone();
            differences(said, &sum).into_iter().map(move |problem| format!("totals of {name}: {problem}"))
        })
        .collect()
}
