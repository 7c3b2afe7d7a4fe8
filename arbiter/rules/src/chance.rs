//! What chance does after a move.

/// A chance event that followed a move: which cells lost how many pieces. Empty where nothing happened, and
/// always in games without chance. Sorted by cell.
///
/// ```
/// use arbiter_rules::{ChanceSource, Setup, registry};
///
/// let setup = Setup { options: &[("earthquake", "true")], ..Setup::default() };
/// let mut position = registry::start("stacks", &setup).unwrap();
/// let m = position.nth_legal(0);
/// let chance = position.draw_chance(m, ChanceSource::GameSeed(7));
/// position.play(m, &chance).unwrap();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chance {
    /// Pairs of a cell and the number of pieces that fell off its top, at least 1.
    pub fallen: Vec<(u16, u32)>,
}

impl Chance {
    /// Nothing happened.
    pub const NONE: Chance = Chance { fallen: Vec::new() };

    /// Whether nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fallen.is_empty()
    }
}

/// Where the numbers behind a chance event come from.
#[derive(Clone, Copy, Debug)]
pub enum ChanceSource {
    /// The seed of the game: every turn has its own generator, so a verifier can draw each turn anew.
    GameSeed(u64),
    /// A random number of the caller's own, for bots that sample what may happen.
    Sample(u64),
}
