//! A thread of the standard library.

use super::{STACK, Watch};
use std::io;
use std::thread::Builder;

/// Starts the thread, which is not waited for.
pub(super) fn start_thread(watch: Watch) -> io::Result<()> {
    Builder::new().name("stop".to_owned()).stack_size(STACK).spawn(|| watch.follow()).map(drop)
}
