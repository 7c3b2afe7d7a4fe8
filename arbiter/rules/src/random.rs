//! Deterministic random numbers: the SplitMix64 generator.

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): the same numbers from the
/// same seed on every machine. Not for secrets.
///
/// ```
/// let mut random = arbiter_rules::Random::new(0);
/// assert_eq!(random.bits(), 0xE220_A839_7B1D_CDAF);
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

/// The odd number that the state advances by.
pub(crate) const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finalizer of SplitMix64.
pub(crate) const fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Random {
    /// A generator that starts from this state.
    #[must_use]
    pub const fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next 64 bits.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A number below `bound`, which is not 0, by multiplication (Lemire 2019, without the rejection step: for
    /// bounds below 2^16 the bias is under 2^-48).
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }
}

/// A key for positions of more than 128 bits: two hashes of 64 bits that start apart.
pub(crate) fn key_of(words: impl IntoIterator<Item = u64>) -> u128 {
    let (mut upper, mut lower) = (GOLDEN, 0);
    for word in words {
        upper = mix(upper ^ word).wrapping_add(GOLDEN);
        lower = mix(lower ^ word).wrapping_add(GOLDEN);
    }
    u128::from(upper) << 64 | u128::from(lower)
}
