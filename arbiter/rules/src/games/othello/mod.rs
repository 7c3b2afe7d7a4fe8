//! Othello on two 64-bit boards.
//!
//! Rules: French and World Othello federations. Cells are bits, `a1` is bit 0, `h8` bit 63.

mod ggf;

use crate::appearance::Appearance;
use crate::chance::Chance;
use crate::draft::Input;
use crate::draw::Charset;
use crate::game::{Best, Extras, Game, Score, Shape};
use crate::info::{GameInfo, Setup, SetupError, set_up};
use crate::layout::{Field, Layout, Pieces};
use crate::moves::{Choice, IllegalMove, Move, MoveKind, MoveList, Refusal};
use crate::naming::shown;
use crate::notation::{Notation, ParseError, cell_name, read_place, read_side, words};
use crate::options::Options;
use crate::outcome::{EndReason, GameEnd, Outcome};
use crate::random::mix;
use crate::seat::Seat;
use std::cmp::Ordering;

/// Othello as the registry lists it.
pub(crate) static INFO: GameInfo = GameInfo {
    id: "othello",
    title: "Othello",
    aliases: &["reversi"],
    version: 1,
    seats: &[2],
    options: &[],
    trials: &[],
    opening_plies: |_| 8,
    example: "d3",
    page: include_str!("../othello.md"),
    set_up: set_up::<Othello>,
};

/// A position: 40 bytes, copied rather than undone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Othello {
    /// Discs of the seat to move.
    own: u64,
    /// Discs of its opponent.
    other: u64,
    to_move: Seat,
    /// Cells on which the seat to move may place.
    legal: u64,
    /// No cell for the seat to move, but the opponent has one.
    must_pass: bool,
}

impl Othello {
    fn opening() -> Othello {
        Othello::of([1 << 28 | 1 << 35, 1 << 27 | 1 << 36], Seat::FIRST)
    }

    /// The discs are those of black, who is seat 0, and of white.
    fn of([black, white]: [u64; 2], to_move: Seat) -> Othello {
        let (own, other) = if to_move == Seat::FIRST { (black, white) } else { (white, black) };
        Othello::new(own, other, to_move)
    }

    #[inline]
    fn new(own: u64, other: u64, to_move: Seat) -> Othello {
        let legal = captures(own, other);
        let must_pass = legal == 0 && captures(other, own) != 0;
        Othello { own, other, to_move, legal, must_pass }
    }

    /// The discs of black and of white.
    fn discs(&self) -> [u64; 2] {
        if self.to_move == Seat::FIRST { [self.own, self.other] } else { [self.other, self.own] }
    }

    fn empty(&self) -> u64 {
        !(self.own | self.other)
    }

    /// Places a disc on a cell, given as its bit, or passes where there is none.
    #[inline]
    fn place(&mut self, placed: u64) {
        let turned = turned(self.own, self.other, placed);
        *self = Othello::new(self.other & !turned, self.own | placed | turned, self.to_move.opponent());
    }

    /// The game after a move, if it is legal.
    fn after(mut self, text: &str) -> Option<Othello> {
        let played = self.read_move(text).ok()?.played;
        self.place(if played == Move::PASS { 0 } else { 1 << played.to() });
        Some(self)
    }

    fn counts(&self) -> [i64; 2] {
        self.discs().map(|discs| i64::from(discs.count_ones()))
    }
}

/// How far a step goes along a row, a column and both diagonals, and the files that the discs between two others can be on:
/// those at the edge end every line but a column, so no line wraps around.
const LINES: [(u32, u64); 4] = [(1, INNER_FILES), (8, !0), (7, INNER_FILES), (9, INNER_FILES)];
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The discs of `between` that follow each other from `from` on, in both directions of a line. Runs double in length: there
/// are six discs between two others at most.
#[inline]
fn runs(from: u64, between: u64, step: u32) -> [u64; 2] {
    let mut up = between & from << step;
    let mut down = between & from >> step;
    up |= between & up << step;
    down |= between & down >> step;
    let (pairs_up, pairs_down) = (between & between << step, between & between >> step);
    up |= pairs_up & up << (2 * step);
    down |= pairs_down & down >> (2 * step);
    up |= pairs_up & up << (2 * step);
    down |= pairs_down & down >> (2 * step);
    [up, down]
}

