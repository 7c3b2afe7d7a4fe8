//! Files as they are opened for reading: regular ones only, and packed ones unpacked. `-` is standard input.

use super::packed::Packing;
use flate2::read::MultiGzDecoder;
use parking_lot::Mutex;
use ruzstd::decoding::StreamingDecoder;
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// How much is read at once.
pub(super) const BUFFER: usize = 64 << 10;

/// The name of standard input. A file of this name is `./-`.
const STANDARD_INPUT: &str = "-";

/// Bytes of the largest text that is kept as a whole. A file that never ends, or a pipe, shall not fill the memory.
const MOST_KEPT: u64 = 1 << 30;

/// What is read.
pub(super) enum Source {
    File(File),
    /// Standard input. It cannot be read twice, as files are, so that it is kept as a whole.
    Kept(Cursor<Arc<[u8]>>),
}

/// Opens a regular file: a pipe or a device may never end, or never begin. Standard input is waited for, since the
/// user has said `-`.
pub(super) fn open(path: &Path) -> io::Result<Source> {
    if path.as_os_str() == STANDARD_INPUT {
        return standard_input().map(|text| Source::Kept(Cursor::new(text)));
    }
    check_kind(&fs::metadata(path)?)?;
    open_at_once(path).map(Source::File)
}

/// Opens what has been a file when it was looked at, and may be a pipe by now.
fn open_at_once(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    let file = options.read(true).open(path)?;
    check_kind(&file.metadata()?)?;
    Ok(file)
}

fn check_kind(of: &Metadata) -> io::Result<()> {
    if of.is_file() {
        return Ok(());
    }
    let what = if of.is_dir() { "a folder" } else { "a pipe or a device" };
    Err(io::Error::other(format!("it is {what}, and only files are read, and standard input by the name -")))
}

/// All of standard input, which is read when it is first asked for.
fn standard_input() -> io::Result<Arc<[u8]>> {
    static KEPT: Mutex<Option<Arc<[u8]>>> = Mutex::new(None);
    let mut kept = KEPT.lock();
    if let Some(text) = &*kept {
        return Ok(Arc::clone(text));
    }
    let text = whole(io::stdin().lock(), MOST_KEPT)?;
    Ok(Arc::clone(kept.insert(text.into())))
}

/// Whether a shell gives its own pipes, `<(command)`, such names. Who says one does not mean a file, as with `-`.
fn is_of_shell(path: &Path) -> bool {
    ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|name| path.starts_with(name))
}

/// Bytes of the largest text that others may write where arbiter looks for it by itself.
const MOST_FOUND: u64 = 1 << 20;

/// All of a small text that nobody has named, and that others may have put where it is looked for: only from a file itself, since
/// a link could show what its author may not read.
///
/// # Errors
/// A file that cannot be read, is none, is too large, or is not UTF-8.
pub fn read_found_text(path: &Path) -> io::Result<String> {
    let file = open_itself(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other(NO_FILE));
    }
    as_text(whole(file, MOST_FOUND)?)
}

/// How a file is opened that is no link, without a wait for a pipe.
#[cfg(unix)]
pub(super) const ITSELF: i32 =
    rustix::fs::OFlags::NOFOLLOW.union(rustix::fs::OFlags::NONBLOCK).bits().cast_signed();

#[cfg(unix)]
pub(super) fn open_itself(path: &Path) -> io::Result<File> {
    use rustix::io::Errno;
    use std::os::unix::fs::OpenOptionsExt;

    File::options().read(true).custom_flags(ITSELF).open(path).map_err(|error| {
        match Errno::from_io_error(&error) {
            Some(Errno::LOOP) => io::Error::other(LINK),
            Some(Errno::NXIO) => io::Error::other(NO_FILE),
            _ => error,
        }
    })
}

#[cfg(not(unix))]
fn open_itself(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path)?.is_symlink() { Err(io::Error::other(LINK)) } else { File::open(path) }
}

const NO_FILE: &str = "it is a pipe or a device, or a folder, and only files are read";
const LINK: &str = "it is a link, and links are not followed here";

/// All of a text that somebody has written by hand, such as a list of openings.
///
/// # Errors
/// A file that cannot be read, is none, is too large, or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let text =
        if is_of_shell(path) { whole(File::open(path)?, MOST_KEPT) } else { whole(open(path)?, MOST_KEPT) };
    as_text(text?)
}

fn as_text(text: Vec<u8>) -> io::Result<String> {
    String::from_utf8(text).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

fn whole(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    if input.take(most + 1).read_to_end(&mut text)? as u64 > most {
        let problem = format!("it has more than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    Ok(text)
}

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::File(file) => file.read(into),
            Source::Kept(text) => text.read(into),
        }
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Source::File(file) => file.seek(to),
            Source::Kept(text) => text.seek(to),
        }
    }
}

/// Opens a file for its text, whether it is packed or not, by its first bytes.
pub(super) fn open_text(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    let mut file = open(path)?;
    let mut mark = Vec::new();
    (&mut file).take(4).read_to_end(&mut mark)?;
    file.rewind()?;
    let file = BufReader::with_capacity(BUFFER, file);
    Ok(match Packing::of_mark(&mark) {
        Packing::Gzip => Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(file))),
        Packing::Zstd => {
            let unpacked = StreamingDecoder::new(file).map_err(io::Error::other)?;
            Box::new(BufReader::with_capacity(BUFFER, unpacked))
        }
        Packing::None => Box::new(file),
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// Whoever may put files into a folder could otherwise hold up all who read what lies there.
    #[test]
    fn a_file_that_becomes_a_pipe_while_it_is_opened_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        let (is_opened, opened) = channel();
        std::thread::spawn(move || is_opened.send(open_at_once(&pipe).is_ok()));
        assert_eq!(opened.recv_timeout(Duration::from_secs(60)), Ok(false), "it is no file");
    }
}
