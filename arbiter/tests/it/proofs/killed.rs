//! Whenever the referee is killed, every bot dies with it, and every game whose end was announced is on disk.

use super::tell;
use crate::support::{c_bot, children, command, played_once, scratch};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const A_MINUTE: Duration = Duration::from_secs(60);

/// Whether a process is about to end: a kill is pending, or it is dead.
fn is_doomed(process: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let field =
        |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
    let has_kill = |name| u64::from_str_radix(field(name), 16).is_ok_and(|signals| signals & 1 << 8 != 0);
    status.is_empty() || has_kill("SigPnd:") || has_kill("ShdPnd:") || field("State:").starts_with(['Z', 'X'])
}

/// How long after the end of the referee each bot had its kill, and was gone.
#[derive(Default)]
struct Times {
    doomed: Vec<Duration>,
    gone: Vec<Duration>,
    games: usize,
}

impl Times {
    fn add(&mut self, bots: &[(i32, OwnedFd)], killed: Instant) {
        let mut living: Vec<_> = bots.iter().collect();
        let mut waiting = living.clone();
        while !living.is_empty() {
            assert!(killed.elapsed() < A_MINUTE, "{} bots outlive their referee", living.len());
            // Looking all the time would take time from the processes that are to die.
            let a_moment = Timespec { tv_sec: 0, tv_nsec: 300_000 };
            let mut ends: Vec<_> = living.iter().map(|(_, bot)| PollFd::new(bot, PollFlags::IN)).collect();
            poll(&mut ends, Some(&a_moment)).unwrap();
            let now = killed.elapsed();
            let mut ends =
                ends.iter().map(|end| end.revents().contains(PollFlags::IN)).collect::<Vec<_>>().into_iter();
            living.retain(|_| {
                let is_gone = ends.next().unwrap();
                self.gone.extend(is_gone.then_some(now));
                !is_gone
            });
            waiting.retain(|(process, _)| {
                let is_doomed = is_doomed(*process);
                self.doomed.extend(is_doomed.then_some(now));
                !is_doomed
            });
        }
        self.doomed.extend(waiting.iter().map(|_| killed.elapsed()));
    }

    fn tell(&mut self) {
        for (what, times) in [("has its kill", &mut self.doomed), ("is gone", &mut self.gone)] {
            times.sort_unstable();
            let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
            let (bots, half, most, last) = (times.len(), at(50), at(99), at(100));
            tell(&format!(
                "a bot {what} after {half:.2} ms, 99 % after {most:.2}, the last after {last:.2} ({bots})"
            ));
        }
        tell(&format!("{} games were told to be over, and all of them are recorded", self.games));
    }
}

/// Kills a referee in the midst of a match some time after its start, and waits until all of its bots are gone.
fn kill_after(time: Duration, folder: &Path, number: u32, times: &mut Times) {
    let folder = folder.join(number.to_string());
    fs::create_dir(&folder).unwrap();
    let bots = ["stumbling", "faulty"].map(|name| {
        let bot = folder.join(format!("{name}.so"));
        fs::copy(c_bot(name), &bot).unwrap();
        bot.to_str().unwrap().to_owned()
    });
    let mut args = vec![&*bots[0], &*bots[1], "--game", "tic-tac-toe", "--games", "1000000", "--json"];
    // Some bots are asleep when their referee dies, and some are busy and deaf.
    args.extend(["-B", "1:sleep_ms=1", "-B", "2:any=choose_move:block signals and loop|x:y|x:y|x:y|x:y|x:y"]);
    args.extend(["--move-time", "50ms", "--output", "report.json"]);
    let mut referee = command(&folder, &args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut events = referee.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        events.read_to_end(&mut text).map(|_| text)
    });
    std::thread::sleep(time);
    let watched = children(referee.id()).into_iter().filter_map(|process| {
        let handle = pidfd_open(Pid::from_raw(process)?, PidfdFlags::empty()).ok()?;
        Some((process, handle))
    });
    let watched: Vec<_> = watched.collect();
    let killed = Instant::now();
    referee.kill().unwrap();
    times.add(&watched, killed);
    referee.wait().unwrap();
    // Bots that were started while the others were looked for are gone too.
    while !children(referee.id()).is_empty() {
        assert!(killed.elapsed() < A_MINUTE, "bots have started whom nobody ends");
        std::thread::yield_now();
    }
    let text = reader.join().unwrap().unwrap();
    let text = String::from_utf8_lossy(&text);
    let whole = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let told = whole.filter(|event| event["ev"] == "end").map(|event| event["game"].as_u64().unwrap() as u32);
    let told: BTreeSet<u32> = told.collect();
    // A referee that was killed before its first game may not have begun one.
    let journal = folder.join("report.json.journal");
    let saved = if told.is_empty() { BTreeSet::new() } else { played_once(&journal) };
    let lost: Vec<_> = told.difference(&saved).collect();
    assert!(lost.is_empty(), "after {time:?}: {lost:?} were over and are not in the journal");
    times.games += told.len();
    fs::remove_dir_all(folder).unwrap();
}

fn prove(name: &str, kills: u32) -> Times {
    let (folder, mut times) = (scratch(name), Times::default());
    for number in 0..kills {
        // From before the first bot is started to some games later, in steps that fit nothing.
        let time = Duration::from_micros(u64::from(number) * 7_919 % 400_000);
        kill_after(time, &folder, number, &mut times);
    }
    times.tell();
    times
}

#[test]
fn a_referee_that_is_killed_takes_its_bots_with_it_and_loses_no_game() {
    prove("killed-sometimes", 12);
}

/// `cargo test -p arbiter --test it proofs::killed -- --ignored --nocapture`; where other work goes on, root can keep it
/// out by priority: `setsid -w sh -c 'echo -20 > /proc/self/autogroup; cargo test …'`.
#[test]
#[ignore = "takes a minute, and a machine without other work"]
fn after_200_kills_every_bot_has_its_own_within_10_ms_and_is_gone_within_200() {
    let times = prove("killed-often", 200);
    let longest = |times: &[Duration]| times.iter().max().copied().unwrap();
    assert!(longest(&times.doomed) <= Duration::from_millis(10));
    assert!(longest(&times.gone) <= Duration::from_millis(200));
}