/// The empty cells from which `own` would turn at least one disc of `other`.
#[inline]
fn captures(own: u64, other: u64) -> u64 {
    let mut ends = 0;
    for (step, files) in LINES {
        let [up, down] = runs(own, other & files, step);
        ends |= up << step | down >> step;
    }
    ends & !(own | other)
}

/// The n-th of the bits that are set, or none where there are not so many.
#[inline]
fn nth_bit(mut bits: u64, n: usize) -> u64 {
    for _ in 0..n {
        bits &= bits.wrapping_sub(1);
    }
    bits & bits.wrapping_neg()
}

/// The discs of `other` that turn when `own` places on a cell, given as its bit.
#[inline]
fn turned(own: u64, other: u64, placed: u64) -> u64 {
    let mut turned = 0;
    for (step, files) in LINES {
        let [up, down] = runs(placed, other & files, step);
        turned |= if own & up << step != 0 { up } else { 0 };
        turned |= if own & down >> step != 0 { down } else { 0 };
    }
    turned
}

impl Game for Othello {
    fn start(setup: &Setup<'_>) -> Result<(Othello, Options), SetupError> {
        let options = Options::read(INFO.options, setup.options)?;
        let position = match setup.position {
            Some(text) => read(text)?,
            None => Othello::opening(),
        };
        Ok((position, options))
    }

