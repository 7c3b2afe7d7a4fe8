//! Reports and journals of one plan read together: every game once, by number.

use super::file::ReadError;
use super::reader::{Reader, Unread};
use super::schema::{GameRecord, MatchReport};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

/// Files that are read together. Their games have to stand in them by number, as arbiter writes them.
pub struct Merged {
    readers: Vec<Reader>,
    /// The next game of each file.
    next: Vec<Option<Unread>>,
    /// Its number, and the number of the file; the smallest first.
    order: BinaryHeap<Reverse<(u32, usize)>>,
    last: u32,
}

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
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn open(paths: &[impl AsRef<Path>]) -> Result<Merged, ReadError> {
        let readers = paths.iter().map(|path| Reader::open(path.as_ref())).collect::<Result<Vec<_>, _>>()?;
        let next = readers.iter().map(|_| None).collect();
        let mut merged = Merged { readers, next, order: BinaryHeap::new(), last: 0 };
        for file in 0..merged.readers.len() {
            merged.fill(file)?;
        }
        Ok(merged)
    }

    /// The files, as far as they have been read.
    #[must_use]
    pub fn readers(&self) -> &[Reader] {
        &self.readers
    }

    /// The reports without their games, once all of these have been shown.
    ///
    /// # Errors
    /// What is wrong behind the games.
    pub fn end(self) -> Result<Vec<MatchReport>, ReadError> {
        self.readers.into_iter().map(Reader::end).collect()
    }

    fn fill(&mut self, file: usize) -> Result<(), ReadError> {
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

    fn take(&mut self, file: usize) -> Result<GameRecord, ReadError> {
        let game = self.next[file].take().expect("what has an order is there");
        self.fill(file)?;
        game.game()
    }

    fn next_game(&mut self) -> Result<Option<Shared>, ReadError> {
        let Some(Reverse((number, file))) = self.order.pop() else { return Ok(None) };
        self.last = number;
        let mut shared = Shared { game: self.take(file)?, file, others: Vec::new() };
        while let Some(&Reverse((_, file))) = self.order.peek().filter(|Reverse((other, _))| *other == number)
        {
            self.order.pop();
            let game = self.take(file)?;
            shared.others.push((file, game));
        }
        Ok(Some(shared))
    }
}

impl Iterator for Merged {
    type Item = Result<Shared, ReadError>;

    fn next(&mut self) -> Option<Result<Shared, ReadError>> {
        self.next_game().transpose()
    }
}
