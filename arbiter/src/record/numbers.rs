//! Sets of game numbers, a bit each.

use std::collections::BTreeSet;

/// A set of numbers.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    words: Vec<u64>,
    /// Those that are too large for a bit of their own: no schedule has them, but a forged file may.
    far: BTreeSet<u32>,
}

/// Numbers from here on have no bit of their own.
const FAR: u32 = 1 << 26;

impl Numbers {
    /// Adds a number; false if it was there.
    pub fn insert(&mut self, number: u32) -> bool {
        if number >= FAR {
            return self.far.insert(number);
        }
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Whether a number is there.
    pub fn contains(&self, number: u32) -> bool {
        if number >= FAR {
            return self.far.contains(&number);
        }
        self.words.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The largest number.
    pub fn last(&self) -> Option<u32> {
        let in_word = |(index, word): (usize, &u64)| {
            (*word != 0).then(|| index as u32 * 64 + 63 - word.leading_zeros())
        };
        let near = self.words.iter().enumerate().rev().find_map(in_word);
        self.far.last().copied().or(near)
    }
}
