//! What the bots `alphabeta` and `mcts` share.
//!
//! They play on positions of their own from [`arbiter_rules`] instead of asking the arbiter about every move.
//! [`Seated`] is the bot that the arbiter sees: it keeps such a position in step with the game ([`Followed`]), watches
//! the time and passes on what is found. Behind it stands a [`Thinker`], which knows nothing of plugins and can be
//! tried out without any. [`evaluation`] estimates what positions are worth, with one file for each game; [`proof`] finds
//! exact results in games that can be solved.
#![forbid(unsafe_code)]

pub mod evaluation;
mod followed;
mod level;
pub mod proof;
mod seated;
mod thinker;
mod watch;

pub use followed::Followed;
pub use level::{Level, blunder};
pub use proof::Prover;
pub use seated::Seated;
pub use thinker::{Finding, Seating, Thinker, Value};
pub use watch::{Patience, Watch};

/// The score of a game that is won for sure, where no better number is known.
pub const SURE: i32 = 100_000;
