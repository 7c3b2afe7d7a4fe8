//! Texts of positions and lists of moves.

use super::Grid;
use super::board::ConnectFour;
use super::word::Word;
use crate::game::Game;
use crate::notation::{ParseError, read_rows, read_side, words};
use crate::seat::Seat;

/// Fills an empty grid.
pub(super) fn read<W: Word>(text: &str, position: &mut ConnectFour<W>) -> Result<(), ParseError> {
    let Grid { columns, rows, .. } = position.grid;
    let (lines, side) = read_rows(text, "grid", position.shape())?;
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
    let [x, o] = counts;
    let problem = if x != o && x != o + 1 {
        format!("there are {x} x and {o} o: x moves first, so it has as many or one more")
    } else {
        let (to_move, sign) = if x == o { (Seat::FIRST, 'x') } else { (Seat::SECOND, 'o') };
        if read_side(side, ['x', 'o'])? == to_move {
            position.to_move = to_move;
            return Ok(());
        }
        format!("there are {x} x and {o} o: {sign} is to move")
    };
    Err(ParseError::at(side.0, problem))
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
