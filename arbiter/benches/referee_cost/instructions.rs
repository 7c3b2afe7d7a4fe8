//! Instructions a ply: the one figure that is the same on a busy machine and on an idle one.
//!
//! Counted in our own process, referee and both bots together, as the difference between a long match and a short
//! one. The processor's counter is asked through `perf`; where it is not to be had, as in most virtual machines,
//! `valgrind` counts, which follows no contained bots. Without either there is no figure.

use crate::bots::{self, PLIES};
use crate::{Result, build, line};
use std::process::{Command, Stdio};

/// The word under which this program only plays games.
pub(crate) const PLIES_ONLY: &str = "plies";

const SHORT: u64 = 20;
const LONG: u64 = 220;

pub(crate) fn report() -> Result<()> {
    let counted = match counted_by(perf) {
        Some(count) => Some((count, "counted by the processor")),
        None => counted_by(valgrind).map(|count| (count, "counted by valgrind")),
    };
    match counted {
        Some((count, how)) => {
            line("instructions a ply in our own process", count, &format!("{how}, user mode only"));
        }
        None => println!("instructions a ply: neither perf nor valgrind counts here"),
    }
    Ok(())
}

/// Plays that many games in our own process.
pub(crate) fn play(games: u32) -> Result<()> {
    bots::play_trusted(&build::c_bot("bots/first-c/first.c")?, games);
    Ok(())
}

fn counted_by(count: impl Fn(u64) -> Option<u64>) -> Option<f64> {
    let instructions = count(LONG)?.checked_sub(count(SHORT)?)?;
    Some(instructions as f64 / ((LONG - SHORT) * u64::from(PLIES)) as f64)
}

fn perf(games: u64) -> Option<u64> {
    let mut perf = Command::new("perf");
    let text = output(perf.args(["stat", "-x", ",", "-e", "instructions:u"]), games)?;
    text.lines().find(|line| line.contains("instructions"))?.split(',').next()?.parse().ok()
}

fn valgrind(games: u64) -> Option<u64> {
    let mut valgrind = Command::new("valgrind");
    let text = output(valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]), games)?;
    text.lines().find_map(|line| line.split_once("Collected :"))?.1.trim().parse().ok()
}

/// What a program says that watches ours play games; none when it cannot.
fn output(watcher: &mut Command, games: u64) -> Option<String> {
    watcher.arg(std::env::current_exe().ok()?).arg(PLIES_ONLY).arg(games.to_string());
    let output = watcher.stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}
