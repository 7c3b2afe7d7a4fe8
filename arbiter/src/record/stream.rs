//! A report read game by game, so that its length costs no memory.

use super::origin::Origin;
use super::schema::{GameRecord, Machine, PartRecord, Plan};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Reads a report. One game at a time is in memory if the plan stands before the games, as arbiter writes it.
///
/// # Errors
/// What is wrong with the file, and where.
pub(super) fn stream(
    file: &Path,
    visit: &mut dyn FnMut(&Plan, GameRecord),
) -> Result<Origin, serde_json::Error> {
    let file = BufReader::new(File::open(file).map_err(serde_json::Error::io)?);
    let mut json = serde_json::Deserializer::from_reader(file);
    let origin = Report { visit }.deserialize(&mut json)?;
    json.end()?;
    Ok(origin)
}

struct Report<'a> {
    visit: &'a mut dyn FnMut(&Plan, GameRecord),
}

impl<'de> DeserializeSeed<'de> for Report<'_> {
    type Value = Origin;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Origin, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Report<'_> {
    type Value = Origin;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a report")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Origin, M::Error> {
        let (mut plan, mut arbiter): (Option<Plan>, Option<String>) = (None, None);
        let (mut machine, mut started): (Option<Machine>, Option<String>) = (None, None);
        let (mut games_asked, mut parts): (u32, Vec<PartRecord>) = (0, Vec::new());
        // Another program may have sorted the fields; then the games have to wait for the plan.
        let mut early: Vec<GameRecord> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "plan" => plan = Some(map.next_value()?),
                "arbiter" => arbiter = Some(map.next_value()?),
                "machine" => machine = map.next_value()?,
                "started" => started = map.next_value()?,
                "games_asked" => games_asked = map.next_value()?,
                "parts" => parts = map.next_value()?,
                "games" => match &plan {
                    Some(plan) => map.next_value_seed(Games { plan, visit: &mut *self.visit })?,
                    None => early = map.next_value()?,
                },
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let plan = plan.ok_or_else(|| M::Error::missing_field("plan"))?;
        let arbiter = arbiter.ok_or_else(|| M::Error::missing_field("arbiter"))?;
        early.into_iter().for_each(|game| (self.visit)(&plan, game));
        Ok(Origin { plan, arbiter, machine, started, games_asked, shard: None, command: None, parts })
    }
}

struct Games<'a> {
    plan: &'a Plan,
    visit: &'a mut dyn FnMut(&Plan, GameRecord),
}

impl<'de> DeserializeSeed<'de> for Games<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Games<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of games")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut games: S) -> Result<(), S::Error> {
        while let Some(game) = games.next_element()? {
            (self.visit)(self.plan, game);
        }
        Ok(())
    }
}
