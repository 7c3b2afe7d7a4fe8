//! What a bot can do wrong, where, and what the referee says of it.

use super::support::{
    AMPLE, Watch, ask, brief, command, fault_of, host, marked_faulty, play, play_choice, sandboxed, start,
};
use crate::support::is_there;
use arbiter::host::{BotCommand, Limits, Sandboxed};
use arbiter::player::{Answer, Budget, GameResult, Player};
use arbiter::verdict::{Fault, Phase, Shortage};
use arbiter_rules::{Outcome, Seat};
use std::time::Duration;

const SEGV: i32 = 11;
const ABRT: i32 = 6;
const FPE: i32 = 8;
const KILL: i32 = 9;

/// Little time, for bots that use all of it.
const SHORT: Budget = Budget {
    hard: Some(Duration::from_millis(40)),
    soft: Duration::from_millis(10),
    margin: Duration::from_millis(5),
};

/// Limits for bots that use all of their time outside of turns.
fn hasty() -> Limits {
    let (prepare, call) = (Duration::from_secs(20), Duration::from_millis(60));
    Limits { call, prepare, new_game: Some(call), ..Limits::default() }
}

fn crashed(during: Phase, signal: i32, address: Option<u64>) -> Fault {
    Fault::Crashed { during, signal, address }
}

/// What a bot's first turn is answered with when the bot has this option.
fn first_answer(option: (&str, &str), budget: Budget) -> (Answer, Sandboxed, Watch) {
    let mut player = sandboxed("faulty", &[option]);
    let position = start("othello");
    player.new_game(&brief(&position, Seat::FIRST)).unwrap();
    let watch = Watch::on(&player);
    let reply = ask(&mut player, &position, budget);
    (reply.answer, player, watch)
}

/// The fault of a bot that does this when asked for a move. Its process is gone afterwards.
fn fault_in_turn(misdeed: &str, budget: Budget) -> Fault {
    let (answer, _, watch) = first_answer(("choose_move", misdeed), budget);
    watch.wait_until_gone();
    let Answer::Fault(fault) = answer else { panic!("{misdeed}: {answer:?} is no fault") };
    fault
}

#[test]
fn a_bot_that_failed_gets_a_new_process_for_its_next_game() {
    let (answer, mut player, watch) = first_answer(("choose_move", "segfault"), AMPLE);
    watch.wait_until_gone();
    assert_eq!(player.pid(), None);
    let position = start("othello");
    player.new_game(&brief(&position, Seat::FIRST)).unwrap();
    assert_eq!(ask(&mut player, &position, AMPLE).answer, answer);
}

#[test]
fn a_crash_costs_only_its_author_and_is_told_with_signal_and_address() {
    let during = Phase::Move;
    assert_eq!(fault_in_turn("segfault", AMPLE), crashed(during, SEGV, Some(0xdead0)));
    assert_eq!(fault_in_turn("abort", AMPLE), crashed(during, ABRT, None));
    assert_eq!(fault_in_turn("divide", AMPLE), crashed(during, FPE, None));
    assert_eq!(fault_in_turn("kill", AMPLE), crashed(during, KILL, None));
}

#[test]
fn an_illegal_instruction_is_told_as_one() {
    // What a compiler's trap raises differs between processors.
    let possible = [4, 5].map(|signal| crashed(Phase::Move, signal, None));
    let fault = fault_in_turn("illegal", AMPLE);
    assert!(possible.contains(&fault), "{fault:?}");
}

#[test]
fn a_stack_overflow_is_told_with_its_address() {
    let fault = fault_in_turn("overflow", AMPLE);
    assert!(
        matches!(fault, Fault::Crashed { during: Phase::Move, signal: SEGV, address: Some(_) }),
        "{fault:?}"
    );
}

#[test]
fn a_bot_that_ends_its_process_is_told_with_its_exit_code() {
    assert_eq!(fault_in_turn("exit 0", AMPLE), Fault::Exited { during: Phase::Move, code: 0 });
    assert_eq!(fault_in_turn("_exit 3", AMPLE), Fault::Exited { during: Phase::Move, code: 3 });
}

