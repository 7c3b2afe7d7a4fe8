//! Games of more than two: their seats, and those who leave.

use super::Found;
use super::scenes::start;
use super::table::{Bench, Sitting, Twist};
use arbiter_rules::Seat;

/// Three, four and six seats, the bot in each of them.
pub(super) fn many_seats(bench: &Bench<'_>) -> Found {
    for &players in bench.game.seats.iter().filter(|&&players| players > 2) {
        let start = start(bench.game, Some(players), &[]);
        for seat in Seat::all(players) {
            let mut bot = bench.bot();
            bench.play(&mut bot, &bench.sitting(start.clone(), seat, 4 * players as u32))?;
            bench.finish(bot)?;
        }
    }
    Ok(Vec::new())
}

/// Another seat leaves the game, and it goes on.
pub(super) fn opponent_out(bench: &Bench<'_>) -> Found {
    let start = start(bench.game, Some(3), &[]);
    // The bot sits where there are seats in games of two as well.
    for (seat, leaver) in [(Seat::FIRST, Seat::SECOND), (Seat::SECOND, Seat::FIRST)] {
        let twist = Twist::OtherLeaves(leaver, 2);
        let mut bot = bench.bot();
        bench.play(&mut bot, &Sitting { twist, ..bench.sitting(start.clone(), seat, 16) })?;
        bench.finish(bot)?;
    }
    Ok(Vec::new())
}

/// The bot itself leaves the game, hears how it ended, and plays the next one.
pub(super) fn being_out(bench: &Bench<'_>) -> Found {
    let start = start(bench.game, Some(3), &[("max_rounds", "6")]);
    let mut bot = bench.bot();
    let out = Sitting { twist: Twist::BotLeaves(3), ..bench.sitting(start.clone(), Seat::FIRST, u32::MAX) };
    bench.play(&mut bot, &out)?;
    bench.play(&mut bot, &bench.sitting(start.clone(), Seat::FIRST, 6))?;
    bench.finish(bot)?;
    Ok(Vec::new())
}
