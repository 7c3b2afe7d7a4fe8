//! Blocks of Linux without a name: a sealed `memfd` can neither shrink nor grow, so that no bot can make the referee's
//! reads fail.

use super::named::map;
use super::{Mapping, not_ours};
use crate::host::wire::Block;
use rustix::fs::{MemfdFlags, SealFlags};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

impl Mapping {
    /// A new block, and the file to hand to the child.
    pub(in super::super) fn sealed() -> io::Result<(Mapping, OwnedFd)> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = rustix::fs::memfd_create(c"arbiter-bot", flags)?;
        rustix::fs::ftruncate(&file, size_of::<Block>() as u64)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        Ok((Mapping::of(&file)?, file))
    }

    /// Maps the block behind a file that [`sealed`](Mapping::sealed) made, maybe in another process.
    pub(in super::super) fn of(file: impl AsFd) -> io::Result<Mapping> {
        let seals = rustix::fs::fcntl_get_seals(&file)?;
        if seals.contains(SealFlags::SHRINK) { map(file) } else { Err(not_ours()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bot_can_shrink_the_block_under_the_referee() {
        let (_block, file) = Mapping::sealed().unwrap();
        assert!(rustix::fs::ftruncate(&file, 0).is_err());
    }
}
