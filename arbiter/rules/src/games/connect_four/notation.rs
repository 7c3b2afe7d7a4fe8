//! Texts of positions and lists of moves.

use super::Grid;
use super::board::ConnectFour;
use super::word::Word;
use crate::notation::{ParseError, words};
use crate::seat::Seat;

/// Appends the rows from the top, and the side to move.
pub(super) fn write<W: Word>(position: &ConnectFour<W>, text: &mut String) {
    let Grid { columns, rows, .. } = position.grid;
    for row in 0..u16::from(rows) {
        if row > 0 {
            text.push('/');
        }
        for column in 0..u16::from(columns) {
            text.push(match position.owner(row * u16::from(columns) + column) {
                None => '.',
                Some(Seat::FIRST) => 'x',
                Some(_) => 'o',
            });
        }
    }
    text.push_str(if position.to_move == Seat::FIRST { " x" } else { " o" });
}

/// Fills an empty grid.
pub(super) fn read<W: Word>(text: &str, position: &mut ConnectFour<W>) -> Result<(), ParseError> {
    let Grid { columns, rows, .. } = position.grid;
    let Some((board, side)) = text.split_once(' ') else {
        return Err(ParseError::whole(
            "expected the rows from the top, one blank, and the side to move, x or o",
        ));
    };
    let lines: Vec<&str> = board.split('/').collect();
    if lines.len() != usize::from(rows) {
        return Err(ParseError::whole(format!("the grid has {} rows instead of {rows}", lines.len())));
    }
    let mut at = 0;
    for (row, line) in lines.iter().enumerate() {
        check_row(line, row, at, columns)?;
        at += line.len() + 1;
    }
    let mut counts = [0, 0];
    for (height, line) in (0..rows).zip(lines.iter().rev()) {
        for (column, sign) in (0..).zip(line.chars()).filter(|&(_, sign)| sign != '.') {
            if position.height(column) < height {
                let problem = format!("the disc in column {} of row {} floats", column + 1, rows - height);
                let at = usize::from(rows - 1 - height) * (usize::from(columns) + 1) + usize::from(column);
                return Err(ParseError::at(at, problem));
            }
            let seat = if sign == 'x' { Seat::FIRST } else { Seat::SECOND };
            position.drop_disc(column, seat);
            counts[seat.index()] += 1;
        }
    }
    if Seat::all(2).all(|seat| position.has_line(seat)) {
        return Err(ParseError::whole("x and o both have a line"));
    }
    position.to_move = read_side(side, counts).map_err(|problem| ParseError::at(board.len() + 1, problem))?;
    Ok(())
}

/// Checks the characters of a row, then their number.
fn check_row(line: &str, row: usize, at: usize, columns: u8) -> Result<(), ParseError> {
    if let Some((offset, other)) = line.chars().enumerate().find(|(_, sign)| !matches!(sign, 'x' | 'o' | '.'))
    {
        let problem = format!("expected x, o or . in row {}, not '{}'", row + 1, other.escape_debug());
        return Err(ParseError::at(at + offset, problem));
    }
    if line.len() != usize::from(columns) {
        let problem = format!("row {} has {} columns instead of {columns}", row + 1, line.len());
        return Err(ParseError::at(at, problem));
    }
    Ok(())
}

/// Reads the side to move, which follows from the numbers of discs: `x` has moved first.
fn read_side(side: &str, [x, o]: [u32; 2]) -> Result<Seat, String> {
    if x != o && x != o + 1 {
        return Err(format!("there are {x} x and {o} o: x moves first, so it has as many or one more"));
    }
    let to_move = if x == o { "x" } else { "o" };
    match side {
        "x" | "o" if side == to_move => Ok(if x == o { Seat::FIRST } else { Seat::SECOND }),
        "x" | "o" => Err(format!("there are {x} x and {o} o: {to_move} is to move")),
        other => Err(format!("expected x or o for the side to move, not '{}'", other.escape_debug())),
    }
}

/// Cuts at blanks and commas, and words of digits into single columns where every column is one digit.
pub(super) fn split_moves(text: &str, grid: Grid) -> Vec<&str> {
    let is_list = |word: &str| grid.columns <= 9 && word.bytes().all(|b| b.is_ascii_digit());
    words(text)
        .flat_map(|word| {
            let step = if is_list(word) { 1 } else { word.len() };
            (0..word.len()).step_by(step).map(move |from| &word[from..from + step])
        })
        .collect()
}
