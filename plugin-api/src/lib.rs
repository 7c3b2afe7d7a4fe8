//! The contract between arbiter and its bots, and a safe kit for writing bots in Rust.
//!
//! A bot is a shared library. In Rust it is a crate with `crate-type = ["cdylib"]`, a type that is a [`Bot`],
//! and one [`export_bot!`]. This one plays any game:
//!
//! ```
//! #![forbid(unsafe_code)]
//! use arbiter_plugin_api::{Bot, Game, Move, Result, Turn, export_bot};
//!
//! struct First;
//!
//! impl Bot for First {
//!     fn new(_: &Game) -> Result<Self> {
//!         Ok(First)
//!     }
//!
//!     fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
//!         Ok(turn.moves()[0])
//!     }
//! }
//!
//! export_bot!(First, name: "First");
//! # fn main() {}
//! ```
//!
//! A bot that looks ahead takes a [`Position`] of its own from the turn, plays moves on it and takes them
//! back:
//!
//! ```
//! use arbiter_plugin_api::{Move, Outcome, Result, Turn};
//!
//! /// A move that wins at once, if there is one.
//! fn winning_move(turn: &Turn) -> Result<Option<Move>> {
//!     let mut position = turn.position();
//!     for &m in turn.moves() {
//!         position.apply(m)?;
//!         if position.outcome(turn.seat()) == Some(Outcome::Win) {
//!             return Ok(Some(m));
//!         }
//!         position.undo();
//!     }
//!     Ok(None)
//! }
//! ```
//!
//! # What the kit takes care of
//!
//! - **Panics** stay inside. The message goes to the match log, the player is dropped, and the instance
//!   answers nothing until the next game. This needs `panic = "unwind"`, which is Cargo's default.
//! - **Lifetimes.** What a call brings ([`Game`], [`Turn`], [`Event`], [`GameResult`], [`View`]) cannot be
//!   kept beyond it. A [`Position`] is yours until you drop it.
//! - **Unsafe code.** There is none on your side: a bot may say `#![forbid(unsafe_code)]`. All that is left
//!   to trust is that the arbiter's pointers are good, its lengths true and its texts ended by a zero.
//!
//! The C side of the same contract is `include/arbiter_bot.h`; [`raw`] mirrors it.

#![warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

mod bot;
pub mod bridge;
mod cell;
mod event;
mod export;
mod game;
mod host;
pub mod layout;
mod moves;
mod position;
mod random;
pub mod raw;
mod read;
mod report;
mod turn;

/// Compiles the bot in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use bot::{Bot, Error, Result, Waker};
pub use cell::Cell;
pub use event::{Event, GameResult};
pub use export::About;
#[doc(hidden)]
pub use export::{table, text_or_null, with_zero};
pub use game::Game;
pub use host::{Chance, Host, LogLevel, Payload, StopLevel};
pub use moves::{IllegalMove, Kind, Move, MoveList};
pub use position::{Outcome, Position, View};
pub use random::Random;
pub use report::{Report, RootMove};
pub use turn::Turn;
