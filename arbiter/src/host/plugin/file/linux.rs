//! Copies in memory, which nobody can change.

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// A copy of a library.
pub(in crate::host) struct FileCopy {
    memory: OwnedFd,
    size: u64,
}

/// A copy to be loaded into this process, for ever.
pub(in crate::host) struct Loadable(OwnedFd);

impl FileCopy {
    /// A copy of these bytes.
    pub(super) fn of(_original: &Path, data: &[u8]) -> io::Result<FileCopy> {
        Ok(FileCopy { memory: in_memory(data)?, size: data.len() as u64 })
    }

    /// A copy of the copy. The loader takes it for another library, so its global variables are its own.
    pub(in crate::host) fn for_loading(&self, _loaded: usize) -> io::Result<Loadable> {
        let mut data = vec![0; usize::try_from(self.size).map_err(io::Error::other)?];
        let length = rustix::io::retry_on_intr(|| rustix::io::pread(&self.memory, &mut *data, 0))?;
        if length != data.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        in_memory(&data).map(Loadable)
    }

    /// The copy as a file.
    pub(in crate::host) fn memory(&self) -> BorrowedFd<'_> {
        self.memory.as_fd()
    }
}

impl Loadable {
    /// What this process's loader opens.
    pub(in crate::host) fn path(&self) -> PathBuf {
        path_of(self.0.as_fd(), std::process::id())
    }

    /// Keeps the file open until the process ends. The loader knows libraries by their paths, so the number in this path
    /// must never come to mean another file.
    pub(in crate::host) fn keep(self) {
        let _ = self.0.into_raw_fd();
    }
}

/// A file that exists in memory only and that nobody can change, with these bytes.
fn in_memory(data: &[u8]) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // From Linux 6.3 on such a file may be loaded only if that was asked for; older kernels do not know the flag.
    let create = |flags| rustix::fs::memfd_create(c"arbiter-library", flags);
    let memory = match create(flags | MemfdFlags::EXEC) {
        Err(Errno::INVAL) => create(flags)?,
        other => other?,
    };
    let mut file = std::fs::File::from(memory);
    file.write_all(data)?;
    let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals)?;
    Ok(file.into())
}

/// What the loader of a process opens for a file that is open there. `process` is the number by which the referee knows
/// it. The path does not go through `/proc/self`, since a debugger opens it as well and would find a file of its own.
pub(in crate::host) fn path_of(file: BorrowedFd<'_>, process: u32) -> PathBuf {
    format!("/proc/{process}/fd/{}", file.as_raw_fd()).into()
}
