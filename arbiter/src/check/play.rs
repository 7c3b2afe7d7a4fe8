//! Steps of ordinary play: whole games, passes, forced moves, openings, odd positions, one game after another.

use super::Found;
use super::bench::{Answered, Bench, Sitting, Twist};
use super::finding::{Finding, Level};
use super::ways::{Way, random_plies, search, start};
use crate::player::Answer;
use arbiter_rules::{Seat, Setup, registry};

/// No limit on plies: the rules end the game.
const TO_THE_END: u32 = u32::MAX;
/// More plies than any table that is meant for "long enough".
const LONG: u32 = 520;

/// Limits that end a game in its own way, but soon.
fn short_options(game: &str) -> &'static [(&'static str, &'static str)] {
    match game {
        "chinese-checkers" => &[("max_rounds", "40")],
        "stacks" => &[("max_turns", "60")],
        _ => &[],
    }
}

/// A start whose games have no limit but the rules of winning.
fn endless_options(game: &str) -> &'static [(&'static str, &'static str)] {
    match game {
        "chinese-checkers" => &[("max_rounds", "0"), ("repetition", "0")],
        _ => &[("n", "9"), ("max_turns", "0"), ("repetition", "0")],
    }
}

impl Bench<'_> {
    /// Plays with a new process, whose end nobody waits for.
    fn play_once(&self, sitting: &Sitting<'_>) -> Result<Vec<Answered>, Finding> {
        self.play(&mut self.bot(), sitting)
    }
}

pub(super) fn begins_and_ends(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    let one_ply = random_plies(&start, 1);
    bench.in_each_seat(&start, |seat| {
        bench.play_alone(&Sitting { twist: Twist::BreakOff, ..bench.after(&start, &one_ply, seat, 0) })
    })
}

pub(super) fn first_move(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    bench.in_each_seat(&start, |seat| {
        bench.play_once(&bench.sitting(&start, seat, seat.index() as u32 + 1)).map(drop)
    })
}

pub(super) fn whole_game(bench: &Bench<'_>) -> Found {
    let start = start(bench.game, None, short_options(bench.game.id));
    bench.in_each_seat(&start, |seat| bench.play_alone(&bench.sitting(&start, seat, TO_THE_END)))
}

pub(super) fn long_game(bench: &Bench<'_>) -> Found {
    let start = start(bench.game, None, endless_options(bench.game.id));
    let way = random_plies(&start, LONG);
    bench.play_alone(&bench.after(&start, &way, Seat::FIRST, 20))
}

pub(super) fn forced_pass(bench: &Bench<'_>) -> Found {
    match bench.game.id {
        "chinese-checkers" => passes_while_shut_in(bench),
        _ => passes_in_random_games(bench),
    }
}

fn passes_in_random_games(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    bench.in_each_seat(&start, |seat| {
        for passer in Seat::all(start.seats()) {
            let stuck = |way: &Way| way.position.must_pass() && way.position.to_move() == Some(passer);
            // In some of these games the bot has no turn after the pass.
            for way in search(&start, stuck).take(20) {
                if !bench.play_once(&bench.sitting(&way.as_start(), seat, 6))?.is_empty() {
                    break;
                }
            }
        }
        Ok(())
    })
}

/// The only pawn of the first seat is shut in by pawns of the second.
fn passes_while_shut_in(bench: &Bench<'_>) -> Found {
    let position = Some("1/2/3/3D/8D4/6DDA3/7DD2/6D1D1/9/10/11/12/13/4/3/2/1 AD A");
    let start = registry::start(bench.game.id, &Setup { position, ..Setup::default() });
    let start = start.expect("the position has been read before");
    bench.in_each_seat(&start, |seat| bench.play_once(&bench.sitting(&start, seat, 12)).map(drop))
}

pub(super) fn only_move(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    bench.in_each_seat(&start, |seat| {
        let single = |way: &Way| {
            let position = &way.position;
            position.to_move() == Some(seat) && position.legal_count() == 1 && !position.must_pass()
        };
        let Some(way) = search(&start, single).next() else { return Ok(()) };
        bench.play_once(&bench.sitting(&way.as_start(), seat, 1)).map(drop)
    })
}

pub(super) fn opening(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    let way = random_plies(&start, 4);
    bench.in_each_seat(&start, |seat| bench.play_once(&bench.after(&start, &way, seat, 4)).map(drop))
}

pub(super) fn odd_position(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    [3, 6].map(|plies| random_plies(&start, plies).as_start()).iter().try_for_each(|middle| {
        bench.in_each_seat(middle, |seat| bench.play_once(&bench.sitting(middle, seat, 6)).map(drop))
    })
}

pub(super) fn second_game(bench: &Bench<'_>) -> Found {
    let start = start(bench.game, None, short_options(bench.game.id));
    let mut bot = bench.bot();
    for _ in 0..2 {
        bench.in_each_seat(&start, |seat| bench.play(&mut bot, &bench.sitting(&start, seat, 8)).map(drop))?;
    }
    bench.finish(bot)
}

pub(super) fn broken_off(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    bench.in_each_seat(&start, |seat| {
        let mut bot = bench.bot();
        bench.play(&mut bot, &Sitting { twist: Twist::BreakOff, ..bench.sitting(&start, seat, 3) })?;
        bench.play(&mut bot, &bench.sitting(&start, seat, 4))?;
        bench.finish(bot)
    })
}

pub(super) fn asked_again(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    bench.in_each_seat(&start, |seat| {
        bench.play_once(&Sitting { twist: Twist::Refuse(2), ..bench.sitting(&start, seat, 7) }).map(drop)
    })
}

pub(super) fn same_seed(bench: &Bench<'_>) -> Found {
    let start = bench.usual();
    let play = || -> Result<Vec<Answer>, Finding> {
        let answers = bench.play_once(&bench.sitting(&start, Seat::FIRST, 8))?;
        Ok(answers.into_iter().map(|answer| answer.answer).collect())
    };
    if play()? != play()? {
        let note = Finding::saying(Level::Note, "two games with the same seed went different ways");
        let advice = "a bot that searches by the clock does; take random numbers from host->random or game->seed, so that \
                      a match can be played again";
        bench.note(note.advise(advice));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::GameInfo;

    /// The games that a step is for.
    fn games_of(id: &str) -> impl Iterator<Item = &'static GameInfo> {
        let step = super::super::STEPS.iter().find(|step| step.id == id).unwrap();
        registry::GAMES.iter().copied().filter(move |info| step.applies_to(Some(info)))
    }

    #[test]
    fn games_called_long_are_long() {
        for info in games_of("long-game") {
            let way = random_plies(&start(info, None, endless_options(info.id)), LONG);
            assert_eq!(way.moves.len() as u32, LONG, "{}", info.id);
        }
    }

    #[test]
    fn turns_with_one_move_are_found_where_they_are_looked_for() {
        for info in games_of("only-move") {
            let start = start(info, None, &[]);
            let single = |way: &Way| way.position.legal_count() == 1 && !way.position.must_pass();
            assert!(search(&start, single).next().is_some(), "{}", info.id);
        }
    }
}
