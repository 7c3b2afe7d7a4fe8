//! The rules of every game that arbiter referees: positions, legal moves, outcomes, notation.
//!
//! Nothing here knows of processes, clocks, files, threads or screens, and playing a move allocates nothing
//! once a position has been as deep before: what is taken back leaves its memory for the next one.
//!
//! ```
//! use arbiter_rules::{Chance, MoveList, Setup, registry};
//!
//! let mut position = registry::start("othello", &Setup::default()).unwrap();
//! for text in position.split_moves("f5d6c3d3c4") {
//!     let choice = position.read_move(text).unwrap();
//!     position.play(choice.played, &Chance::NONE).unwrap();
//! }
//! let mut moves = MoveList::new();
//! position.legal_moves(&mut moves);
//! assert_eq!(moves.len(), position.legal_count());
//! assert_eq!(position.read_move("a1").unwrap_err().reason.code(), "not-a-capture");
//! ```
//!
//! In reading order: [`game`] is the core of what the author of a game writes, and [`notation`], [`appearance`] and
//! [`draft`] what stands beside it; [`position`] is what everybody else sees, [`registry`] the list of games; then the
//! words they speak.
#![forbid(unsafe_code)]

pub mod game;
pub mod notation;

pub mod appearance;
pub mod draft;

pub mod info;
pub mod position;
pub mod registry;

pub mod chance;
pub mod draw;
mod history;
pub mod last;
pub mod layout;
pub mod moves;
mod naming;
pub mod options;
pub mod outcome;
mod random;
pub mod seat;

mod games;

pub use appearance::Appearance;
pub use chance::{Chance, ChanceSource};
pub use draft::Input;
pub use game::{Best, Extras, Game, Obligation, Score, Shape};
pub use info::{GameInfo, Setup, SetupError};
pub use moves::{Choice, IllegalMove, Move, MoveKind, MoveList, Refusal};
pub use naming::{did_you_mean, shown};
pub use notation::Notation;
pub use options::{OptionValue, Options};
pub use outcome::{EndReason, GameEnd, Outcome, SeatResult};
pub use position::Position;
pub use random::Random;
pub use seat::{MAX_SEATS, Seat};
