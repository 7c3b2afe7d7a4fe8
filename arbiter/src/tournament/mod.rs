//! Matches: which games are played by whom from where, in which order, and by how many workers.
//!
//! Game `n` of a match is a function of its plan and `n` alone: seats, opening, seeds. Nothing depends on which worker
//! plays it or when, so a match that was interrupted and resumed equals one that was not.

mod openings;
mod run;
mod schedule;
mod seed;

pub use openings::{Openings, OpeningsError};
pub use run::{Entrant, Listener, Match, MatchError, Seating, Stop};
pub use schedule::{players_by_seat, unit};
pub use seed::MatchSeed;
