//! Texts of positions and moves.

use super::{INFO, Ultimate};
use crate::games::nine;
use crate::moves::{IllegalMove, Move, Refusal};
use crate::naming::shown;
use crate::notation::{ParseError, check_winners, is_separator, read_cell, read_side};
use crate::seat::Seat;

/// Appends `6xoxOOOX2xo1ox1oXx2xo4oox4ox o -`.
pub(super) fn write(position: &Ultimate, text: &mut String) {
    let seat_of_x = usize::from(position.signs[0] != 'x');
    let [x, o] = [seat_of_x, 1 - seat_of_x];
    for board in 0..9 {
        if position.won[x] >> board & 1 == 1 {
            text.push('X');
        } else if position.won[o] >> board & 1 == 1 {
            text.push('O');
        } else {
            nine::write(position.taken[x][board], position.taken[o][board], text);
        }
    }
    text.push(' ');
    text.push(position.signs[position.to_move.index()]);
    text.push(' ');
    match position.forced {
        Some(board) => text.push_str(&nine::name(u16::from(board))),
        None => text.push('-'),
    }
}

/// Reads a position over `start`, which brings the options.
pub(super) fn read(text: &str, start: Ultimate) -> Result<Ultimate, ParseError> {
    let fields: Vec<_> = text.split(' ').collect();
    let (boards, side, last) = match fields[..] {
        [boards, side] => (boards, side, "-"),
        [boards, side, last] => (boards, side, last),
        _ => {
            let parts = "nine boards, the side to move, and the last cell played or -";
            return Err(ParseError::whole(format!("expected {parts}, with one blank between")));
        }
    };
    let mut position = start;
    read_boards(boards, &mut position)?;
    position.to_move = read_side((boards.len() + 1, side), position.signs)?;
    check_surplus(&position)?;
    let has_won = position.won.map(nine::has_line);
    check_winners(has_won, position.to_move, position.signs, "three boards in line")?;
    match (last, read_cell(last, 3, 3)) {
        ("-", _) => {}
        (_, Some(Some(cell))) => position.send_to(cell as u8),
        _ => {
            let problem = format!("expected the last cell played or -, not '{}'", shown(last));
            return Err(ParseError::at(boards.len() + side.len() + 2, problem));
        }
    }
    Ok(position)
}

/// Signs are put down in turn, so the side to move has as many as the other or one less. A won board hides how many there are:
/// its winner may have up to three fewer there or seven more.
fn check_surplus(position: &Ultimate) -> Result<(), ParseError> {
    let [own, other] = [position.to_move, position.to_move.opponent()];
    let signs = |seat: Seat| {
        let boards = (0..9).filter(|&board| (position.won[0] | position.won[1]) >> board & 1 == 0);
        boards.map(|board| position.taken[seat.index()][board].count_ones() as i32).sum::<i32>()
    };
    let [own_won, other_won] = [own, other].map(|seat| position.boards_won()[seat.index()] as i32);
    let surplus = signs(own) - signs(other);
    let (least, most) = (surplus - 3 * own_won - 7 * other_won, surplus + 7 * own_won + 3 * other_won);
    let [own, other] = [own, other].map(|seat| position.signs[seat.index()]);
    let problem = match (least, most) {
        (1.., _) => format!("{own} is to move, but is ahead by {least} signs"),
        (_, ..=-2) => format!("{other} is ahead by {} signs", -most),
        _ => return Ok(()),
    };
    let rule = "signs are put down in turn, so the side to move has as many or one less";
    Err(ParseError::whole(format!("{problem}: {rule}")))
}

