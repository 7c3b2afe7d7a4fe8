//! One file or folder a game; [`registry`](crate::registry) lists them.

pub(crate) mod chinese_checkers;
pub(crate) mod othello;
