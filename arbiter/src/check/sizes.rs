//! Options that change the size of things and the rules, and chance.

use super::Found;
use super::finding::Level;
use super::scenes::start;
use super::table::Bench;
use arbiter_rules::Seat;

/// A few turns in each seat under each set of options.
pub(super) fn options(bench: &Bench<'_>) -> Found {
    let mut found = Vec::new();
    for &options in bench.game.trials {
        let start = start(bench.game, None, options);
        for seat in Seat::all(start.seats()) {
            let mut bot = bench.bot();
            match bench.play(&mut bot, &bench.sitting(start.clone(), seat, 12)) {
                Ok(_) => bench.finish(bot)?,
                Err(stopped) if stopped.level == Level::Fail => return Err(stopped),
                // What a bot says that it does not play is tried no further; other options are.
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
            let mut bot = bench.bot();
            bench.play(&mut bot, &bench.sitting(start.clone(), seat, 40))?;
            bench.finish(bot)?;
        }
    }
    Ok(Vec::new())
}
