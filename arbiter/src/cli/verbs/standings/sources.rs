//! The files that standings are made from, sorted by tournament.

use crate::cli::Failure;
use crate::cli::failure::together;
use crate::cli::saved::{course_of_file, no_stranger};
use crate::cli::show::results::ShownArgs;
use crate::record::schema::{GameRecord, Plan};
use crate::record::{Merged, Reader, Shared};
use crate::tournament::Course;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// The files of one tournament or match.
pub(super) struct Tournament<'a> {
    pub(super) files: Vec<&'a Path>,
    pub(super) plan: Plan,
}

/// Sorts files by what they are of.
pub(super) fn tournaments<'a>(
    paths: &'a [PathBuf],
    shown: &ShownArgs,
) -> Result<Vec<Tournament<'a>>, Failure> {
    let mut found: BTreeMap<String, Tournament<'a>> = BTreeMap::new();
    together(paths.iter().map(|path| {
        let reader = Reader::open(path)?;
        let tournament = match found.entry(reader.plan_hash()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let mut plan = reader.plan().clone();
                let names = shown.names(path)?;
                names.warn_of_strangers(&plan);
                names.plan(&mut plan);
                place.insert(Tournament { files: Vec::new(), plan })
            }
        };
        tournament.files.push(path);
        Ok(())
    }))?;
    Ok(found.into_values().collect())
}

impl Tournament<'_> {
    /// Shows every game that counts, each once, and gives the course of all results.
    pub(super) fn visit(&self, mut visit: impl FnMut(GameRecord)) -> Result<Course, Failure> {
        let mut merged = Merged::open(&self.files)?;
        // Of a league that is being played, with everybody who has come by now.
        let mut course = course_of_file(&merged.readers()[0])?;
        let mut not_counted = Vec::new();
        for shared in &mut merged {
            let Shared { game, file, .. } = shared?;
            if course.hear(&game) {
                visit(game);
            } else {
                not_counted.push((game.number, self.files[file]));
            }
        }
        merged.end()?;
        no_stranger(&course, not_counted)?;
        Ok(course)
    }
}
