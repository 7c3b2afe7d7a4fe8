//! Judges a match report again, without the bots: the same referee plays every game with the answers and times of the
//! file, and whatever then differs from the file is a finding.

mod difference;
mod rehearsal;
mod replay;

use crate::record::Sums;
use crate::record::schema::{GameRecord, MatchReport, OpeningKind, Plan};
use crate::tournament::{MatchSeed, Openings, players_by_seat};
use arbiter_rules::options::Given;
use arbiter_rules::{Position, Setup, registry};
use difference::differences;
use std::collections::HashSet;
use std::fmt;

pub use rehearsal::{Moment, rehearse};

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
    let mut openings = openings(&report.plan, &*start);
    let mut numbers = HashSet::new();
    for game in &report.games {
        let mut problems = Vec::new();
        if game.number == 0 || game.number > report.games_asked {
            problems.push(format!("there are games 1 to {}", report.games_asked));
        } else if !numbers.insert(game.number) {
            problems.push("it is in the file twice".to_owned());
        } else {
            problems = judge_again(&report.plan, &*start, game, &mut openings);
        }
        findings.extend(problems.into_iter().map(|problem| Finding { game: Some(game.number), problem }));
    }
    findings.extend(sum_problems(report).into_iter().map(whole));
    findings
}

fn openings(plan: &Plan, start: &dyn Position) -> Openings {
    let plies = match plan.openings.kind {
        OpeningKind::None => 0,
        OpeningKind::Random => plan.openings.plies,
    };
    Openings::new(&MatchSeed::new(&plan.seed), start, plies)
}

/// The position that every game of a plan starts from.
///
/// # Errors
/// What is wrong with the plan's game, options or position.
fn start(plan: &Plan) -> Result<Box<dyn Position>, String> {
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
    if plan.options != options {
        problems.push("plan.options: options are missing".to_owned());
    }
    if plan.players.len() != start.seats() {
        problems.push(format!("plan.players: {} players for {} seats", plan.players.len(), start.seats()));
    }
    if (plan.openings.kind == OpeningKind::None) != (plan.openings.plies == 0) {
        problems.push(format!(
            "plan.openings: {:?} openings of {} plies",
            plan.openings.kind, plan.openings.plies
        ));
    }
    if start.end().is_some() {
        problems.push("plan.position: the game is over there".to_owned());
    }
    problems
}

fn judge_again(plan: &Plan, start: &dyn Position, game: &GameRecord, openings: &mut Openings) -> Vec<String> {
    let seats = players_by_seat(game.number, start.seats());
    let recorded: Vec<usize> = game.seats.iter().map(|seat| seat.player as usize).collect();
    if recorded != seats {
        return vec![format!(
            "seats: the file seats the players {recorded:?}, by the schedule it is {seats:?}"
        )];
    }
    match replay::replay(plan, start, game, openings) {
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
    if report.duplicates != sums.duplicates() {
        let (said, are) = (&report.duplicates, sums.duplicates());
        problems.push(format!("duplicates: the file says {said:?}, the games give {are:?}"));
    }
    problems
}

fn differences_of_totals(report: &MatchReport, sums: &Sums) -> Vec<String> {
    if report.totals.len() != sums.totals().len() {
        return vec![format!("totals: {} for {} players", report.totals.len(), sums.totals().len())];
    }
    let is_canonical = report.machine.is_none();
    let pairs = report.totals.iter().zip(sums.totals()).enumerate();
    pairs
        .flat_map(|(player, (said, sum))| {
            let mut sum = sum.clone();
            if is_canonical {
                (sum.wall_ns, sum.cpu_ns) = (None, None);
            }
            let name = report.plan.players[player].name.clone();
            differences(said, &sum).into_iter().map(move |problem| format!("totals of {name}: {problem}"))
        })
        .collect()
}
