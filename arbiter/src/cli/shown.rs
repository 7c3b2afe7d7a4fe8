//! Reports and journals as pages show them: whole, or as a card on the wall.

use super::circumstances::{circumstances, title};
use super::failure::Failure;
use super::saved::{Games, not_read, tell};
use crate::page::{Card, Page, Part};
use crate::record::schema::{GameRecord, MatchReport};
use crate::report::Circumstances;
use crate::sanitize::sanitize;
use crate::tournament::Course;
use crate::verify;
use serde_json::Value;
use std::path::Path;

/// Puts a report on a page.
///
/// # Errors
/// A file that is none, or is damaged.
pub(super) fn add(page: &mut Page, path: &Path) -> Result<(), Failure> {
    let games = Games::open(path).map_err(|error| not_read(&error))?;
    let frame = games.frame().clone();
    let mut part = Part::new(page, &frame, verify::start(&frame.plan).ok());
    let (report, circumstances) = read(games, |some| part.games(some))?;
    part.end(page, &report, circumstances, &name(path));
    Ok(())
}

/// A report as a card.
///
/// # Errors
/// A file that is none, or is damaged.
pub(super) fn card(path: &Path) -> Result<Value, Failure> {
    let games = Games::open(path).map_err(|error| not_read(&error))?;
    let frame = games.frame().clone();
    let mut card = Card::new(&frame, verify::start(&frame.plan).ok());
    let (report, circumstances) = read(games, |some| card.games(some))?;
    Ok(card.end(&report, circumstances, &name(path)))
}

/// Shows all games of a file, and returns what it says besides.
fn read(
    mut games: Games,
    mut visit: impl FnMut(&[GameRecord]),
) -> Result<(MatchReport, Circumstances), Failure> {
    let (plan, asked) = (games.frame().plan.clone(), games.frame().games_asked);
    let mut course = Course::of_plan(&plan, asked, None, None).ok();
    games.each(|some| {
        if let Some(course) = &mut course {
            some.iter().for_each(|game| tell(course, game));
        }
        visit(some);
        Ok(())
    })?;
    let report = games.end().map_err(|error| not_read(&error))?;
    let circumstances = match &course {
        Some(course) => circumstances(&plan, course, repeated(&report)),
        None => unknown(&report),
    };
    Ok((report, circumstances))
}

/// The name of a file, harmless.
fn name(path: &Path) -> String {
    sanitize(&path.file_name().map_or_else(|| "standard input".into(), |name| name.to_string_lossy()))
}

/// Games that repeat an earlier one, as the report says.
fn repeated(report: &MatchReport) -> u32 {
    report.duplicates.iter().map(|group| group.len().saturating_sub(1) as u32).sum()
}

/// What is known of a plan that nothing can be played by.
fn unknown(report: &MatchReport) -> Circumstances {
    Circumstances {
        title: title(&report.plan),
        names: report.plan.players.iter().map(|player| player.name.clone()).collect(),
        games_asked: report.games_asked,
        repeated: repeated(report),
        ..Circumstances::default()
    }
}
