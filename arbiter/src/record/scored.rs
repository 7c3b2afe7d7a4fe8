//! The result of a game, and who lost by a fault.

use super::schema::{FaultRecord, GameRecord};
use arbiter_rules::MAX_SEATS;

/// The result of a game, without its moves: a few bytes, because those that wait for earlier ones are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    seats: u8,
    /// A bit for each seat.
    failed: u8,
    ranks: [u8; MAX_SEATS],
}

impl Scored {
    /// A result by seat: places from 1, equal for ties, and who lost by a fault of its own; `None` for more seats than a
    /// game has.
    pub fn new(ranks: &[u8], failed: impl Fn(usize) -> bool) -> Option<Scored> {
        let mut scored = Scored { seats: ranks.len() as u8, failed: 0, ranks: [0; MAX_SEATS] };
        scored.ranks.get_mut(..ranks.len())?.copy_from_slice(ranks);
        for seat in (0..ranks.len()).filter(|seat| failed(*seat)) {
            scored.failed |= 1 << seat;
        }
        Some(scored)
    }

    /// The result of a game; `None` for one that was abandoned.
    pub fn of(game: &GameRecord) -> Option<Scored> {
        let has_failed = |seat| game.faults().any(|(of, fault)| of as usize == seat && fault.is_failure());
        Scored::new(&game.outcome.as_ref()?.ranks, has_failed)
    }

    /// Places by seat, from 1; equal numbers are ties.
    pub fn ranks(&self) -> &[u8] {
        &self.ranks[..usize::from(self.seats)]
    }

    /// Whether a seat lost by a fault of its own. Resigning is none.
    pub fn has_failed(&self, seat: usize) -> bool {
        seat < MAX_SEATS && self.failed >> seat & 1 == 1
    }

    /// Two for a win, one for a draw, in games of two.
    pub fn half_points(&self, seat: usize) -> u32 {
        match (self.ranks().get(seat), self.ranks().iter().filter(|&&rank| rank == 1).count()) {
            (Some(1), 1) => 2,
            (Some(1), _) => 1,
            _ => 0,
        }
    }
}

impl FaultRecord {
    /// Whether somebody did something wrong: resigning and leaving end a game as well.
    pub fn is_failure(&self) -> bool {
        self.kind != "resigned" && self.kind != "left"
    }
}
