//! Which position is meant, on the command line of many verbs.

use crate::cli::Failure;
use crate::cli::parsing::whole;
use arbiter_rules::last::came_about;
use arbiter_rules::{Chance, Move, Position, Setup, SetupError, registry};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command};
use std::ffi::OsStr;

/// Which position is meant.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// Which game
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    game: String,
    /// Seats in the game
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..))]
    players: Option<usize>,
    /// An option of the game; `arbiter rules GAME` lists them
    #[arg(short = 'O', value_name = "KEY=VALUE", value_parser = key_value)]
    options: Vec<(String, String)>,
    /// Position text instead of the start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// Moves to play first
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
    /// The move that led to the position, which is marked in pictures [default: the last one of --moves]. It is checked
    /// against the board, and ultimate learns from it which grid is forced
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true)]
    last: Option<String>,
}

pub(crate) fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("expected KEY=VALUE".to_owned()),
    }
}

/// The position that the options of a game or a position text describe.
pub(crate) fn start(
    game: &str,
    players: Option<usize>,
    options: &[(String, String)],
    position: Option<&str>,
) -> Result<Position, Failure> {
    let given: Vec<_> = options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let setup = Setup { players, options: &given, position };
    registry::start(game, &setup).map_err(|error| {
        let failure = Failure::usage(error.to_string());
        match error {
            SetupError::UnknownGame(_) => failure.hint("arbiter rules"),
            SetupError::Option(_) | SetupError::Position(_) => failure.hint(format!("arbiter rules {game}")),
        }
    })
}

/// A position, and the cells of the move that led to it.
pub(crate) struct Opened {
    pub(crate) position: Position,
    pub(crate) last: Vec<u16>,
}

impl PositionArgs {
    /// Sets the position up, plays the moves, and checks the last one.
    pub(crate) fn open(&self) -> Result<Opened, Failure> {
        self.play_from(self.start()?)
    }

    /// The same without repetition, limits and chance.
    pub(crate) fn open_without_limits(&self) -> Result<Opened, Failure> {
        self.play_from(self.start()?.without_limits())
    }

    fn start(&self) -> Result<Position, Failure> {
        start(&self.game, self.players, &self.options, self.position.as_deref())
    }

    fn play_from(&self, mut position: Position) -> Result<Opened, Failure> {
        let mut last = Vec::new();
        let moves = position.split_moves(self.moves.as_deref().unwrap_or_default());
        for (index, text) in moves.into_iter().enumerate() {
            let hint = match position.end() {
                Some(_) => "--moves without it and all that follow",
                None => "a legal move in its place; arbiter position with the moves before it lists them",
            };
            let refused = |why| {
                let message = format!("move {} of --moves, {text}, is refused", index + 1);
                Failure::usage(message).because(&why).hint(hint)
            };
            let played = position.read_move(text).map_err(refused)?.played;
            let path = position.path(played);
            last = path.first().into_iter().chain(path.last()).copied().collect();
            position.play(played, &Chance::NONE).map_err(refused)?;
        }
        let Some(text) = &self.last else { return Ok(Opened { position, last }) };
        let known = came_about(&position, text).map_err(|error| {
            let failure = Failure::usage("--last does not fit the position").because(&error);
            failure.hint("the move that led to the position, or no --last")
        })?;
        let last =
            if known.last == Move::PASS { Vec::new() } else { vec![known.last.from(), known.last.to()] };
        Ok(Opened { position: known.position, last })
    }
}

/// The name of a game as an argument. It takes any word, because the registry also knows other names of games, and suggests
/// the nearest one for a mistyped one. The possible values are for the completions of shells.
#[derive(Clone)]
pub(crate) struct GameName;

impl TypedValueParser for GameName {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(registry::GAMES.iter().map(|info| PossibleValue::new(info.id))))
    }
}
