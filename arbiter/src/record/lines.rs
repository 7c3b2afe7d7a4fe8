//! Text read line by line, with a limit to the length of a line.

use super::packed::Packing;
use super::source::{self, BUFFER, Source};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Bytes of the longest line that is read. No line that arbiter writes comes near: a game of 10,000 plies whose bots
/// talk all the time has a tenth of it.
pub(super) const LONGEST: usize = 64 << 20;

/// Lines, and where they are.
pub(super) struct Lines<R> {
    input: R,
    number: usize,
    at: u64,
    /// How long the last line was: the next one is most often as long.
    last: usize,
}

#[derive(Default)]
pub(super) struct Line {
    /// Its text, with the newline where there is one.
    pub(super) text: Vec<u8>,
    /// Its number, from 1.
    pub(super) number: usize,
    /// The place of its first byte.
    pub(super) at: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a text that is at its beginning.
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input, number: 0, at: 0, last: 0 }
    }

    /// The place behind the line that was read last.
    pub(super) fn end(&self) -> u64 {
        self.at
    }

    /// The next line; nothing at the end.
    ///
    /// # Errors
    /// Those of the input, and a line that is too long.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let text = Vec::with_capacity(self.last + self.last / 4);
        let mut line = Line { text, number: 0, at: 0 };
        Ok(self.read(&mut line)?.then_some(line))
    }

    /// Reads the next line in the place of another one; false at the end.
    pub(super) fn read(&mut self, line: &mut Line) -> io::Result<bool> {
        line.text.clear();
        let bytes = self.input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line.text)?;
        if bytes > LONGEST {
            let problem = format!("line {} has more than {} MiB", self.number + 1, LONGEST >> 20);
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        line.at = self.at;
        self.last = bytes;
        self.number += 1;
        self.at += bytes as u64;
        line.number = self.number;
        Ok(bytes > 0)
    }
}

impl Lines<BufReader<Source>> {
    /// The lines of a file.
    pub(super) fn open(path: &Path) -> io::Result<Lines<BufReader<Source>>> {
        Ok(Lines::new(BufReader::with_capacity(BUFFER, source::open(path)?)))
    }

    /// Goes to the line that begins there. Nearby lines are in the buffer already.
    pub(super) fn go_to(&mut self, at: u64, number: usize) -> io::Result<()> {
        self.input.seek_relative(at.cast_signed() - self.at.cast_signed())?;
        (self.at, self.number) = (at, number - 1);
        Ok(())
    }
}

impl Line {
    /// Whether its end has been written.
    pub(super) fn is_whole(&self) -> bool {
        self.text.ends_with(b"\n")
    }
}

/// The first line of a journal, empty where there is none, and those behind it.
pub(super) fn first_line(path: &Path) -> io::Result<(Lines<BufReader<Source>>, Line)> {
    let mut lines = Lines::open(path)?;
    let line = lines.next()?.unwrap_or_default();
    if Packing::of_mark(&line.text) != Packing::None {
        return Err(io::Error::other("it is packed, as only reports may be: unpack it first"));
    }
    Ok((lines, line))
}