fn read_boards(text: &str, position: &mut Ultimate) -> Result<(), ParseError> {
    let first = position.signs[0];
    let seat_of = |sign: char| if sign.to_ascii_lowercase() == first { Seat::FIRST } else { Seat::SECOND };
    let (mut board, mut cells) = (0, 0);
    for (at, sign) in text.chars().enumerate() {
        if board == 9 {
            return Err(ParseError::at(at, "there is more after the ninth board"));
        }
        let name = board + 1;
        let run = match sign {
            'X' | 'O' if cells > 0 => {
                return Err(ParseError::at(at, format!("board {name} has {cells} cells instead of 9")));
            }
            'X' | 'O' => {
                position.close(board, Some(seat_of(sign)));
                9
            }
            'x' | 'o' => {
                position.taken[seat_of(sign).index()][board] |= 1 << cells;
                position.empty -= 1;
                1
            }
            '1'..='9' => usize::from(sign as u8 - b'0'),
            other => {
                let cell = nine::name(cells as u16);
                let problem = format!(
                    "expected x, o or a digit 1 to 9 for {cell} of board {name}, not '{}'",
                    other.escape_debug()
                );
                return Err(ParseError::at(at, problem));
            }
        };
        cells += run;
        if cells > 9 {
            return Err(ParseError::at(at, format!("board {name} has {cells} cells instead of 9")));
        }
        if cells == 9 {
            finish_board(position, board).map_err(|problem| ParseError::at(at, problem))?;
            (board, cells) = (board + 1, 0);
        }
    }
    if cells > 0 {
        return Err(ParseError::whole(format!("board {} has {cells} cells instead of 9", board + 1)));
    }
    if board < 9 {
        return Err(ParseError::whole(format!("there are {board} boards instead of 9")));
    }
    Ok(())
}

/// Closes a board that turns out to be full, and refuses one that should have been a capital.
fn finish_board(position: &mut Ultimate, board: usize) -> Result<(), String> {
    if position.open >> board & 1 == 0 {
        return Ok(());
    }
    if let Some(seat) = Seat::all(2).find(|seat| nine::has_line(position.taken[seat.index()][board])) {
        let sign = position.signs[seat.index()];
        let capital = sign.to_ascii_uppercase();
        return Err(format!("board {} is won by {sign}: write it as {capital}", board + 1));
    }
    if position.empty_cells(board) == 0 {
        position.close(board, None);
    }
    Ok(())
}

/// Reads `9b2` and `9 b 2`, and `b2` and `b 2` where a board is forced; the cell may be a digit in reading order, as in `9 5`.
pub(super) fn read_move(text: &str, forced: Option<u8>) -> Result<Move, IllegalMove> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let digits = compact.bytes().take_while(u8::is_ascii_digit).count();
    // Where there are only digits, the last one is the cell.
    let (board, cell) =
        compact.split_at(if digits == compact.len() { digits.saturating_sub(1) } else { digits });
    let Some(cell) = nine::read_cell_or_digit(cell) else {
        return Err(IllegalMove::not_understood(text, INFO.example));
    };
    let Some(cell) = cell else {
        let sentence = "There is no such cell: columns are a to c, rows 1 to 3; or type 1 to 9.";
        return Err(IllegalMove::new(Refusal::OffBoard, sentence));
    };
    let board = match (board, forced) {
        ("", Some(forced)) => u16::from(forced) + 1,
        ("", None) => {
            let sentence = format!("Name the grid too: {} may be in any open grid.", nine::name(cell));
            return Err(IllegalMove::new(Refusal::NotUnderstood, sentence));
        }
        (number, _) => number.parse().unwrap_or(u16::MAX),
    };
    if !(1..=9).contains(&board) {
        return Err(IllegalMove::new(Refusal::OffBoard, "There is no such grid: grids are numbered 1 to 9."));
    }
    Ok(Move::place((board - 1) * 9 + cell))
}

/// Cuts a list of moves at blanks and commas, but keeps `9 b 2` and `9 5` together.
pub(super) fn split_moves(text: &str) -> Vec<&str> {
    let mut moves = Vec::new();
    let mut rest = text.trim_start_matches(is_separator);
    while !rest.is_empty() {
        let length = spaced_move(rest).unwrap_or_else(|| rest.find(is_separator).unwrap_or(rest.len()));
        moves.push(&rest[..length]);
        rest = rest[length..].trim_start_matches(is_separator);
    }
    moves
}

/// How long the move is that a text begins with: a digit, a letter and a digit, of which one may be missing but not the last,
/// with blanks between, and no more of the same word behind them.
fn spaced_move(text: &str) -> Option<usize> {
    let (is_digit, is_letter) = (|c: char| c.is_ascii_digit(), |c: char| c.is_ascii_alphabetic());
    let grid = text.strip_prefix(is_digit).map(|rest| rest.trim_start_matches(' '));
    let column = grid.unwrap_or(text).strip_prefix(is_letter).map(|rest| rest.trim_start_matches(' '));
    let rest = column.or(grid)?.strip_prefix(is_digit)?;
    (rest.is_empty() || rest.starts_with(is_separator)).then_some(text.len() - rest.len())
}
