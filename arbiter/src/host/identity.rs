//! Who a bot is, for `arbiter inspect` and for match records.

use super::launch::{BotProcess, Launch};
use super::library::Look;
use super::{BotFile, Greeting, Limits, NotLoaded};

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
/// When it is no bot that can play here, with what it printed.
pub fn identify(file: impl Into<BotFile>, limits: &Limits) -> Result<Identity, NotLoaded> {
    let library = file.into();
    let file = library.look()?.clone();
    let mut process = BotProcess::start(&Launch { library: &library, limits: *limits, core: None })?;
    let greeting = process.greeting().map_err(|error| {
        process.end();
        NotLoaded { error, printed: process.output_tail() }
    })?;
    Ok(Identity { file, greeting })
}
