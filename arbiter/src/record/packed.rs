//! Reports that are packed as they are written, as the ends of their names ask for.

use super::source::BUFFER;
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, FrameCompressor};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, PipeReader, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// How a report is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    None,
    Gzip,
    Zstd,
}

/// The names that reports have.
const NAMES: [(&str, Packing); 3] =
    [(".json", Packing::None), (".json.gz", Packing::Gzip), (".json.zst", Packing::Zstd)];

impl Packing {
    /// How a file of this name is packed.
    pub(super) fn of_name(path: &Path) -> Packing {
        let name = path.to_string_lossy();
        NAMES.iter().find(|(end, _)| name.ends_with(end)).map_or(Packing::None, |(_, packing)| *packing)
    }

    /// How a file that begins with these bytes is packed.
    pub(super) fn of_mark(bytes: &[u8]) -> Packing {
        match bytes {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
            _ => Packing::None,
        }
    }

    /// Writes what is printed; packs and writes in a thread beside that.
    pub(super) fn write(
        self,
        out: File,
        print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<File> {
        thread::scope(|scope| {
            let thread = thread::Builder::new();
            let packs: Option<fn(_, _) -> _> = match self {
                Packing::None => None,
                Packing::Gzip => Some(write_gzip),
                Packing::Zstd => Some(write_zstd),
            };
            let (mut feed, packer): (Box<dyn Write>, _) = if let Some(pack) = packs {
                let (reader, writer) = io::pipe()?;
                let feed = BufWriter::with_capacity(BUFFER, writer);
                let reader = BufReader::with_capacity(BUFFER, reader);
                (Box::new(feed), thread.spawn_scoped(scope, move || pack(reader, out))?)
            } else {
                let (sender, chunks) = sync_channel(4);
                let feed = Feed { chunk: Vec::with_capacity(CHUNK), sender };
                (Box::new(feed), thread.spawn_scoped(scope, move || write_chunks(chunks, out))?)
            };
            let printed = print(&mut feed).and_then(|()| feed.flush());
            drop(feed);
            let packed = packer.join().map_err(|_| io::Error::other("it could not be packed"))?;
            // Who cannot write takes nothing more, so its error comes first.
            packed.and_then(|out| printed.map(|()| out))
        })
    }
}

fn write_gzip(mut printed: BufReader<PipeReader>, out: File) -> io::Result<File> {
    let mut out = GzEncoder::new(out, Compression::default());
    io::copy(&mut printed, &mut out)?;
    out.finish()
}

fn write_zstd(printed: BufReader<PipeReader>, out: File) -> io::Result<File> {
    // The compressor breaks off at the first error.
    let mut compressor = FrameCompressor::new(CompressionLevel::Fastest);
    compressor.set_source(printed);
    compressor.set_drain(Drain { out, error: None });
    compressor.compress();
    let Drain { out, error } = compressor.take_drain().expect("it has been set");
    error.map_or(Ok(out), Err)
}

/// The name of a report without what its kind adds: `cup` of `cup.json.zst`, and that end.
pub fn split_name(name: &str) -> (&str, &str) {
    let end = NAMES.iter().find(|(end, _)| name.ends_with(end)).map_or("", |(end, _)| end);
    name.split_at(name.len() - end.len())
}

/// What is printed, on its way to the thread that writes it.
struct Feed {
    chunk: Vec<u8>,
    sender: SyncSender<Vec<u8>>,
}

/// What is written at once: whole pages of the file, which the system takes for less than parts of them.
const CHUNK: usize = 256 << 10;

/// Bytes that go to the disk together.
const SYNCED: usize = 16 << 20;

impl Write for Feed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(CHUNK - self.chunk.len());
        self.chunk.extend_from_slice(&bytes[..taken]);
        if self.chunk.len() == CHUNK {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        let chunk = std::mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK));
        self.sender.send(chunk).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Writes what is printed to a file. Of a large one the disk gets the beginning while the rest is printed.
fn write_chunks(chunks: Receiver<Vec<u8>>, mut out: File) -> io::Result<File> {
    let mut written = 0;
    let mut syncing: Option<JoinHandle<io::Result<()>>> = None;
    for chunk in chunks {
        out.write_all(&chunk)?;
        written += chunk.len();
        if written >= SYNCED && syncing.as_ref().is_none_or(JoinHandle::is_finished) {
            written = 0;
            let file = out.try_clone()?;
            let begun = thread::Builder::new().spawn(move || file.sync_data())?;
            syncing.replace(begun).map_or(Ok(()), ended)?;
        }
    }
    syncing.map_or(Ok(()), ended)?;
    Ok(out)
}

fn ended(syncing: JoinHandle<io::Result<()>>) -> io::Result<()> {
    syncing.join().unwrap_or_else(|_| Err(io::Error::other("it could not be synced")))
}

/// Takes every byte, and remembers the first error.
struct Drain {
    out: File,
    error: Option<io::Error>,
}

impl Write for Drain {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
