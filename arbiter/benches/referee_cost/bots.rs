//! What players cost: turns, plies of whole games, starts, ends.

use crate::build::PROGRAM;
use crate::micros_each;
use arbiter::host::{BotCommand, Host, InProcess, Sandboxed};
use arbiter::player::{Answer, Briefing, Budget, Player, Reply, TimeControl, Turn};
use arbiter::record::Recorder;
use arbiter::referee::{Game, Policy, TimeSource, play_game};
use arbiter::verdict::{Ending, Event, Fault};
use arbiter_rules::{MoveList, Position, Seat, Setup, registry};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

const TURNS: u32 = 10_000;
const GAMES: u32 = 100;
const STARTS: u32 = 20;
const KILLS: u32 = 10;
/// Plies of a game of Othello in which both sides play the first move of the list.
pub(crate) const PLIES: u32 = 64;

/// Microseconds a turn of one player that is asked the same again and again.
pub(crate) fn turns(player: &mut dyn Player) -> f64 {
    let start = othello();
    begin(player, &start);
    let budget = Budget {
        hard: Some(Duration::from_secs(1)),
        soft: Duration::from_millis(500),
        margin: Duration::from_millis(5),
    };
    let started = Instant::now();
    for _ in 0..TURNS {
        let Reply { answer, .. } = ask(player, &start, budget);
        assert!(matches!(answer, Answer::Move(_)), "{answer:?}");
    }
    micros_each(started.elapsed(), TURNS)
}

/// Microseconds a ply of whole games that the referee plays and records, beginnings and ends left out.
pub(crate) fn plies(players: &mut [Box<dyn Player>]) -> f64 {
    let (mut time, mut count) = (Duration::ZERO, 0);
    for _ in 0..GAMES {
        let (game, plies) = play(players);
        time += game;
        count += plies;
    }
    assert_eq!(count, GAMES * PLIES, "both sides play the first move");
    micros_each(time, count)
}

/// The same for each game.
pub(crate) fn plies_by_game(players: &mut [Box<dyn Player>]) -> Vec<f64> {
    let games = (0..GAMES).map(|_| play(players));
    games.map(|(time, plies)| micros_each(time, plies)).collect()
}

/// Plays games in our own process, and nothing else.
pub(crate) fn play_trusted(bot: &Path, games: u32) {
    let host = Host::with_executable(PROGRAM);
    let command = BotCommand::new(&host, host.bot(bot));
    let mut players: [Box<dyn Player>; 2] =
        std::array::from_fn(|_| Box::new(InProcess::trusting(command.clone())) as _);
    for _ in 0..games {
        assert_eq!(play(&mut players).1, PLIES, "both sides play the first move");
    }
}

/// Plays one game: the time from the first question to the end, and the number of plies.
fn play(players: &mut [Box<dyn Player>]) -> (Duration, u32) {
    let start = othello();
    let policy = Policy::usual(vec![TimeControl::MoveTime(Duration::from_secs(1)); 2]);
    let game = Game {
        start: &start,
        opening: &[],
        chance_seed: 1,
        player_seeds: &[1, 1],
        policy: &policy,
        excused: &[],
    };
    let mut recorder = Recorder::new(1, &[0, 1], 1, 0, String::new());
    let (mut first_asked, mut played) = (None, (Duration::ZERO, 0));
    let mut events = |event: &Event<'_>| {
        recorder.event(event);
        match event {
            Event::Asked { .. } => first_asked = first_asked.or_else(|| Some(Instant::now())),
            Event::Ended { position, .. } => {
                played = (first_asked.expect("somebody was asked").elapsed(), position.ply());
            }
            _ => {}
        }
    };
    // Nobody stops these games, and nobody asks how long they took.
    let time = TimeSource { elapsed: &|| Duration::ZERO, interrupted: &|| false };
    let ending = play_game(&game, players, time, &mut events);
    assert!(matches!(ending, Ending::ByRules(_)), "{ending:?}");
    played
}

/// Microseconds from nothing to a contained bot that has begun a game, and from its end until its process is gone.
pub(crate) fn starts(command: &BotCommand) -> [f64; 2] {
    let start = othello();
    let (mut ready, mut gone) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..STARTS {
        let started = Instant::now();
        let mut player = Sandboxed::start(command);
        begin(&mut player, &start);
        ready += started.elapsed();
        let process = watch(&player);
        let ended = Instant::now();
        drop(player);
        wait_until_gone(&process);
        gone += ended.elapsed();
    }
    [ready, gone].map(|time| micros_each(time, STARTS))
}

/// Microseconds from the deadline of a bot that never answers to the verdict, and from there until its process is
/// gone.
pub(crate) fn kills(endless: &BotCommand) -> [f64; 2] {
    let start = othello();
    let hard = Duration::from_millis(3);
    let budget =
        Budget { hard: Some(hard), soft: Duration::from_millis(2), margin: Duration::from_millis(1) };
    let (mut verdict, mut gone) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..KILLS {
        let mut player = Sandboxed::start(endless);
        begin(&mut player, &start);
        let process = watch(&player);
        let asked = Instant::now();
        let Reply { answer, .. } = ask(&mut player, &start, budget);
        verdict += asked.elapsed().saturating_sub(hard + budget.margin);
        let told = Instant::now();
        assert!(matches!(answer, Answer::Fault(Fault::TimedOut { .. })), "{answer:?}");
        wait_until_gone(&process);
        gone += told.elapsed();
    }
    [verdict, gone].map(|time| micros_each(time, KILLS))
}

fn othello() -> Position {
    registry::start("othello", &Setup::default()).expect("the game exists")
}

fn begin(player: &mut dyn Player, start: &Position) {
    let time = TimeControl::MoveTime(Duration::from_secs(1));
    let briefing = Briefing { seat: Seat::FIRST, start, seed: 1, max_errors: 1, time };
    player.new_game(&briefing).expect("the bot plays");
}

fn ask(player: &mut dyn Player, position: &Position, budget: Budget) -> Reply {
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    let clocks = [budget.hard; 2];
    player.choose(&Turn {
        seat: Seat::FIRST,
        position,
        legal: &legal,
        attempt: 0,
        budget,
        limit: budget.hard,
        clocks: &clocks,
        may_take_back: false,
    })
}

fn watch(player: &Sandboxed) -> OwnedFd {
    let number = player.pid().and_then(Pid::from_raw).expect("the bot has a process");
    pidfd_open(number, PidfdFlags::empty()).expect("the process is there")
}

fn wait_until_gone(process: &OwnedFd) {
    poll(&mut [PollFd::new(process, PollFlags::IN)], None).expect("waiting needs nothing");
}
