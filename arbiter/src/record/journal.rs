//! The append-only file of a running match: a header line, then one line for each game that ended.
//!
//! A game is in the journal before its worker starts another, so whatever stops the program, finished games stay. With
//! `--in-process`, the games of a millisecond go there together. A last line without its newline was being written when the
//! program died: it is cut off.
#![expect(
    clippy::disallowed_methods,
    reason = "it grows while it is written, and goes to the disk once a second"
)]

use super::error::RecordError;
use super::head::Head;
use super::lines::{Line, first_line};
use super::lock;
use super::ordered::Finder;
use super::reader::{check_players, problem_of};
use super::schema::{AttendanceLine, GameRecord, JournalHeader};
use serde::Serialize;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The word that tells a journal from other JSON lines.
pub(super) const FORMAT: &str = "arbiter-journal";

/// How long finished games may wait for the disk: a power failure costs no more.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Arc<File>,
    length: u64,
    synced: Instant,
    games: Finder,
}

impl Journal {
    /// Starts a journal. The file must not exist, and does not where this fails: an empty one would say that a match has begun.
    pub fn create(path: &Path, header: &JournalHeader) -> Result<Journal, RecordError> {
        let mut journal = Journal::own(path, OpenOptions::new().read(true).write(true).create_new(true))?;
        journal.append_one(header).inspect_err(|_| drop(fs::remove_file(path)))?;
        Ok(journal)
    }

    /// Opens a journal to go on with it, shows every game in it to `visit`, and cuts off an unfinished last line.
    /// Returns the header too, with everybody who has come or gone since.
    ///
    /// # Errors
    /// The file system's, a damaged line, or another program that writes it.
    pub fn reopen(
        path: &Path,
        mut visit: impl FnMut(GameRecord),
    ) -> Result<(Journal, JournalHeader), RecordError> {
        let mut journal = Journal::own(path, OpenOptions::new().read(true).write(true))?;
        let (mut lines, mut line) = first_line(path).map_err(RecordError::journal(path))?;
        let mut header = read_header(path, &line)?;
        check_players(path, &header.plan)?;
        journal.length = lines.end();
        while lines.read(&mut line).map_err(RecordError::journal(path))? && line.is_whole() {
            let damaged = |problem: String| RecordError::damaged(path, line.number, problem);
            if let Some(attendance) = attendance_of(&line) {
                grow(&mut header, attendance).map_err(damaged)?;
                check_players(path, &header.plan)?;
            } else {
                let game = serde_json::from_slice::<GameRecord>(&line.text);
                let mut game = game.map_err(|error| damaged(problem_of(&error)))?;
                game.leave_out_derivable();
                journal.games.add(game.number);
                visit(game);
            }
            journal.length = lines.end();
        }
        journal.file.set_len(journal.length).map_err(RecordError::not_written(path))?;
        Ok((journal, header))
    }

    /// Whether a file is a journal of which not even the first line has been written: nothing was played.
    pub fn is_unbegun(path: &Path) -> Result<bool, RecordError> {
        Ok(!first_line(path).map_err(RecordError::journal(path))?.1.is_whole())
    }

    /// Reads the header.
    ///
    /// # Errors
    /// The file system's, or a damaged first line.
    pub fn header(path: &Path) -> Result<JournalHeader, RecordError> {
        let (_, line) = first_line(path).map_err(RecordError::journal(path))?;
        let header = read_header(path, &line)?;
        check_players(path, &header.plan)?;
        Ok(header)
    }

    /// Appends games that are [lines](write_line) already. When this returns, the games survive the end of the program.
    ///
    /// # Errors
    /// The file system's; the journal then ends with the line before.
    pub fn append(&mut self, lines: &[u8], games: &[GameRecord]) -> Result<(), RecordError> {
        // They go where the last whole line ends, whatever came of earlier tries.
        let mut file = &*self.file;
        let written = file.seek(SeekFrom::Start(self.length)).and_then(|_| file.write_all(lines));
        // Half a line would be cut off on reading anyway; removing it keeps the file clean for other readers.
        let written = written.inspect_err(|_| drop(self.file.set_len(self.length)));
        written.map_err(RecordError::not_written(&self.path))?;
        self.length += lines.len() as u64;
        games.iter().for_each(|game| self.games.add(game.number));
        Ok(())
    }

    /// Once a second, what writes to disk, so that a power failure costs no more than the games of a second. It takes a
    /// while: run it without the lock of the journal.
    pub fn sync_when_due(&mut self) -> Option<impl FnOnce() -> Result<(), RecordError> + use<>> {
        let is_due = self.synced.elapsed() >= SYNC_EVERY;
        is_due.then(|| {
            self.synced = Instant::now();
            let (file, path) = (Arc::clone(&self.file), self.path.clone());
            move || file.sync_data().map_err(RecordError::not_written(&path))
        })
    }

