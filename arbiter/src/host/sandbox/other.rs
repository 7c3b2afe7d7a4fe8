//! Systems where a bot's process is only a process: nothing is taken from it.

use super::{Bounds, Stage};
use std::io;

/// Leaves it to the process to notice that nobody speaks to it any more.
pub(in super::super) fn die_with(_parent: u32) -> io::Result<()> {
    Ok(())
}

/// Confines nothing.
pub(in super::super) fn confine(_stage: Stage, _bounds: &Bounds) -> io::Result<()> {
    Ok(())
}
