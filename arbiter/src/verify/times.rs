//! Whether the times of a game fit each other. How long an answer took is taken as it stands; but nothing is longer
//! than the game, and no process uses more than the cores that there are.

use super::{Finding, Problems, frame};
use crate::record::date;
use crate::record::schema::{AnswerTimes, GameRecord, MatchReport};
use std::time::Duration;

/// How much longer a process may seem to have run than it was there: a quota of processor time is dealt out in advance, for
/// a tenth of a second at a time, and what was saved up may be spent at once.
const DEALT: Duration = Duration::from_millis(300);

/// Everything that is impossible in the times of a game of a whole report.
pub(super) fn problems(game: &GameRecord) -> Vec<String> {
    let mut problems = Problems::default();
    problems.when(game.started.is_none(), "started: it is missing");
    problems.of("started: ", game.started.as_deref().and_then(frame::form_problem));
    problems.when(game.duration_ns.is_none(), "duration_ns: it is missing");
    let duration = game.duration_ns.unwrap_or(u64::MAX);
    let sum = answers(game).fold(0_u64, |sum, (_, times, _)| sum.saturating_add(times.wall_ns.unwrap_or(0)));
    problems.when(
        duration < sum,
        format_args!("duration_ns: the game took {duration}, but its answers took {sum}"),
    );
    for (fault, wall) in game.faults().filter_map(|(_, fault)| Some((fault, fault.wall_ns?))) {
        let kind = fault.kind.escape_debug();
        let problem = format!("wall_ns: the game took {duration}, but '{kind}' came after {wall}");
        problems.when(wall > duration, problem);
    }
    problems.0
}

/// Why an answer cannot have these times: for people, and for bots in arbiter's own process, nothing measures what they used
/// of a processor.
pub(super) fn unknown_use(times: AnswerTimes, pondered: Option<u64>) -> Option<String> {
    let used = times.cpu_ns.or(pondered)?;
    Some(format!(
        "{used} ns of a processor are said to have been used by a player without a process of its own"
    ))
}

/// The seats that used most of a processor for the time that they had.
#[derive(Default)]
pub(super) struct Busiest {
    /// In one answer, or in a game.
    in_game: Option<Claim>,
    /// Loading included, which may have begun before the game, but not before the match.
    in_all: Option<Claim>,
}

/// What a seat is said to have used of a processor in a time.
#[derive(Clone, Copy)]
struct Claim {
    game: u32,
    seat: u32,
    used: Duration,
    time: Duration,
}

impl Busiest {
    /// Adds a game of a report that begins so.
    pub(super) fn add(&mut self, game: &GameRecord, frame: &MatchReport) {
        let duration = Duration::from_nanos(game.duration_ns.unwrap_or(0));
        let began = frame.started.as_deref().and_then(date);
        let since = game.ended().zip(began).and_then(|(end, began)| (end - began).to_std().ok());
        let since = since.unwrap_or_default();
        let claim = |seat, used, time| Claim { game: game.number, seat, used, time };
        let mut of_seats = vec![Duration::ZERO; game.seats.len()];
        let mut in_game = self.in_game;
        for (seat, times, pondered) in answers(game) {
            let used = Duration::from_nanos(times.cpu_ns.unwrap_or(0));
            let wall = Duration::from_nanos(times.wall_ns.unwrap_or(0));
            in_game = busier(in_game, claim(seat, used, wall));
            if let Some(sum) = of_seats.get_mut(seat as usize) {
                *sum = sum.saturating_add(used).saturating_add(Duration::from_nanos(pondered.unwrap_or(0)));
            }
        }
        // A bot that was found gone has the times of its answer before once more, so that they do not add up.
        for (seat, fault) in game.faults() {
            let used = Duration::from_nanos(fault.cpu_ns.unwrap_or(0));
            in_game = busier(in_game, claim(seat, used, Duration::from_nanos(fault.wall_ns.unwrap_or(0))));
        }
        for ((seat, record), used) in (0..).zip(&game.seats).zip(of_seats) {
            in_game = busier(in_game, claim(seat, used, duration));
            let prepared = Duration::from_nanos(record.prepared_ns.unwrap_or(0));
            let in_all = claim(seat, used.saturating_add(prepared), since.max(duration));
            self.in_all = busier(self.in_all, in_all);
        }
        self.in_game = in_game;
    }

    /// What nobody can have used, once all machines are known. The first may have begun before the one that the report names.
    pub(super) fn problem(&self, report: &MatchReport) -> Option<Finding> {
        let machines = report.machine.iter().chain(report.parts.iter().map(|part| &part.machine));
        let cores = machines.map(|machine| machine.cores).max()?;
        let began = report.started.as_deref().and_then(date).zip(frame::beginning(report));
        let earlier =
            began.map_or(frame::slack(report), |(named, first)| named - first + frame::slack(report));
        let earlier = earlier.to_std().unwrap_or_default();
        let in_all = self.in_all.map(|claim| Claim { time: claim.time.saturating_add(earlier), ..claim });
        // The system counts whole cores only, whatever part of another one there is.
        let is_too_much = |claim: &Claim| claim.cores() > f64::from(cores) + 1.0;
        let Claim { game, seat, used, time } = self.in_game.into_iter().chain(in_all).find(is_too_much)?;
        let seat = u64::from(seat) + 1;
        let problem = format!("seat {seat} cannot have used {used:?} of {cores} cores in {time:?}");
        Some(Finding { game: Some(game), problem })
    }
}

impl Claim {
    /// How many cores it must have kept busy.
    fn cores(&self) -> f64 {
        self.used.as_secs_f64() / self.time.saturating_add(DEALT).as_secs_f64()
    }
}

fn busier(one: Option<Claim>, other: Claim) -> Option<Claim> {
    one.filter(|one| one.cores() >= other.cores()).or(Some(other))
}

/// Every answer that was played or refused, with its seat and what was used before it was asked for.
fn answers(game: &GameRecord) -> impl Iterator<Item = (u32, AnswerTimes, Option<u64>)> {
    let plies = game.turns().map(|(seat, ply)| (seat, ply.times(), ply.pondered_ns));
    let errors = game.errors.iter().map(|error| (error.seat, error.times(), None));
    let left_out = game.errors_left_out.iter().map(|turn| (turn.seat, turn.times(), None));
    plies.chain(errors).chain(left_out)
}
