//! Random numbers for bots.

/// Random numbers from a seed: the same seed, the same numbers.
///
/// Made from [`Game::seed`](crate::Game::seed), they let a bot vary its play from game to game and still play
/// the same when a match is run again. (The generator is SplitMix64: quick and even, not secret.)
///
/// ```
/// use arbiter_plugin_api::Random;
///
/// let mut random = Random::new(7);
/// assert!(random.below(6) < 6);
/// assert_eq!(random.pick(&["only"]), Some(&"only"));
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Numbers from this seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `end - 1`.
    ///
    /// # Panics
    ///
    /// When `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "there is a number below the end");
        // The upper half of a 128-bit product: even to one part in 2^64 / end.
        let product = u128::from(self.bits()) * end as u128;
        usize::try_from(product >> 64).expect("the upper half is below a usize")
    }

    /// One of these, or `None` if there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { Some(&from[self.below(from.len())]) }
    }

    /// Puts these in random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}
