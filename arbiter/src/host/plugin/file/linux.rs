//! Copies in memory, which nobody can change.

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::ffi::c_void;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::Deref;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

/// A copy of a library.
pub(in crate::host) struct FileCopy(File);

/// A copy to be loaded into this process, for ever.
pub(in crate::host) struct Loadable(OwnedFd);

/// What is in a copy.
pub(super) struct Bytes {
    at: NonNull<c_void>,
    length: usize,
}

impl FileCopy {
    /// A copy of a file, of no more than so many bytes, and what is in it.
    pub(super) fn of(original: File, _path: &Path, most: u64) -> io::Result<(FileCopy, Bytes)> {
        let copy = FileCopy(in_memory(original.take(most))?);
        let bytes = copy.bytes()?;
        Ok((copy, bytes))
    }

    /// A copy of the copy. The loader takes it for another library, so its global variables are its own.
    pub(in crate::host) fn for_loading(&self, _loaded: usize) -> io::Result<Loadable> {
        Ok(Loadable(in_memory(&*self.bytes()?)?.into()))
    }

    /// The copy as a file.
    pub(in crate::host) fn memory(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    fn bytes(&self) -> io::Result<Bytes> {
        let length = usize::try_from(self.0.metadata()?.len()).map_err(io::Error::other)?;
        // Before Linux 6.7 a file that is sealed against writing cannot be mapped as shared, even for reading.
        let flags = MapFlags::PRIVATE | MapFlags::POPULATE;
        // Nothing cannot be mapped, but an empty file can.
        let mapped = length.max(1);
        // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
        let at = unsafe { mmap(std::ptr::null_mut(), mapped, ProtFlags::READ, flags, &self.0, 0)? };
        Ok(Bytes { at: NonNull::new(at).ok_or(io::ErrorKind::OutOfMemory)?, length })
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the whole length is mapped until this is dropped, and the file is sealed: nobody can change it.
        unsafe { std::slice::from_raw_parts(self.at.as_ptr().cast(), self.length) }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: it was mapped by us, and every slice of it has gone with its borrow.
        let _ = unsafe { munmap(self.at.as_ptr(), self.length.max(1)) };
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

/// A file that exists in memory only and that nobody can change, with what can be read here.
fn in_memory(mut from: impl Read) -> io::Result<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // From Linux 6.3 on such a file may be loaded only if that was asked for; older kernels do not know the flag.
    let create = |flags| rustix::fs::memfd_create(c"arbiter-library", flags);
    let memory = match create(flags | MemfdFlags::EXEC) {
        Err(Errno::INVAL) => create(flags)?,
        other => other?,
    };
    let mut memory = File::from(memory);
    // The kernel copies a file by itself.
    io::copy(&mut from, &mut memory)?;
    memory.rewind()?;
    let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&memory, seals)?;
    Ok(memory)
}

/// What the loader of a process opens for a file that is open there. `process` is the number by which the referee knows
/// it. The path does not go through `/proc/self`, since a debugger opens it as well and would find a file of its own.
pub(in crate::host) fn path_of(file: BorrowedFd<'_>, process: u32) -> PathBuf {
    format!("/proc/{process}/fd/{}", file.as_raw_fd()).into()
}
