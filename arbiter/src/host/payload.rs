//! Payloads: files that bots are given beside their libraries, as `arbiter.payload/1` says.
//!
//! A folder is a payload too: it is packed as a zip archive, in memory.

use super::file::FileCopy;
use super::plugin::LoadError;
use arbiter_plugin_api::raw;
#[cfg(unix)]
use rustix::{
    fs::{Dir, Mode, OFlags, openat},
    io::Errno,
};
use sha2::{Digest, Sha256};
use std::ffi::CString;
use std::fs;
use std::io::{self, Cursor, Read, Write};
#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::OnceLock;
use zip::write::SimpleFileOptions;

/// Bytes of the largest library, and of the largest file beside it: more than any bot needs.
const LARGEST: u64 = 1 << 30;

/// What is not packed, besides hidden files: what interpreters leave behind.
const LEFT_OUT: [&str; 1] = ["__pycache__"];

/// A file that a bot is given.
pub(super) struct Payload {
    pub(super) name: String,
    /// It is a folder that was packed.
    pub(super) is_packed: bool,
    pub(super) copy: FileCopy,
    /// As bots in our own process see it.
    here: OnceLock<&'static Brought>,
}

/// A payload as a bot sees it, for ever.
pub(super) struct Brought(pub(super) raw::PayloadV1);

// SAFETY: nothing behind it ever changes.
unsafe impl Send for Brought {}
// SAFETY: as above.
unsafe impl Sync for Brought {}

impl Payload {
    /// Reads a file or packs a folder.
    pub(super) fn read(path: &Path) -> Result<Payload, LoadError> {
        let bytes = bytes_of(path)?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let copy = FileCopy::of(path, &bytes, &sha256(&bytes))?;
        Ok(Payload { name, is_packed: path.is_dir(), copy, here: OnceLock::new() })
    }

    pub(super) fn here(&self) -> Result<&'static Brought, LoadError> {
        if let Some(here) = self.here.get() {
            return Ok(here);
        }
        let bytes = self.copy.bytes_for_ever()?;
        Ok(self.here.get_or_init(|| Brought::new(bytes, &self.name, &self.copy.sha256)))
    }
}

impl Brought {
    /// A payload for the rest of this process.
    pub(super) fn new(bytes: &'static [u8], name: &str, sha256: &str) -> &'static Brought {
        let text = |text: &str| CString::new(text).unwrap_or_default().into_raw().cast_const();
        Box::leak(Box::new(Brought(raw::PayloadV1 {
            data: bytes.as_ptr().cast(),
            name: text(name),
            sha256: text(sha256),
            size: bytes.len() as u64,
        })))
    }
}

/// A SHA-256 in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a file, or those of a folder as it is packed.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, LoadError> {
    if !path.is_dir() {
        return bytes_of_file(path);
    }
    Folder::open(path).and_then(packed).map_err(|error| LoadError::unreadable(path, &error))
}

pub(super) fn bytes_of_file(path: &Path) -> Result<Vec<u8>, LoadError> {
    let unreadable = |error: io::Error| LoadError::unreadable(path, &error);
    let about = fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        let what = if about.is_dir() { "a folder" } else { "a device or a pipe" }.to_owned();
        return Err(LoadError::NotAFile { path: path.display().to_string(), what });
    }
    let mut options = fs::OpenOptions::new();
    // A pipe that has come in the place of the file meanwhile is empty, instead of being waited for.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, OFlags::NONBLOCK.bits().cast_signed());
    options.read(true).open(path).and_then(|file| read(file, LARGEST)).map_err(unreadable)
}

