//! How strong a bot should be.

use arbiter_plugin_api::{Error, Random};
use arbiter_rules::{Move, Position};
use std::str::FromStr;

/// How strong a bot should be, from 1 to [`Level::FULL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// Everything that the bot can do.
    pub const FULL: Level = Level(10);

    /// Whether nothing is held back.
    #[must_use]
    pub fn is_full(self) -> bool {
        self == Level::FULL
    }

    /// The value for this level, from one for each of the ten.
    #[must_use]
    pub fn pick<T: Copy>(self, by_level: [T; 10]) -> T {
        by_level[usize::from(self.0) - 1]
    }
}

/// A random move, so many times in a hundred.
pub fn blunder(percent: usize, position: &Position, random: &mut Random) -> Option<Move> {
    (random.below(100) < percent).then(|| position.nth_legal(random.below(position.legal_count())))
}

impl FromStr for Level {
    type Err = Error;

    fn from_str(text: &str) -> Result<Level, Error> {
        match text.parse() {
            Ok(number @ 1..=10) => Ok(Level(number)),
            _ => Err(Error::unsupported("levels go from 1, the weakest, to 10, the strongest")),
        }
    }
}
