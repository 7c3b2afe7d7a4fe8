//! One question of a batch: its fields, and what is wrong with them.

use crate::cli::options::{Fields, Refused, Whole};
use crate::statistics::{Counts, MAX_HALF_POINTS};
use serde::Deserialize;

pub(super) fn bad_field(field: impl Into<String>, message: impl ToString) -> Refused {
    Refused::new("bad-field", message).at(field.into())
}

/// The largest number of players that are rated or paired.
pub(super) const MAX_PLAYERS: usize = 1000;

pub(super) struct Question(pub(super) Fields);

impl Question {
    /// What a field holds. A mistake in a list is told with its place there: `games[0][2]`.
    pub(super) fn read<'a, T: Deserialize<'a>>(&'a self, name: &str) -> Result<T, Refused> {
        let missing = || Refused::new("missing-field", format!("{name} is missing")).at(name);
        serde_path_to_error::deserialize(self.0.get(name).ok_or_else(missing)?).map_err(|error| {
            let path = error.path().to_string();
            bad_field(format!("{name}{}", path.trim_start_matches('.')), error.into_inner())
        })
    }

    pub(super) fn players(&self) -> Result<usize, Refused> {
        let Whole(players) = self.read("players")?;
        let refused = || bad_field("players", format!("expected 1 to {MAX_PLAYERS}, not {players}"));
        Some(players).filter(|players| (1..=MAX_PLAYERS).contains(players)).ok_or_else(refused)
    }

    /// How often each result of a unit was counted.
    pub(super) fn counts(&self) -> Result<Counts, Refused> {
        let cells: Vec<Whole<u64>> = self.read("counts")?;
        let cells: Vec<u64> = cells.into_iter().map(|cell| cell.0).collect();
        Counts::new(&cells).map_err(|error| bad_field("counts", error))
    }
}

/// A number of points as so many halves.
#[derive(Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct HalfPoints(pub(super) u32);

impl TryFrom<f64> for HalfPoints {
    type Error = String;

    fn try_from(points: f64) -> Result<HalfPoints, String> {
        let halves = points * 2.0;
        let is_valid = halves.fract() == 0.0 && (0.0..=f64::from(MAX_HALF_POINTS)).contains(&halves);
        let refused = || format!("expected whole or half points from 0, not {points}");
        is_valid.then_some(HalfPoints(halves as u32)).ok_or_else(refused)
    }
}