#[test]
fn a_bot_that_never_answers_is_killed_when_its_time_is_up() {
    let timed_out = Fault::TimedOut { during: Phase::Move, budget: SHORT.hard.unwrap() };
    for misdeed in ["loop", "sleep", "block signals and loop", "stop itself"] {
        assert_eq!(fault_in_turn(misdeed, SHORT), timed_out, "{misdeed}");
    }
}

#[test]
fn a_bot_that_uses_up_its_memory_is_told_so() {
    let mut command = command("faulty", &[("choose_move", "fill memory")]);
    command.limits.memory = 64 << 20;
    let mut player = Sandboxed::start(&command);
    let position = start("othello");
    player.new_game(&brief(&position, Seat::FIRST)).unwrap();
    let answer = ask(&mut player, &position, AMPLE).answer;
    // A control group ends it; a limit refuses it more.
    let shortage =
        if command.limits.isolation.cgroup { Shortage::Held } else { Shortage::Refused { signal: SEGV } };
    assert_eq!(answer, Answer::Fault(Fault::OutOfMemory { during: Phase::Move, limit: 64 << 20, shortage }));
}

#[test]
fn failures_that_a_bot_admits_are_told_apart() {
    let message = "index out of bounds".to_owned();
    assert_eq!(fault_in_turn("panic", AMPLE), Fault::Panicked { during: Phase::Move, message });
    assert_eq!(fault_in_turn("-1", AMPLE), Fault::Failed { during: Phase::Move, status: -1 });
    assert_eq!(fault_in_turn("-5", AMPLE), Fault::Failed { during: Phase::Move, status: -5 });
    assert_eq!(fault_in_turn("77", AMPLE), Fault::Failed { during: Phase::Move, status: 77 });
    let shortage = Shortage::Admitted { status: -6 };
    assert_eq!(
        fault_in_turn("-6", AMPLE),
        Fault::OutOfMemory { during: Phase::Move, limit: 1 << 30, shortage }
    );
}

#[test]
fn a_bot_that_resigns_keeps_its_process() {
    let (answer, player, _) = first_answer(("choose_move", "1"), AMPLE);
    assert_eq!(answer, Answer::Fault(Fault::Resigned));
    assert!(player.pid().is_some());
}

#[test]
fn a_number_that_is_no_move_reaches_the_judge_as_it_is() {
    for number in ["0", "0xffffffffffffffff", "281474976710656"] {
        let (answer, ..) = first_answer(("answer", number), AMPLE);
        let bits = number.strip_prefix("0x").map_or_else(|| number.parse().unwrap(), |_| u64::MAX);
        assert_eq!(answer, Answer::Move(arbiter_rules::Move::from_bits(bits)));
    }
}

#[test]
fn closing_every_file_harms_nobody() {
    let (answer, ..) = first_answer(("choose_move", "close all"), AMPLE);
    assert!(matches!(answer, Answer::Move(_)), "{answer:?}");
}

#[test]
fn a_flood_of_output_does_not_block_the_referee_whether_the_bot_is_finished_or_dropped() {
    let (answer, player, _) = first_answer(("choose_move", "flood"), AMPLE);
    assert!(matches!(answer, Answer::Move(_)), "{answer:?}");
    player.finish().unwrap();
    let (answer, player, watch) = first_answer(("choose_move", "flood"), AMPLE);
    assert!(matches!(answer, Answer::Move(_)), "{answer:?}");
    drop(player);
    watch.wait_until_gone();
}

#[test]
fn scribbling_over_the_shared_block_is_a_broken_reply() {
    let problem = "its number is not the one that comes next".to_owned();
    assert_eq!(fault_in_turn("scribble", SHORT), Fault::BadReply { problem });
}

#[test]
fn an_exception_that_leaves_a_bot_crashes_it_and_its_output_says_why() {
    if !is_there("c++") {
        return;
    }
    let mut player = sandboxed("raiser", &[]);
    let position = start("othello");
    player.new_game(&brief(&position, Seat::FIRST)).unwrap();
    let answer = ask(&mut player, &position, AMPLE).answer;
    assert_eq!(answer, Answer::Fault(crashed(Phase::Move, ABRT, None)));
    let output = player.output();
    assert!(output.contains("foreign exception"), "{output}");
}

