//! What a bot does beside playing: printing, thinking out of turn, using memory.

use super::Found;
use super::bench::{Bench, Sitting};
use super::finding::{Finding, Level};
use crate::host::machine;
use arbiter_rules::Seat;
use std::time::Duration;

/// How long an opponent takes, so that a bot has time to think out of turn.
const OPPONENT_THINKS: Duration = Duration::from_millis(20);
/// What a bot may use between two turns: 0.5 ms and 1 % of the opponent's 20 ms.
const ALLOWED_PER_TURN: Duration = Duration::from_micros(700);
/// How much of what was printed is shown.
const SHOWN: usize = 120;

pub(super) fn between_turns(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    let mut bot = bench.bot();
    let sitting = Sitting { opponents_think: OPPONENT_THINKS, ..bench.sitting(&start, Seat::FIRST, 12) };
    let turns = bench.play(&mut bot, &sitting)?.len() as u32;
    let used = bot.used_between_turns();
    bench.finish(bot)?;
    let Some(used) = used else { return not_counted(bench, "the processor time of other programs") };
    if used > ALLOWED_PER_TURN * turns {
        let did =
            format!("used {:.1} ms of processor time between its {turns} turns", used.as_secs_f64() * 1e3);
        bench.note(Finding::saying(Level::Warning, did).by_the_step(bench.step));
    }
    Ok(())
}

/// A step that this system does not let us look into.
fn not_counted(bench: &Bench<'_>, what: &str) -> Found {
    let did = format!("not looked at: {what} is not counted on this system");
    bench.note(Finding::saying(Level::Note, did).advise("check the bot on Linux as well"));
    Ok(())
}

pub(super) fn output(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    let mut bot = bench.bot();
    bench.play(&mut bot, &bench.sitting(&start, Seat::FIRST, 6))?;
    let printed = bot.into_output();
    let Some(first) = printed.lines().next() else { return Ok(()) };
    let first: String = first.chars().take(SHOWN).collect();
    let did = match printed.lines().count() {
        1 => format!("prints a line in a few moves: {first}"),
        lines => format!("prints {lines} lines in a few moves, such as: {first}"),
    };
    let advice =
        "nobody reads it during a match; it goes to the log, of which little is kept, and costs time";
    bench.note(Finding::saying(Level::Note, did).advise(advice));
    Ok(())
}

pub(super) fn memory(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    let mut bot = bench.bot();
    bench.play(&mut bot, &bench.sitting(&start, Seat::FIRST, 24))?;
    let peak = bot.pid().and_then(machine::peak_memory);
    bench.finish(bot)?;
    let limit = bench.subject.command.limits.memory;
    let Some(peak) = peak else { return not_counted(bench, "the memory of other programs") };
    let did = format!("{} MiB at most, of the {} MiB it may use", peak >> 20, limit >> 20);
    bench.note(if peak > limit / 2 {
        let advice = "size tables by arbiter_game.memory; matches may allow less with --memory";
        Finding::saying(Level::Note, did).advise(advice)
    } else {
        Finding::saying(Level::Ok, did)
    });
    Ok(())
}
