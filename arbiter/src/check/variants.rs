//! Other games than the usual ones: options, chance, more than two seats, and seats that leave.

use super::Found;
use super::bench::{Bench, Sitting, Twist};
use super::finding::Level;
use super::ways::start;
use arbiter_rules::Seat;

pub(super) fn many_seats(bench: &Bench<'_>) -> Found {
    bench.game.seats.iter().filter(|&&players| players > 2).try_for_each(|&players| {
        let start = start(bench.game, Some(players), &[]);
        bench.in_each_seat(&start, |seat| bench.play_alone(&bench.sitting(&start, seat, 4 * players as u32)))
    })
}

pub(super) fn opponent_out(bench: &Bench<'_>) -> Found {
    let start = start(bench.game, Some(3), &[]);
    // The bot sits where there are seats in games of two as well.
    [(Seat::FIRST, Seat::SECOND), (Seat::SECOND, Seat::FIRST)].into_iter().try_for_each(|(seat, leaver)| {
        let twist = Twist::OtherLeaves(leaver, 2);
        bench.play_alone(&Sitting { twist, ..bench.sitting(&start, seat, 16) })
    })
}

/// The bot itself leaves the game, hears how it ended, and plays the next one.
pub(super) fn being_out(bench: &Bench<'_>) -> Found {
    let start = start(bench.game, Some(3), &[("max_rounds", "6")]);
    let mut bot = bench.bot();
    let out = Sitting { twist: Twist::BotLeaves(3), ..bench.sitting(&start, Seat::FIRST, u32::MAX) };
    bench.play(&mut bot, &out)?;
    bench.play(&mut bot, &bench.sitting(&start, Seat::FIRST, 6))?;
    bench.finish(bot)
}

pub(super) fn options(bench: &Bench<'_>) -> Found {
    bench.game.trials.iter().try_for_each(|options| {
        let start = start(bench.game, None, options);
        match bench.in_each_seat(&start, |seat| bench.play_alone(&bench.sitting(&start, seat, 12))) {
            // A bot may refuse a set of options; the other sets are tried all the same.
            Err(note) if note.level != Level::Fail => {
                bench.note(note);
                Ok(())
            }
            done => done,
        }
    })
}

/// Tokens fall, after the bot's moves and after the opponent's.
pub(super) fn earthquakes(bench: &Bench<'_>) -> Found {
    [("4", "3d"), ("6", "top"), ("9", "3d")].into_iter().try_for_each(|(n, variant)| {
        let start = start(bench.game, None, &[("earthquake", "true"), ("n", n), ("variant", variant)]);
        bench.in_each_seat(&start, |seat| bench.play_alone(&bench.sitting(&start, seat, 40)))
    })
}