/// Reads a file of at most `most` bytes. No more is read than the file says it has, so files of `/proc`, which say 0
/// and may never end, come out empty.
fn read(file: fs::File, most: u64) -> io::Result<Vec<u8>> {
    let size = file.metadata()?.len();
    if size > most {
        return Err(io::Error::other(format!("a bot is given no more than {} GiB", LARGEST >> 30)));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size as usize)?;
    file.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How deep folders may lie in each other, and how many entries they may have in all: more is a mistake, such as the wrong
/// folder.
const DEEPEST: usize = 16;
const MOST_ENTRIES: usize = 10_000;

/// A folder as a zip archive, which is the same for the same files wherever and whenever it is made.
fn packed(folder: Folder) -> io::Result<Vec<u8>> {
    let mut packing =
        Packing { archive: zip::ZipWriter::new(Cursor::new(Vec::new())), room: LARGEST, entries: 0 };
    packing.add(&folder, "", 0)?;
    Ok(packing.archive.finish().map_err(io::Error::other)?.into_inner())
}

struct Packing {
    archive: zip::ZipWriter<Cursor<Vec<u8>>>,
    /// Bytes that may still come.
    room: u64,
    entries: usize,
}

impl Packing {
    fn add(&mut self, folder: &Folder, prefix: &str, depth: usize) -> io::Result<()> {
        let mut names = folder.names()?;
        names.retain(|name| !name.starts_with('.') && !LEFT_OUT.contains(&&**name));
        names.sort();
        self.entries += names.len();
        if depth > DEEPEST || self.entries > MOST_ENTRIES {
            return Err(too_many());
        }
        for name in names {
            let whole = format!("{prefix}{name}");
            match folder.entry(&name) {
                Ok(Entry::Folder(inner)) => self.add(&inner, &format!("{whole}/"), depth + 1)?,
                Ok(Entry::File(file)) => {
                    let bytes = read(file, self.room)?;
                    self.room -= bytes.len() as u64;
                    let how = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
                    self.archive.start_file(whole, how).map_err(io::Error::other)?;
                    self.archive.write_all(&bytes)?;
                }
                Err(error) => return Err(io::Error::new(error.kind(), format!("{whole} in it: {error}"))),
            }
        }
        Ok(())
    }
}

fn too_many() -> io::Error {
    io::Error::other("it holds too many files and folders to be a bot")
}

/// An open folder, maybe of a stranger. No link in it is followed, even if somebody changes the folder meanwhile, and
/// opening a pipe in it does not wait.
#[cfg(unix)]
struct Folder(OwnedFd);
/// As on Unix, except that a link which is put into it while it is packed would be followed.
#[cfg(not(unix))]
struct Folder(std::path::PathBuf);

enum Entry {
    File(fs::File),
    Folder(Folder),
}

/// What is neither a file nor a folder.
fn neither() -> io::Error {
    io::Error::other("it is a link, a device or a pipe; a bot consists of files and folders")
}

#[cfg(unix)]
impl Folder {
    /// Opens a folder that the user has named.
    fn open(path: &Path) -> io::Result<Folder> {
        Ok(Folder(fs::File::open(path)?.into()))
    }

    /// The names in it. A name that is not UTF-8 is an error.
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            match entry?.file_name().to_str() {
                Ok("." | "..") => {}
                Ok(name) => names.push(name.to_owned()),
                Err(_) => return Err(io::Error::other("a name in it is no text")),
            }
            if names.len() > MOST_ENTRIES {
                return Err(too_many());
            }
        }
        Ok(names)
    }

    fn entry(&self, name: &str) -> io::Result<Entry> {
        let how = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let opened = openat(&self.0, name, how, Mode::empty()).map_err(|error| match error {
            // A link, and a socket.
            Errno::LOOP | Errno::NXIO => neither(),
            other => other.into(),
        })?;
        let file = fs::File::from(opened);
        match file.metadata()?.file_type() {
            kind if kind.is_dir() => Ok(Entry::Folder(Folder(file.into()))),
            kind if kind.is_file() => Ok(Entry::File(file)),
            _ => Err(neither()),
        }
    }
}

#[cfg(not(unix))]
impl Folder {
    fn open(path: &Path) -> io::Result<Folder> {
        Ok(Folder(path.to_owned()))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let no_text = |_| io::Error::other("a name in it is no text");
        let entries = fs::read_dir(&self.0)?.take(MOST_ENTRIES + 1);
        entries.map(|entry| entry?.file_name().into_string().map_err(no_text)).collect()
    }

    fn entry(&self, name: &str) -> io::Result<Entry> {
        let path = self.0.join(name);
        match fs::symlink_metadata(&path)?.file_type() {
            kind if kind.is_dir() => Ok(Entry::Folder(Folder(path))),
            kind if kind.is_file() => fs::File::open(path).map(Entry::File),
            _ => Err(neither()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_the_same_hash_wherever_it_lies_and_whatever_an_interpreter_left_in_it() {
        let here = |name: &str| {
            let folder = tempfile::tempdir().unwrap();
            let bot = folder.path().join(name);
            fs::create_dir_all(bot.join("parts")).unwrap();
            fs::write(bot.join("bot.py"), "import parts.one").unwrap();
            fs::write(bot.join("parts/one.py"), "1").unwrap();
            (folder, bot)
        };
        let ((_one, one), (_other, other)) = (here("one"), here("other"));
        fs::create_dir(other.join("__pycache__")).unwrap();
        fs::write(other.join("__pycache__/bot.pyc"), "x").unwrap();
        fs::write(other.join(".hidden"), "x").unwrap();
        let (one, other) = (Payload::read(&one).unwrap(), Payload::read(&other).unwrap());
        assert_eq!(one.copy.sha256, other.copy.sha256);
        assert_eq!((&*one.name, &*other.name), ("one", "other"));
    }

    /// A folder is a stranger's: what it links to would be told to its bot, and what never ends would hold the match.
    #[test]
    #[cfg(unix)]
    fn nothing_outside_of_a_folder_is_packed_and_nothing_in_it_is_waited_for() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "secret").unwrap();
        let refused = |make: &dyn Fn(&Path)| {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("bot.py"), "pass").unwrap();
            make(&folder.path().join("more"));
            Payload::read(folder.path()).err().map(|error| error.to_string()).unwrap_or_default()
        };
        let link_to = |to: &Path| refused(&|at| symlink(to, at).unwrap());
        for error in [
            link_to(&outside.path().join("secret")),
            link_to(outside.path()),
            link_to(Path::new("nowhere")),
            refused(&|at| {
                let made = std::process::Command::new("mkfifo").arg(at).status();
                assert!(made.unwrap().success());
            }),
        ] {
            assert!(error.contains("more in it: it is a link, a device or a pipe"), "{error}");
        }
        let many = refused(&|at| {
            fs::create_dir(at).unwrap();
            (0..=MOST_ENTRIES).for_each(|n| fs::create_dir(at.join(n.to_string())).unwrap());
        });
        assert!(many.contains("too many files and folders"), "{many}");
    }

    /// A file of `/proc` says that it has no bytes, and may never end.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_of_the_kernel_is_an_empty_one() {
        assert_eq!(bytes_of(Path::new("/proc/self/environ")), Ok(Vec::new()));
    }
}
