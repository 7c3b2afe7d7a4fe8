//! What the referee's side and the bot's side say to each other, as plain values.
//!
//! A message to the child is one [`Request`] followed by any number of [`Happening`]s; the answer is one [`Reply`].
//! Both sides are always of the same build, so the form has no versions. The referee's side treats every reply as
//! hostile: it is decoded from a private copy, and nothing in it is believed.

use super::LoadError;
use crate::verdict::{Fault, Phase, Shortage};
use arbiter_plugin_api::raw;
use arbiter_rules::MAX_SEATS;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What the child is asked to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request<'a> {
    Load(Load),
    Create,
    NewGame(#[serde(borrow)] GameStart<'a>),
    Turn(TurnStart),
    GameOver(#[serde(borrow)] GameEnd<'a>),
    Quit,
}

/// What is to be loaded. The files themselves come another way where they are copies in memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Load {
    /// What the bot is called in messages: its path.
    pub(super) name: String,
    /// The path of its library, for systems that load the file itself.
    pub(super) library: String,
    /// What a bridge has found, where the library is one.
    pub(super) found: Option<String>,
    pub(super) payload: Option<LoadPayload>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LoadPayload {
    /// Its name without folders.
    pub(super) name: String,
    pub(super) sha256: String,
    /// Its path, for systems that read the file itself.
    pub(super) path: String,
}

/// A game begins: what `arbiter_game` of the header says. Times are in nanoseconds; `i64::MAX` is no limit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameStart<'a> {
    pub(crate) game: &'a str,
    pub(crate) players: u8,
    pub(crate) text: &'a str,
    #[serde(borrow)]
    pub(crate) rules: Vec<(&'a str, Cow<'a, str>)>,
    #[serde(borrow)]
    pub(crate) options: Vec<(&'a str, &'a str)>,
    /// The bot's seat, from 0.
    pub(crate) seat: u8,
    pub(crate) seed: u64,
    /// Refused answers after which the game is lost.
    pub(crate) max_errors: u32,
    pub(crate) threads: u32,
    pub(crate) memory: u64,
    pub(crate) time_ns: i64,
    pub(crate) increment_ns: i64,
    pub(crate) move_limit_ns: i64,
}

/// A turn of the bot. Times are in nanoseconds; `i64::MAX` is no limit.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct TurnStart {
    pub(crate) attempt: u32,
    pub(crate) time: TurnTime,
    #[serde(with = "limits")]
    pub(crate) clocks_ns: [i64; MAX_SEATS],
}

/// What the stop level of a turn depends on. Times are in nanoseconds, [`NEVER`](super::clock::NEVER) for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TurnTime {
    /// When it started, on the system's monotonic clock.
    pub(crate) started: i64,
    pub(crate) soft: i64,
    pub(crate) stop: i64,
    pub(crate) hard: i64,
    /// What the processor clock of the bot's process (`CLOCK_PROCESS_CPUTIME_ID`) showed when nothing had been charged for
    /// this turn; [`NEVER`](super::clock::NEVER) where wall time alone counts.
    pub(crate) cpu: i64,
    /// How many threads the charge is divided by; 0 between turns.
    pub(crate) threads: i64,
}

