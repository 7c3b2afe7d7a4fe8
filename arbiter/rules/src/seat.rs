//! Places at the table.

use std::fmt;

/// Most seats in one game.
pub const MAX_SEATS: usize = 6;

/// A place at the table, counted from 0 in turn order. Invariant: below [`MAX_SEATS`].
///
/// ```
/// use arbiter_rules::Seat;
/// let second = Seat::new(1).unwrap();
/// assert_eq!((second.index(), second.to_string()), (1, "2".to_owned()));
/// assert_eq!(Seat::new(6), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(u8);

impl Seat {
    /// The seat that moves first.
    pub const FIRST: Seat = Seat(0);
    /// The seat that moves second.
    pub const SECOND: Seat = Seat(1);

    /// The seat with this index, or `None` from [`MAX_SEATS`] on.
    #[must_use]
    pub const fn new(index: usize) -> Option<Seat> {
        if index < MAX_SEATS { Some(Seat(index as u8)) } else { None }
    }

    /// Counted from 0, for indexing arrays by seat.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The other seat of a game for two.
    #[must_use]
    pub const fn opponent(self) -> Seat {
        Seat(self.0 ^ 1)
    }

    /// The first `count` seats in turn order; at most [`MAX_SEATS`].
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        (0..count.min(MAX_SEATS)).map(|index| Seat(index as u8))
    }
}

/// Counted from 1, as people count.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}
