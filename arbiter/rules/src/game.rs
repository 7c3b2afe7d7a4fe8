//! What the author of a game writes: the core, and what few games need.
//!
//! [`Game`] is the core; [`Notation`](crate::Notation), [`Appearance`] and [`Input`] stand beside it and have defaults, which
//! come from the shape of the board and its layout. [`Extras`] is empty for most games.
//!
//! A whole game, Treblecross: both seats put pieces into one row of cells, and who makes three neighbours wins, whosever they
//! are. To be played by every verb and bot it would lie in `games`, with a line in the [`registry`](crate::registry).
//!
//! ```
//! use arbiter_rules::info::{GameInfo, Setup, SetupError};
//! use arbiter_rules::layout::{Field, Layout, Pieces};
//! use arbiter_rules::notation::ParseError;
//! use arbiter_rules::options::{OptionInfo, OptionKind, Options};
//! use arbiter_rules::{Appearance, Chance, EndReason, Extras, Game, GameEnd, IllegalMove, Input};
//! use arbiter_rules::{Move, MoveList, Notation, Outcome, Position, Refusal, Seat, Shape};
//!
//! #[derive(Clone)]
//! struct Treblecross {
//!     cells: Vec<u8>,
//!     moved: usize,
//! }
//!
//! impl Treblecross {
//!     fn empty(&self) -> impl Iterator<Item = u16> {
//!         (0..self.cells.len()).filter(|&cell| self.cells[cell] == 0).map(|cell| cell as u16)
//!     }
//! }
//!
//! impl Game for Treblecross {
//!     fn start(setup: &Setup<'_>) -> Result<(Self, Options), SetupError> {
//!         let options = Options::read(TREBLECROSS.options, setup.options)?;
//!         let text = match setup.position {
//!             Some(text) => text.to_owned(),
//!             None => ".".repeat(options.number("length") as usize),
//!         };
//!         let owner = |(at, c)| match c {
//!             '.' => Ok(0),
//!             'X' => Ok(1),
//!             'O' => Ok(2),
//!             _ => Err(ParseError::at(at, format!("'{c}' is none of X, O and .."))),
//!         };
//!         let cells: Vec<u8> = text.chars().enumerate().map(owner).collect::<Result<_, _>>()?;
//!         if cells.len() != options.number("length") as usize {
//!             return Err(ParseError::whole("the row has another length").into());
//!         }
//!         let moved = cells.iter().filter(|&&owner| owner != 0).count();
//!         Ok((Treblecross { cells, moved }, options))
//!     }
//!
//!     fn shape(&self) -> Shape {
//!         Shape { width: self.cells.len() as u16, height: 1, depth: 1 }
//!     }
//!
//!     fn to_move(&self) -> Seat {
//!         if self.moved % 2 == 0 { Seat::FIRST } else { Seat::SECOND }
//!     }
//!
//!     fn ending(&self) -> Option<GameEnd> {
//!         let outcome = Outcome::win(2, self.to_move().opponent());
//!         self.winning_cells().first().map(|_| GameEnd { outcome, reason: EndReason::Line })
//!     }
//!
//!     fn legal_moves(&self, moves: &mut MoveList) {
//!         self.empty().for_each(|cell| moves.push(Move::place(cell)));
//!     }
//!
//!     fn judge(&self, m: Move) -> Result<(), IllegalMove> {
//!         if self.empty().any(|cell| Move::place(cell) == m) {
//!             return Ok(());
//!         }
//!         Err(IllegalMove::new(Refusal::Occupied, "Only an empty cell can be taken."))
//!     }
//!
//!     fn play(&mut self, m: Move, _chance: &Chance) {
//!         self.cells[usize::from(m.to())] = self.to_move().index() as u8 + 1;
//!         self.moved += 1;
//!     }
//!
//!     fn key(&self) -> u128 {
//!         self.cells.iter().fold(1, |key, &owner| key * 3 + u128::from(owner))
//!     }
//!
//!     fn write_cells(&self, cells: &mut [u8]) {
//!         cells.copy_from_slice(&self.cells);
//!     }
//!
//!     fn write_text(&self, text: &mut String) {
//!         text.extend(self.cells.iter().map(|&owner| ['.', 'X', 'O'][usize::from(owner)]));
//!     }
//!
//!     fn winning_cells(&self) -> Vec<u16> {
//!         let three = self.cells.windows(3).position(|three| !three.contains(&0));
//!         three.map_or_else(Vec::new, |at| (at as u16..at as u16 + 3).collect())
//!     }
//! }
//!
//! impl Extras for Treblecross {}
//! impl Input for Treblecross {}
//! impl Notation for Treblecross {}
//!
//! impl Appearance for Treblecross {
//!     fn layout(&self) -> Layout {
//!         Layout::lettered(self.shape(), Field::Tiles, Pieces::Signs)
//!     }
//! }
//!
//! const LENGTH: OptionInfo =
//!     OptionInfo { name: "length", kind: OptionKind::Number(3, 26), default: "9", about: "cells in the row" };
//!
//! static TREBLECROSS: GameInfo = GameInfo {
//!     id: "treblecross",
//!     title: "Treblecross",
//!     aliases: &["one-dimensional-tic-tac-toe"],
//!     version: 1,
//!     seats: &[2],
//!     options: &[LENGTH],
//!     trials: &[&[("length", "3")], &[("length", "26")]],
//!     opening_plies: |_| 0,
//!     example: "c1",
//!     page: "Who makes three neighbours wins.",
//!     set_up: |setup| Treblecross::start(setup).map(|(game, options)| (Box::new(game) as _, options)),
//! };
//!
//! let mut position = TREBLECROSS.start(&Setup::default()).unwrap();
//! for text in ["e1", "f1", "g1"] {
//!     let choice = position.read_move(text).unwrap();
//!     position.play(choice.played, &Chance::NONE).unwrap();
//! }
//! assert_eq!(position.end().unwrap().outcome.winner(), Some(Seat::FIRST));
//! assert_eq!(position.line_name(&position.winning_cells()), "3 in a line, e1 to g1");
//!
//! let wrong = Setup { options: &[("length", "2")], ..Setup::default() };
//! let error = TREBLECROSS.start(&wrong).map(|_| ()).unwrap_err();
//! assert_eq!(error.to_string(), "option length takes a number from 3 to 26, not '2'");
//! ```

