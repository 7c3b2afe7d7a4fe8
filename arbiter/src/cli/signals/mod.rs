//! Ctrl-C, SIGTERM and a terminal that hangs up: the first lets running games finish, the second ends the program at once.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

use crate::cli::{ExitCode, Failure};
use crate::program;
use crate::tournament::Stop;
use crate::ui::{talk, terminal};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// Ctrl-C.
    Interrupt,
    /// The end, from another program or because the terminal is gone.
    #[cfg_attr(windows, expect(dead_code, reason = "Windows does not tell the two apart"))]
    Terminate,
}

/// Listens to signals in a thread of its own.
pub(super) struct Signals {
    first: Arc<OnceLock<Wish>>,
}

impl Signals {
    /// Begins to listen. Where people play or watch, the first signal stops the running games at once, and `stopped` wakes whatever
    /// waits for a person; otherwise they are finished.
    pub(super) fn listen(
        stop: &'static Stop,
        is_watched: bool,
        journal: &Path,
        stopped: impl Fn() + Send + 'static,
    ) -> Result<Signals, Failure> {
        let first = Arc::new(OnceLock::new());
        let (seen, journal) = (Arc::clone(&first), journal.display().to_string());
        let heard = move |wish: Wish| {
            if seen.set(wish).is_err() {
                terminal::restore();
                talk(&format!("\nstopped; the games that ended are in {journal}; --resume goes on"));
                // Bots' processes end with this one; programs would not.
                program::end_all();
                std::process::exit(wish.code() as i32);
            }
            if is_watched {
                stop.now();
                stopped();
            } else {
                talk("\nfinishing the running games; once more stops now");
                stop.after_running_games();
            }
        };
        system::listen(heard)
            .map_err(|error| Failure::new(ExitCode::File, "cannot listen to signals").because(&error))?;
        Ok(Signals { first })
    }

    /// The exit code of a match that a signal has stopped.
    pub(super) fn heard(&self) -> Option<ExitCode> {
        self.first.get().map(|wish| wish.code())
    }
}

impl Wish {
    fn code(self) -> ExitCode {
        match self {
            Wish::Interrupt => ExitCode::Interrupted,
            Wish::Terminate => ExitCode::Terminated,
        }
    }
}
