//! Sentences about what tables do not say.

use super::layout::{count, percent, points, range, signed};
use super::standings::{ENOUGH_UNITS, Standings};
use super::standings_table::MOST_SIDE_BY_SIDE;
use super::summary::{Detail, player_name};
use crate::record::MOST_COMPARED;
use crate::record::schema::{
    BotLimits, ChosenBy, ClockKind, GameRecord, MatchReport, Plan, Player, PlayerKind, SprtDecision,
    SprtModel, SprtPlan, SprtRecord, Totals,
};
use crate::sanitize::sanitize;
use arbiter_rules::draw::Charset;
use std::collections::BTreeMap;

/// How much longer answers take than clocks are charged before that is a warning: half as much again, at which bots have
/// noticeably less of caches and shared cores than alone.
const TOO_BUSY: f64 = 1.5;
/// Shorter waits are not worth telling: bots that answer at once wait for longer than they think on any machine.
const WORTH_TELLING_NS: u64 = 1_000_000_000;

/// By simulation: `statistics/README.md`.
const OF_STOPPING: &str = "It stopped when results leaned that way, so the difference leans that way too, as a rule, and its range \
                           holds the true one in about 90 of 100 cases.";

pub(crate) fn of_standings(standings: &Standings, charset: Charset) -> Vec<String> {
    let circumstances = &standings.circumstances;
    let mut remarks = Vec::new();
    remarks.extend(two_players(standings, charset));
    if let Some((asked, stands)) = &circumstances.sprt {
        remarks.push(test_sentence(asked, stands, &standings.name(0), &standings.name(1)));
        if stands.decision != SprtDecision::Continue {
            remarks.push(OF_STOPPING.to_owned());
        }
    }
    let withdrawn = circumstances.withdrawn_after.iter().enumerate();
    remarks.extend(withdrawn.filter_map(|(player, after)| {
        after.map(|game| format!("{} was withdrawn after game {game}.", standings.name(player)))
    }));
    if standings.lines.len() > MOST_SIDE_BY_SIDE {
        remarks.push(format!("Who did how against whom is shown for up to {MOST_SIDE_BY_SIDE} players."));
    }
    remarks.extend(without_play(standings));
    remarks.extend(former(circumstances.former.iter().filter(|has_left| **has_left).count()));
    if standings.lines.iter().any(|line| standings.group(line.player) > Some(0)) {
        remarks.push(
            "Some players never met, not even over others: their ratings cannot be compared.".to_owned(),
        );
    }
    remarks.extend(repetition(circumstances.repeated, standings.tally.games(), circumstances.games_asked));
    remarks.extend(clocks(circumstances.clock, standings.tally.totals(), Detail::Result));
    remarks.extend(circumstances.remarks.iter().cloned());
    remarks
}

pub(super) fn without_play(standings: &Standings) -> Option<String> {
    let lines = standings.lines.iter().map(|line| (line, standings.points_without_play(line.player)));
    let lines = lines.filter(|(_, without_play)| *without_play > 0.0);
    let players: Vec<String> = lines
        .map(|(line, without_play)| format!("{} {}", standings.name(line.player), points(without_play)))
        .collect();
    (!players.is_empty()).then(|| {
        format!("Points for byes and walkovers, which the column % leaves out: {}.", players.join(", "))
    })
}

/// Who is listed last in a league.
fn former(players: usize) -> Option<String> {
    match players {
        0 => None,
        1 => Some("The last player of the list is a version that has been replaced or has gone: it is an opponent only.".to_owned()),
        some => Some(format!(
            "The last {some} players of the list are versions that have been replaced or have gone: they are opponents only."
        )),
    }
}

/// How points are counted where there are more than two seats.
pub(crate) fn of_rank_points(seats: usize) -> Option<String> {
    let most = seats.saturating_sub(1);
    (seats > 2).then(|| {
        format!(
            "Points: {most} for the first place of a game, one less for each place after it, none for the last; those who \
             share places share their points. Games won count only where nobody shares the first place."
        )
    })
}

