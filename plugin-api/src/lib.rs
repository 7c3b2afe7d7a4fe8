//! The contract between arbiter and its bots.

pub mod raw;
