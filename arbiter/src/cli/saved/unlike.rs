//! What two plans differ in, so that games of one cannot be resumed by the other, or merged with its games.

use crate::cli::options::time;
use crate::record::known_of;
use crate::record::schema::{ClockKind, Plan, Player, TimeControl};
use std::time::Duration;

/// Rules or results may have changed since.
pub(super) const OTHER_VERSION: &str = "another version of arbiter or its rules";

/// What the first plan has that the second has not, the most telling first; nothing where both play the same.
pub(crate) fn unlike(found: &Plan, wanted: &Plan) -> Option<String> {
    let (a, b) = (&known_of(found), &known_of(wanted));
    let what = if (&a.game, &a.options, a.seats) != (&b.game, &b.options, b.seats) {
        "another game or other options"
    } else if a.rules_version != b.rules_version {
        OTHER_VERSION
    } else if a.schedule != b.schedule {
        "another number of games, or another schedule"
    } else if a.seed != b.seed {
        "another seed"
    } else if a.players != b.players {
        return Some(other_players(found, wanted));
    } else if a.position != b.position {
        "another position"
    } else if a.openings != b.openings {
        "other openings"
    } else if a != b {
        return Some(other_limits(a, b));
    } else {
        return None;
    };
    Some(what.to_owned())
}

/// What is different about the players. They are compared in any order, as a lot goes by what they are.
fn other_players(found: &Plan, wanted: &Plan) -> String {
    let lacks = |plan: &Plan, player: &Player| !plan.players.iter().any(|other| is_same(other, player));
    if let Some(player) = found.players.iter().find(|player| lacks(wanted, player)) {
        let is_there = player.file.is_some() && wanted.players.iter().any(|other| other.file == player.file);
        let how = if is_there { "has changed" } else { "is not among these" };
        return format!("other players: {} {how}", named(player));
    }
    if let Some(player) = wanted.players.iter().find(|player| lacks(found, player)) {
        return format!("other players: {} is not among those", named(player));
    }
    // Who is the same, called in another way.
    let pairs = || {
        let others = |player| wanted.players.iter().filter(move |other| is_same(player, other));
        found.players.iter().filter_map(move |player| {
            let is_there =
                others(player).any(|other| (&other.options, other.time) == (&player.options, player.time));
            others(player).next().filter(|_| !is_there).map(|other| (player, other))
        })
    };
    if let Some((player, other)) = pairs().find(|(player, other)| player.options != other.options) {
        return format!("other options for {}: {}, not {}", named(player), options(player), options(other));
    }
    if let Some((player, other)) = pairs().next() {
        let is_usual = [found, wanted]
            .iter()
            .all(|plan| plan.players.iter().all(|player| player.time == plan.players[0].time));
        let whose = if is_usual { String::new() } else { format!(" for {}", named(player)) };
        let ((option, time), (other_option, other_time)) =
            (typed(found, player.time), typed(wanted, other.time));
        let other_option = if option == other_option { "" } else { other_option };
        return format!("{option}{time}, not {other_option}{other_time}{whose}");
    }
    "other players, bot options or times, or the same in another order".to_owned()
}

/// Whether two players are the same, however they are called.
fn is_same(one: &Player, other: &Player) -> bool {
    let of = |player: &Player| {
        (player.kind, player.sha256.clone(), player.payload.clone(), player.runtime.clone())
    };
    // A program is its command, which is its file too, and a person a name.
    of(one) == of(other) && (one.sha256.is_some() || (&one.file, &one.name) == (&other.file, &other.name))
}

fn named(player: &Player) -> &str {
    player.file.as_deref().unwrap_or(&player.name)
}

fn options(player: &Player) -> String {
    let options: Vec<_> = player.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    if options.is_empty() { "none".to_owned() } else { options.join(" ") }
}

/// A time as it is typed: the option, and its value.
fn typed(plan: &Plan, time: TimeControl) -> (&'static str, String) {
    match (time.move_ns, time.base_ns) {
        (Some(limit), _) if plan.clock == Some(ClockKind::Instructions) => ("--fuel ", limit.to_string()),
        (Some(limit), _) => ("--move-time ", seconds(limit)),
        (None, Some(base)) => {
            ("--clock ", format!("{}+{}", seconds(base), seconds(time.increment_ns.unwrap_or(0))))
        }
        (None, None) => ("--no-clock", String::new()),
    }
}

fn seconds(ns: u64) -> String {
    time::seconds(Duration::from_nanos(ns))
}

/// A number in a plan.
type Number = fn(&Plan) -> u32;

/// What is different about the limits, with both values where it is a number.
fn other_limits(found: &Plan, wanted: &Plan) -> String {
    let numbers: [(&str, Number); 4] = [
        ("--max-errors", |plan| plan.max_errors),
        ("--max-plies", |plan| plan.max_plies),
        ("--max-repetitions", |plan| plan.max_repetitions),
        ("--withdraw-after", |plan| plan.withdraw_after),
    ];
    let other = numbers.iter().find(|(_, of)| of(found) != of(wanted));
    other.map_or_else(
        || "other limits".to_owned(),
        |(option, of)| format!("{option} {}, not {}", of(found), of(wanted)),
    )
}
