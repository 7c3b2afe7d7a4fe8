//! arbiter, a tournament referee for board-game AIs: the program as a library.
#![deny(unsafe_code)]

pub mod player;
pub mod verdict;
