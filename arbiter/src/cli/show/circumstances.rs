//! What the plan and the course of a tournament add to its results.

use crate::record::read_found_text;
use crate::record::schema::{AtMaxPlies, Plan, PlayerKind, ScheduleKind};
use crate::report::{Circumstances, count, for_seats, limits, same_files};
use crate::sanitize::sanitize;
use crate::tournament::Course;
use std::path::Path;

/// What the course of a schedule adds to results.
pub(crate) fn circumstances(plan: &Plan, course: &Course, repeated: u32) -> Circumstances {
    let players = plan.players.len();
    let mut withdrawn_after = vec![None; players];
    for record in course.withdrawals() {
        withdrawn_after[record.player as usize] = Some(record.after_game);
    }
    Circumstances {
        title: title(plan),
        names: plan.players.iter().map(|player| player.name.clone()).collect(),
        opponents_differ: plan.schedule.kind == ScheduleKind::Swiss,
        is_paired_by_results: plan.schedule.kind.pairs_by_results(),
        former: former(plan),
        half_points_without_play: course.half_points_without_play(),
        places: course.places(),
        withdrawn_after,
        sprt: plan.sprt.zip(course.sprt_record()),
        games_asked: course.games_asked(),
        repeated,
        clock: plan.clock,
        not_let_in: Vec::new(),
        remarks: of_plan(plan),
    }
}

/// The file of a season that says who is not let in and why, a line for each.
pub(crate) const NOT_LET_IN: &str = "not-let-in.txt";

/// How many of them are told below standings.
const MOST_TOLD: usize = 50;

/// Who is not let into the league that a report is of, and why.
pub(crate) fn not_let_in(report: &Path) -> Vec<String> {
    let said = read_found_text(&report.with_file_name(NOT_LET_IN)).unwrap_or_default();
    said.lines().take(MOST_TOLD).map(sanitize).collect()
}

/// Which players have left a league; empty where the plan is of no league.
fn former(plan: &Plan) -> Vec<bool> {
    if plan.schedule.kind != ScheduleKind::League {
        return Vec::new();
    }
    plan.schedule.present(plan.players.len()).into_iter().map(|is_there| !is_there).collect()
}

/// What was played, in words.
pub(crate) fn title(plan: &Plan) -> String {
    let kind = plan.schedule.kind.words();
    let rounds = plan.schedule.rounds.filter(|&rounds| rounds > 1);
    let rounds = rounds.map(|rounds| format!(", {rounds} rounds")).unwrap_or_default();
    let (game, seats) = (sanitize(&plan.game), for_seats(plan));
    format!("{kind}, {game}{seats}, {} players{rounds}", plan.players.len())
}

/// What a reader of results has to know of the plan, each a sentence: policies that may have decided something, and bots that are the
/// same.
pub(crate) fn of_plan(plan: &Plan) -> Vec<String> {
    let mut remarks = same_files(plan);
    if plan.max_repetitions > 0 {
        remarks.push(format!(
            "Games in which a position occurred {} times were drawn by adjudication.",
            plan.max_repetitions
        ));
    }
    if let Some(wanted) = plan.resign_score {
        remarks.push(format!(
            "Games in which both bots said for {} plies that one is ahead by {} or more were won by that one.",
            wanted.plies, wanted.score
        ));
    }
    if let Some(wanted) = plan.draw_score {
        remarks.push(format!(
            "Games in which both bots said for {} plies that neither is ahead by more than {} were drawn.",
            wanted.plies, wanted.score
        ));
    }
    if plan.at_max_plies == AtMaxPlies::Score {
        remarks.push(format!("Games of {} plies were decided by their score.", plan.max_plies));
    }
    let programs = plan.players.iter().filter(|player| player.kind == PlayerKind::Program);
    let programs: Vec<_> = programs.map(|player| sanitize(&player.name)).collect();
    if !programs.is_empty() {
        remarks.push(format!(
            "Not contained, and clocked by the wall: {}. A program may do what the user may do.",
            programs.join(", ")
        ));
    }
    if let Some(time) = plan.prepare_time_ns {
        remarks.push(format!("Bots had {} s to load and begin.", time as f64 / 1e9));
    }
    remarks.extend(limits(plan));
    if plan.withdraw_after > 0 {
        let times = plan.withdraw_after;
        let then = match plan.schedule.kind {
            ScheduleKind::League => "",
            _ => ": what is left of its games are walkovers",
        };
        remarks.push(format!(
            "Whoever loses {times} games in a row by faults, in the order of the schedule, is withdrawn{then}."
        ));
    }
    match (plan.schedule.kind, plan.schedule.pairs, plan.schedule.most_pairs) {
        (ScheduleKind::League, Some(pairs), Some(most)) => remarks.push(format!(
            "Everybody plays {} of games, and up to {most} as long as it is not clear who is stronger than whom.",
            count(pairs, "pair")
        )),
        (_, _, Some(most)) => remarks.push(format!(
            "A tied meeting gets one pair of games more at a time, up to {most}; after that the better seed goes on."
        )),
        (_, _, None) => {}
    }
    remarks
}
