//! Connect four on bits: the board for searching, and the solver.

pub mod board;
pub mod solver;
