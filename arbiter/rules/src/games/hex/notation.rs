//! Texts of positions.

use super::Hex;
use crate::game::Game;
use crate::notation::{ParseError, check_winners, read_rows, read_side};
use crate::seat::Seat;

const SIGNS: [char; 2] = ['x', 'o'];

/// Fills an empty board.
pub(super) fn read(text: &str, mut position: Hex) -> Result<Hex, ParseError> {
    let (rows, side) = read_rows(text, "board", position.shape())?;
    for (row, line) in rows.into_iter().enumerate() {
        for (column, sign) in line.chars().enumerate().filter(|&(_, sign)| sign != '.') {
            position.put(if sign == 'x' { Seat::FIRST } else { Seat::SECOND }, row, column);
        }
    }
    position.to_move = read_side(side, SIGNS)?;
    check_stones(&position)?;
    let has_won = [Seat::FIRST, Seat::SECOND].map(|seat| position.connects(seat));
    check_winners(has_won, position.to_move, SIGNS, "connected its sides")?;
    position.winner = Seat::all(2).find(|seat| has_won[seat.index()]);
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
    let side = SIGNS[position.to_move.index()];
    Err(ParseError::whole(format!("there are {x} x and {o} o: {side} cannot be to move")))
}
