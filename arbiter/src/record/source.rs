//! Files as they are opened for reading: regular ones only, and packed ones unpacked.

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

/// How much is read at once.
const BUFFER: usize = 64 << 10;

/// Opens a file. What is no regular file may never end, or never begin.
///
/// # Errors
/// The file system's, and that it is something else.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?;
    if !kind.is_file() {
        let what = if kind.is_dir() { "a folder" } else { "a pipe or a device" };
        return Err(io::Error::other(format!("it is {what}, and only files are read")));
    }
    File::open(path)
}

/// Opens a file for its text, whether it is packed or not, by its first bytes.
///
/// # Errors
/// The file system's, that it is something else, and that it is packed in a way that nobody can unpack.
pub(super) fn open_text(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    let mut file = open(path)?;
    let mut mark = Vec::new();
    (&mut file).take(4).read_to_end(&mut mark)?;
    file.rewind()?;
    let file = BufReader::with_capacity(BUFFER, file);
    Ok(match mark[..] {
        [0x1f, 0x8b, ..] => Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(file))),
        [0x28, 0xb5, 0x2f, 0xfd] => {
            let unpacked = StreamingDecoder::new(file).map_err(io::Error::other)?;
            Box::new(BufReader::with_capacity(BUFFER, unpacked))
        }
        _ => Box::new(file),
    })
}
