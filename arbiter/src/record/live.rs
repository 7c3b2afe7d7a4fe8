//! The game that is being played, in a small file beside the journal: for a wall that shows it, and to go on with a game of
//! people whose program was killed.
//!
//! The file is there while its game goes on, and for no more than a renewal longer; while the program lives it is renewed.
//! No worker waits for it to be written, unless the moves are kept: then the worker writes it. No result depends on the file, so
//! whatever hinders it harms nobody.
#![expect(
    clippy::disallowed_methods,
    reason = "a file that goes with its game need not survive a power failure"
)]

use super::schema::GameRecord;
use super::source;
use parking_lot::Mutex;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// How often the file ought to be [renewed](Live::renew).
pub const RENEWED: Duration = Duration::from_millis(500);
/// Renewals that a game has to last before it is written: of shorter games nobody would see more than a flash.
const SHORT: u32 = 4;
/// Positions that are taken between two renewals. A worker that plays on and on pays for no more of them, and where turns are
/// long the newest is always among them.
const POSITIONS: u32 = 32;
/// Bytes that are written and read.
const MOST: u64 = 4 << 20;

/// The file beside a journal.
pub fn live_file(journal: &Path) -> PathBuf {
    journal.with_extension("live")
}

/// The game that is being played by the program that writes this journal, as far as it has come. The file is a
/// stranger's like any other: what it says is nothing more than a record that may be wrong.
pub fn read_live(journal: &Path) -> Option<GameRecord> {
    let mut text = Vec::new();
    source::open(&live_file(journal)).ok()?.take(MOST + 1).read_to_end(&mut text).ok()?;
    if text.len() as u64 > MOST {
        return None;
    }
    serde_json::from_slice(&text).ok()
}

/// What a worker and whoever renews the file share.
#[derive(Debug)]
pub struct Live {
    path: PathBuf,
    /// Whether every move is written before anybody hears of it.
    keeps_moves: bool,
    /// Positions that are still to be taken before the next renewal.
    wanted: AtomicU32,
    state: Mutex<State>,
    file: Mutex<Written>,
}

/// The lock on it is held while the file is renewed or taken away.
#[derive(Debug, Default)]
struct Written {
    is_there: bool,
    /// No game comes any more, so that there is nothing to renew.
    is_over: bool,
}

/// The lock on it is held for no longer than it takes to hand over a game.
#[derive(Debug, Default)]
struct State {
    /// The game as it has not been written yet.
    newest: Option<GameRecord>,
    /// Renewals since the game began.
    age: u32,
}

impl Live {
    /// A file beside this journal, which is not there yet: what a program that was killed has left goes.
    pub fn beside(journal: &Path) -> Live {
        let live = Live::keeping_moves(journal);
        live.remove();
        drop(fs::remove_file(live.unfinished()));
        Live { keeps_moves: false, ..live }
    }

    /// A file beside this journal that has every move before anybody hears of it. The one that is there may be that of
    /// a game that goes on.
    pub fn keeping_moves(journal: &Path) -> Live {
        let wanted = AtomicU32::new(POSITIONS);
        let (state, file) = (Mutex::default(), Mutex::default());
        Live { path: live_file(journal), keeps_moves: true, wanted, state, file }
    }

    /// Whether a position would be written. Costs next to nothing, so that it can be asked at every ply.
    pub fn is_wanted(&self) -> bool {
        self.keeps_moves || self.wanted.load(Ordering::Relaxed) > 0
    }

    /// The game has come so far. Waits for the disk only where moves are kept.
    pub fn show(&self, game: GameRecord) {
        if self.keeps_moves {
            self.write(&game);
            return;
        }
        self.state.lock().newest = Some(game);
        self.wanted.store(self.wanted.load(Ordering::Relaxed).saturating_sub(1), Ordering::Relaxed);
    }

    /// The game is over: its file goes with the next renewal, or at once where moves are kept.
    pub fn game_over(&self) {
        *self.state.lock() = State::default();
        if self.keeps_moves {
            self.remove();
        }
    }

    /// Renews the file, or takes that of a game away that is over. Waits for the disk.
    pub fn renew(&self) {
        let mut file = self.file.lock();
        match (file.is_over, self.keeps_moves) {
            (true, _) => {}
            (false, true) => self.touch(),
            (false, false) => {
                file.is_there = self.renew_board(file.is_there);
                self.wanted.store(POSITIONS, Ordering::Relaxed);
            }
        }
    }

    /// No game comes any more. The file goes, unless the moves are kept.
    pub fn close(&self) {
        self.file.lock().is_over = true;
        if !self.keeps_moves {
            self.remove();
        }
    }

