//! Who a bot is, for `arbiter inspect` and for match records.

use super::launch::{BotProcess, Launch};
use super::library::{Look, look};
use super::{Greeting, Limits, LoadError};
use std::path::Path;

/// Who a bot is: what its file shows, and what it says of itself. All texts are the bot's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// What the file shows.
    pub file: Look,
    /// What the bot says.
    pub greeting: Greeting,
}

/// Looks at a file, and then loads it in a process of its own to hear what it says of itself.
///
/// # Errors
/// When it is no bot that can play here.
pub fn identify(path: &Path, limits: &Limits) -> Result<Identity, LoadError> {
    let file = look(path)?;
    let launch = Launch { library: path, limits: *limits, core: None };
    let process = BotProcess::start(&launch);
    let mut process = process.map_err(|error| LoadError::NotStarted { problem: error.to_string() })?;
    let greeting = process.greeting()?;
    Ok(Identity { file, greeting })
}
