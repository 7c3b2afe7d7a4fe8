//! The files that standings are made from, sorted by tournament.

use crate::cli::Failure;
use crate::cli::failure::together;
use crate::cli::saved::{course_of_file, hear_all, no_stranger};
use crate::cli::show::results::ShownArgs;
use crate::record::schema::{GameRecord, Plan, Player};
use crate::record::{Merged, Reader};
use crate::tournament::Course;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files of one tournament or match.
pub(super) struct Tournament<'a> {
    pub(super) files: Vec<&'a Path>,
    /// With the names that players are shown under.
    pub(super) plan: Plan,
    /// The same players as the report has them.
    pub(super) players: Vec<Player>,
}

/// Sorts files by what they are of, in the order in which they are named.
pub(super) fn tournaments<'a>(
    paths: &'a [PathBuf],
    shown: &ShownArgs,
) -> Result<Vec<Tournament<'a>>, Failure> {
    let mut found: Vec<Tournament<'a>> = Vec::new();
    let (mut places, mut numbers) = (BTreeMap::new(), BTreeMap::new());
    together(paths.iter().map(|path| {
        let reader = Reader::open(path)?;
        let place = *places.entry(reader.plan_hash()).or_insert(found.len());
        if place == found.len() {
            let mut plan = reader.plan().clone();
            let players = plan.players.clone();
            let names = shown.names(path)?;
            names.warn_of_strangers(&plan);
            names.plan_with(&mut plan, &mut numbers);
            found.push(Tournament { files: Vec::new(), plan, players });
        }
        found[place].files.push(path);
        Ok(())
    }))?;
    Ok(found)
}

impl Tournament<'_> {
    /// Shows every game that counts, each once, and gives the course of all results.
    pub(super) fn visit(&self, mut visit: impl FnMut(GameRecord)) -> Result<Course, Failure> {
        let mut merged = Merged::open(&self.files)?;
        // Of a league that is being played, with everybody who has come by now.
        let mut course = course_of_file(&merged.readers()[0])?;
        let not_counted = hear_all(&mut merged, &self.files, &mut course, |game, _, counts| {
            if counts {
                visit(game);
            }
        })?;
        merged.end()?;
        no_stranger(&course, not_counted)?;
        Ok(course)
    }
}
