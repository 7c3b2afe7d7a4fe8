//! Time outside of turns: bots have to rest then, and are not charged while the program itself is stopped.

use super::support::{AMPLE, ask, begin, c_bot, command, play_choice, start, state_of, wait_until};
use crate::support::{scratch, wait_until_a_bot_thinks};
use arbiter::host::Sandboxed;
use arbiter::player::Answer;
use arbiter::record::schema::MatchReport;
use arbiter::verdict::{Fault, Phase};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
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

#[test]
fn a_bot_that_asks_is_told_to_stop_and_charged_as_if_the_program_had_not_stood_still() {
    outlives_a_standstill("told=1", "1");
}

#[test]
fn a_bot_that_asks_is_told_to_stop_all_the_same_where_it_may_use_two_threads() {
    outlives_a_standstill("told=1", "2");
}

#[test]
fn a_bot_that_waits_to_be_called_is_called_all_the_same() {
    outlives_a_standstill("called=1", "1");
}

/// Makes sure that a bot is not late for which only its own clock is there.
fn outlives_a_standstill(option: &str, threads: &str) {
    let folder = scratch(&format!("standstill-{}-{threads}", option.replace('=', "-")));
    let bot = c_bot("straining");
    let mut args = vec![&*bot, &*bot, "--game", "tic-tac-toe", "--json"];
    args.extend(["--move-time", "2s", "--max-plies", "2", "--output", "report.json", "--threads", threads]);
    let option = format!("1:{option}");
    args.extend(["-B", &*option]);
    let mut arbiter = crate::support::command(&folder, &args).stdout(Stdio::piped()).spawn().unwrap();
    let mut events = BufReader::new(arbiter.stdout.take().unwrap()).lines();
    let turn = events.find(|line| line.as_ref().unwrap().contains("\"ev\":\"turn\""));
    turn.expect("somebody is asked").unwrap();
    // The question is on its way when it is announced.
    wait_until_a_bot_thinks(arbiter.id());
    let process = Pid::from_raw(arbiter.id() as i32).unwrap();
    kill_process(process, Signal::STOP).unwrap();
    // Twice the time of a move: if it were charged, the bot would be late, and the later the longer this takes.
    std::thread::sleep(Duration::from_secs(4));
    kill_process(process, Signal::CONT).unwrap();
    events.for_each(|line| drop(line.unwrap()));
    assert!(arbiter.wait().unwrap().success());
    let report: MatchReport = serde_json::from_slice(&fs::read(folder.join("report.json")).unwrap()).unwrap();
    let game = &report.games[0];
    assert!(!game.plies.is_empty(), "a bot that does what it is told is not late: {:?}", game.ending);
    let first = game.plies[0].times();
    let charged = first.charged().unwrap();
    assert!(charged < 4_000_000_000, "{charged} ns were charged of {first:?}");
}
