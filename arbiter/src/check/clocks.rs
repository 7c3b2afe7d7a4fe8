//! Time: little of it, nearly none, and the levels of the stop flag.
//!
//! A late bot is killed some seconds after its time here, and not at once, so that its lateness can be measured, by the
//! clock that matches use too. How a bot takes ENOUGH and STOP is judged by its soonest answer.

use super::Found;
use super::finding::{Finding, Level};
use super::scenes::start;
use super::table::{Answered, Bench, Sitting, Timing};
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
const PATIENCE: Duration = Duration::from_millis(250);

/// Ten milliseconds a move.
pub(super) fn tiny_clock(bench: &Bench<'_>) -> Found {
    let hard = 10 * MS;
    let budget = Budget { hard: Some(hard), soft: 4 * MS, margin: GRACE };
    let timing = Timing { control: TimeControl::MoveTime(hard), budget };
    let answers = timed(bench, timing, TURNS)?;
    judge_lateness(bench, &answers, hard, "10 ms for each move")
}

/// A long game whose clock has nearly run down.
pub(super) fn clock_nearly_out(bench: &Bench<'_>) -> Found {
    let hard = 20 * MS;
    let control = TimeControl::Clock { base: Duration::from_secs(60), increment: 10 * MS };
    let budget = Budget { hard: Some(hard), soft: 8 * MS, margin: GRACE };
    let answers = timed(bench, Timing { control, budget }, TURNS)?;
    judge_lateness(bench, &answers, hard, "a clock of 60 s + 10 ms with 20 ms left")
}

/// ENOUGH after 0.3 s, STOP after 1 s, and a whole second more until time is over.
pub(super) fn stop_level(bench: &Bench<'_>) -> Found {
    let hard = Duration::from_secs(2);
    let budget = Budget { hard: Some(hard), soft: 300 * MS, margin: GRACE };
    let stop = budget.stop().expect("there is a limit");
    let answers = timed(bench, Timing { control: TimeControl::MoveTime(hard), budget }, STOPS)?;
    let soonest = soonest(&answers);
    let asked =
        format!("a move within {}; ENOUGH came after {}, STOP after {}", s(hard), s(budget.soft), s(stop));
    let did = format!("answered after {} at the soonest", s(soonest));
    if soonest > stop + PATIENCE {
        let finding =
            Finding::saying(Level::Fail, format!("{did}: it thought on after ARBITER_STOP")).when(asked);
        return Err(by_the_step(bench, finding));
    }
    if soonest > budget.soft + PATIENCE {
        let note =
            Finding::saying(Level::Note, format!("{did}: it thinks on after ARBITER_ENOUGH, until STOP"));
        let advice = "that is allowed; answer at ENOUGH where nothing is to be gained by more time";
        return Ok(vec![note.when(asked).advise(advice)]);
    }
    Ok(Vec::new())
}

/// The first answers of the bot in as many games as that takes, all in one process.
fn timed(bench: &Bench<'_>, timing: Timing, turns: usize) -> Result<Vec<Answered>, Finding> {
    let start = start(bench.game, None, &[]);
    let mut bot = bench.bot();
    let mut answers = Vec::new();
    let mut seat = Seat::FIRST;
    while answers.len() < turns {
        let plies = (turns - answers.len()) as u32 * start.seats() as u32;
        let sitting = Sitting { timing: Some(timing), ..bench.sitting(start.clone(), seat, plies) };
        answers.extend(bench.play(&mut bot, &sitting)?);
        seat = seat.opponent();
    }
    answers.truncate(turns);
    Ok(answers)
}

/// A late answer now and then is a warning. Most of them late is a failure.
fn judge_lateness(bench: &Bench<'_>, answers: &[Answered], hard: Duration, control: &str) -> Found {
    let late: Vec<_> =
        answers.iter().map(|answer| answer.took).filter(|&took| took > hard + Policy::MARGIN).collect();
    let (Some(&soonest), Some(&worst)) = (late.iter().min(), late.iter().max()) else {
        return Ok(Vec::new());
    };
    let (late, all) = (late.len(), answers.len());
    let did = format!("{late} of {all} answers were late, after {} to {}", s(soonest), s(worst));
    let asked = format!("{all} moves with {control}");
    if 2 * late > all {
        Err(by_the_step(bench, Finding::saying(Level::Fail, did).when(asked)))
    } else {
        Ok(vec![by_the_step(bench, Finding::saying(Level::Warning, did).when(asked))])
    }
}

fn by_the_step(bench: &Bench<'_>, finding: Finding) -> Finding {
    finding.advise(bench.step.hint).by(bench.step.rule)
}

fn soonest(answers: &[Answered]) -> Duration {
    answers.iter().map(|answer| answer.took).min().unwrap_or_default()
}

/// A time in the unit that reads best.
fn s(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{:.0} ms", time.as_secs_f64() * 1e3)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}
