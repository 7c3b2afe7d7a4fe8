//! A journal that is read while it grows: no line of it is read twice, unless somebody asks for that.

use super::error::RecordError;
use super::journal::{attendance_of, grow, read_header};
use super::lines::{Line, Lines};
use super::reader::{check_players, problem_of};
use super::schema::{GameRecord, JournalHeader};
use super::source::Source;
use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// A journal, and how far it has been read.
pub struct Following {
    path: PathBuf,
    /// The first line, by which the file is known again.
    first: Vec<u8>,
    header: JournalHeader,
    /// The place behind the last line that was read, and how many lines that are.
    at: u64,
    lines: usize,
    /// The place behind the last line by which the header has grown.
    grown: u64,
}

/// What stands on a line.
pub enum Appended {
    /// A game, in the order of their ends.
    Game(Box<GameRecord>),
    /// Somebody comes or goes: the header has grown.
    Attendance,
}

impl Following {
    /// Reads what is played, and no game yet.
    ///
    /// # Errors
    /// The file system's, or a file that is no journal of ours.
    pub fn begin(path: &Path) -> Result<Following, RecordError> {
        let (_, line) = first_line(path).map_err(RecordError::journal(path))?;
        let header = read_header(path, &line)?;
        check_players(path, &header.plan)?;
        let first = line.text;
        let (at, grown) = (first.len() as u64, first.len() as u64);
        Ok(Following { path: path.to_owned(), first, header, at, lines: 1, grown })
    }

    /// What is played, with everybody who has come or gone as far as has been read.
    pub fn header(&self) -> &JournalHeader {
        &self.header
    }

    /// The same, when nothing more is read.
    pub(super) fn into_header(self) -> JournalHeader {
        self.header
    }

    /// The place behind the last line that was read.
    pub(super) fn end(&self) -> u64 {
        self.at
    }

    /// Begins again at the first game.
    pub fn rewind(&mut self) {
        (self.at, self.lines) = (self.first.len() as u64, 1);
    }

    /// The next lines that are whole, no more than `most`; none at the end. `None` where another file has taken the
    /// journal's place, or the journal has become shorter.
    ///
    /// # Errors
    /// The file system's, or a damaged line.
    pub fn read(&mut self, most: usize) -> Result<Option<Vec<Appended>>, RecordError> {
        let length = fs::metadata(&self.path).map_err(RecordError::journal(&self.path))?.len();
        let (mut lines, mut line) = first_line(&self.path).map_err(RecordError::journal(&self.path))?;
        if line.text != self.first || length < self.at {
            return Ok(None);
        }
        lines.go_to(self.at, self.lines + 1).map_err(RecordError::journal(&self.path))?;
        let mut read = Vec::new();
        while read.len() < most
            && lines.read(&mut line).map_err(RecordError::journal(&self.path))?
            && line.is_whole()
        {
            (self.at, self.lines) = (lines.end(), line.number);
            let damaged = |problem: String| RecordError::damaged(&self.path, line.number, problem);
            let Some(attendance) = attendance_of(&line) else {
                let game = serde_json::from_slice::<GameRecord>(&line.text);
                let mut game = game.map_err(|error| damaged(problem_of(&error)))?;
                game.leave_out_derivable();
                read.push(Appended::Game(Box::new(game)));
                continue;
            };
            if self.at > self.grown {
                grow(&mut self.header, attendance).map_err(damaged)?;
                check_players(&self.path, &self.header.plan)?;
                self.grown = self.at;
                read.push(Appended::Attendance);
            }
        }
        Ok(Some(read))
    }
}

/// The first line of a file, empty where there is none, and those behind it.
pub(super) fn first_line(path: &Path) -> io::Result<(Lines<BufReader<Source>>, Line)> {
    let mut lines = Lines::open(path)?;
    let line = lines.next()?.unwrap_or_default();
    Ok((lines, line))
}
