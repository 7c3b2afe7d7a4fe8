//! Options that change the size of things and the rules, and chance.

use super::Found;
use super::finding::Level;
use super::scenes::start;
use super::table::Bench;
use arbiter_rules::Seat;

/// Options of one game.
type Given = &'static [(&'static str, &'static str)];

/// What is tried in each game, the smallest and the largest among it.
fn given(game: &str) -> &'static [Given] {
    match game {
        "connect-four" => &[
            &[("size", "4x4")],
            &[("size", "5x8")],
            &[("size", "10x4"), ("connect", "5")],
            &[("size", "20x20"), ("connect", "20")],
        ],
        "stacks" => &[
            &[("n", "3"), ("variant", "top"), ("removal", "own")],
            &[("n", "3"), ("variant", "3d")],
            &[("n", "5"), ("variant", "3d"), ("removal", "off")],
            &[("n", "6"), ("variant", "top"), ("ko", "false")],
            &[("n", "7"), ("variant", "3d"), ("repetition", "0")],
            &[("n", "8"), ("variant", "top"), ("max_turns", "0")],
            &[("n", "9"), ("variant", "top")],
            &[("n", "9"), ("variant", "3d")],
        ],
        "chinese-checkers" => &[
            &[("allow_return", "false")],
            &[("no_blocking", "false"), ("max_rounds", "0")],
            &[("win", "own")],
        ],
        "ultimate" => &[&[("tie_break", "boards")]],
        "tic-tac-toe" => &[&[("first", "o")]],
        _ => &[],
    }
}

/// A few turns in each seat under each set of options.
pub(super) fn options(bench: &Bench<'_>) -> Found {
    let mut found = Vec::new();
    for options in given(bench.game.id) {
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
