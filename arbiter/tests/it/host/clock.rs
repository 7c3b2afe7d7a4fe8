//! What counts on a bot's clock: the processor time of its whole process, and the time in which it chose not to run.

use super::support::{c_bot, marked_faulty};
use crate::support::{Judged, Lost, charged, cores, on_core, scratch, turns, wall};
use serde_json::Value;
use std::fs;
use std::time::Duration;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Games between two bots with these options.
fn between(name: &str, bots: [(&str, &[&str]); 2], args: &[&str]) -> Judged {
    let libraries = bots.map(|(bot, _)| c_bot(bot));
    let mut all = libraries.iter().map(String::as_str).collect::<Vec<_>>();
    let options = bots.iter().zip(1..).flat_map(|((_, options), place)| {
        options.iter().flat_map(move |option| ["-B".to_owned(), format!("{place}:{option}")])
    });
    let options: Vec<_> = options.collect();
    all.extend(options.iter().map(String::as_str));
    all.extend(["--game", "tic-tac-toe", "--openings", "none", "--jobs", "1"]);
    all.extend(args);
    Judged::play(&scratch(&format!("clock-{}", name.replace(' ', "-"))), &all)
}

/// Games of a bot that uses time in this way against one that needs none.
fn spend(name: &str, options: &[&str], args: &[&str]) -> Judged {
    between(name, [("clocked", options), ("first", &[])], args)
}

/// Makes sure that a bot that uses time in this way loses by it, and gives how.
#[track_caller]
fn loses(name: &str, options: &[&str], time: &str) -> Vec<Lost> {
    loses_with("1", name, options, time)
}

/// The same for a bot that may use so many threads.
#[track_caller]
fn loses_with(threads: &str, name: &str, options: &[&str], time: &str) -> Vec<Lost> {
    let report = spend(name, options, &["--games", "2", "--move-time", time, "--threads", threads]);
    let lost = report.lost();
    let is_right = |lost: &Lost| {
        (lost.player, &*lost.kind, &*lost.during) == (0, "timed-out", "choose_move")
            && lost.limit == Some(ms(time.strip_suffix("ms").unwrap().parse().unwrap()))
    };
    assert!(lost.len() == 2 && lost.iter().all(is_right), "{name}: {lost:?}");
    lost
}

#[test]
fn a_bot_that_sleeps_loses_once_its_time_and_the_forgiven_idleness_are_over() {
    for lost in loses("sleeper", &["sleep_ms=60000"], "50ms") {
        let wall = lost.wall.unwrap();
        // Far less than the longest wait that there is, however late a busy machine looks at its clock.
        assert!(wall > ms(50) && wall < ms(10_000), "{lost:?}");
        assert!(lost.cpu.unwrap() < ms(10), "{lost:?}");
    }
}

#[test]
fn a_bot_that_sleeps_pays_for_it_on_a_clock() {
    let report = spend("sleeper on a clock", &["sleep_ms=300"], &["--games", "2", "--clock", "8s+10ms"]);
    assert_eq!(report.lost(), []);
    for game in report.games() {
        let seat = game["seats"].as_array().unwrap().iter().position(|seat| seat["player"] == 0).unwrap();
        let plies = turns(game).into_iter().filter(|(of, _)| *of == seat as u64).map(|(_, ply)| ply);
        let times: Vec<_> = plies.map(charged).collect();
        // A game forgives 100 ms of idleness, and a busy machine what the bot waited for a processor when it woke.
        assert!(times.iter().all(|time| *time >= ms(100)), "{times:?}");
    }
}

/// In a long game, so that it does not matter when exactly a busy machine looks at it.
#[test]
fn a_bot_that_sleeps_on_with_an_empty_clock_loses_once_the_forgiven_idleness_is_over() {
    let bots = ["clocked", "first"].map(c_bot);
    let [sleeper, other] = bots.each_ref().map(String::as_str);
    let args = ["--game", "othello", "--openings", "none", "--clock", "200ms+0ms", "-B", "1:sleep_ms=45"];
    let report = Judged::play(&scratch("clock-empty"), &[&[sleeper, other][..], &args].concat());
    let lost = report.lost();
    assert!(lost.len() == 1 && (lost[0].player, &*lost[0].kind) == (0, "timed-out"), "{lost:?}");
}

#[test]
fn a_bot_that_works_a_quarter_too_long_loses() {
    for lost in loses("over by a quarter", &["work_ms=50"], "40ms") {
        assert!(lost.cpu.unwrap() >= ms(38), "{lost:?}");
    }
}

#[test]
fn one_thread_has_no_more_time_where_four_are_allowed() {
    // All four together may use 160 ms of processor time.
    loses_with("4", "one of four threads", &["work_ms=120"], "40ms");
}

