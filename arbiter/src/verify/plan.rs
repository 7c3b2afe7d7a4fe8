//! Whether a plan can have been asked for: the game as its rules write it, and players, times and limits as arbiter
//! takes them.

use super::difference::differences;
use super::prefixed;
use crate::player::LONGEST_TIME;
use crate::record::KEPT_ERRORS;
use crate::record::schema::{
    self, ClockKind, OpeningKind, Plan, Player, PlayerKind, ScheduleKind, ScheduleRecord,
};
use crate::tournament::{Book, Openings};
use arbiter_rules::Position;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that is wrong with a plan in a file of this format.
pub(super) fn problems(plan: &Plan, format: u32, start: &Position) -> Vec<String> {
    let mut problems = game_problems(plan, start);
    problems.extend(opening_problem(&plan.openings));
    problems.extend(schedule_problems(plan, format, start));
    problems.extend(limit_problems(plan, format));
    problems.extend(player_problems(&plan.players, format));
    problems
}

/// Options that came after the first reports. A file from before says nothing of them: they had their defaults.
const LATER_OPTIONS: &[&str] = &["earthquake_rate"];

fn game_problems(plan: &Plan, start: &Position) -> Vec<String> {
    let mut problems = Vec::new();
    let (id, version) = (start.info().id, start.info().version);
    if plan.rules_version != version {
        problems.push(format!(
            "plan.rules_version: the file has version {} of the rules of {}, this arbiter has version {version}",
            plan.rules_version, plan.game
        ));
    }
    let is_said = |name: &str| plan.options.contains_key(name) || !LATER_OPTIONS.contains(&name);
    let options = start.options().iter().filter(|&(name, _)| is_said(name));
    let options: BTreeMap<_, _> = options.map(|(name, value)| (name.to_owned(), value.into())).collect();
    problems.extend(prefixed("plan.options.", differences(&plan.options, &options)));
    if plan.game != id {
        problems.push(format!("plan.game: the file says {}, the game's id is {id}", plan.game));
    }
    if plan.position != start.text() {
        let written = start.text();
        problems.push(format!("plan.position: the file says {}, it is written {written}", plan.position));
    }
    if start.end().is_some() {
        problems.push("plan.position: the game is over there".to_owned());
    }
    problems
}

fn opening_problem(openings: &schema::Openings) -> Option<String> {
    let (kind, plies, lines) = (openings.kind, openings.plies, openings.lines.len());
    if (kind == OpeningKind::Random) != (plies > 0) {
        Some(format!("plan.openings: {kind:?} openings of {plies} plies"))
    } else if (kind == OpeningKind::List) == (lines == 0) {
        Some(format!("plan.openings: {kind:?} openings with {lines} lines"))
    } else if plies > Openings::LONGEST {
        Some(format!("plan.openings: openings have at most {} plies", Openings::LONGEST))
    } else {
        None
    }
}

/// A list has every opening once, as it was read from somebody's file.
pub(super) fn list_problem(openings: &schema::Openings, book: &Book) -> Option<String> {
    let Book::List(list) = book else { return None };
    (list.texts() != openings.lines).then(|| {
        format!(
            "plan.openings.lines: {} lines, of which {} are openings that no other line has",
            openings.lines.len(),
            list.texts().len()
        )
    })
}

fn schedule_problems(plan: &Plan, format: u32, start: &Position) -> Vec<String> {
    let mut problems = Vec::new();
    let is_match = plan.schedule.kind == ScheduleKind::Match;
    if is_match && plan.players.len() != start.seats() {
        problems.push(format!("plan.players: {} players for {} seats", plan.players.len(), start.seats()));
    }
    if !is_match && plan.players.iter().any(|player| player.kind == PlayerKind::Human) {
        problems.push("plan.players: people take part in matches, and in no tournament".to_owned());
    }
    if is_match && plan.withdraw_after > 0 {
        problems.push("plan.withdraw_after: nobody is withdrawn from a match".to_owned());
    }
    let knows_matches_only = plan.schedule == ScheduleRecord::default() && plan.openings.lines.is_empty();
    if format == 1 && !knows_matches_only {
        problems.push("format_version: format 1 has no schedules and no lists of openings".to_owned());
    }
    problems
}

