//! Honest bots play.

use super::support::{AMPLE, ask, begin, brief, command, first_answer, go_bot, host, play, sandboxed, start};
use crate::support::is_there;
use arbiter::host::{BotCommand, Limits, Sandbox, Sandboxed};
use arbiter::player::{Answer, Budget, Player};
use arbiter::verdict::{Fault, Phase, Shortage};
use arbiter_plugin_api::raw;
use arbiter_rules::Seat;
use std::time::Duration;

#[test]
fn a_bot_in_c_plays_whole_games_of_othello() {
    let (mut first, mut second) = (sandboxed("first", &[]), sandboxed("first", &[]));
    for _ in 0..2 {
        let mut position = start("othello");
        assert!(play(&mut position, &mut [&mut first, &mut second]) > 9);
    }
    assert_eq!((first.finish(), second.finish()), (Ok(()), Ok(())));
}

#[test]
fn a_bot_in_cpp_plays_with_threads_and_its_exceptions_stay_inside() {
    if !is_there("c++") {
        return;
    }
    let during = Phase::Move;
    let panicked = |message: &str| Answer::Fault(Fault::Panicked { during, message: message.to_owned() });
    let (position, shortage) = (start("othello"), Shortage::Admitted { status: raw::ERR_MEMORY });
    let cases = [
        ("nothing", Answer::Move(position.nth_legal(0))),
        ("exception", panicked("out of ideas")),
        ("number", panicked("unknown exception")),
        ("memory", Answer::Fault(Fault::OutOfMemory { during, limit: Limits::default().memory, shortage })),
        ("resign", Answer::Fault(Fault::Resigned)),
    ];
    for (what, answer) in cases {
        assert_eq!(first_answer(&mut sandboxed("thrower", &[("what", what)]), "othello"), answer, "{what}");
    }
    let mut player = sandboxed("thrower", &[("what", "unsupported")]);
    let fault = player.new_game(&brief(&position, Seat::FIRST)).unwrap_err();
    assert_eq!(fault, Fault::Unsupported { message: "not this one".to_owned() }.into());
}

/// Runtimes and libraries do such things without being asked.
#[test]
fn a_bot_plays_that_uses_what_programs_use_elsewhere() {
    let budget = Budget { hard: Some(Duration::from_millis(60)), ..AMPLE };
    let things = [
        "block signals",
        "handle signals",
        "jump out of a handler",
        "read its thread's clock",
        "read its process's clock",
        "ask where its stack is",
        "name a thread",
        "give a thread a priority",
        "ask who it is",
        "open a semaphore for others",
        "take a seed when it is loaded",
    ];
    for does in things {
        let mut command = command("worldly", &[("does", does)]);
        // Nobody else has a supervisor of this kind, and others that are asked something meanwhile.
        command.limits.memory = 99 << 20;
        let mut player = Sandboxed::start(&command);
        let position = begin(&mut player, "othello");
        let reply = ask(&mut player, &position, budget);
        assert_eq!(reply.answer, Answer::Move(position.nth_legal(0)), "{does}: {:?}", reply.spent);
    }
}

/// The kernel clears each page that it gives, and where memory is scarce has to find one first.
#[test]
fn a_bot_may_take_its_memory_when_a_game_begins() {
    let mut command = command("worldly", &[("does", "make a table")]);
    command.limits.new_game = Some(Duration::from_millis(10));
    let mut player = Sandboxed::start(&command);
    assert_eq!(player.new_game(&brief(&start("othello"), Seat::FIRST)), Ok(()));
}

#[test]
fn a_bot_in_go_plays_with_its_runtime() {
    if !is_there("go") {
        return;
    }
    let command = BotCommand::new(host(), host().bot(go_bot("gopher")));
    let (mut first, mut second) = (Sandboxed::start(&command), Sandboxed::start(&command));
    assert!(play(&mut start("tic-tac-toe"), &mut [&mut first, &mut second]) > 4);
    assert!(first.into_output().contains("thought until"));
}

#[test]
fn under_the_wide_list_forbidden_calls_fail() {
    for misdeed in ["execute", "fork with signals blocked", "make file", "call socket", "kill all"] {
        let mut command = command("faulty", &[("choose_move", misdeed)]);
        command.limits.sandbox = Sandbox::Wide;
        // The bot ends itself when it sees that it may live on.
        let fault = Answer::Fault(Fault::Exited { during: Phase::Move, code: 99 });
        assert_eq!(first_answer(&mut Sandboxed::start(&command), "othello"), fault, "{misdeed}");
    }
}
