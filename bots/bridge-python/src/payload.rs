//! The file that the bot is: a script, or an archive of several modules and whatever they read.

use std::io::{self, Cursor, Read};
use std::sync::{Mutex, PoisonError};
use zip::result::ZipError;

/// The archive, if it is one.
type Archive = zip::ZipArchive<Cursor<&'static [u8]>>;

static ARCHIVE: Mutex<Option<Archive>> = Mutex::new(None);

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
    *ARCHIVE.lock().unwrap_or_else(PoisonError::into_inner) = Some(archive);
    Ok(true)
}

/// The names of all files in the archive, with slashes.
pub(crate) fn names() -> Vec<String> {
    let archive = ARCHIVE.lock().unwrap_or_else(PoisonError::into_inner);
    archive.as_ref().map(|archive| archive.file_names().map(str::to_owned).collect()).unwrap_or_default()
}

/// What is in a file of the archive; None where there is no such file.
///
/// # Errors
/// A file that is there and cannot be read. How large it may be is a matter of the bot's memory.
pub(crate) fn read(name: &str) -> io::Result<Option<Vec<u8>>> {
    let mut archive = ARCHIVE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(archive) = archive.as_mut() else { return Ok(None) };
    let mut file = match archive.by_name(name) {
        Err(ZipError::FileNotFound) => return Ok(None),
        found => found?,
    };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
