//! What a ply costs the referee with bots that answer at once, beside the least that the machine allows.
//!
//! ```text
//! cargo bench -p arbiter --bench referee_cost
//! ```
//!
//! Everything is pinned to one core, where only one party can run at a time. Every round measures each way once, so
//! that a busy machine disturbs all alike; the medians of all rounds are shown. Answers are asserted.

#![expect(clippy::print_stdout, reason = "a benchmark tells its figures there")]

use arbiter::host::{self, Core};
use arbiter::player::{
    Answer, BotCommand, Briefing, Budget, InProcess, Player, Sandboxed, TimeControl, Turn,
};
use arbiter::record::Recorder;
use arbiter::referee::{AtMaxPlies, Game, Policy, TimeSource, play_game};
use arbiter::verdict::{Ending, Event, EventSink};
use arbiter_plugin_api::raw;
use arbiter_rules::{MoveList, Position, Seat, Setup, registry};
use rustix::fs::MemfdFlags;
use rustix::mm::{MapFlags, ProtFlags};
use rustix::thread::{CpuSet, futex, sched_getaffinity, sched_setaffinity};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const ROUNDS: usize = 15;
const PINGS: u32 = 20_000;
const STARTS: u32 = 50;
const TURNS: u32 = 10_000;
const GAMES: u32 = 100;
/// Plies of a game of Othello in which both sides play the first move of the list.
const PLIES: u32 = 64;
const CALLS: u32 = 10_000_000;
const YIELDS: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).is_some_and(|arg| arg == "pong") {
        return pong();
    }
    arbiter::host::use_program(env!("CARGO_BIN_EXE_arbiter"));
    let core = pin()?;
    let bot = first_bot()?;
    let alone = BotCommand { core: Some(Core { number: core, bots: 1 }), ..BotCommand::new(&bot) };
    let command = BotCommand { core: Some(Core { number: core, bots: 2 }), ..BotCommand::new(&bot) };
    host::stay_on(Core { number: core, bots: 2 });
    let mut one = Sandboxed::start(&alone);
    let mut contained: [Box<dyn Player>; 2] =
        std::array::from_fn(|_| Box::new(Sandboxed::start(&command)) as _);
    let mut trusted: [Box<dyn Player>; 2] =
        std::array::from_fn(|_| Box::new(InProcess::trusting(&command)) as _);
    let mut rounds: [Vec<f64>; 6] = Default::default();
    for _ in 0..ROUNDS {
        let figures = [
            ping()?,
            turns(&mut one),
            plies(&mut contained),
            plies(&mut trusted),
            calls(&bot)?,
            starts(&command),
        ];
        rounds.iter_mut().zip(figures).for_each(|(round, figure)| round.push(figure));
    }
    let [bare, turn, ply, trusted, call, start] = rounds.map(median);
    println!("core {core}, medians of {ROUNDS} rounds, in microseconds");
    println!("bare function call                             {call:8.4}");
    println!("ply of two bots in our own process             {trusted:8.4}   {:8.0} plies/s", 1e6 / trusted);
    println!("bare ping-pong of two processes                {bare:8.4}");
    for (what, figure) in
        [("turn of a contained bot          ", turn), ("ply of two contained bots        ", ply)]
    {
        let (above, times) = (figure - bare, figure / bare);
        println!("{what}              {figure:8.4}   {above:.4} above the ping-pong, {times:.2} times");
    }
    println!("start of a contained bot, ready to play         {start:8.1}");
    Ok(())
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn micros_each(time: Duration, count: u32) -> f64 {
    time.as_secs_f64() * 1e6 / f64::from(count)
}

/// Stays on the last core that it may run on.
fn pin() -> Result<usize, Box<dyn Error>> {
    let allowed = sched_getaffinity(None)?;
    let core = (0..CpuSet::MAX_CPU).rev().find(|&core| allowed.is_set(core)).ok_or("no core")?;
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only)?;
    Ok(core)
}

fn first_bot() -> Result<PathBuf, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("referee_cost_first.so");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-fvisibility=hidden", "-O2", "-I"]).arg(root.join("plugin-api/include"));
    let status = cc.arg("-o").arg(&library).arg(root.join("bots/first-c/first.c")).status()?;
    if status.success() { Ok(library) } else { Err("first.c does not compile".into()) }
}

/// More time than any answer takes.
fn budget() -> Budget {
    let hard = Some(Duration::from_secs(1));
    Budget { hard, soft: Duration::from_millis(500), margin: Duration::from_millis(5) }
}

fn begin(player: &mut dyn Player, seat: Seat, start: &dyn Position) {
    let time = TimeControl::MoveTime(Duration::from_secs(1));
    let briefing = Briefing { seat, start, seed: 1, max_errors: 1, time };
    player.new_game(&briefing).expect("the bot plays");
}

/// Microseconds a turn of one player that is asked the same again and again.
fn turns(player: &mut dyn Player) -> f64 {
    let start = registry::start("othello", &Setup::default()).expect("the game exists");
    begin(player, Seat::FIRST, start.as_ref());
    let mut legal = MoveList::new();
    start.legal_moves(&mut legal);
    let (budget, clocks) = (budget(), [Some(Duration::from_secs(1)); 2]);
    let turn = Turn {
        seat: Seat::FIRST,
        position: start.as_ref(),
        legal: &legal,
        attempt: 0,
        budget,
        clocks: &clocks,
    };
    let started = Instant::now();
    let answers = (0..TURNS).filter(|_| player.choose(&turn).answer == Answer::Move(legal[0])).count();
    let time = started.elapsed();
    assert_eq!(answers, TURNS as usize, "the bot plays the first move");
    micros_each(time, TURNS)
}

