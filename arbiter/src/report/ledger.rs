//! What the games of a report add up to, kept up while they come in.

use super::tally::Tally;
use crate::record::Duplicates;
use crate::record::schema::{GameRecord, Plan};

/// What the games that count add up to, as their report and its tables say it.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// Who did how well.
    pub tally: Tally,
    /// Which games repeat others.
    pub duplicates: Duplicates,
}

impl Ledger {
    /// Nothing yet, for games of a plan.
    pub fn under(plan: &Plan) -> Ledger {
        Ledger { tally: Tally::under(plan), duplicates: Duplicates::default() }
    }

    /// Adds a game that counts.
    pub fn add(&mut self, game: &GameRecord) {
        self.tally.add(game);
        self.duplicates.add(game);
    }
}
