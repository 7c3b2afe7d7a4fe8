//! The program that bots' processes run: this one, under a verb that is not for people.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The hidden verb under which the program runs as a bot's process.
pub const VERB: &str = "host-bot";

/// What bots see of our environment: where libraries are, and how much of a panic is shown.
#[cfg(unix)]
const KEPT_ENVIRONMENT: [&str; 2] = ["LD_LIBRARY_PATH", "RUST_BACKTRACE"];
/// What bots see of our environment: where libraries are, without which none starts, and how much of a panic is shown.
#[cfg(windows)]
const KEPT_ENVIRONMENT: [&str; 4] = ["PATH", "SystemRoot", "SystemDrive", "RUST_BACKTRACE"];

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Names the program that bots' processes run, for programs that use this library without being `arbiter`: tests and
/// benchmarks. The first call counts.
pub fn use_program(path: impl Into<PathBuf>) {
    let _ = PROGRAM.set(path.into());
}

/// How the program is started for a bot.
pub(super) fn command() -> io::Result<Command> {
    let mut command = Command::new(program()?);
    command.arg(VERB).env_clear().envs(kept_environment()).current_dir("/");
    Ok(command)
}

/// Ourselves. On Linux by a name that still means this program when its file has been replaced.
fn program() -> io::Result<PathBuf> {
    match PROGRAM.get() {
        Some(program) => Ok(program.clone()),
        None if cfg!(target_os = "linux") => Ok("/proc/self/exe".into()),
        None => std::env::current_exe(),
    }
}

fn kept_environment() -> impl Iterator<Item = (&'static str, OsString)> {
    KEPT_ENVIRONMENT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)))
}
