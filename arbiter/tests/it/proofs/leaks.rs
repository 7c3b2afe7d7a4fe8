//! Nothing passes from one bot to another but moves: not from game to game, and not between opponents.
//!
//! What processes may share is the description of an open file: its offset and its flags are one for all who have it.

use super::{play, tell};
use crate::host::command_of;
use crate::support::{c_bot, c_bot_with, children, say_aloud, scratch};
use arbiter::host::Sandboxed;
use arbiter::player::{Briefing, Player, TimeControl};
use arbiter::record::schema::MatchReport;
use arbiter_rules::{Seat, Setup, registry};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};
use std::collections::BTreeMap;
use std::fs;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::Duration;

/// The same bot in a file of its own.
fn another() -> String {
    c_bot_with("leaking", &["-O2"])
}

/// Games between two files of the bot.
fn games(name: &str, bots: [&str; 2], args: &[&str]) -> MatchReport {
    let usual = ["--game", "tic-tac-toe", "--games", "40", "--openings", "none"];
    play(&scratch(name), name, &[&bots, &usual[..], args].concat())
}

/// What the bots have said in all turns.
fn said(report: &MatchReport) -> impl Iterator<Item = &str> {
    let plies = report.games.iter().flat_map(|game| &game.plies);
    plies.filter_map(|ply| Some(&*ply.search.as_ref()?.text))
}

#[test]
fn of_40_games_none_begins_with_what_an_earlier_one_has_left() {
    let bot = c_bot("leaking");
    let report = games("left-behind", [&bot, &bot], &["--jobs", "1"]);
    let states: Vec<_> = said(&report).filter(|text| text.contains(':')).collect();
    assert!(states.len() >= 40, "only {} processes have said what they found", states.len());
    let found: Vec<_> = states.iter().filter(|state| *state != &states[0]).collect();
    tell(&format!("{} processes, all but the first: {}", states.len(), states[0]));
    assert!(found.is_empty(), "{} of {} found what others left: {:?}", found.len(), states.len(), found[0]);
}

#[test]
fn opponents_hear_nothing_of_each_other() {
    let (bot, other) = (c_bot("leaking"), another());
    for (name, bots) in [("talk-of-one-file", [&*bot, &*bot]), ("talk-of-two-files", [&*bot, &other])] {
        let report = games(name, bots, &["-B", "1:talk=1", "-B", "2:talk=1"]);
        let turns = said(&report).filter(|text| !text.contains(':')).count();
        let heard = said(&report).filter(|text| *text == "heard").count();
        assert!(turns >= 100, "{name}: only {turns} turns have been listened in");
        assert_eq!(heard, 0, "{name}: of {turns} turns");
    }
}

/// The files that a process has open; none where it is gone or nobody may look.
fn files_of(process: i32) -> Vec<i32> {
    let entries = fs::read_dir(format!("/proc/{process}/fd"));
    let entries = entries.into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Which files of these processes append, by process and number.
fn appending(processes: &[i32]) -> BTreeMap<(i32, i32), bool> {
    let of = |process: i32, file: i32| {
        let info = fs::read_to_string(format!("/proc/{process}/fdinfo/{file}")).ok()?;
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
        let flags = u32::from_str_radix(flags.trim(), 8).ok()?;
        Some(((process, file), flags & OFlags::APPEND.bits() != 0))
    };
    let files =
        processes.iter().flat_map(|&process| files_of(process).into_iter().map(move |f| (process, f)));
    files.filter_map(|(process, file)| of(process, file)).collect()
}

/// The processes that share this very description of a file: they see its flags change, every time.
fn sharing(file: &OwnedFd, processes: &[i32]) -> Vec<(i32, i32)> {
    let before = fcntl_getfl(file).unwrap();
    let mut sharing: Option<Vec<(i32, i32)>> = None;
    for _ in 0..3 {
        fcntl_setfl(file, before & !OFlags::APPEND).unwrap();
        let off = appending(processes);
        fcntl_setfl(file, before | OFlags::APPEND).unwrap();
        let on = appending(processes);
        let changed = |key: &(i32, i32)| off.get(key) == Some(&false) && on.get(key) == Some(&true);
        let now: Vec<_> = on.keys().copied().filter(changed).collect();
        sharing = Some(match sharing {
            None => now,
            Some(then) => then.into_iter().filter(|key| now.contains(key)).collect(),
        });
    }
    fcntl_setfl(file, before).unwrap();
    sharing.unwrap_or_default()
}

/// Two bots of one file and one of another have nothing in common, nor with the referee and the processes that they are
/// copies of.
#[test]
fn no_two_bots_have_a_description_of_a_file_in_common() {
    let mut players = [c_bot("leaking"), c_bot("leaking"), another()].map(|library| {
        let mut player = Sandboxed::start(&command_of(library, &[]));
        let start = registry::start("othello", &Setup::default()).unwrap();
        let time = TimeControl::MoveTime(Duration::from_secs(60));
        let game = Briefing { seat: Seat::FIRST, start: &start, seed: 1, max_errors: 3, time };
        player.new_game(&game).unwrap();
        player
    });
    let mut found = Vec::new();
    for bot in players.each_mut().map(|player| player.pid().unwrap()) {
        let handle = pidfd_open(Pid::from_raw(bot).unwrap(), PidfdFlags::empty()).unwrap();
        let files = files_of(bot);
        if files.is_empty() {
            say_aloud("not on this machine: only root may look at what bots have open");
            return;
        }
        for file in files {
            let ours = pidfd_getfd(handle.as_fd(), file, PidfdGetfdFlags::empty()).expect("it is open there");
            let own = std::process::id() as i32;
            let all = [children(std::process::id()), vec![own]].concat();
            let mut sharing = sharing(&ours, &all);
            // What we have just been given is this file.
            assert!(sharing.contains(&(own, ours.as_raw_fd())), "it can be seen who shares a file");
            sharing
                .retain(|&(process, number)| process != bot && (process, number) != (own, ours.as_raw_fd()));
            let name = fs::read_link(format!("/proc/{bot}/fd/{file}")).unwrap_or_default();
            if !sharing.is_empty() {
                found.push(format!("file {file} ({}) of {bot} is also {sharing:?}", name.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
