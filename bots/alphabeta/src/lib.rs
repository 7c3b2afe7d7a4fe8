//! Searches as deep as time allows, and solves what can be solved.
//!
//! - In every game: alpha-beta, deeper and deeper, with a table of positions seen (`search.rs`) and an evaluation of the
//!   game's own ([`bot_engine::evaluation`]). With more than two seats each of the others is expected to play one
//!   of the moves that bring it most.
//! - Othello with few empty cells, connect four and small Hex are solved exactly, with half of the time
//!   ([`bot_engine::proof`]). The score of a solved position is the final difference of discs, empty cells counted
//!   for the winner; in connect four the number of own discs left when winning, with its sign. The report says
//!   "solved".
//! - Any other score is in points: 100 are about one piece, and a win seen to its end in n plies is 100000 - n.
//!
//! Options: `level` from 1 to 10 (10: full strength), `depth` in plies at most, and in Othello `eval` with one of the
//! words all, discs, corners, mobility, captures. With `depth` or another `eval` nothing is solved outright, so that
//! these can be studied.
#![forbid(unsafe_code)]

mod any_game;
mod average;
mod board;
mod connect_four;
mod othello;
mod player;
mod search;
mod transpositions;
mod ultimate;

use arbiter_plugin_api::export_bot;
use bot_engine::Seated;

pub use player::Alphabeta;

export_bot!(
    Seated<Alphabeta>,
    name: "Alphabeta",
    author: "arbiter",
    about: "Searches as deep as time allows; options level=1..10, depth=1..96, and in Othello eval=all|discs|corners|mobility|captures",
    reentrant: true,
);