pub(super) fn of_report(report: &MatchReport, habits: &Habits, detail: Detail) -> Vec<String> {
    let mut remarks: Vec<String> = of_rank_points(report.plan.seats as usize).into_iter().collect();
    if report.games_ended < report.games_asked {
        remarks.push(format!("{} of {} ended.", report.games_ended, count(report.games_asked, "game")));
    }
    if let (Some(asked), Some(stands)) = (&report.plan.sprt, &report.sprt) {
        remarks.push(test_sentence(asked, stands, &player_name(report, 0), &player_name(report, 1)));
    }
    for withdrawal in &report.withdrawals {
        let player = player_name(report, withdrawal.player as usize);
        remarks.push(format!("{player} was withdrawn after game {}.", withdrawal.after_game));
    }
    for (player, &(ran, moves)) in habits.ran.iter().enumerate().filter(|(_, (ran, _))| *ran > 0) {
        let player = player_name(report, player);
        let moves = count(moves, "move");
        let then = match report.plan.clock {
            Some(ClockKind::Processor) => ", and paid for it.",
            Some(ClockKind::Wall | ClockKind::Instructions) | None => "; --stop-between-turns prevents it.",
        };
        // It may have been a runtime's housekeeping, or an interrupt that the kernel charged to it.
        remarks.push(format!("{player} ran between its turns before {ran} of {moves}{then}"));
    }
    for (player, &times) in habits.taken_back.iter().enumerate().filter(|(_, times)| **times > 0) {
        remarks.push(format!("{} took moves back, {}.", player_name(report, player), count(times, "time")));
    }
    for (player, &games) in habits.excused.iter().enumerate().filter(|(_, games)| **games > 0) {
        let was = if games == 1 { "was" } else { "were" };
        let (player, games) = (player_name(report, player), count(games, "game"));
        remarks.push(format!("{games} of {player} {was} begun anew: the machine had failed it."));
    }
    let players = report.plan.players.iter().zip(&report.totals);
    let bots = players.filter(|(player, _)| player.kind == PlayerKind::Bot).map(|(_, totals)| totals);
    remarks.extend(clocks(report.plan.clock, bots, detail));
    remarks.extend(counted(&report.plan));
    remarks.extend(limits(&report.plan));
    remarks.extend(same_files(&report.plan));
    let programs = report.plan.players.iter().filter(|player| player.kind == PlayerKind::Program);
    remarks.extend(programs.map(|player| {
        format!(
            "{} is not contained: it may do what the user may do, and its clock is the one on the wall.",
            sanitize(&player.name)
        )
    }));
    remarks.extend(repetition(report.repeated(), report.games_ended, report.games_asked));
    remarks
}

/// What bots could use, where somebody asked for something else than the usual.
pub(crate) fn limits(plan: &Plan) -> Option<String> {
    let BotLimits { threads, memory, wide_sandbox, stopped_between_turns } = plan.limits;
    let had = [
        threads.map(|threads| format!("{threads} cores to keep busy")),
        memory.map(|memory| format!("{} MiB of memory", memory >> 20)),
        wide_sandbox.then(|| "the wide sandbox".to_owned()),
        stopped_between_turns.then(|| "no processor outside its turns".to_owned()),
    ];
    let had: Vec<String> = had.into_iter().flatten().collect();
    (!had.is_empty()).then(|| format!("Every bot had {}.", had.join(", ")))
}

/// Who ran between its turns, before how many of how many moves; how often who took moves back; whose games the machine broke off.
pub(super) struct Habits {
    ran: Vec<(u32, u32)>,
    taken_back: Vec<u32>,
    excused: Vec<u32>,
}

impl Habits {
    pub(super) fn new(report: &MatchReport) -> Habits {
        let nobody = vec![0; report.plan.players.len()];
        let ran = vec![(0, 0); nobody.len()];
        Habits { ran, taken_back: nobody.clone(), excused: nobody }
    }

