//! What a user can see of arbiter, and what the parts promise each other. One binary, to save linking.

mod architecture;
mod ask;
mod bad_input;
mod batch;
mod check;
#[cfg(unix)]
mod cluster;
mod features;
mod folders;
mod forged;
mod golden;
mod guide;
mod hangs;
mod host;
mod hostile;
mod installed;
mod judged;
mod league;
mod manual;
mod matches;
mod new_bot;
mod page;
mod pictures;
mod positions;
mod printing;
mod program;
mod programs;
mod proofs;
mod python;
mod readme;
mod records;
mod referee;
mod refusals;
mod sample_bots;
mod schedules;
mod statistics;
mod stats;
#[cfg(unix)]
mod terminal;
mod tournament;
mod tournaments;
mod trees;
mod wasm;
mod web;
