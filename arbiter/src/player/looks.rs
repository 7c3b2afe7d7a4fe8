//! Looks at a clock on the wall, for those who are charged by it: people and programs.
#![expect(clippy::disallowed_methods, reason = "this clock is read here")]

use std::time::{Duration, Instant};

/// If so long goes by between two looks, which come far more often, the program was stopped meanwhile (Ctrl-Z), and could hear
/// nobody: nobody waits for a processor for so long.
const STOPPED: Duration = Duration::from_secs(1);

/// When a clock was looked at last. While the program is stopped, no clock on the wall runs.
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
