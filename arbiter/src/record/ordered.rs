//! The games of a journal by number. They stand in it in the order of their ends, which is nearly the same; so only the
//! places of those that came too early are kept, and the length of a journal costs no memory.

use super::lines::{Line, Lines};
use super::source::Source;
use std::io::{self, BufReader};
use std::path::Path;

/// Games that are looked at together. Of as many, a number is kept.
const BLOCK: usize = 1 << 10;

/// Bytes before a block that are kept for games in it that come late.
const NEAR: u64 = 4 << 20;

/// What finds games in a journal.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    /// For each block, the smallest number in it.
    least: Vec<u32>,
    games: usize,
}

/// The games of a journal that has been looked through.
pub(super) struct Ordered {
    lines: Lines<BufReader<Source>>,
    /// Looks for games ahead of those lines.
    ahead: Lines<BufReader<Source>>,
    /// The text that has been looked through last, and its place: nearly all games that are found are still in it.
    near: Vec<u8>,
    near_at: u64,
    number_of: fn(&Line) -> Option<u32>,
    /// Games that have not been looked at.
    left: usize,
    /// For each block of these, the last one first, the smallest number in it and behind it.
    least: Vec<u32>,
    /// Those that have been looked at, the last one first.
    found: Vec<Place>,
}

/// Where a game lies, by number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
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

    /// The games by number. `number_of` tells games from other lines, as it did for those that were added.
    pub(super) fn ordered(mut self, path: &Path, number_of: fn(&Line) -> Option<u32>) -> io::Result<Ordered> {
        self.least.reverse();
        let mut least = u32::MAX;
        for of_block in &mut self.least {
            least = least.min(*of_block);
            *of_block = least;
        }
        let (lines, ahead) = (Lines::open(path)?, Lines::open(path)?);
        let (left, least, found) = (self.games, self.least, Vec::new());
        let (near, near_at) = (Vec::new(), 0);
        Ok(Ordered { lines, ahead, near, near_at, number_of, left, least, found })
    }
}

impl Ordered {
    /// The line of the next game; nothing at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let comes_later =
            |least: &u32, found: &[Place]| found.last().is_none_or(|place| place.number > *least);
        while self.least.last().is_some_and(|least| comes_later(least, &self.found)) {
            self.least.pop();
            self.look_ahead()?;
        }
        let Some(Place { line, at, length, .. }) = self.found.pop() else { return Ok(None) };
        if let Some(start) = at.checked_sub(self.near_at) {
            let text = &self.near[start as usize..][..length as usize];
            return Ok(Some(Line { text: text.to_owned(), number: line as usize, at }));
        }
        self.lines.go_to(at, line as usize)?;
        self.lines.next()
    }

    /// Finds the games of a block.
    fn look_ahead(&mut self) -> io::Result<()> {
        let last = self.left.saturating_sub(BLOCK);
        let needed = self.found.iter().map(|place| place.at).min().unwrap_or(self.ahead.end());
        let needed = needed.max(self.ahead.end().saturating_sub(NEAR));
        self.near.drain(..needed.saturating_sub(self.near_at) as usize);
        self.near_at = self.near_at.max(needed);
        let mut line = Line::default();
        while self.left > last && self.ahead.read(&mut line)? {
            self.near.extend_from_slice(&line.text);
            // Games with much in them are read again when it is their turn.
            if self.near.len() as u64 > 2 * NEAR {
                let far = self.near.len() as u64 - NEAR;
                self.near.drain(..far as usize);
                self.near_at += far;
            }
            if let Some(number) = (self.number_of)(&line) {
                let (at, length) = (line.at, line.text.len() as u32);
                self.found.push(Place { number, line: line.number as u32, at, length });
                self.left -= 1;
            }
        }
        if self.left > last {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a game is missing in the journal"));
        }
        // Runs of games that are in order already take no longer than to look at them.
        self.found.sort_by(|a, b| b.cmp(a));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn number_of(line: &Line) -> Option<u32> {
        str::from_utf8(&line.text).ok()?.trim().parse().ok()
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
            let mut file = tempfile::NamedTempFile::new().unwrap();
            let mut finder = Finder::default();
            writeln!(file, "a header").unwrap();
            for number in &order {
                writeln!(file, "{number}").unwrap();
                finder.add(*number);
            }
            let mut ordered = finder.ordered(file.path(), number_of).unwrap();
            let mut read = Vec::new();
            while let Some(line) = ordered.next().unwrap() {
                read.extend(number_of(&line));
            }
            assert_eq!(read, (0..many).collect::<Vec<_>>());
        }
    }
}
