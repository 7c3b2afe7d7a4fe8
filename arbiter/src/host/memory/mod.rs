//! The shared block in this process's memory: where it comes from, and how another process gets at it.
//!
//! On Linux a contained bot is handed a sealed `memfd`, which it can neither shrink nor grow, so that it cannot make the
//! referee's reads fail. Plain processes open a block by a random name.

#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;
#[cfg(windows)]
pub(super) use windows::own;

use super::wire::Block;
use std::io;
use std::ptr::NonNull;

/// The name under which another process opens a block: on Unix for as long as this lives, elsewhere as long as the block does.
#[derive(Debug)]
pub(super) struct Name(pub(super) String);

/// A block that is mapped, and what is mapped there. It goes when this is dropped.
pub(super) struct Mapping {
    at: NonNull<Block>,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "it is kept, and handed to nobody"))]
    object: system::Object,
}

// SAFETY: the mapping is shared memory of atomics; any thread may use it, and the last owner unmaps it.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// A new block, and the name under which another process opens it for as long as the name lives.
    pub(super) fn named() -> io::Result<(Mapping, Name)> {
        let random = getrandom::u64().map_err(io::Error::other)?;
        system::create(&format!("arbiter-{random:016x}"))
    }

    /// Opens the block of this name, which is then no longer to be found, where the system can hide it.
    pub(super) fn open(name: &str) -> io::Result<Mapping> {
        system::open(name)
    }

    /// Keeps the block mapped until the process ends.
    pub(super) fn forever(self) -> &'static Block {
        Box::leak(Box::new(self))
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
        unsafe { system::unmap(self.at) };
    }
}

/// What was opened is no block.
fn not_ours() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a block of arbiter's")
}

#[cfg(unix)]
mod unix {
    use super::{Block, Mapping, Name, NonNull, io, not_ours};
    use rustix::fs::Mode;
    use rustix::mm::{MapFlags, ProtFlags};
    use rustix::shm;
    use std::os::fd::OwnedFd;

    /// A file in memory.
    pub(super) type Object = OwnedFd;

    impl Drop for Name {
        fn drop(&mut self) {
            // It fails when the process that opened it has unlinked the name already.
            let _ = shm::unlink(format!("/{}", self.0));
        }
    }

    pub(super) fn create(name: &str) -> io::Result<(Mapping, Name)> {
        let flags = shm::OFlags::CREATE | shm::OFlags::EXCL | shm::OFlags::RDWR;
        let object = shm::open(format!("/{name}"), flags, Mode::RUSR | Mode::WUSR)?;
        let name = Name(name.to_owned());
        // macOS sets the length of such an object once only, so that nobody can shrink it either.
        rustix::fs::ftruncate(&object, size_of::<Block>() as u64)?;
        Ok((Mapping::of(object)?, name))
    }

    pub(super) fn open(name: &str) -> io::Result<Mapping> {
        let mapping = Mapping::of(shm::open(format!("/{name}"), shm::OFlags::RDWR, Mode::empty())?)?;
        let _ = shm::unlink(format!("/{name}"));
        Ok(mapping)
    }

    impl Mapping {
        /// Maps the block behind a file, maybe of another process: one that is as long as a block, or longer where the system
        /// counts in pages.
        pub(in crate::host) fn of(object: OwnedFd) -> io::Result<Mapping> {
            if u64::try_from(rustix::fs::fstat(&object)?.st_size).unwrap_or(0) < size_of::<Block>() as u64 {
                return Err(not_ours());
            }
            let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED);
            // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists. The file is as long
            // as a block, and stays so: it is sealed, or only this program has its name.
            let at = unsafe {
                rustix::mm::mmap(std::ptr::null_mut(), size_of::<Block>(), access, flags, &object, 0)?
            };
            Ok(Mapping { at: NonNull::new(at.cast()).ok_or(io::ErrorKind::OutOfMemory)?, object })
        }
    }

    /// Takes a block out of this process's memory.
    ///
    /// # Safety
    /// The block was mapped by [`Mapping::of`], and nobody uses it any more.
    pub(super) unsafe fn unmap(at: NonNull<Block>) {
        // SAFETY: a mapping of this length that nobody uses, as the caller promises.
        let unmapped = unsafe { rustix::mm::munmap(at.as_ptr().cast(), size_of::<Block>()) };
        debug_assert!(unmapped.is_ok(), "unmapping our own block cannot fail: {unmapped:?}");
    }
}

#[cfg(target_os = "linux")]
pub(super) use sealed::{Pool, map_for_ever, sealed};

#[cfg(target_os = "linux")]
mod sealed {
    use super::{Block, Mapping, io};
    use parking_lot::Mutex;
    use rustix::fs::{IFlags, MemfdFlags, SealFlags};
    use rustix::io::Errno;
    use rustix::mm::{MapFlags, ProtFlags, mmap};
    use std::fs::File;
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::fs::FileExt;

