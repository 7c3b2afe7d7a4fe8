//! Bots: libraries that are looked at, loaded and called, each in a confined process of its own.
//!
//! This is the only part of the program with `unsafe` code. Three trusts are behind all of it: a bot's table holds
//! functions of the types in `arbiter_bot.h`; pointers that a bot passes to us are as the header demands; memory
//! shared with a bot's process is atomic and as long as we made it. A bot that breaks the first two harms the process
//! that it is loaded into, which is why that is not ours.
//!
//! In reading order: [`library`] looks at a file, of which `bot_file` keeps a copy, `launch` starts a process for it and speaks with it over `wire`;
//! in that process `child` confines itself with `sandbox`, opens the library with `table` and calls the `bot`, to
//! which `services` lends the rules.

mod alarms;
mod bot;
mod bot_file;
mod child;
pub(crate) mod clock;
mod cores;
mod crash;
mod fork;
mod handover;
mod identity;
mod isolation;
mod keeper;
pub(crate) mod launch;
mod lender;
pub mod library;
mod limits;
mod load_error;
pub mod machine;
pub(crate) mod message;
mod sandbox;
pub(crate) mod schedule;
mod services;
mod standby;
mod starvation;
mod stopper;
mod table;
mod template;
pub(crate) mod trusted;
mod wire;

pub use bot_file::BotFile;
pub use child::child_main;
pub use cores::{Core, cores, stay_on};
pub use identity::{Identity, identify};
pub use isolation::{Isolation, Means, Unavailable};
pub use limits::{Limits, Sandbox};
pub use load_error::{FieldName, LoadError, TextField};
pub use message::Greeting;
pub use template::{VERB, use_program};

/// Leaves nothing behind that outlives this process: to be called when no bot is played any more.
pub fn close() {
    sandbox::close_groups();
}
