//! `arbiter demo`: a tour of all boards that goes on by itself.

use crate::cli::boards::print;
use crate::cli::colour::ColourArgs;
use crate::cli::position::{GameName, start};
use crate::cli::presentation::{enter, has_screen};
use crate::cli::{ExitCode, Failure, Output};
use crate::ui::log::{Entry, Moved, Sitter, What};
use crate::ui::story::Story;
use crate::ui::terminal::{Look, Mode, Viewer, show};
use crate::verdict::{ChosenBy, Ending, Spent};
use arbiter_rules::{ChanceSource, GameInfo, Position, Random, Setup, registry};
use clap::Args;
use std::time::Duration;

/// Moves that are shown of a game that does not end before.
const MOVES: u32 = 24;

/// Arguments of `arbiter demo`.
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Show this game alone
    #[arg(value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    game: Option<String>,
    /// Print the boards even on a terminal
    #[arg(long)]
    text: bool,
    /// How often to go faster: 2 is four times as fast
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(i32).range(-1..=6))]
    speed: i32,
    #[command(flatten)]
    colour: ColourArgs,
}

pub(crate) fn demo(args: &DemoArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let games: Vec<&GameInfo> = match &args.game {
        None => registry::GAMES.to_vec(),
        Some(game) => vec![start(game, None, &[], None)?.info()],
    };
    let stories: Vec<Story> = (1..).zip(games).map(|(number, info)| tour(number, info)).collect();
    if has_screen() && !args.text {
        let palette = args.colour.palette();
        let look = Look { palette, charset: out.charset() };
        let mut viewer = Viewer::of_stories(Mode::Tour, look, stories);
        viewer.set_speed(args.speed);
        let mut session = enter(palette)?;
        show(&mut session, &mut viewer)
            .map_err(|error| Failure::new(ExitCode::File, "the terminal is gone").because(&error))?;
        return Ok(ExitCode::Done);
    }
    for story in &stories {
        print(story, Some(story.frames.len() - 1), out)?;
    }
    Ok(ExitCode::Done)
}

/// The first moves of a game between two players who choose at random, the same every time.
fn tour(number: u32, info: &'static GameInfo) -> Story {
    let options: &[(&str, &str)] = if info.options.iter().any(|option| option.name == "earthquake") {
        &[("earthquake", "true")]
    } else {
        &[]
    };
    let setup = Setup { options, players: info.seats.iter().copied().max(), position: None };
    let mut position = registry::start(info.id, &setup).expect("every game begins with its most seats");
    let sitter = |seat: usize| Sitter { name: format!("guest {}", seat + 1), is_person: false, player: None };
    let seats: Vec<Sitter> = (0..position.seats()).map(sitter).collect();
    let mut story = Story::begin(number, seats.into(), 0, position.clone().into());
    let mut tell = |what| story.hear(&Entry { id: 0, at: Duration::ZERO, game: number, what });
    let mut random = Random::new(u64::from(number) + 40);
    while position.end().is_none() && position.ply() < MOVES {
        tell(What::Moved(play(&mut position, &mut random)));
    }
    if let Some(end) = position.end() {
        let ending = Ending::ByRules(end);
        tell(What::Ended { ending, duration: Duration::ZERO, position: position.clone().into() });
    }
    story
}

fn play(position: &mut Position, random: &mut Random) -> Moved {
    let m = position.nth_legal(random.below(position.legal_count()));
    let (seat, ply) = (position.to_move().expect("the game goes on"), position.ply());
    let (text, path) = (position.move_text(m), position.path(m));
    let chance = position.draw_chance(m, ChanceSource::GameSeed(u64::from(ply) + 7));
    position.play(m, &chance).expect("the move is from the legal list");
    let by = if path.is_empty() { ChosenBy::Rules } else { ChosenBy::Player };
    let position = position.clone().into();
    let spent = Spent::default();
    Moved { seat, ply, path, text, by, spent, chance, report: None, position }
}
