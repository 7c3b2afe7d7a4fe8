//! Other games than the usual ones: options, chance, more than two seats, and seats that leave.

use super::Found;
use super::finding::Level;
use super::scenes::start;
use super::table::{Bench, Sitting, Twist};
use arbiter_rules::Seat;

/// Three, four and six seats, the bot in each of them.
pub(super) fn many_seats(bench: &Bench<'_>) -> Found {
    for &players in bench.game.seats.iter().filter(|&&players| players > 2) {
        let start = start(bench.game, Some(players), &[]);
        for seat in Seat::all(players) {
            bench.play_alone(&bench.sitting(start.clone(), seat, 4 * players as u32))?;
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
        bench.play_alone(&Sitting { twist, ..bench.sitting(start.clone(), seat, 16) })?;
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

/// A few turns in each seat under each set of options.
pub(super) fn options(bench: &Bench<'_>) -> Found {
    let mut found = Vec::new();
    for &options in bench.game.trials {
        let start = start(bench.game, None, options);
        for seat in Seat::all(start.seats()) {
            match bench.play_alone(&bench.sitting(start.clone(), seat, 12)) {
                Ok(()) => {}
                Err(stopped) if stopped.level == Level::Fail => return Err(stopped),
                // A bot may refuse a set of options; the other sets are tried all the same.
                Err(note) => {
                    found.push(note);
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// Tokens fall, after the bot's moves and after the opponent's.
pub(super) fn earthquakes(bench: &Bench<'_>) -> Found {
    for (n, variant) in [("4", "3d"), ("6", "top"), ("9", "3d")] {
        let start = start(bench.game, None, &[("earthquake", "true"), ("n", n), ("variant", variant)]);
        for seat in Seat::all(start.seats()) {
            bench.play_alone(&bench.sitting(start.clone(), seat, 40))?;
        }
    }
    Ok(Vec::new())
}
