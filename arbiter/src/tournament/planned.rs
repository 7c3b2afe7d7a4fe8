//! From a saved plan to what is played by it, and back.

use super::course::{Course, CourseRules};
use super::opening_list::OpeningList;
use super::openings::Book;
use super::schedule::{League, Schedule, Ties};
use super::shard::Shard;
use crate::record::schema::{
    MatchReport, OpeningKind, Plan, ScheduleKind, ScheduleRecord, SprtDecision, SprtModel, SprtPlan,
    SprtRecord,
};
use crate::statistics::{Decision, EloModel, Sprt, SprtRun};
use arbiter_rules::{MAX_SEATS, Position};
use std::sync::Arc;

impl Schedule {
    /// The schedule as it is saved.
    pub fn to_record(&self) -> ScheduleRecord {
        let kind = |kind| ScheduleRecord { kind, ..ScheduleRecord::default() };
        let ties = |of, ties: Ties| ScheduleRecord {
            pairs: Some(ties.pairs),
            most_pairs: Some(ties.most_pairs),
            ..kind(of)
        };
        match *self {
            Schedule::Match { games } => ScheduleRecord { games: Some(games), ..kind(ScheduleKind::Match) },
            Schedule::RoundRobin { rounds } => {
                ScheduleRecord { rounds: Some(rounds), ..kind(ScheduleKind::RoundRobin) }
            }
            Schedule::Gauntlet { challengers, rounds } => ScheduleRecord {
                challengers: Some(challengers as u32),
                rounds: Some(rounds),
                ..kind(ScheduleKind::Gauntlet)
            },
            Schedule::Swiss { rounds, pairs, byes } => {
                ScheduleRecord { rounds: Some(rounds), pairs: Some(pairs), byes, ..kind(ScheduleKind::Swiss) }
            }
            Schedule::Knockout(of) => ties(ScheduleKind::Knockout, of),
            Schedule::DoubleElimination(of) => ties(ScheduleKind::DoubleElimination, of),
            Schedule::League(ref league) => ScheduleRecord {
                pairs: Some(league.pairs),
                most_pairs: Some(league.most_pairs),
                attendance: league.attendance.clone(),
                ..kind(ScheduleKind::League)
            },
        }
    }

    /// The schedule of a saved plan. Plans of version 1 are matches of as many games as were asked for.
    ///
    /// # Errors
    /// What is missing or impossible, in words.
    pub fn of_plan(plan: &Plan, games_asked: u32) -> Result<Schedule, String> {
        if !(2..=MAX_SEATS).contains(&(plan.seats as usize)) {
            return Err(format!("plan.seats: it must be 2 to {MAX_SEATS}"));
        }
        let record = &plan.schedule;
        let need = |value: Option<u32>, name: &str| match value {
            Some(number @ 1..) => Ok(number),
            Some(0) | None => Err(format!("plan.schedule.{name}: it must be 1 or more")),
        };
        let ties = || {
            let (pairs, most_pairs) = (need(record.pairs, "pairs")?, need(record.most_pairs, "most_pairs")?);
            if most_pairs < pairs {
                return Err("plan.schedule.most_pairs: it is less than pairs".to_owned());
            }
            Ok(Ties { pairs, most_pairs })
        };
        let schedule = match record.kind {
            ScheduleKind::Match => Schedule::Match { games: record.games.unwrap_or(games_asked) },
            ScheduleKind::RoundRobin => Schedule::RoundRobin { rounds: need(record.rounds, "rounds")? },
            ScheduleKind::Gauntlet => Schedule::Gauntlet {
                challengers: need(record.challengers, "challengers")? as usize,
                rounds: need(record.rounds, "rounds")?,
            },
            ScheduleKind::Swiss => Schedule::Swiss {
                rounds: need(record.rounds, "rounds")?,
                pairs: need(record.pairs, "pairs")?,
                byes: record.byes,
            },
            ScheduleKind::Knockout => Schedule::Knockout(ties()?),
            ScheduleKind::DoubleElimination => Schedule::DoubleElimination(ties()?),
            ScheduleKind::League => {
                let Ties { pairs, most_pairs } = ties()?;
                let attendance = record.attendance.clone();
                let versions = plan.players.iter().map(|player| player.version_of_bot().1).collect();
                let league = League { pairs, most_pairs, rounds: None, attendance, versions };
                let checked = league.check(plan.players.len());
                checked.map_err(|problem| format!("plan.schedule.attendance: {problem}"))?;
                Schedule::League(league)
            }
        };
        let checked = schedule.check(plan.players.len(), plan.seats as usize);
        checked.map_err(|error| format!("plan.schedule: {error}"))?;
        if schedule.to_record() != *record && *record != ScheduleRecord::default() {
            return Err(format!("plan.schedule: it says more than a {:?} knows", record.kind));
        }
        Ok(schedule)
    }

