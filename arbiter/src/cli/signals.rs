//! Ctrl-C, SIGTERM and a terminal that hangs up: the first lets running games finish, the second ends the program at once.

use super::exit_code::ExitCode;
use super::failure::Failure;
use crate::tournament::Stop;
use crate::ui::{talk, terminal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// Listens to signals in a thread of its own.
pub(super) struct Signals {
    first: Arc<AtomicI32>,
}

impl Signals {
    /// Begins to listen. A person at the keyboard does not wait for the end of a game; `stopped` wakes whoever waits
    /// for one.
    pub(super) fn listen(
        stop: &'static Stop,
        has_people: bool,
        journal: &Path,
        stopped: impl Fn() + Send + 'static,
    ) -> Result<Signals, Failure> {
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])
            .map_err(|error| Failure::new(ExitCode::File, "cannot listen to signals").because(&error))?;
        let first = Arc::new(AtomicI32::new(0));
        let (seen, journal) = (Arc::clone(&first), journal.display().to_string());
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if seen.swap(signal, Ordering::SeqCst) != 0 {
                    terminal::restore();
                    talk(&format!("\nstopped; the games that ended are in {journal}; --resume goes on"));
                    std::process::exit(code(signal) as i32);
                }
                if has_people {
                    stop.now();
                    stopped();
                } else {
                    talk("\nfinishing the running games; once more stops now");
                    stop.after_running_games();
                }
            }
        });
        Ok(Signals { first })
    }

    /// The exit code of a match that a signal has stopped.
    pub(super) fn heard(&self) -> Option<ExitCode> {
        Some(self.first.load(Ordering::SeqCst)).filter(|&signal| signal != 0).map(code)
    }
}

fn code(signal: i32) -> ExitCode {
    if signal == SIGTERM || signal == SIGHUP { ExitCode::Terminated } else { ExitCode::Interrupted }
}
