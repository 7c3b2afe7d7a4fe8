//! The texts of games, wherever they lie in journals and reports.

use super::schema::GameRecord;
use super::split::{SplitError, Splitter};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

/// A journal or report whose games are read by their places.
pub struct GameTexts {
    file: BufReader<File>,
    /// Where the file is.
    here: u64,
}

impl GameTexts {
    /// Opens a file.
    ///
    /// # Errors
    /// The file system's.
    pub fn open(path: &Path) -> io::Result<GameTexts> {
        Ok(GameTexts { file: BufReader::new(File::open(path)?), here: 0 })
    }

    /// The game that begins there, as a line without its end.
    ///
    /// # Errors
    /// The file system's; a file that has been changed since the place was found.
    pub fn at(&mut self, start: u64) -> io::Result<Vec<u8>> {
        // Games are nearly always in order, so that the next one is in the buffer already.
        self.file.seek_relative(start.cast_signed() - self.here.cast_signed())?;
        self.here = start;
        let mut json = Splitter::new(&mut self.file, start).map_err(changed)?;
        let text = json.value().map_err(changed)?.to_vec();
        self.here = json.range().end;
        if !text.contains(&b'\n') {
            return Ok(text);
        }
        // Another program has spread it over several lines.
        let game: GameRecord = serde_json::from_slice(&text)?;
        Ok(serde_json::to_vec(&game)?)
    }
}

fn changed(error: SplitError) -> io::Error {
    match error {
        SplitError::Read(error) => error,
        SplitError::Wrong(problem, _) => io::Error::new(io::ErrorKind::InvalidData, problem),
    }
}
