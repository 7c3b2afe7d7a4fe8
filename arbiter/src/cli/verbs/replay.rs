//! `arbiter replay`: the games of a report, move by move.

use crate::cli::options::{ColourArgs, PicturesArgs, ReviewArgs};
use crate::cli::parsing::whole;
use crate::cli::saved::{Games, newest, no_game};
use crate::cli::show::presentation::{has_screen, show_stories};
use crate::cli::show::{frames, print};
use crate::cli::{ExitCode, Failure, Output};
use crate::host::Host;
use crate::record::schema::{self, GameRecord, MatchReport, PlayerKind, PlyRecord, SeatRecord};
use crate::record::{Step, Unread, ending_from_record, error_from_record, fault_from_record, play_recorded};
use crate::report::count;
use crate::sanitize::sanitize;
use crate::ui::log::{Entry, Moved, Sitter, What};
use crate::ui::review;
use crate::ui::story::Story;
use crate::ui::terminal::{Mode, Viewer};
use crate::verdict::{BotReport, ChosenBy};
use crate::verify;
use arbiter_rules::{Position, Seat};
use clap::Args;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Games that a screen pages through; of more, those around the one that is shown first.
const MOST_SHOWN: usize = 1_000;

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  arbiter replay results/ --game-number 2 --ply 10\n  arbiter replay results/ --text --review alphabeta    the moves that cost most"
)]
pub(crate) struct ReplayArgs {
    /// A match report, a journal, or a folder, of which the newest is shown; - for standard input
    #[arg(value_name = "FILE|DIR")]
    file: PathBuf,
    /// Begin with this game; printed alone where there is no terminal
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..))]
    game_number: Option<u32>,
    /// Begin after so many moves; printed alone where there is no terminal
    #[arg(long, value_name = "P", value_parser = whole::<usize>(0..))]
    ply: Option<usize>,
    /// Print the boards even on a terminal
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    review: ReviewArgs,
    #[command(flatten)]
    pictures: PicturesArgs,
    #[command(flatten)]
    colour: ColourArgs,
}

pub(crate) fn replay(args: &ReplayArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let file = newest(&args.file)?;
    let first = first(&file, args.game_number)?;
    let last = first.frames.len() - 1;
    if let Some(ply) = args.ply.filter(|&ply| ply > last) {
        let message = format!("game {} has {}, not {ply}", first.game, count(last as u32, "move"));
        return Err(Failure::usage(message).hint(format!("--ply 0 to {last}")));
    }
    let adviser = args.review.adviser(host, first.frames[0].position.info().id);
    let is_shown = has_screen() && !args.text;
    if args.review.review.is_some() && !is_shown {
        let lines = review(&*adviser, &first, |_| true);
        let lines = lines.map_err(|why| {
            Failure::usage(format!("there is no review: {why}")).hint("--review with another bot")
        })?;
        lines.iter().try_for_each(|line| out.line(line))?;
        return Ok(ExitCode::Done);
    }
    let pictures = args.pictures.open()?;
    let mut told = |story: &Story| {
        if let Some(pictures) = &pictures {
            for (_, frame) in frames(story, args.ply) {
                pictures.save(story.game, &frame.position, frame.last());
            }
        }
        if is_shown { Ok(()) } else { print(story, args.ply, out) }
    };
    if args.game_number.is_some() {
        told(&first)?;
    } else if pictures.is_some() || !is_shown {
        let mut games = Games::open(&file)?;
        let report = games.frame().clone();
        for game in &mut games {
            told(&story(&report, game?)?)?;
        }
        // Of a report that was cut off behind a game nobody would know that there had been more.
        games.end()?;
    }
    if is_shown {
        let look = args.colour.look(out.charset());
        let stories = around(&file, first.game)?;
        let mut viewer = Viewer::of_stories(Mode::Replay, look, stories, Some(adviser));
        viewer.show_game(first.game, Some(args.ply.unwrap_or(0)));
        show_stories(viewer, look)?;
    }
    Ok(pictures.map_or(ExitCode::Done, |pictures| pictures.end(ExitCode::Done)))
}

