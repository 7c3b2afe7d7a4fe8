//! The positions that a game has gone through, for repetition rules.

use std::sync::Arc;

/// Keys kept in the open end before they are sealed into a shared chunk.
const CHUNK: usize = 64;

/// The keys of past positions, oldest first. Copies share all but the newest few keys, so copying a position
/// after a thousand plies costs no more than after ten.
#[derive(Debug, Default)]
pub(crate) struct History {
    sealed: Option<Arc<Chunk>>,
    open: Vec<u128>,
}

#[derive(Debug)]
struct Chunk {
    /// One bit for every value of ten bits of a key: most chunks can tell from it that they do not hold a key.
    seen: [u64; 16],
    before: Option<Arc<Chunk>>,
    keys: Vec<u128>,
}

impl Clone for History {
    fn clone(&self) -> History {
        History { sealed: self.sealed.clone(), open: self.open.clone() }
    }

    /// Keeps the memory of the open end.
    fn clone_from(&mut self, other: &History) {
        self.sealed.clone_from(&other.sealed);
        self.open.clone_from(&other.open);
    }
}

impl Chunk {
    fn new(before: Option<Arc<Chunk>>, keys: Vec<u128>) -> Chunk {
        let mut seen = [0; 16];
        for &key in &keys {
            seen[key as usize >> 6 & 15] |= 1 << (key & 63);
        }
        Chunk { seen, before, keys }
    }

    fn count(&self, key: u128) -> usize {
        if self.seen[key as usize >> 6 & 15] >> (key & 63) & 1 == 0 {
            return 0;
        }
        self.keys.iter().filter(|&&past| past == key).count()
    }
}

impl History {
    pub(crate) fn push(&mut self, key: u128) {
        if self.open.len() == CHUNK {
            let keys = std::mem::replace(&mut self.open, Vec::with_capacity(CHUNK));
            self.sealed = Some(Arc::new(Chunk::new(self.sealed.take(), keys)));
        }
        self.open.push(key);
    }

    pub(crate) fn pop(&mut self) {
        if self.open.is_empty()
            && let Some(chunk) = self.sealed.take()
        {
            self.open.extend_from_slice(&chunk.keys);
            self.sealed = chunk.before.clone();
        }
        self.open.pop();
    }

    pub(crate) fn clear(&mut self) {
        self.sealed = None;
        self.open.clear();
    }

    /// How often a key has occurred.
    pub(crate) fn count(&self, key: u128) -> u32 {
        let mut found = self.open.iter().filter(|&&past| past == key).count();
        let mut next = self.sealed.as_ref();
        while let Some(chunk) = next {
            found += chunk.count(key);
            next = chunk.before.as_ref();
        }
        found as u32
    }
}

impl Drop for Chunk {
    /// Frees a long chain in a loop: the derived drop would recurse once per chunk.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut chunk) = next.and_then(Arc::into_inner) {
            next = chunk.before.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_counts_what_the_original_saw_and_nothing_after() {
        let mut original = History::default();
        (0..200).for_each(|key| original.push(key % 50));
        let mut copy = original.clone();
        original.push(7);
        assert_eq!((original.count(7), copy.count(7)), (5, 4));
        (0..150).for_each(|_| copy.pop());
        assert_eq!((copy.count(7), copy.count(49), copy.count(50)), (1, 1, 0));
        copy.clear();
        assert_eq!(copy.count(0), 0);
    }

    #[test]
    fn a_game_of_a_million_plies_is_freed_without_overflowing_the_stack() {
        let mut long = History::default();
        (0..1_000_000).for_each(|key| long.push(key));
        drop(long);
    }
}
