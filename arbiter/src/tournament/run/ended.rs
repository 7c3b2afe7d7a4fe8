//! Games that have ended, on their way into the journal.

use super::Work;
use crate::record::schema::GameRecord;
use crate::record::{RecordError, write_line};
use std::time::{Duration, Instant};

/// Games that wait for the journal at most: what they take shall stay in the cache of a core.
const MOST_WAITING: usize = 64;

/// Games of a worker that have ended, and that nobody has been told of.
pub(super) struct Ended {
    pub(super) games: Vec<GameRecord>,
    /// Their lines, until they are in the journal.
    pub(super) lines: Vec<u8>,
    /// When games went into the journal the last time.
    pub(super) saved: Instant,
    /// How many that were.
    pub(super) at_once: usize,
    /// Records of games that are over, whose memory those to come take.
    pub(super) spare: Vec<GameRecord>,
}

impl Ended {
    pub(super) fn none() -> Ended {
        Ended { games: Vec::new(), lines: Vec::new(), saved: Instant::now(), at_once: 1, spare: Vec::new() }
    }

    pub(super) fn add(&mut self, game: GameRecord) {
        write_line(&game, &mut self.lines);
        self.games.push(game);
    }

    /// Whether the games shall go into the journal now.
    pub(super) fn is_due(&self, flush_interval: Duration, now: Instant) -> bool {
        self.games.len() >= MOST_WAITING || now.saturating_duration_since(self.saved) >= flush_interval
    }

    pub(super) fn save(&mut self, work: &Work<'_>) -> Result<(), RecordError> {
        (self.saved, self.at_once) = (Instant::now(), self.games.len());
        if !self.lines.is_empty() {
            work.journal.lock().append(&self.lines, &self.games)?;
            self.lines.clear();
        }
        Ok(())
    }
}
