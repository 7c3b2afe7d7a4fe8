//! A common table of matches and tournaments of one game.

use super::sources::Tournament;
use crate::cli::Failure;
use crate::cli::show::circumstances::of_plan;
use crate::record::schema::{Plan, Player, PlayerKind};
use crate::report::{Circumstances, Standings, Tally};
use crate::sanitize::sanitize;
use std::collections::BTreeSet;

/// The standings of matches and tournaments whose results count together, and what was not alike, as a sentence.
pub(super) fn pool(tournaments: &[Tournament<'_>]) -> Result<(Standings, Option<String>), Failure> {
    let plans: Vec<&Plan> = tournaments.iter().map(|tournament| &tournament.plan).collect();
    let games: BTreeSet<(&str, u32)> = plans.iter().map(|plan| (plan.game.as_str(), plan.seats)).collect();
    let Some(&(game, seats)) = games.iter().next().filter(|_| games.len() == 1) else {
        let games: Vec<String> = games.iter().map(|(game, seats)| format!("{game} for {seats}")).collect();
        let message = format!("these are results of several games: {}", games.join(", "));
        return Err(Failure::usage(message).hint("the files of one game"));
    };
    let mut players: Vec<Player> = Vec::new();
    for player in plans.iter().flat_map(|plan| &plan.players) {
        if !players.iter().any(|known| is_same(known, player)) {
            players.push(player.clone());
        }
    }
    let (count, game) = (plans.len(), sanitize(game));
    let title = format!("{count} matches and tournaments, {game}, {} players", players.len());
    let names = players.iter().map(|player| player.name.clone()).collect();
    let unlike = unlike(&plans);
    let mut remarks: Vec<String> = unlike.iter().cloned().collect();
    for remark in plans.iter().flat_map(|plan| of_plan(plan)) {
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
    let mut circumstances = Circumstances { title, names, remarks, ..Circumstances::default() };
    let mut tally = Tally::new(players.len(), seats as usize);
    let mut first_number = 0_u32;
    for tournament in tournaments {
        let known = |player: &Player| players.iter().position(|known| is_same(known, player));
        let numbers = tournament.plan.players.iter();
        let numbers: Vec<u32> =
            numbers.map(|player| known(player).expect("everybody is in the list") as u32).collect();
        let mut last = 0_u32;
        let course = tournament.visit(|mut game| {
            for seat in &mut game.seats {
                // Somebody who is not in the plan is passed over by the tally.
                seat.player = numbers.get(seat.player as usize).copied().unwrap_or(u32::MAX);
            }
            last = last.max(game.number);
            game.number = game.number.saturating_add(first_number);
            tally.add(&game);
        })?;
        circumstances.games_asked = circumstances.games_asked.saturating_add(course.games_asked());
        first_number = first_number.saturating_add(last.div_ceil(seats) * seats);
    }
    Ok((Standings::new(&tally, circumstances), unlike))
}

fn is_same(a: &Player, b: &Player) -> bool {
    // A program is its command: it has no file of its own.
    let command = |player: &Player| player.file.clone().filter(|_| player.kind == PlayerKind::Program);
    (&a.name, &a.sha256, &a.payload, &a.options, command(a))
        == (&b.name, &b.sha256, &b.payload, &b.options, command(b))
}

/// What makes results of several plans hard to compare. Schedules, seeds and openings may differ.
fn unlike(plans: &[&Plan]) -> Option<String> {
    let times: Vec<String> = of_other_times(plans).iter().map(|name| sanitize(name)).collect();
    let mut found = Vec::new();
    if !times.is_empty() {
        found.push(format!("the time of {}", times.join(", ")));
    }
    type Same = fn(&Plan, &Plan) -> bool;
    let aspects: [(&str, Same); 10] = [
        ("the version of the rules", |a, b| a.rules_version == b.rules_version),
        ("options of the game", |a, b| a.options == b.options),
        ("the position that games start from", |a, b| a.options != b.options || a.position == b.position),
        ("the overrun that is forgiven", |a, b| a.margin_ns == b.margin_ns),
        ("what clocks go by", |a, b| a.clock == b.clock),
        ("the time to load and begin", |a, b| a.prepare_time_ns == b.prepare_time_ns),
        ("what bots could use", |a, b| a.limits == b.limits),
        ("the errors that lose a game", |a, b| a.max_errors == b.max_errors),
        ("when games are adjudicated", |a, b| {
            (a.max_plies, a.at_max_plies, a.max_repetitions, a.resign_score, a.draw_score)
                == (b.max_plies, b.at_max_plies, b.max_repetitions, b.resign_score, b.draw_score)
        }),
        ("whether bots had processes of their own", |a, b| a.in_process == b.in_process),
    ];
    let (first, rest) = plans.split_first()?;
    let differs = |same: Same| rest.iter().any(|plan| !same(first, plan));
    found.extend(aspects.iter().filter(|(_, same)| differs(*same)).map(|(aspect, _)| (*aspect).to_owned()));
    (!found.is_empty())
        .then(|| format!("The files differ in {}, and count together all the same.", found.join("; ")))
}

/// The names of players who did not always have the same time.
fn of_other_times<'a>(plans: &[&'a Plan]) -> BTreeSet<&'a str> {
    let mut first: Vec<&Player> = Vec::new();
    let mut other = BTreeSet::new();
    for player in plans.iter().flat_map(|plan| &plan.players) {
        match first.iter().find(|known| is_same(known, player)) {
            Some(known) if known.time != player.time => _ = other.insert(player.name.as_str()),
            Some(_) => {}
            None => first.push(player),
        }
    }
    other
}
