//! Texts of positions and lists of moves.

use super::Grid;
use super::board::ConnectFour;
use super::word::Word;
use crate::game::Game;
use crate::notation::{ParseError, check_winners, read_rows, read_side, words};
use crate::seat::Seat;

const SIGNS: [char; 2] = ['x', 'o'];

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
    let [x, o] = counts;
    if x != o && x != o + 1 {
        let problem = format!("there are {x} x and {o} o: x moves first, so it has as many or one more");
        return Err(ParseError::at(side.0, problem));
    }
    position.to_move = if x == o { Seat::FIRST } else { Seat::SECOND };
    if read_side(side, SIGNS)? != position.to_move {
        let sign = SIGNS[position.to_move.index()];
        return Err(ParseError::at(side.0, format!("there are {x} x and {o} o: {sign} is to move")));
    }
    let has_won = [Seat::FIRST, Seat::SECOND].map(|seat| position.has_line(seat));
    check_winners(has_won, position.to_move, SIGNS, "a line")?;
    position.winner = Seat::all(2).find(|seat| has_won[seat.index()]);
    Ok(())
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
