//! The games of a journal by number. They stand in it in the order of their ends, which is nearly the same; so only the
//! places of those that came too early are kept, and the length of a journal costs no memory.

use super::lines::{Line, Lines};
use super::reader::number_of;
use super::source::Source;
use std::cmp::Reverse;
use std::io::{self, BufReader};
use std::path::Path;

/// Games in a block. Of each block, its smallest number is kept.
const BLOCK: usize = 1 << 10;

/// Bytes that are kept of what has been looked through. Games before it are read again when it is their turn.
const NEAR: u64 = 4 << 20;

/// What finds games in a journal.
#[derive(Clone, Debug, Default)]
pub(super) struct Finder {
    /// For each block, the smallest number in it.
    least: Vec<u32>,
    games: usize,
}

/// The games of a journal that has been looked through.
pub(super) struct Ordered {
    lines: Lines<BufReader<Source>>,
    /// Looks for games ahead of those lines.
    ahead: Lines<BufReader<Source>>,
    /// Games that have not been looked at.
    left: usize,
    /// For each block of these, the last one first, the smallest number in it or in a later one.
    least: Vec<u32>,
    /// Those that have been looked at, the smallest number last.
    found: Vec<Location>,
    /// The one of these with the smallest number.
    first: Option<Location>,
    /// The text that has been looked through last, and its place: nearly all games are still there when it is their turn.
    near: Vec<u8>,
    near_at: u64,
}

/// Where a game lies, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Location {
    number: u32,
    line: u32,
    at: u64,
    length: u32,
}

impl Finder {
    /// The next game in the journal has this number.
    pub(super) fn add(&mut self, number: u32) {
        if self.games.is_multiple_of(BLOCK) {
            self.least.push(number);
        }
        let last = self.least.last_mut().expect("there is a block");
        *last = number.min(*last);
        self.games += 1;
    }

    /// The games by number.
    pub(super) fn ordered(mut self, path: &Path) -> io::Result<Ordered> {
        self.least.reverse();
        let mut least = u32::MAX;
        for of_block in &mut self.least {
            least = least.min(*of_block);
            *of_block = least;
        }
        let (lines, ahead) = (Lines::open(path)?, Lines::open(path)?);
        Ok(Ordered {
            lines,
            ahead,
            left: self.games,
            least: self.least,
            found: Vec::new(),
            first: None,
            near: Vec::new(),
            near_at: 0,
        })
    }
}

impl Ordered {
    /// The line of the next game; nothing at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let known = self.found.len();
        let before = self.first;
        while self.least.last().is_some_and(|least| self.comes_later(*least)) {
            self.least.pop();
            self.look_ahead()?;
        }
        let new = &mut self.found[known..];
        if !new.is_empty() {
            // They stand in long runs already, which a stable sort merges.
            new.sort_by_key(|location| Reverse(*location));
            // What came too early may be most of the journal. It is sorted again only with games that come between.
            if before.is_some_and(|before| new[0] > before) {
                self.found.sort_by_key(|location| Reverse(*location));
            }
        }
        let Some(Location { line, at, length, .. }) = self.found.pop() else { return Ok(None) };
        self.first = self.found.last().copied();
        if let Some(start) = at.checked_sub(self.near_at) {
            let text = &self.near[start as usize..][..length as usize];
            return Ok(Some(Line { text: text.to_owned(), number: line as usize, at }));
        }
        self.lines.go_to(at, line as usize)?;
        self.lines.next()
    }

    /// Whether no game with a smaller number has been found.
    fn comes_later(&self, number: u32) -> bool {
        self.first.is_none_or(|first| first.number > number)
    }

    /// Finds the games of a block.
    fn look_ahead(&mut self) -> io::Result<()> {
        let last = self.left.saturating_sub(BLOCK);
        let mut line = Line::default();
        self.forget();
        while self.left > last {
            if !self.ahead.read(&mut line)? {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a game is missing in the journal"));
            }
            self.near.extend_from_slice(&line.text);
            if self.near.len() as u64 > 2 * NEAR {
                self.forget();
            }
            if let Ok(number) = number_of(&line.text) {
                let (at, length) = (line.at, line.text.len() as u32);
                let location = Location { number, line: line.number as u32, at, length };
                self.first = Some(self.first.map_or(location, |first| first.min(location)));
                self.found.push(location);
                self.left -= 1;
            }
        }
        Ok(())
    }

    /// Forgets the text before the game that comes next, and what lies further back than [`NEAR`]; but only if that is
    /// most of the text, since the rest has to be moved.
    fn forget(&mut self) {
        let end = self.ahead.end();
        let next = self.first.map_or(end, |first| first.at);
        let over = next.max(end.saturating_sub(NEAR)).saturating_sub(self.near_at);
        if over > self.near.len() as u64 / 2 {
            self.near.drain(..over as usize);
            self.near_at += over;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// A journal with these games, each with a text of so many bytes.
    fn journal(games: &[u32], length: usize) -> (tempfile::NamedTempFile, Finder) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let mut finder = Finder::default();
        writeln!(file, "a header").unwrap();
        for number in games {
            file.write_all(format!("{{\"number\":{number},{:length$}}}\n", "").as_bytes()).unwrap();
            finder.add(*number);
        }
        (file, finder)
    }

    /// A match that was resumed has its early games at the end.
    #[test]
    fn games_come_by_number_whatever_their_order_in_the_file() {
        let many = 5 * BLOCK as u32;
        let nearly = (0..many).map(|number| number ^ 1);
        let orders: [Vec<u32>; 4] = [
            nearly.collect(),
            (0..many).rev().collect(),
            (10..many).chain(0..10).collect(),
            (0..many).map(|number| number * 7 % many).collect(),
        ];
        for order in orders {
            let (file, finder) = journal(&order, 1);
            let mut ordered = finder.ordered(file.path()).unwrap();
            let mut read = Vec::new();
            while let Some(line) = ordered.next().unwrap() {
                read.extend(number_of(&line.text));
            }
            assert_eq!(read, (0..many).collect::<Vec<_>>());
        }
    }

    /// A thousand games of bots that talk all the time would otherwise fill the memory of whoever reads them.
    #[test]
    fn long_games_are_not_kept_in_memory_and_come_in_order_all_the_same() {
        const LENGTH: usize = 32 << 10;
        let many = 3 * NEAR as u32 / LENGTH as u32;
        let (file, finder) = journal(&(1..many).chain([0]).collect::<Vec<_>>(), LENGTH);
        let mut ordered = finder.ordered(file.path()).unwrap();
        for number in 0..many {
            let line = ordered.next().unwrap().unwrap();
            assert_eq!(number_of(&line.text).unwrap(), number);
            let kept = ordered.near.len();
            assert!(kept <= 2 * NEAR as usize + line.text.len(), "{kept} bytes are kept");
        }
        assert!(ordered.next().unwrap().is_none());
    }

    /// Somebody may have cut the journal off while it was closed. A report that lacks games must not look like a whole one.
    #[test]
    fn a_game_that_is_missing_in_the_file_is_an_error_and_no_shorter_report() {
        let (file, mut finder) = journal(&[0, 1], 1);
        finder.add(2);
        let mut ordered = finder.ordered(file.path()).unwrap();
        let error = ordered.next().err().expect("game 2 is missing");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(error.to_string().contains("missing"), "{error}");
    }
}
