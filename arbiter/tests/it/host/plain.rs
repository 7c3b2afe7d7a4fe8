//! One interface, two kinds of processes: contained ones, and plain ones as systems other than Linux have them. Both
//! are asked the same here, so that a match elsewhere is judged as it is on Linux.

use super::support::{AMPLE, Watch, ask, begin, c_bot, command, command_of, first_answer, host, play, start};
use arbiter::host::{LoadError, Sandbox, Sandboxed};
use arbiter::player::{Answer, Budget};
use arbiter::verdict::{Fault, Phase};
use std::path::Path;
use std::time::Duration;

const KINDS: [Sandbox; 2] = [Sandbox::Strict, Sandbox::Plain];

fn bot(kind: Sandbox, name: &str, options: &[(&str, &str)]) -> Sandboxed {
    let mut command = command(name, options);
    command.limits.sandbox = kind;
    Sandboxed::start(&command)
}

/// What comes of a misdeed in a bot's first turn. Its process is gone afterwards if that is a fault.
fn answer_of(kind: Sandbox, misdeed: &str, budget: Budget) -> Answer {
    let mut player = bot(kind, "faulty", &[("choose_move", misdeed)]);
    let position = begin(&mut player, "othello");
    let watch = Watch::on(&player);
    let answer = ask(&mut player, &position, budget).answer;
    if matches!(answer, Answer::Fault(_)) {
        watch.wait_until_gone();
    }
    answer
}

#[test]
fn bots_of_both_kinds_play_whole_games_with_each_other() {
    for kinds in [[Sandbox::Plain, Sandbox::Plain], KINDS] {
        let [mut first, mut second] = kinds.map(|kind| bot(kind, "first", &[]));
        for game in ["othello", "tic-tac-toe"] {
            assert!(play(&mut start(game), &mut [&mut first, &mut second]) > 4);
        }
        assert_eq!((first.finish(), second.finish()), (Ok(()), Ok(())));
    }
}

#[test]
fn how_a_bot_ends_is_told_alike_of_both_kinds() {
    let during = Phase::Move;
    for kind in KINDS {
        for (misdeed, signal) in [("segfault", 11), ("abort", 6), ("divide", 8), ("kill", 9)] {
            let Answer::Fault(Fault::Crashed { during: Phase::Move, signal: found, .. }) =
                answer_of(kind, misdeed, AMPLE)
            else {
                panic!("{misdeed} of a {kind:?} bot is no crash");
            };
            assert_eq!(found, signal, "{misdeed} of a {kind:?} bot");
        }
        let exited = Answer::Fault(Fault::Exited { during, code: 3 });
        assert_eq!(answer_of(kind, "_exit 3", AMPLE), exited, "{kind:?}");
    }
}

#[test]
fn a_deaf_bot_of_either_kind_is_killed_and_loses_on_time() {
    let hard = Duration::from_millis(40);
    let soft = Duration::from_millis(10);
    let short = Budget { hard: Some(hard), soft, margin: Duration::from_millis(5) };
    for kind in KINDS {
        for misdeed in ["loop", "sleep", "block signals and loop", "stop itself"] {
            let late = Answer::Fault(Fault::TimedOut { during: Phase::Move, budget: hard });
            assert_eq!(answer_of(kind, misdeed, short), late, "{misdeed} of a {kind:?} bot");
        }
    }
}

#[test]
fn a_plain_bot_that_closes_everything_plays_on_and_what_it_prints_is_kept() {
    let legal = start("othello").nth_legal(0);
    assert_eq!(answer_of(Sandbox::Plain, "close all", AMPLE), Answer::Move(legal));
    let mut player = bot(Sandbox::Plain, "faulty", &[("choose_move", "flood")]);
    first_answer(&mut player, "othello");
    let output = player.into_output();
    assert!((1..=8 << 10).contains(&output.len()), "{} bytes are kept", output.len());
}

#[test]
fn a_plain_bot_waits_for_its_turn_when_it_is_stopped_between_turns() {
    let [mut first, mut second] = [0, 1].map(|_| {
        let mut command = command("first", &[]);
        command.limits.sandbox = Sandbox::Plain;
        command.limits.stop_between_turns = true;
        Sandboxed::start(&command)
    });
    assert!(play(&mut start("tic-tac-toe"), &mut [&mut first, &mut second]) > 4);
}

/// Plain bots are loaded from their files: a build in the middle of a match would have two bots play as one.
#[test]
fn a_library_that_was_changed_since_the_match_began_is_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let library = folder.join(format!("changing-{}.so", std::process::id()));
    std::fs::copy(c_bot("first"), &library).unwrap();
    let mut command = command_of(&library, &[]);
    command.limits.sandbox = Sandbox::Plain;
    assert!(host().identify(&command).is_ok());
    let longer = [std::fs::read(&library).unwrap(), vec![0]].concat();
    std::fs::write(&library, longer).unwrap();
    let refused = host().identify(&command);
    std::fs::remove_file(&library).unwrap();
    let refused = refused.map_err(|not_loaded| not_loaded.error);
    assert_eq!(refused, Err(LoadError::Changed(library.display().to_string())));
}