    fn shape(&self) -> Shape {
        Shape { width: 8, height: 8, depth: 1 }
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    #[inline]
    fn ending(&self) -> Option<GameEnd> {
        if self.legal != 0 || self.must_pass {
            return None;
        }
        let [black, white] = self.counts();
        let outcome = match black.cmp(&white) {
            Ordering::Greater => Outcome::win(2, Seat::FIRST),
            Ordering::Less => Outcome::win(2, Seat::SECOND),
            Ordering::Equal => Outcome::draw(2, |_| true),
        };
        let reason = if self.empty() == 0 {
            EndReason::Full
        } else if black == 0 || white == 0 {
            EndReason::Wipeout
        } else {
            EndReason::NoMoves
        };
        Some(GameEnd { outcome, reason })
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        if self.must_pass {
            moves.push(Move::PASS);
        }
        let mut cells = self.legal;
        while cells != 0 {
            moves.push(Move::place(cells.trailing_zeros() as u16));
            cells &= cells - 1;
        }
    }

    #[inline]
    fn legal_count(&self) -> usize {
        self.legal.count_ones() as usize + usize::from(self.must_pass)
    }

    #[inline]
    fn nth_legal(&self, n: usize) -> Move {
        if self.must_pass {
            return Move::PASS;
        }
        Move::place(nth_bit(self.legal, n).trailing_zeros() as u16)
    }

    fn judge(&self, m: Move) -> Result<(), IllegalMove> {
        let (cell, to) = (m.to(), || cell_name(m.to(), 8));
        let (reason, sentence) = if m == Move::PASS {
            if self.must_pass {
                return Ok(());
            }
            return Err(IllegalMove::pass_not_allowed(self.legal_count(), |n| {
                cell_name(self.nth_legal(n).to(), 8)
            }));
        } else if m.kind() != Some(MoveKind::Place) || m != Move::place(cell) {
            (Refusal::NotUnderstood, "A move in this game places a disc on one cell, or passes.".to_owned())
        } else if cell >= 64 {
            (Refusal::OffBoard, format!("There is no cell {cell}: cells are numbered 0 to 63."))
        } else if self.must_pass {
            (Refusal::MustPass, "You have no legal move: the turn is passed.".to_owned())
        } else if self.empty() >> cell & 1 == 0 {
            let owner = if self.discs()[0] >> cell & 1 == 1 { "black" } else { "white" };
            (Refusal::Occupied, format!("{} is taken by {owner}.", to()))
        } else if self.legal >> cell & 1 == 0 {
            let rule = "a disc must trap at least one opposing disc in a straight line";
            (Refusal::NotACapture, format!("{} turns no disc: {rule}.", to()))
        } else {
            return Ok(());
        };
        Err(IllegalMove { reason, sentence })
    }

    #[inline]
    fn play(&mut self, m: Move, _: &Chance) {
        self.place(if m == Move::PASS { 0 } else { 1 << m.to() });
    }

    #[inline]
    fn play_nth(&mut self, n: usize) {
        self.place(nth_bit(self.legal, n));
    }

    fn key(&self) -> u128 {
        key(self.discs(), self.to_move)
    }

    fn symmetric_key(&self) -> u128 {
        let [black, white] = self.discs();
        let images =
            (0..8).map(|symmetry| key([image(black, symmetry), image(white, symmetry)], self.to_move));
        images.min().expect("there are eight symmetries")
    }

    fn write_cells(&self, cells: &mut [u8]) {
        let [black, white] = self.discs();
        for (bit, cell) in cells.iter_mut().enumerate() {
            *cell = (black >> bit & 1) as u8 + 2 * (white >> bit & 1) as u8;
        }
    }

    fn write_text(&self, text: &mut String) {
        let [black, white] = self.discs();
        let cells: [u8; 64] = std::array::from_fn(|bit| match (black >> bit & 1, white >> bit & 1) {
            (0, 0) => b'-',
            (0, _) => b'O',
            _ => b'X',
        });
        text.push_str(str::from_utf8(&cells).expect("these are letters"));
        text.push(' ');
        text.push(if self.to_move == Seat::FIRST { 'X' } else { 'O' });
    }

    /// The empty cells go to the winner, not to whoever has more discs in a game that was broken off.
    fn scores(&self, winner: Option<Seat>) -> Vec<Score> {
        let counts = self.counts();
        let mut tournament = counts;
        if let Some(winner) = winner {
            tournament[winner.index()] += i64::from(self.empty().count_ones());
        }
        vec![
            Score { name: "discs", by_seat: counts.to_vec(), best: Best::Most },
            Score { name: "discs_empties_to_winner", by_seat: tournament.to_vec(), best: Best::Most },
        ]
    }
}

impl Extras for Othello {}

impl Notation for Othello {
    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove> {
        read_place(self, text, INFO.example)
    }

    /// Also cuts transcripts without blanks: `f5d6c3d3c4`. These leave passes out, so they are put in where nothing else is legal.
    fn split_moves<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let mut game = Some(*self);
        let mut moves = Vec::new();
        for cells in words(text).map(split_word) {
            for &cell in &cells {
                if let Some(stuck) = game.as_mut().filter(|game| game.must_pass && cells.len() > 1) {
                    moves.push("pass");
                    stuck.place(0);
                }
                moves.push(cell);
                game = game.and_then(|game| game.after(cell));
            }
        }
        moves
    }
}

impl Appearance for Othello {
    fn sign(&self, seat: usize, charset: Charset) -> char {
        charset.pick(['●', '○'], ['X', 'O'])[seat]
    }

    fn layout(&self) -> Layout {
        Layout::lettered(self.shape(), Field::Cloth, Pieces::Stones)
    }

    fn notes(&self, charset: Charset) -> Vec<String> {
        let [black, white] = self.counts();
        vec![format!("  {} {black}  {} {white}", self.sign(0, charset), self.sign(1, charset))]
    }

    fn turns_pieces(&self) -> bool {
        true
    }
}

