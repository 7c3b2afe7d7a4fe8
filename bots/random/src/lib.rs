//! Plays any legal move.
