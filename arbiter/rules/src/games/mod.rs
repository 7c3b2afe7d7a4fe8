//! One file or folder a game; [`registry`](crate::registry) lists them.

mod nine;
pub(crate) mod othello;
pub(crate) mod tic_tac_toe;
pub(crate) mod ultimate;