#[test]
fn threads_that_sleep_in_turns_with_others_of_their_own_gain_nothing() {
    loses("blinker of 1 ms", &["blinkers=1", "blink_us=1000"], "50ms");
    loses("blinker of 1 us", &["blinkers=1", "blink_us=1"], "50ms");
    loses("16 blinkers of 1 ms", &["blinkers=16", "blink_us=1000"], "50ms");
    loses("16 blinkers of 1 us", &["blinkers=16", "blink_us=1"], "50ms");
}

/// It could otherwise sleep until the referee takes the machine to be at fault, and have a game that it loses played again.
#[test]
fn threads_that_wait_for_each_other_excuse_no_sleep() {
    for lost in loses("sleeper behind a crowd", &["crowd=40", "sleep_ms=2500"], "200ms") {
        assert!(lost.wall.unwrap() < ms(2_500), "{lost:?}");
    }
}

/// The same where it answers: its game could otherwise last many times its clock.
#[test]
fn threads_that_wait_for_each_other_make_no_sleep_free() {
    let options = ["crowd=40", "sleep_ms=3000"];
    let args = ["--games", "1", "--clock", "9s+0ms", "--max-plies", "2"];
    let report = spend("sleeper behind a crowd on a clock", &options, &args);
    assert_eq!(report.lost(), []);
    let times: Vec<_> = report.plies_of(0).map(charged).collect();
    assert!(times.len() == 1 && times[0] >= ms(1_000), "{times:?}");
}

/// A bot could otherwise think twice as long by handing its work to and fro.
#[test]
fn threads_that_share_a_core_have_no_more_time_than_one() {
    // Each of the two uses 36 ms.
    on_core(cores()[0], || loses_with("2", "two threads on a core", &["ping_pong=600"], "40ms"));
}

/// Makes sure that half of the victim's turns are charged with no more than this beyond what it used itself. Now and then
/// others on the machine take a whole turn.
fn is_not_charged_for_its_opponent(name: &str, thief: &str, victim: &[&str], most: Duration) {
    let bots = [("clocked", &[thief][..]), ("clocked", victim)];
    let report = between(name, bots, &["--games", "2", "--clock", "60s+0ms"]);
    assert_eq!(report.lost(), []);
    for game in report.games() {
        let seat = game["seats"].as_array().unwrap().iter().position(|seat| seat["player"] == 1).unwrap();
        let plies = turns(game).into_iter().filter(|(of, _)| *of == seat as u64);
        let used = |ply: &Value| Duration::from_nanos(ply["cpu_ns"].as_u64().unwrap());
        let mut beyond: Vec<_> = plies.map(|(_, ply)| charged(ply).saturating_sub(used(ply))).collect();
        beyond.sort_unstable();
        assert!(beyond[beyond.len() / 2] < most, "charged beyond what it used: {beyond:?}");
    }
}

/// The other bot could otherwise take its opponent's time by keeping the processor busy.
#[test]
fn a_bot_that_is_kept_waiting_by_what_its_opponent_left_behind_is_not_charged_for_it() {
    is_not_charged_for_its_opponent("kept by the opponent", "ponder_ms=7", &["work_ms=4"], ms(1));
}

/// Bots that start a thread for each turn would pay for every busy machine.
#[test]
fn a_bot_is_not_charged_for_what_its_threads_waited_before_they_ended() {
    // Those 10 ms that go by before the first look are not known, and up to 5 before the thread ends.
    is_not_charged_for_its_opponent("kept apart", "ponder_ms=60", &["work_ms=40", "apart=1"], ms(20));
}

#[test]
fn a_bot_that_yields_for_ever_loses() {
    // At its deadline where nobody takes it, and otherwise at the longest wait that there is.
    loses("yielder", &["yield_loop=1"], "50ms");
}

#[test]
fn a_bot_that_thinks_on_its_opponents_time_pays_for_it() {
    let ponderer: &[&str] = &["work_ms=1", "ponder_ms=20"];
    let opponent: &[&str] = &["work_ms=40"];
    let args = ["--games", "2", "--move-time", "1s"];
    let report = between("ponderer", [("clocked", ponderer), ("clocked", opponent)], &args);
    assert_eq!(report.lost(), []);
    for game in report.games() {
        let seat = game["seats"].as_array().unwrap().iter().position(|seat| seat["player"] == 0).unwrap();
        let turns: Vec<_> = turns(game).into_iter().collect();
        let before_its_own = turns.windows(2).filter(|pair| pair[1].0 == seat as u64);
        let mut sum = Duration::ZERO;
        for (opponents, own) in before_its_own.map(|pair| (pair[0].1, pair[1].1)) {
            // The bot says what it has used in between, in microseconds: little, beside other work.
            let used = Duration::from_micros(own["search"]["nodes"].as_u64().unwrap_or(0));
            let pondered = Duration::from_nanos(own["pondered_ns"].as_u64().unwrap_or(0));
            // And a look at its clock may come a tick late.
            let free = ms(5) + wall(opponents) / 50;
            assert!(pondered + free >= used && charged(own) >= pondered, "it has not paid: {own}");
            sum += pondered;
        }
        assert!(sum >= ms(8), "it has thought on the opponent's time: {game}");
    }
    // Nobody pays for what another one does.
    for ply in report.plies_of(1) {
        assert!(ply["pondered_ns"].is_null(), "{ply}");
    }
}