/// No limit is a byte here and ten as a number, and most seats are nobody's.
mod limits {
    use super::{Deserialize, MAX_SEATS, Serialize, raw};
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(limits: &[i64; MAX_SEATS], to: S) -> Result<S::Ok, S::Error> {
        limits.map(|ns| (ns != raw::NO_LIMIT).then_some(ns)).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[i64; MAX_SEATS], D::Error> {
        let limits = <[Option<i64>; MAX_SEATS]>::deserialize(from)?;
        Ok(limits.map(|ns| ns.unwrap_or(raw::NO_LIMIT)))
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameEnd<'a> {
    pub(crate) ranks: &'a [u8],
    pub(crate) scores: Option<Vec<i32>>,
    pub(crate) reason: &'a str,
}

/// Something that happened in the game since the bot's last turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Happening {
    Played(PlayedMove),
    Eliminated { seat: u8, reason: String },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayedMove {
    pub(crate) seat: u8,
    pub(crate) played: u64,
    /// The cells in between as they were given.
    pub(crate) path: Vec<u16>,
    /// Not chosen by the player.
    pub(crate) forced: bool,
    pub(crate) took_ns: i64,
    pub(crate) fallen: Vec<(u16, u32)>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    Loaded(Greeting),
    NotLoaded(LoadError),
    /// The machine did not let the child get ready.
    NotReady(String),
    Returned(Returned),
    Answered(Answered),
    /// The child could not follow the game.
    Lost(String),
}

/// What is wrong with games that are listed like `Othello, Stacks`.
pub(crate) const HOW_IDS_ARE_WRITTEN: &str = "ids of games are in small letters, with blanks between them";

/// What a bot says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// Its name: at least one word, one space between two, at most 63 bytes.
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

impl Greeting {
    /// Whether it says that it plays a game, or names none.
    pub fn plays(&self, game: &str) -> bool {
        self.games.is_empty() || self.games.iter().any(|known| known == game)
    }

    /// The games it plays, in words.
    pub fn repertoire(&self) -> String {
        let is_id = |name: &String| {
            name.chars().all(|letter| letter == '-' || letter.is_ascii_lowercase() || letter.is_ascii_digit())
        };
        match &self.games[..] {
            [] => "any game".to_owned(),
            games if games.iter().all(is_id) => games.join(", "),
            games => format!("'{}' ({HOW_IDS_ARE_WRITTEN})", games.join(" ")),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Returned {
    pub(crate) status: i32,
    /// The last error that the bot logged during the call.
    pub(crate) message: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answered {
    pub(crate) returned: Returned,
    pub(crate) chosen: u64,
    pub(crate) path: Option<Vec<i32>>,
    pub(crate) finding: Option<Box<Finding>>,
    pub(crate) values: Option<Box<Values>>,
    /// How many instructions it took, where they are counted.
    pub(crate) used: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// From its side.
    pub(crate) score: Option<i32>,
    /// The line it expects, as numbers of moves.
    pub(crate) line: Vec<u64>,
    pub(crate) text: String,
}

/// What a bot thinks of the moves it could choose from, copied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Values {
    pub(crate) depth: u32,
    /// Numbers of moves, scores from its side, and how they are meant.
    pub(crate) moves: Vec<(u64, i32, u32)>,
}

impl Returned {
    /// What a status means, for a bot that may use so many bytes. Every one but `OK` is a fault.
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
            raw::ERR_PANIC => {
                // The kit for Rust logs the word that the sentence of the fault begins with.
                let message = self.message.strip_prefix("panicked: ").unwrap_or(&self.message).to_owned();
                Err(Fault::Panicked { during, message })
            }
            status => Err(Fault::Failed { during, status }),
        }
    }
}

impl Answered {
    /// The same of an answer to a turn: itself, where it is one.
    pub(crate) fn judged(self, memory: u64) -> Result<Answered, Fault> {
        match self.returned.status {
            raw::RESIGN => Err(Fault::Resigned),
            _ => self.returned.judge(Phase::Move, memory).map(|()| self),
        }
    }
}

/// Bytes of the longest name of a bot.
pub(super) const LONGEST_NAME: usize = 63;
/// Bytes of the longest of the other texts in a bot's table.
pub(super) const LONGEST_TEXT: usize = 1023;
/// Bytes of the longest message that a bot logs or reports.
pub(super) const LONGEST_MESSAGE: usize = 4096;
/// Most moves of an expected line that are kept.
pub(super) const LONGEST_EXPECTED: usize = 64;

// The child keeps these limits by itself. They are enforced again here, since a bot may have overwritten the child's
// memory.

impl Greeting {
    /// # Errors
    /// It has no name.
    pub(super) fn clip(&mut self) -> Result<(), LoadError> {
        cut(&mut self.name, LONGEST_NAME);
        self.name = name_of(&self.name)?;
        for text in [&mut self.version, &mut self.author, &mut self.about] {
            cut(text, LONGEST_TEXT);
        }
        self.games.truncate(LONGEST_TEXT / 2 + 1);
        self.games.iter_mut().for_each(|id| cut(id, LONGEST_TEXT));
        Ok(())
    }
}

/// What a bot is called that calls itself so: words with one space between them, since names that differ by blanks look alike.
///
/// # Errors
/// There is no word.
pub(super) fn name_of(said: &str) -> Result<String, LoadError> {
    let name = said.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() { Err(LoadError::FieldMissing("name".to_owned())) } else { Ok(name) }
}

impl Returned {
    pub(super) fn clip(&mut self) {
        cut(&mut self.message, LONGEST_MESSAGE);
    }
}

impl Answered {
    pub(super) fn clip(&mut self) {
        self.returned.clip();
        if let Some(path) = &mut self.path {
            path.truncate(raw::MAX_ANSWER as usize);
        }
        if let Some(finding) = &mut self.finding {
            cut(&mut finding.text, LONGEST_MESSAGE);
            finding.line.truncate(LONGEST_EXPECTED);
        }
        if let Some(values) = &mut self.values {
            values.moves.truncate(raw::MAX_MOVES as usize);
        }
    }
}

pub(super) fn cut(text: &mut String, limit: usize) {
    text.truncate(end_within(text, limit));
}

/// Where a text ends that is cut to so many bytes, between two letters.
pub(super) fn end_within(text: &str, limit: usize) -> usize {
    (0..=limit.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

pub(super) fn write(message: &impl Serialize, into: &mut Vec<u8>) {
    postcard::to_extend(message, Onto(into)).expect("our messages hold only what can be encoded");
}

/// Numbers are a few bytes each, for which `io::Write` would call a function that copies many.
struct Onto<'a>(&'a mut Vec<u8>);

impl Extend<u8> for Onto<'_> {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        self.0.extend(bytes);
    }
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
        assert_eq!(greeting.clip(), Ok(()));
        assert_eq!(greeting.name, "é".repeat(31));
        assert_eq!((greeting.about.len(), greeting.games.len()), (LONGEST_TEXT, 512));
    }

    /// A bot that answers in its host's place could otherwise make a report that `verify` does not read.
    #[test]
    fn a_bot_that_greets_without_a_name_is_refused_as_if_its_table_had_none() {
        for name in ["", " \t\u{a0}"] {
            let mut greeting = Greeting { name: name.to_owned(), ..Greeting::default() };
            assert_eq!(greeting.clip(), Err(LoadError::FieldMissing("name".to_owned())), "{name:?}");
        }
    }

    #[test]
    fn games_with_commas_or_capital_letters_are_told_how_ids_are_written() {
        let words = |games: &str| {
            let games = games.split(' ').map(str::to_owned).collect();
            Greeting { games, ..Greeting::default() }.repertoire()
        };
        assert_eq!(words("othello connect-four"), "othello, connect-four");
        for games in ["othello, stacks", "Othello", "othello,stacks"] {
            assert_eq!(words(games), format!("'{games}' ({HOW_IDS_ARE_WRITTEN})"));
        }
    }

    #[test]
    fn that_a_bot_in_rust_panicked_is_said_once() {
        let returned = Returned { status: raw::ERR_PANIC, message: "panicked: out of ideas".to_owned() };
        let fault = returned.judge(Phase::Move, 0).unwrap_err();
        assert_eq!(fault.sentence(), "panicked in choose_move: out of ideas");
    }
}
