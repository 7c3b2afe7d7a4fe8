//! The files of a bot as they were when they were opened.
//!
//! On Linux a copy is a sealed file in memory, which each process opens anew. Elsewhere it is the file itself, which is
//! refused once it has changed.

use super::bridges::{Bridges, FoundBridge};
use super::payload::{Payload, bytes_of, bytes_of_file, sha256};
use super::plugin::{LoadError, Look, Purpose, look_at};
use arbiter_rules::did_you_mean;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
#[cfg(target_os = "linux")]
use {
    super::memory::{map_for_ever, sealed},
    std::os::fd::IntoRawFd,
    std::os::unix::fs::FileExt,
};

/// A bot as it was named: a library, a library and a payload, or a payload that a bridge plays. Its files are read once,
/// when they are first needed. On Linux bots are then loaded from copies in memory that nobody can change, so building the bot
/// again or deleting the file does not disturb a match. Elsewhere they are loaded from the files themselves, and refused once
/// those have changed. Clones share the copies.
#[derive(Clone)]
pub struct BotFile(Arc<Source>);

struct Source {
    path: PathBuf,
    bridges: Arc<Bridges>,
    opened: OnceLock<Result<Opened, LoadError>>,
}

pub(super) struct Opened {
    pub(super) library: Arc<LibraryFile>,
    pub(super) payload: Option<Payload>,
    /// What plays the payload, where the library is a bridge.
    pub(super) bridge: Option<Arc<FoundBridge>>,
}

pub(super) struct LibraryFile {
    pub(super) look: Look,
    pub(super) copy: FileCopy,
}