impl Input for Othello {}

/// Cuts `f5d6c3` into cells, and leaves any other word whole.
fn split_word(word: &str) -> Vec<&str> {
    let is_transcript = word.len() > 2 && word.len().is_multiple_of(2) && word.is_ascii() && {
        let is_cell = |pair: &[u8]| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit();
        word.as_bytes().chunks(2).all(is_cell)
    };
    let step = if is_transcript { 2 } else { word.len() };
    (0..word.len()).step_by(step).map(|from| &word[from..from + step]).collect()
}

/// No two positions of a game that goes on share a key. For white to move both boards are complemented, which gives
/// a pair that black to move has only on full boards; the lower half is then mixed by a bijection that depends on
/// the upper half.
fn key(discs: [u64; 2], to_move: Seat) -> u128 {
    let [black, white] = if to_move == Seat::FIRST { discs } else { [!discs[0], !discs[1]] };
    u128::from(white) << 64 | u128::from(mix(black ^ mix(white)))
}

/// One of the eight images of a board: bit 0 of `symmetry` mirrors left and right, bit 1 top and bottom, bit 2
/// along the diagonal.
fn image(mut board: u64, symmetry: u32) -> u64 {
    if symmetry & 1 != 0 {
        board = board.reverse_bits().swap_bytes();
    }
    if symmetry & 2 != 0 {
        board = board.swap_bytes();
    }
    if symmetry & 4 != 0 {
        board = transposed(board);
    }
    board
}

/// Mirrors along the diagonal a1–h8 by three rounds of block swaps (Warren, Hacker's Delight, section 7–3).
fn transposed(mut board: u64) -> u64 {
    for (distance, mask) in
        [(7, 0x00aa_00aa_00aa_00aa_u64), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let swapped = (board ^ board >> distance) & mask;
        board ^= swapped ^ swapped << distance;
    }
    board
}

/// Reads a position, a line of OBF or a game in GGF.
fn read(text: &str) -> Result<Othello, ParseError> {
    let text = text.trim_end();
    if text.starts_with(ggf::BEGINNING) {
        return ggf::read(text);
    }
    let text = without_values(text)?;
    let mut parts = text.split(' ');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(board), Some(side), None) => read_board(board, side),
        _ => Err(ParseError::whole("expected 64 cells, one blank, and the side to move, X or O")),
    }
}

/// The position of a line of OBF, the format of test positions: behind its semicolon may stand moves with their values, and
/// a remark behind a percent sign.
fn without_values(line: &str) -> Result<&str, ParseError> {
    let line = line.split_once('%').map_or(line, |(line, _)| line).trim_end();
    let Some((position, values)) = line.split_once(';') else { return Ok(line) };
    match values.split(';').find(|value| !value.trim().is_empty() && !value.contains(':')) {
        Some(value) => Err(ParseError::whole(format!(
            "behind the semicolon moves have values, as in d3:+2, not '{}'",
            shown(value.trim())
        ))),
        None => Ok(position.trim_end()),
    }
}

/// Reads the cells and the side to move.
fn read_board(board: &str, side: &str) -> Result<Othello, ParseError> {
    let mut discs = [0u64; 2];
    for (at, sign) in board.chars().enumerate() {
        match sign {
            _ if at >= 64 => break,
            'X' => discs[0] |= 1 << at,
            'O' => discs[1] |= 1 << at,
            '-' => {}
            other => {
                let problem = format!(
                    "expected X, O or - for {}, not '{}'",
                    cell_name(at as u16, 8),
                    other.escape_debug()
                );
                return Err(ParseError::at(at, problem));
            }
        }
    }
    let cells = board.chars().count();
    if cells != 64 {
        return Err(ParseError::whole(format!("the board has {cells} cells instead of 64")));
    }
    read_side((65, side), ['X', 'O']).map(|to_move| Othello::of(discs, to_move))
}
