//! What the program's exit code says. The numbers are documented and never change.

/// Why the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitCode {
    /// Done as asked, whoever won.
    Done = 0,
    /// Done, but a check that was asked for failed.
    CheckFailed = 1,
    /// Wrong use: arguments, clock, option, position, number of bots.
    Usage = 2,
    /// A bot's file is missing, is no plugin, or speaks another ABI; or the machine cannot run it.
    Bot = 3,
    /// A report, journal or picture could not be written or read.
    File = 4,
    /// A seat is empty and nobody can play it.
    EmptySeat = 5,
    /// A bug in arbiter; finished games are saved.
    Bug = 101,
    /// Stopped by Ctrl-C; finished games are saved.
    Interrupted = 130,
    /// Stopped by SIGTERM; finished games are saved.
    Terminated = 143,
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        std::process::ExitCode::from(code as u8)
    }
}
