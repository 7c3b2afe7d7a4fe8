//! The games of a journal by number. They stand in it in the order of their ends, which is nearly the same; so only the
//! places of those that came too early are kept, and the length of a journal costs no memory.

use super::lines::{Line, Lines};
use super::source::Source;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader};
use std::path::Path;

/// Games that are looked at together. Of as many, a number is kept.
const BLOCK: usize = 1 << 10;

/// What finds games in a journal.
#[derive(Default)]
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
    number_of: fn(&Line) -> Option<u32>,
    /// Games that have not been looked at.
    left: usize,
    /// For each block of these, the last one first, the smallest number in it and behind it.
    least: Vec<u32>,
    found: BinaryHeap<Reverse<Place>>,
}

/// Where a game lies, by number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
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

    /// The games by number. `number_of` tells games from other lines, as it did for those that were added.
    pub(super) fn ordered(mut self, path: &Path, number_of: fn(&Line) -> Option<u32>) -> io::Result<Ordered> {
        self.least.reverse();
        let mut least = u32::MAX;
        for of_block in &mut self.least {
            least = least.min(*of_block);
            *of_block = least;
        }
        let (lines, ahead) = (Lines::open(path)?, Lines::open(path)?);
        let (left, least, found) = (self.games, self.least, BinaryHeap::new());
        Ok(Ordered { lines, ahead, number_of, left, least, found })
    }
}

impl Ordered {
    /// The line of the next game; nothing at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let comes_later = |least: &u32, found: &BinaryHeap<Reverse<Place>>| {
            found.peek().is_none_or(|Reverse(place)| place.number > *least)
        };
        while self.least.last().is_some_and(|least| comes_later(least, &self.found)) {
            self.least.pop();
            self.look_ahead()?;
        }
        let Some(Reverse(Place { line, at, .. })) = self.found.pop() else { return Ok(None) };
        self.lines.go_to(at, line as usize)?;
        self.lines.next()
    }

    /// Finds the games of a block.
    fn look_ahead(&mut self) -> io::Result<()> {
        let last = self.left.saturating_sub(BLOCK);
        let mut line = Line::default();
        while self.left > last && self.ahead.read(&mut line)? {
            if let Some(number) = (self.number_of)(&line) {
                self.found.push(Reverse(Place { number, line: line.number as u32, at: line.at }));
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
