//! Blocks of Unix with a name: objects of shared memory.

use super::{Mapping, not_ours};
use crate::host::wire::Block;
use rustix::fs::Mode;
use rustix::mm::{MapFlags, ProtFlags};
use rustix::shm;
use std::io;
use std::os::fd::AsFd;
use std::ptr::NonNull;

/// The name of a block, which goes when this is dropped.
#[derive(Debug)]
pub(in super::super) struct Name(String);

impl Name {
    /// The name as another process is told it.
    pub(in super::super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        // It fails when the process that opened it has unlinked the name already.
        let _ = shm::unlink(path(&self.0));
    }
}

pub(super) fn create(name: &str) -> io::Result<(Mapping, Name)> {
    let flags = shm::OFlags::CREATE | shm::OFlags::EXCL | shm::OFlags::RDWR;
    let object = shm::open(path(name), flags, Mode::RUSR | Mode::WUSR)?;
    let name = Name(name.to_owned());
    // macOS sets the length of such an object once only, so that nobody can shrink it either.
    rustix::fs::ftruncate(&object, size_of::<Block>() as u64)?;
    Ok((map(object)?, name))
}

pub(super) fn open(name: &str) -> io::Result<Mapping> {
    let object = shm::open(path(name), shm::OFlags::RDWR, Mode::empty())?;
    let mapping = map(object)?;
    let _ = shm::unlink(path(name));
    Ok(mapping)
}

fn path(name: &str) -> String {
    format!("/{name}")
}

/// Maps a file that is as long as a block, or longer where the system counts in pages.
pub(super) fn map(file: impl AsFd) -> io::Result<Mapping> {
    let stat = rustix::fs::fstat(&file)?;
    if u64::try_from(stat.st_size).unwrap_or(0) < size_of::<Block>() as u64 {
        return Err(not_ours());
    }
    let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED);
    // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists. The file is as long as
    // a block, and stays so: it is sealed, or only this program has its name.
    let at = unsafe { rustix::mm::mmap(std::ptr::null_mut(), size_of::<Block>(), access, flags, &file, 0)? };
    Ok(Mapping { at: NonNull::new(at.cast()).ok_or(io::ErrorKind::OutOfMemory)? })
}

/// Takes a block out of this process's memory.
///
/// # Safety
/// The block was mapped by [`map`], and nobody uses it any more.
pub(super) unsafe fn unmap(at: NonNull<Block>) {
    // SAFETY: a mapping of this length that nobody uses, as the caller promises.
    let unmapped = unsafe { rustix::mm::munmap(at.as_ptr().cast(), size_of::<Block>()) };
    debug_assert!(unmapped.is_ok(), "unmapping our own block cannot fail: {unmapped:?}");
}
