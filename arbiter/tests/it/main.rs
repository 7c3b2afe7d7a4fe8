//! What a user can see of arbiter, and what the parts promise each other. One binary, to save linking. All of it
//! is tried on Linux, where bots are contained.
#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_methods, reason = "tests run programs, write files, and may panic")]

mod again;
mod architecture;
mod ask;
mod bad_input;
mod bot_output;
mod broken_off;
mod browser;
mod check;
mod cluster;
mod features;
mod folders;
mod guide;
mod hangs;
mod host;
mod hostile_files;
mod installed;
mod league;
mod manual;
mod matches;
mod new_bot;
mod page;
mod pictures;
mod position_batch;
mod positions;
mod programs_as_players;
mod proofs;
mod python;
mod ratings;
mod reading;
mod readme;
mod referee;
mod refusals;
mod resumed;
mod sample_bots;
mod schedules;
mod standings;
mod stats_batch;
mod support;
mod terminal;
mod tournaments;
mod trees;
mod verify;
mod verify_claims;
mod wasm;
mod web;
