//! Openings that somebody has chosen: one a line, as moves from the start position or as a position.

use super::openings::Opening;
use arbiter_rules::{Chance, Position};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Openings in the order of their file, no two of them the same turned or mirrored.
#[derive(Clone, Debug)]
pub struct OpeningList {
    texts: Vec<String>,
    lines: Vec<Opening>,
}

/// A line that says again what an earlier one says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The line that is left out, from 1.
    pub line: usize,
    /// The line that it repeats, turned or mirrored perhaps.
    pub earlier: usize,
}

/// A list that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum OpeningListError {
    #[error("line {line}: {problem}")]
    Line { line: usize, problem: String },
    #[error("there is no opening in it")]
    Empty,
    #[error("there are more than {} openings in it", OpeningList::MOST)]
    TooMany,
}

impl OpeningList {
    /// The most openings of a list: they stand in every report.
    pub const MOST: usize = 100_000;

    /// Reads a list: one opening a line, empty lines and those that begin with `#` or `%` apart. A line is read as moves
    /// from the start position; if it is none, as a position. Games in GGF may go over several lines.
    ///
    /// # Errors
    /// The first line that is neither, or at which the game is over.
    pub fn read(text: &str, start: &Position) -> Result<(OpeningList, Vec<Repeated>), OpeningListError> {
        let (mut list, mut repeated) = (OpeningList { texts: Vec::new(), lines: Vec::new() }, Vec::new());
        let mut seen: HashMap<u128, usize> = HashMap::new();
        for (line, text) in entries(text) {
            let refused = |problem| OpeningListError::Line { line, problem };
            let (opening, after) = opening(&text, start).map_err(refused)?;
            if after.end().is_some() {
                return Err(refused("the game is over there".to_owned()));
            }
            match seen.entry(after.symmetric_key()) {
                Entry::Occupied(earlier) => repeated.push(Repeated { line, earlier: *earlier.get() }),
                Entry::Vacant(place) => {
                    place.insert(line);
                    list.texts.push(text);
                    list.lines.push(opening);
                }
            }
            if list.lines.len() > OpeningList::MOST {
                return Err(OpeningListError::TooMany);
            }
        }
        if list.lines.is_empty() { Err(OpeningListError::Empty) } else { Ok((list, repeated)) }
    }

    /// The positions that a list comes to, also those in which the game is over.
    ///
    /// # Errors
    /// The first line that is no opening.
    pub fn positions(text: &str, start: &Position) -> Result<Vec<Position>, OpeningListError> {
        let positions = entries(text).into_iter().map(|(line, text)| {
            let opening = opening(&text, start);
            opening.map(|(_, after)| after).map_err(|problem| OpeningListError::Line { line, problem })
        });
        let positions: Vec<_> = positions.collect::<Result<_, _>>()?;
        if positions.is_empty() { Err(OpeningListError::Empty) } else { Ok(positions) }
    }

    /// The openings as they are written.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The positions in which games begin that do not begin in the plan's.
    pub fn positions_of_its_own(&self) -> impl Iterator<Item = &Position> {
        self.lines.iter().filter_map(|opening| opening.elsewhere.as_deref())
    }

    /// An opening; after the last comes the first again.
    pub(super) fn line(&self, number: u32) -> Opening {
        self.lines[number as usize % self.lines.len()].clone()
    }
}

/// What a list has, each with the line in which it begins. A game in GGF ends where it says so, and is put into one line.
fn entries(text: &str) -> Vec<(usize, String)> {
    const BEGINNING: &str = "(;";
    const END: &str = ";)";
    let mut entries = Vec::new();
    let mut game: Option<(usize, String)> = None;
    for (line, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim)) {
        // Archives of game servers say how many games a line has, before the first.
        let is_game = |at: &usize| text[..*at].bytes().all(|b| b == b' ' || b.is_ascii_digit());
        let text = text.find(BEGINNING).filter(is_game).map_or(text, |at| &text[at..]);
        if game.is_none() && !text.starts_with(BEGINNING) {
            if !text.is_empty() && !text.starts_with(['#', '%']) {
                entries.push((line, text.to_owned()));
            }
            continue;
        }
        for piece in text.split_inclusive(END) {
            let (_, so_far) = game.get_or_insert_with(|| (line, String::new()));
            so_far.push_str(piece.trim());
            if so_far.ends_with(END) {
                entries.extend(game.take());
            }
        }
        if let Some((_, so_far)) = &mut game {
            so_far.push(' ');
        }
    }
    entries.extend(game);
    entries
}

