//! Reports and journals as pages show them: whole, or as a card on the wall.

use super::circumstances::{circumstances, not_let_in, title};
use super::names::Names;
use crate::cli::failure::apart;
use crate::cli::options::{Anchor, anchor, unknown_anchor};
use crate::cli::saved::Games;
use crate::cli::{Failure, Output};
use crate::page::{Card, Page, Part, live};
use crate::record::replace;
use crate::record::schema::{GameRecord, MatchReport, ScheduleKind};
use crate::report::{Circumstances, Format, Standings, standings_text};
use crate::sanitize::sanitize;
use crate::tournament::Course;
use crate::ui::talk;
use crate::verify;
use clap::Args;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// How reports are shown.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ShownArgs {
    /// Call the bots of a course by the pseudonyms of names.csv, or by numbers, and leave out what says whose they are
    #[arg(long)]
    pub(crate) pseudonyms: bool,
    /// Give a player this rating, and all others what follows: with a bot that stays the same, ratings of several weeks can be
    /// compared
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor)]
    pub(crate) anchor: Option<Anchor>,
}

impl ShownArgs {
    pub(crate) fn names(&self, report: &Path) -> Result<Names, Failure> {
        Names::beside(report, self.pseudonyms)
    }

    /// Who is not let into the league that a report is of, unless nobody is named.
    pub(crate) fn not_let_in(&self, report: &Path) -> Vec<String> {
        if self.pseudonyms { Vec::new() } else { not_let_in(report) }
    }

    /// The anchor, if it is one of these players.
    fn anchored_among(&self, names: &[String]) -> Option<(usize, f64)> {
        self.anchor.as_ref()?.of(names)
    }
}

/// Prints standings, and where their report is: on standard output only where no program reads it.
pub(crate) fn print_standings(
    standings: &Standings,
    format: Format,
    report: &Path,
    out: &mut Output,
) -> Result<(), Failure> {
    out.told(&standings_text(standings, format, out.charset(), out.columns()), format)?;
    let path = report.display().to_string();
    if format != Format::Table {
        talk(&path);
        return Ok(());
    }
    out.line("")?;
    out.line(&path)
}

/// The page of some reports, and what is wrong with others of them.
pub(crate) fn page(files: &[PathBuf], shown: &ShownArgs) -> (Option<String>, Option<Failure>) {
    let mut page = Page::default();
    let (anchored, mut failure) = apart(files.iter().map(|path| add(&mut page, path, shown)));
    let has_some = !anchored.is_empty();
    if let Some(anchor) = shown.anchor.as_ref().filter(|_| has_some && !anchored.contains(&true)) {
        failure = Some(
            unknown_anchor(anchor).hint("the name of a player, as the standings have it").after(failure),
        );
    }
    (has_some.then(|| page.html()), failure)
}

/// Writes the page of some reports into a file, and returns its length. If some of the reports are damaged, the page of the
/// others is written all the same.
pub(crate) fn save(files: &[PathBuf], path: &Path, shown: &ShownArgs) -> Result<usize, Failure> {
    let (page, failure) = page(files, shown);
    let Some(html) = page else { return failure.map_or(Ok(0), Err) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written =
        fs::create_dir_all(folder).and_then(|()| replace(path, |out| out.write_all(html.as_bytes())));
    written.map_err(Failure::cannot("write", path, "a name in a folder that can be written to"))?;
    failure.map_or(Ok(html.len()), Err)
}

/// Puts a report on a page. False if an anchor was asked for and is not among its players.
pub(crate) fn add(page: &mut Page, path: &Path, shown: &ShownArgs) -> Result<bool, Failure> {
    let names = shown.names(path)?;
    let games = Games::open(path)?;
    let frame = named(games.frame(), &names);
    let mut part = Part::new(page, &frame, verify::start(&frame.plan).ok());
    let (report, mut circumstances) = read(games, &names, |some| {
        part.games(some);
        Ok(())
    })?;
    circumstances.not_let_in = shown.not_let_in(path);
    let anchor = shown.anchored_among(&circumstances.names);
    part.end(page, &report, circumstances, anchor, &name(path));
    Ok(anchor.is_some() == shown.anchor.is_some())
}

/// A report or journal that hangs on a wall.
pub(crate) struct Hung {
    pub(crate) card: Value,
    names: Names,
    report: MatchReport,
}

impl Hung {
    pub(crate) fn of(path: &Path, shown: &ShownArgs) -> Result<Hung, Failure> {
        let names = shown.names(path)?;
        let games = Games::open(path)?;
        let frame = named(games.frame(), &names);
        let mut card = Card::new(&frame, verify::start(&frame.plan).ok());
        let (report, circumstances) = read(games, &names, |some| {
            card.games(&frame, some);
            Ok(())
        })?;
        let anchor = shown.anchored_among(&circumstances.names);
        let card = card.hang(&report, circumstances, anchor, &name(path));
        Ok(Hung { card, names, report })
    }

    /// Whether games may come at any time, as long as somebody has its journal.
    pub(crate) fn is_league(&self) -> bool {
        self.report.plan.schedule.kind == ScheduleKind::League
    }

    pub(crate) fn lacks_games(&self) -> bool {
        self.report.games_ended < self.report.games_asked
    }

    pub(crate) fn live(&self, mut game: GameRecord) -> Value {
        self.names.games(std::slice::from_mut(&mut game));
        live(&self.report, verify::start(&self.report.plan).ok(), &game)
    }
}

fn named(report: &MatchReport, names: &Names) -> MatchReport {
    let mut report = report.clone();
    names.plan(&mut report.plan);
    report
}

/// Shows all games of a file, and returns what it says besides.
pub(crate) fn read(
    mut games: Games,
    names: &Names,
    mut visit: impl FnMut(&[GameRecord]) -> Result<(), Failure>,
) -> Result<(MatchReport, Circumstances), Failure> {
    let mut course = Course::of_report(games.frame()).ok();
    for some in games.some() {
        let mut some = some?;
        if let Some(course) = &mut course {
            for game in &some {
                course.hear(game);
            }
        }
        names.games(&mut some);
        visit(&some)?;
    }
    let report = named(&games.end()?, names);
    let circumstances = known(&report, course.as_ref());
    Ok((report, circumstances))
}

fn name(path: &Path) -> String {
    sanitize(&path.file_name().map_or_else(|| "standard input".into(), |name| name.to_string_lossy()))
}

/// What is known of a report; of one whose plan makes no sense, and which has no course then, not much.
pub(crate) fn known(report: &MatchReport, course: Option<&Course>) -> Circumstances {
    if let Some(course) = course {
        return circumstances(&report.plan, course, report.repeated());
    }
    Circumstances {
        title: title(&report.plan),
        names: report.plan.players.iter().map(|player| player.name.clone()).collect(),
        games_asked: report.games_asked,
        repeated: report.repeated(),
        ..Circumstances::default()
    }
}