/// What it used in a turn between two looks of the supervisor is not what it used while it was stopped.
#[test]
fn a_bot_that_is_stopped_and_asked_again_before_the_next_look_plays_on() {
    let bot: (&str, &[&str]) = ("clocked", &["work_ms=8"]);
    let args = ["--games", "6", "--move-time", "1s", "--stop-between-turns"];
    assert_eq!(between("stopped and asked", [bot, bot], &args).lost(), []);
}

#[test]
fn a_bot_that_has_used_up_its_next_turn_before_it_begins_loses_then() {
    let ponderer: &[&str] = &["ponder_ms=500"];
    let opponent: &[&str] = &["work_ms=100"];
    // Soon after a turn it is stopped; until then it has a share of the processor.
    let args = ["--games", "2", "--time-odds", "1:5ms/move", "--move-time", "1s"];
    let lost = between("ponderer without end", [("clocked", ponderer), ("clocked", opponent)], &args).lost();
    assert!(
        lost.len() == 2 && lost.iter().all(|lost| lost.player == 0 && lost.kind == "timed-out"),
        "{lost:?}"
    );
}

#[test]
fn a_bot_pays_for_the_memory_that_it_asks_for() {
    let report =
        spend("page faults", &["fault_mb=8", "work_ms=30"], &["--games", "1", "--move-time", "200ms"]);
    assert_eq!(report.lost(), []);
    assert!(report.plies_of(0).all(|ply| charged(ply) >= ms(28)));
    loses("endless page faults", &["fault_mb=8"], "50ms");
}

#[test]
fn a_bot_that_stops_when_told_is_in_time() {
    let bots: [(&str, &[&str]); 2] = [("clocked", &["obey=1"]), ("clocked", &["obey_time=1"])];
    let report = between("obedient", bots, &["--games", "2", "--move-time", "30ms"]);
    assert_eq!(report.lost(), []);
    // A look at the clock that comes early, or never, would show here.
    assert!(report.plies_of(1).all(|ply| wall(ply) >= ms(15)), "most of the time is used");
}

#[test]
fn a_new_game_has_no_more_time_than_a_move() {
    let args = ["--games", "1", "--move-time", "20ms"];
    let lost = spend("long preparation", &["prepare_ms=2000"], &args).lost();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert_eq!((&*lost[0].kind, &*lost[0].during), ("timed-out", "new_game"), "{lost:?}");
    assert_eq!(lost[0].limit, Some(ms(100)), "{lost:?}");
    assert_eq!(spend("short preparation", &["prepare_ms=60"], &args).lost(), []);
    let args = ["--games", "1", "--move-time", "1s"];
    assert_eq!(spend("preparation of one move", &["prepare_ms=600"], &args).lost(), []);
}

#[test]
fn constructor_and_create_have_5_s_together() {
    let library = marked_faulty(&[("load", "work 3 s"), ("create", "work 6 s")]);
    let first = c_bot("first");
    let args = [&*library, &*first, "--game", "tic-tac-toe", "--jobs", "1"];
    let lost = Judged::play(&scratch("clock-slow-start"), &args).lost();
    fs::remove_file(library).unwrap();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert_eq!((lost[0].player, &*lost[0].kind, &*lost[0].during), (0, "timed-out", "create"), "{lost:?}");
}

/// What the referee does for one bot must not be paid for by another.
#[test]
fn a_bot_keeps_its_processor_whatever_its_opponent_asks_the_referee_for() {
    for misdeed in
        ["leave a thread bomb behind", "leave a flood of calls behind", "leave a flood of threads behind"]
    {
        let flood = format!("between_turns={misdeed}");
        let bots: [(&str, &[&str]); 2] = [("faulty", &[&flood]), ("clocked", &["work_ms=20"])];
        let report = between(misdeed, bots, &["--games", "4", "--move-time", "30ms"]);
        let lost = report.lost();
        assert!(lost.iter().all(|lost| lost.player == 0), "{misdeed}: {lost:?}");
        // It has at least one turn in each game before the other one pays for what it does.
        let turns = report.plies_of(1).count();
        assert!(turns >= 4, "{misdeed}: the other one has had {turns} turns only: {lost:?}");
    }
}
