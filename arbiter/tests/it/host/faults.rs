//! What the referee says of a bot that does something wrong, beyond what the catalogue tries at every place.

use super::support::{
    AMPLE, Watch, ask, begin, brief, command, fault_of, first_answer, host, marked_faulty, play_choice,
    sandboxed, start, wait_until,
};
use crate::support::{is_there, ran};
use arbiter::host::{BotCommand, Limits, Sandboxed};
use arbiter::player::{Answer, Player};
use arbiter::verdict::{Fault, Phase, Shortage};
use arbiter_rules::Seat;
use std::time::Duration;

const SEGV: i32 = 11;
const ABRT: i32 = 6;

/// Limits for bots that use all of their time outside of turns.
fn hasty() -> Limits {
    let (prepare, call) = (Duration::from_secs(20), Duration::from_millis(60));
    Limits { call, prepare, new_game: Some(call), ..Limits::default() }
}

fn crashed(during: Phase, signal: i32, address: Option<u64>) -> Fault {
    Fault::Crashed { during, signal, address }
}

/// What a bot's first turn is answered with when the bot has this option.
fn answer_of(option: (&str, &str)) -> (Answer, Sandboxed, Watch) {
    let mut player = sandboxed("faulty", &[option]);
    let position = begin(&mut player, "othello");
    let watch = Watch::on(&player);
    let reply = ask(&mut player, &position, AMPLE);
    (reply.answer, player, watch)
}

/// The fault of a bot that does this when asked for a move. Its process is gone afterwards.
fn fault_in_turn(misdeed: &str) -> Fault {
    let (answer, _, watch) = answer_of(("choose_move", misdeed));
    watch.wait_until_gone();
    let Answer::Fault(fault) = answer else { panic!("{misdeed}: {answer:?} is no fault") };
    fault
}

#[test]
fn a_bot_that_failed_gets_a_new_process_for_its_next_game() {
    let (answer, mut player, watch) = answer_of(("choose_move", "segfault"));
    watch.wait_until_gone();
    assert_eq!(player.pid(), None);
    assert_eq!(first_answer(&mut player, "othello"), answer);
}

#[test]
fn an_illegal_instruction_is_told_as_one() {
    // What a compiler's trap raises differs between processors.
    let possible = [4, 5].map(|signal| crashed(Phase::Move, signal, None));
    let fault = fault_in_turn("illegal");
    assert!(possible.contains(&fault), "{fault:?}");
}

#[test]
fn a_stack_overflow_is_told_with_its_address() {
    let fault = fault_in_turn("overflow");
    assert!(
        matches!(fault, Fault::Crashed { during: Phase::Move, signal: SEGV, address: Some(_) }),
        "{fault:?}"
    );
}

#[test]
fn a_bot_that_uses_up_its_memory_is_told_so() {
    let mut command = command("faulty", &[("choose_move", "fill memory")]);
    command.limits.memory = 64 << 20;
    let answer = first_answer(&mut Sandboxed::start(&command), "othello");
    // A control group ends it; a limit refuses it more.
    let shortage =
        if command.limits.isolation.cgroup { Shortage::Held } else { Shortage::Refused { signal: SEGV } };
    assert_eq!(answer, Answer::Fault(Fault::OutOfMemory { during: Phase::Move, limit: 64 << 20, shortage }));
}

#[test]
fn failures_that_a_bot_admits_are_told_apart() {
    let message = "index out of bounds".to_owned();
    assert_eq!(fault_in_turn("panic"), Fault::Panicked { during: Phase::Move, message });
    assert_eq!(fault_in_turn("-1"), Fault::Failed { during: Phase::Move, status: -1 });
    assert_eq!(fault_in_turn("-5"), Fault::Failed { during: Phase::Move, status: -5 });
    assert_eq!(fault_in_turn("77"), Fault::Failed { during: Phase::Move, status: 77 });
    let shortage = Shortage::Admitted { status: -6 };
    assert_eq!(fault_in_turn("-6"), Fault::OutOfMemory { during: Phase::Move, limit: 1 << 30, shortage });
}

#[test]
fn a_bot_that_resigns_keeps_its_process() {
    let (answer, player, _) = answer_of(("choose_move", "1"));
    assert_eq!(answer, Answer::Fault(Fault::Resigned));
    assert!(player.pid().is_some());
}