/// Microseconds a ply of whole games that the referee plays and records, beginnings and ends left out.
fn plies(players: &mut [Box<dyn Player>]) -> f64 {
    let start = registry::start("othello", &Setup::default()).expect("the game exists");
    let policy = Policy {
        time: vec![TimeControl::MoveTime(Duration::from_secs(1)); 2],
        margin: Duration::from_millis(5),
        max_errors: 1,
        max_plies: 1_000,
        at_max_plies: AtMaxPlies::Draw,
        max_repetitions: 0,
    };
    let game = Game { start: &*start, opening: &[], chance_seed: 1, player_seeds: &[1, 1], policy: &policy };
    let (mut time, mut count) = (Duration::ZERO, 0);
    for _ in 0..GAMES {
        let mut recorder = Recorder::new(1, &[0, 1], 1, 0, String::new());
        let mut first_asked = None;
        let mut events = |event: &Event<'_>| {
            recorder.event(event);
            match event {
                Event::Asked { .. } if first_asked.is_none() => first_asked = Some(Instant::now()),
                Event::Ended { position, .. } => {
                    time += first_asked.expect("somebody was asked").elapsed();
                    count += position.ply();
                }
                _ => {}
            }
        };
        let ending = play_game(&game, players, &Endless, &mut events);
        assert!(matches!(ending, Ending::ByRules(_)), "{ending:?}");
    }
    assert_eq!(count, GAMES * PLIES, "both sides play the first move");
    micros_each(time, count)
}

/// Nobody stops these games, and nobody asks how long they took.
struct Endless;

impl TimeSource for Endless {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn interrupted(&self) -> bool {
        false
    }
}

/// Microseconds from nothing to a contained bot that has begun a game.
fn starts(command: &BotCommand) -> f64 {
    let start = registry::start("othello", &Setup::default()).expect("the game exists");
    let started = Instant::now();
    for _ in 0..STARTS {
        begin(&mut Sandboxed::start(command), Seat::FIRST, start.as_ref());
    }
    micros_each(started.elapsed(), STARTS)
}

/// Microseconds a call of a loaded function.
fn calls(bot: &Path) -> Result<f64, Box<dyn Error>> {
    // SAFETY: the bot was compiled from a source of ours, which has no constructors.
    let library = unsafe { libloading::Library::new(bot) }?;
    // SAFETY: the symbol is of this type in that source.
    let entry = unsafe { library.get::<raw::EntryPoint>(raw::ENTRY_POINT.to_bytes_with_nul()) }?;
    let started = Instant::now();
    let mut tables = std::ptr::null();
    for _ in 0..CALLS {
        // SAFETY: the function takes any number.
        tables = std::hint::black_box(unsafe { entry(std::hint::black_box(raw::ABI)) });
    }
    assert!(!tables.is_null(), "the bot has a table");
    Ok(micros_each(started.elapsed(), CALLS))
}

/// Two words in shared memory, the ping and the pong, and whether their readers sleep.
struct Words(&'static [[AtomicU32; 2]; 2]);

impl Words {
    fn map(file: impl std::os::fd::AsFd) -> Result<Words, Box<dyn Error>> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
        let at = unsafe { rustix::mm::mmap(std::ptr::null_mut(), 4096, access, MapFlags::SHARED, file, 0) }?;
        // SAFETY: the memory is a page that is never unmapped, and any bytes are atomic words.
        Ok(Words(unsafe { &*at.cast() }))
    }

    fn put(&self, side: usize, value: u32) {
        let [word, sleeping] = &self.0[side];
        word.store(value, Ordering::SeqCst);
        if sleeping.load(Ordering::SeqCst) != 0 {
            let _ = futex::wake(word, futex::Flags::empty(), 1);
        }
    }

    fn wait(&self, side: usize, value: u32) {
        let [word, sleeping] = &self.0[side];
        for _ in 0..YIELDS {
            if word.load(Ordering::SeqCst) == value {
                return;
            }
            std::thread::yield_now();
        }
        sleeping.store(1, Ordering::SeqCst);
        while word.load(Ordering::SeqCst) != value {
            let _ = futex::wait(word, futex::Flags::empty(), value.wrapping_sub(1), None);
        }
        sleeping.store(0, Ordering::SeqCst);
    }
}

/// Microseconds a round trip between two processes that say nothing.
fn ping() -> Result<f64, Box<dyn Error>> {
    let file = rustix::fs::memfd_create(c"ping", MemfdFlags::CLOEXEC)?;
    rustix::fs::ftruncate(&file, 4096)?;
    let words = Words::map(&file)?;
    let mut child = Command::new(std::env::current_exe()?).arg("pong").stdin(Stdio::from(file)).spawn()?;
    let mut started = Instant::now();
    for number in 1..=PINGS + 1 {
        words.put(0, number);
        words.wait(1, number);
        if number == 1 {
            started = Instant::now();
        }
    }
    let time = started.elapsed();
    assert!(child.wait()?.success(), "the other side has answered every ping");
    Ok(micros_each(time, PINGS))
}

fn pong() -> Result<(), Box<dyn Error>> {
    let words = Words::map(rustix::stdio::stdin())?;
    for number in 1..=PINGS + 1 {
        words.wait(0, number);
        words.put(1, number);
    }
    Ok(())
}
