//! Errors of reading positions, and what their readers share.

use std::fmt;

/// A position text that could not be read: what was expected, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Offset in characters from the start of the text; `None` where the whole text is meant.
    pub at: Option<usize>,
    /// What is wrong, as a phrase without a full stop: `row 3 has 6 columns instead of 7`.
    pub problem: String,
}

impl ParseError {
    /// Something wrong at one character.
    #[must_use]
    pub fn at(at: usize, problem: impl Into<String>) -> ParseError {
        ParseError { at: Some(at), problem: problem.into() }
    }

    /// Something wrong with the text as a whole.
    #[must_use]
    pub fn whole(problem: impl Into<String>) -> ParseError {
        ParseError { at: None, problem: problem.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "{} (character {})", self.problem, at + 1),
            None => f.write_str(&self.problem),
        }
    }
}

impl std::error::Error for ParseError {}

/// Words as people list them to choose from: `0, 1 or 3`.
pub(crate) fn alternatives<T: fmt::Display>(words: &[T]) -> String {
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        let separator = match words.len() - i {
            _ if i == 0 => "",
            1 => " or ",
            _ => ", ",
        };
        text.push_str(&format!("{separator}{word}"));
    }
    text
}

/// Whether a character stands between the moves of a list.
pub(crate) fn is_separator(c: char) -> bool {
    c == ',' || c.is_whitespace()
}

/// Cuts a list of moves at blanks and commas.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_separator).filter(|word| !word.is_empty())
}

/// Column letter and row number of a cell on a board that is `width` cells wide: `d3`.
#[must_use]
pub fn cell_name(cell: u16, width: u16) -> String {
    let mut name = String::new();
    write_cell(cell, width, &mut name);
    name
}

/// Appends what [`cell_name`] gives: moves are written on every turn.
pub(crate) fn write_cell(cell: u16, width: u16, text: &mut String) {
    text.push(char::from(b'a' + (cell % width) as u8));
    match cell / width + 1 {
        row @ 1..=9 => text.push(char::from(b'0' + row as u8)),
        row => text.push_str(&row.to_string()),
    }
}

/// The cell that a column letter and a row number name, or `None` where the text has another form.
/// `Some(None)` is a well-formed name of a cell beyond the board.
#[must_use]
pub fn read_cell(text: &str, width: u16, height: u16) -> Option<Option<u16>> {
    let mut letters = text.chars();
    let column =
        letters.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase() as u16 - u16::from(b'a');
    let digits = letters.as_str();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row = digits.parse::<u16>().ok().filter(|row| (1..=height).contains(row));
    Some(row.filter(|_| column < width).map(|row| (row - 1) * width + column))
}
