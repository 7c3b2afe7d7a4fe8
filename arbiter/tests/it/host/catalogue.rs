//! Everything that a bot can do wrong, in every place where it can do it: what the referee says of it, and that nobody
//! else notices.

use super::support::{
    AMPLE, Watch, ask, begin, brief, command, first_answer, host, isolation, marked_faulty, play_choice,
    sandboxed, start,
};
use crate::support::say_aloud;
use Expected::{Anything, Crash, CrashAt, Exit, Forbidden, Late, Memory, PlaysOn};
use arbiter::host::machine::{self, Offer};
use arbiter::host::{BotCommand, InProcess, Limits, Sandboxed};
use arbiter::player::{Answer, Budget, GameResult, Player};
use arbiter::verdict::{Failure, Fault, MachineFailure, Phase, Shortage};
use arbiter_rules::{Outcome, Position, Seat};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

/// What comes of a misdeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The bot is ended for this system call.
    Forbidden(&'static str),
    /// What it wants is refused, or harms nobody, and it plays on.
    PlaysOn,
    /// This signal, at whatever address.
    Crash(i32),
    /// This signal for an access to this address.
    CrashAt(i32, u64),
    /// This exit code.
    Exit(i32),
    /// It never answers.
    Late,
    /// It has used up its memory.
    Memory,
    /// What it does to itself cannot be foreseen.
    Anything,
}

/// What bots may use here.
pub(crate) const MEMORY: u64 = 48 << 20;

/// Every misdeed. Those named "call" are forbidden system calls of that name.
const CATALOGUE: &[(&str, Expected)] = &[
    // Crashes.
    ("segfault", CrashAt(11, 0xdead0)),
    ("segfault in a thread", CrashAt(11, 0xdead0)),
    ("abort", Crash(6)),
    ("divide", Crash(8)),
    ("overflow", Crash(11)),
    ("kill", Crash(9)),
    ("terminate", Crash(15)),
    ("alarm", Crash(14)),
    ("allocate hugely", Memory),
    ("allocate hugely and give up", Memory),
    ("forget to look", Memory),
    ("fill most of memory and segfault", CrashAt(11, 0xdead0)),
    ("exit 0", Exit(0)),
    ("_exit 3", Exit(3)),
    ("close all", PlaysOn),
    // Time.
    ("loop", Late),
    ("sleep", Late),
    ("hide and sleep", Late),
    ("take half a letter for a name and sleep", Late),
    ("block signals and loop", Late),
    ("stop itself", Late),
    ("answer late", Late),
    ("flood for ever", Late),
    ("print for ever", Late),
    ("flood", PlaysOn),
    // Memory, threads, files.
    ("fill memory", Memory),
    ("reserve addresses", PlaysOn),
    ("grow downwards", PlaysOn),
    ("shared memory", PlaysOn),
    ("huge pages", PlaysOn),
    ("lock memory", PlaysOn),
    ("thread bomb", PlaysOn),
    ("open descriptors", PlaysOn),
    ("make pipes", PlaysOn),
    ("make timers without end", PlaysOn),
    ("time another process", PlaysOn),
    ("storm of alarms", PlaysOn),
    ("make timers", PlaysOn),
    ("advise on memory", PlaysOn),
    // Processes.
    ("fork", Forbidden("clone")),
    ("fork bomb", Forbidden("clone")),
    ("fork with signals blocked", Forbidden("clone")),
    ("fork with its signal ignored", Forbidden("clone")),
    ("daemonise", Forbidden("clone")),
    ("execute", Forbidden("execve")),
    ("shell", Forbidden("clone")),
    ("new namespace", Forbidden("clone")),
    ("kill referee", Forbidden("kill")),
    ("kill group", Forbidden("kill")),
    ("kill all", Forbidden("kill")),
    ("go on by itself", Forbidden("kill")),
    ("kill thread of referee", Forbidden("tgkill")),
    ("queue signal to referee", Forbidden("rt_sigqueueinfo")),
    ("kill other bot", Forbidden("kill")),
    ("outlive referee", Forbidden("prctl")),
    ("dumpable", Forbidden("prctl")),
    ("raise limits", Forbidden("prlimit64")),
    ("raise limit of files", PlaysOn),
    ("fork as the template does", Forbidden("clone")),
    ("install a filter", Forbidden("prctl")),
    ("install filters", Forbidden("seccomp")),
    ("compute strictly", Forbidden("prctl")),
    ("option 0x41524254", Forbidden("prctl")),
    ("give up rights", PlaysOn),
    // What can be learned of others.
    ("read clocks of others", PlaysOn),
    ("read limits of others", PlaysOn),
    ("look at scheduling of others", PlaysOn),
    ("look at the machine", PlaysOn),
    ("look for paths", PlaysOn),
    // It fails, and the bot that goes on after such a call ends by itself.
    ("call socketpair", Exit(99)),
    ("look for paths as if open", PlaysOn),
    ("open as a path only", Forbidden("openat")),
    ("mark files", PlaysOn),
    // Files and memory of others.
    ("read own memory", PlaysOn),
    ("read referee's memory", PlaysOn),
    ("read referee's files", PlaysOn),
    ("read other bot's memory", Forbidden("process_vm_readv")),
    ("trace other bot", Forbidden("ptrace")),
    ("open other bot's memory", PlaysOn),
    ("look at other bot's files", PlaysOn),
    ("read file", PlaysOn),
    ("read passwords", PlaysOn),
    ("read standard input", PlaysOn),
    ("write own memory", Forbidden("openat")),
    ("write referee's memory", Forbidden("openat")),
    ("write file", Forbidden("openat")),
    ("empty file", Forbidden("openat")),
    ("make file", Forbidden("openat")),
    ("make unnamed file", Forbidden("openat")),
    ("read past the page cache", Forbidden("openat")),
    ("change to reading past the page cache", Forbidden("fcntl")),
    ("truncate file", Forbidden("truncate")),
    ("delete file", Forbidden("unlinkat")),
    ("change mode of file", Forbidden("fchmodat")),
    ("own log", Forbidden("fcntl")),
    ("signals from log", Forbidden("fcntl")),
    ("signals from log by ioctl", Forbidden("ioctl")),
    ("larger log", Forbidden("fcntl")),
    ("unknown call", Forbidden("number 9999")),
    #[cfg(target_arch = "x86_64")]
    ("32-bit call", Forbidden("number 20 of 32-bit x86")),
    #[cfg(target_arch = "x86_64")]
    ("x32 call", Forbidden("number 39 of x32")),
];