use crate::appearance::Appearance;
use crate::chance::{Chance, ChanceSource};
use crate::draft::Input;
use crate::info::{Setup, SetupError};
use crate::moves::{IllegalMove, Move, MoveList};
use crate::options::Options;
use crate::outcome::GameEnd;
use crate::position::Past;
use crate::random::Random;
use crate::seat::Seat;
use std::any::Any;

/// The shape of the array of cells.
///
/// ```
/// use arbiter_rules::{Setup, registry};
///
/// let shape = registry::start("connect-four", &Setup::default()).unwrap().shape();
/// assert_eq!((shape.width, shape.height, shape.cells()), (7, 6, 42));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Cells in a row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Layers or boards.
    pub depth: u16,
}

impl Shape {
    /// Length of the array of cells.
    #[must_use]
    pub fn cells(self) -> usize {
        usize::from(self.width) * usize::from(self.height) * usize::from(self.depth)
    }
}

/// One number a seat, such as the discs on the board.
///
/// ```
/// use arbiter_rules::{Best, Score};
///
/// let discs = Score { name: "discs", by_seat: vec![20, 44], best: Best::Most };
/// assert_eq!(discs.ranks(|_| true), [2, 1]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The name in reports: `discs`.
    pub name: &'static str,
    /// The numbers by seat.
    pub by_seat: Vec<i64>,
    /// Who is ahead.
    pub best: Best,
}

/// Which end of a score is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Best {
    /// The highest number.
    Most,
    /// The lowest number.
    Least,
}

impl Score {
    /// The place of every seat by this score, from 1; seats with equal numbers share one. Seats for which `is_in` is
    /// false come behind all others.
    #[must_use]
    pub fn ranks(&self, is_in: impl Fn(usize) -> bool) -> Vec<u8> {
        let worth = |seat: usize| match self.best {
            Best::Most => self.by_seat[seat],
            Best::Least => -self.by_seat[seat],
        };
        let is_ahead = |a: usize, b: usize| is_in(a) && (!is_in(b) || worth(a) > worth(b));
        let seats = 0..self.by_seat.len();
        let ahead = |seat: usize| seats.clone().filter(|&other| is_ahead(other, seat)).count() as u8;
        seats.clone().map(|seat| ahead(seat) + 1).collect()
    }
}

