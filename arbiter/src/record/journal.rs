//! The append-only file of a running match: a header line, then one line for each game that ended.
//!
//! A game is in the journal before its worker starts another, so whatever stops the program, finished games stay. A
//! last line without its newline was being written when the program died: it is cut off.

use super::schema::{FORMAT_VERSION, GameRecord, JournalHeader};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The word that tells a journal from other JSON lines.
pub(super) const FORMAT: &str = "arbiter-journal";

/// How long finished games may wait for the disk: a power failure costs no more.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    length: u64,
    synced: Instant,
}

/// A journal that cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file system refused.
    #[error("cannot write the journal {}", path.display())]
    Write {
        /// The journal.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file system refused.
    #[error("cannot read the journal {}", path.display())]
    Read {
        /// The journal.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is not a journal, or damaged.
    #[error("{} is not a journal of this version: line {line}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

impl Journal {
    /// Starts a journal. The file must not exist.
    ///
    /// # Errors
    /// The file system's.
    pub fn create(path: &Path, header: &JournalHeader) -> Result<Journal, JournalError> {
        let failed = |source| JournalError::Write { path: path.to_owned(), source };
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
        let mut journal = Journal { path: path.to_owned(), file, length: 0, synced: Instant::now() };
        journal.append_line(&serde_json::to_string(header).expect("a header is plain data"))?;
        Ok(journal)
    }

    /// Opens a journal to go on with it, and cuts off an unfinished last line. Returns the games in it too.
    ///
    /// # Errors
    /// The file system's, or a damaged line.
    pub fn reopen(path: &Path) -> Result<(Journal, JournalHeader, Vec<GameRecord>), JournalError> {
        let (header, games, length) = Journal::read(path)?;
        let failed = |source| JournalError::Write { path: path.to_owned(), source };
        let mut file = OpenOptions::new().write(true).open(path).map_err(failed)?;
        file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length))).map_err(failed)?;
        Ok((Journal { path: path.to_owned(), file, length, synced: Instant::now() }, header, games))
    }

    /// Reads a journal: the header, the games, and how many bytes are whole lines.
    ///
    /// # Errors
    /// The file system's, or a damaged line.
    pub fn read(path: &Path) -> Result<(JournalHeader, Vec<GameRecord>, u64), JournalError> {
        let failed = |source| JournalError::Read { path: path.to_owned(), source };
        let damaged = |line, problem: &str| JournalError::Damaged {
            path: path.to_owned(),
            line,
            problem: problem.to_owned(),
        };
        let mut lines = BufReader::new(File::open(path).map_err(failed)?);
        let (mut header, mut games, mut length) = (None, Vec::new(), 0);
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            let bytes = lines.read_line(&mut line).map_err(failed)?;
            if !line.ends_with('\n') {
                break;
            }
            let problem = |error: serde_json::Error| damaged(number, &error.to_string());
            if number == 1 {
                let read: JournalHeader = serde_json::from_str(&line).map_err(problem)?;
                if read.format != FORMAT || read.format_version != FORMAT_VERSION {
                    return Err(damaged(1, &format!("format {} {}", read.format, read.format_version)));
                }
                header = Some(read);
            } else {
                games.push(serde_json::from_str(&line).map_err(problem)?);
            }
            length += bytes as u64;
        }
        let header = header.ok_or_else(|| damaged(1, "there is no whole header"))?;
        Ok((header, games, length))
    }

    /// Appends a game. When this returns, the game survives the end of the program.
    ///
    /// # Errors
    /// The file system's; the journal then ends with the game before.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.append_line(&serde_json::to_string(game).expect("a game is plain data"))
    }

    /// Where the journal is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every game's line, in the order of the games' numbers.
    ///
    /// # Errors
    /// The file system's, or a damaged line.
    pub fn lines_by_number(&self) -> Result<Vec<String>, JournalError> {
        let (_, mut games, _) = Journal::read(&self.path)?;
        games.sort_by_key(|game| game.number);
        Ok(games.iter().map(|game| serde_json::to_string(game).expect("a game is plain data")).collect())
    }

    fn append_line(&mut self, line: &str) -> Result<(), JournalError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes()).and_then(|()| {
            if self.synced.elapsed() < SYNC_EVERY {
                return Ok(());
            }
            self.synced = Instant::now();
            self.file.sync_data()
        });
        match written {
            Ok(()) => {
                self.length += line.len() as u64 + 1;
                Ok(())
            }
            Err(source) => {
                // Half a line would be cut off on reading anyway; removing it keeps the file clean for other readers.
                let _ = self.file.set_len(self.length);
                Err(JournalError::Write { path: self.path.clone(), source })
            }
        }
    }
}
