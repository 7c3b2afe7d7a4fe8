//! Whether somebody wants to see what bots think.

use clap::Args;

/// The argument, and the variable that means the same.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct DebugArg {
    /// Also print what bots think, on standard error: depth, score, nodes, the line they expect, and the value of every
    /// move that they report; `ask` prints what the bot prints, too
    #[arg(long, help_heading = "Output")]
    debug: bool,
}

impl DebugArg {
    /// Whether the command line or the environment asks for it, as `DEBUG=1` did before there was `--debug`. Empty and
    /// `0` mean no.
    pub(crate) fn is_wanted(self) -> bool {
        self.debug || std::env::var_os("DEBUG").is_some_and(|value| !value.is_empty() && value != "0")
    }
}
