//! Texts of positions and moves.

use super::board::Board;
use super::{INFO, Stacks};
use crate::moves::{IllegalMove, Move, Refusal};
use crate::naming::shown;
use crate::notation::{ParseError, cell_name, read_cell, read_side, write_cell};
use crate::seat::Seat;

const SIGNS: [char; 2] = ['x', 'o'];

/// Appends `xo,-,x/-,ox,-/-,-,o x c3`.
pub(super) fn write(position: &Stacks, text: &mut String) {
    let board = &position.board;
    for cell in 0..board.cells() {
        if cell > 0 {
            text.push(if cell % board.n == 0 { '/' } else { ',' });
        }
        if board.height(cell) == 0 {
            text.push('-');
        }
        text.extend(board.stack(cell).map(|seat| SIGNS[seat.index()]));
    }
    text.push(' ');
    text.push(SIGNS[position.to_move.index()]);
    text.push(' ');
    match position.fresh {
        Some(cell) => text.push_str(&cell_name(cell, board.n)),
        None => text.push('-'),
    }
}

/// Reads a position over `start`, which brings the options.
pub(super) fn read(text: &str, start: Stacks) -> Result<Stacks, ParseError> {
    let fields: Vec<_> = text.split(' ').collect();
    let &[rows, side, fresh] = fields.as_slice() else {
        let parts = "the rows, the side to move, and the cell protected by ko or -";
        return Err(ParseError::whole(format!("expected {parts}, with one blank between")));
    };
    let board = read_board(rows, start.board.n)?;
    let to_move = read_side((rows.len() + 1, side), SIGNS)?;
    let fresh = read_fresh(fresh, &board, to_move)
        .map_err(|problem| ParseError::at(rows.len() + side.len() + 2, problem))?;
    let fresh = fresh.filter(|_| start.rules.protects());
    Ok(Stacks { board, to_move, fresh, ..start })
}

fn read_board(text: &str, n: u16) -> Result<Board, ParseError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(n) {
        return Err(ParseError::whole(format!("the board has {} rows instead of {n}", rows.len())));
    }
    let mut board = Board::empty(n);
    let mut at = 0;
    for (row, stacks) in (0..n).zip(rows) {
        let count = stacks.split(',').count();
        if count != usize::from(n) {
            let problem = format!("row {} has {count} stacks instead of {n}", row + 1);
            return Err(ParseError::at(at, problem));
        }
        for (column, stack) in (0..n).zip(stacks.split(',')) {
            read_stack(stack, row * n + column, at, &mut board)?;
            at += stack.len() + 1;
        }
    }
    Ok(board)
}

fn read_stack(stack: &str, cell: u16, at: usize, board: &mut Board) -> Result<(), ParseError> {
    let name = cell_name(cell, board.n);
    if stack.is_empty() {
        return Err(ParseError::at(at, format!("the stack on {name} is missing: an empty one is written -")));
    }
    if stack == "-" {
        return Ok(());
    }
    for (offset, sign) in stack.chars().enumerate() {
        let Some(seat) = Seat::all(2).find(|seat| SIGNS[seat.index()] == sign) else {
            let problem = format!("expected x and o, or -, for {name}, not '{}'", sign.escape_debug());
            return Err(ParseError::at(at + offset, problem));
        };
        board.push(cell, seat);
    }
    Ok(())
}

/// The cell on which the opponent has just placed.
fn read_fresh(text: &str, board: &Board, to_move: Seat) -> Result<Option<u16>, String> {
    if text == "-" {
        return Ok(None);
    }
    let Some(Some(cell)) = read_cell(text, board.n, board.n) else {
        return Err(format!("expected the cell protected by ko or -, not '{}'", shown(text)));
    };
    let name = cell_name(cell, board.n);
    match board.top(cell) {
        Some(seat) if seat == to_move => Err(format!(
            "the top of {name} is {}'s own: ko protects the opponent's token",
            SIGNS[seat.index()]
        )),
        Some(_) => Ok(Some(cell)),
        None => Err(format!("{name} is empty: ko protects nothing there")),
    }
}

/// Appends `+b2` or `-b2`.
pub(super) fn write_move(m: Move, n: u16, text: &mut String) {
    text.push(if m == Move::place(m.to()) { '+' } else { '-' });
    write_cell(m.to(), n, text);
}

/// Reads `+b2` or `-b2`.
pub(super) fn read_move(text: &str, n: u16) -> Result<Move, IllegalMove> {
    let not_understood = || IllegalMove::not_understood(text, INFO.example);
    let make = match text.chars().next() {
        Some('+') => Move::place,
        Some('-') => Move::remove,
        _ => return Err(not_understood()),
    };
    match read_cell(text[1..].trim_start(), n, n).ok_or_else(not_understood)? {
        Some(cell) => Ok(make(cell)),
        None => {
            let last = char::from(b'a' + n as u8 - 1);
            let sentence = format!("There is no such cell: columns are a to {last}, rows 1 to {n}.");
            Err(IllegalMove::new(Refusal::OffBoard, sentence))
        }
    }
}