    pub(super) fn add(&mut self, games: &[GameRecord]) {
        for game in games {
            for (seat, ply) in game.turns().filter(|(_, ply)| ply.by == ChosenBy::Player) {
                let seat = game.seats.get(seat as usize);
                if let Some((ran, moves)) = seat.and_then(|seat| self.ran.get_mut(seat.player as usize)) {
                    *ran += u32::from(ply.pondered_ns.is_some());
                    *moves += 1;
                }
            }
            for back in &game.taken_back {
                let seat = game.seats.get(back.seat as usize);
                let times = seat.and_then(|seat| self.taken_back.get_mut(seat.player as usize));
                times.into_iter().for_each(|times| *times += 1);
            }
            for seat in game.seats.iter().filter(|seat| seat.excused.is_some()) {
                self.excused.get_mut(seat.player as usize).into_iter().for_each(|games| *games += 1);
            }
        }
    }
}

/// How much longer answers took than clocks were charged, where these are two things: a busy machine costs nobody a game,
/// but it costs strength. Without details it is told only where it is too much.
fn clocks<'a>(
    clock: Option<ClockKind>,
    bots: impl IntoIterator<Item = &'a Totals>,
    detail: Detail,
) -> Option<String> {
    let (mut wall, mut charged) = (0_u64, 0_u64);
    for (took, cost) in bots.into_iter().filter_map(|bot| bot.wall_ns.zip(bot.charged_ns)) {
        (wall, charged) = (wall.saturating_add(took), charged.saturating_add(cost));
    }
    let waited = wall as f64 / charged as f64;
    let is_too_busy = waited >= TOO_BUSY && wall.saturating_sub(charged) >= WORTH_TELLING_NS;
    if clock != Some(ClockKind::Processor) || charged == 0 || !(is_too_busy || detail == Detail::Full) {
        return None;
    }
    let said = format!("Clocks: processor time; bots waited {waited:.2} times as long as they were charged.");
    let warning = " The machine was too busy to show their full strength: fewer --jobs, or no other work.";
    Some(said + if is_too_busy { warning } else { "" })
}

/// What counted the instructions, where no time was measured: another one counts otherwise.
fn counted(plan: &Plan) -> Option<String> {
    let mut engines: Vec<_> = plan.players.iter().filter_map(|player| player.runtime.as_deref()).collect();
    engines.sort_unstable();
    engines.dedup();
    (plan.clock == Some(ClockKind::Instructions)).then(|| {
        format!(
            "Clocks: instructions of {}, the same on every machine; 1 ms stands for a million.",
            sanitize(&engines.join(", "))
        )
    })
}

/// ` for 3`, behind the name of a game that more than two play: the same bots may also meet in fours.
pub(crate) fn for_seats(plan: &Plan) -> String {
    if plan.seats > 2 { format!(" for {}", plan.seats) } else { String::new() }
}

/// Bots that are one file, with the same options, found in several places: somebody may have handed in what another one wrote.
pub(crate) fn same_files(plan: &Plan) -> Vec<String> {
    let mut alike: BTreeMap<_, Vec<&Player>> = BTreeMap::new();
    for player in plan.players.iter().filter(|player| player.file.is_some()) {
        let Some(library) = &player.sha256 else { continue };
        let payload = player.payload.as_ref().map(|payload| &payload.sha256);
        alike.entry((library, payload, &player.options)).or_default().push(player);
    }
    let several = alike.into_values().filter(|players| players.iter().any(|one| one.file != players[0].file));
    let mut sentences: Vec<String> = several
        .map(|players| {
            let names: Vec<_> = players.iter().map(|player| sanitize(&player.name)).collect();
            let (last, others) = names.split_last().expect("there are several");
            format!("{} and {last} are the same file.", others.join(", "))
        })
        .collect();
    sentences.sort();
    sentences
}

