//! Tic-tac-toe on two sets of nine bits.

use super::nine;
use crate::appearance::Appearance;
use crate::chance::Chance;
use crate::draft::Input;
use crate::draw::Charset;
use crate::game::{Extras, Game, Shape};
use crate::info::{GameInfo, Setup, SetupError, set_up};
use crate::layout::{Field, Layout, Pieces};
use crate::moves::{Choice, IllegalMove, Move, MoveKind, MoveList, Refusal};
use crate::notation::{Notation, ParseError, check_winners, read_side};
use crate::options::{OptionInfo, OptionKind, Options};
use crate::outcome::{EndReason, GameEnd, Outcome};
use crate::random::mix;
use crate::seat::Seat;
use std::cmp::Ordering;

/// Tic-tac-toe as the registry lists it.
pub(crate) static INFO: GameInfo = GameInfo {
    id: "tic-tac-toe",
    title: "Tic-tac-toe",
    aliases: &["tictactoe", "morpion"],
    version: 1,
    seats: &[2],
    options: &[FIRST],
    trials: &[&[("first", "o")]],
    opening_plies: |_| 2,
    example: "b2",
    page: include_str!("tic_tac_toe.md"),
    set_up: set_up::<TicTacToe>,
};

/// The option that lets the first seat play `o`.
pub(super) const FIRST: OptionInfo = OptionInfo {
    name: "first",
    kind: OptionKind::Word(&["x", "o"]),
    default: "x",
    about: "the sign of the first seat, which moves first",
};

/// The signs of the two seats, by seat: what the option `first` decides.
pub(super) fn signs(options: &Options) -> [char; 2] {
    if options.word("first") == "x" { ['x', 'o'] } else { ['o', 'x'] }
}

/// A position, copied rather than undone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TicTacToe {
    /// Cells by seat.
    taken: [u16; 2],
    signs: [char; 2],
    to_move: Seat,
}

impl TicTacToe {
    #[inline]
    fn empty(&self) -> u16 {
        nine::ALL & !(self.taken[0] | self.taken[1])
    }

    /// The cells of `x` and those of `o`.
    fn by_sign(&self) -> [u16; 2] {
        if self.signs[0] == 'x' { self.taken } else { [self.taken[1], self.taken[0]] }
    }
}

impl Game for TicTacToe {
    fn start(setup: &Setup<'_>) -> Result<(TicTacToe, Options), SetupError> {
        let options = Options::read(INFO.options, setup.options)?;
        let start = TicTacToe { taken: [0, 0], signs: signs(&options), to_move: Seat::FIRST };
        let position = match setup.position {
            Some(text) => read(text, start)?,
            None => start,
        };
        Ok((position, options))
    }

    fn shape(&self) -> Shape {
        Shape { width: 3, height: 3, depth: 1 }
    }

    #[inline]
    fn to_move(&self) -> Seat {
        self.to_move
    }

    #[inline]
    fn ending(&self) -> Option<GameEnd> {
        if nine::has_line(self.taken[0]) {
            return Some(GameEnd { outcome: Outcome::win(2, Seat::FIRST), reason: EndReason::Line });
        }
        if nine::has_line(self.taken[1]) {
            return Some(GameEnd { outcome: Outcome::win(2, Seat::SECOND), reason: EndReason::Line });
        }
        let full = GameEnd { outcome: Outcome::draw(2, |_| true), reason: EndReason::Full };
        (self.empty() == 0).then_some(full)
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        nine::cells(self.empty()).for_each(|cell| moves.push(Move::place(cell)));
    }

    #[inline]
    fn legal_count(&self) -> usize {
        self.empty().count_ones() as usize
    }

    #[inline]
    fn nth_legal(&self, n: usize) -> Move {
        Move::place(nine::nth_cell(self.empty(), n))
    }

    fn judge(&self, m: Move) -> Result<(), IllegalMove> {
        let cell = m.to();
        let (reason, sentence) = if m.kind() != Some(MoveKind::Place) || m != Move::place(cell) {
            (Refusal::NotUnderstood, "A move in this game takes one cell.".to_owned())
        } else if cell >= 9 {
            (Refusal::OffBoard, format!("There is no cell {cell}: cells are numbered 0 to 8."))
        } else if let Some(seat) = Seat::all(2).find(|seat| self.taken[seat.index()] >> cell & 1 == 1) {
            let sign = self.signs[seat.index()].to_ascii_uppercase();
            (Refusal::Occupied, format!("{} is taken by {sign}.", nine::name(cell)))
        } else {
            return Ok(());
        };
        Err(IllegalMove { reason, sentence })
    }

