//! The files of a bot as they were when they were opened.

use super::LoadError;
use super::library::{LARGEST, Look, Purpose, look_at, open};
use crate::host::bridges::{Bridges, Ready};
use crate::host::payload::Payload;
use std::fmt;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;
use system::FileCopy;

/// A bot as it was named: a library, a library and a payload, or a payload that a bridge plays. Its files are read once,
/// when they are first needed. On Linux bots are then loaded from copies in memory that nobody can change, so building the bot
/// again or deleting the file does not disturb a match. Elsewhere they are loaded from the files themselves, and refused once
/// those have changed. Clones share the copies.
#[derive(Clone)]
pub struct BotFile(Arc<Source>);

struct Source {
    path: PathBuf,
    /// None where only a library is meant.
    bridges: Option<Bridges>,
    opened: OnceLock<Result<Opened, LoadError>>,
}

/// What a bot is made of.
pub(in crate::host) struct Opened {
    pub(in crate::host) library: Arc<LibraryFile>,
    pub(in crate::host) payload: Option<Payload>,
    /// What plays the payload, where the library is a bridge.
    pub(in crate::host) bridge: Option<Arc<Ready>>,
}

/// The copy of a library, and what was found in it.
pub(in crate::host) struct LibraryFile {
    path: PathBuf,
    pub(in crate::host) look: Look,
    pub(in crate::host) copy: FileCopy,
    /// Shows whether the file has been written since.
    stamp: Stamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl BotFile {
    /// A bot as people name it. A file of that whole name is a library, or what its ending says; otherwise `a+b` is the
    /// library `a` with the payload `b`.
    pub(in crate::host) fn named(path: PathBuf, bridges: &Bridges) -> BotFile {
        BotFile(Arc::new(Source { path, bridges: Some(bridges.clone()), opened: OnceLock::new() }))
    }

    /// The bot as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// What its library shows without being run.
    ///
    /// # Errors
    /// When it is no bot, or none for this machine, as far as its files tell.
    pub fn look(&self) -> Result<&Look, LoadError> {
        self.open().map(|opened| &opened.library.look)
    }

    /// The name and the SHA-256 of its payload, if it has one.
    #[must_use]
    pub fn payload(&self) -> Option<(&str, &str)> {
        let payload = self.open().ok()?.payload.as_ref()?;
        Some((payload.name(), payload.sha256()))
    }

    /// What a bridge plays it with: an interpreter and its version.
    #[must_use]
    pub fn runtime(&self) -> Option<&str> {
        Some(&self.open().ok()?.bridge.as_ref()?.found.runtime)
    }

    /// Writes it as it was read into a folder: a library, or what a bridge plays, folders as zip archives. Returns where.
    ///
    /// # Errors
    /// The file system's, and that it cannot be read or has changed since.
    pub fn save(&self, folder: &Path) -> io::Result<PathBuf> {
        let opened = self.open().map_err(io::Error::other)?;
        let mut name = self.path().file_name().unwrap_or_default().to_owned();
        let is_folder = opened.payload.as_ref().is_some_and(Payload::is_packed);
        if is_folder {
            name.push(".zip");
        }
        let to = folder.join(name);
        match &opened.payload {
            Some(payload) => payload.save(&to)?,
            None => opened.library.copy.save(&to)?,
        }
        Ok(to)
    }

    /// Whether what plays it can count its instructions, so that it can be played without any time.
    #[must_use]
    pub fn counts_instructions(&self) -> bool {
        self.open().is_ok_and(|opened| opened.bridge.as_ref().is_some_and(|bridge| bridge.found.counts))
    }

    /// What it is made of, read now if it has not been read before.
    pub(in crate::host) fn open(&self) -> Result<&Opened, LoadError> {
        self.0.opened.get_or_init(|| self.0.open()).as_ref().map_err(Clone::clone)
    }

    /// Checks that the library has not changed since it was opened, for systems that load the file itself.
    pub(in crate::host) fn unchanged(&self) -> Result<&Path, LoadError> {
        let library = &self.open()?.library;
        if stamp(&library.path)? == library.stamp {
            return Ok(&library.path);
        }
        Err(LoadError::Changed(library.path.display().to_string()))
    }
}

impl Source {
    fn open(&self) -> Result<Opened, LoadError> {
        let library = |path: &Path| LibraryFile::open(path, Purpose::Bot).map(Arc::new);
        let Some(bridges) = self.bridges.as_ref() else {
            return Ok(Opened { library: library(&self.path)?, payload: None, bridge: None });
        };
        if self.path.exists() && bridges.play(&self.path) {
            let bridge = bridges.of(&self.path)?;
            let payload = Some(Payload::read(&self.path)?);
            return Ok(Opened { library: Arc::clone(&bridge.library), payload, bridge: Some(bridge) });
        }
        match parts(&self.path).filter(|_| !self.path.exists()) {
            Some((bot, _)) if bridges.play(&bot) => Err(LoadError::TwoPayloads(bot.display().to_string())),
            Some((bot, payload)) => {
                let payload = Some(Payload::read(&payload)?);
                Ok(Opened { library: library(&bot)?, payload, bridge: None })
            }
            None => Ok(Opened { library: library(&self.path)?, payload: None, bridge: None }),
        }
    }
}

/// The two files of `bot.so+weights.bin`: the first plus behind the name of a file parts them.
fn parts(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let text = path.to_str()?;
    let pluses =
        text.match_indices('+').map(|(at, _)| (PathBuf::from(&text[..at]), PathBuf::from(&text[at + 1..])));
    pluses.into_iter().find(|(bot, payload)| bot.exists() && !payload.as_os_str().is_empty())
}

impl LibraryFile {
    /// The file as it was named.
    pub(in crate::host) fn path(&self) -> &Path {
        &self.path
    }

