//! What a bot's process cannot do, by its own doing before the bot is loaded.
//!
//! [`die_with`] is the first thing that the child does. What all children have in common is made ready once, by
//! [`Prepared`], in the process that they are copies of. Each confines itself before the library is loaded, and once
//! more by [`narrow`] before the first call of the bot. What it gives depends on the system; each system's folder says
//! what it gives there.

#[cfg_attr(target_os = "linux", path = "linux/mod.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other.rs")]
mod system;

#[cfg(target_os = "linux")]
use super::Sandbox;
use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
pub(super) use system::{
    Apart, Filters, Group, Listener, Namespaces, Prepared, Told, close_other_files, die_with, filters, join,
    landlock, narrow, number,
};
pub(super) use system::{Call, FORBIDDEN, close_groups, guard_referee};

/// How far the child has come.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing of the bot has run; loading its library comes next.
    Load,
    /// The library is loaded; the bot's functions are called next.
    Play,
}

/// How a bot's memory is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Counted {
    /// By addresses: whatever the bot reserves, used or not.
    AsReserved,
    /// By a control group: whatever it uses.
    AsUsed,
}

/// What the child must keep to.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Bytes of memory for the bot.
    pub(super) memory: u64,
    /// The most threads of the process.
    pub(super) threads: u32,
    /// How strictly system calls are judged.
    pub(super) sandbox: Sandbox,
    /// How its memory is counted.
    pub(super) counted: Counted,
    /// The number of the referee's process.
    pub(super) parent: u32,
}
