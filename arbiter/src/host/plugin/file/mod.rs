//! A plugin file as it was when it was opened.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other.rs")]
mod system;

use super::LoadError;
use super::library::{LARGEST, Look, look_at, open};
use std::fmt;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use system::FileCopy;

/// A plugin file. It is read once, when it is first needed. On Linux bots are then loaded from a copy in memory that nobody
/// can change, so building the bot again or deleting the file does not disturb a match. Elsewhere they are loaded from the
/// file itself, and refused once it has changed. Clones share the copy.
#[derive(Clone)]
pub struct BotFile(Arc<Source>);

struct Source {
    path: PathBuf,
    opened: OnceLock<Result<Opened, LoadError>>,
}

/// The copy of a file, and what was found in it.
pub(in crate::host) struct Opened {
    pub(super) look: Look,
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
    pub(in crate::host) fn open(&self) -> Result<&Opened, LoadError> {
        let opened = self.0.opened.get_or_init(|| {
            let stamp = self.stamp()?;
            let path = &self.0.path;
            let (copy, bytes) = FileCopy::of(open(path)?, path, LARGEST)
                .map_err(|error| LoadError::unreadable(path, &error))?;
            let look = look_at(&bytes)?;
            Ok(Opened { look, copy, stamp })
        });
        opened.as_ref().map_err(Clone::clone)
    }

    /// Checks that the file has not changed since it was opened, for systems that load the file itself.
    pub(in crate::host) fn unchanged(&self) -> Result<(), LoadError> {
        let opened = self.open()?;
        if self.stamp()? == opened.stamp {
            return Ok(());
        }
        Err(LoadError::Changed { path: self.0.path.display().to_string() })
    }

    fn stamp(&self) -> Result<Stamp, LoadError> {
        let of = |about: Metadata| Stamp { length: about.len(), modified: about.modified().ok() };
        std::fs::metadata(&self.0.path).map(of).map_err(|error| LoadError::unreadable(&self.0.path, &error))
    }
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
