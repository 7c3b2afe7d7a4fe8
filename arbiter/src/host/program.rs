//! The program that bots' processes run: this one, under a verb that is not for people.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;

/// The hidden verb under which the program runs as a bot's process.
pub const VERB: &str = "host-bot";

/// What bots see of our environment: where libraries are, and how much of a panic is shown.
#[cfg(unix)]
const KEPT_ENVIRONMENT: [&str; 2] = ["LD_LIBRARY_PATH", "RUST_BACKTRACE"];
/// What bots see of our environment: where libraries are, without which none starts, and how much of a panic is shown.
#[cfg(windows)]
const KEPT_ENVIRONMENT: [&str; 4] = ["PATH", "SystemRoot", "SystemDrive", "RUST_BACKTRACE"];

/// Where that program is.
#[derive(Clone, Debug, Default)]
pub(super) struct Program(Option<PathBuf>);

impl Program {
    /// Another file than this program's own: for programs that use this library without being `arbiter`.
    pub(super) fn at(path: PathBuf) -> Program {
        Program(Some(path))
    }

    /// How the program is started for a bot.
    pub(super) fn command(&self) -> io::Result<Command> {
        let mut command = Command::new(self.path()?);
        command.arg(VERB).env_clear().envs(kept_environment()).current_dir("/");
        Ok(command)
    }

    /// On Linux a name that still means this program when its file has been replaced.
    fn path(&self) -> io::Result<PathBuf> {
        match &self.0 {
            Some(program) => Ok(program.clone()),
            None if cfg!(target_os = "linux") => Ok("/proc/self/exe".into()),
            None => std::env::current_exe(),
        }
    }
}

fn kept_environment() -> impl Iterator<Item = (&'static str, OsString)> {
    KEPT_ENVIRONMENT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)))
}
