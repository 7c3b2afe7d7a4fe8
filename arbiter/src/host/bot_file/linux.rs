//! Copies in memory, which nobody can change.

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// A copy of a library.
pub(in super::super) struct Copy {
    memory: OwnedFd,
    size: u64,
}

/// A library to be loaded for ever.
pub(in super::super) struct Another(OwnedFd);

impl Copy {
    /// A copy of these bytes.
    pub(super) fn of(_original: &Path, data: &[u8]) -> io::Result<Copy> {
        Ok(Copy { memory: in_memory(data)?, size: data.len() as u64 })
    }

    /// A copy of the copy, which the system takes for another library than those that have been loaded from it.
    pub(in super::super) fn another(&self, _loaded: usize) -> io::Result<Another> {
        let mut data = vec![0; usize::try_from(self.size).map_err(io::Error::other)?];
        let length = rustix::io::retry_on_intr(|| rustix::io::pread(&self.memory, &mut *data, 0))?;
        if length != data.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        in_memory(&data).map(Another)
    }

    /// The copy as a file.
    pub(in super::super) fn memory(&self) -> BorrowedFd<'_> {
        self.memory.as_fd()
    }
}

impl Another {
    /// What this process's loader opens.
    pub(in super::super) fn path(&self) -> PathBuf {
        path_of(self.0.as_fd(), std::process::id())
    }

    /// Keeps the copy until the process ends: the loader knows libraries by their names, so that this one must not come
    /// to mean another.
    pub(in super::super) fn keep(self) {
        let _ = self.0.into_raw_fd();
    }
}

/// A file that exists in memory only and that nobody can change, with these bytes.
fn in_memory(data: &[u8]) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // Systems before Linux 6.3 do not know the flag; on later ones files in memory may be data only unless asked for.
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

/// What this process's loader opens for a file, if the process has this number for the referee. Not by way of `self`: a debugger that is told this name looks for the
/// file too, and would find one of its own.
pub(in super::super) fn path_of(file: BorrowedFd<'_>, process: u32) -> PathBuf {
    format!("/proc/{process}/fd/{}", file.as_raw_fd()).into()
}
