//! How moves and cells are written and read, errors of reading positions, and what their readers share.

use crate::game::{Game, Shape};
use crate::moves::{Choice, IllegalMove, Move, Refusal};
use crate::naming::shown;
use crate::seat::Seat;
use std::fmt;

/// Moves and cells as people write them. By default a move is the name of its cell: a letter for the column, a number for
/// the row from the top.
///
/// The game in the example of [`game`](crate::game) takes it as it is.
pub trait Notation: Game {
    /// Appends what people call a cell.
    fn write_cell_name(&self, cell: u16, text: &mut String) {
        write_cell(cell, self.shape().width, text);
    }

    /// What people call a cell.
    fn cell_name(&self, cell: u16) -> String {
        let mut name = String::new();
        self.write_cell_name(cell, &mut name);
        name
    }

    /// Appends a move in the notation of the legal list. Passes are written for all games alike.
    fn write_move(&self, m: Move, text: &mut String) {
        write_cell(m.to(), self.shape().width, text);
    }

    /// Appends a legal choice, made in this position, as records keep it.
    fn write_choice(&self, choice: &Choice, text: &mut String) {
        self.write_move(choice.played, text);
    }

    /// Reads a move in any notation that people use and judges it.
    ///
    /// # Errors
    /// `not-understood`, or why the move is illegal.
    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove> {
        read_place(self, text, &self.cell_name(0))
    }

    /// Cuts a list of moves into single moves: by default at blanks and commas.
    fn split_moves<'a>(&self, text: &'a str) -> Vec<&'a str> {
        words(text).collect()
    }

    /// The cells that a legal move goes through, first and last included.
    fn path(&self, m: Move) -> Vec<u16> {
        if m.from() == m.to() { vec![m.to()] } else { vec![m.from(), m.to()] }
    }

    /// Judges a path of cells as the answer of a bot or a person; an empty one is a pass. Games without paths take
    /// a single cell.
    ///
    /// # Errors
    /// The first reason in the order of the rules document.
    fn judge_path(&self, path: &[i64]) -> Result<Choice, IllegalMove> {
        let &[cell] = path else {
            if path.is_empty() {
                return self.judge(Move::PASS).map(|()| Move::PASS.into());
            }
            let sentence = "In this game a move has one cell, not a path.";
            return Err(IllegalMove::new(Refusal::NotUnderstood, sentence));
        };
        let Ok(cell) = u16::try_from(cell) else {
            return Err(IllegalMove::new(Refusal::OffBoard, format!("There is no cell {cell}.")));
        };
        self.judge(Move::place(cell)).map(|()| Move::place(cell).into())
    }
}

/// Reads the name of a cell as the move that puts a piece there.
pub(crate) fn read_place<G: Game + ?Sized>(
    game: &G,
    text: &str,
    example: &str,
) -> Result<Choice, IllegalMove> {
    let Shape { width, height, .. } = game.shape();
    match read_cell(text, width, height) {
        Some(Some(cell)) => game.judge(Move::place(cell)).map(|()| Move::place(cell).into()),
        Some(None) => {
            let last = column_letter(width - 1);
            let cell = shown(text);
            let sentence = format!("There is no cell {cell}: columns are a to {last}, rows 1 to {height}.");
            Err(IllegalMove::new(Refusal::OffBoard, sentence))
        }
        None => Err(IllegalMove::not_understood(text, example)),
    }
}

/// A position text that could not be read: what was expected, and where.
///
/// ```
/// use arbiter_rules::notation::ParseError;
///
/// assert_eq!(ParseError::at(4, "there is no disc 'z'").to_string(), "there is no disc 'z' (character 5)");
/// ```
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

/// Appends `.x./.../..o x`: the rows from the top, and the side to move.
pub(crate) fn write_rows(
    shape: Shape,
    owner: impl Fn(u16) -> Option<Seat>,
    to_move: Seat,
    text: &mut String,
) {
    let sign = |seat: Seat| ['x', 'o'][seat.index()];
    for row in 0..shape.height {
        text.extend((row > 0).then_some('/'));
        let cells = (0..shape.width).map(|column| row * shape.width + column);
        text.extend(cells.map(|cell| owner(cell).map_or('.', sign)));
    }
    text.extend([' ', sign(to_move)]);
}

