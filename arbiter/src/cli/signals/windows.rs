//! Ctrl-C, Ctrl-Break and a closed window of Windows, which are not told apart.

use super::Wish;
use std::io;

/// Calls `heard` for every one of them, from a thread of its own.
pub(super) fn listen(mut heard: impl FnMut(Wish) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || heard(Wish::Interrupt)).map_err(io::Error::other)
}