/// Games that repeat others. Of a long match only the first games are compared.
fn repetition(repeated: u32, games: u32, asked: u32) -> Option<String> {
    let verb = if repeated == 1 { "repeats" } else { "repeat" };
    let games =
        if asked > MOST_COMPARED { format!("the first {MOST_COMPARED} games") } else { count(games, "game") };
    (repeated > 0).then(|| {
        format!("{repeated} of {games} {verb} an earlier one move by move, and nothing new is learnt.")
    })
}

/// The difference of two players, the better one first, and who is stronger. It is open to one side where one won everything.
fn two_players(standings: &Standings, charset: Charset) -> Option<String> {
    let pairs = standings.tally.pairs().filter(|pairs| pairs.units() > 0)?;
    let (better, other) = if standings.tally.percent(0) < 50.0 { (1, 0) } else { (0, 1) };
    let interval = standings.difference(better, other)?;
    let difference = match standings.tally.percent(better) {
        100.0 => format!("at least {} Elo at 95%", signed(interval.low)),
        _ => {
            let elo = standings.elo(better)? - standings.elo(other)?;
            format!("{} Elo, {} at 95%,", signed(elo), range(interval))
        }
    };
    let (better_name, other_name) = (standings.name(better), standings.name(other));
    let dash = if charset == Charset::Unicode { " – " } else { " - " };
    let units = count(u32::try_from(pairs.units()).unwrap_or(u32::MAX), "pair");
    let surely = match standings.superiority(better, other) {
        Some(chance) => format!("{better_name} is stronger with {}%", percent(chance)),
        None => format!("fewer than {ENOUGH_UNITS} pairs do not say which is stronger"),
    };
    Some(format!("{better_name}{dash}{other_name}: {difference} by {units} of games; {surely}."))
}

/// How a sequential test of two players stands. Accepting a hypothesis refuses the other one, and says no more: H1 of a test for
/// regressions is accepted of equals, too.
fn test_sentence(asked: &SprtPlan, stands: &SprtRecord, first: &str, second: &str) -> String {
    let SprtRecord { llr, lower, upper, units, .. } = stands;
    let state = format!("after {}: LLR {llr:.2} in [{lower:.2}, {upper:.2}]", count(*units, "pair"));
    let elo = match asked.model {
        SprtModel::Logistic => "Elo",
        SprtModel::Normalized => "normalised Elo",
    };
    let (decision, words) = match stands.decision {
        SprtDecision::Continue => return format!("The test has not decided {state}."),
        SprtDecision::H0 if asked.elo1 > 0.0 => {
            ("H0", format!("not stronger than {second} by as much as was asked"))
        }
        SprtDecision::H0 => ("H0", format!("weaker than {second}")),
        SprtDecision::H1 if asked.elo0 < 0.0 => {
            ("H1", format!("not weaker than {second} by {} {elo}", -asked.elo0))
        }
        SprtDecision::H1 => ("H1", format!("stronger than {second}")),
    };
    format!("The test accepts {decision} {state}: {first} is {words}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two copies of one bot pass a test for regressions, and none of them is the stronger one.
    #[test]
    fn a_test_says_no_more_than_the_hypothesis_that_it_refuses() {
        let said = |elo0, elo1, decision| {
            let asked = SprtPlan { model: SprtModel::Logistic, elo0, elo1, alpha: 0.05, beta: 0.05 };
            let stands =
                SprtRecord { decision, llr: 3.0, lower: -2.9, upper: 2.9, units: 9, counts: Vec::new() };
            let sentence = test_sentence(&asked, &stands, "New", "Old");
            sentence.rsplit_once(": ").map(|(_, said)| said.to_owned()).unwrap_or_default()
        };
        assert_eq!(said(0.0, 20.0, SprtDecision::H1), "New is stronger than Old.");
        assert_eq!(said(-2.5, 0.0, SprtDecision::H1), "New is not weaker than Old by 2.5 Elo.");
        assert_eq!(
            said(0.0, 20.0, SprtDecision::H0),
            "New is not stronger than Old by as much as was asked."
        );
        assert_eq!(said(-2.5, 0.0, SprtDecision::H0), "New is weaker than Old.");
    }
}
