//! The shared block in this process's memory: where it comes from, and how another process gets at it.

#[cfg_attr(unix, path = "named_unix.rs")]
#[cfg_attr(windows, path = "named_windows.rs")]
mod named;
#[cfg(target_os = "linux")]
mod sealed;

#[cfg(target_os = "linux")]
pub(super) use sealed::Pool;

pub(super) use named::Name;

use super::wire::Block;
use std::io;
use std::ptr::NonNull;

/// A block that is mapped into this process.
pub(super) struct Mapping {
    at: NonNull<Block>,
}

// SAFETY: the mapping is shared memory of atomics; any thread may use it, and the last owner unmaps it.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// A new block, and the name under which another process opens it for as long as the name lives.
    pub(super) fn named() -> io::Result<(Mapping, Name)> {
        let random = getrandom::u64().map_err(io::Error::other)?;
        named::create(&format!("arbiter-{random:016x}"))
    }

    /// Opens the block of this name, which is then no longer to be found, where the system can hide it.
    pub(super) fn open(name: &str) -> io::Result<Mapping> {
        named::open(name)
    }

    /// Keeps the block mapped until the process ends.
    pub(super) fn forever(self) -> &'static Block {
        let at = std::mem::ManuallyDrop::new(self).at;
        // SAFETY: the memory is a block, page-aligned, and never unmapped, since `drop` does not run. All zeros is
        // a valid block, and all its fields are atomic.
        unsafe { at.as_ref() }
    }
}

impl std::ops::Deref for Mapping {
    type Target = Block;
    fn deref(&self) -> &Block {
        // SAFETY: the memory is a block, page-aligned, and mapped as long as `self` lives. All zeros is a valid
        // block, and all its fields are atomic.
        unsafe { self.at.as_ref() }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: nobody else has this mapping, and references to it live no longer than `self`.
        unsafe { named::unmap(self.at) };
    }
}

/// What was opened is no block.
fn not_ours() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a block of arbiter's")
}
