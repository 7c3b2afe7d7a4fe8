//! The pawns on the board and what each of them can do.

use super::area::{Area, SPOTS, numbers};
use super::board::{Branch, NEIGHBOURS};
use super::jumps::reach;

/// Where all pawns stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pawns {
    by_branch: [u128; 6],
    occupied: Area,
}

impl Pawns {
    pub(super) const NONE: Pawns = Pawns { by_branch: [0; 6], occupied: Area::of(0) };

    /// The holes of a branch's pawns.
    #[inline]
    pub(super) fn of(&self, branch: Branch) -> u128 {
        self.by_branch[branch.index()]
    }

    /// The holes of all pawns.
    #[inline]
    pub(super) fn occupied(&self) -> u128 {
        self.occupied.holes
    }

    pub(super) fn is_empty(&self, hole: usize) -> bool {
        self.occupied.holes >> hole & 1 == 0
    }

    /// Whose pawn stands on a hole.
    pub(super) fn owner(&self, hole: usize) -> Option<Branch> {
        Branch::ALL.into_iter().find(|branch| self.of(*branch) >> hole & 1 == 1)
    }

    /// Puts a pawn on an empty hole, or takes it off again.
    #[inline]
    pub(super) fn toggle(&mut self, branch: Branch, hole: usize) {
        self.by_branch[branch.index()] ^= 1 << hole;
        self.occupied.toggle(hole);
    }

    /// The board with one pawn lifted off.
    pub(super) fn without(mut self, branch: Branch, hole: usize) -> Pawns {
        self.toggle(branch, hole);
        self
    }

    /// The holes within an area that the pawn on a hole can step to.
    #[inline]
    pub(super) fn steps(&self, from: usize, area: &Area) -> u128 {
        NEIGHBOURS[from] & area.holes & !self.occupied.holes
    }

    /// The holes of its class, but its own, that the pawn on a hole can come to in a chain.
    #[inline]
    pub(super) fn reach(&self, from: usize) -> u64 {
        reach(&self.occupied.classes, from)
    }

    /// Whether the pawn on a hole has nowhere to go, not even through a wing.
    pub(super) fn is_shut_in(&self, hole: usize) -> bool {
        NEIGHBOURS[hole] & !self.occupied.holes == 0 && self.reach(hole) == 0
    }

    /// The holes within an area, but its own, in which the pawn on a hole can end a turn.
    #[inline]
    pub(super) fn ends(&self, from: usize, area: &Area) -> Ends {
        let class = SPOTS[from].class();
        Ends { steps: self.steps(from, area), class, chains: self.reach(from) & area.classes[class] }
    }

    /// As [`ends`](Pawns::ends), and its own hole where the pawn can jump at all: it can jump back.
    #[inline]
    pub(super) fn ends_and_null_turn(&self, from: usize, area: &Area) -> Ends {
        let (class, reach) = (SPOTS[from].class(), self.reach(from));
        let back = if reach == 0 { 0 } else { SPOTS[from].bit() };
        Ends { steps: self.steps(from, area), class, chains: reach & area.classes[class] | back }
    }
}

/// The holes in which a pawn can end a turn. A step and a chain never end in the same one.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    steps: u128,
    class: usize,
    chains: u64,
}

impl Ends {
    #[inline]
    pub(super) fn count(self) -> usize {
        (self.steps.count_ones() + self.chains.count_ones()) as usize
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.steps == 0 && self.chains == 0
    }

    #[inline]
    pub(super) fn holes(self) -> u128 {
        self.steps | numbers(self.class, self.chains)
    }
}
