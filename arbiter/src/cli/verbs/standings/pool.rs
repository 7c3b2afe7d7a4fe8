//! A common table of matches and tournaments of one game.

use super::sources::Tournament;
use crate::cli::Failure;
use crate::cli::plan::distinct;
use crate::cli::saved::{Aspect, differences};
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
    // Each once: as its report has it, and as it is shown.
    let mut players: Vec<(&Player, &Player)> = Vec::new();
    for player in tournaments.iter().flat_map(both) {
        if !players.iter().any(|(known, _)| is_same(known, player.0)) {
            players.push(player);
        }
    }
    let (count, game) = (plans.len(), sanitize(game));
    let title = format!("{count} matches and tournaments, {game}, {} players", players.len());
    // Bots of one name are mostly versions of one bot. Where no files are shown, numbers in the order of the reports tell them apart.
    let wanted = players.iter().map(|(_, shown)| (shown.name.clone(), shown.file.clone(), String::new()));
    let names = distinct(&wanted.collect::<Vec<_>>());
    let unlike = unlike(tournaments, &plans);
    let mut remarks: Vec<String> = unlike.iter().cloned().collect();
    for remark in plans.iter().flat_map(|plan| of_plan(plan)) {
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
    let half_points_without_play = vec![0; players.len()];
    let mut circumstances = Circumstances {
        title,
        names,
        remarks,
        half_points_without_play,
        is_paired_by_results: plans.iter().any(|plan| plan.schedule.kind.pairs_by_results()),
        ..Circumstances::default()
    };
    let mut tally = Tally::new(players.len(), seats as usize);
    let mut first_number = 0_u32;
    for tournament in tournaments {
        let known = |player: &Player| players.iter().position(|(known, _)| is_same(known, player));
        let numbers = tournament.players.iter();
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
        for (number, half_points) in numbers.iter().zip(course.half_points_without_play()) {
            circumstances.half_points_without_play[*number as usize] += half_points;
        }
        circumstances.games_asked = circumstances.games_asked.saturating_add(course.games_asked());
        first_number = first_number.saturating_add(last.div_ceil(seats) * seats);
    }
    let played = || tally.totals().iter().map(|totals| totals.games);
    if let (Some(least), Some(most)) = (played().min(), played().max())
        && least < most
    {
        let told = format!("They played from {least} to {most} games, and places go by points: compare %.");
        circumstances.remarks.push(told);
    }
    Ok((Standings::new(&tally, circumstances), unlike))
}

/// The players of a tournament, as its report has them and as they are shown.
fn both<'a>(tournament: &'a Tournament<'_>) -> impl Iterator<Item = (&'a Player, &'a Player)> {
    tournament.players.iter().zip(&tournament.plan.players)
}

fn is_same(a: &Player, b: &Player) -> bool {
    // A program is its command: it has no file of its own.
    let command = |player: &Player| player.file.clone().filter(|_| player.kind == PlayerKind::Program);
    (&a.name, &a.sha256, &a.payload, &a.options, command(a))
        == (&b.name, &b.sha256, &b.payload, &b.options, command(b))
}

/// What makes results of several plans hard to compare. Schedules, seeds and openings may differ.
fn unlike(tournaments: &[Tournament<'_>], plans: &[&Plan]) -> Option<String> {
    let times: Vec<String> = of_other_times(tournaments).iter().map(|name| sanitize(name)).collect();
    let mut found = Vec::new();
    if !times.is_empty() {
        found.push(format!("the time of {}", times.join(", ")));
    }
    let (first, rest) = plans.split_first()?;
    let differing = |plan: &&Plan| -> BTreeSet<Aspect> {
        differences(first, plan).into_iter().map(|difference| difference.aspect).collect()
    };
    let mut aspects: BTreeSet<Aspect> = BTreeSet::new();
    for mut differing in rest.iter().map(differing) {
        // Other options begin from another position by themselves.
        if differing.contains(&Aspect::Options) {
            differing.remove(&Aspect::Position);
        }
        aspects.append(&mut differing);
    }
    found.extend(aspects.into_iter().filter_map(hard_to_compare).map(str::to_owned));
    (!found.is_empty())
        .then(|| format!("The files differ in {}, and count together all the same.", found.join("; ")))
}

/// What an aspect is called in which results are hard to compare that differ in it.
fn hard_to_compare(aspect: Aspect) -> Option<&'static str> {
    Some(match aspect {
        Aspect::Options => "options of the game",
        Aspect::Rules => "the version of the rules",
        Aspect::Position => "the position that games start from",
        Aspect::Margin => "the overrun that is forgiven",
        Aspect::Process => "whether bots had processes of their own",
        Aspect::Clock => "what clocks go by",
        Aspect::Preparation => "the time to load and begin",
        Aspect::Limits => "what bots could use",
        Aspect::Errors => "the errors that lose a game",
        Aspect::Adjudication => "when games are adjudicated",
        Aspect::Game
        | Aspect::Schedule
        | Aspect::Seed
        | Aspect::Players
        | Aspect::Openings
        | Aspect::Conduct
        | Aspect::Order
        | Aspect::Names => return None,
    })
}

/// The names of players who did not always have the same time.
fn of_other_times<'a>(tournaments: &'a [Tournament<'_>]) -> BTreeSet<&'a str> {
    let mut first: Vec<&Player> = Vec::new();
    let mut other = BTreeSet::new();
    for (player, shown) in tournaments.iter().flat_map(both) {
        match first.iter().find(|known| is_same(known, player)) {
            Some(known) if known.time != player.time => _ = other.insert(shown.name.as_str()),
            Some(_) => {}
            None => first.push(player),
        }
    }
    other
}
