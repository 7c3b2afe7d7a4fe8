//! Whether a plan can have been asked for: the game as its rules write it, and players, times and limits as arbiter
//! takes them.

use super::Problems;
use super::disagreements::disagreements;
use crate::player::LONGEST_TIME;
use crate::record::KEPT_ERRORS;
use crate::record::schema::{
    self, AgreementPlan, BotLimits, ClockKind, OpeningKind, Plan, Player, PlayerKind, ScheduleKind,
    ScheduleRecord,
};
use crate::tournament::{Book, Openings};
use crate::verdict::{MEMORY_MIB, MOST_THREADS};
use arbiter_rules::Position;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that is wrong with a plan in a file of this format.
pub(super) fn problems(plan: &Plan, format: u32, start: &Position) -> Vec<String> {
    let mut problems = Problems::default();
    game_problems(plan, start, &mut problems);
    problems.of("plan.openings: ", opening_problem(&plan.openings));
    schedule_problems(plan, format, start, &mut problems);
    limit_problems(plan, format, &mut problems);
    player_problems(&plan.players, format, &mut problems);
    problems.0
}

/// Options that came after the first reports. A file from before says nothing of them: they had their defaults.
const LATER_OPTIONS: &[&str] = &["earthquake_rate"];

fn game_problems(plan: &Plan, start: &Position, problems: &mut Problems) {
    let Plan { game, rules_version, position, .. } = plan;
    let (id, version) = (start.info().id, start.info().version);
    problems.when(
        *rules_version != version,
        format_args!(
            "plan.rules_version: the file has version {rules_version} of the rules of {game}, this arbiter has version {version}"
        ),
    );
    let is_said = |name: &str| plan.options.contains_key(name) || !LATER_OPTIONS.contains(&name);
    let options = start.options().iter().filter(|&(name, _)| is_said(name));
    let options: BTreeMap<_, _> = options.map(|(name, value)| (name.to_owned(), value.into())).collect();
    problems.of("plan.options.", disagreements(&plan.options, &options));
    problems.when(game != id, format_args!("plan.game: the file says {game}, the game's id is {id}"));
    let written = start.text();
    let is_other = *position != written;
    problems.when(is_other, format_args!("plan.position: the file says {position}, it is written {written}"));
    problems.when(start.end().is_some(), "plan.position: the game is over there");
}

fn opening_problem(openings: &schema::Openings) -> Option<String> {
    let (kind, plies, lines) = (openings.kind, openings.plies, openings.lines.len());
    if (kind == OpeningKind::Random) != (plies > 0) {
        Some(format!("{kind:?} openings of {plies} plies"))
    } else if (kind == OpeningKind::List) == (lines == 0) {
        Some(format!("{kind:?} openings with {lines} lines"))
    } else {
        (plies > Openings::LONGEST).then(|| format!("openings have at most {} plies", Openings::LONGEST))
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

fn schedule_problems(plan: &Plan, format: u32, start: &Position, problems: &mut Problems) {
    let (players, seats) = (plan.players.len(), start.seats());
    let is_match = plan.schedule.kind == ScheduleKind::Match;
    let is_full = players == seats;
    problems.when(is_match && !is_full, format_args!("plan.players: {players} players for {seats} seats"));
    let has_people = plan.players.iter().any(|player| player.kind == PlayerKind::Human);
    problems.when(!is_match && has_people, "plan.players: people take part in matches, and in no tournament");
    let withdraws = plan.withdraw_after > 0;
    problems.when(is_match && withdraws, "plan.withdraw_after: nobody is withdrawn from a match");
    let knows_matches_only = plan.schedule == ScheduleRecord::default() && plan.openings.lines.is_empty();
    let is_later = format == 1 && !knows_matches_only;
    problems.when(is_later, "format_version: format 1 has no schedules and no lists of openings");
}

fn limit_problems(plan: &Plan, format: u32, problems: &mut Problems) {
    problems.when(plan.max_plies == 0, "plan.max_plies: no game can have 0 plies");
    for (name, wanted) in [("resign_score", plan.resign_score), ("draw_score", plan.draw_score)] {
        let is_odd = |of: AgreementPlan| plan.seats != 2 || of.plies < 2 || i32::try_from(of.score).is_err();
        problems
            .when(wanted.is_some_and(is_odd), format_args!("plan.{name}: two bots agree in 2 plies or more"));
    }
    let is_too_much = format > 2 && plan.max_errors > KEPT_ERRORS;
    problems.when(is_too_much, format_args!("plan.max_errors: at most {KEPT_ERRORS} can be asked for"));
    let has_bots = plan.players.iter().any(|player| player.kind == PlayerKind::Bot);
    problems.when(
        plan.clock == Some(ClockKind::Processor) && (plan.in_process || !has_bots),
        "plan.clock: only bots in processes of their own have processor time",
    );
    if plan.clock == Some(ClockKind::Instructions) {
        problems.of("plan.clock: ", fuel_problem(plan));
    }
    let prepare = plan.prepare_time_ns;
    problems.when(
        prepare.is_some() && plan.in_process,
        "plan.prepare_time_ns: bots in arbiter's own process have no limit for that",
    );
    let BotLimits { threads, memory, .. } = plan.limits;
    problems.when(
        threads.is_some_and(|threads| !(2..=u32::from(MOST_THREADS)).contains(&threads)),
        format_args!("plan.limits.threads: 2 to {MOST_THREADS} can be asked for"),
    );
    problems.when(
        memory.is_some_and(|memory| memory % (1 << 20) != 0 || !MEMORY_MIB.contains(&(memory >> 20))),
        "plan.limits.memory: no such number of bytes can be asked for",
    );
    problems.of("plan.", time("margin_ns", 0, Some(plan.margin_ns)));
    problems.of("plan.", time("prepare_time_ns", 1, prepare));
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

fn player_problems(players: &[Player], format: u32, problems: &mut Problems) {
    let (mut names, mut files) = (BTreeSet::new(), BTreeMap::new());
    for (index, player) in players.iter().enumerate() {
        let is_taken = !names.insert(&player.name);
        let said = (&player.sha256, &player.payload, &player.author, &player.version);
        let is_other = player.file.as_ref().is_some_and(|file| *files.entry(file).or_insert(said) != said);
        let name = format!("plan.players[{index}]: ");
        problems.of(&name, is_taken.then_some("two players have this name"));
        // Every file is looked at once, whatever number of players it makes.
        let is_other = is_other && format > 2;
        problems.of(&name, is_other.then_some("another player has the same file and is another bot"));
        problems.of(&name, player_problem(player, format));
        problems.of(&name, time_problem(&player.time));
    }
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
