//! Going on with what was interrupted: the journal that fits, and why others do not.

use super::super::exit_code::ExitCode;
use super::super::failure::Failure;
use super::super::plan::Plan;
use super::place::{JOURNAL, beside, of_part};
use super::read::not_read;
use super::{Saved, course, isolation};
use crate::record::schema::{self, FORMAT_VERSION, JournalHeader};
use crate::record::{Journal, JournalError, ReadError, Reopened, Scored};
use crate::report::Tally;
use crate::tournament::MatchSeed;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Goes on with the newest journal of the same plan. A part of a tournament that has none yet begins: whoever starts it
/// again and again need not know how far it came.
pub(super) fn resume(plan: &mut Plan) -> Result<Option<Saved>, Failure> {
    let candidates = match &plan.output {
        Some(report) => vec![beside(&of_part(report, plan))],
        None => journals(&plan.results),
    };
    let (mut different, mut commands) = (Vec::new(), Vec::new());
    for path in candidates {
        match Journal::header(&path) {
            Ok(header) => match difference(&header, plan) {
                None => return go_on(&path, plan).map(Some),
                Some(what) => {
                    different.push(format!("{} has {what}", path.display()));
                    let part = header.shard.map_or_else(String::new, |shard| format!(" --shard {shard}"));
                    commands.extend(header.command.map(|command| command + &part));
                }
            },
            Err(JournalError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            Err(error) => different.push(error.to_string()),
        }
    }
    if plan.shard.is_some() && (plan.output.is_none() || different.is_empty()) {
        return Ok(None);
    }
    let place = plan.output.as_deref().unwrap_or(&plan.results).display();
    let failure = Failure::new(
        ExitCode::File,
        format!("there is no interrupted match or tournament of these players at {place}"),
    );
    let failure = different.iter().fold(failure, |failure, what| failure.cause(what));
    Err(failure.hint(match &commands[..] {
        [one] => {
            let option = if plan.output.is_some() { "--output" } else { "--results" };
            format!("{one} {option} {place} --resume")
        }
        _ => "the same command as before, with --resume added".to_owned(),
    }))
}

/// The journals in a folder, newest first: their names begin with the time.
fn journals(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = entries.filter(|path| path.to_string_lossy().ends_with(JOURNAL)).collect();
    paths.sort();
    paths.reverse();
    paths
}

/// What a journal has that this plan has not. Without `--seed` the journal's seed is taken. Afterwards, the entrants are
/// in the order that follows from it.
fn difference(header: &JournalHeader, plan: &mut Plan) -> Option<&'static str> {
    let seed = plan.seed.clone().unwrap_or_else(|| MatchSeed::new(&header.plan.seed));
    plan.seat_by(&seed);
    let wanted = plan.saved(&seed);
    let found = &header.plan;
    let without_files = |players: &[schema::Player]| -> Vec<schema::Player> {
        players.iter().cloned().map(|player| schema::Player { file: None, ..player }).collect()
    };
    if found.game != wanted.game || found.options != wanted.options || found.seats != wanted.seats {
        Some("another game or other options")
    } else if found.rules_version != wanted.rules_version
        || header.arbiter != env!("CARGO_PKG_VERSION")
        || header.format_version != FORMAT_VERSION
    {
        Some("another version of arbiter or its rules")
    } else if found.schedule != wanted.schedule {
        Some("another number of games, or another schedule")
    } else if header.shard != plan.shard.map(|shard| shard.to_string()) {
        Some("another part of the tournament")
    } else if found.seed != wanted.seed {
        Some("another seed")
    } else if without_files(&found.players) != without_files(&wanted.players) {
        Some("other players, bot files, bot options or times")
    } else if (schema::Plan { players: Vec::new(), ..found.clone() })
        != (schema::Plan { players: Vec::new(), ..wanted })
    {
        Some("another position, other openings or limits")
    } else if header.machine.isolation != isolation(plan) {
        // A report says how bots were held, of all of its games.
        Some("another --isolate")
    } else {
        None
    }
}

fn go_on(path: &Path, plan: &Plan) -> Result<Saved, Failure> {
    let not_resumed = |error: JournalError| not_read(&ReadError::Journal(error));
    let seed = MatchSeed::new(&Journal::header(path).map_err(not_resumed)?.plan.seed);
    let (saved, mut course) = course(plan, &seed)?;
    let mut tally = Tally::new(saved.players.len(), saved.seats as usize);
    let reopened = Journal::reopen(path, |_, game| {
        if let Some(scored) = Scored::of(&game)
            && course.ended(game.number, scored)
        {
            tally.add(&game);
        }
    });
    let Reopened { journal, .. } = reopened.map_err(not_resumed)?;
    let name = path.to_string_lossy();
    let report = PathBuf::from(name.strip_suffix(JOURNAL).unwrap_or(&name));
    Ok(Saved { journal, seed, plan: saved, course, tally, report })
}