/// System calls that no bot may make.
const CALLS: &[&str] = &[
    "acct", "add_key", "adjtimex", "bpf", "capset", "chdir", "chroot", "clock_adjtime", "clock_settime",
    "connect", "delete_module", "execveat", "fallocate", "fanotify_init", "fchmod", "fchmodat", "fchown",
    "flock", "ftruncate", "init_module", "inotify_init1", "io_setup", "io_uring_enter", "io_uring_register",
    "io_uring_setup", "ioprio_set", "kcmp", "keyctl", "linkat", "memfd_create", "mkdirat", "mknodat",
    "mount", "mq_open", "name_to_handle_at", "open_by_handle_at", "perf_event_open", "personality",
    "pidfd_getfd", "pidfd_open", "pidfd_send_signal", "pivot_root", "process_madvise", "process_vm_readv",
    "process_vm_writev", "ptrace", "quotactl", "reboot", "renameat2", "request_key", "sched_getattr",
    "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler", "semget", "sendto",
    "setgid", "setgroups", "sethostname", "setns", "setpgid", "setpriority", "setsid", "settimeofday",
    "setuid", "shmget", "signalfd4", "socket", "splice", "swapon", "symlinkat", "syslog", "timerfd_create",
    "tkill", "truncate", "umask", "umount2", "unlinkat", "unshare", "userfaultfd", "utimensat", "vhangup",
    "wait4", "waitid",
];

/// What any process may read where Landlock does not forbid it.
const READS: &[&str] =
    &["read own memory", "read file", "read passwords", "look for paths", "look for paths as if open"];

/// What nobody hears of where there is no listener.
const UNHEARD: &[&str] = &["look for paths as if open", "make pipes"];

/// What only makes sense once the block is in use.
const IN_TURN: &[(&str, Expected)] = &[
    ("listen to calls", Forbidden("seccomp")),
    ("log for ever", Late),
    ("report for ever", Late),
    ("wait in the kernel", Late),
    // Where a disk keeps the machine waiting all the time, it would be excused once.
    ("sleep behind questions", Late),
    ("scribble", Anything),
    ("unmap", Crash(11)),
    ("hide memory", Memory),
    ("hide memory and sleep", Memory),
    ("hide memory behind a thread that has ended", Memory),
    ("raise a forbidden call", Crash(31)),
    ("keep scribbling", Anything),
    ("jump out", Anything),
    ("end the main thread", Anything),
    ("long report", PlaysOn),
    ("report without end", Crash(11)),
    ("endless report", PlaysOn),
    ("count threads", PlaysOn),
    ("start 200 threads", PlaysOn),
];

