//! Othello on bits: the board for searching, and exact endgames.

pub mod board;
pub mod endgame;
mod last;