impl BotFile {
    /// A bot as people name it. A file of that whole name is a library, or what its ending says; otherwise `a+b` is the
    /// library `a` with the payload `b`.
    pub(super) fn named(path: PathBuf, bridges: &Arc<Bridges>) -> BotFile {
        BotFile(Arc::new(Source { path, bridges: Arc::clone(bridges), opened: OnceLock::new() }))
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

    /// The SHA-256 of its library, or of whatever file was named where none can be loaded; `None` where there is no file.
    pub fn sha256(&self) -> Option<String> {
        match self.look() {
            Ok(library) => Some(library.sha256.clone()),
            Err(_) => bytes_of_file(self.path()).ok().map(|bytes| sha256(&bytes)),
        }
    }

    /// The name and the SHA-256 of its payload, if it has one.
    pub fn payload(&self) -> Option<(&str, &str)> {
        let payload = self.open().ok()?.payload.as_ref()?;
        Some((&payload.name, &payload.copy.sha256))
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
        let is_folder = opened.payload.as_ref().is_some_and(|payload| payload.is_packed);
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
    pub(super) fn bridge(&self) -> Result<Option<Arc<FoundBridge>>, LoadError> {
        if let Some(Ok(opened)) = self.0.opened.get() {
            return Ok(opened.bridge.clone());
        }
        let (path, bridges) = (self.path(), &self.0.bridges);
        (path.exists() && bridges.play(path)).then(|| bridges.of(path)).transpose()
    }

    /// What it is made of, read now if it has not been read before.
    pub(super) fn open(&self) -> Result<&Opened, LoadError> {
        self.0.opened.get_or_init(|| self.read()).as_ref().map_err(Clone::clone)
    }

    /// Checks that the library has not changed since it was opened, for systems that load the file itself.
    pub(super) fn unchanged(&self) -> Result<(), LoadError> {
        let copy = &self.open()?.library.copy;
        read_again(&copy.path, &copy.sha256).map(drop)
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
        let (library, payload) = match parts(path).filter(|_| !path.exists()) {
            Some((bot, _)) if self.0.bridges.play(&bot) => {
                return Err(LoadError::TwoPayloads(bot.display().to_string()));
            }
            Some((bot, payload)) => (bot, Some(Payload::read(&payload)?)),
            None => (path.to_owned(), None),
        };
        let library = LibraryFile::open(&library, Purpose::Bot).map_err(|error| self.suggesting(error))?;
        Ok(Opened { library: Arc::new(library), payload, bridge: None })
    }

    /// Adds to a script's message that a module is missing where the module is, or what has looked for it. Only we can see
    /// what lies beside the script.
    pub(super) fn explained(&self, error: LoadError) -> LoadError {
        let LoadError::NotBegun(text) = &error else { return error };
        let Some(module) = missing_module(text) else { return error };
        let beside = |name: &str| self.path().with_file_name(name).exists();
        let file = [format!("{module}.py"), module.to_owned()].into_iter().find(|name| beside(name));
        let more = match file {
            Some(file) if self.path().ends_with("bot.py") => {
                format!("{file} lies beside it: name the folder of both in place of bot.py")
            }
            Some(file) if self.path().is_file() => {
                format!(
                    "{file} lies beside it: put both into a folder, the bot as bot.py, and name the folder"
                )
            }
            _ => {
                let runtime = self.runtime().unwrap_or("the interpreter");
                format!("{runtime} does not have it; --python DIR names a virtual environment that does")
            }
        };
        LoadError::NotBegun(format!("{text}; {more}")).shortened()
    }

    /// Asks whether a bot that came with the program was meant, where there is no such file.
    fn suggesting(&self, error: LoadError) -> LoadError {
        let LoadError::NotFound { path, .. } = error else { return error };
        let known = self.0.bridges.executable.libraries();
        let similar = did_you_mean(&path, known.keys().map(String::as_str));
        LoadError::NotFound { path, similar }
    }
}

/// The module that Python has not found, where that is what a script's message says.
fn missing_module(text: &str) -> Option<&str> {
    let name = text.strip_prefix("ModuleNotFoundError: No module named '")?.split(['\'', '.']).next()?;
    name.chars().all(|letter| letter.is_alphanumeric() || letter == '_').then_some(name)
}

/// The two files of `bot.so+weights.bin`: the first plus behind the name of a file parts them.
fn parts(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let text = path.to_str()?;
    let pluses =
        text.match_indices('+').map(|(at, _)| (PathBuf::from(&text[..at]), PathBuf::from(&text[at + 1..])));
    pluses.into_iter().find(|(bot, payload)| bot.exists() && !payload.as_os_str().is_empty())
}

impl LibraryFile {
    pub(super) fn open(path: &Path, purpose: Purpose) -> Result<LibraryFile, LoadError> {
        let bytes = bytes_of_file(path)?;
        let look = look_at(&bytes, purpose)?;
        let copy = FileCopy::of(path, &bytes, &look.sha256)?;
        Ok(LibraryFile { look, copy })
    }
}

/// The same copies.
impl PartialEq for BotFile {
    fn eq(&self, other: &BotFile) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A file that was read: a library or a payload.
pub(super) struct FileCopy {
    /// The file, by its whole path: a plain bot's process works in another folder than the referee.
    pub(super) path: PathBuf,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub(super) sha256: String,
    #[cfg(target_os = "linux")]
    pub(super) memory: std::fs::File,
}

impl FileCopy {
    pub(super) fn of(path: &Path, bytes: &[u8], sha256: &str) -> Result<FileCopy, LoadError> {
        #[cfg(not(target_os = "linux"))]
        let _ = bytes;
        Ok(FileCopy {
            path: std::path::absolute(path).map_err(|error| LoadError::unreadable(path, &error))?,
            sha256: sha256.to_owned(),
            #[cfg(target_os = "linux")]
            memory: sealed(bytes).map_err(|error| LoadError::unreadable(path, &error))?,
        })
    }

    fn unreadable(&self, error: &io::Error) -> LoadError {
        LoadError::unreadable(&self.path, error)
    }
}

/// Reads a file or folder once more, if it is still the same.
pub(super) fn read_again(path: &Path, hash: &str) -> Result<Vec<u8>, LoadError> {
    let bytes = bytes_of(path)?;
    if sha256(&bytes) == hash { Ok(bytes) } else { Err(LoadError::Changed(path.display().to_string())) }
}

#[cfg(target_os = "linux")]
impl FileCopy {
    pub(super) fn bytes(&self) -> Result<Vec<u8>, LoadError> {
        // At a position, since all threads share the offset of the file.
        let read = self.memory.metadata().and_then(|about| {
            let mut bytes = vec![0; usize::try_from(about.len()).map_err(io::Error::other)?];
            self.memory.read_exact_at(&mut bytes, 0).map(|()| bytes)
        });
        read.map_err(|error| self.unreadable(&error))
    }

    pub(super) fn bytes_for_ever(&self) -> Result<&'static [u8], LoadError> {
        map_for_ever(&self.memory).map_err(|error| self.unreadable(&error))
    }

    /// Loads the library under a path of its own, so that the loader of this process does not take it for one that it
    /// has loaded: its global variables are then its own too. It stays loaded for ever.
    pub(super) fn load<T>(
        &self,
        _loaded: usize,
        load: impl FnOnce(&Path) -> Result<T, LoadError>,
    ) -> Result<T, LoadError> {
        let copy = sealed(&self.bytes()?).map_err(|error| self.unreadable(&error))?;
        // The loader knows libraries by their paths, so the number in this path must never come to mean another
        // file: it stays open. The path does not go through `/proc/self`, since a debugger opens it too and would
        // find a file of its own.
        load(format!("/proc/{}/fd/{}", std::process::id(), copy.into_raw_fd()).as_ref())
    }
}

#[cfg(not(target_os = "linux"))]
impl FileCopy {
    pub(super) fn bytes(&self) -> Result<Vec<u8>, LoadError> {
        read_again(&self.path, &self.sha256)
    }

    pub(super) fn bytes_for_ever(&self) -> Result<&'static [u8], LoadError> {
        Ok(self.bytes()?.leak())
    }

    /// The first time it is the file itself. A copy is removed once it is loaded. Windows does not remove a library that
    /// is in use: there it stays.
    pub(super) fn load<T>(
        &self,
        loaded: usize,
        load: impl FnOnce(&Path) -> Result<T, LoadError>,
    ) -> Result<T, LoadError> {
        let unreadable = |error: io::Error| self.unreadable(&error);
        if loaded == 0 {
            return load(&self.path);
        }
        let name = self.path.file_name().unwrap_or_default();
        let mut file =
            tempfile::Builder::new().prefix("arbiter-").suffix(name).tempfile().map_err(unreadable)?;
        io::Write::write_all(&mut file, &self.bytes()?).map_err(unreadable)?;
        load(&file.into_temp_path())
    }
}

#[test]
fn a_bot_that_is_named_by_a_path_from_here_is_known_by_its_whole_path() {
    let copy = FileCopy::of(Path::new("Cargo.toml"), b"", "").unwrap();
    assert_eq!(copy.path, Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
}
