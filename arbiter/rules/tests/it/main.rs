//! What users of the rules rely on, game by game and for all games alike.
#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "the rules themselves may not, what tests them may")]

mod chinese_checkers;
mod completeness;
mod conformance;
mod connect_four;
mod data;
mod drawings;
mod hex;
mod layouts;
mod othello;
mod perft;
mod perft_table;
mod properties;
mod stacks;
mod support;
mod tic_tac_toe;
mod transcripts;
mod ultimate;