/// Time of a turn for bots that use all of it, and for those that do not.
const SHORT: Budget = Budget {
    hard: Some(Duration::from_millis(60)),
    soft: Duration::from_millis(10),
    margin: Duration::from_millis(5),
};

/// A bot that does one thing at one place, and an honest one that plays on whatever happens.
struct Scene {
    faulty: Sandboxed,
    honest: Sandboxed,
    victim: PathBuf,
    watch: Watch,
    budget: Budget,
}

/// What is in the file that bots are after.
const TREASURE: &str = "nobody has touched this";

impl Scene {
    fn set(place: &str, misdeed: &str, expected: Expected) -> Scene {
        let hangs = matches!(expected, Late | Anything);
        let number = place.len() * 1000 + misdeed.len();
        let name = format!("victim-{}-{place}-{number}-{}", std::process::id(), misdeed.replace(' ', "-"));
        let victim = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&victim, TREASURE).unwrap();
        let mut honest = sandboxed("first", &[]);
        begin(&mut honest, "othello");
        let pid = honest.pid().unwrap().to_string();
        let mut marks = vec![("victim", victim.to_str().unwrap()), ("other bot", &*pid)];
        if matches!(place, "load" | "create") {
            marks.push((place, misdeed));
        }
        let library = marked_faulty(&marks);
        let mut command = BotCommand::new(host(), host().bot(&library));
        command.options = vec![(place.to_owned(), misdeed.to_owned())];
        // What comes before the misdeed has other limits, on a machine with other work to do too.
        let ms = Duration::from_millis;
        let is_at = |places: &[&str]| hangs && places.contains(&place);
        command.limits = Limits {
            memory: MEMORY,
            isolation: isolation(),
            prepare: ms(if is_at(&["load", "create"]) { 500 } else { 20_000 }),
            new_game: Some(ms(if is_at(&["new_game"]) { 300 } else { 20_000 })),
            call: ms(if is_at(&["game_over", "destroy"]) { 300 } else { 20_000 }),
            ..Limits::default()
        };
        let faulty = Sandboxed::start(&command);
        fs::remove_file(library).unwrap();
        let watch = Watch::on(&faulty);
        Scene { faulty, honest, victim, watch, budget: if hangs { SHORT } else { AMPLE } }
    }

    /// Plays up to and with the place; the fault, if there was one. Whatever the machine does to a bot is excused once, as in a match.
    fn played(place: &str, misdeed: &str, expected: Expected) -> (Scene, Option<Fault>) {
        let mut scene = Scene::set(place, misdeed, expected);
        let fault = scene.play(place).unwrap_or_else(|failure| {
            say_aloud(&format!("{misdeed} in {place} once more, since the machine failed: {failure:?}"));
            scene = Scene::set(place, misdeed, expected);
            scene.play(place).expect("the machine failed twice")
        });
        (scene, fault)
    }

    fn play(&mut self, place: &str) -> Result<Option<Fault>, MachineFailure> {
        let mut position = start("othello");
        let seat = if place == "played" { Seat::SECOND } else { Seat::FIRST };
        match self.faulty.new_game(&brief(&position, seat)) {
            Ok(()) if place == "new_game" => return Ok(None),
            Ok(()) => {}
            Err(Failure::Fault(fault)) => return Ok(Some(fault)),
            Err(Failure::Machine(failure)) => return Err(failure),
        }
        if place == "played" {
            let opening = position.nth_legal(0);
            play_choice(&mut position, &mut [&mut self.faulty], opening.into(), true);
        }
        match place {
            "game_over" => {
                let outcome = Outcome::win(2, Seat::FIRST);
                Ok(self.faulty.game_over(&GameResult { outcome, reason: "wipeout", score: None }).err())
            }
            "destroy" => {
                let spare = sandboxed("first", &[]);
                Ok(std::mem::replace(&mut self.faulty, spare).finish().err())
            }
            "between_turns" => {
                assert_eq!(self.turn(&mut position, AMPLE), Ok(None), "before it");
                // What takes long is finished in the next turn: the bot is stopped after a while.
                std::thread::sleep(Duration::from_millis(20));
                self.turn(&mut position, self.budget)
            }
            _ => self.turn(&mut position, self.budget),
        }
    }

    /// Asks the bot and plays its move and a reply; the fault, if there was one.
    fn turn(&mut self, position: &mut Position, budget: Budget) -> Result<Option<Fault>, MachineFailure> {
        let chosen = match ask(&mut self.faulty, position, budget).answer {
            Answer::Fault(fault) => return Ok(Some(fault)),
            Answer::Machine(failure) => return Err(failure),
            Answer::Move(chosen) => chosen,
            other => panic!("{other:?}"),
        };
        if position.judge(chosen).is_ok() {
            play_choice(position, &mut [&mut self.faulty], chosen.into(), false);
            let reply = position.nth_legal(0);
            play_choice(position, &mut [&mut self.faulty], reply.into(), false);
        }
        Ok(None)
    }

    /// Makes sure that nobody has been harmed and that no process is left.
    fn clear(mut self, what: &str) {
        let position = start("othello");
        let answer = ask(&mut self.honest, &position, AMPLE).answer;
        assert_eq!(answer, Answer::Move(position.nth_legal(0)), "the honest bot after {what}");
        assert_eq!(self.honest.finish(), Ok(()), "the honest bot after {what}");
        drop(self.faulty);
        self.watch.wait_until_gone();
        assert_eq!(fs::read_to_string(&self.victim).unwrap(), TREASURE, "{what}");
        fs::remove_file(self.victim).unwrap();
    }
}