/// Cuts `.x./.../..o x` into its rows, each of the right length, and the side to move, with the offset of that. `what` is
/// what they are the rows of.
pub(crate) fn read_rows<'a>(
    text: &'a str,
    what: &str,
    shape: Shape,
) -> Result<(Vec<&'a str>, (usize, &'a str)), ParseError> {
    let Shape { width, height, .. } = shape;
    let Some((board, side)) = text.split_once(' ') else {
        let parts = "the rows from the top, one blank, and the side to move, x or o";
        return Err(ParseError::whole(format!("expected {parts}")));
    };
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != usize::from(height) {
        return Err(ParseError::whole(format!("the {what} has {} rows instead of {height}", rows.len())));
    }
    let mut at = 0;
    for (number, row) in (1..).zip(&rows) {
        let mut signs = row.chars().enumerate();
        if let Some((offset, other)) = signs.find(|(_, sign)| !matches!(sign, 'x' | 'o' | '.')) {
            let problem = format!("expected x, o or . in row {number}, not '{}'", other.escape_debug());
            return Err(ParseError::at(at + offset, problem));
        }
        if row.len() != usize::from(width) {
            let problem = format!("row {number} has {} columns instead of {width}", row.len());
            return Err(ParseError::at(at, problem));
        }
        at += row.len() + 1;
    }
    Ok((rows, (at, side)))
}

/// Reads the side to move, which stands at an offset, by the signs of the seats.
pub(crate) fn read_side((at, text): (usize, &str), signs: [char; 2]) -> Result<Seat, ParseError> {
    let is_meant = |seat: &Seat| text.chars().eq([signs[seat.index()]]);
    Seat::all(2).find(is_meant).ok_or_else(|| {
        let (x, o) = (signs[0].max(signs[1]), signs[0].min(signs[1]));
        let problem = format!("expected {x} or {o} for the side to move, not '{}'", shown(text));
        ParseError::at(at, problem)
    })
}

/// Refuses a position in which the game was over before the last turn: both have won, or the side to move has. `won` says
/// what a winner has.
pub(crate) fn check_winners(
    has_won: [bool; 2],
    to_move: Seat,
    signs: [char; 2],
    won: &str,
) -> Result<(), ParseError> {
    let problem = match has_won {
        [true, true] => format!("x and o both have {won}"),
        _ if has_won[to_move.index()] => format!("{} is to move, but has {won}", signs[to_move.index()]),
        _ => return Ok(()),
    };
    Err(ParseError::whole(format!("{problem}: only the side that moved last can have won")))
}

/// Words as people list them to choose from: `0, 1 or 3`.
pub(crate) fn alternatives<T: fmt::Display>(words: &[T]) -> String {
    listed(words, " or ")
}

/// Words as people list all of them: `1, 5 and 9`.
pub(crate) fn all_of<T: fmt::Display>(words: &[T]) -> String {
    listed(words, " and ")
}

fn listed<T: fmt::Display>(words: &[T], last: &str) -> String {
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        let separator = match words.len() - i {
            _ if i == 0 => "",
            1 => last,
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
///
/// ```
/// use arbiter_rules::notation::{cell_name, read_cell};
///
/// assert_eq!(cell_name(19, 8), "d3");
/// assert_eq!(read_cell("d3", 8, 8), Some(Some(19)));
/// assert_eq!(read_cell("d9", 8, 8), Some(None));
/// ```
#[must_use]
pub fn cell_name(cell: u16, width: u16) -> String {
    let mut name = String::new();
    write_cell(cell, width, &mut name);
    name
}

/// The letter of a column.
pub(crate) fn column_letter(column: u16) -> char {
    char::from(b'a' + column as u8)
}

/// Appends what [`cell_name`] gives: moves are written on every turn.
pub(crate) fn write_cell(cell: u16, width: u16, text: &mut String) {
    text.push(column_letter(cell % width));
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
