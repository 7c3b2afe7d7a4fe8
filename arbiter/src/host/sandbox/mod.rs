//! What a bot's process gives up before the bot is loaded.
//!
//! What it gives depends on the system; each system's folder says what it gives there.

#[cfg_attr(target_os = "linux", path = "linux/mod.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other.rs")]
mod system;

#[cfg(target_os = "linux")]
pub(super) use system::{
    Apart, Bounds, Counted, Filters, Group, Groups, Listener, Namespaces, Prepared, Question, Reply,
    close_files_from, die_with, filters, guard_referee, is_gate, landlock, number,
};
pub(super) use system::{Call, FORBIDDEN};

/// An option of `prctl` that no kernel has. By calling it a bot's process tells the supervisor that it has given up its
/// rights.
#[cfg(target_os = "linux")]
const GATE: u32 = 0x4152_4254;
