//! Matches and tournaments: which games are played, by whom, from which opening, in which order, by how many workers.
//!
//! A match is a schedule in which the same players always meet. Game `n` is a function of its plan and `n` alone, and,
//! where rounds are drawn from results, of the games before: seats, opening, seeds. Nothing depends on which worker
//! plays it or when, so games that were interrupted and resumed, or played on several machines, equal those that were
//! not.

mod continued;
mod course;
mod opening_list;
mod openings;
mod planned;
mod run;
pub mod schedule;
mod seed;
mod shard;

pub use course::{Course, CourseRules, Fixture, Next};
pub use opening_list::{OpeningList, OpeningListError, Repeated};
pub use openings::{Book, Opening, Openings, OpeningsError};
pub use planned::{book_of, test_of};
pub use run::{Entrant, Games, Listener, MOST_JOBS, MatchError, STACK, Seating, Stop};
pub use schedule::{League, Schedule, ScheduleError, Ties};
pub use seed::MatchSeed;
pub use shard::Shard;
