//! The contract between arbiter and its bots.
