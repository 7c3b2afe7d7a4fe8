//! Counts of the results of units in a match between two bots.

use thiserror::Error;

/// The largest number of units that is counted: beyond it, a double no longer holds every whole number.
const MAX_UNITS: u64 = 1 << 53;

/// How often each result of a unit happened, from the worst for the first bot to the best.
///
/// Three numbers count single games: lost, drawn, won (*trinomial*). Five count pairs of games with the seats swapped,
/// by the points the first bot made: 0, ½, 1, 1½, 2 (*pentanomial*). Games of a pair are not independent, pairs are;
/// so pairs are counted wherever games come in pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    cells: Vec<u64>,
}

/// Why these are no counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum CountsError {
    #[error("{0} counts: expected 3 (lost, drawn, won) or 5 (pairs by points: 0, 1/2, 1, 1 1/2, 2)")]
    Length(usize),
    #[error("more than 2^53 units in all")]
    TooMany,
}

impl Counts {
    /// No pair yet.
    pub fn no_pairs() -> Counts {
        Counts { cells: vec![0; 5] }
    }

    /// Takes three or five counts, low to high.
    ///
    /// # Errors
    /// Another number of counts, or more than 2^53 units.
    pub fn new(cells: &[u64]) -> Result<Counts, CountsError> {
        if ![3, 5].contains(&cells.len()) {
            return Err(CountsError::Length(cells.len()));
        }
        let total = cells.iter().try_fold(0u64, |sum, &cell| sum.checked_add(cell));
        total.filter(|&total| total <= MAX_UNITS).ok_or(CountsError::TooMany)?;
        Ok(Counts { cells: cells.to_vec() })
    }

    /// Counts one more unit, in which the first bot made this many half points: 0 to 2 in a game, 0 to 4 in a pair.
    ///
    /// # Panics
    /// More half points than a unit has.
    pub fn add(&mut self, half_points: usize) {
        assert!(half_points < self.cells.len(), "{half_points} half points from one unit");
        self.cells[half_points] += 1;
    }

    /// The counts, low to high.
    pub fn cells(&self) -> &[u64] {
        &self.cells
    }

    /// How many units there are.
    pub fn units(&self) -> u64 {
        self.cells.iter().sum()
    }

    /// How many games a unit has: 1 or 2.
    pub fn games_per_unit(&self) -> u64 {
        self.half_points_per_unit() / 2
    }

    /// How many half points one unit has to give: 2 or 4.
    pub(super) fn half_points_per_unit(&self) -> u64 {
        self.cells.len() as u64 - 1
    }
}