#[test]
fn a_bot_that_answers_before_it_is_done_is_asked_on_in_step_and_found_thinking() {
    let mut position = start("othello");
    let mut player = sandboxed("faulty", &[("second_turn", "answer early")]);
    player.new_game(&brief(&position, Seat::FIRST)).unwrap();
    let mut answers = Vec::new();
    for _ in 0..4 {
        let reply = ask(&mut player, &position, AMPLE);
        answers.push((reply.answer, reply.spent.pondered.is_some()));
        // The opponent thinks.
        std::thread::sleep(Duration::from_millis(40));
        for _ in 0..2 {
            let m = position.nth_legal(0);
            play_choice(&mut position, &mut [&mut player], m.into(), false);
        }
    }
    // The second answer is the first one once more, and the one that comes after it answers no question.
    assert_eq!(answers[0].0, answers[1].0);
    assert!(answers.iter().all(|(answer, _)| matches!(answer, Answer::Move(_))), "{answers:?}");
    assert_eq!(
        answers.iter().map(|(_, pondered)| *pondered).collect::<Vec<_>>(),
        [false, false, true, false]
    );
}

#[test]
fn a_bot_that_thinks_long_on_others_time_pays_from_the_start_and_is_then_stopped() {
    let mut position = start("othello");
    let mut player = sandboxed("pondering", &[("long", "")]);
    player.new_game(&brief(&position, Seat::FIRST)).unwrap();
    let mut pondered = || {
        // The opponent thinks: for longer than the bot would.
        std::thread::sleep(Duration::from_millis(600));
        let spent = ask(&mut player, &position, AMPLE).spent;
        for _ in 0..2 {
            let m = position.nth_legal(0);
            play_choice(&mut position, &mut [&mut player], m.into(), false);
        }
        spent.pondered
    };
    for turn in 0..3 {
        let paid = pondered().unwrap_or_default();
        assert!(paid > Duration::ZERO, "what it did before turn {turn} is free");
        assert!(paid < Duration::from_millis(300), "it was never stopped: {paid:?} before turn {turn}");
    }
}

#[test]
fn unmapping_the_shared_block_crashes_the_bot_alone() {
    let (answer, _, watch) = first_answer(("choose_move", "unmap"), AMPLE);
    let Answer::Fault(Fault::Crashed { during: Phase::Move, signal: SEGV, .. }) = answer else {
        panic!("{answer:?}")
    };
    watch.wait_until_gone();
}

#[test]
fn a_bot_that_dies_between_its_turns_is_told_so() {
    let mut position = start("othello");
    let (answer, mut player, watch) = first_answer(("between_turns", "segfault"), AMPLE);
    let Answer::Move(chosen) = answer else { panic!("{answer:?}") };
    watch.wait_until_gone();
    play_choice(&mut position, &mut [&mut player], chosen.into(), false);
    let reply = position.nth_legal(0);
    play_choice(&mut position, &mut [&mut player], reply.into(), false);
    let answer = ask(&mut player, &position, AMPLE).answer;
    assert_eq!(answer, Answer::Fault(crashed(Phase::Idle, SEGV, Some(0xdead0))));
}

#[test]
fn a_crash_in_played_counts_as_one_in_the_turn_that_told_it() {
    let mut position = start("othello");
    let mut player = sandboxed("faulty", &[("played", "segfault")]);
    player.new_game(&brief(&position, Seat::SECOND)).unwrap();
    let opening = position.nth_legal(0);
    play_choice(&mut position, &mut [&mut player], opening.into(), true);
    let answer = ask(&mut player, &position, AMPLE).answer;
    assert_eq!(answer, Answer::Fault(crashed(Phase::Move, SEGV, Some(0xdead0))));
}

#[test]
fn what_fails_in_new_game_is_told_as_that() {
    let during = Phase::NewGame;
    let budget = hasty().call;
    let cases = [
        ("segfault", crashed(during, SEGV, Some(0xdead0))),
        ("exit 0", Fault::Exited { during, code: 0 }),
        ("loop", Fault::TimedOut { during, budget }),
        ("-1", Fault::Failed { during, status: -1 }),
        ("-5", Fault::Unsupported { message: String::new() }),
        ("panic", Fault::Panicked { during, message: "index out of bounds".to_owned() }),
    ];
    for (misdeed, fault) in cases {
        let mut command = command("faulty", &[("new_game", misdeed)]);
        command.limits = hasty();
        let mut player = Sandboxed::start(&command);
        let position = start("othello");
        assert_eq!(player.new_game(&brief(&position, Seat::FIRST)), Err(fault.into()), "{misdeed}");
    }
}

