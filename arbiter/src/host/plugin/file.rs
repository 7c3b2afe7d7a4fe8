//! The files of a bot as they were when they were opened.

use super::LoadError;
use super::library::{Look, Purpose, look_at};
use crate::host::bridges::{Bridges, Ready};
use crate::host::copy::{FileCopy, read_again};
use crate::host::payload::{Payload, bytes_of_file};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

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
    pub(in crate::host) look: Look,
    pub(in crate::host) copy: FileCopy,
}

impl BotFile {
    /// A bot as people name it. A file of that whole name is a library, or what its ending says; otherwise `a+b` is the
    /// library `a` with the payload `b`.
    pub(in crate::host) fn named(path: PathBuf, bridges: &Bridges) -> BotFile {
        BotFile(Arc::new(Source { path, bridges: Some(bridges.clone()), opened: OnceLock::new() }))
    }

    /// The bot as it was named.
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
    pub fn payload(&self) -> Option<(&str, &str)> {
        let payload = self.open().ok()?.payload.as_ref()?;
        Some((payload.name(), &payload.copy.sha256))
    }

    /// What a bridge plays it with: an interpreter and its version.
    pub fn runtime(&self) -> Option<&str> {
        Some(&self.open().ok()?.bridge.as_ref()?.found.runtime)
    }

    /// Writes it as it was read into a folder: a library, or what a bridge plays, folders as zip archives. Returns where.
    ///
    /// # Errors
    /// The file system's, and that it cannot be read or has changed since.
    #[expect(clippy::disallowed_methods, reason = "whoever keeps the copy gives it its name afterwards")]
    pub fn save(&self, folder: &Path) -> io::Result<PathBuf> {
        let opened = self.open().map_err(io::Error::other)?;
        let mut name = self.path().file_name().unwrap_or_default().to_owned();
        let is_folder = opened.payload.as_ref().is_some_and(Payload::is_packed);
        if is_folder {
            name.push(".zip");
        }
        let to = folder.join(name);
        let copy = opened.payload.as_ref().map_or(&opened.library.copy, |payload| &payload.copy);
        std::fs::write(&to, copy.bytes().map_err(io::Error::other)?)?;
        Ok(to)
    }

    /// Whether what plays it can count its instructions, so that it can be played without any time.
    pub fn counts_instructions(&self) -> bool {
        self.open().is_ok_and(|opened| opened.bridge.as_ref().is_some_and(|bridge| bridge.found.counts))
    }

    /// What plays it, if it is not a library. Its own files are not read for that.
    pub(in crate::host) fn bridge(&self) -> Result<Option<Arc<Ready>>, LoadError> {
        let path = self.path();
        let playing = self.0.bridges.as_ref().filter(|bridges| path.exists() && bridges.play(path));
        playing.map(|bridges| bridges.of(path)).transpose()
    }

    /// What it is made of, read now if it has not been read before.
    pub(in crate::host) fn open(&self) -> Result<&Opened, LoadError> {
        self.0.opened.get_or_init(|| self.read()).as_ref().map_err(Clone::clone)
    }

    /// Checks that the library has not changed since it was opened, for systems that load the file itself.
    pub(in crate::host) fn unchanged(&self) -> Result<(), LoadError> {
        let copy = &self.open()?.library.copy;
        read_again(copy.path(), &copy.sha256).map(drop)
    }

    fn read(&self) -> Result<Opened, LoadError> {
        let path = self.path();
        if let Some(name) = path.file_name().filter(|name| name.to_str().is_none()) {
            return Err(LoadError::NotText(name.to_string_lossy().into_owned()));
        }
        if let Some(bridge) = self.bridge()? {
            let (library, payload) = (Arc::clone(&bridge.library), Some(Payload::read(path)?));
            return Ok(Opened { library, payload, bridge: Some(bridge) });
        }
        let (library, payload) = match (&self.0.bridges, parts(path).filter(|_| !path.exists())) {
            (Some(bridges), Some((bot, _))) if bridges.play(&bot) => {
                return Err(LoadError::TwoPayloads(bot.display().to_string()));
            }
            (Some(_), Some((bot, payload))) => (bot, Some(Payload::read(&payload)?)),
            _ => (path.to_owned(), None),
        };
        let library = Arc::new(LibraryFile::open(&library, Purpose::Bot)?);
        Ok(Opened { library, payload, bridge: None })
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
    pub(in crate::host) fn open(path: &Path, purpose: Purpose) -> Result<LibraryFile, LoadError> {
        let bytes = bytes_of_file(path)?;
        let look = look_at(&bytes, purpose)?;
        let copy = FileCopy::of(path, &bytes, &look.sha256)?;
        Ok(LibraryFile { look, copy })
    }
}

impl<File: AsRef<Path>> From<File> for BotFile {
    /// A library, whatever its name.
    fn from(library: File) -> BotFile {
        let path = library.as_ref().to_owned();
        BotFile(Arc::new(Source { path, bridges: None, opened: OnceLock::new() }))
    }
}

/// The same copies.
impl PartialEq for BotFile {
    fn eq(&self, other: &BotFile) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for BotFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BotFile").field(&self.0.path).finish()
    }
}
