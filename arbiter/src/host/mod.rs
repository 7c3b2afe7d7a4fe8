//! Bots: libraries that are looked at, loaded and called, each in a confined process of its own.
//!
//! This is the only part of the program with `unsafe` code. Three trusts are behind all of it: a bot's table holds
//! functions of the types in `arbiter_bot.h`; pointers that a bot passes to us are as the header demands; memory
//! shared with a bot's process is atomic and as long as we made it. A bot that breaks the first two harms the process
//! that it is loaded into, which is why that is not ours.
//!
//! In reading order: [`library`] looks at a file, of which `bot_file` keeps a copy, `launch` starts a `process` for it
//! and speaks with it over `wire`; in that process `child` confines itself with `sandbox`, opens the library with
//! `table` and calls the `bot`, to which `services` lends the rules. While bots live, the `watchman` has an eye on what no
//! turn should pay for; who is late is judged by `starvation`.
//!
//! A process is made and held by `keeper` and what it stands on, which is Linux alone, or by `plain`, which is every
//! system and much weaker.

mod alarms;
mod bot;
mod bot_file;
mod child;
pub(crate) mod clock;
mod cores;
#[cfg(target_os = "linux")]
mod crash;
#[cfg(target_os = "linux")]
mod fork;
#[cfg(target_os = "linux")]
mod handover;
mod identity;
mod isolation;
#[cfg(target_os = "linux")]
mod keeper;
pub(crate) mod launch;
mod lender;
pub mod library;
mod limits;
mod load_error;
pub mod machine;
mod memory;
pub(crate) mod message;
mod plain;
mod process;
mod program;
mod rest;
mod sandbox;
pub(crate) mod schedule;
mod services;
mod spare_threads;
mod standstill;
mod starvation;
mod stopper;
mod table;
#[cfg(target_os = "linux")]
mod template;
pub(crate) mod trusted;
mod waiting;
mod watchman;
mod wire;

pub use bot_file::BotFile;
pub use child::child_main;
pub use cores::{Core, cores, stay_on};
pub use identity::{Identity, identify};
pub use isolation::{Isolation, Means, Unavailable};
pub use limits::{CAN_STOP, Limits, Sandbox};
pub use load_error::{FieldName, LoadError, NotLoaded, TextField};
pub use message::Greeting;
pub use program::{VERB, use_program};

/// Leaves nothing behind that outlives this process: to be called when no bot is played any more.
pub fn close() {
    sandbox::close_groups();
}
