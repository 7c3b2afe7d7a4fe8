//! Systems where a bot's process is only a process: nothing is taken from it.

use super::{Bounds, Stage};
use std::io;

/// Confines nothing.
pub(in super::super) fn confine(_stage: Stage, _bounds: &Bounds) -> io::Result<()> {
    Ok(())
}
