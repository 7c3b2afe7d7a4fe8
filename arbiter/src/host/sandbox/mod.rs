//! What a bot's process cannot do, by its own doing before the bot is loaded.
//!
//! [`die_with`] is the first thing that the child does. [`confine`] is called twice: before the library is loaded and before the first call of the bot. What
//! it gives depends on the system; each system's file says what it gives there.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other.rs")]
mod system;

pub(super) use system::{confine, die_with};

/// How far the child has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing of the bot has run; loading its library comes next.
    Load,
    /// The library is loaded; the bot's functions are called next.
    Play,
}

/// What the child must keep to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Bytes of memory for the bot.
    pub(super) memory: u64,
    /// The core to run on.
    pub(super) core: Option<usize>,
}
