//! A transposition table of a fixed size.

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
    pub(crate) best: Move,
    pub(crate) score: i32,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    age: u8,
}

/// Deeper than any search: the score does not depend on the depth.
pub(crate) const TO_THE_END: u8 = u8::MAX;

impl Entry {
    /// Score, depth, bound and age in one word, and a bit that says that there is an entry.
    fn pack(self) -> u64 {
        let Entry { score, depth, bound, age, .. } = self;
        u64::from(score.cast_unsigned())
            | u64::from(depth) << 32
            | (bound as u64) << 40
            | u64::from(age) << 48
            | 1 << 63
    }

    fn unpack([_, best, packed]: [u64; 3]) -> Option<Entry> {
        (packed >> 63 == 1).then(|| Entry {
            best: Move::from_bits(best),
            score: (packed as u32).cast_signed(),
            depth: (packed >> 32) as u8,
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][(packed >> 40 & 3) as usize % 3],
            age: (packed >> 48) as u8,
        })
    }
}

/// A hash table of positions. Each has two places, one of which keeps what was searched most deeply.
///
/// Entries are plain words: key, move and the rest.
#[derive(Debug)]
pub(crate) struct Transpositions {
    entries: Vec<[u64; 3]>,
    age: u8,
}

impl Transpositions {
    /// As many entries as fit into so many bytes, which are all touched now and not during a turn.
    pub(crate) fn of(bytes: usize) -> Transpositions {
        let pairs = (bytes / (2 * size_of::<[u64; 3]>())).max(512);
        Transpositions { entries: vec![[u64::MAX, 0, 0]; 2 * pairs], age: 0 }
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
        let words = self.entries[place..place + 2].iter().find(|words| words[0] == key)?;
        Entry::unpack(*words)
    }

    pub(crate) fn put(&mut self, key: u64, best: Move, score: i32, depth: u8, bound: Bound) {
        let (place, age) = (self.place(key), self.age);
        let there = self.entries[place];
        let keep = there[0] != key
            && Entry::unpack(there).is_some_and(|entry| entry.age == age && entry.depth > depth);
        let entry = Entry { best, score, depth, bound, age };
        self.entries[place + usize::from(keep)] = [key, best.bits(), entry.pack()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out_and_deep_results_stay() {
        let mut known = Transpositions::of(0);
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for (score, depth) in [(0, 0), (-99_999, TO_THE_END), (99_999, 7)] {
                known.put(5, Move::place(63), score, depth, bound);
                let Entry { best, score: s, depth: d, bound: b, .. } = known.get(5).unwrap();
                assert_eq!((best, s, d, b), (Move::place(63), score, depth, bound));
            }
        }
        known.put(5, Move::PASS, 1, TO_THE_END, Bound::Exact);
        (100..100_000).for_each(|key| known.put(key, Move::place(1), 0, 1, Bound::Exact));
        assert_eq!(
            known.get(5).map(|entry| entry.best),
            Some(Move::PASS),
            "shallow results do not push it out"
        );
        assert!(known.get(3).is_none());
    }
}
