//! Texts of positions.

use super::Hex;
use crate::game::Game;
use crate::notation::{ParseError, read_rows, read_side};
use crate::seat::Seat;

/// Fills an empty board.
pub(super) fn read(text: &str, mut position: Hex) -> Result<Hex, ParseError> {
    let (rows, side) = read_rows(text, "board", position.shape())?;
    for (row, line) in rows.into_iter().enumerate() {
        for (column, sign) in line.chars().enumerate().filter(|&(_, sign)| sign != '.') {
            position.put(if sign == 'x' { Seat::FIRST } else { Seat::SECOND }, row, column);
        }
    }
    position.to_move = read_side(side, ['x', 'o'])?;
    check_stones(&position)?;
    position.winner = Seat::all(2).find(|&seat| position.connects(seat));
    if position.connects(position.to_move) {
        let problem = format!("{} is to move, but has connected its sides already", side.1);
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