/// Compares a fault, or none, with what comes of a misdeed.
#[track_caller]
pub(crate) fn check(fault: Option<&Fault>, expected: Expected, during: Phase, what: &str) {
    let is_expected = match (expected, fault) {
        (Anything, _) | (PlaysOn, None) => true,
        (_, Some(Fault::NotLoaded { problem })) if during == Phase::Load => {
            check_sentence(problem, expected, what);
            true
        }
        (Forbidden(call), Some(fault)) => *fault == Fault::ForbiddenCall { during, call: call.to_owned() },
        (CrashAt(signal, address), Some(fault)) => {
            *fault == Fault::Crashed { during, signal, address: Some(address) }
        }
        (Crash(expected), Some(Fault::Crashed { during: place, signal, .. })) => {
            *place == during && *signal == expected
        }
        (Exit(code), Some(fault)) => *fault == Fault::Exited { during, code },
        (Late, Some(Fault::TimedOut { during: place, .. })) => *place == during,
        (Memory, Some(Fault::OutOfMemory { during: place, limit, shortage })) => {
            (*place, *limit) == (during, MEMORY) && !matches!(shortage, Shortage::Admitted { .. })
        }
        _ => false,
    };
    assert!(is_expected, "{what}: {fault:?} instead of {expected:?}");
}

/// While a bot is loaded a fault is only a sentence.
fn check_sentence(problem: &str, expected: Expected, what: &str) {
    let words = match expected {
        Forbidden(call) => format!("it made the forbidden system call {call} while being loaded"),
        CrashAt(signal, address) => match signal {
            11 => format!(
                "it crashed while being loaded (signal 11, segmentation fault at address 0x{address:x})"
            ),
            _ => unreachable!("only a bad access has an address"),
        },
        Crash(signal) => format!("it crashed while being loaded (signal {signal}"),
        Exit(code) => format!("it ended its process while being loaded (exit code {code})"),
        Late => "it did not finish within 0.5 s while being loaded".to_owned(),
        Memory if problem.contains("refused memory") => {
            "it crashed while being loaded when it was refused memory (signal ".to_owned()
        }
        Memory => "it used more than its 48 MiB of memory while being loaded".to_owned(),
        PlaysOn | Anything => "nothing to be said".to_owned(),
    };
    assert!(problem.starts_with(&words), "{what}: {problem} instead of {words}");
}

/// Everything that can be done anywhere.
pub(crate) fn all_misdeeds() -> impl Iterator<Item = (String, Expected)> {
    let named = CATALOGUE.iter().map(|(misdeed, expected)| ((*misdeed).to_owned(), *expected));
    named.chain(CALLS.iter().map(|call| (format!("call {call}"), Forbidden(call))))
}

