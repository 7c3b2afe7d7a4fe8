//! The bot's process where it is only a process: it loads the bot and plays.

use super::{Line, serve_bot};
use crate::host::cores::keep_bot_on;
use crate::host::memory::Mapping;
use crate::host::message::Setup;
use crate::host::plain;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

/// The argument that tells such a process from one that waits to be copied.
pub(in super::super) const MARK: &str = "plain";

/// Runs one bot from its first request to its last. `block` is the name of the shared block. None if nobody gave this
/// process what a referee gives.
pub(super) fn run(block: &str) -> Option<ExitCode> {
    // The referee says one byte when it has a hold on this process.
    io::stdin().read_exact(&mut [0]).ok()?;
    let block = Mapping::open(block).ok()?.forever();
    let mut line = Line::new(block);
    match line.first_request() {
        Ok(Setup { name, core, patience, .. }) => {
            line.patience = patience;
            match core.map_or(Ok(()), keep_bot_on).and_then(|()| plain::give_in(block)) {
                Ok(()) => serve_bot(&mut line, Path::new(&name), Path::new(&name), || Ok(())),
                Err(error) => line.refuse(&error),
            }
        }
        Err(problem) => line.give_up(problem),
    }
    Some(ExitCode::SUCCESS)
}
