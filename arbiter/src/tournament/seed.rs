//! The seed of a match, and the seeds derived from it.

use sha2::{Digest, Sha256};
use std::fmt;

/// The seed of a match: any text. From one derived seed nobody can compute another, since each is a part of a SHA-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSeed(String);

impl MatchSeed {
    /// A seed that somebody chose.
    pub fn new(text: &str) -> MatchSeed {
        MatchSeed(text.to_owned())
    }

    /// 128 bits from the operating system's random source.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn random() -> Result<MatchSeed, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(MatchSeed(format!("{:032x}", u128::from_be_bytes(bytes))))
    }

    /// The seed of the chance in the games of a unit: they share it, as they share their opening.
    pub fn chance(&self, unit: u32) -> u64 {
        self.derive("chance", unit, 0)
    }

    /// The seed for the random plies of a unit's opening.
    pub fn opening(&self, unit: u32) -> u64 {
        self.derive("opening", unit, 0)
    }

    /// The seed that the player in a seat is given for its own random numbers.
    pub fn player(&self, game: u32, seat: usize) -> u64 {
        self.derive("player", game, seat as u32)
    }

    fn derive(&self, label: &str, number: u32, seat: u32) -> u64 {
        let mut text = Vec::with_capacity(64);
        for part in [self.0.as_bytes(), label.as_bytes()] {
            text.extend((part.len() as u64).to_be_bytes());
            text.extend(part);
        }
        text.extend(number.to_be_bytes());
        text.extend(seat.to_be_bytes());
        let digest = Sha256::digest(text);
        u64::from_be_bytes(digest[..8].try_into().expect("a SHA-256 has 32 bytes"))
    }
}

impl fmt::Display for MatchSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
