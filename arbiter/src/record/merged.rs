//! Reports and journals of one plan read together: every game once, by number.

use super::error::RecordError;
use super::journal::Journal;
use super::reader::{Reader, Unread};
use super::schema::{GameRecord, MatchReport};
use super::threads::in_threads;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::path::Path;

/// Files that are read together. Their games have to stand in them by number, as arbiter writes them.
pub struct Merged {
    readers: Vec<Reader>,
    /// The next game of each file.
    next: Vec<Option<Unread>>,
    /// Its number, and the number of the file; the smallest first.
    order: BinaryHeap<Reverse<(u32, usize)>>,
    last: u32,
    /// Games that have been read.
    ahead: VecDeque<Result<Shared, RecordError>>,
}

/// Games that are read ahead.
const AHEAD: usize = 1_024;

/// A game, and the files that have it.
pub struct Shared {
    /// The game, from the first file that has it.
    pub game: GameRecord,
    /// The number of that file.
    pub file: usize,
    /// The same game in the other files, each with the number of its file.
    pub others: Vec<(usize, GameRecord)>,
}

impl Merged {
    /// Opens files.
    pub fn open(paths: &[impl AsRef<Path>]) -> Result<Merged, RecordError> {
        Merged::of(paths.iter().map(|path| Reader::open(path.as_ref())).collect::<Result<_, _>>()?)
    }

    /// The journal alone that this program has written.
    pub fn of_written(journal: Journal) -> Result<Merged, RecordError> {
        Merged::of(vec![Reader::of_written(journal)?])
    }

    fn of(readers: Vec<Reader>) -> Result<Merged, RecordError> {
        let next = readers.iter().map(|_| None).collect();
        let mut merged = Merged { readers, next, order: BinaryHeap::new(), last: 0, ahead: VecDeque::new() };
        for file in 0..merged.readers.len() {
            merged.fill(file)?;
        }
        Ok(merged)
    }

    /// The files, as far as they have been read.
    pub fn readers(&self) -> &[Reader] {
        &self.readers
    }

    /// The reports without their games, once all of these have been shown.
    ///
    /// # Errors
    /// What is wrong behind the games.
    pub fn end(self) -> Result<Vec<MatchReport>, RecordError> {
        self.readers.into_iter().map(Reader::end).collect()
    }

    fn fill(&mut self, file: usize) -> Result<(), RecordError> {
        if let Some(game) = self.readers[file].next().transpose()? {
            let number = game.number()?;
            if number < self.last {
                return Err(game.out_of_order(number, self.last));
            }
            self.order.push(Reverse((number, file)));
            self.next[file] = Some(game);
        }
        Ok(())
    }

    fn take(&mut self, file: usize) -> Result<Unread, RecordError> {
        let game = self.next[file].take().expect("what has an order is there");
        self.fill(file)?;
        Ok(game)
    }

    /// The text of the next game, from the first file that has it, and its number; nothing at the end.
    pub(super) fn next_text(&mut self) -> Result<Option<(u32, Vec<u8>)>, RecordError> {
        let first = self.next_game()?.into_iter().next();
        first.map(|(_, game)| Ok((self.last, game.text()?))).transpose()
    }

    /// The next game in all files that have it, each with the number of its file.
    fn next_game(&mut self) -> Result<Vec<(usize, Unread)>, RecordError> {
        let Some(&Reverse((number, _))) = self.order.peek() else { return Ok(Vec::new()) };
        self.last = number;
        let mut games = Vec::new();
        while let Some(&Reverse((_, file))) = self.order.peek().filter(|Reverse((other, _))| *other == number)
        {
            self.order.pop();
            games.push((file, self.take(file)?));
        }
        Ok(games)
    }

    /// Reads some games ahead, and takes their texts apart in threads.
    fn read_ahead(&mut self) {
        let mut unread = Vec::new();
        let mut error = None;
        while unread.len() < AHEAD {
            match self.next_game() {
                Ok(games) if games.is_empty() => break,
                Ok(games) => unread.push(games),
                Err(problem) => {
                    error = Some(Err(problem));
                    break;
                }
            }
        }
        let read = |games: Vec<(usize, Unread)>| -> Result<Shared, RecordError> {
            let taken_apart = |(file, game): (usize, Unread)| Ok::<_, RecordError>((file, game.game()?));
            let mut games = games.into_iter().map(taken_apart);
            let (file, game) = games.next().expect("some file has it")?;
            Ok(Shared { game, file, others: games.collect::<Result<_, _>>()? })
        };
        self.ahead.extend(in_threads(unread, read));
        self.ahead.extend(error);
    }
}

impl Iterator for Merged {
    type Item = Result<Shared, RecordError>;

    fn next(&mut self) -> Option<Result<Shared, RecordError>> {
        if self.ahead.is_empty() {
            self.read_ahead();
        }
        self.ahead.pop_front()
    }
}
