//! What the referee's side and the bot's side say to each other, as plain values.
//!
//! A message to the child is one [`Request`] followed by any number of [`Happening`]s; the answer is one [`Reply`].
//! Both sides are always the same program, so the form has no versions. The referee's side treats every reply as
//! hostile: it is decoded from a private copy, and nothing in it is believed.

use super::LoadError;
use crate::verdict::{Fault, Phase, Shortage};
use arbiter_plugin_api::raw;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What the child is asked to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request<'a> {
    /// Confine yourself and load the bot.
    Load(&'a str),
    /// Call `create`.
    Create,
    /// Call `new_game`.
    NewGame(#[serde(borrow)] GameStart<'a>),
    /// Tell what happened, then call `choose_move`.
    Turn(TurnStart),
    /// Tell what happened, then call `game_over`.
    GameOver(#[serde(borrow)] GameEnd<'a>),
    /// Call `destroy` and end.
    Quit,
}

/// A game begins. Times are in nanoseconds; `i64::MAX` is no limit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameStart<'a> {
    /// The id of the game.
    pub(crate) game: &'a str,
    /// Seats in it.
    pub(crate) players: u8,
    /// The position before the opening.
    pub(crate) text: &'a str,
    /// Every option of the game.
    #[serde(borrow)]
    pub(crate) rules: Vec<(&'a str, Cow<'a, str>)>,
    /// The options of the bot.
    #[serde(borrow)]
    pub(crate) options: Vec<(&'a str, &'a str)>,
    /// The bot's seat, from 0.
    pub(crate) seat: u8,
    /// For the bot's random numbers.
    pub(crate) seed: u64,
    /// Refused answers after which the game is lost.
    pub(crate) max_errors: u32,
    /// Cores that the bot may keep busy.
    pub(crate) threads: u32,
    /// Bytes that the bot may use.
    pub(crate) memory: u64,
    /// The clock at the start.
    pub(crate) time_ns: i64,
    /// Added after each move.
    pub(crate) increment_ns: i64,
    /// Most time for one move.
    pub(crate) move_limit_ns: i64,
}

/// A turn of the bot. Times are in nanoseconds; `i64::MAX` is no limit.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct TurnStart {
    /// Answers to this turn that were refused.
    pub(crate) attempt: u32,
    /// When the clock started, on the system's monotonic clock.
    pub(crate) started_ns: i64,
    /// The time for the answer.
    pub(crate) hard_ns: i64,
    /// A sensible part of it.
    pub(crate) soft_ns: i64,
    /// When the bot is told to stop.
    pub(crate) stop_ns: i64,
    /// What the processor clock of the bot's process (`CLOCK_PROCESS_CPUTIME_ID`) showed when nothing had been charged for
    /// this turn; [`NEVER`](super::clock::NEVER) where wall time is charged.
    pub(crate) cpu_ns: i64,
    /// The threads by which processor time is divided.
    pub(crate) threads: u32,
    /// What every seat has left.
    pub(crate) clocks_ns: [i64; arbiter_rules::MAX_SEATS],
}

/// The end of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameEnd<'a> {
    /// The rank of every seat; equal ranks are ties.
    pub(crate) ranks: &'a [u8],
    /// One number a seat, in games that count something.
    pub(crate) scores: Option<Vec<i32>>,
    /// Why the game ended.
    pub(crate) reason: &'a str,
}

/// Something that happened in the game since the bot's last turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Happening<'a> {
    /// A move was played.
    Played(#[serde(borrow)] PlayedMove<'a>),
    /// A seat left the game.
    Eliminated {
        /// Who.
        seat: u8,
        /// Why, as a code.
        reason: Cow<'a, str>,
    },
}

/// A move that was played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayedMove<'a> {
    /// Who moved.
    pub(crate) seat: u8,
    /// The number of the move.
    pub(crate) played: u64,
    /// The cells in between as they were given.
    pub(crate) path: Cow<'a, [u16]>,
    /// Not chosen by the player.
    pub(crate) forced: bool,
    /// What it took.
    pub(crate) took_ns: i64,
    /// What chance did after it.
    pub(crate) fallen: Cow<'a, [(u16, u32)]>,
}

/// What the child answers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// The bot is loaded.
    Loaded(Greeting),
    /// The bot cannot be loaded.
    NotLoaded(LoadError),
    /// A function of the bot returned.
    Returned(Returned),
    /// `choose_move` returned.
    Answered(Answered),
    /// The child could not follow the game.
    Lost(String),
}

/// What a bot says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// Its name, never empty, at most 63 bytes.
    pub name: String,
    /// Its version; empty where it gives none, like the texts below.
    pub version: String,
    /// Who made it.
    pub author: String,
    /// One line about it.
    pub about: String,
    /// The games it plays; empty for any.
    pub games: Vec<String>,
    /// The ABI that it was built with, as `major << 16 | minor`.
    pub abi: u32,
    /// The flags of its table.
    pub flags: u32,
}

/// What a function of a bot returned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Returned {
    /// Its status.
    pub(crate) status: i32,
    /// The last error that the bot logged during the call.
    pub(crate) message: String,
}

