//! The executable of bots' processes: `arbiter-host`, or this program under a hidden verb.

use std::collections::BTreeMap;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The hidden verb under which the program runs as a bot's process.
pub const VERB: &str = "host-bot";
/// The program that runs as a bot's process and does nothing else.
#[cfg(target_os = "linux")]
const SMALL: &str = "arbiter-host";
/// What these sources are called by. Two programs understand each other only if they are of the same build.
#[cfg(target_os = "linux")]
pub(super) const BUILD: &str = env!("ARBITER_BUILD");

/// The environment variables that bots' processes get: where libraries are, without which no program starts on
/// Windows, and how much of a panic is shown.
const KEPT_ENVIRONMENT: &[&str] = if cfg!(windows) {
    &["PATH", "SystemRoot", "SystemDrive", "RUST_BACKTRACE"]
} else {
    &["LD_LIBRARY_PATH", "RUST_BACKTRACE"]
};

/// The executable of bots' processes, where it is another one than this program's: for programs that use this library without
/// being `arbiter`.
#[derive(Clone, Debug, Default)]
pub(super) struct Executable(pub(super) Option<PathBuf>);

impl Executable {
    /// How it is started for a bot.
    pub(super) fn command(&self) -> io::Result<Command> {
        Ok(for_a_bot(&self.path()?))
    }

    /// The same with `arbiter-host`, of which less has to be copied, where there is one.
    #[cfg(target_os = "linux")]
    pub(super) fn small(&self) -> Option<Command> {
        let mut small = self.folders().into_iter().map(|folder| folder.join(SMALL));
        small.find(|executable| executable.is_file()).map(|executable| for_a_bot(&executable))
    }

    /// Where bots and bridges that come with it are: beside it, and in `../lib/arbiter` where it has been installed.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let executable = self.0.clone().or_else(|| std::env::current_exe().ok());
        let Some(beside) = executable.as_deref().and_then(Path::parent) else { return Vec::new() };
        let installed = beside.parent().map(|prefix| prefix.join("lib").join("arbiter"));
        std::iter::once(beside.to_owned()).chain(installed).collect()
    }

    /// The libraries that come with it, by the names that people may say: `greedy` is `libgreedy.so` in one of its folders.
    pub(super) fn libraries(&self) -> BTreeMap<String, PathBuf> {
        let entries = self.folders().into_iter().rev().filter_map(|folder| std::fs::read_dir(folder).ok());
        let named = |path: PathBuf| {
            let file = path.file_name()?.to_str()?;
            let name = file.strip_prefix(DLL_PREFIX)?.strip_suffix(DLL_SUFFIX)?.replace('_', "-");
            Some((name, path))
        };
        entries.flatten().flatten().filter_map(|entry| named(entry.path())).collect()
    }

    pub(super) fn path(&self) -> io::Result<PathBuf> {
        match &self.0 {
            Some(executable) => Ok(executable.clone()),
            // This name still means this program when its file has been replaced.
            None if cfg!(target_os = "linux") => Ok("/proc/self/exe".into()),
            None => std::env::current_exe(),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the processes of bots are started here")]
fn for_a_bot(executable: &Path) -> Command {
    let variable =
        |name: &&'static str| -> Option<(&str, OsString)> { Some((*name, std::env::var_os(name)?)) };
    let mut command = Command::new(executable);
    command.arg(VERB).env_clear().envs(KEPT_ENVIRONMENT.iter().filter_map(variable)).current_dir("/");
    command
}