    /// Says whether there is a file now.
    fn renew_board(&self, is_there: bool) -> bool {
        let mut state = self.state.lock();
        state.age += 1;
        let is_long = state.age >= SHORT;
        let newest = if is_long { state.newest.take() } else { None };
        drop(state);
        match newest {
            Some(game) => return self.write(&game),
            None if !is_there => {}
            None if is_long => self.touch(),
            None => self.remove(),
        }
        is_there && is_long
    }

    /// Writes a file and renames it, so that nobody ever sees half a game.
    fn write(&self, game: &GameRecord) -> bool {
        let Ok(text) = serde_json::to_vec(game) else { return false };
        let unfinished = self.unfinished();
        // Nothing that lies there is written to: a link would lead elsewhere, and a pipe has to be waited for.
        drop(fs::remove_file(&unfinished));
        let write = || File::create_new(&unfinished)?.write_all(&text);
        let is_written =
            text.len() as u64 <= MOST && write().and_then(|()| fs::rename(&unfinished, &self.path)).is_ok();
        if !is_written {
            drop(fs::remove_file(&unfinished));
            self.remove();
        }
        is_written
    }

    /// Says that the game still goes on.
    fn touch(&self) {
        let mut options = File::options();
        // The thread that does this also hears signals, so it must not wait for a pipe.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, source::ITSELF);
        let file = options.write(true).open(&self.path);
        drop(file.and_then(|file| file.set_modified(SystemTime::now())));
    }

    /// The file while it is being written.
    fn unfinished(&self) -> PathBuf {
        self.path.with_extension("live.tmp")
    }

    fn remove(&self) {
        drop(fs::remove_file(&self.path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Recorder;

    #[test]
    fn a_board_is_there_while_its_game_goes_on_and_short_games_have_none() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("cup.json.journal");
        fs::write(live_file(&journal), "left by a program that was killed").unwrap();
        let live = Live::beside(&journal);
        assert!(!live_file(&journal).exists());
        let game = Recorder::new(7, &[1, 0], 0, 0, String::new()).so_far();
        for renewals in [SHORT - 1, SHORT] {
            live.show(game.clone());
            (0..renewals).for_each(|_| live.renew());
            assert_eq!(read_live(&journal), (renewals == SHORT).then(|| game.clone()));
            live.game_over();
            live.renew();
            assert!(!live_file(&journal).exists());
        }
        (0..POSITIONS).for_each(|_| live.show(game.clone()));
        assert!(!live.is_wanted(), "a fast game pays for no more");
        live.close();
        (0..SHORT).for_each(|_| live.renew());
        assert!(!live_file(&journal).exists(), "nothing says that somebody plays once nobody does");
    }

    /// Many moves of bots that say much of each would otherwise be lost with the program.
    #[test]
    fn a_long_game_of_people_can_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("cup.json.journal");
        let mut game = Recorder::new(7, &[1, 0], 0, 0, String::new()).so_far();
        game.chance_seed = Some("a".repeat(1 << 20));
        Live::keeping_moves(&journal).show(game.clone());
        assert_eq!(read_live(&journal), Some(game));
    }

    /// A signal would not be heard any more, and the match would not end.
    #[test]
    #[cfg(unix)]
    fn nothing_that_others_put_in_its_place_is_waited_for_or_written_to() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("cup.json.journal");
        let precious = folder.path().join("precious");
        fs::write(&precious, "precious").unwrap();
        let live = Live::keeping_moves(&journal);
        std::os::unix::fs::symlink(&precious, live.unfinished()).unwrap();
        let game = Recorder::new(7, &[1, 0], 0, 0, String::new()).so_far();
        live.show(game.clone());
        assert_eq!(read_live(&journal), Some(game));
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
        fs::remove_file(live_file(&journal)).unwrap();
        mknodat(CWD, live_file(&journal), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let (is_renewed, renewed) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            live.renew();
            is_renewed.send(())
        });
        renewed.recv_timeout(Duration::from_secs(60)).expect("it waits for a pipe");
    }

    #[test]
    fn a_file_that_is_no_game_or_endless_is_no_board() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("cup.json.journal");
        for text in ["", "{}", "[[", &" ".repeat(MOST as usize + 1)] {
            fs::write(live_file(&journal), text).unwrap();
            assert!(read_live(&journal).is_none());
        }
        fs::remove_file(live_file(&journal)).unwrap();
        fs::create_dir(live_file(&journal)).unwrap();
        assert!(read_live(&journal).is_none());
    }
}