#[test]
fn what_fails_in_create_is_told_as_that() {
    let during = Phase::Create;
    let cases = [
        ("segfault", crashed(during, SEGV, Some(0xdead0))),
        ("_exit 3", Fault::Exited { during, code: 3 }),
        ("sleep", Fault::TimedOut { during, budget: Duration::from_millis(500) }),
        ("-1", Fault::Failed { during, status: -1 }),
    ];
    for (misdeed, fault) in cases {
        assert_eq!(fault_before_the_game("create", misdeed), fault, "{misdeed}");
    }
}

#[test]
fn what_fails_while_being_loaded_is_told_with_its_cause() {
    let cases = [
        ("segfault", "it crashed while being loaded (signal 11, segmentation fault at address 0xdead0)"),
        ("_exit 3", "it ended its process while being loaded (exit code 3)"),
        ("loop", "it did not finish within 0.5 s while being loaded"),
        ("stop itself", "it did not finish within 0.5 s while being loaded"),
    ];
    for (misdeed, problem) in cases {
        let fault = fault_before_the_game("load", misdeed);
        assert_eq!(fault, Fault::NotLoaded { problem: problem.to_owned() }, "{misdeed}");
    }
}

/// The fault of a bot that does this at a place before any game.
fn fault_before_the_game(place: &str, misdeed: &str) -> Fault {
    let library = marked_faulty(&[(place, misdeed)]);
    let mut command = BotCommand::new(host(), &library);
    command.limits = Limits { prepare: Duration::from_millis(500), ..hasty() };
    let mut player = Sandboxed::start(&command);
    std::fs::remove_file(library).unwrap();
    let watch = Watch::on(&player);
    let position = start("othello");
    let failure = player.new_game(&brief(&position, Seat::FIRST)).unwrap_err();
    watch.wait_until_gone();
    fault_of(failure)
}

#[test]
fn what_fails_in_game_over_is_noted_and_changes_no_result() {
    let mut command = command("faulty", &[("game_over", "loop")]);
    command.limits = hasty();
    let mut player = Sandboxed::start(&command);
    let position = start("othello");
    player.new_game(&brief(&position, Seat::FIRST)).unwrap();
    let result = GameResult { outcome: Outcome::win(2, Seat::FIRST), reason: "wipeout", score: None };
    let fault = Fault::TimedOut { during: Phase::GameOver, budget: hasty().call };
    assert_eq!(player.game_over(&result), Err(fault));
}

#[test]
fn a_destructor_that_hangs_is_ended_by_a_kill() {
    let mut command = command("faulty", &[("destroy", "sleep")]);
    command.limits = hasty();
    let mut player = Sandboxed::start(&command);
    let position = start("othello");
    player.new_game(&brief(&position, Seat::FIRST)).unwrap();
    let watch = Watch::on(&player);
    let fault = Fault::TimedOut { during: Phase::Destroy, budget: hasty().call };
    assert_eq!(player.finish(), Err(fault));
    watch.wait_until_gone();
}

#[test]
fn a_fault_of_one_bot_leaves_the_other_playing() {
    let mut position = start("othello");
    let mut honest = sandboxed("first", &[]);
    let mut faulty = sandboxed("faulty", &[("choose_move", "segfault")]);
    honest.new_game(&brief(&position, Seat::FIRST)).unwrap();
    faulty.new_game(&brief(&position, Seat::SECOND)).unwrap();
    let Answer::Move(chosen) = ask(&mut honest, &position, AMPLE).answer else { panic!("no move") };
    play_choice(&mut position, &mut [&mut honest, &mut faulty], chosen.into(), false);
    assert!(matches!(ask(&mut faulty, &position, AMPLE).answer, Answer::Fault(_)));
    let mut second = sandboxed("first", &[]);
    assert!(play(&mut start("othello"), &mut [&mut honest, &mut second]) > 9);
}
