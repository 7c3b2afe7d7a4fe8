//! The no-blocking rule: a player must leave its start when its pawns there are all that keeps the player opposite back.

use super::area::{Ground, SPOTS};
use super::board::{Branch, holes};
use super::pawns::Pawns;

/// What the rule demands of a seat in this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Duty {
    pub(super) demand: Demand,
    /// The pawns in the way.
    pub(super) in_the_way: u128,
}

/// How far the rule reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    /// There is no obligation.
    Nothing,
    /// A pawn in the way must leave its start.
    Leave,
    /// No pawn in the way can leave: one must move to another hole of the start.
    MoveInside,
    /// No pawn in the way can move: all turns are legal.
    Lapsed,
}

impl Demand {
    /// The number of the tier in the rules document.
    pub(super) fn tier(self) -> u8 {
        match self {
            Demand::Nothing => 0,
            Demand::Leave => 1,
            Demand::MoveInside => 2,
            Demand::Lapsed => 3,
        }
    }
}

impl Duty {
    pub(super) const NONE: Duty = Duty { demand: Demand::Nothing, in_the_way: 0 };

    /// The duty of a branch to the one opposite, which must still be in the game.
    #[inline]
    pub(super) fn of(pawns: &Pawns, branch: Branch) -> Duty {
        let at_home = pawns.of(branch) & branch.start();
        if at_home == 0 || can_progress(pawns, branch.opposite()) {
            return Duty::NONE;
        }
        Duty::when_stuck(pawns, branch, at_home)
    }

    /// As [`of`](Duty::of) once the branch opposite cannot progress, which is rare.
    #[cold]
    fn when_stuck(pawns: &Pawns, branch: Branch, at_home: u128) -> Duty {
        let frees = |&hole: &usize| can_progress(&pawns.without(branch, hole), branch.opposite());
        let in_the_way = holes(at_home).filter(frees).fold(0, |set, hole| set | 1 << hole);
        let ground = Ground::of(branch);
        let can_end = |area| holes(in_the_way).any(|hole| !pawns.ends(hole, area).is_empty());
        let demand = if in_the_way == 0 {
            Demand::Nothing
        } else if can_end(&ground.outside_start) {
            Demand::Leave
        } else if can_end(&ground.start) {
            Demand::MoveInside
        } else {
            Demand::Lapsed
        };
        Duty { demand, in_the_way }
    }
}

/// Whether a branch, were it to move, would have a turn that brings a pawn nearer to the tip of its target.
#[inline]
pub(super) fn can_progress(pawns: &Pawns, branch: Branch) -> bool {
    let ground = Ground::of(branch);
    let steps = |hole| pawns.steps(hole, ground.nearer_than(branch, hole)) != 0;
    let chains = |hole| {
        let nearer = ground.nearer_than(branch, hole).classes[SPOTS[hole].class()];
        pawns.reach(hole) & nearer != 0
    };
    holes(pawns.of(branch)).any(steps) || holes(pawns.of(branch)).any(chains)
}
