//! Answers that come late: which are excused because the machine was busy, and which are not.

use super::support::{ask, begin, command};
use arbiter::host::{Sandboxed, cores, stay_on};
use arbiter::player::{Answer, Budget, Reply};
use arbiter::verdict::{Fault, Phase};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time of every turn here.
const TIME: Duration = Duration::from_millis(100);

const BUDGET: Budget =
    Budget { hard: Some(TIME), soft: Duration::from_millis(50), margin: Duration::from_millis(5) };

/// Programs that always have work to do, all on one core.
#[derive(Clone, Copy)]
enum Neighbours {
    None,
    Two,
    /// So many that the referee, which shares their core, waits for it for a second or more.
    Many,
}

/// What a bot with these options answers on a core, beside these neighbours.
fn answer(options: &[(&str, &str)], neighbours: Neighbours) -> Reply {
    let core = cores().first().copied();
    let mut command = command("clocked", options);
    command.core = core;
    let mut player = Sandboxed::start(&command);
    let position = begin(&mut player, "othello");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let busy = || {
            core.into_iter().for_each(stay_on);
            while !is_over.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        };
        let (count, is_last) = match neighbours {
            Neighbours::None => (0, false),
            Neighbours::Two => (2, false),
            Neighbours::Many => (150, true),
        };
        (0..count).for_each(|_| _ = scope.spawn(busy));
        let referee = scope.spawn(move || {
            if is_last {
                core.into_iter().for_each(stay_on);
                rustix::process::nice(19).expect("everybody may have less");
            }
            ask(&mut player, &position, BUDGET)
        });
        let reply = referee.join();
        is_over.store(true, Ordering::Relaxed);
        reply.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

const LATE: Answer = Answer::Fault(Fault::TimedOut { during: Phase::Move, budget: TIME });

#[test]
fn a_bot_that_others_kept_from_running_is_late_through_no_fault_of_its_own() {
    let naps: &[(&str, &str)] = &[("sleep_ms", "1"), ("work_ms", "80")];
    for options in [&[("work_ms", "80")], naps] {
        let Reply { answer, spent, .. } = answer(options, Neighbours::Two);
        assert!(matches!(answer, Answer::Move(_)), "{answer:?} after {spent:?}");
        assert!(spent.wall > TIME + BUDGET.margin, "it was not late at all: {spent:?}");
        assert!(spent.charged <= TIME + BUDGET.margin, "{spent:?}");
        let used = spent.cpu.unwrap();
        assert!(spent.charged >= used.mul_f64(0.9), "it has paid for what it used: {spent:?}");
    }
}

#[test]
fn a_bot_that_works_beyond_its_time_is_late_whoever_else_is_busy() {
    let reply = answer(&[("work_ms", "200")], Neighbours::Two);
    assert_eq!(reply.answer, LATE, "{:?}", reply.spent);
}

/// A bot with many threads keeps its referee waiting as these neighbours do, and would have each game that it loses played again.
#[test]
#[ignore = "fills a core for fifteen seconds, on which others would be tested"]
fn a_bot_that_works_beyond_its_time_is_late_however_long_its_referee_waits_for_the_core() {
    for _ in 0..3 {
        let reply = answer(&[("helpers", "60"), ("use_ms", "60000")], Neighbours::Many);
        assert_eq!(reply.answer, LATE, "{:?}", reply.spent);
    }
}

#[test]
fn helpers_that_keep_the_main_thread_off_its_core_buy_nothing() {
    let reply = answer(&[("helpers", "20"), ("use_ms", "200")], Neighbours::None);
    assert_eq!(reply.answer, LATE, "{:?}", reply.spent);
}

#[test]
fn what_helpers_use_is_paid_for_even_if_the_main_thread_has_waited_for_the_core() {
    // The main thread waits for their 60 ms of work, which would be excused if it were others'.
    let Reply { answer, spent, .. } =
        answer(&[("sleep_ms", "20"), ("helpers", "4"), ("use_ms", "60")], Neighbours::None);
    assert!(matches!(answer, Answer::Move(_)), "{answer:?} after {spent:?}");
    assert!(spent.charged < spent.wall, "what it waited for is not all charged: {spent:?}");
    assert!(spent.charged >= spent.cpu.unwrap().mul_f64(0.9), "{spent:?}");
}
