//! One file or folder a game; [`registry`](crate::registry) lists them.

pub(crate) mod othello;