    #[inline]
    fn play(&mut self, m: Move, _: &Chance) {
        self.taken[self.to_move.index()] |= 1 << m.to();
        self.to_move = self.to_move.opponent();
    }

    fn key(&self) -> u128 {
        key(self.taken, self.to_move)
    }

    fn symmetric_key(&self) -> u128 {
        let images =
            (0..8).map(|symmetry| key(self.taken.map(|set| nine::image(set, symmetry)), self.to_move));
        images.min().expect("there are eight symmetries")
    }

    fn write_cells(&self, cells: &mut [u8]) {
        for (bit, cell) in cells.iter_mut().enumerate() {
            *cell = (self.taken[0] >> bit & 1) as u8 + 2 * (self.taken[1] >> bit & 1) as u8;
        }
    }

    fn write_text(&self, text: &mut String) {
        let [x, o] = self.by_sign();
        nine::write(x, o, text);
        text.push(' ');
        text.push(self.signs[self.to_move.index()]);
    }

    fn winning_cells(&self) -> Vec<u16> {
        self.taken.into_iter().find_map(nine::line).map_or(Vec::new(), |line| nine::cells(line).collect())
    }
}

impl Extras for TicTacToe {}

impl Notation for TicTacToe {
    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove> {
        let Some(cell) = nine::read_cell_or_digit(text) else {
            return Err(IllegalMove::not_understood(text, INFO.example));
        };
        let Some(cell) = cell else {
            let sentence = "There is no such cell: columns are a to c, rows 1 to 3; or type 1 to 9.";
            return Err(IllegalMove::new(Refusal::OffBoard, sentence));
        };
        self.judge(Move::place(cell)).map(|()| Move::place(cell).into())
    }
}

impl Appearance for TicTacToe {
    fn sign(&self, seat: usize, _: Charset) -> char {
        self.signs[seat]
    }

    fn layout(&self) -> Layout {
        Layout::lettered(self.shape(), Field::Ruled, Pieces::Signs)
    }
}

impl Input for TicTacToe {}

/// No two positions share a key: the upper half says it all, the lower half is the same mixed by a bijection.
fn key(taken: [u16; 2], to_move: Seat) -> u128 {
    let code = u64::from(taken[0]) | u64::from(taken[1]) << 9 | (to_move.index() as u64) << 18;
    u128::from(code) << 64 | u128::from(mix(code))
}

/// Reads `oxx1xo3 o`.
fn read(text: &str, start: TicTacToe) -> Result<TicTacToe, ParseError> {
    let (board, side) = match text.split_once(' ') {
        Some((board, side)) => (board, Some(side)),
        None => (text, None),
    };
    let (mut sets, mut length) = ([0u16; 2], 0usize);
    for (at, sign) in board.chars().enumerate() {
        match sign {
            'x' | 'o' if length < 9 => sets[usize::from(sign == 'o')] |= 1 << length,
            'x' | 'o' | '1'..='9' => {}
            other => {
                let problem = format!("expected x, o or a digit 1 to 9, not '{}'", other.escape_debug());
                return Err(ParseError::at(at, problem));
            }
        }
        length += sign.to_digit(10).map_or(1, |run| run as usize);
    }
    if length != 9 {
        return Err(ParseError::whole(format!("the board has {length} cells instead of 9")));
    }
    let [x, o] = sets.map(u16::count_ones);
    if x.abs_diff(o) > 1 {
        return Err(ParseError::whole(format!(
            "there are {x} x and {o} o: the numbers may differ by one at most"
        )));
    }
    let seats = if start.signs[0] == 'x' { [Seat::FIRST, Seat::SECOND] } else { [Seat::SECOND, Seat::FIRST] };
    let [seat_of_x, seat_of_o] = seats;
    let must_move = match x.cmp(&o) {
        Ordering::Greater => Some(seat_of_o),
        Ordering::Less => Some(seat_of_x),
        Ordering::Equal => None,
    };
    let at = board.len() + 1;
    let given = side.map(|side| read_side((at, side), start.signs)).transpose()?;
    let to_move = must_move.or(given).unwrap_or(Seat::FIRST);
    if given.is_some_and(|given| given != to_move) {
        let side = start.signs[to_move.index()];
        return Err(ParseError::at(at, format!("there are {x} x and {o} o: {side} is to move")));
    }
    let taken = seats.map(|seat| sets[seat.index()]);
    check_winners(taken.map(nine::has_line), to_move, start.signs, "three in line")?;
    Ok(TicTacToe { taken, to_move, ..start })
}