    /// The schedule of a league's season, as far as these rounds where a number is given.
    ///
    /// # Errors
    /// What is impossible in the plan, in words.
    pub fn of_season(plan: &Plan, rounds: Option<u32>) -> Result<Schedule, String> {
        match Schedule::of_plan(plan, 0)? {
            Schedule::League(league) => Ok(Schedule::League(League { rounds, ..league })),
            _ => Err("plan.schedule: it is no league".to_owned()),
        }
    }
}

/// The test of a saved plan.
///
/// # Errors
/// Bounds that no test can have, in words.
pub fn test_of(plan: &SprtPlan) -> Result<SprtRun, String> {
    let model = match plan.model {
        SprtModel::Logistic => EloModel::Logistic,
        SprtModel::Normalized => EloModel::Normalized,
    };
    let sprt =
        Sprt::new(model, plan.elo0, plan.elo1, plan.alpha, plan.beta).map_err(|error| error.to_string())?;
    Ok(SprtRun::new(sprt))
}

/// The book of a saved plan.
///
/// # Errors
/// A line that is no opening, in words.
pub fn book_of(plan: &Plan, start: &Position) -> Result<Book, String> {
    Ok(match plan.openings.kind {
        OpeningKind::None => Book::None,
        OpeningKind::Random => Book::Random(plan.openings.plies),
        OpeningKind::List => {
            let text: String = plan.openings.lines.iter().map(|line| format!("{line}\n")).collect();
            let list =
                OpeningList::read(&text, start).map_err(|error| format!("plan.openings.lines: {error}"))?;
            Book::List(Arc::new(list.0))
        }
    })
}

impl Course {
    /// The course of a saved plan, at its start. `wave` is how many units are played beyond the known ones.
    ///
    /// # Errors
    /// What is impossible in the plan, in words.
    pub fn of_plan(
        plan: &Plan,
        games_asked: u32,
        shard: Option<Shard>,
        wave: Option<u32>,
    ) -> Result<Course, String> {
        Course::under(plan, Schedule::of_plan(plan, games_asked)?, shard, wave)
    }

    /// The course of the plan of a report or journal, at its start.
    ///
    /// # Errors
    /// What is impossible in the plan, in words.
    pub fn of_report(report: &MatchReport) -> Result<Course, String> {
        Course::of_plan(&report.plan, report.games_asked, None, None)
    }

    /// The course of a league's season, as far as these rounds.
    ///
    /// # Errors
    /// What is impossible in the plan, in words.
    pub fn of_season(plan: &Plan, rounds: u32) -> Result<Course, String> {
        Course::under(plan, Schedule::of_season(plan, Some(rounds))?, None, None)
    }

    fn under(
        plan: &Plan,
        schedule: Schedule,
        shard: Option<Shard>,
        wave: Option<u32>,
    ) -> Result<Course, String> {
        let sprt =
            plan.sprt.as_ref().map(test_of).transpose().map_err(|problem| format!("plan.sprt: {problem}"))?;
        if sprt.is_some() && (plan.players.len() != 2 || plan.seats != 2) {
            return Err("plan.sprt: a test decides between two players of a game of two".to_owned());
        }
        Ok(Course::new(CourseRules {
            schedule,
            entrants: plan.players.len(),
            seats: plan.seats as usize,
            withdraw_after: plan.withdraw_after,
            sprt,
            shard,
            wave,
        }))
    }

    /// How the test stands, as it is saved.
    pub fn sprt_record(&self) -> Option<SprtRecord> {
        let run = self.sprt()?;
        Some(SprtRecord {
            decision: match run.decision {
                Decision::Continue => SprtDecision::Continue,
                Decision::H0 => SprtDecision::H0,
                Decision::H1 => SprtDecision::H1,
            },
            llr: run.ratio,
            lower: run.sprt.lower_bound(),
            upper: run.sprt.upper_bound(),
            units: run.counts.units() as u32,
            counts: run.counts.cells().to_vec(),
        })
    }
}
