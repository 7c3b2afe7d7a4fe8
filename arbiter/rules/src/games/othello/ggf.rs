//! Games in GGF, the Generic Game Format of M. Buro's server (<https://skatgame.net/mburo/ggsa/ggf>):
//! `(;GM[Othello]BO[8 … *]B[d3//0.5]W[c5];)`, with `*` for black and `PA` for a pass.

use super::{Othello, read_board};
use crate::chance::Chance;
use crate::game::Game;
use crate::moves::Move;
use crate::naming::shown;
use crate::notation::{Notation, ParseError};
use crate::seat::Seat;

/// How a game begins in this format, and in no other.
pub(super) const BEGINNING: &str = "(;";

/// `NAME[value]`, and the offset of its first character.
struct Property<'a> {
    at: usize,
    name: &'a str,
    value: &'a str,
}

/// The position after the last move of a game.
pub(super) fn read(text: &str) -> Result<Othello, ParseError> {
    let mut position = Othello::opening();
    for Property { at, name, value } in properties(text)? {
        match name {
            "GM" if !value.eq_ignore_ascii_case("othello") => {
                return Err(ParseError::at(at, format!("this is a game of {}", shown(value))));
            }
            "BO" => position = board(at, value)?,
            "B" => position.follow(Seat::FIRST, value).map_err(|problem| ParseError::at(at, problem))?,
            "W" => position.follow(Seat::SECOND, value).map_err(|problem| ParseError::at(at, problem))?,
            // Names, ratings, times and results.
            _ => {}
        }
    }
    Ok(position)
}

fn properties(text: &str) -> Result<Vec<Property<'_>>, ParseError> {
    let (mut properties, mut rest) = (Vec::new(), &text[BEGINNING.len()..]);
    loop {
        rest = rest.trim_start();
        let at = text[..text.len() - rest.len()].chars().count();
        if rest.starts_with(";)") {
            return Ok(properties);
        }
        let property = rest.split_once('[').and_then(|(name, more)| Some((name, more.split_once(']')?)));
        let Some((name, (value, more))) = property else {
            return Err(ParseError::at(at, "expected NAME[value], or ;) at the end of the game"));
        };
        properties.push(Property { at, name: name.trim(), value });
        rest = more;
    }
}

/// `8`, the cells, and the side to move; blanks may stand anywhere after the 8.
fn board(at: usize, value: &str) -> Result<Othello, ParseError> {
    let refused = |problem: String| ParseError::at(at, problem);
    let cells = value.trim_start().strip_prefix("8 ");
    let cells = cells.ok_or_else(|| refused("only boards of 8 by 8 cells are played".to_owned()))?;
    let cells = cells.chars().filter(|c| !c.is_whitespace());
    let mut cells: Vec<char> = cells.map(|c| if c == '*' { 'X' } else { c }).collect();
    let side = cells.pop().map(String::from).unwrap_or_default();
    let cells: String = cells.into_iter().collect();
    read_board(&cells, &side).map_err(|error| refused(error.problem.replace('X', "*")))
}

impl Othello {
    /// Plays a move of a side; a value and a time may stand behind the cell.
    fn follow(&mut self, side: Seat, value: &str) -> Result<(), String> {
        let word = value.split('/').next().unwrap_or_default().trim();
        let is_pass = word.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("pa"));
        if self.to_move != side {
            return Err(format!("{} is played out of turn", shown(word)));
        }
        let played = match is_pass {
            true => self.judge(Move::PASS).map(|()| Move::PASS),
            false => self.read_move(word).map(|choice| choice.played),
        };
        let played = played.map_err(|why| why.sentence.trim_end_matches('.').to_owned())?;
        self.play(played, &Chance::NONE);
        Ok(())
    }
}
