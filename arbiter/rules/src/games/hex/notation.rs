//! Texts of positions.

use super::Hex;
use crate::notation::ParseError;
use crate::seat::Seat;

/// Appends `.x./.../..o x`.
pub(super) fn write(position: &Hex, text: &mut String) {
    for row in 0..position.size {
        if row > 0 {
            text.push('/');
        }
        text.extend((0..position.size).map(|column| match position.owner(row, column) {
            None => '.',
            Some(Seat::FIRST) => 'x',
            Some(_) => 'o',
        }));
    }
    text.push_str(if position.to_move == Seat::FIRST { " x" } else { " o" });
}

/// Fills an empty board.
pub(super) fn read(text: &str, mut position: Hex) -> Result<Hex, ParseError> {
    let size = position.size;
    let Some((board, side)) = text.split_once(' ') else {
        let parts = "the rows from the top, one blank, and the side to move, x or o";
        return Err(ParseError::whole(format!("expected {parts}")));
    };
    let rows = board.split('/').count();
    if rows != size {
        return Err(ParseError::whole(format!("the board has {rows} rows instead of {size}")));
    }
    let mut at = 0;
    for (row, line) in board.split('/').enumerate() {
        let columns = line.chars().count();
        for (column, sign) in line.chars().enumerate() {
            let seat = match sign {
                'x' => Seat::FIRST,
                'o' => Seat::SECOND,
                '.' => continue,
                other => {
                    let problem =
                        format!("expected x, o or . in row {}, not '{}'", row + 1, other.escape_debug());
                    return Err(ParseError::at(at + column, problem));
                }
            };
            if column < size {
                position.put(seat, row, column);
            }
        }
        if columns != size {
            let problem = format!("row {} has {columns} columns instead of {size}", row + 1);
            return Err(ParseError::at(at, problem));
        }
        at += columns + 1;
    }
    position.to_move = match side {
        "x" => Seat::FIRST,
        "o" => Seat::SECOND,
        other => {
            let problem = format!("expected x or o for the side to move, not '{}'", other.escape_debug());
            return Err(ParseError::at(at, problem));
        }
    };
    check_stones(&position)?;
    position.winner = Seat::all(2).find(|&seat| position.connects(seat));
    if position.connects(position.to_move) {
        let problem = format!("{side} is to move, but has connected its sides already");
        return Err(ParseError::whole(problem));
    }
    Ok(position)
}

/// Both place stones in turn; a swap turns the first one over, and the turn stays with its owner.
fn check_stones(position: &Hex) -> Result<(), ParseError> {
    let [x, o] = position.stones.map(|stones| stones.count());
    let is_first = position.to_move == Seat::FIRST;
    let (plain, swapped) = if is_first { (x == o, o == x + 1) } else { (x == o + 1, x == o && o > 0) };
    if plain || swapped && position.swap {
        return Ok(());
    }
    let side = if is_first { 'x' } else { 'o' };
    Err(ParseError::whole(format!("there are {x} x and {o} o: {side} cannot be to move")))
}
