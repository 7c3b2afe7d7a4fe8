//! A plugin file as it was when it was opened.

use super::LoadError;
use super::library::{Look, look_at, read};
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;
use std::fmt;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A plugin file. It is read once, when it is first needed; from then on bots are loaded from a copy in memory that
/// nobody can change, so that building or deleting the file does not touch a match. Clones share the copy.
#[derive(Clone)]
pub struct BotFile(Arc<Source>);

struct Source {
    path: PathBuf,
    opened: OnceLock<Result<Opened, LoadError>>,
}

/// The copy of a file, and what was found in it.
pub(super) struct Opened {
    pub(super) look: Look,
    memory: OwnedFd,
}

impl BotFile {
    /// The file as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// What the file shows without being run.
    ///
    /// # Errors
    /// When it is no bot, or none for this machine, as far as the file tells.
    pub fn look(&self) -> Result<&Look, LoadError> {
        self.open().map(|opened| &opened.look)
    }

    /// The copy, made now if it has not been made before.
    pub(super) fn open(&self) -> Result<&Opened, LoadError> {
        let opened = self.0.opened.get_or_init(|| {
            let data = read(&self.0.path)?;
            let look = look_at(&data)?;
            let memory = copy(&data).map_err(|error| LoadError::NotStarted { problem: error.to_string() })?;
            Ok(Opened { look, memory })
        });
        opened.as_ref().map_err(Clone::clone)
    }
}

impl Opened {
    /// The copy as a file.
    pub(super) fn memory(&self) -> BorrowedFd<'_> {
        self.memory.as_fd()
    }

    /// A copy of the copy, which the system takes for another library.
    pub(super) fn another(&self) -> io::Result<OwnedFd> {
        let mut data = vec![0; usize::try_from(self.look.size).map_err(io::Error::other)?];
        let length = rustix::io::retry_on_intr(|| rustix::io::pread(&self.memory, &mut *data, 0))?;
        if length == data.len() { copy(&data) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// A file that exists in memory only and that nobody can change, with these bytes.
fn copy(data: &[u8]) -> io::Result<OwnedFd> {
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

impl From<PathBuf> for BotFile {
    fn from(path: PathBuf) -> BotFile {
        BotFile(Arc::new(Source { path, opened: OnceLock::new() }))
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
