//! A referee small enough to test players with.

pub(crate) use crate::support::{c_bot, c_bot_with, compiled, go_bot, marked_faulty};
use arbiter::host::{BotCommand, Host, Isolation, Means, Sandboxed};
use arbiter::player::{Answer, Briefing, Budget, GameResult, Player, Reply, TimeControl, Turn};
use arbiter::verdict::{ChosenBy, Event, Failure, Fault, Played, Spent};
use arbiter_rules::{Chance, Choice, MoveList, Position, Seat, Setup, registry};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// What a bot did wrong, where it was the bot and not the machine.
#[track_caller]
pub(crate) fn fault_of(failure: Failure) -> Fault {
    match failure {
        Failure::Fault(fault) => fault,
        Failure::Machine(failure) => panic!("the machine failed: {failure:?}"),
    }
}

/// The host of all bots here.
pub(crate) fn host() -> &'static Host {
    static HOST: LazyLock<Host> = LazyLock::new(|| Host::with_executable(env!("CARGO_BIN_EXE_arbiter")));
    &HOST
}

/// The seed of every game here.
pub(crate) const SEED: u64 = 42;

/// Set where all bots are to be isolated, as `--isolate` is.
pub(crate) const ISOLATE: &str = "ARBITER_TEST_ISOLATE";

/// How bots are isolated here.
pub(crate) fn isolation() -> Isolation {
    let words = std::env::var(ISOLATE).unwrap_or_default();
    let means = Means::ALL.into_iter().filter(|means| words.split(',').any(|word| word == means.word()));
    Isolation::of(&means.collect::<Vec<_>>())
}

/// Makes sure that these tests pass where the command starts this program again.
#[track_caller]
pub(crate) fn pass(mut again: Command, tests: &[&str], how: &str) {
    let output = again.args(tests).args(["--exact", "--test-threads=2"]).output();
    let output = output.expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{how}: {text}{}", String::from_utf8_lossy(&output.stderr));
    let passed = format!("{} passed", tests.len());
    assert!(text.contains(&passed), "{how}: {text}");
}

/// How to run a bot of `tests/bots` with options for it.
pub(crate) fn command(name: &str, options: &[(&str, &str)]) -> BotCommand {
    command_of(c_bot(name), options)
}

/// How to run a library with options for it.
pub(crate) fn command_of(library: impl Into<PathBuf>, options: &[(&str, &str)]) -> BotCommand {
    let mut command = BotCommand::new(host(), host().bot(library));
    command.limits.isolation = isolation();
    command.options = options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    command
}

/// A bot of `tests/bots` in a process of its own.
pub(crate) fn sandboxed(name: &str, options: &[(&str, &str)]) -> Sandboxed {
    Sandboxed::start(&command(name, options))
}

/// A game from its start, without options.
pub(crate) fn start(game: &str) -> Position {
    registry::start(game, &Setup::default()).unwrap()
}

/// Begins a game for a player in a seat.
pub(crate) fn brief<'a>(start: &'a Position, seat: Seat) -> Briefing<'a> {
    Briefing { seat, start, seed: SEED, max_errors: 3, time: TimeControl::MoveTime(Duration::from_secs(60)) }
}

/// Begins a game for a player in the first seat, and gives its start.
#[track_caller]
pub(crate) fn begin(player: &mut dyn Player, game: &str) -> Position {
    let start = start(game);
    player.new_game(&brief(&start, Seat::FIRST)).unwrap();
    start
}

/// What a player answers in the first turn of a game.
#[track_caller]
pub(crate) fn first_answer(player: &mut dyn Player, game: &str) -> Answer {
    let start = begin(player, game);
    ask(player, &start, AMPLE).answer
}

/// More time than any honest answer takes.
pub(crate) const AMPLE: Budget = Budget {
    hard: Some(Duration::from_secs(60)),
    soft: Duration::from_secs(30),
    margin: Duration::from_millis(5),
};

