//! Sets of cells as bits, in the smallest word that holds the grid.

/// A set of cells. The wider the word, the slower the game, so each grid gets the smallest that fits.
pub(crate) trait Word: Copy + Send + Sync + 'static {
    /// How many bits there are.
    const BITS: u32;
    /// No cell.
    const EMPTY: Self;

    /// The set with one more bit.
    fn with(self, bit: u32) -> Self;

    /// Whether a bit is set.
    fn has(self, bit: u32) -> bool;

    /// Keeps the bits for which the bit that is so much higher is set too.
    fn paired(self, distance: u32) -> Self;

    /// The bits of both sets.
    fn or(self, other: Self) -> Self;

    /// Whether no bit is set.
    fn is_empty(self) -> bool;
}

macro_rules! primitive_word {
    ($word:ty) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const EMPTY: $word = 0;

            #[inline]
            fn with(self, bit: u32) -> $word {
                self | 1 << bit
            }

            #[inline]
            fn has(self, bit: u32) -> bool {
                self >> bit & 1 == 1
            }

            #[inline]
            fn paired(self, distance: u32) -> $word {
                self & self.checked_shr(distance).unwrap_or(0)
            }

            #[inline]
            fn or(self, other: $word) -> $word {
                self | other
            }

            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }
        }
    };
}

primitive_word!(u64);
primitive_word!(u128);

/// 448 bits, lowest first: enough for 20 columns of 20 cells and a sentinel each.
pub(crate) type Wide = [u64; 7];

impl Word for Wide {
    const BITS: u32 = 448;
    const EMPTY: Wide = [0; 7];

    fn with(mut self, bit: u32) -> Wide {
        self[(bit / 64) as usize] |= 1 << (bit % 64);
        self
    }

    fn has(self, bit: u32) -> bool {
        self[(bit / 64) as usize] >> (bit % 64) & 1 == 1
    }

    fn paired(self, distance: u32) -> Wide {
        let (words, bits) = ((distance / 64) as usize, distance % 64);
        let word = |i: usize| self.get(i).copied().unwrap_or(0);
        std::array::from_fn(|i| {
            let low = word(i + words) >> bits;
            let high = word(i + words + 1).checked_shl(64 - bits).unwrap_or(0);
            self[i] & (low | high)
        })
    }

    fn or(self, other: Wide) -> Wide {
        std::array::from_fn(|i| self[i] | other[i])
    }

    fn is_empty(self) -> bool {
        self == [0; 7]
    }
}
