//! What of a game counts for the tournament that it belongs to.

use super::schema::{FaultRecord, GameRecord};

/// The result of a game, without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// By seat, from 1; equal numbers are ties.
    pub ranks: Vec<u8>,
    /// The seats that lost by a fault of their own, by seat. Resigning is none.
    pub failed: Vec<bool>,
}

impl Scored {
    /// The result of a game; `None` for one that was abandoned.
    #[must_use]
    pub fn of(game: &GameRecord) -> Option<Scored> {
        let ranks = game.outcome.as_ref()?.ranks.clone();
        let mut failed = vec![false; ranks.len()];
        let ending = game.ending.seat.zip(game.ending.fault.as_ref());
        let eliminations = game.eliminations.iter().map(|out| (out.seat, &out.fault));
        for (seat, fault) in eliminations.chain(ending) {
            if let Some(failed) = failed.get_mut(seat as usize) {
                *failed |= is_failure(fault);
            }
        }
        Some(Scored { ranks, failed })
    }

    /// Two for a win, one for a draw, in games of two.
    #[must_use]
    pub fn half_points(&self, seat: usize) -> u32 {
        match (self.ranks.get(seat), self.ranks.iter().filter(|&&rank| rank == 1).count()) {
            (Some(1), 1) => 2,
            (Some(1), _) => 1,
            _ => 0,
        }
    }
}

fn is_failure(fault: &FaultRecord) -> bool {
    fault.kind != "resigned" && fault.kind != "left"
}
