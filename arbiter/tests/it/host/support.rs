//! Bots compiled on the spot, and a referee small enough to test players with.

use arbiter::host::{BotCommand, Host, Isolation, Means, Sandboxed};
use arbiter::player::{Answer, Briefing, Budget, GameResult, Player, Reply, TimeControl, Turn};
use arbiter::verdict::{ChosenBy, Event, Failure, Fault, Played, Spent};
use arbiter_rules::{Chance, Choice, MoveList, Position, Seat, Setup, registry};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
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
    static HOST: LazyLock<Host> = LazyLock::new(|| Host::with_program(env!("CARGO_BIN_EXE_arbiter")));
    &HOST
}

/// The seed of every game here.
pub(crate) const SEED: u64 = 42;

/// A bot of `tests/bots`, compiled once in this run.
pub(crate) fn c_bot(name: &str) -> PathBuf {
    compiled(name, &["-shared", "-fPIC", "-fvisibility=hidden"])
}

/// Set where all bots are to be isolated, as `--isolate` is.
pub(crate) const ISOLATE: &str = "ARBITER_TEST_ISOLATE";

/// How bots are isolated here.
pub(crate) fn isolation() -> Isolation {
    let words = std::env::var(ISOLATE).unwrap_or_default();
    let means = Means::ALL.into_iter().filter(|means| words.split(',').any(|word| word == means.word()));
    Isolation::of(&means.collect::<Vec<_>>())
}

/// A source of `tests/bots`, compiled with these options once in this run.
pub(crate) fn compiled(name: &str, options: &[&str]) -> PathBuf {
    type Compiled = HashMap<String, Arc<OnceLock<PathBuf>>>;
    static DONE: LazyLock<Mutex<Compiled>> = LazyLock::new(Mutex::default);
    let key = format!("{name} {}", options.join(" "));
    let slot = Arc::clone(DONE.lock().unwrap().entry(key.clone()).or_default());
    slot.get_or_init(|| compile(name, options, &key)).clone()
}

fn compile(name: &str, options: &[&str], key: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file: String = key.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{file}.so"));
    let fresh = library.with_extension(std::process::id().to_string());
    let source = |ending| root.join("tests/bots").join(format!("{name}.{ending}"));
    let (compiler, standard, source) = match source("c") {
        source if source.exists() => ("cc", "-std=c11", source),
        _ => ("c++", "-std=c++17", source("cpp")),
    };
    let mut compiler = Command::new(compiler);
    compiler.args([standard, "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]).args(options);
    compiler.arg("-I").arg(root.join("../plugin-api/include")).arg("-o").arg(&fresh).arg(source);
    let status = compiler.status().expect("these tests need a C and a C++ compiler");
    assert!(status.success(), "{name} does not compile");
    // Another run may be using the one that is there.
    std::fs::rename(fresh, &library).unwrap();
    library
}

/// A bot of the workspace, compiled in the same profile as this program.
pub(crate) fn rust_bot(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_arbiter")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--quiet", "--package", &format!("bot-{name}")]);
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    cargo.arg("--target-dir").arg(folder.parent().unwrap()).current_dir(env!("CARGO_MANIFEST_DIR"));
    assert!(cargo.status().unwrap().success(), "the bot {name} does not compile");
    folder.join(format!("lib{name}.so"))
}

/// A folder of `tests/bots` with a bot in Go, compiled.
pub(crate) fn go_bot(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.so"));
    let include = format!("-I{}", root.join("../plugin-api/include").display());
    let mut go = Command::new("go");
    go.args(["build", "-buildmode=c-shared", "-o"]).arg(&library).arg(".");
    // Each user who runs the tests gets a cache of its own.
    let user = rustix::process::getuid().as_raw();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("go-cache-{user}"));
    go.env("CGO_CFLAGS", include).env("GOCACHE", cache);
    let status = go.current_dir(root.join("tests/bots").join(name)).status();
    assert!(status.expect("there is a Go compiler").success(), "{name} does not compile");
    library
}

/// How to run a bot of `tests/bots` with options for it.
pub(crate) fn command(name: &str, options: &[(&str, &str)]) -> BotCommand {
    command_of(&c_bot(name), options)
}

/// How to run a library with options for it.
pub(crate) fn command_of(library: &Path, options: &[(&str, &str)]) -> BotCommand {
    let mut command = BotCommand::new(host(), library);
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

/// The bot `faulty` with these texts written over its marks, in a file of its own.
pub(crate) fn marked_faulty(marks: &[(&str, &str)]) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let mut library = std::fs::read(c_bot("faulty")).unwrap();
    for (mark, text) in marks {
        let old = format!("mark for {mark}\0");
        let at = library.windows(old.len()).position(|bytes| bytes == old.as_bytes());
        let at = at.unwrap_or_else(|| panic!("no mark for {mark}"));
        let place = &mut library[at..at + 256];
        place.fill(0);
        place[..text.len()].copy_from_slice(text.as_bytes());
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("faulty-{}-{number}.so", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, library).unwrap();
    path
}

/// Waits until a process is in one of these states: `T` is stopped, `Z` is dead.
pub(crate) fn wait_until(process: i32, states: &[char]) {
    let begun = Instant::now();
    let is_so = || {
        // A process that is dead and gone has no such file.
        let status =
            std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or("State:\tZ".to_owned());
        let state = status.lines().find_map(|line| line.strip_prefix("State:\t"));
        state.is_some_and(|state| state.starts_with(states))
    };
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "process {process} is in another state");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A handle on a player's process that tells when it is gone; none if it is gone already.
pub(crate) struct Watch(Option<OwnedFd>);

impl Watch {
    pub(crate) fn on(player: &Sandboxed) -> Watch {
        let pid = Pid::from_raw(player.pid().expect("the bot has a process")).unwrap();
        Watch(pidfd_open(pid, PidfdFlags::empty()).ok())
    }

    pub(crate) fn wait_until_gone(self) {
        self.wait();
    }

    pub(crate) fn wait(&self) {
        self.0.iter().for_each(|process| {
            poll(&mut [PollFd::new(process, PollFlags::IN)], None).unwrap();
        });
    }
}
