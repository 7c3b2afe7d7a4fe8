//! `arbiter tournament --dry-run`: what would be played, and for how long.

use crate::cli::plan::{Plan, Seated, Show};
use crate::cli::show::circumstances::title;
use crate::cli::{ExitCode, Failure, Output};
use crate::player::TimeControl;
use crate::record::{plan_hash, schema};
use crate::report::{count, same_files};
use crate::sanitize::sanitize;
use crate::tournament::schedule::Unit;
use crate::tournament::{Course, Schedule};
use serde_json::json;
use std::time::Duration;

/// Units that are listed one by one for people; programs get all of them.
const MOST_LISTED: usize = 200;

/// Turns that a bot is assumed to take in a game.
const TURNS: u32 = 30;

/// Prints the schedule, the number of games, and how long they take at most.
pub(super) fn print(
    plan: &Plan,
    saved: &schema::Plan,
    course: &Course,
    seated: &Seated,
    out: &mut Output,
) -> Result<ExitCode, Failure> {
    let hash = plan_hash(saved, env!("CARGO_PKG_VERSION"));
    if plan.view.show == Show::Json {
        return print_json(plan, course, seated, &hash, out);
    }
    out.line(&title(saved))?;
    out.line("")?;
    for (index, entrant) in seated.entrants.iter().enumerate() {
        let named = entrant.named().unwrap_or_default();
        out.line(&sanitize(&format!("{:>4}  {}  {named}", index + 1, entrant.name)))?;
    }
    same_files(saved).iter().try_for_each(|sentence| out.line(sentence))?;
    out.line("")?;
    let mut units = units_here(plan, course);
    units.by_ref().take(MOST_LISTED).try_for_each(|unit| out.line(&line(seated, &unit)))?;
    let more = units.count();
    if more > 0 {
        out.line(&format!("and {more} more units"))?;
    }
    if let Some(bye) = course.bye() {
        out.line(&format!("{} has a bye", sanitize(&seated.entrants[bye].name)))?;
    }
    out.line("")?;
    let games = games_here(plan, course);
    let most = plan.games.most_games();
    let later = match plan.games.event.schedule {
        Schedule::Knockout(_) | Schedule::DoubleElimination(_) => {
            format!(" without ties; at most {most} with them. Later rounds follow from results")
        }
        Schedule::Swiss { .. } | Schedule::League(_) => ". Later rounds follow from results".to_owned(),
        Schedule::Match { .. } | Schedule::RoundRobin { .. } | Schedule::Gauntlet { .. } => String::new(),
    };
    out.line(&format!("{}{later}", count(games, "game")))?;
    out.line(&estimate(plan, seated, course))?;
    out.line(&format!("plan {hash}"))?;
    out.line(&sanitize(&plan.command(&seated.seed)))?;
    Ok(ExitCode::Done)
}

fn print_json(
    plan: &Plan,
    course: &Course,
    seated: &Seated,
    hash: &str,
    out: &mut Output,
) -> Result<ExitCode, Failure> {
    let seats = plan.games.start.seats();
    for unit in units_here(plan, course) {
        for turn in 0..seats {
            let number = unit.number * seats as u32 + turn as u32 + 1;
            let players = unit.players_by_seat(turn);
            let names: Vec<&str> =
                players.iter().map(|&player| seated.entrants[player].name.as_str()).collect();
            let event = json!({
                "ev": "planned", "game": number, "unit": unit.number, "round": unit.round + 1,
                "players": players, "names": names,
            });
            out.json(&event)?;
        }
    }
    let games = games_here(plan, course);
    let event = json!({
        "ev": "plan", "games": games, "most_games": plan.games.most_games(), "plan_hash": hash,
        "seconds_at_most": longest(plan, seated, course).map(|time| time.as_secs_f64()), "command": plan.command(&seated.seed),
    });
    out.json(&event)?;
    Ok(ExitCode::Done)
}

fn games_here(plan: &Plan, course: &Course) -> u32 {
    match plan.run.part.shard {
        None => course.games_asked(),
        Some(_) => units_here(plan, course).count() as u32 * plan.games.start.seats() as u32,
    }
}

fn units_here(plan: &Plan, course: &Course) -> impl Iterator<Item = Unit> {
    course.units().filter(|unit| plan.run.part.shard.is_none_or(|shard| shard.has(unit.number)))
}

/// `round 1   games 1-2  Greedy - Minimax`.
fn line(seated: &Seated, unit: &Unit) -> String {
    let seats = unit.members.len() as u32;
    let first = unit.number * seats + 1;
    let names: Vec<String> =
        unit.members.iter().map(|&member| sanitize(&seated.entrants[member].name)).collect();
    format!("round {:<3} games {}-{}  {}", unit.round + 1, first, first + seats - 1, names.join(" - "))
}

/// The longest time that this process's games may take, if bots use all of theirs; `None` without clocks. For games
/// whose players follow from results, the players with the most time are assumed.
fn longest(plan: &Plan, seated: &Seated, course: &Course) -> Option<Duration> {
    let each = seated.entrants.iter().map(|entrant| match entrant.time {
        TimeControl::Unlimited => None,
        TimeControl::MoveTime(time) => Some(time * TURNS),
        TimeControl::Clock { base, increment } => Some(base + increment * TURNS),
    });
    let mut each = each.collect::<Option<Vec<_>>>()?;
    let seats = plan.games.start.seats();
    let mut games = games_here(plan, course);
    let mut time = Duration::ZERO;
    for unit in units_here(plan, course) {
        // The last unit of a match may be cut short.
        let played = games.min(seats as u32);
        time += unit.members.iter().map(|&member| each[member]).sum::<Duration>() * played;
        games -= played;
    }
    each.sort_unstable();
    time += each.iter().rev().take(seats).sum::<Duration>() * games;
    Some(time.div_f64(plan.run.jobs.max(1) as f64))
}

fn estimate(plan: &Plan, seated: &Seated, course: &Course) -> String {
    let at_once = count(plan.run.jobs as u32, "game");
    match longest(plan, seated, course) {
        None => format!("{at_once} at a time; without clocks nobody knows how long that takes"),
        Some(time) => {
            // What is left over of a unit counts as a whole one.
            let seconds = time.as_millis().div_ceil(1000);
            let minutes = seconds.div_ceil(60);
            let words = match seconds {
                0..120 => format!("{seconds} s"),
                120..7200 => format!("{minutes} min"),
                _ => format!("{} h {} min", minutes / 60, minutes % 60),
            };
            format!(
                "{at_once} at a time: at most {words}, if every bot uses all its time for {TURNS} turns a game"
            )
        }
    }
}
