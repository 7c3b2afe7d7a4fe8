//! What a bot is told when a game begins.

use std::ffi::CString;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::{Error, Host, Position, Result, View, raw, read};

/// A game that begins.
///
/// ```
/// use arbiter_plugin_api::{Game, Result};
///
/// /// The depth of `-B 1:depth=6`, or 4. Any other option refuses the game.
/// fn depth(game: &Game) -> Result<u32> {
///     game.allow_options(&["depth"])?;
///     Ok(game.parse_option("depth")?.unwrap_or(4))
/// }
/// ```
pub struct Game<'a> {
    raw: &'a raw::Game,
    host: Host,
    seat: usize,
    start: View,
    rules: &'a [raw::Setting],
    options: &'a [raw::Setting],
}

impl<'a> Game<'a> {
    /// # Safety
    ///
    /// What is not null is good for `'a`, and as long as its length says.
    pub(crate) unsafe fn read(at: *const raw::Game) -> Option<Game<'a>> {
        // SAFETY: the caller promises the struct and what it leads to.
        unsafe {
            let raw = read::structure(at)?;
            let host = Host::read(raw.host)?;
            Some(Game {
                raw,
                host,
                seat: read::seat(raw.seat).filter(|&seat| seat < raw.players as usize)?,
                start: View::read(host, raw.start)?,
                rules: read::list(raw.rules, raw.rule_count)?,
                options: read::list(raw.options, raw.option_count)?,
            })
        }
    }

    /// The game's id: `"othello"`.
    #[must_use]
    pub fn id(&self) -> &'a str {
        // SAFETY: `read` was promised texts good for 'a.
        unsafe { read::text(self.raw.game) }
    }

    /// The bot's own seat, from 0.
    #[must_use]
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// How many seats play, 2 to 6.
    #[must_use]
    pub fn players(&self) -> usize {
        self.raw.players as usize
    }

    /// Columns of the cells array.
    #[must_use]
    pub fn width(&self) -> usize {
        self.raw.width as usize
    }

    /// Rows of the cells array.
    #[must_use]
    pub fn height(&self) -> usize {
        self.raw.height as usize
    }

    /// Boards of the cells array; 1 but for ultimate tic-tac-toe.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.raw.depth as usize
    }

    /// The position before the opening moves, which are told as events.
    #[must_use]
    pub fn start(&self) -> &View {
        &self.start
    }

    /// [`start`](Game::start) as text.
    #[must_use]
    pub fn start_text(&self) -> &'a str {
        // SAFETY: `read` was promised texts good for 'a.
        unsafe { read::text(self.raw.start_text) }
    }

    /// Every option of the game, defaults too: `("columns", "7")`.
    pub fn rules(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        settings(self.rules)
    }

    /// One option of the game.
    #[must_use]
    pub fn rule(&self, key: &str) -> Option<&'a str> {
        find(self.rules(), key)
    }

    /// The options given to this bot.
    pub fn options(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        settings(self.options)
    }

    /// One option given to this bot, as text.
    #[must_use]
    pub fn option(&self, key: &str) -> Option<&'a str> {
        find(self.options(), key)
    }

    /// One option given to this bot, read as a value; `None` if it was not given.
    ///
    /// # Errors
    ///
    /// The text is no such value. The error says which option and why, and refuses the game when
    /// [`Bot::new`](crate::Bot::new) returns it.
    pub fn parse_option<T>(&self, key: &str) -> Result<Option<T>>
    where
        T: FromStr,
        T::Err: fmt::Display,
    {
        let parse = |text: &str| {
            text.parse().map_err(|why| Error::unsupported(format!("option {key}={text}: {why}")))
        };
        self.option(key).map(parse).transpose()
    }

    /// Refuses options other than these, so that a misspelt name is not overlooked.
    ///
    /// # Errors
    ///
    /// An option has another name. The error says which, and what there is.
    pub fn allow_options(&self, known: &[&str]) -> Result<()> {
        match self.options().find(|(key, _)| !known.contains(key)) {
            None => Ok(()),
            Some((key, _)) if known.is_empty() => {
                Err(Error::unsupported(format!("there is no option {key}: this bot has none")))
            }
            Some((key, _)) => {
                Err(Error::unsupported(format!("there is no option {key}: try {}", known.join(", "))))
            }
        }
    }

    /// Processor cores that the bot may keep busy, usually 1.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.raw.threads as usize
    }

    /// Refused answers after which the game is lost: 10,000 where the match sets no number (`--max-errors 0`).
    #[must_use]
    pub fn max_errors(&self) -> u32 {
        self.raw.max_errors
    }

    /// Bytes that the bot may use in all; `None` if nobody counts.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        (self.raw.memory != u64::MAX).then_some(self.raw.memory)
    }

    /// For the bot's own random numbers: see [`Random`](crate::Random).
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.raw.seed
    }

    /// The clock at the start; `None` if it never runs out.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        read::span(self.raw.time_ns)
    }

    /// Added to the clock after each of the bot's moves.
    #[must_use]
    pub fn increment(&self) -> Duration {
        read::span(self.raw.increment_ns).unwrap_or(Duration::MAX)
    }

    /// Most time for one move; `None` if there is no limit.
    #[must_use]
    pub fn move_limit(&self) -> Option<Duration> {
        read::span(self.raw.move_limit_ns)
    }

    /// A new position from text, under the rules of this game; `None` if the text says none.
    #[must_use]
    pub fn parse_position(&self, text: &str) -> Option<Position> {
        let text = CString::new(text).ok()?;
        // SAFETY: the table is the function's own, and the text outlives the call.
        let pos = unsafe { (self.host.table().pos_parse)(self.host.as_ptr(), text.as_ptr()) };
        // SAFETY: what pos_parse gives is new, and ours to free.
        unsafe { Position::own(self.host, pos) }
    }

    /// The arbiter's clock, log and report.
    #[must_use]
    pub fn host(&self) -> Host {
        self.host
    }
}

fn settings<'a>(list: &'a [raw::Setting]) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
    // SAFETY: `Game::read` was promised texts good for 'a.
    list.iter().map(|setting| unsafe { (read::text(setting.key), read::text(setting.value)) })
}

fn find<'a>(mut settings: impl Iterator<Item = (&'a str, &'a str)>, key: &str) -> Option<&'a str> {
    settings.find(|&(known, _)| known == key).map(|(_, value)| value)
}

impl fmt::Debug for Game<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("id", &self.id())
            .field("seat", &self.seat())
            .field("players", &self.players())
            .field("rules", &self.rules().collect::<Vec<_>>())
            .field("options", &self.options().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
