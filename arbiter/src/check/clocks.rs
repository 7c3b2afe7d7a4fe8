//! Time: little of it, nearly none, and the levels of the stop flag.
//!
//! A late bot is killed some seconds after its time here, and not at once, so that its lateness can be measured, by the
//! clock that matches use too. How a bot takes ENOUGH and STOP is judged by its soonest answer.

use super::Found;
use super::bench::{Bench, Sitting, Timing};
use super::finding::{Finding, Level};
use crate::player::{Budget, TimeControl};
use crate::referee::Policy;
use arbiter_rules::Seat;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);
/// How long a late answer is waited for.
const GRACE: Duration = Duration::from_secs(5);
/// Turns that are looked at before a bot is called late.
const TURNS: usize = 8;
/// Turns in which the stop level is looked at.
const STOPS: usize = 2;
/// How soon after STOP an answer has to come.
const RESPONSE_TIME: Duration = Duration::from_millis(250);

pub(super) fn tiny_clock(bench: &Bench<'_>) -> Found {
    let hard = 10 * MS;
    judge_lateness(bench, TimeControl::MoveTime(hard), hard, "10 ms for each move")
}

pub(super) fn clock_nearly_out(bench: &Bench<'_>) -> Found {
    let control = TimeControl::Clock { base: Duration::from_secs(60), increment: 10 * MS };
    judge_lateness(bench, control, 20 * MS, "a clock of 60 s + 10 ms with 20 ms left")
}

pub(super) fn stop_level(bench: &Bench<'_>) -> Found {
    let hard = Duration::from_secs(2);
    let budget = Budget { hard: Some(hard), soft: 300 * MS, margin: GRACE };
    let stop = budget.stop().expect("there is a limit");
    let times = timed(bench, Timing { control: TimeControl::MoveTime(hard), budget }, STOPS)?;
    let soonest = times.into_iter().min().unwrap_or_default();
    let asked =
        format!("a move within {}; ENOUGH came after {}, STOP after {}", s(hard), s(budget.soft), s(stop));
    let did = format!("answered after {} at the soonest", s(soonest));
    if soonest > stop + RESPONSE_TIME {
        let did = format!("{did}: it thought on after ARBITER_STOP");
        return Err(Finding::saying(Level::Fail, did).when(asked).by_the_step(bench.step));
    }
    if soonest > budget.soft + RESPONSE_TIME {
        let did = format!("{did}: it thinks on after ARBITER_ENOUGH, until STOP");
        let advice = "that is allowed; answer at ENOUGH where nothing is to be gained by more time";
        bench.note(Finding::saying(Level::Note, did).when(asked).advise(advice));
    }
    Ok(())
}

/// What the first answers of the bot took, in as many games as that takes, all in one process.
fn timed(bench: &Bench<'_>, timing: Timing, turns: usize) -> Result<Vec<Duration>, Finding> {
    let start = bench.usual();
    let mut bot = bench.bot();
    let mut times = Vec::new();
    let mut seat = Seat::FIRST;
    while times.len() < turns {
        let plies = (turns - times.len()) as u32 * start.seats() as u32;
        let sitting = Sitting { timing: Some(timing), ..bench.sitting(&start, seat, plies) };
        times.extend(bench.play(&mut bot, &sitting)?.into_iter().map(|answer| answer.took));
        seat = seat.opponent();
    }
    times.truncate(turns);
    Ok(times)
}

/// A late answer now and then is a warning. Most of them late is a failure.
fn judge_lateness(bench: &Bench<'_>, control: TimeControl, hard: Duration, words: &str) -> Found {
    let budget = Budget { hard: Some(hard), soft: hard * 2 / 5, margin: GRACE };
    let mut late = timed(bench, Timing { control, budget }, TURNS)?;
    late.retain(|&took| took > hard + Policy::MARGIN);
    let (Some(&soonest), Some(&worst)) = (late.iter().min(), late.iter().max()) else { return Ok(()) };
    let late = late.len();
    let (soonest, worst) = (s(soonest), s(worst));
    let times = if soonest == worst { soonest } else { format!("{soonest} to {worst}") };
    let did = format!("{late} of {TURNS} answers were late, after {times}");
    let of = |level| {
        Finding::saying(level, did).when(format!("{TURNS} moves with {words}")).by_the_step(bench.step)
    };
    if 2 * late > TURNS {
        return Err(of(Level::Fail));
    }
    bench.note(of(Level::Warning));
    Ok(())
}

/// A time in the unit that reads best.
fn s(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{:.0} ms", time.as_secs_f64() * 1e3)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}