    pub(in crate::host) fn open(path: &Path, purpose: Purpose) -> Result<LibraryFile, LoadError> {
        let stamp = stamp(path)?;
        let (copy, bytes) =
            FileCopy::of(open(path)?, path).map_err(|error| LoadError::unreadable(path, &error))?;
        let look = look_at(&bytes, purpose)?;
        Ok(LibraryFile { path: path.to_owned(), look, copy, stamp })
    }
}

impl fmt::Debug for LibraryFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LibraryFile").field(&self.path).finish()
    }
}

fn stamp(path: &Path) -> Result<Stamp, LoadError> {
    let of = |about: Metadata| Stamp { length: about.len(), modified: about.modified().ok() };
    std::fs::metadata(path).map(of).map_err(|error| LoadError::unreadable(path, &error))
}

impl From<PathBuf> for BotFile {
    fn from(path: PathBuf) -> BotFile {
        BotFile(Arc::new(Source { path, bridges: None, opened: OnceLock::new() }))
    }
}

impl From<&Path> for BotFile {
    fn from(path: &Path) -> BotFile {
        path.to_owned().into()
    }
}

impl From<&PathBuf> for BotFile {
    fn from(path: &PathBuf) -> BotFile {
        path.clone().into()
    }
}

impl fmt::Debug for BotFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BotFile").field(&self.0.path).finish()
    }
}

/// Copies in memory, which nobody can change.
#[cfg(target_os = "linux")]
mod system {
    use super::{LARGEST, Path, PathBuf};
    use crate::host::memory::sealed;
    use rustix::fs::MemfdFlags;
    use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
    use std::ffi::c_void;
    use std::fs::File;
    use std::io::{self, Read};
    use std::ops::Deref;
    use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
    use std::ptr::NonNull;

    pub(in crate::host) struct FileCopy(File);

    /// A copy to be loaded into this process, for ever.
    pub(in crate::host) struct Loadable(OwnedFd);

    pub(super) struct Bytes {
        at: NonNull<c_void>,
        length: usize,
    }

    impl FileCopy {
        pub(super) fn of(original: File, _path: &Path) -> io::Result<(FileCopy, Bytes)> {
            let copy = FileCopy(in_memory(original.take(LARGEST))?);
            let bytes = copy.bytes()?;
            Ok((copy, bytes))
        }

        /// A copy of the copy. The loader takes it for another library, so its global variables are its own.
        pub(in crate::host) fn for_loading(&self, _loaded: usize) -> io::Result<Loadable> {
            Ok(Loadable(in_memory(&*self.bytes()?)?.into()))
        }

        pub(super) fn save(&self, to: &Path) -> io::Result<()> {
            std::fs::write(to, &*self.bytes()?)
        }

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
            // It does not go through `/proc/self`, since a debugger opens it too and would find a file of its own.
            format!("/proc/{}/fd/{}", std::process::id(), self.0.as_raw_fd()).into()
        }

        /// Keeps the file open until the process ends. The loader knows libraries by their paths, so the number in this path
        /// must never come to mean another file.
        pub(in crate::host) fn keep(self) {
            let _ = self.0.into_raw_fd();
        }
    }

    /// A library in memory.
    fn in_memory(from: impl Read) -> io::Result<File> {
        // From Linux 6.3 on such a file may be loaded only if that was asked for; older kernels do not know the flag.
        sealed(c"arbiter-library", MemfdFlags::EXEC, from)
    }
}

/// Systems that load libraries from files only: the file itself is used wherever possible.
#[cfg(not(target_os = "linux"))]
mod system {
    use super::{LARGEST, Path, PathBuf};
    use std::fs::File;
    use std::io::{self, Read};
    use std::sync::atomic::{AtomicU32, Ordering};

    pub(in crate::host) struct FileCopy(PathBuf);

    /// A file to be loaded into this process, for ever.
    pub(in crate::host) enum Loadable {
        Original(PathBuf),
        /// A copy of it in the folder for temporary files.
        Temporary(PathBuf),
    }

    impl FileCopy {
        pub(super) fn of(original: File, path: &Path) -> io::Result<(FileCopy, Vec<u8>)> {
            let mut bytes = Vec::new();
            original.take(LARGEST).read_to_end(&mut bytes)?;
            Ok((FileCopy(std::path::absolute(path)?), bytes))
        }

        pub(super) fn save(&self, to: &Path) -> io::Result<()> {
            std::fs::copy(&self.0, to).map(drop)
        }

        /// A file that the loader takes for another library than those it has loaded: the first time the file itself.
        pub(in crate::host) fn for_loading(&self, loaded: usize) -> io::Result<Loadable> {
            if loaded == 0 {
                return Ok(Loadable::Original(self.0.clone()));
            }
            static COPIES: AtomicU32 = AtomicU32::new(0);
            let number = COPIES.fetch_add(1, Ordering::Relaxed);
            let name = self.0.file_name().unwrap_or_default().to_string_lossy();
            let path = std::env::temp_dir().join(format!("arbiter-{}-{number}-{name}", std::process::id()));
            std::fs::copy(&self.0, &path)?;
            Ok(Loadable::Temporary(path))
        }
    }

    impl Loadable {
        /// What this process's loader opens.
        pub(in crate::host) fn path(&self) -> PathBuf {
            match self {
                Loadable::Original(path) | Loadable::Temporary(path) => path.clone(),
            }
        }

        /// The library has been loaded, and stays so until the process ends.
        pub(in crate::host) fn keep(self) {
            if let Loadable::Temporary(path) = self {
                // Windows does not remove a library that is in use. There the copy stays in the temporary folder.
                let _ = std::fs::remove_file(path);
            }
        }
    }
}