#[test]
fn a_number_that_is_no_move_reaches_the_judge_as_it_is() {
    for number in ["0", "0xffffffffffffffff", "281474976710656"] {
        let (answer, ..) = answer_of(("answer", number));
        let bits = number.strip_prefix("0x").map_or_else(|| number.parse().unwrap(), |_| u64::MAX);
        assert_eq!(answer, Answer::Move(arbiter_rules::Move::from_bits(bits)));
    }
}

#[test]
fn scribbling_over_the_shared_block_is_a_broken_reply() {
    let problem = "its number is not the one that comes next".to_owned();
    assert_eq!(fault_in_turn("scribble"), Fault::BadReply { problem });
}

/// Otherwise it would be told that it was killed, and its author look for who does that.
#[test]
fn a_bot_that_says_it_is_gone_has_sent_a_broken_reply() {
    let problem = "it says that its process is gone, which it is not".to_owned();
    assert_eq!(fault_in_turn("say that it is gone"), Fault::BadReply { problem });
}

#[test]
fn an_exception_that_leaves_a_bot_crashes_it_and_its_output_says_why() {
    if !is_there("c++") {
        return;
    }
    let mut player = sandboxed("raiser", &[]);
    assert_eq!(first_answer(&mut player, "othello"), Answer::Fault(crashed(Phase::Move, ABRT, None)));
    let output = player.output();
    assert!(output.contains("foreign exception"), "{output}");
}

#[test]
fn a_bot_that_answers_before_it_is_done_is_asked_on_in_step_and_found_thinking() {
    let mut player = sandboxed("faulty", &[("second_turn", "answer early")]);
    let mut position = begin(&mut player, "othello");
    let (mut answers, mut ran_on) = (Vec::new(), vec![Duration::ZERO]);
    for _ in 0..4 {
        let reply = ask(&mut player, &position, AMPLE);
        answers.push((reply.answer, reply.spent.pondered.is_some()));
        // The opponent thinks for as long as the bot is left to run.
        let (process, before) = (player.pid().unwrap(), ran(player.pid().unwrap()));
        wait_until(process, &['T']);
        ran_on.push(ran(process) - before);
        for _ in 0..2 {
            let m = position.nth_legal(0);
            play_choice(&mut position, &mut [&mut player], m.into(), false);
        }
    }
    // The second answer is the first one once more, and the one that comes after it answers no question.
    assert_eq!(answers[0].0, answers[1].0);
    assert!(answers.iter().all(|(answer, _)| matches!(answer, Answer::Move(_))), "{answers:?}");
    let pondered: Vec<bool> = answers.iter().map(|(_, pondered)| *pondered).collect();
    // Where others keep it from running, it thinks in its next turn instead.
    let has_run_on = ran_on[2] > Duration::from_millis(5);
    assert_eq!(pondered, [false, false, has_run_on, false], "{ran_on:?}");
}

#[test]
fn a_bot_that_thinks_long_on_others_time_pays_from_the_start_and_is_then_stopped() {
    let mut player = sandboxed("clocked", &[("ponder_ms", "300"), ("ponder_first", "1")]);
    let mut position = begin(&mut player, "othello");
    let mut pondered = || {
        // The opponent thinks for as long as the machine lets the bot run.
        wait_until(player.pid().unwrap(), &['T']);
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
        assert!(paid < Duration::from_millis(300), "it was stopped too late: {paid:?} before turn {turn}");
    }
}

#[test]
fn what_fails_in_new_game_is_told_as_that() {
    let during = Phase::NewGame;
    let budget = hasty().call;
    let cases = [
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
        ("sleep", Fault::TimedOut { during, budget: Duration::from_millis(500) }),
        ("-1", Fault::Failed { during, status: -1 }),
    ];
    for (misdeed, fault) in cases {
        let library = marked_faulty(&[("create", misdeed)]);
        let mut command = BotCommand::new(host(), host().bot(&library));
        command.limits = Limits { prepare: Duration::from_millis(500), ..hasty() };
        let mut player = Sandboxed::start(&command);
        std::fs::remove_file(library).unwrap();
        let watch = Watch::on(&player);
        let failure = player.new_game(&brief(&start("othello"), Seat::FIRST)).unwrap_err();
        watch.wait_until_gone();
        assert_eq!(fault_of(failure), fault, "{misdeed}");
    }
}