/// Asks a player for a move in a position.
pub(crate) fn ask(player: &mut dyn Player, position: &Position, budget: Budget) -> Reply {
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    let clocks = vec![budget.hard; position.seats()];
    let seat = position.to_move().unwrap();
    player.choose(&Turn {
        seat,
        position,
        legal: &legal,
        attempt: 0,
        budget,
        limit: budget.hard,
        clocks: &clocks,
        may_take_back: false,
    })
}

/// Plays a choice on the board and tells everybody.
pub(crate) fn play_choice(
    position: &mut Position,
    players: &mut [&mut dyn Player],
    choice: Choice,
    forced: bool,
) {
    let by = if forced { ChosenBy::Rules } else { ChosenBy::Player };
    play_by(position, players, &choice, by, Duration::from_micros(7), &Chance::NONE);
}

/// Plays a choice and what chance does after it, and tells everybody what it took.
pub(crate) fn play_by(
    position: &mut Position,
    players: &mut [&mut dyn Player],
    choice: &Choice,
    by: ChosenBy,
    took: Duration,
    chance: &Chance,
) {
    let (seat, ply) = (position.to_move().unwrap(), position.ply());
    let text = position.choice_text(choice);
    position.play(choice.played, chance).unwrap();
    let spent = Spent::of_wall(took);
    let (text, obligation, report) = (text.as_str(), None, None);
    let played = Played { seat, ply, choice, text, by, obligation, spent, chance, report, position };
    players.iter_mut().for_each(|player| player.told(&Event::Played(played)));
}

/// Plays a whole game from a position; every answer must be a legal move. Returns the number of plies.
pub(crate) fn play(position: &mut Position, players: &mut [&mut dyn Player]) -> u32 {
    for (index, player) in players.iter_mut().enumerate() {
        player.new_game(&brief(position, Seat::new(index).unwrap())).unwrap();
    }
    while let Some(seat) = position.to_move() {
        let (choice, forced) = if position.must_pass() {
            (Choice::from(position.nth_legal(0)), true)
        } else {
            let reply = ask(players[seat.index()], position, AMPLE);
            let Answer::Move(chosen) = reply.answer else { panic!("{:?} of seat {seat}", reply.answer) };
            (chosen.into(), false)
        };
        play_choice(position, players, choice, forced);
    }
    let end = position.end().unwrap();
    let result = GameResult { outcome: end.outcome, reason: end.reason.code(), score: None };
    players.iter_mut().for_each(|player| assert_eq!(player.game_over(&result), Ok(())));
    position.ply()
}

/// The state of a process: `T` is stopped, `Z` is dead.
pub(crate) fn state_of(process: i32) -> char {
    // A process that is dead and gone has no such file.
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or("State:\tZ".to_owned());
    let state = status.lines().find_map(|line| line.strip_prefix("State:\t")?.chars().next());
    state.expect("the kernel tells states")
}

/// Waits until a process is in one of these states.
pub(crate) fn wait_until(process: i32, states: &[char]) {
    let begun = Instant::now();
    while !states.contains(&state_of(process)) {
        assert!(begun.elapsed() < Duration::from_secs(60), "process {process} is in another state");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A handle on a player's process that tells when it is gone; none if it is gone already.
pub(crate) struct Watch(Option<OwnedFd>);

impl Watch {
    pub(crate) fn on(player: &Sandboxed) -> Watch {
        Watch::on_process(player.pid().expect("the bot has a process"))
    }

    pub(crate) fn on_process(number: i32) -> Watch {
        Watch(pidfd_open(Pid::from_raw(number).unwrap(), PidfdFlags::empty()).ok())
    }

    #[track_caller]
    pub(crate) fn wait_until_gone(&self) {
        let a_minute = Timespec { tv_sec: 60, tv_nsec: 0 };
        if let Some(process) = &self.0 {
            let ended = poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&a_minute)).unwrap();
            assert_eq!(ended, 1, "it is still there after a minute");
        }
    }
}
