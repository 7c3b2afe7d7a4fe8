//! What is said beside the data: lines on standard error.

use std::io::{self, Write};

/// A line on standard error, at once. A reader that went away misses it: nothing stops because nobody listens.
#[expect(clippy::let_underscore_must_use, reason = "nobody listens any more, and that is no error")]
pub fn talk(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
