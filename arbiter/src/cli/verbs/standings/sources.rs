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

/// The files of one tournament or match, and what follows from all their results.
pub(super) struct Tournament<'a> {
    files: Vec<&'a Path>,
    pub(super) plan: Plan,
    pub(super) course: Course,
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
                let course = course_of_file(&reader)?;
                let mut plan = reader.plan().clone();
                let names = shown.names(path)?;
                names.warn_of_strangers(&plan);
                names.plan(&mut plan);
                place.insert(Tournament { files: Vec::new(), plan, course })
            }
        };
        tournament.files.push(path);
        Ok(())
    }))?;
    Ok(found.into_values().collect())
}

impl Tournament<'_> {
    /// Tells the course every result, and shows every game that counts, each once.
    pub(super) fn visit(&mut self, mut visit: impl FnMut(GameRecord)) -> Result<(), Failure> {
        let mut merged = Merged::open(&self.files)?;
        let mut left_out = Vec::new();
        for shared in &mut merged {
            let Shared { game, file, .. } = shared?;
            if self.course.hear(&game) {
                visit(game);
            } else {
                left_out.push((game.number, self.files[file]));
            }
        }
        merged.end()?;
        Ok(no_stranger(&self.course, left_out)?)
    }
}
