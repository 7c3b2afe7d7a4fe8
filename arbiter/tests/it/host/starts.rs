//! Processes that do not come up: the machine's failure, told soon, and nobody's loss.

use super::support::{brief, c_bot, start};
use crate::program::scratch;
use arbiter::host::{BotCommand, Host, Sandboxed};
use arbiter::player::Player;
use arbiter::verdict::{Failure, MachineFailure};
use arbiter_rules::Seat;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A program that does this instead of running bots. There is a file beside it as soon as it runs.
fn instead(name: &str, does: &str) -> PathBuf {
    let program = scratch(name).join("program");
    fs::write(&program, format!("#!/bin/sh\n: > \"$0.runs\"\n{does}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program
}

fn seated(host: &Host) -> Sandboxed {
    Sandboxed::start(&BotCommand::new(host, c_bot("first")))
}

/// Each of them would otherwise wait for a template of its own, one after another.
#[test]
fn many_bots_are_told_at_once_that_their_template_does_not_begin() {
    let host = Host::with_program(instead("starts-never", "exec sleep 60"));
    let mut players: Vec<_> = (0..8).map(|_| seated(&host)).collect();
    let begun = Instant::now();
    for player in &mut players {
        let failure = player.new_game(&brief(start("othello").as_ref(), Seat::FIRST)).unwrap_err();
        assert!(
            matches!(&failure, Failure::Machine(MachineFailure::NotStarted { problem }) if problem.contains("does not answer")),
            "{failure:?}"
        );
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn a_host_can_be_dropped_while_its_template_begins() {
    let program = instead("starts-slowly", "while :; do :; done");
    let host = Host::with_program(program.clone());
    let player = seated(&host);
    while !program.with_extension("runs").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let begun = Instant::now();
    drop((player, host));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}
