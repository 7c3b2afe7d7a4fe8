//! The order in which entrants are seeded, and what they are called.

use super::super::options::time::written;
use super::entrants::{Place, unused_name};
use super::{MatchPlan, Seated, Seeding};
use crate::player::TimeControl;
use crate::tournament::MatchSeed;
use sha2::{Digest, Sha256};
use std::path::PathBuf;

impl MatchPlan {
    /// Puts the entrants into the order that follows from a seed, and gives them their names.
    pub(crate) fn seated(&self, seed: &MatchSeed) -> Seated {
        let mut order: Vec<(usize, &Place)> = self.places.iter().enumerate().collect();
        let usual = self.bot_time;
        if let Seeding::Lot { first } = self.event.seeding {
            order.sort_by_cached_key(|(index, place)| (*index >= first, lot(seed, place, usual)));
        }
        let mut places: Vec<Place> = Vec::with_capacity(order.len());
        for (_, place) in order {
            let wanted = match place {
                // The time is part of the name, so that copies of one bot keep their names whatever order the lots give them.
                _ if !place.is_person() && place.time != usual => {
                    format!("{} {}", wanted_name(place), written(place.time, usual))
                }
                _ => wanted_name(place),
            };
            let name = unused_name(&wanted, &places);
            places.push(Place { name, ..place.clone() });
        }
        Seated { seed: seed.clone(), places }
    }
}

/// The name that the user gave; else what the bot calls itself; else what its file is called.
fn wanted_name(place: &Place) -> String {
    let Some(bot) = place.bot.as_ref().filter(|_| place.name.is_empty()) else { return place.name.clone() };
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
    if let Some(program) = &place.program {
        part(&program.to_string());
    }
    if let Some(bot) = &place.bot {
        part(&bot.sha256);
        if let Some((_, sha256)) = bot.file.payload() {
            part(sha256);
        }
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
