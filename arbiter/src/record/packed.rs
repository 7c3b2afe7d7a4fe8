//! Reports that are packed as they are written, as the ends of their names ask for.

use super::source::BUFFER;
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, FrameCompressor};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, PipeReader, Write};
use std::path::Path;
use std::thread;

/// How a report is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    None,
    Gzip,
    Zstd,
}

/// What is written at once of a report that is not packed: whole pages of the file, which the system takes for less than
/// parts of them.
const CHUNK: usize = 256 << 10;

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

    /// Writes what is printed; packs it in a thread beside that.
    pub(super) fn write(
        self,
        out: File,
        print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<File> {
        let pack: fn(_, _) -> _ = match self {
            Packing::None => {
                let mut out = BufWriter::with_capacity(CHUNK, out);
                print(&mut out)?;
                return Ok(out.into_inner()?);
            }
            Packing::Gzip => write_gzip,
            Packing::Zstd => write_zstd,
        };
        thread::scope(|scope| {
            let (reader, writer) = io::pipe()?;
            let mut feed = BufWriter::with_capacity(BUFFER, writer);
            let reader = BufReader::with_capacity(BUFFER, reader);
            let packer = thread::Builder::new().spawn_scoped(scope, move || pack(reader, out))?;
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