/// What `choose_move` answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answered {
    /// Its status, and what the bot logged.
    pub(crate) returned: Returned,
    /// The number it put into `*move`.
    pub(crate) chosen: u64,
    /// The path it gave.
    pub(crate) path: Option<Vec<i32>>,
    /// What it said of its search.
    pub(crate) finding: Option<Finding>,
    /// What it said of the moves it could choose from.
    pub(crate) values: Option<Values>,
}

/// What a bot reported, copied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finding {
    /// Plies searched, or 0.
    pub(crate) depth: u32,
    /// Positions looked at, or 0.
    pub(crate) nodes: u64,
    /// From its side.
    pub(crate) score: Option<i32>,
    /// The line it expects, as numbers of moves.
    pub(crate) line: Vec<u64>,
    /// A line for people.
    pub(crate) text: String,
}

/// What a bot thinks of the moves it could choose from, copied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Values {
    /// Plies searched, or 0.
    pub(crate) depth: u32,
    /// Numbers of moves, scores from its side, and how they are meant.
    pub(crate) moves: Vec<(u64, i32, u32)>,
}

impl Returned {
    /// What a status means, for a bot that may use so many bytes.
    ///
    /// # Errors
    /// Every status but `OK`.
    pub(crate) fn judge(&self, during: Phase, memory: u64) -> Result<(), Fault> {
        match self.status {
            raw::OK => Ok(()),
            raw::ERR_UNSUPPORTED if during == Phase::NewGame => {
                Err(Fault::Unsupported { message: self.message.clone() })
            }
            raw::ERR_MEMORY => Err(Fault::OutOfMemory {
                during,
                limit: memory,
                shortage: Shortage::Admitted { status: raw::ERR_MEMORY },
            }),
            raw::ERR_PANIC => Err(Fault::Panicked { during, message: self.message.clone() }),
            status => Err(Fault::Failed { during, status }),
        }
    }
}

impl Answered {
    /// The answer, unless the status says that there is none.
    ///
    /// # Errors
    /// Every status but `OK`.
    pub(crate) fn judge(self, memory: u64) -> Result<Answered, Fault> {
        match self.returned.status {
            raw::RESIGN => Err(Fault::Resigned),
            _ => self.returned.judge(Phase::Move, memory).map(|()| self),
        }
    }
}

/// Longest name of a bot, in bytes.
pub(super) const LONGEST_NAME: usize = 63;
/// Longest of the other texts in a bot's table.
pub(super) const LONGEST_TEXT: usize = 1023;
/// Longest message of a bot that is kept.
pub(super) const LONGEST_MESSAGE: usize = 4096;
/// Most moves of an expected line that are kept.
pub(super) const LONGEST_LINE: usize = 64;

/// Limits that the child keeps to by itself as long as the bot has not got at it.
pub(super) trait Clip {
    /// Cuts what is longer than allowed.
    fn clip(&mut self);
}

impl Clip for Greeting {
    fn clip(&mut self) {
        cut(&mut self.name, LONGEST_NAME);
        for text in [&mut self.version, &mut self.author, &mut self.about] {
            cut(text, LONGEST_TEXT);
        }
        self.games.truncate(LONGEST_TEXT / 2 + 1);
        self.games.iter_mut().for_each(|id| cut(id, LONGEST_TEXT));
    }
}

impl Clip for Returned {
    fn clip(&mut self) {
        cut(&mut self.message, LONGEST_MESSAGE);
    }
}

impl Clip for Answered {
    fn clip(&mut self) {
        self.returned.clip();
        if let Some(path) = &mut self.path {
            path.truncate(raw::MAX_ANSWER as usize);
        }
        if let Some(finding) = &mut self.finding {
            cut(&mut finding.text, LONGEST_MESSAGE);
            finding.line.truncate(LONGEST_LINE);
        }
        if let Some(values) = &mut self.values {
            values.moves.truncate(raw::MAX_MOVES as usize);
        }
    }
}

/// Cuts a text to at most so many bytes.
pub(super) fn cut(text: &mut String, limit: usize) {
    if text.len() > limit {
        let end = (0..=limit).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(end);
    }
}

/// Appends a message.
pub(super) fn write(message: &impl Serialize, into: &mut Vec<u8>) {
    let bytes = std::mem::take(into);
    *into = postcard::to_extend(message, bytes).expect("our messages hold only what can be encoded");
}

/// Appends something that happened, to be told with the next turn.
pub(crate) fn write_happening(happening: &Happening<'_>, into: &mut Vec<u8>) {
    write(happening, into);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_bot_says_is_cut_to_its_limits_between_letters() {
        let name = "é".repeat(40);
        let none = String::new;
        let (version, author, about) = (none(), none(), "x".repeat(5000));
        let mut greeting =
            Greeting { name, version, author, about, games: vec![none(); 9999], abi: 0, flags: 0 };
        greeting.clip();
        assert_eq!(greeting.name, "é".repeat(31));
        assert_eq!((greeting.about.len(), greeting.games.len()), (LONGEST_TEXT, 512));
    }

    #[test]
    fn any_bytes_from_a_bot_are_a_reply_or_an_error() {
        let mut random = arbiter_rules::Random::new(7);
        for length in (0..2000).map(|n| n % 64) {
            let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
            let _ = postcard::from_bytes::<Reply>(&bytes);
        }
    }
}
