//! The star of 121 holes: neighbours, branches, distances. Every table is built by the compiler.

/// Holes on the board, numbered row by row from the top.
pub(super) const HOLES: usize = 121;

/// Holes in each row.
pub(super) static ROW_LENGTHS: [usize; 17] = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];

/// The first hole of each row.
static FIRST_HOLES: [usize; 17] = [0, 1, 3, 6, 10, 23, 35, 46, 56, 65, 75, 86, 98, 111, 115, 118, 120];

/// Column of the first hole of each row on a doubled grid, in which neighbours in a row are two columns apart.
static FIRST_COLUMNS: [usize; 17] = [12, 11, 10, 9, 0, 1, 2, 3, 4, 3, 2, 1, 0, 9, 10, 11, 12];

/// The six directions as changes of row and column: NW, NE, W, E, SW, SE. In this order the neighbours of a hole
/// come in ascending order.
static DIRECTIONS: [(isize, isize); 6] = [(-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1)];

/// One of the six triangles of ten holes, clockwise from the top; also the pawns that began in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branch(u8);

impl Branch {
    pub(super) const ALL: [Branch; 6] = [Branch(0), Branch(1), Branch(2), Branch(3), Branch(4), Branch(5)];

    /// Counted from 0, for indexing arrays by branch.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) const fn opposite(self) -> Branch {
        Branch((self.0 + 3) % 6)
    }

    pub(super) fn letter(self) -> char {
        char::from(b'A' + self.0)
    }

    pub(super) fn from_letter(letter: char) -> Option<Branch> {
        Branch::ALL.into_iter().find(|branch| branch.letter() == letter)
    }

    /// The ten holes in which its pawns begin.
    pub(super) const fn start(self) -> u128 {
        BRANCHES[self.index()]
    }

    /// The ten holes to which its pawns must go.
    pub(super) const fn target(self) -> u128 {
        self.opposite().start()
    }

    /// The four branches in which its pawns may not end a turn.
    pub(super) const fn wings(self) -> u128 {
        ALL_HOLES & !HEXAGON & !self.start() & !self.target()
    }

    /// Steps from a hole to the tip of the target on an empty board without edges.
    pub(super) const fn distance(self, hole: usize) -> usize {
        DISTANCES[self.index()][hole] as usize
    }
}

/// Every hole there is.
pub(super) const ALL_HOLES: u128 = (1 << HOLES) - 1;

/// The longest distance to a tip.
pub(super) const LONGEST: usize = 16;

/// Row and column of every hole on the doubled grid.
pub(super) static PLACES: [(usize, usize); HOLES] = {
    let mut places = [(0, 0); HOLES];
    let (mut hole, mut row) = (0, 0);
    while hole < HOLES {
        if hole == FIRST_HOLES[row] + ROW_LENGTHS[row] {
            row += 1;
        }
        places[hole] = (row, FIRST_COLUMNS[row] + 2 * (hole - FIRST_HOLES[row]));
        hole += 1;
    }
    places
};

/// The neighbours of every hole as a set.
pub(super) static NEIGHBOURS: [u128; HOLES] = {
    let mut sets = [0; HOLES];
    let mut hole = 0;
    while hole < HOLES {
        let mut direction = 0;
        while direction < 6 {
            if let Some(neighbour) = beyond(hole, direction, 1) {
                sets[hole] |= 1 << neighbour;
            }
            direction += 1;
        }
        hole += 1;
    }
    sets
};

/// For every hole and direction the neighbour and the hole right behind it.
static JUMPS: [[Option<(u8, u8)>; 6]; HOLES] = {
    let mut jumps = [[None; 6]; HOLES];
    let mut hole = 0;
    while hole < HOLES {
        let mut direction = 0;
        while direction < 6 {
            if let (Some(over), Some(landing)) = (beyond(hole, direction, 1), beyond(hole, direction, 2)) {
                jumps[hole][direction] = Some((over as u8, landing as u8));
            }
            direction += 1;
        }
        hole += 1;
    }
    jumps
};

/// The holes within four steps of the centre.
const HEXAGON: u128 = {
    let (mut set, mut hole) = (0, 0);
    while hole < HOLES {
        if distance(hole, 60) <= 4 {
            set |= 1 << hole;
        }
        hole += 1;
    }
    set
};

static BRANCHES: [u128; 6] = {
    let mut sets = [0; 6];
    let mut hole = 0;
    while hole < HOLES {
        if HEXAGON >> hole & 1 == 0 {
            let (row, column) = PLACES[hole];
            let branch = match row {
                0..=3 => 0,
                4..=7 if column > 12 => 1,
                4..=7 => 5,
                8..=12 if column > 12 => 2,
                8..=12 => 4,
                _ => 3,
            };
            sets[branch] |= 1 << hole;
        }
        hole += 1;
    }
    sets
};

