//! Processes that cannot be started: that is the machine's failure, it is told soon, and nobody loses by it.

use super::support::{Watch, begin, brief, c_bot, host, start};
use crate::support::{Run, say_aloud, scratch, script};
use arbiter::host::{BotCommand, BridgeChoice, Host, Sandboxed};
use arbiter::player::Player;
use arbiter::verdict::{Failure, MachineFailure};
use arbiter_rules::Seat;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// A program that does this instead of running bots. There is a file beside it as soon as it runs.
fn instead(name: &str, does: &str) -> PathBuf {
    let program = scratch(name).join("program");
    script(&program, &format!("#!/bin/sh\n: > \"$0.runs\"\n{does}\n"));
    program
}

fn seated(host: &Host) -> Sandboxed {
    Sandboxed::start(&BotCommand::new(host, host.bot(c_bot("first"))))
}

/// Makes sure that a player cannot begin because of the machine, and gives the sentence.
#[track_caller]
fn problem(player: &mut Sandboxed) -> String {
    match player.new_game(&brief(&start("othello"), Seat::FIRST)).unwrap_err() {
        Failure::Machine(MachineFailure::NotStarted { problem }) => problem,
        failure => panic!("{failure:?}"),
    }
}

/// Each of them would otherwise wait for a template of its own, one after another.
#[test]
fn many_bots_are_told_at_once_that_their_template_does_not_begin() {
    let host = Host::with_executable(instead("starts-never", "exec sleep 60"));
    let mut players: Vec<_> = (0..40).map(|_| seated(&host)).collect();
    let begun = Instant::now();
    for player in &mut players {
        let problem = problem(player);
        assert!(problem.contains("does not answer"), "{problem}");
    }
    // One after another, they would take forty times 1.5 s.
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
}

/// There is nothing to free on a machine that has too much to do.
#[test]
fn a_template_that_is_kept_from_beginning_is_told_from_one_that_hangs() {
    let host = Host::with_executable(instead("starts-starved", "while :; do :; done"));
    let problem = problem(&mut seated(&host));
    assert!(problem.contains("too much other work"), "{problem}");
}

#[test]
fn a_host_can_be_dropped_while_its_template_begins() {
    let program = instead("starts-slowly", "while :; do :; done");
    let host = Host::with_executable(program.clone());
    let player = seated(&host);
    while !program.with_extension("runs").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let begun = Instant::now();
    drop((player, host));
    // A start is waited for up to 8 s.
    assert!(begun.elapsed() < Duration::from_secs(7), "{:?}", begun.elapsed());
}

/// Processes with this name.
fn processes_called(name: &str) -> Vec<i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let name_of = |number: &i32| fs::read_to_string(format!("/proc/{number}/comm")).unwrap_or_default();
    numbers.filter(|number| name_of(number).trim() == name).collect()
}

/// Otherwise every match would start its bots twice before its first game, or games would share processes.
#[test]
fn the_process_in_which_a_bot_said_who_it_is_plays_its_first_game_and_no_other() {
    let library = scratch("starts-early").join("early-bot.so");
    fs::copy(c_bot("first"), &library).unwrap();
    let host = Host::with_executable(env!("CARGO_BIN_EXE_arbiter"));
    let command = BotCommand::new(&host, host.bot(library));
    let early = || {
        command.host.identify_to_play(&command).unwrap();
        processes_called("early-bot.so")[0]
    };
    let expected = early();
    let mut first = Sandboxed::start(&command);
    assert_eq!(first.pid(), Some(expected));
    begin(&mut first, "othello");
    assert_ne!(Sandboxed::start(&command).pid(), Some(expected));
    drop(first);
    let (unfit, mut other) = (early(), command.clone());
    other.limits.memory /= 2;
    let watch = Watch::on_process(unfit);
    assert_ne!(Sandboxed::start(&other).pid(), Some(unfit), "it has other limits");
    watch.wait_until_gone();
}

/// A kernel that is out of memory kills processes at random. That must not decide games.
#[test]
fn a_process_that_is_killed_before_any_code_of_the_bot_runs_is_no_loss_of_the_bot() {
    let ending = ("waits".to_owned(), PathBuf::from(c_bot("waiting_bridge")));
    let host = host().choosing(BridgeChoice { bridges: vec![ending], ..BridgeChoice::default() });
    let bot = scratch("starts-killed").join("bot.waits");
    fs::write(&bot, "").unwrap();
    let mut player = Sandboxed::start(&BotCommand::new(&host, host.bot(bot)));
    kill_process(Pid::from_raw(player.pid().unwrap()).unwrap(), Signal::KILL).unwrap();
    let problem = problem(&mut player);
    assert!(problem.ends_with("(signal 9, killed), before any code of the bot ran"), "{problem}");
}

/// "No such file or directory" would leave everybody to guess which.
#[test]
fn a_file_that_no_process_can_be_started_without_is_named() {
    for (place, file) in [("/dev", "/dev/null"), ("/proc", "/proc/self/exe")] {
        let begin_without = |program: &str| {
            let mut shell = Command::new("unshare");
            let script = format!("mount -t tmpfs none {place} && exec \"$0\" \"$@\"");
            shell.args(["-Urm", "sh", "-c", &script, program]);
            shell
        };
        if !begin_without("true").status().is_ok_and(|status| status.success()) {
            return say_aloud("skipped: nobody here may hide files of the system");
        }
        let mut command = begin_without(env!("CARGO_BIN_EXE_arbiter"));
        command.args([c_bot("first"), c_bot("first")]).args(["--game", "tic-tac-toe", "--games", "1"]);
        let run = Run::from(command.current_dir(scratch("starts-without")).output().expect("it starts"));
        run.says(3, &format!("no process could be started for it: there is no {file}"));
    }
}
