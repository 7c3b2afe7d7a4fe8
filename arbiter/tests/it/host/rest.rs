//! Time outside of turns: what is to be stopped then does not run.

use super::support::{AMPLE, ask, begin, command, play_choice, start, state_of, wait_until};
use arbiter::host::Sandboxed;
use arbiter::player::Answer;
use arbiter::verdict::{Fault, Phase};
use std::time::{Duration, Instant};

#[test]
fn a_bot_that_goes_on_after_it_was_stopped_is_ended() {
    let mut position = start("othello");
    let mut player = stopped_between_turns("go on by a timer");
    let Answer::Move(chosen) = ask(&mut player, &position, AMPLE).answer else { panic!("no answer") };
    wait_until(player.pid().unwrap(), &['Z']);
    play_choice(&mut position, &mut [&mut player], chosen.into(), false);
    let reply = position.nth_legal(0);
    play_choice(&mut position, &mut [&mut player], reply.into(), false);
    let call = "timer_settime with SIGCONT".to_owned();
    let fault = Fault::ForbiddenCall { during: Phase::Idle, call };
    assert_eq!(ask(&mut player, &position, AMPLE).answer, Answer::Fault(fault));
}

/// It would otherwise keep the processor that its opponent wants. Where others keep it from running, its timers go off unused,
/// and it stays stopped.
#[test]
fn a_bot_that_goes_on_before_anybody_has_seen_it_stand_still_does_not_run_on() {
    let mut player = stopped_between_turns("go on at once by a timer");
    ask(&mut player, &start("othello"), AMPLE);
    let (begun, mut looks_at_rest) = (Instant::now(), 0);
    while looks_at_rest < 40 {
        let is_at_rest = matches!(state_of(player.pid().unwrap()), 'T' | 'Z');
        looks_at_rest = if is_at_rest { looks_at_rest + 1 } else { 0 };
        assert!(begun.elapsed() < Duration::from_secs(60), "it runs on");
        std::thread::sleep(Duration::from_millis(25));
    }
}

/// A bot that is to stand still whenever it is not asked, at the start of a game.
fn stopped_between_turns(misdeed: &str) -> Sandboxed {
    let mut command = command("faulty", &[("choose_move", misdeed)]);
    command.limits.stop_between_turns = true;
    let mut player = Sandboxed::start(&command);
    begin(&mut player, "othello");
    player
}