/// Distances to the tip of the target, by the branch that goes there.
static DISTANCES: [[u8; HOLES]; 6] = {
    /// The tips of the targets of branches A to F.
    const TIPS: [usize; 6] = [120, 98, 10, 0, 22, 110];
    let mut distances = [[0; HOLES]; 6];
    let mut hole = 0;
    while hole < HOLES {
        let mut branch = 0;
        while branch < 6 {
            distances[branch][hole] = distance(hole, TIPS[branch]) as u8;
            branch += 1;
        }
        hole += 1;
    }
    distances
};

const fn distance(a: usize, b: usize) -> usize {
    let rows = PLACES[a].0.abs_diff(PLACES[b].0);
    let diagonal = (rows + PLACES[a].1.abs_diff(PLACES[b].1)) / 2;
    if rows > diagonal { rows } else { diagonal }
}

/// The hole that lies some steps away in a direction, if the board has one there.
pub(super) const fn beyond(hole: usize, direction: usize, steps: isize) -> Option<usize> {
    let (rows, columns) = DIRECTIONS[direction];
    let row = PLACES[hole].0 as isize + steps * rows;
    let column = PLACES[hole].1 as isize + steps * columns;
    if row < 0 || row >= ROW_LENGTHS.len() as isize {
        return None;
    }
    let row = row as usize;
    let offset = (column - FIRST_COLUMNS[row] as isize) / 2;
    if column < FIRST_COLUMNS[row] as isize || offset >= ROW_LENGTHS[row] as isize {
        return None;
    }
    Some(FIRST_HOLES[row] + offset as usize)
}

/// The jumps that the shape of the board allows from a hole, as (jumped over, landing), by ascending landing.
pub(super) fn jumps(hole: usize) -> impl Iterator<Item = (usize, usize)> {
    JUMPS[hole].iter().flatten().map(|&(over, landing)| (usize::from(over), usize::from(landing)))
}

/// Whether two holes touch.
pub(super) fn touch(a: usize, b: usize) -> bool {
    NEIGHBOURS[a] >> b & 1 == 1
}

/// Where a hole comes to lie when left and right change places.
pub(super) fn mirrored(hole: usize) -> usize {
    let (row, _) = PLACES[hole];
    2 * FIRST_HOLES[row] + ROW_LENGTHS[row] - 1 - hole
}

/// The holes of a set in ascending order.
pub(super) fn holes(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let hole = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        hole
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_hold_the_holes_of_the_rules_document() {
        let listed: [[usize; 10]; 6] = [
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
            [19, 20, 21, 22, 32, 33, 34, 44, 45, 55],
            [74, 84, 85, 95, 96, 97, 107, 108, 109, 110],
            [111, 112, 113, 114, 115, 116, 117, 118, 119, 120],
            [65, 75, 76, 86, 87, 88, 98, 99, 100, 101],
            [10, 11, 12, 13, 23, 24, 25, 35, 36, 46],
        ];
        for (branch, listed) in Branch::ALL.into_iter().zip(listed) {
            assert_eq!(holes(branch.start()).collect::<Vec<_>>(), listed, "branch {}", branch.letter());
            assert_eq!(branch.opposite().opposite(), branch);
            assert_eq!(holes(branch.wings()).count(), 40);
            let sum = |set| holes(set).map(|hole| branch.distance(hole)).sum::<usize>();
            assert_eq!((sum(branch.start()), sum(branch.target())), (140, 20));
        }
        assert_eq!(HEXAGON.count_ones(), 61);
    }

    #[test]
    fn neighbours_and_the_holes_behind_them_agree_with_the_rules_document() {
        let around = |hole| (0..6).map(|direction| beyond(hole, direction, 1)).collect::<Vec<_>>();
        assert_eq!(around(0), [None, None, None, None, Some(1), Some(2)]);
        assert_eq!(around(13), [None, None, Some(12), Some(14), Some(25), Some(26)]);
        assert_eq!(around(14), [None, Some(6), Some(13), Some(15), Some(26), Some(27)]);
        assert_eq!(around(56), [Some(46), Some(47), None, Some(57), Some(65), Some(66)]);
        assert_eq!(around(110), [Some(97), None, Some(109), None, None, None]);
        assert_eq!(NEIGHBOURS.iter().map(|set| set.count_ones()).sum::<u32>(), 624);
        assert_eq!((0..HOLES).map(|hole| jumps(hole).count()).sum::<usize>(), 534);
    }

    #[test]
    fn the_mirror_keeps_the_top_and_bottom_branches_and_swaps_the_others() {
        let image = |set| holes(set).fold(0, |image, hole| image | 1 << mirrored(hole));
        let [a, b, c, d, e, f] = Branch::ALL.map(Branch::start);
        assert_eq!([a, b, c, d, e, f].map(image), [a, f, e, d, c, b]);
        assert!((0..HOLES).all(|hole| image(NEIGHBOURS[hole]) == NEIGHBOURS[mirrored(hole)]));
    }
}
