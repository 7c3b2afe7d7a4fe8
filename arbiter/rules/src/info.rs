//! What does not change from one position of a game to the next, and what positions are made from.

use crate::game::AnyGame;
use crate::notation::ParseError;
use crate::options::{Given, OptionError, OptionInfo, Options};
use crate::position::Position;
use std::fmt;

/// Everything about a game that does not change from one position to the next.
///
/// ```
/// use arbiter_rules::registry;
///
/// let hex = registry::find("hex").unwrap();
/// assert_eq!((hex.title, hex.seats), ("Hex", &[2][..]));
/// ```
#[derive(Debug)]
pub struct GameInfo {
    /// The word after `--game`.
    pub id: &'static str,
    /// The name that people read.
    pub title: &'static str,
    /// Other words that mean this game.
    pub aliases: &'static [&'static str],
    /// Raised whenever the rules decide something differently than before.
    pub version: u32,
    /// How many seats a game may have, the default first.
    pub seats: &'static [usize],
    /// Every option, in the order in which reports list them.
    pub options: &'static [OptionInfo],
    /// Sets of options that `arbiter check` tries a bot with: they change sizes and rules, and the smallest and the
    /// largest board are among them.
    pub trials: &'static [&'static [Given<'static>]],
    /// Random plies with which games are opened unless somebody says otherwise: enough to tell games apart, few enough
    /// to decide nothing. An even number in games for two, except where the second seat may swap.
    pub opening_plies: fn(&Options) -> u32,
    /// What moves look like, for error messages: `d3`.
    pub example: &'static str,
    /// The rules for people, in Markdown.
    pub page: &'static str,
    /// Reads options and text; callers use [`start`](GameInfo::start).
    pub set_up: SetUp,
}

impl GameInfo {
    /// A position of this game.
    ///
    /// # Errors
    /// An impossible option or number of players, a wrong position text.
    pub fn start(&'static self, setup: &Setup<'_>) -> Result<Position, SetupError> {
        Position::start(self, setup)
    }

    /// Every option with its values, its default and what it does, in Markdown; empty where there is none.
    #[must_use]
    pub fn options_page(&self) -> String {
        if self.options.is_empty() {
            return String::new();
        }
        let lines = self.options.iter().map(|option| format!("- {option}\n"));
        format!("## Options\n\n{}", lines.collect::<String>())
    }
}

/// Makes a game from what was given, and says what every option is set to.
pub type SetUp = fn(&Setup<'_>) -> Result<(Box<dyn AnyGame>, Options), SetupError>;

/// The function behind [`GameInfo::set_up`].
pub(crate) fn set_up<G: AnyGame>(setup: &Setup<'_>) -> Result<(Box<dyn AnyGame>, Options), SetupError> {
    let (game, options) = G::start(setup)?;
    Ok((Box::new(game), options))
}

/// What a position is made from.
///
/// ```
/// use arbiter_rules::{Setup, registry};
///
/// let setup = Setup { players: Some(3), options: &[("win", "own")], ..Setup::default() };
/// let position = registry::start("chinese-checkers", &setup).unwrap();
/// assert_eq!(position.seats(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'a> {
    /// Seats, or `None` where the default or the text decides.
    pub players: Option<usize>,
    /// Options as they were given.
    pub options: &'a [Given<'a>],
    /// A position text, or `None` for the start.
    pub position: Option<&'a str>,
}

/// Why a position cannot be made.
///
/// ```
/// use arbiter_rules::{Setup, registry};
///
/// let setup = Setup { options: &[("size", "99")], ..Setup::default() };
/// assert_eq!(registry::start("hex", &setup).map(|_| ()).unwrap_err().code(), "bad-option");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// No game has this name.
    UnknownGame(String),
    /// An option, or the number of players, is not possible.
    Option(OptionError),
    /// The position text is wrong.
    Position(ParseError),
}

impl SetupError {
    /// The stable code: `unknown-game`, `bad-option` or `bad-position`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            SetupError::UnknownGame(_) => "unknown-game",
            SetupError::Option(_) => "bad-option",
            SetupError::Position(_) => "bad-position",
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::UnknownGame(sentence) => f.write_str(sentence),
            SetupError::Option(error) => write!(f, "{error}"),
            SetupError::Position(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for SetupError {}

impl From<OptionError> for SetupError {
    fn from(error: OptionError) -> Self {
        SetupError::Option(error)
    }
}

impl From<ParseError> for SetupError {
    fn from(error: ParseError) -> Self {
        SetupError::Position(error)
    }
}
