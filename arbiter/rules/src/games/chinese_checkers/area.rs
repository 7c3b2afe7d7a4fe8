//! Sets of holes in two layouts: by number, and spread over four boards so that jumps are shifts.
//!
//! A jump moves a pawn by two holes along a line, so on slanted axes both coordinates keep their parity. The holes
//! fall into four classes (37 and three times 28 holes) that no chain leaves, and the hole that is jumped over
//! always belongs to another class. Halving the coordinates packs each class into 64 bits in which every jump is a
//! shift by 1, 6 or 7, and ascending bits are ascending holes.

use super::board::{ALL_HOLES, Branch, HOLES, LONGEST, PLACES};

/// Number of classes.
pub(super) const CLASSES: usize = 4;

/// A set of holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    /// One bit a hole, by number.
    pub(super) holes: u128,
    /// The same holes by class.
    pub(super) classes: [u64; CLASSES],
}

impl Area {
    /// The area with these holes.
    pub(super) const fn of(holes: u128) -> Area {
        let mut classes = [0; CLASSES];
        let mut left = holes;
        while left != 0 {
            let spot = SPOTS[left.trailing_zeros() as usize];
            classes[spot.class()] |= spot.bit();
            left &= left - 1;
        }
        Area { holes, classes }
    }

    /// Adds a hole that is missing, or takes out one that is there.
    #[inline]
    pub(super) fn toggle(&mut self, hole: usize) {
        self.holes ^= 1 << hole;
        self.classes[SPOTS[hole].class()] ^= SPOTS[hole].bit();
    }
}

/// The areas in which the pawns of one branch may end a turn.
#[derive(Clone, Copy)]
pub(super) struct Ground {
    /// Start, hexagon and target.
    pub(super) rest: Area,
    /// The hexagon and the target.
    pub(super) outside_start: Area,
    /// The start.
    pub(super) start: Area,
    /// The part of `rest` that is less than so many steps away from the tip of the target.
    nearer: [Area; LONGEST + 1],
}

impl Ground {
    /// The ground of a branch's pawns.
    #[inline]
    pub(super) fn of(branch: Branch) -> &'static Ground {
        &GROUNDS[branch.index()]
    }

    /// The holes in which a pawn of the branch may end a turn nearer to the tip of its target than on this one.
    #[inline]
    pub(super) fn nearer_than(&self, branch: Branch, hole: usize) -> &Area {
        &self.nearer[branch.distance(hole)]
    }
}

static GROUNDS: [Ground; 6] = {
    const NOWHERE: Area = Area::of(0);
    let nothing =
        Ground { rest: NOWHERE, outside_start: NOWHERE, start: NOWHERE, nearer: [NOWHERE; LONGEST + 1] };
    let mut grounds = [nothing; 6];
    let mut i = 0;
    while i < 6 {
        let branch = Branch::ALL[i];
        let rest = ALL_HOLES & !branch.wings();
        grounds[i].rest = Area::of(rest);
        grounds[i].outside_start = Area::of(rest & !branch.start());
        grounds[i].start = Area::of(branch.start());
        let mut distance = 0;
        while distance <= LONGEST {
            let (mut nearer, mut hole) = (0, 0);
            while hole < HOLES {
                if branch.distance(hole) < distance {
                    nearer |= 1 << hole;
                }
                hole += 1;
            }
            grounds[i].nearer[distance] = Area::of(nearer & rest);
            distance += 1;
        }
        i += 1;
    }
    grounds
};

/// Where a hole lies in the layout by class.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    class: u8,
    index: u8,
}

impl Spot {
    /// The class of a hole.
    #[inline]
    pub(super) const fn class(self) -> usize {
        self.class as usize
    }

    /// The number of its bit.
    pub(super) const fn index(self) -> u32 {
        self.index as u32
    }

    /// The hole as the only one of its class.
    #[inline]
    pub(super) const fn bit(self) -> u64 {
        1 << self.index
    }
}

/// The spot of every hole.
pub(super) static SPOTS: [Spot; HOLES] = {
    let mut spots = [Spot { class: 0, index: 0 }; HOLES];
    let mut hole = 0;
    while hole < HOLES {
        let (row, column) = PLACES[hole];
        let along = (column + 12 - row) / 2;
        spots[hole] = Spot { class: (along % 2 + row % 2 * 2) as u8, index: (along / 2 + row / 2 * 7) as u8 };
        hole += 1;
    }
    spots
};

/// The holes of each class in the order of their bits.
static HOLES_BY_BIT: [[u8; 64]; CLASSES] = {
    let mut holes = [[u8::MAX; 64]; CLASSES];
    let mut hole = 0;
    while hole < HOLES {
        let Spot { class, index } = SPOTS[hole];
        assert!(holes[class as usize][index as usize] == u8::MAX, "two holes must not share a bit");
        holes[class as usize][index as usize] = hole as u8;
        hole += 1;
    }
    holes
};

/// The numbers of holes that are given by class.
#[inline]
pub(super) fn numbers(class: usize, mut bits: u64) -> u128 {
    let mut set = 0;
    while bits != 0 {
        set |= 1u128 << HOLES_BY_BIT[class][bits.trailing_zeros() as usize];
        bits &= bits - 1;
    }
    set
}

/// All holes of each class.
pub(super) const WHOLE: [u64; CLASSES] = Area::of(ALL_HOLES).classes;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_37_and_28_holes_and_keep_the_order_of_the_holes() {
        assert_eq!(WHOLE.map(u64::count_ones), [37, 28, 28, 28]);
        for class in HOLES_BY_BIT {
            assert!(class.iter().filter(|&&hole| hole != u8::MAX).is_sorted());
        }
        let all = (0..CLASSES).map(|class| numbers(class, WHOLE[class]));
        assert_eq!(all.fold(0, |union, set| union | set), ALL_HOLES);
    }
}
