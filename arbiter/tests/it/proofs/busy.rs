//! A machine that is busy with other things costs nobody a game, and saves nobody who has lost one.
//!
//! All of it takes an hour or two, on an otherwise idle machine:
//!
//! ```text
//! cargo test --release -p arbiter --test it proofs::busy -- --ignored --nocapture --test-threads 1
//! ```
//!
//! The environment chooses less: `ARBITER_BUSY_GAMES` is the number of games in each cell, instead of 1,000 in the
//! hardest and 100 in each other; `ARBITER_BUSY_LOOPS=2,8` and `ARBITER_BUSY_TIMES=20,100` the cells, as busy loops on
//! each core and milliseconds for a move.

use super::tell;
use crate::support::{
    Judged, Load, Lost, c_bot, charged, command, cores, on_core, sample_bot, scratch, wall,
};
use arbiter_rules::Random;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What else happens to the referee.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trouble {
    None,
    /// It is stopped for up to 150 ms again and again.
    Stopped,
    /// All of it has one core, for two games at a time.
    OneCore,
    /// All of it has three tenths of a core in every 100 ms, in a control group.
    Quota,
}

/// A control group with such a quota, until it is dropped.
struct Quota(PathBuf);

impl Quota {
    fn set() -> std::io::Result<Quota> {
        let root = Path::new("/sys/fs/cgroup");
        let (parent, limit) = if root.join("cgroup.controllers").exists() {
            fs::write(root.join("cgroup.subtree_control"), "+cpu")?;
            (root.to_owned(), [("cpu.max", "30000 100000")].to_vec())
        } else {
            (root.join("cpu"), [("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "30000")].to_vec())
        };
        let group = Quota(parent.join(format!("arbiter-test-{}", std::process::id())));
        fs::create_dir(&group.0)?;
        limit.iter().try_for_each(|(file, text)| fs::write(group.0.join(file), text)).map(|()| group)
    }

    /// The same command, in the group.
    fn holding(&self, command: &Command) -> Command {
        let mut held = Command::new("sh");
        held.args(["-c", "echo $$ > \"$0/cgroup.procs\" && exec \"$@\""]).arg(&self.0);
        held.arg(command.get_program()).args(command.get_args());
        held.current_dir(command.get_current_dir().expect("a folder was set")).stdin(Stdio::null());
        held
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        // A process of a bot may still be ending.
        let deadline = Instant::now() + Duration::from_secs(10);
        while fs::remove_dir(&self.0).is_err() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Two bots, with the options of each.
type Pair<'a> = [(&'a str, &'a [String]); 2];

/// Plays so many games on a machine with other work.
fn play(name: &str, bots: &Pair<'_>, games: usize, time: Duration, trouble: Trouble) -> Judged {
    let folder = scratch(&format!("busy-{}", name.replace(' ', "-")));
    let time = format!("{}ms", time.as_millis());
    let (games, jobs) = (games.to_string(), cores().len().to_string());
    let jobs = if trouble == Trouble::OneCore { "2" } else { &*jobs };
    let mut args: Vec<_> = bots.iter().map(|(bot, _)| (*bot).to_owned()).collect();
    let fixed = ["--game", "connect-four", "--games", &games, "--move-time", &time, "--jobs", jobs];
    args.extend(fixed.map(str::to_owned));
    args.extend(["--quiet", "--output", "report.json", "--seed", name].map(str::to_owned));
    for (place, (_, options)) in (1..).zip(bots) {
        args.extend(options.iter().flat_map(|option| ["-B".to_owned(), format!("{place}:{option}")]));
    }
    let quota = (trouble == Trouble::Quota).then(|| Quota::set().expect("a quota needs root"));
    let mut command = command(&folder, &args);
    if let Some(quota) = &quota {
        command = quota.holding(&command);
    }
    let mut start = || command.stdout(Stdio::null()).spawn().expect("the program starts");
    let mut referee = if trouble == Trouble::OneCore { on_core(cores()[0], start) } else { start() };
    if trouble == Trouble::Stopped {
        stop_at_random(&mut referee);
    }
    assert!(referee.wait().unwrap().success(), "{name}");
    Judged::read(&folder.join("report.json"))
}

/// Stops a process, and nothing but that process, and lets it go on, until it ends.
fn stop_at_random(referee: &mut Child) {
    let mut random = Random::new(u64::from(referee.id()));
    let mut rest = |from: usize, to: usize| {
        std::thread::sleep(Duration::from_millis((from + random.below(to - from)) as u64));
    };
    let process = Pid::from_raw(referee.id() as i32).unwrap();
    while referee.try_wait().unwrap().is_none() {
        // It is ours until it has been waited for.
        kill_process(process, Signal::STOP).unwrap();
        rest(1, 150);
        kill_process(process, Signal::CONT).unwrap();
        rest(20, 300);
    }
}

/// What a cell has shown, in a line, and one more for each game that was lost.
fn tell_of(name: &str, report: &Judged, begun: Instant) {
    let plies = || (0..2).flat_map(|player| report.plies_of(player));
    let (mut took, mut charge) = (Duration::ZERO, Duration::ZERO);
    for ply in plies() {
        took += wall(ply);
        charge += charged(ply);
    }
    let longest = plies().map(wall).max().unwrap_or_default();
    let mut text = format!(
        "{name}: {} games, {} forfeits, {} abandoned; {} moves, wall ÷ charge {:.2}, longest {longest:.1?}; {:.0?}",
        report.games().len(),
        report.lost().len(),
        report.abandoned(),
        plies().count(),
        took.as_secs_f64() / charge.as_secs_f64(),
        begun.elapsed(),
    );
    for Lost { player, kind, sentence, wall, cpu, .. } in report.lost() {
        let times =
            format!("wall {:.1?}, processor {:.1?}", wall.unwrap_or_default(), cpu.unwrap_or_default());
        write!(text, "\n    bot {} {kind}: it {sentence} ({times})", player + 1).unwrap();
    }
    tell(&text);
}

/// Two honest bots, each of which uses most of its time in a way of its own.
struct Honest {
    kind: &'static str,
    bots: [String; 2],
    options: [Vec<String>; 2],
}

fn honest(time: Duration) -> [Honest; 3] {
    let clocked = c_bot("clocked");
    let twice = [clocked.clone(), clocked];
    let work = vec![format!("work_ms={}", time.as_millis() * 6 / 10)];
    let obey = [vec!["obey=1".to_owned()], vec!["obey_time=1".to_owned()]];
    let samples = [sample_bot("alphabeta"), sample_bot("mcts")];
    [
        Honest { kind: "work", bots: twice.clone(), options: [work.clone(), work] },
        Honest { kind: "obey", bots: twice, options: obey },
        Honest { kind: "samples", bots: samples, options: [vec![], vec![]] },
    ]
}

/// Numbers with commas between them.
fn numbers(variable: &str, usual: &[usize]) -> Vec<usize> {
    let parse = |text: String| text.split(',').map(|word| word.parse().expect("a number")).collect();
    std::env::var(variable).map_or_else(|_| usual.to_vec(), parse)
}

/// Plays the games of a cell; gives those that anybody lost, or nobody finished.
fn cell(loops: usize, time: Duration, games: usize, trouble: Trouble, words: &str) -> Vec<String> {
    let _load = Load::of(loops);
    let mut wrong = Vec::new();
    for Honest { kind, bots, options } in honest(time) {
        let name = format!("{kind} at {} ms beside {loops}{words}", time.as_millis());
        let begun = Instant::now();
        let pair = [(&*bots[0], &*options[0]), (&*bots[1], &*options[1])];
        // Pairs of games with seats swapped.
        let report = play(&name, &pair, games.div_ceil(6) * 2, time, trouble);
        tell_of(&name, &report, begun);
        wrong.extend(report.lost().iter().map(|lost| format!("{name}: {lost:?}")));
        if report.abandoned() > 0 {
            wrong.push(format!("{name}: {} abandoned", report.abandoned()));
        }
    }
    wrong
}

/// Plays all cells in one kind of trouble.
fn prove(trouble: Trouble, most: usize, words: &str) {
    let mut wrong = Vec::new();
    for loops in numbers("ARBITER_BUSY_LOOPS", &[2, 4, 8]) {
        for time in numbers("ARBITER_BUSY_TIMES", &[20, 100]) {
            let usual = if (loops, time) == (8, 20) { most } else { 100 };
            let games = numbers("ARBITER_BUSY_GAMES", &[usual])[0];
            let time = Duration::from_millis(time as u64);
            wrong.extend(cell(loops, time, games, trouble, words));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `cargo test --release -p arbiter --test it proofs::busy::honest_bots_lose -- --ignored --nocapture`
#[test]
#[ignore = "takes an hour"]
fn honest_bots_lose_nothing_beside_busy_loops() {
    prove(Trouble::None, 1000, "");
}

/// As above, with `stopped` in the name.
#[test]
#[ignore = "takes the better part of an hour"]
fn honest_bots_lose_nothing_where_the_referee_is_stopped_at_random() {
    prove(Trouble::Stopped, 100, ", stopped at random");
}

/// As above, with `one_core` in the name.
#[test]
#[ignore = "takes an hour"]
fn honest_bots_lose_nothing_where_two_games_share_one_core() {
    prove(Trouble::OneCore, 100, ", two games on one core");
}

/// As above, with `quota` in the name, as root.
#[test]
#[ignore = "takes an hour or two, and root"]
fn honest_bots_lose_nothing_under_a_quota() {
    prove(Trouble::Quota, 100, ", under a quota");
}

/// What bots do wrong with time, all at 40 ms a move, and whether it has to lose them every game.
const GUILTY: &[(&str, &[&str], Guilt)] = &[
    ("sleeper", &["sleep_ms=5000"], Guilt::Loses),
    ("sleeper for a while", &["sleep_ms=300"], Guilt::Loses),
    ("over by a quarter", &["work_ms=50"], Guilt::Loses),
    ("blinker of 1 ms", &["blinkers=1", "blink_us=1000"], Guilt::Loses),
    ("blinker of 1 us", &["blinkers=1", "blink_us=1"], Guilt::Loses),
    ("16 blinkers of 1 ms", &["blinkers=16", "blink_us=1000"], Guilt::Loses),
    ("16 blinkers of 1 us", &["blinkers=16", "blink_us=1"], Guilt::Loses),
    ("yielder", &["yield_loop=1"], Guilt::Loses),
    ("page faults", &["fault_mb=4"], Guilt::Loses),
    ("ponderer without end", &["ponder_ms=2000"], Guilt::Pays),
    ("ponderer", &["ponder_ms=5"], Guilt::Pays),
    ("timers left behind", &["timers_behind=512"], Guilt::Pays),
];

/// Most of what is free between two turns at 40 ms a move.
const FREE: Duration = Duration::from_millis(2);

/// The clock of a process that runs on another core is brought up to date at ticks only.
const TICK: Duration = Duration::from_millis(4);

/// What comes of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guilt {
    Loses,
    /// It has to be charged with what it uses between its turns, whatever becomes of the game.
    Pays,
}

/// `cargo test --release -p arbiter --test it proofs::busy::guilty -- --ignored --nocapture`; what comes of the same on an idle
/// machine is tried in `host/clock.rs`.
#[test]
#[ignore = "takes many minutes"]
fn guilty_bots_lose_beside_busy_loops_and_nobody_else_does() {
    let _load = Load::of(8);
    let bot = c_bot("clocked");
    let honest = ["work_ms=24".to_owned()];
    let mut wrong = Vec::new();
    for (name, options, guilt) in GUILTY {
        let name = format!("{name} beside 8");
        let options: Vec<_> = options.iter().map(|option| (*option).to_owned()).collect();
        let begun = Instant::now();
        let pair = [(&*bot, &*options), (&*bot, &honest[..])];
        let report = play(&name, &pair, 4, Duration::from_millis(40), Trouble::None);
        tell_of(&name, &report, begun);
        let lost = report.lost();
        if lost.iter().any(|lost| lost.player != 0 || lost.kind != "timed-out") {
            wrong.push(format!("{name}: {lost:?}"));
        }
        match guilt {
            Guilt::Loses if lost.len() != report.games().len() => {
                wrong.push(format!("{name}: it lost {} of {} games only", lost.len(), report.games().len()));
            }
            Guilt::Pays => {
                let used = |ply: &Value| Duration::from_micros(ply["search"]["nodes"].as_u64().unwrap_or(0));
                let turns: Vec<_> = report.plies_of(0).collect();
                let paid: Duration = turns.iter().map(|ply| charged(ply)).sum();
                let owed: Duration = turns.iter().map(|ply| used(ply)).sum();
                let free = FREE * turns.len() as u32 + TICK * report.games().len() as u32;
                if owed.is_zero() || paid + free < owed {
                    wrong.push(format!("{name}: it has used {owed:?} between turns and paid {paid:?}"));
                }
            }
            Guilt::Loses => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Threads that hand work to each other wait one after the other, and at any moment one of them is ready to run.
/// `cargo test --release -p arbiter --test it proofs::busy::a_bot_whose_threads -- --ignored --nocapture`
#[test]
#[ignore = "takes a minute, and all cores"]
fn a_bot_whose_threads_hand_work_to_each_other_loses_nothing_beside_busy_loops() {
    let _load = Load::of(4);
    let (bot, begun) = (c_bot("clocked"), Instant::now());
    // 100 to 130 ms of processor time.
    let (handing, plain) = (["ping_pong=900".to_owned()], ["work_ms=1".to_owned()]);
    let pair = [(&*bot, &handing[..]), (&*bot, &plain[..])];
    let report = play("ping pong", &pair, 10, Duration::from_millis(200), Trouble::None);
    tell_of("ping pong", &report, begun);
    assert_eq!(report.lost(), []);
}
