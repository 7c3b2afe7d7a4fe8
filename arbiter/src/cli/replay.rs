//! `arbiter replay`: the games of a report, move by move.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::output::Output;
use super::plan::Colour;
use super::stage::{enter, has_screen};
use crate::record::schema::{GameRecord, MatchReport, PlayerKind};
use crate::record::{game_events, read};
use crate::sanitize::sanitize;
use crate::ui::log::{Log, Next, Sitter};
use crate::ui::story::Story;
use crate::ui::terminal::{Look, Mode, Palette, Viewer, show};
use arbiter_rules::draw::{Marks, draw};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `arbiter replay`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  arbiter replay results/ --game-number 2 --ply 10")]
pub(super) struct ReplayArgs {
    /// A match report or a journal
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Begin with this game; printed alone where there is no terminal
    #[arg(long, value_name = "N")]
    game_number: Option<u32>,
    /// Begin after so many moves; printed alone where there is no terminal
    #[arg(long, value_name = "P")]
    ply: Option<usize>,
    /// Print the boards even on a terminal
    #[arg(long)]
    text: bool,
    /// Use colours [default: as the terminal, NO_COLOR and CLICOLOR_FORCE say]
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Colour::Auto, hide_default_value = true)]
    color: Colour,
}

/// Runs `arbiter replay`.
///
/// # Errors
/// A file that is no report, a game or a move that is not in it.
pub(super) fn replay(args: &ReplayArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let report = read(&args.file).map_err(|error| Failure::of(ExitCode::File, &error))?.into_report();
    let stories = stories(&report)?;
    let wanted = args.game_number.or_else(|| stories.first().map(|story| story.game));
    let Some(story) = stories.iter().find(|story| Some(story.game) == wanted) else {
        let games: Vec<_> = stories.iter().map(|story| story.game.to_string()).collect();
        let message = format!("there is no game {} in {}", wanted.unwrap_or(1), args.file.display());
        return Err(Failure::new(ExitCode::Usage, message).hint(format!("one of the games {}", games.join(", "))));
    };
    let last = story.frames.len() - 1;
    if let Some(ply) = args.ply.filter(|&ply| ply > last) {
        let message = format!("game {} has {last} moves, not {ply}", story.game);
        return Err(Failure::new(ExitCode::Usage, message).hint(format!("--ply 0 to {last}")));
    }
    let (game, ply) = (story.game, args.ply);
    if has_screen() && !args.text {
        let palette = Palette::of_environment(args.color.wanted(), true);
        let look = Look { palette, charset: out.charset() };
        let mut viewer = Viewer::of_stories(Mode::Replay, look, stories);
        viewer.go_to(game, ply.unwrap_or(0));
        let mut session = enter(palette)?;
        show(&mut session, &mut viewer)
            .map_err(|error| Failure::new(ExitCode::File, "the terminal is gone").because(&error))?;
        return Ok(ExitCode::Done);
    }
    for story in stories.iter().filter(|story| args.game_number.is_none() || story.game == game) {
        print(story, ply, out)?;
    }
    Ok(ExitCode::Done)
}

/// Prints every picture of a game, or one.
pub(super) fn print(story: &Story, only: Option<usize>, out: &mut Output) -> Result<(), Failure> {
    let names: Vec<_> =
        story.seats.iter().enumerate().map(|(seat, sitter)| format!("{} {}", seat + 1, sitter.name)).collect();
    out.line(&format!("game {}: {}", story.game, names.join(", ")))?;
    for (ply, frame) in story.frames.iter().enumerate().filter(|(ply, _)| only.is_none_or(|only| only == *ply)) {
        out.line("")?;
        out.line(format!("after {ply} moves  {}", frame.sentences.join(" ")).trim_end())?;
        let marks = Marks { last: frame.last().to_vec(), ..Marks::default() };
        out.text(&draw(&*frame.position, out.charset(), &marks))?;
    }
    out.line("")
}

/// The games of a report as stories.
fn stories(report: &MatchReport) -> Result<Vec<Story>, Failure> {
    report.games.iter().map(|game| story(report, game)).collect()
}

fn story(report: &MatchReport, game: &GameRecord) -> Result<Story, Failure> {
    let sitters = || {
        let sitter = |seat: &crate::record::schema::SeatRecord| {
            let player = report.plan.players.get(seat.player as usize);
            Sitter {
                name: player.map_or_else(|| "?".to_owned(), |player| sanitize(&player.name)),
                is_person: player.is_some_and(|player| player.kind == PlayerKind::Human),
            }
        };
        (game.seats.iter().map(sitter).collect(), report.plan.max_errors)
    };
    let log = Arc::new(Log::default());
    let told = game_events(&report.plan, game, &mut |event| log.hear(game.number, event, sitters));
    told.map_err(|problem| {
        let message = format!("game {} of the report cannot be followed: {problem}", game.number);
        Failure::new(ExitCode::File, message).hint("arbiter verify says what is wrong with it")
    })?;
    log.close();
    let mut story: Option<Story> = None;
    let mut id = 0;
    while let Next::Entry(entry) = log.at(id) {
        id = entry.id + 1;
        if let crate::ui::log::What::Started { seats, max_errors, position } = &entry.what {
            story = Some(Story::begin(game.number, Arc::clone(seats), *max_errors, Arc::clone(position)));
        }
        if let Some(story) = &mut story {
            story.hear(&entry);
        }
    }
    story.ok_or_else(|| Failure::new(ExitCode::File, format!("game {} has no beginning", game.number)))
}
