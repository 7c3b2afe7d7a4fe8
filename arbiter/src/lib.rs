//! arbiter, a tournament referee for board-game AIs: the program as a library.
#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "loading libraries and sharing memory with other processes is what it is for")]
pub mod host;
pub mod player;
pub mod verdict;