/// The game that was asked for, or the first one. Of games before it only the numbers are read.
fn first(file: &Path, wanted: Option<u32>) -> Result<Story, Failure> {
    let mut games = Games::open(file)?;
    let report = games.frame().clone();
    let mut numbers = Vec::new();
    for game in &mut games {
        let game = game?;
        let number = game.number()?;
        if wanted.is_none_or(|wanted| wanted == number) {
            return story(&report, game);
        }
        numbers.push(number);
    }
    games.end()?;
    let Some(wanted) = wanted else {
        let message = format!("no game has ended in {}", file.display());
        return Err(Failure::usage(message).hint("a report with games; arbiter report lists them"));
    };
    Err(no_game(file, wanted, &numbers))
}

/// The games around one, as many as are paged through on a screen.
fn around(file: &Path, shown: u32) -> Result<Vec<Story>, Failure> {
    let mut games = Games::open(file)?;
    let report = games.frame().clone();
    let mut near = VecDeque::new();
    let mut is_behind = false;
    for game in &mut games {
        let game = game?;
        is_behind |= game.number()? == shown;
        near.push_back(game);
        if near.len() > MOST_SHOWN / 2 && !is_behind {
            near.pop_front();
        } else if near.len() == MOST_SHOWN {
            break;
        }
    }
    near.into_iter().map(|game| story(&report, game)).collect()
}

fn story(report: &MatchReport, game: Unread) -> Result<Story, Failure> {
    let game = game.game()?;
    follow(report, &game).map_err(|problem| {
        let message = format!("game {} of the report cannot be followed", game.number);
        Failure::file(message).cause(&problem).hint("arbiter verify says what is wrong with it")
    })
}

/// A recorded game, told as it would have been told live.
fn follow(report: &MatchReport, game: &GameRecord) -> Result<Story, String> {
    let plan = &report.plan;
    let mut position = game.start(&verify::start(plan)?)?;
    let sitter = |seat: &SeatRecord| {
        let player = plan.players.get(seat.player as usize);
        Sitter {
            name: player.map_or_else(|| "?".to_owned(), |player| sanitize(&player.name)),
            is_person: player.is_some_and(|player| player.kind == PlayerKind::Human),
            player: Some(seat.player as usize),
        }
    };
    let seats: Vec<Sitter> = game.seats.iter().map(sitter).collect();
    let mut errors = vec![0; seats.len()];
    let mut story = Story::begin(game.number, seats.into(), plan.max_errors, position.clone().into());
    let mut tell = |what| story.hear(&Entry { id: 0, at: Duration::ZERO, game: game.number, what });
    for step in game.steps() {
        tell(match step {
            Step::Refused(error) => {
                let seat = game.seat(error.seat)?;
                let count = &mut errors[seat.index()];
                *count += 1;
                What::Refused { seat, ply: error.ply, fault: error_from_record(error)?, count: *count }
            }
            Step::Out(out) => {
                let seat = game.seat(out.seat)?;
                position.eliminate(seat);
                let last_error = game.errors.iter().rfind(|error| error.seat == out.seat);
                let fault = fault_from_record(&out.fault, last_error)?;
                What::Out { seat, ply: out.ply, fault, position: position.clone().into() }
            }
            Step::Played(seat, played) => What::Moved(moved(game.seat(seat)?, played, &mut position)?),
        });
    }
    let ending = ending_from_record(game, &position, plan)?;
    tell(What::Ended { ending, duration: Duration::ZERO, position: position.into() });
    Ok(story)
}

/// Plays a recorded ply, and tells it.
fn moved(seat: Seat, played: &PlyRecord, position: &mut Position) -> Result<Moved, String> {
    let ply = position.ply();
    let (path, chance) = play_recorded(position, played)?;
    Ok(Moved {
        seat,
        ply,
        path,
        text: played.played.clone(),
        by: match played.by {
            schema::ChosenBy::Player => ChosenBy::Player,
            schema::ChosenBy::Opening => ChosenBy::Opening,
            schema::ChosenBy::Rules => ChosenBy::Rules,
        },
        spent: played.times().spent(None),
        chance,
        report: played.search.as_ref().map(|search| BotReport {
            depth: search.depth,
            nodes: search.nodes,
            score: search.score,
            line: search.line.clone(),
            text: search.text.clone(),
            ..BotReport::default()
        }),
        position: position.clone().into(),
    })
}
