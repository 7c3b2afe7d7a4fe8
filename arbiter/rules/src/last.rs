//! The move that led to a position, as far as the position can tell.
//!
//! A text of a position says nothing of its past. Where somebody knows the last move, it can be checked against the
//! board, and games that need it (ultimate: which grid the next player is sent to) learn it.

use crate::moves::{Move, MoveKind};
use crate::position::Position;
use std::fmt;

/// A position with the move that led to it.
#[derive(Clone, Debug)]
pub struct CameAbout {
    /// The position, with what the rules need to know of the move.
    pub position: Position,
    /// The move.
    pub last: Move,
}

/// Why a move cannot have been the last one: a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotTheLast(String);

impl fmt::Display for NotTheLast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotTheLast {}

/// Reads the last move, in the notation of the legal list, and checks it against the board: a piece must lie where it
/// was put, and must not belong to the seat that is to move. Pieces that chance may have taken away are not looked for.
///
/// # Errors
/// A text that is no move of the game, and a move that cannot have led to this position.
///
/// ```
/// use arbiter_rules::last::came_about;
/// use arbiter_rules::{Move, Setup, registry};
///
/// let position = registry::start("tic-tac-toe", &Setup { position: Some("4x4"), ..Setup::default() }).unwrap();
/// assert_eq!(came_about(&position, "b2").unwrap().last, Move::place(4));
/// assert!(came_about(&position, "a1").is_err());
/// ```
pub fn came_about(position: &Position, text: &str) -> Result<CameAbout, NotTheLast> {
    let last = read(position, text).ok_or_else(|| {
        NotTheLast(format!("'{text}' is not a move. Moves look like: {}.", position.info().example))
    })?;
    let mut position = position.clone();
    check(&position, last)
        .and_then(|()| position.came_by(last))
        .map_err(|why| NotTheLast(format!("{text} cannot have been the last move: {why}.")))?;
    Ok(CameAbout { position, last })
}

/// A move by its text, legal or not: of several that are written alike, the first one whose cell is taken. On boards within a
/// board the cell alone will do, since it says which of them is played on next.
fn read(position: &Position, text: &str) -> Option<Move> {
    let text = plain(text);
    if text == "pass" {
        return Some(Move::PASS);
    }
    let contents = position.cells();
    let count = contents.len() as u16;
    let is_meant = |m: &Move| plain(&position.move_text(*m)) == text;
    let of_cell = |cell| [Move::place(cell), Move::remove(cell)];
    let meant: Vec<Move> = (0..count).flat_map(of_cell).filter(is_meant).collect();
    let taken = meant.iter().find(|m| contents[usize::from(m.to())] != 0);
    let put = taken.or(meant.first()).copied();
    put.or_else(|| on_some_board(position, &text))
        .or_else(|| shift(position, &text, count))
        .or_else(|| named(position, &text, &contents))
}

/// A cell by its name within a board, on the first board on which it can have been played last.
fn on_some_board(position: &Position, text: &str) -> Option<Move> {
    let groups = position.layout().groups;
    let cells = groups.iter().flat_map(|group| group.cells.iter().copied());
    let name = |cell| position.cell_name(cell);
    let mut meant = cells.filter(|&cell| name(cell).trim_start_matches(|c: char| c.is_ascii_digit()) == text);
    meant.find(|&cell| check(position, Move::place(cell)).is_ok()).map(Move::place)
}

/// A move from one cell to another: `16>39`, or all cells in between: `16-27-39`.
fn shift(position: &Position, text: &str, count: u16) -> Option<Move> {
    let cells: Option<Vec<u16>> = text.split(['>', '-']).map(|number| number.parse().ok()).collect();
    let cells = cells.filter(|cells| cells.len() >= 2 && cells.iter().all(|&cell| cell < count))?;
    let (from, to) = (cells[0], cells[cells.len() - 1]);
    let shift = Move::shift(from, to);
    (position.move_text(shift) == format!("{from}>{to}")).then_some(shift)
}

/// A move with a name of its own, such as the swap of hex, by where its piece lies now.
fn named(position: &Position, text: &str, contents: &[u8]) -> Option<Move> {
    let cells = || 0..contents.len() as u16;
    let taken = cells().filter(|&cell| contents[usize::from(cell)] != 0);
    let mut shifts = taken.flat_map(|to| cells().map(move |from| Move::shift(from, to)));
    shifts.find(|m| plain(&position.move_text(*m)) == text)
}

fn check(position: &Position, last: Move) -> Result<(), String> {
    let contents = position.cells();
    let owner = |cell: u16| contents[usize::from(cell)];
    let to_move = position.to_move().map_or(0, |seat| seat.index() as u8 + 1);
    let is_put = matches!(last.kind(), Some(MoveKind::Place | MoveKind::Shift));
    if !is_put || position.has_chance() {
        return Ok(());
    }
    let cell = position.cell_name(last.to());
    if owner(last.to()) == 0 {
        return Err(format!("there is no piece on {cell}"));
    }
    if owner(last.to()) == to_move {
        return Err(format!("the piece on {cell} belongs to player {to_move}, who is to move"));
    }
    if last.from() != last.to() && owner(last.from()) != 0 {
        return Err(format!("there is still a piece on {}", position.cell_name(last.from())));
    }
    Ok(())
}

/// A text without blanks, in small letters.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
}
