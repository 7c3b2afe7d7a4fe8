//! The wall clock of people and programs, which stands still while arbiter is stopped.
#![expect(clippy::disallowed_methods, reason = "this clock is read here")]

use std::time::{Duration, Instant};

/// So long between two looks, which come far more often, means that arbiter was stopped meanwhile (Ctrl-Z) and could hear nobody:
/// no thread waits for a processor for so long.
const STOPPED: Duration = Duration::from_secs(1);

/// When the clock was looked at last.
#[derive(Debug)]
pub(crate) struct Looks(Instant);

impl Looks {
    /// The first look is now.
    pub(crate) fn begin() -> Looks {
        Looks(Instant::now())
    }

    /// Looks again: how long the last look is ago, and whether the program was stopped since then.
    pub(crate) fn look(&mut self) -> (Duration, bool) {
        let now = Instant::now();
        let since = now.duration_since(std::mem::replace(&mut self.0, now));
        (since, since > STOPPED)
    }
}