fn limit_problems(plan: &Plan, format: u32) -> Vec<String> {
    let mut problems = Vec::new();
    if plan.max_plies == 0 {
        problems.push("plan.max_plies: no game can have 0 plies".to_owned());
    }
    for (name, wanted) in [("resign_score", plan.resign_score), ("draw_score", plan.draw_score)] {
        if wanted.is_some_and(|of| plan.seats != 2 || of.plies < 2 || i32::try_from(of.score).is_err()) {
            problems.push(format!("plan.{name}: two bots agree in 2 plies or more"));
        }
    }
    if format > 2 && plan.max_errors > KEPT_ERRORS {
        problems.push(format!("plan.max_errors: at most {KEPT_ERRORS} can be asked for"));
    }
    let has_bots = plan.players.iter().any(|player| player.kind == PlayerKind::Bot);
    if plan.clock == Some(ClockKind::Processor) && (plan.in_process || !has_bots) {
        problems.push("plan.clock: only bots in processes of their own have processor time".to_owned());
    }
    if plan.clock == Some(ClockKind::Instructions) {
        problems.extend(fuel_problem(plan).map(|problem| format!("plan.clock: {problem}")));
    }
    if plan.prepare_time_ns.is_some() && plan.in_process {
        problems
            .push("plan.prepare_time_ns: bots in arbiter's own process have no limit for that".to_owned());
    }
    let (margin, prepare) = (time("margin_ns", 0, Some(plan.margin_ns)), plan.prepare_time_ns);
    let times = margin.into_iter().chain(time("prepare_time_ns", 1, prepare));
    problems.extend(times.map(|problem| format!("plan.{problem}")));
    problems
}

/// What cannot be where instructions are counted.
fn fuel_problem(plan: &Plan) -> Option<&'static str> {
    if plan.margin_ns > 0 {
        Some("no instruction beyond the limit is forgiven")
    } else if plan.players.iter().any(|player| player.runtime.is_none()) {
        Some("instructions are counted by what runs the bots, and the report does not name it")
    } else if plan.players.iter().any(|player| player.time.move_ns.is_none()) {
        Some("instructions are limited for every move")
    } else {
        None
    }
}

/// What is wrong with a time that can be asked for, from so many nanoseconds on.
fn time(name: &str, least: u64, ns: Option<u64>) -> Option<String> {
    let most = LONGEST_TIME.as_nanos() as u64;
    let ns = ns.filter(|ns| !(least..=most).contains(ns))?;
    Some(format!("{name}: {ns} ns is no time that can be asked for"))
}

fn player_problems(players: &[Player], format: u32) -> Vec<String> {
    let mut problems = Vec::new();
    let (mut names, mut files) = (BTreeSet::new(), BTreeMap::new());
    for (index, player) in players.iter().enumerate() {
        let is_taken = !names.insert(&player.name);
        let said = (&player.sha256, &player.payload, &player.author, &player.version);
        let is_other = player.file.as_ref().is_some_and(|file| *files.entry(file).or_insert(said) != said);
        let own = player_problem(player, format).map(str::to_owned);
        let time = time_problem(&player.time);
        let shared = [
            is_taken.then(|| "two players have this name".to_owned()),
            // Every file is looked at once, whatever number of players it makes.
            (is_other && format > 2)
                .then(|| "another player has the same file and is another bot".to_owned()),
        ];
        let all = shared.into_iter().chain([own, time]).flatten();
        problems.extend(all.map(|problem| format!("plan.players[{index}]: {problem}")));
    }
    problems
}

/// What no player can be.
fn player_problem(player: &Player, format: u32) -> Option<&'static str> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_hash = |hash: &String| hash.len() == 64 && hash.bytes().all(is_digit);
    let says_nothing = |text: &Option<String>| text.as_ref().is_some_and(String::is_empty);
    let Player { name, kind, author, version, file, sha256, payload, runtime, options, .. } = player;
    let (is_human, is_bot) = (*kind == PlayerKind::Human, *kind == PlayerKind::Bot);
    if name.is_empty() {
        Some("it has no name")
    } else if is_bot && !sha256.as_ref().is_some_and(is_hash) {
        Some("a bot has the SHA-256 of its file, 64 hexadecimal digits")
    } else if payload.as_ref().is_some_and(|payload| !is_hash(&payload.sha256) || payload.name.is_empty()) {
        Some("a payload has a name and the SHA-256 of its bytes, 64 hexadecimal digits")
    } else if is_human && (sha256.is_some() || file.is_some() || payload.is_some() || runtime.is_some()) {
        Some("a person has no file")
    } else if *kind == PlayerKind::Program && (sha256.is_some() || payload.is_some()) {
        Some("a program is a command, and no file of its own")
    } else if !is_bot && (author.is_some() || version.is_some() || !options.is_empty()) {
        Some("only a bot has an author, a version and options")
    } else if runtime.is_some() && payload.is_none() {
        Some("only a bot that is no plugin itself has a runtime")
    } else if format > 2 && (says_nothing(author) || says_nothing(version)) {
        Some("an author or a version that a bot does not name is null")
    } else {
        None
    }
}

fn time_problem(control: &schema::TimeControl) -> Option<String> {
    let schema::TimeControl { move_ns, base_ns, increment_ns } = *control;
    if base_ns.is_some() != increment_ns.is_some() || move_ns.is_some() && base_ns.is_some() {
        let problem = "a time control is a time for every move, or a base and an increment, or neither";
        return Some(problem.to_owned());
    }
    let times = [("move_ns", 1, move_ns), ("base_ns", 1, base_ns), ("increment_ns", 0, increment_ns)];
    times.into_iter().find_map(|(name, least, ns)| time(name, least, ns))
}
