//! One question of a batch: its fields, and what is wrong with them.

use crate::cli::options::{Fields, Refused, short, whole};
use crate::statistics::{Counts, MAX_HALF_POINTS, ResultsError};
use serde_json::Value;
use std::collections::BTreeSet;

/// A field that cannot be used.
pub(super) fn bad_field(field: impl Into<String>, message: impl ToString) -> Refused {
    Refused::new("bad-field", message).at(field.into())
}

/// The largest number of players that are rated or paired.
pub(super) const MAX_PLAYERS: usize = 1000;

pub(super) struct Question(pub(super) Fields);

impl Question {
    pub(super) fn get(&self, name: &str) -> Result<&Value, Refused> {
        let missing = || Refused::new("missing-field", format!("{name} is missing")).at(name);
        self.0.get(name).ok_or_else(missing)
    }

    fn of<'a, T>(
        &'a self,
        name: &str,
        what: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<T, Refused> {
        let value = self.get(name)?;
        read(value).ok_or_else(|| bad_field(name, format!("expected {what}, not {}", short(value))))
    }

    pub(super) fn text(&self, name: &str) -> Result<&str, Refused> {
        self.of(name, "a text", Value::as_str)
    }

    pub(super) fn number(&self, name: &str) -> Result<f64, Refused> {
        self.of(name, "a number", Value::as_f64)
    }

    pub(super) fn list(&self, name: &str) -> Result<&[Value], Refused> {
        self.of(name, "a list", |value| value.as_array().map(Vec::as_slice))
    }

    pub(super) fn players(&self) -> Result<usize, Refused> {
        let players = count(self.get("players")?, "players".to_owned())?;
        let valid = usize::try_from(players).ok().filter(|players| (1..=MAX_PLAYERS).contains(players));
        valid.ok_or_else(|| bad_field("players", format!("expected 1 to {MAX_PLAYERS}, not {players}")))
    }

    /// How often each result of a unit was counted.
    pub(super) fn counts(&self) -> Result<Counts, Refused> {
        let cells = self.list("counts")?.iter().enumerate();
        let cells = cells
            .map(|(index, cell)| count(cell, format!("counts[{index}]")))
            .collect::<Result<Vec<_>, _>>()?;
        Counts::new(&cells).map_err(|error| bad_field("counts", error))
    }
}

/// A number of points as so many halves.
pub(super) fn half_points(value: &Value, field: String) -> Result<u32, Refused> {
    let halves = value.as_f64().map(|points| points * 2.0);
    let valid =
        halves.filter(|halves| halves.fract() == 0.0 && (0.0..=f64::from(MAX_HALF_POINTS)).contains(halves));
    let refused = || bad_field(field, format!("expected whole or half points from 0, not {}", short(value)));
    valid.map(|halves| halves as u32).ok_or_else(refused)
}

/// The number of one of so many players.
pub(super) fn player(value: &Value, players: usize, field: String) -> Result<usize, Refused> {
    let number = count(value, field.clone())? as usize;
    let unknown = || bad_field(field, ResultsError::NoSuchPlayer { player: number, players });
    Some(number).filter(|&number| number < players).ok_or_else(unknown)
}

/// Every player once, in some order.
pub(super) fn permutation(order: &[Value], players: usize) -> Result<Vec<usize>, Refused> {
    let in_order = |(index, value)| player(value, players, format!("seed_order[{index}]"));
    let order = order.iter().enumerate().map(in_order).collect::<Result<Vec<_>, _>>()?;
    let different: BTreeSet<usize> = order.iter().copied().collect();
    if order.len() != players || different.len() != players {
        return Err(bad_field("seed_order", format!("expected each of the {players} players once")));
    }
    Ok(order)
}

/// A whole number from 0, `4.0` too.
pub(super) fn count(value: &Value, field: String) -> Result<u64, Refused> {
    let number = value.as_number().and_then(whole).and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| bad_field(field, format!("expected a whole number from 0, not {}", short(value))))
}
