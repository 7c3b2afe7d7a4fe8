//! One file or folder a game; [`registry`](crate::registry) lists them.

pub(crate) mod chinese_checkers;
pub(crate) mod connect_four;
pub(crate) mod hex;
mod nine;
pub(crate) mod othello;
pub(crate) mod stacks;
pub(crate) mod tic_tac_toe;
pub(crate) mod ultimate;
