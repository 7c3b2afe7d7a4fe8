//! Who may write a journal: one program at a time.

use std::fs::File;
use std::io;

/// Takes the file for this program until it is closed. Whether nobody else has it.
#[cfg(unix)]
pub(super) fn take(file: &File) -> io::Result<bool> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    use std::time::Duration;

    /// A process that is just being started has what its parent had open until it becomes another program.
    const TRIES: u32 = 10;
    const PAUSE: Duration = Duration::from_millis(20);

    for _ in 0..TRIES {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(true),
            // Some network file systems have no locks: whoever works there sees to it himself.
            Err(Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOLCK) => return Ok(true),
            Err(Errno::WOULDBLOCK) => std::thread::sleep(PAUSE),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(false)
}

/// Elsewhere nobody has tried it yet.
#[cfg(not(unix))]
pub(super) fn take(_: &File) -> io::Result<bool> {
    Ok(true)
}