/// The opening of a line, and the position after it.
fn opening(text: &str, start: &Position) -> Result<(Opening, Position), String> {
    moves(text, start).or_else(|no_moves| match start.read_position(text) {
        Ok(position) => {
            let after = position.clone();
            Ok((Opening { elsewhere: Some(position.into()), moves: Vec::new() }, after))
        }
        Err(no_position) => {
            let no_moves = no_moves.trim_end_matches('.');
            Err(format!("as moves: {no_moves}; as a position: {no_position}"))
        }
    })
}

fn moves(text: &str, start: &Position) -> Result<(Opening, Position), String> {
    let mut position = start.clone();
    if position.has_chance() {
        return Err("earthquakes come between moves, and would differ from unit to unit".to_owned());
    }
    let mut moves = Vec::new();
    for word in start.split_moves(text) {
        let choice = position.read_move(word).map_err(|why| why.sentence)?;
        position.play(choice.played, &Chance::NONE).map_err(|why| why.sentence)?;
        moves.push(choice);
    }
    Ok((Opening { elsewhere: None, moves }, position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Setup, registry};

    fn read(game: &str, text: &str) -> Result<(OpeningList, Vec<Repeated>), OpeningListError> {
        OpeningList::read(text, &registry::start(game, &Setup::default()).unwrap())
    }

    #[test]
    fn moves_and_positions_may_stand_side_by_side_and_mirrored_ones_count_once() {
        let text = "# made by hand\n\na1 b2\nc1 b2\nx3o4 x\n";
        let (list, repeated) = read("tic-tac-toe", text).unwrap();
        assert_eq!(list.texts(), ["a1 b2"], "all three are the same up to symmetry");
        assert_eq!(repeated, [Repeated { line: 4, earlier: 3 }, Repeated { line: 5, earlier: 3 }]);
        assert_eq!(list.line(0).moves.len(), 2);
        assert_eq!(list.line(5).moves.len(), 2, "after the last comes the first");
    }

    #[test]
    fn files_of_other_othello_programs_are_openings_as_they_are() {
        let board = "------------------------O--OOX--OOOXXO----OXXX-----X-----------";
        let obf = format!("% a remark\n-{board} X; d3:+2;\n");
        assert_eq!(read("othello", &obf).unwrap().0.texts(), [format!("-{board} X; d3:+2;")]);
        let ggf = "1 (;GM[Othello]B[d3]\nW[c5];)\n2 (;B[d3]W[c3];)(;B[d3]W[e3];)\n";
        let texts = ["(;GM[Othello]B[d3] W[c5];)", "(;B[d3]W[c3];)", "(;B[d3]W[e3];)"];
        assert_eq!(read("othello", ggf).unwrap().0.texts(), texts);
        let broken = read("othello", "f5\n(;B[d3]\nW[d3];)\n").unwrap_err().to_string();
        assert!(broken.starts_with("line 2: ") && broken.contains("d3 is taken by black"), "{broken}");
    }

    #[test]
    fn a_line_that_is_no_opening_is_named() {
        let problem = |text| read("connect-four", text).unwrap_err().to_string();
        assert!(problem("4\n\n4x\n").starts_with("line 3: as moves: "), "{}", problem("4\n\n4x\n"));
        assert_eq!(problem("1212121\n"), "line 1: the game is over there");
        assert_eq!(problem("# nothing\n"), "there is no opening in it");
    }
}