/// A rule that cuts down the legal moves of this turn (chinese-checkers: no blocking).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Obligation {
    /// 0 for none; otherwise 1 to 3, the sentence of the rule that applies (`chinese_checkers.md`, "No blocking").
    pub tier: u8,
    /// The cells of the pieces in the way, ascending.
    pub in_the_way: Vec<u16>,
}

/// A game: one value is one position. [`Position`](crate::Position) adds what all games share (the past, undo, seats
/// taken out, the end).
///
/// Callers promise that `play` gets legal moves only, and that `to_move`, `legal_moves` and `play` are called only while the
/// game goes on. A pass is a move like any other.
pub trait Game: Send + Sync + 'static {
    /// Reads options and position text, or sets up the start. The number of players is one that the game allows.
    ///
    /// Positions are set up for puzzles and lessons, so nobody asks whether moves lead to one. But a text must not contradict
    /// itself, which the board alone shows. It is refused when
    /// - a piece lies where no turn leaves one: a disc that floats, a pawn in a side triangle, a grid that is won and still
    ///   written by its cells;
    /// - there are more pieces than a seat has, or, where every turn adds one and none goes, numbers that do not fit the side
    ///   to move;
    /// - the game was over before the last turn: both sides have won, or the one to move has;
    /// - it protects a token by ko that is not there.
    ///
    /// Games that test for a win after a turn only (stacks, Chinese checkers) go on from whatever lies there, stacks with any
    /// number of tokens. Othello's discs change colours and its turns are passed, so neither tells who is to move. The cell
    /// that forces a grid of ultimate says just that: nobody looks for a sign there.
    ///
    /// # Errors
    /// Options that the game does not know, a position text that is wrong.
    fn start(setup: &Setup<'_>) -> Result<(Self, Options), SetupError>
    where
        Self: Sized;

    /// The shape of the array of cells.
    fn shape(&self) -> Shape;

    /// The seat that moves next.
    fn to_move(&self) -> Seat;

    /// The end as the board and the turns so far decide it, tested before repetition.
    fn ending(&self) -> Option<GameEnd>;

    /// Appends every legal move in the order of the rules document; `Move::PASS` alone where the seat must pass.
    fn legal_moves(&self, moves: &mut MoveList);

    /// Whether a move is legal, and if not, why: any 64 bits may come.
    ///
    /// # Errors
    /// The first reason in the order of the rules document.
    fn judge(&self, m: Move) -> Result<(), IllegalMove>;

    /// Plays a legal move and the chance event that followed it.
    fn play(&mut self, m: Move, chance: &Chance);

    /// A key that is equal for the same pieces on the same cells, seat to move, seats in the game and right to
    /// move (forced board, ko). The past does not count. Its lower half serves bots as a hash.
    fn key(&self) -> u128;

    /// Writes every cell: 0 for empty, otherwise the seat that owns the (top) piece, from 1.
    fn write_cells(&self, cells: &mut [u8]);

    /// Appends the position text, which [`start`](Game::start) reads back.
    fn write_text(&self, text: &mut String);

    /// How many seats the game began with.
    fn seats(&self) -> usize {
        2
    }

    /// How many moves [`legal_moves`](Game::legal_moves) lists.
    fn legal_count(&self) -> usize {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// The n-th legal move, from 0, in an order that is the same for equal positions but need not be the list's.
    ///
    /// # Panics
    /// When there are not so many.
    fn nth_legal(&self, n: usize) -> Move {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves[n]
    }

    /// Plays the [n-th](Game::nth_legal) legal move without a chance event, as random games do. Games that can do so
    /// without making a `Move` override it.
    fn play_nth(&mut self, n: usize) {
        self.play(self.nth_legal(n), &Chance::NONE);
    }

    /// The smallest key among all positions that this one becomes by turning and mirroring the board, so that
    /// openings are told apart only where they differ.
    fn symmetric_key(&self) -> u128 {
        self.key()
    }

    /// Numbers by seat for reports and tie-breaks; the first list is what bots are told at the end. There is a
    /// winner when the game has ended so, by the rules or because nobody else is in it.
    fn scores(&self, _winner: Option<Seat>) -> Vec<Score> {
        Vec::new()
    }

    /// The cells that decided the game: a winning line.
    fn winning_cells(&self) -> Vec<u16> {
        Vec::new()
    }
}

/// What few games know: limits, chance, seats that leave, piles, obligations.
pub trait Extras: Game {
    /// The end by a limit on the length of the game, tested after repetition.
    fn limit(&self) -> Option<GameEnd> {
        None
    }

    /// How often a position may occur before the game is drawn; 0 for any number.
    fn repetition_limit(&self) -> u32 {
        0
    }

    /// Plays on without repetition, limits and chance: what perft counts.
    fn lift_limits(&mut self) {}

    /// Whether chance events can follow moves under these options.
    fn has_chance(&self) -> bool {
        false
    }

    /// Draws the chance event that follows a legal move; nothing in games without chance.
    fn draw_chance(&self, _m: Move, _source: ChanceSource) -> Chance {
        Chance::NONE
    }

    /// Whether a recorded chance event can follow a legal move.
    ///
    /// # Errors
    /// What is impossible about it, as a phrase.
    fn judge_chance(&self, _m: Move, chance: &Chance) -> Result<(), String> {
        if chance.is_empty() { Ok(()) } else { Err("nothing falls in this game".to_owned()) }
    }

    /// Whether a seat is in the game: a position text may come from a game that some have left already.
    fn is_in(&self, _seat: Seat) -> bool {
        true
    }

    /// Takes a seat out of a game with more than two seats: its pieces, its turns, its right to win.
    fn eliminate(&mut self, _seat: Seat) {}

    /// Learns which move of another seat led to this position.
    ///
    /// # Errors
    /// Why that move cannot have led here, as a phrase.
    fn came_by(&mut self, _last: Move) -> Result<(), String> {
        Ok(())
    }

    /// Appends the pieces on a cell from bottom to top, values as in [`write_cells`](Game::write_cells).
    fn write_column(&self, cell: u16, pieces: &mut Vec<u8>) {
        let mut cells = vec![0; self.shape().cells()];
        self.write_cells(&mut cells);
        pieces.extend(Some(cells[usize::from(cell)]).filter(|&piece| piece != 0));
    }

    /// The obligation of the seat to move, in games that know one.
    fn obligation(&self) -> Option<Obligation> {
        None
    }
}

/// A game behind a pointer: what a [`Position`](crate::Position) holds. Loops over many moves are here, so that they are
/// compiled for each game.
pub trait AnyGame: Appearance + Input + Extras + Any {
    /// A copy.
    #[doc(hidden)]
    fn boxed(&self) -> Box<dyn AnyGame>;

    /// Becomes a copy of another position without a new allocation; false when it belongs to another game.
    #[doc(hidden)]
    fn become_copy(&mut self, other: &dyn AnyGame) -> bool;

    /// Plays a legal move and what follows from it.
    #[doc(hidden)]
    fn play_on(&mut self, past: &mut Past, m: Move, chance: &Chance);

    /// Plays random legal moves to the end.
    #[doc(hidden)]
    fn play_out(&mut self, past: &mut Past, random: &mut Random);

    /// The number of move sequences of this length.
    #[doc(hidden)]
    fn count_sequences(&self, depth: u32) -> u64;
}

impl<G: Appearance + Input + Extras + Clone> AnyGame for G {
    fn boxed(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn become_copy(&mut self, other: &dyn AnyGame) -> bool {
        let other: &dyn Any = other;
        let Some(other) = other.downcast_ref::<G>() else { return false };
        self.clone_from(other);
        true
    }

    fn play_on(&mut self, past: &mut Past, m: Move, chance: &Chance) {
        self.play(m, chance);
        past.settle(self);
    }

    fn play_out(&mut self, past: &mut Past, random: &mut Random) {
        // Local copies let the compiler keep the generator, and small positions too, in registers.
        let (mut game, mut numbers) = (self.clone(), random.clone());
        while past.end.is_none() {
            game.play_nth(numbers.below(game.legal_count()));
            past.settle(&game);
        }
        (*self, *random) = (game, numbers);
    }

    fn count_sequences(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.ending().is_some() {
            return 0;
        }
        if depth == 1 {
            return self.legal_count() as u64;
        }
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let mut after = self.clone();
        let count = |&m: &Move| {
            after.clone_from(self);
            after.play(m, &Chance::NONE);
            after.count_sequences(depth - 1)
        };
        moves.iter().map(count).sum()
    }
}
