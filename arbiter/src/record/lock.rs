//! Who may write a journal: one program at a time.

use std::fs::File;
use std::io;

/// Takes the file for this program until it is closed. Whether nobody else has it.
#[cfg(unix)]
pub(super) fn take(file: &File) -> io::Result<bool> {
    use rustix::fs::{FlockOperation, flock};
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        // Some network file systems have no locks: whoever works there sees to it himself.
        Err(rustix::io::Errno::NOSYS | rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOLCK) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// Elsewhere nobody has tried it yet.
#[cfg(not(unix))]
pub(super) fn take(_: &File) -> io::Result<bool> {
    Ok(true)
}
