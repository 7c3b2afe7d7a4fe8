//! Seeds of a tournament: in which order entrants come, and what they are called.

use super::super::time::written;
use super::entrants::{Place, unused_name};
use super::{Plan, Seeding};
use crate::player::TimeControl;
use crate::tournament::MatchSeed;
use sha2::{Digest, Sha256};
use std::path::PathBuf;

impl Plan {
    /// Puts the entrants into the order of their seeds, and gives them their names.
    pub(in crate::cli) fn seat_by(&mut self, seed: &MatchSeed) {
        if let Seeding::Lot { first } = self.seeding {
            let mut places: Vec<(usize, Place)> = self.places.drain(..).enumerate().collect();
            let usual = self.bot_time;
            places.sort_by_cached_key(|(index, place)| (*index >= first, lot(seed, place, usual)));
            self.places = places.into_iter().map(|(_, place)| place).collect();
        }
        let mut named: Vec<Place> = Vec::with_capacity(self.places.len());
        for place in self.places.drain(..) {
            let wanted = match &place.bot {
                // Two copies of a bot are told apart by it, whatever lots they draw.
                Some(_) if place.time != self.bot_time => {
                    format!("{} {}", wanted_name(&place), written(place.time, self.bot_time))
                }
                _ => wanted_name(&place),
            };
            let name = unused_name(&wanted, &named);
            named.push(Place { name, ..place });
        }
        self.policy.time = named.iter().map(|place| place.time).collect();
        self.places = named;
    }
}

/// What the bot calls itself, or what its file is called.
fn wanted_name(place: &Place) -> String {
    let Some(bot) = &place.bot else { return place.name.clone() };
    match &bot.greeting {
        Some(greeting) => greeting.name.clone(),
        None => PathBuf::from(&bot.named)
            .file_stem()
            .map_or_else(|| bot.named.clone(), |stem| stem.to_string_lossy().into_owned()),
    }
}

/// The lot that an entrant draws: it depends on the seed, on what the bot is, and on its time if that is not the usual
/// one, not on where it was named.
fn lot(seed: &MatchSeed, place: &Place, usual: TimeControl) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    };
    part(&seed.to_string());
    if let Some(bot) = &place.bot {
        part(&bot.sha256);
        for (key, value) in &bot.options {
            part(key);
            part(value);
        }
    }
    if place.time != usual {
        part(&written(place.time, usual));
    }
    hash.finalize().into()
}