/// What comes of a misdeed where the machine gives less than it could.
fn on_this_machine(place: &str, misdeed: &str, expected: Expected) -> Expected {
    static OFFER: LazyLock<Offer> = LazyLock::new(|| machine::look().offer);
    match expected {
        // The loader reads files: without Landlock nobody can tell which.
        PlaysOn if place == "load" && OFFER.landlock.is_none() && READS.contains(&misdeed) => Anything,
        Crash(31) if !OFFER.listener => Forbidden("of an unknown number"),
        // Nobody counts pipes, and no path is told from none.
        PlaysOn if !OFFER.listener && UNHEARD.contains(&misdeed) => Anything,
        PlaysOn if !OFFER.listener && !OFFER.is_root && misdeed == "thread bomb" => Anything,
        // A bot that only uses time there may well answer the next question.
        Late if place == "between_turns" => Anything,
        expected => expected,
    }
}

/// Has the whole catalogue done at a place.
fn try_all_at(place: &str, during: Phase) {
    let in_turn = IN_TURN.iter().map(|(misdeed, expected)| ((*misdeed).to_owned(), *expected));
    let extra = in_turn.filter(|_| place == "choose_move");
    let failed = all_misdeeds().chain(extra).filter(|(misdeed, expected)| {
        let expected = on_this_machine(place, misdeed, *expected);
        let what = format!("{misdeed} in {place}");
        let try_it = || {
            let (scene, fault) = Scene::played(place, misdeed, expected);
            // What is begun between turns may be finished in the next one.
            let during = match fault.as_ref().and_then(Fault::phase) {
                Some(Phase::Move) if during == Phase::Idle => Phase::Move,
                _ => during,
            };
            check(fault.as_ref(), expected, during, &what);
            scene.clear(&what);
        };
        // All that go wrong are told.
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(try_it)).is_err()
    });
    assert_eq!(failed.map(|(misdeed, _)| misdeed).collect::<Vec<_>>(), Vec::<String>::new(), "in {place}");
}

#[test]
fn while_being_loaded() {
    try_all_at("load", Phase::Load);
}

#[test]
fn in_create() {
    try_all_at("create", Phase::Create);
}

#[test]
fn in_new_game() {
    try_all_at("new_game", Phase::NewGame);
}

#[test]
fn in_choose_move() {
    try_all_at("choose_move", Phase::Move);
}

#[test]
fn in_played() {
    try_all_at("played", Phase::Move);
}

#[test]
fn in_game_over() {
    try_all_at("game_over", Phase::GameOver);
}

#[test]
fn in_destroy() {
    try_all_at("destroy", Phase::Destroy);
}

#[test]
fn between_turns() {
    try_all_at("between_turns", Phase::Idle);
}

/// One of them is the gate, by which a copy says that it has given up its rights. No bot may call it.
#[test]
fn unknown_options_of_prctl_are_forbidden_whatever_their_number() {
    // What is known has its own rules.
    const KNOWN: [u32; 2] = [0x5356_4d41, 0x5961_6d61];
    let mut random = arbiter_rules::Random::new(20_260_730);
    let options = (0..20).map(|_| random.bits() as u32 | 0x1_0000).filter(|option| !KNOWN.contains(option));
    for option in options {
        let misdeed = format!("option {option:#x}");
        let (scene, fault) = Scene::played("choose_move", &misdeed, Forbidden("prctl"));
        check(fault.as_ref(), Forbidden("prctl"), Phase::Move, &misdeed);
        scene.clear(&misdeed);
    }
}

/// What a bot that says so itself, or answers nonsense, does to us if it runs in our own process.
#[test]
fn what_can_be_survived_is_told_the_same_in_our_own_process() {
    let cases = [
        ("choose_move", "panic"),
        ("choose_move", "-1"),
        ("choose_move", "-6"),
        ("choose_move", "77"),
        ("choose_move", "1"),
        ("choose_move", "long report"),
        ("choose_move", "endless report"),
        ("answer", "0xffffffffffffffff"),
    ];
    for (key, value) in cases {
        let command = command("faulty", &[(key, value)]);
        let mut players: [Box<dyn Player>; 2] =
            [Box::new(Sandboxed::start(&command)), Box::new(InProcess::trusting(command.clone()))];
        let [contained, trusted] = players.each_mut().map(|player| first_answer(&mut **player, "othello"));
        assert_eq!(contained, trusted, "{value}");
    }
}