    /// Makes a file that exists in memory only, holds these bytes, and can be changed by nobody.
    pub(in crate::host) fn sealed(bytes: &[u8]) -> io::Result<File> {
        // Not as one that may be executed: a loader only maps it, and a kernel may refuse such files (`vm.memfd_noexec`).
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let memory = File::from(rustix::fs::memfd_create(c"arbiter-file", flags)?);
        // Every byte is written: a hole would be filled by the first who reads there, and all could see that.
        memory.write_all_at(bytes, 0)?;
        // Reading would set the time of the last access, which all other readers see: bots could talk through
        // it. Older kernels cannot switch that off.
        let _ = rustix::fs::ioctl_setflags(&memory, IFlags::NOATIME);
        // Nobody has it mapped, so it is enough to forbid writing from now on. A seal on all writing waits
        // until nothing in the kernel holds a page, and fails as busy where that takes a while. Linux before
        // 5.1 knows only that one.
        let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
        match rustix::fs::fcntl_add_seals(&memory, seals | SealFlags::FUTURE_WRITE) {
            Err(Errno::INVAL) => rustix::fs::fcntl_add_seals(&memory, seals | SealFlags::WRITE)?,
            other => other?,
        }
        Ok(memory)
    }

    /// Maps a sealed file until the process ends.
    pub(in crate::host) fn map_for_ever(file: &File) -> io::Result<&'static [u8]> {
        let length = usize::try_from(rustix::fs::fstat(file)?.st_size).map_err(io::Error::other)?;
        if length == 0 {
            return Ok(&[]);
        }
        let seals = rustix::fs::fcntl_get_seals(file)?;
        let unchanging = SealFlags::WRITE | SealFlags::FUTURE_WRITE;
        if !(seals.contains(SealFlags::SHRINK) && seals.intersects(unchanging)) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // Before Linux 6.7 a file that is sealed against writing cannot be mapped as shared, even for reading.
        // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
        let at = unsafe { mmap(std::ptr::null_mut(), length, ProtFlags::READ, MapFlags::PRIVATE, file, 0)? };
        // SAFETY: the whole length is mapped and never unmapped, and the file is sealed: nobody can change or shrink it.
        Ok(unsafe { std::slice::from_raw_parts(at.cast(), length) })
    }

    /// Blocks whose bots are gone. To make a block and unmap it costs more than to wipe it, and unmapping interrupts all
    /// cores that the process runs on. So a block serves one bot after another.
    #[derive(Default)]
    pub(in crate::host) struct Pool(Mutex<Vec<Mapping>>);

    impl Pool {
        /// A block in which all is zero.
        pub(in crate::host) fn take(&self) -> io::Result<Mapping> {
            let used = self.0.lock().pop();
            if let Some(block) = used {
                // SAFETY: the memory is a block, of which all zeros is a valid one. Nobody else in this process has it,
                // and the process of its bot is gone.
                unsafe { block.at.write_bytes(0, 1) };
                return Ok(block);
            }
            let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
            let file = rustix::fs::memfd_create(c"arbiter-bot", flags)?;
            rustix::fs::ftruncate(&file, size_of::<Block>() as u64)?;
            rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
            Mapping::of(file)
        }

        /// Keeps a block for another bot. The process of its bot must be gone.
        pub(in crate::host) fn give_back(&self, block: Mapping) {
            self.0.lock().push(block);
        }
    }

    /// The file that the bot's process is handed.
    impl AsFd for Mapping {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.object.as_fd()
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::host::wire::Part;
        use std::io::Write;
        use std::os::fd::AsRawFd;
        use std::sync::atomic::Ordering;

        #[test]
        fn no_bot_can_shrink_the_block_under_the_referee() {
            let block = Pool::default().take().unwrap();
            assert!(rustix::fs::ftruncate(&block, 0).is_err());
        }

        /// A time that one bot can write and another can read would carry messages between opponents, and from game to game.
        #[test]
        fn no_bot_learns_when_another_has_read_their_library() {
            let library = sealed(b"bytes").unwrap();
            // Older kernels do not know the flag.
            let other = rustix::fs::memfd_create(c"other", MemfdFlags::CLOEXEC).unwrap();
            let is_known = rustix::fs::ioctl_setflags(&other, IFlags::NOATIME).is_ok();
            let read_at = || rustix::fs::fstat(&library).unwrap().st_atime_nsec;
            let before = read_at();
            // Longer than a tick of the clock by which the kernel dates what is read; whatever comes on top of it is as good.
            std::thread::sleep(std::time::Duration::from_millis(20));
            std::io::read_to_string(&mut &library).unwrap();
            assert!(!is_known || read_at() == before);
        }

        /// All bots of a library are started from its one copy.
        #[test]
        fn no_bot_writes_into_a_library() {
            let library = sealed(b"bytes").unwrap();
            let again = format!("/proc/self/fd/{}", library.as_raw_fd());
            let mut again = File::options().read(true).write(true).open(again).unwrap();
            assert!((&library).write(b"other").is_err());
            assert!(again.write(b"other").is_err());
            assert!(again.set_len(0).is_err());
            let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED);
            // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
            assert!(unsafe { mmap(std::ptr::null_mut(), 5, access, flags, &again, 0) }.is_err());
            assert_eq!(std::io::read_to_string(&mut again).unwrap(), "bytes");
        }

        #[test]
        fn no_bot_finds_what_another_has_left() {
            let pool = Pool::default();
            let block = pool.take().unwrap();
            block.reply.put(7, &[7; 30_000], Part::More);
            block.request.put(7, &[7; 60_000], Part::More);
            block.stop.store(7, Ordering::SeqCst);
            block.last_words.signal.store(7, Ordering::SeqCst);
            pool.give_back(block);
            let block = pool.take().unwrap();
            let start = block.at.as_ptr().cast::<u8>();
            // SAFETY: the block is mapped, and nobody writes to it.
            let bytes = unsafe { std::slice::from_raw_parts(start, size_of::<Block>()) };
            assert!(bytes.iter().all(|&byte| byte == 0));
        }
    }
}
