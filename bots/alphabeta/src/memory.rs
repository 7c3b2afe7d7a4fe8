//! What is remembered of positions: a hash table of a fixed size.

use arbiter_rules::Move;

/// What a remembered score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The score.
    Exact,
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    key: u64,
    pub(crate) best: Move,
    pub(crate) score: i32,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    age: u8,
}

/// Deeper than any search: the score does not depend on the depth.
pub(crate) const TO_THE_END: u8 = u8::MAX;

/// A hash table of positions. Each has two places, one of which keeps what was searched most deeply.
#[derive(Debug)]
pub(crate) struct Memory {
    entries: Vec<Option<Entry>>,
    age: u8,
}

impl Memory {
    /// As many entries as fit into so many bytes.
    pub(crate) fn of(bytes: usize) -> Memory {
        let pairs = (bytes / (2 * size_of::<Option<Entry>>())).max(512);
        Memory { entries: vec![None; 2 * pairs], age: 0 }
    }

    /// A new search begins: older entries are the first to go.
    pub(crate) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    fn place(&self, key: u64) -> usize {
        let pairs = self.entries.len() as u128 / 2;
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        2 * ((u128::from(spread) * pairs) >> 64) as usize
    }

    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let place = self.place(key);
        self.entries[place..place + 2].iter().flatten().find(|entry| entry.key == key).copied()
    }

    pub(crate) fn put(&mut self, key: u64, best: Move, score: i32, depth: u8, bound: Bound) {
        let (place, age) = (self.place(key), self.age);
        let deep = &self.entries[place];
        let keep = deep.is_some_and(|entry| entry.key != key && entry.age == age && entry.depth > depth);
        self.entries[place + usize::from(keep)] = Some(Entry { key, best, score, depth, bound, age });
    }
}
