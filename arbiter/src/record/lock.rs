//! Who may write a journal: one program at a time.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens the file for this program until it is closed; none if another program has it.
#[cfg(unix)]
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    use std::time::Duration;

    /// A process that is just being started shares its parent's open files, and so the lock, until it executes its
    /// program.
    const TRIES: u32 = 10;
    const PAUSE: Duration = Duration::from_millis(20);

    let file = options.open(path)?;
    for _ in 0..TRIES {
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Some(file)),
            // Some network file systems have no locks. There nothing prevents two programs from writing one journal.
            Err(Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOLCK) => return Ok(Some(file)),
            Err(Errno::WOULDBLOCK) => std::thread::sleep(PAUSE),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

/// Opens the file for this program until it is closed; none if another program has it. Others may read it meanwhile.
#[cfg(windows)]
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;

    /// `FILE_SHARE_READ`, and `FILE_SHARE_DELETE` for the journal that goes when its report is written.
    const READ_AND_REMOVE: u32 = 1 | 4;
    /// `ERROR_SHARING_VIOLATION`.
    const IN_USE: i32 = 32;

    match options.share_mode(READ_AND_REMOVE).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(IN_USE) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether another program has the file open to write it, where the system tells.
#[cfg(unix)]
pub fn is_taken(path: &Path) -> bool {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;

    // A lock that is shared stands in nobody's way for longer than this takes.
    let Ok(file) = super::source::open_itself(path) else { return false };
    flock(&file, FlockOperation::NonBlockingLockShared) == Err(Errno::WOULDBLOCK)
}

/// The same: whoever writes lets nobody else do so.
#[cfg(windows)]
pub fn is_taken(path: &Path) -> bool {
    matches!(open(path, OpenOptions::new().write(true)), Ok(None))
}