    /// Appends that somebody comes or goes. When this returns, it survives a power failure too: what is played from now on
    /// follows from it.
    ///
    /// # Errors
    /// The file system's; the journal then ends with the line before.
    pub fn append_attendance(&mut self, line: &AttendanceLine) -> Result<(), RecordError> {
        self.append_one(line)?;
        self.file.sync_data().map_err(RecordError::not_written(&self.path))
    }

    fn append_one(&mut self, of: &impl Serialize) -> Result<(), RecordError> {
        let mut line = Vec::new();
        write_line(of, &mut line);
        self.append(&line, &[])
    }

    /// Writes the file anew if somebody has deleted it, perhaps with its folder: this program still has it open.
    pub fn put_back(&mut self) -> Result<(), RecordError> {
        if self.path.exists() {
            return Ok(());
        }
        let written = self.path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| {
            let mut again = File::create_new(&self.path)?;
            (&*self.file).seek(SeekFrom::Start(0))?;
            io::copy(&mut &*self.file, &mut again)?;
            again.sync_all()
        });
        written.map_err(RecordError::not_written(&self.path))
    }

    /// Lets go of the file, and says where it is and where its games stand in it.
    pub(super) fn into_games(self) -> (PathBuf, Finder) {
        (self.path, self.games)
    }

    /// Where the journal is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes sure that no other program writes a journal that is there.
    pub fn check_free(path: &Path) -> Result<(), RecordError> {
        Journal::own(path, OpenOptions::new().read(true).write(true)).map(drop)
    }

    /// Opens and locks the file of a journal. It is an error if another program writes it.
    fn own(path: &Path, options: &mut OpenOptions) -> Result<Journal, RecordError> {
        let file = lock::open(path, options).map_err(RecordError::not_written(path))?;
        let file = file.ok_or_else(|| RecordError::InUse { path: path.to_owned() })?;
        let (path, file, games) = (path.to_owned(), Arc::new(file), Finder::default());
        Ok(Journal { path, file, length: 0, synced: Instant::now(), games })
    }
}

/// Writes what is saved as a line of a journal, its newline included: before the journal is locked.
pub fn write_line(of: &impl Serialize, into: &mut Vec<u8>) {
    serde_json::to_writer(&mut *into, of).expect("what is saved is plain data");
    into.push(b'\n');
}

/// The first line, which must be whole.
pub(super) fn read_header(path: &Path, line: &Line) -> Result<JournalHeader, RecordError> {
    if !line.is_whole() {
        return Err(RecordError::damaged(path, 1, "there is no whole header"));
    }
    let no_json = |error: serde_json::Error| RecordError::damaged(path, 1, problem_of(&error));
    let head = Head::of_line(&line.text).map_err(no_json)?;
    head.check(FORMAT, path, |problem| RecordError::damaged(path, 1, problem))?;
    serde_json::from_slice(&line.text).map_err(no_json)
}

/// The text of a line that says who comes or goes, and is no game.
pub(super) fn attendance_of(line: &Line) -> Option<&[u8]> {
    line.text.starts_with(b"{\"attendance\":").then_some(&line.text)
}

/// Adds such a line to what is being played.
pub(super) fn grow(header: &mut JournalHeader, line: &[u8]) -> Result<(), String> {
    header.attend(serde_json::from_slice(line).map_err(|error| problem_of(&error))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// The longest file that there can be here: its last bytes are those of a disk that is nearly full.
    fn longest(file: &File) -> u64 {
        let (mut least, mut most) = (0, i64::MAX as u64);
        while least < most {
            let middle = least + (most - least).div_ceil(2);
            if file.set_len(middle).is_ok() { least = middle } else { most = middle - 1 }
        }
        least
    }

    /// A worker may still have games to save when there was no room for those of another one. Behind half a line they
    /// would be lost, and all that is written after them.
    #[cfg(unix)]
    #[test]
    fn a_journal_goes_on_where_it_ended_after_lines_for_which_there_was_no_room() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cup.json.journal");
        let mut journal =
            Journal::own(&path, File::options().read(true).write(true).create_new(true)).unwrap();
        journal.length = longest(&journal.file) - 10;
        journal.file.set_len(journal.length).unwrap();
        let begin = journal.length;
        assert!(journal.append(b"too long a line\n", &[]).is_err());
        assert_eq!(journal.file.metadata().unwrap().len(), begin, "no half of a line is left");
        journal.append(b"fits\n", &[]).unwrap();
        let mut written = String::new();
        (&*journal.file).seek(SeekFrom::Start(begin)).unwrap();
        (&*journal.file).read_to_string(&mut written).unwrap();
        assert_eq!(written, "fits\n");
        journal.append(b"too\n", &[]).unwrap();
        assert_eq!(journal.file.metadata().unwrap().len(), begin + 9);
    }
}
