//! Reports and journals read alike: what is played first, then game by game.

use super::file::{ReadError, is_journal_file};
use super::journal::Journal;
use super::plan_hash::plan_hash;
use super::schema::{GameRecord, JournalHeader, Machine, PartRecord, Plan};
use super::stream::{self, stream};
use std::ops::Range;
use std::path::Path;

/// What a file says around its games.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// What was played.
    pub plan: Plan,
    /// The version of arbiter that played it.
    pub arbiter: String,
    /// Where.
    pub machine: Option<Machine>,
    /// When it began.
    pub started: Option<String>,
    /// How many games there had to be.
    pub games_asked: u32,
    /// The part of the units, such as `2/4`.
    pub shard: Option<String>,
    /// The command that played it.
    pub command: Option<String>,
    /// The parts that a report was made of.
    pub parts: Vec<PartRecord>,
}

impl Origin {
    /// Equal for parts of the same tournament.
    #[must_use]
    pub fn plan_hash(&self) -> String {
        plan_hash(&self.plan, &self.arbiter)
    }
}

/// Reads a report or a journal, game by game, so that only one is in memory. A game is told with the place of its text; in
/// a journal, of its line.
///
/// # Errors
/// A file that cannot be read, is neither, or is damaged.
pub fn scan(path: &Path, mut visit: impl FnMut(&Plan, GameRecord, Range<u64>)) -> Result<Origin, ReadError> {
    if !is_journal_file(path) {
        return stream(path, &mut visit);
    }
    let (header, _) = Journal::scan(path, |header, game, line| visit(&header.plan, game, line))?;
    Ok(header.into())
}

/// Reads what a report or a journal says around its games.
///
/// # Errors
/// A file that cannot be read or is neither. What is wrong with its games is for [`scan`] to find.
pub fn origin(path: &Path) -> Result<Origin, ReadError> {
    if is_journal_file(path) { Ok(Journal::header(path)?.into()) } else { stream::origin(path) }
}

impl From<JournalHeader> for Origin {
    fn from(header: JournalHeader) -> Origin {
        Origin {
            plan: header.plan,
            arbiter: header.arbiter,
            machine: Some(header.machine),
            started: Some(header.started),
            games_asked: header.games_asked,
            shard: header.shard,
            command: header.command,
            parts: Vec::new(),
        }
    }
}
