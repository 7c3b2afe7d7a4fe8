//! Which branches play, and in which order.

use super::board::Branch;
use crate::seat::Seat;

/// Branches as bits. Turns go round in the order of the branches, so a set also tells who is next and which seat
/// a branch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branches(u8);

impl Branches {
    pub(super) const NONE: Branches = Branches(0);

    /// The branches of a game for so many players.
    pub(super) fn of_players(players: usize) -> Option<Branches> {
        match players {
            2 => Some(Branches(0b00_1001)),
            3 => Some(Branches(0b01_0101)),
            4 => Some(Branches(0b01_1011)),
            6 => Some(Branches(0b11_1111)),
            _ => None,
        }
    }

    pub(super) fn contains(self, branch: Branch) -> bool {
        self.0 >> branch.index() & 1 == 1
    }

    pub(super) fn contains_all(self, other: Branches) -> bool {
        other.0 & !self.0 == 0
    }

    pub(super) fn with(self, branch: Branch) -> Branches {
        Branches(self.0 | 1 << branch.index())
    }

    pub(super) fn without(self, branch: Branch) -> Branches {
        Branches(self.0 & !(1 << branch.index()))
    }

    pub(super) fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Branch> {
        Branch::ALL.into_iter().filter(move |&branch| self.contains(branch))
    }

    /// The next branch of this set, clockwise.
    #[inline]
    pub(super) fn after(self, branch: Branch) -> Branch {
        let later = self.0 & !((2 << branch.index()) - 1);
        let next = if later == 0 { self.0 } else { later };
        Branch::ALL[next.trailing_zeros() as usize]
    }

    /// The seat that a branch of this set has.
    pub(super) fn seat(self, branch: Branch) -> Seat {
        let before = self.0 & ((1 << branch.index()) - 1);
        Seat::new(before.count_ones() as usize).expect("there are six branches and six seats")
    }

    /// The branch that a seat has.
    pub(super) fn branch(self, seat: Seat) -> Option<Branch> {
        self.iter().nth(seat.index())
    }
}

/// The letters, as people list them: `A, C, E`.
impl std::fmt::Display for Branches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letters: Vec<_> = self.iter().map(|branch| branch.letter().to_string()).collect();
        f.write_str(&letters.join(", "))
    }
}
