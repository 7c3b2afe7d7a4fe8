//! Reports that are packed as they are written, as the ends of their names ask for.

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, FrameCompressor};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

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

    /// Writes what is printed.
    pub(super) fn write(
        self,
        out: File,
        print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<File> {
        beside(print, |mut chunks| match self {
            Packing::None => {
                chunks.write_to(&out)?;
                Ok(out)
            }
            Packing::Gzip => {
                let mut out = GzEncoder::new(out, Compression::default());
                io::copy(&mut chunks, &mut out)?;
                out.finish()
            }
            // The compressor takes its input from a reader, and breaks off at the first error.
            Packing::Zstd => {
                let mut compressor = FrameCompressor::new(CompressionLevel::Fastest);
                compressor.set_source(chunks);
                compressor.set_drain(Drain { out, error: None });
                compressor.compress();
                let Drain { out, error } = compressor.take_drain().expect("it has been set");
                error.map_or(Ok(out), Err)
            }
        })
    }
}

/// The name of a report without what its kind adds: `cup` of `cup.json.zst`, and that end.
pub fn split_name(name: &str) -> (&str, &str) {
    let end = NAMES.iter().find(|(end, _)| name.ends_with(end)).map_or("", |(end, _)| end);
    name.split_at(name.len() - end.len())
}

/// Prints, and packs and writes in a thread beside that.
fn beside<W: Send>(
    print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    pack: impl FnOnce(Chunks) -> io::Result<W> + Send,
) -> io::Result<W> {
    let (sender, receiver) = sync_channel(4);
    thread::scope(|scope| {
        let chunks = Chunks { receiver, chunk: Vec::new(), taken: 0 };
        let packer = thread::Builder::new().spawn_scoped(scope, || pack(chunks))?;
        let mut feed = Feed { chunk: Vec::with_capacity(CHUNK), sender };
        let printed = print(&mut feed).and_then(|()| feed.flush());
        drop(feed);
        let packed = packer.join().map_err(|_| io::Error::other("it could not be packed"))?;
        // Who cannot write takes nothing more, so its error comes first.
        packed.and_then(|out| printed.map(|()| out))
    })
}

/// What is printed, on its way to the other thread.
struct Feed {
    chunk: Vec<u8>,
    sender: SyncSender<Vec<u8>>,
}

/// What is packed or written at once: whole pages of the file, which the system takes for less than parts of them.
const CHUNK: usize = 256 << 10;

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

/// Bytes that go to the disk together.
const SYNCED: usize = 16 << 20;

/// The other end of it.
struct Chunks {
    receiver: Receiver<Vec<u8>>,
    chunk: Vec<u8>,
    taken: usize,
}

impl Chunks {
    /// Writes to a file. Of a large one the disk gets the beginning while the rest is printed.
    fn write_to(self, mut out: &File) -> io::Result<()> {
        thread::scope(|scope| {
            let (mut written, mut synced) = (0, Vec::new());
            for chunk in self.receiver {
                out.write_all(&chunk)?;
                written += chunk.len();
                if written >= SYNCED {
                    written = 0;
                    synced.extend(thread::Builder::new().spawn_scoped(scope, || out.sync_data()));
                }
            }
            let failed = |_| Err(io::Error::other("it could not be synced"));
            synced.into_iter().try_for_each(|synced| synced.join().unwrap_or_else(failed))
        })
    }
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.chunk.len() {
            let Ok(chunk) = self.receiver.recv() else { return Ok(0) };
            (self.chunk, self.taken) = (chunk, 0);
        }
        let bytes = (&self.chunk[self.taken..]).read(buffer)?;
        self.taken += bytes;
        Ok(bytes)
    }
}

/// Takes every byte, and remembers the first error.
struct Drain<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W: Write> Write for Drain<W> {
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
