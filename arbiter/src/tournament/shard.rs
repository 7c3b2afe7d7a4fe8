//! Parts of a schedule that are played by different machines.

use std::fmt;
use std::str::FromStr;

/// The units whose number and `index` leave the same rest when divided by `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    count: u32,
}

/// The most parts.
const MOST: u32 = 1_000_000;

impl Shard {
    /// Part `index` of `count`, from 1. `None` for parts that do not exist.
    pub fn new(index: u32, count: u32) -> Option<Shard> {
        let is_there = count <= MOST && (1..=count).contains(&index);
        is_there.then_some(Shard { index, count })
    }

    /// Whether a unit belongs to this part.
    pub fn has(self, unit: u32) -> bool {
        unit % self.count == self.index % self.count
    }

    /// The number of the part, from 1: part `count` plays units 0, `count`, …
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many parts there are.
    pub fn count(self) -> u32 {
        self.count
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index(), self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let form = || format!("a part is written 2/4: its number and how many there are, at most {MOST}");
        let (index, count) = text.split_once('/').ok_or_else(form)?;
        let (index, count) = (index.parse().map_err(|_| form())?, count.parse().map_err(|_| form())?);
        Shard::new(index, count)
            .ok_or_else(|| format!("there is no part {index} of {count}: parts are numbered from 1"))
    }
}
