//! The games of a journal by number. They stand in it in the order of their ends, which is nearly the same; so only the
//! places of those that came too early are kept, and the length of a journal costs no memory.

use super::lines::{Line, Lines};
use super::reader::number_of;
use super::source::Source;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader};
use std::path::Path;

/// Games in a block. Of each block, its smallest number is kept.
const BLOCK: usize = 1 << 10;

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
    /// Those that have been looked at, the smallest number first.
    found: BinaryHeap<Reverse<Location>>,
}

/// Where a game lies, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Location {
    number: u32,
    line: u32,
    at: u64,
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
        Ok(Ordered { lines, ahead, left: self.games, least: self.least, found: BinaryHeap::new() })
    }
}

impl Ordered {
    /// The line of the next game; nothing at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        while self.least.last().is_some_and(|least| self.comes_later(*least)) {
            self.least.pop();
            self.look_ahead()?;
        }
        let Some(Reverse(Location { line, at, .. })) = self.found.pop() else { return Ok(None) };
        self.lines.go_to(at, line as usize)?;
        self.lines.next()
    }

    /// Whether no game with a smaller number has been found.
    fn comes_later(&self, number: u32) -> bool {
        self.found.peek().is_none_or(|Reverse(first)| first.number > number)
    }

    /// Finds the games of a block.
    fn look_ahead(&mut self) -> io::Result<()> {
        let last = self.left.saturating_sub(BLOCK);
        let mut line = Line::default();
        while self.left > last {
            if !self.ahead.read(&mut line)? {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a game is missing in the journal"));
            }
            if let Ok(number) = number_of(&line.text) {
                self.found.push(Reverse(Location { number, line: line.number as u32, at: line.at }));
                self.left -= 1;
            }
        }
        Ok(())
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
