//! Blocks of Linux without a name: a sealed `memfd` can neither shrink nor grow, so that no bot can make the referee's
//! reads fail.
//!
//! To make a block and unmap it costs more than to wipe it, and unmapping interrupts all cores that the process runs on. So
//! a block serves one bot after another.

use super::Mapping;
use super::named::map;
use crate::host::wire::Block;
use rustix::fs::{MemfdFlags, SealFlags};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Blocks that have served, each with its file.
#[derive(Default)]
pub(in super::super) struct Pool(Mutex<Vec<(Mapping, OwnedFd)>>);

impl Pool {
    /// A block in which all is zero, and the file to hand to the bot's process.
    pub(in super::super) fn take(&self) -> io::Result<(Mapping, OwnedFd)> {
        let used = self.spare().pop();
        if let Some((block, file)) = used {
            // SAFETY: the memory is a block, of which all zeros is a valid one. Nobody else in this process has it,
            // and the process of its bot is gone.
            unsafe { block.at.write_bytes(0, 1) };
            return Ok((block, file));
        }
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = rustix::fs::memfd_create(c"arbiter-bot", flags)?;
        rustix::fs::ftruncate(&file, size_of::<Block>() as u64)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        Ok((Mapping::of(&file)?, file))
    }

    /// Keeps a block for another bot, with its file. The process of its bot must be gone.
    pub(in super::super) fn give_back(&self, block: Mapping, file: OwnedFd) {
        self.spare().push((block, file));
    }

    fn spare(&self) -> MutexGuard<'_, Vec<(Mapping, OwnedFd)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mapping {
    /// Maps the block behind a file that a [`Pool`] made, maybe in another process.
    pub(in super::super) fn of(file: impl AsFd) -> io::Result<Mapping> {
        map(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::wire::Part;
    use std::sync::atomic::Ordering;

    #[test]
    fn no_bot_can_shrink_the_block_under_the_referee() {
        let (_block, file) = Pool::default().take().unwrap();
        assert!(rustix::fs::ftruncate(&file, 0).is_err());
    }

    #[test]
    fn no_bot_finds_what_another_has_left() {
        let pool = Pool::default();
        let (block, file) = pool.take().unwrap();
        block.reply.put(7, &[7; 30_000], Part::More);
        block.request.put(7, &[7; 60_000], Part::More);
        block.stop.store(7, Ordering::SeqCst);
        block.last_words.signal.store(7, Ordering::SeqCst);
        pool.give_back(block, file);
        let (block, _file) = pool.take().unwrap();
        // SAFETY: the block is mapped, and nobody writes to it.
        let bytes = unsafe { std::slice::from_raw_parts(block.at.as_ptr().cast::<u8>(), size_of::<Block>()) };
        assert!(bytes.iter().all(|&byte| byte == 0));
    }
}
