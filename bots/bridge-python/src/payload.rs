//! The file that the bot is: a script, or an archive of several modules and whatever they read.

use std::io::{self, Cursor, Read};
use std::sync::{Mutex, PoisonError};
use zip::result::ZipError;

type Archive = zip::ZipArchive<Cursor<&'static [u8]>>;

/// An archive that has been opened.
struct Opened {
    archive: Archive,
    /// What the names of the bot's files begin with: whoever packs a folder packs its name too.
    root: String,
}

static OPENED: Mutex<Option<Opened>> = Mutex::new(None);

/// Opens an archive; false where the bytes are none.
///
/// # Errors
/// An archive that cannot be read.
pub(crate) fn open(bytes: &'static [u8]) -> Result<bool, String> {
    if !bytes.starts_with(b"PK\x03\x04") && !bytes.starts_with(b"PK\x05\x06") {
        return Ok(false);
    }
    let archive =
        Archive::new(Cursor::new(bytes)).map_err(|error| format!("its archive cannot be read: {error}"))?;
    let root = root_of(&archive);
    *OPENED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Opened { archive, root });
    Ok(true)
}

/// The folder with the one `bot.py` that lies highest, what macOS adds apart; none where there are several, or none.
fn root_of(archive: &Archive) -> String {
    let is_of_macos = |folder: &str| folder.starts_with("__MACOSX/");
    let folders = archive.file_names().filter_map(|name| name.strip_suffix("bot.py"));
    let folders =
        folders.filter(|folder| (folder.is_empty() || folder.ends_with('/')) && !is_of_macos(folder));
    let depth = |folder: &str| folder.matches('/').count();
    let mut folders: Vec<&str> = folders.collect();
    folders.sort_by_key(|folder| depth(folder));
    match folders[..] {
        [first, second, ..] if depth(first) == depth(second) => String::new(),
        [first, ..] => first.to_owned(),
        [] => String::new(),
    }
}

/// The names of the bot's files in the archive, with slashes.
pub(crate) fn names() -> Vec<String> {
    let opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(Opened { archive, root }) = opened.as_ref() else { return Vec::new() };
    archive.file_names().filter_map(|name| name.strip_prefix(root.as_str())).map(str::to_owned).collect()
}

/// What is in a file of the archive; None where there is no such file.
///
/// # Errors
/// A file that is there and cannot be read. How large it may be is a matter of the bot's memory.
pub(crate) fn read(name: &str) -> io::Result<Option<Vec<u8>>> {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(Opened { archive, root }) = opened.as_mut() else { return Ok(None) };
    let mut file = match archive.by_name(&format!("{root}{name}")) {
        Err(ZipError::FileNotFound) => return Ok(None),
        found => found?,
    };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
