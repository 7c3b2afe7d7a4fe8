//! What a bot author writes.

use std::fmt;
use std::sync::Arc;

use crate::{Event, Game, GameResult, Move, Turn};

/// A player of games.
///
/// One value plays one game: [`new`](Bot::new) makes it and [`next_game`](Bot::next_game) turns it into the
/// player of the following one. All calls come from one thread, one after the other.
///
/// ```
/// use arbiter_plugin_api::{Bot, Game, Move, Random, Result, Turn};
///
/// /// Plays any legal move.
/// struct Lucky {
///     random: Random,
/// }
///
/// impl Bot for Lucky {
///     fn new(game: &Game) -> Result<Self> {
///         Ok(Lucky { random: Random::new(game.seed()) })
///     }
///
///     fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
///         Ok(*self.random.pick(turn.moves()).expect("a turn has a legal move"))
///     }
/// }
/// ```
pub trait Bot: Sized + 'static {
    /// Sits down for a game.
    ///
    /// # Errors
    ///
    /// Any error refuses the game; [`Error::unsupported`] is the one for a game or an option that is not for
    /// this bot.
    fn new(game: &Game<'_>) -> Result<Self>;

    /// Answers a turn with one of [`Turn::moves`].
    ///
    /// To answer with a path of cells, return what [`Turn::answer_path`] gives.
    ///
    /// # Errors
    ///
    /// [`Error::Resign`] gives the game up. Any other error is a failure and loses the game.
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<Move>;

    /// Hears of a move of any seat, of chance, or of a seat that left the game; in order, at the latest
    /// before the next turn, and on the bot's own clock.
    fn played(&mut self, event: &Event<'_>) {
        let _ = event;
    }

    /// Hears how the game ended.
    fn game_over(&mut self, result: &GameResult<'_>) {
        let _ = result;
    }

    /// Sits down for another game, with what is worth keeping from the last one.
    ///
    /// The last one may have been broken off without [`game_over`](Bot::game_over).
    ///
    /// # Errors
    ///
    /// As for [`new`](Bot::new).
    fn next_game(self, game: &Game<'_>) -> Result<Self> {
        Self::new(game)
    }

    /// Makes the waker of a bot that sleeps or waits inside [`choose_move`](Bot::choose_move).
    ///
    /// Called once for each game. The waker is called from another thread whenever
    /// [`Turn::stop_level`] has just changed, and must return at once. A bot that asks
    /// [`Turn::should_stop`] while it thinks needs none, and spares its process that thread.
    ///
    /// ```
    /// # use arbiter_plugin_api::{Bot, Game, Move, Result, Turn, Waker};
    /// # use std::sync::{Arc, Condvar};
    /// # struct Sleeper { bell: Arc<Condvar> }
    /// # impl Bot for Sleeper {
    /// #     fn new(_: &Game<'_>) -> Result<Self> { Ok(Sleeper { bell: Arc::default() }) }
    /// #     fn choose_move(&mut self, turn: &Turn<'_>) -> Result<Move> { Ok(turn.moves()[0]) }
    /// const WAKER: Option<fn(&Self) -> Waker> = Some(|bot| {
    ///     let bell = bot.bell.clone();
    ///     Arc::new(move || bell.notify_all())
    /// });
    /// # }
    /// ```
    const WAKER: Option<fn(&Self) -> Waker> = None;
}

/// Wakes a bot from another thread; see [`Bot::WAKER`].
///
/// ```
/// use arbiter_plugin_api::Waker;
/// use std::sync::{Arc, Condvar};
///
/// let bell = Arc::new(Condvar::new());
/// let waker: Waker = Arc::new(move || bell.notify_all());
/// waker();
/// ```
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// What the calls of a [`Bot`] return.
///
/// ```
/// use arbiter_plugin_api::{Game, Result};
///
/// /// How deep the bot looks: its option `depth`, or 4.
/// fn depth(game: &Game) -> Result<u32> {
///     Ok(game.option("depth").map(str::parse).transpose()?.unwrap_or(4))
/// }
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a bot does not answer.
///
/// Every [`std::error::Error`] becomes [`Error::Failed`] by way of `?`. What an error says goes to the match
/// log.
///
/// ```
/// use arbiter_plugin_api::{Error, Result};
///
/// fn depth(text: &str) -> Result<u32> {
///     let depth: u32 = text.parse()?;
///     if depth > 64 {
///         return Err(Error::unsupported("the depth goes up to 64"));
///     }
///     Ok(depth)
/// }
///
/// assert_eq!(depth("6"), Ok(6));
/// assert_eq!(depth("six"), Err(Error::failed("invalid digit found in string")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The game is given up.
    Resign,
    /// This game, option or request is not for this bot.
    Unsupported(String),
    /// Something went wrong.
    Failed(String),
}

impl Error {
    /// This game, option or request is not for this bot.
    pub fn unsupported(why: impl fmt::Display) -> Error {
        Error::Unsupported(why.to_string())
    }

    /// Something went wrong.
    pub fn failed(why: impl fmt::Display) -> Error {
        Error::Failed(why.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Resign => f.write_str("the bot resigns"),
            Error::Unsupported(why) | Error::Failed(why) => f.write_str(why),
        }
    }
}

impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Error {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        Error::Failed(text)
    }
}
