//! Chinese checkers from coordinates, sets and recursion, as the rules are told to people.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

/// Row and column on the doubled grid.
type Hole = (i32, i32);

const DIRECTIONS: [Hole; 6] = [(-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1)];

/// Tips of branches A to F.
const TIPS: [Hole; 6] = [(0, 12), (4, 24), (12, 24), (16, 12), (12, 0), (4, 0)];

/// A position: whose pawn stands where (0 for A), who is in the game, who is to move.
#[derive(Clone)]
pub(crate) struct Star {
    pub(crate) pawns: BTreeMap<Hole, usize>,
    pub(crate) standing: Vec<usize>,
    pub(crate) mover: usize,
    pub(crate) allow_return: bool,
    pub(crate) no_blocking: bool,
}

/// All holes in the order of their numbers, which is that of their coordinates.
pub(crate) static HOLES: LazyLock<Vec<Hole>> = LazyLock::new(|| {
    let rows = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];
    let hole = |(row, length): (usize, i32)| (0..length).map(move |i| (row as i32, 13 - length + 2 * i));
    rows.into_iter().enumerate().flat_map(hole).collect()
});

/// The number of a hole.
pub(crate) fn number(hole: Hole) -> usize {
    HOLES.binary_search(&hole).unwrap()
}

fn plus(hole: Hole, direction: Hole) -> Hole {
    (hole.0 + direction.0, hole.1 + direction.1)
}

fn distance(a: Hole, b: Hole) -> i32 {
    let (rows, columns) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
    rows.max((rows + columns) / 2)
}

fn opposite(branch: usize) -> usize {
    (branch + 3) % 6
}

/// The ten holes nearest to a tip.
fn is_in_branch(branch: usize, hole: Hole) -> bool {
    distance(TIPS[branch], hole) <= 3
}

fn is_wing(branch: usize, hole: Hole) -> bool {
    (0..6).any(|wing| wing != branch && wing != opposite(branch) && is_in_branch(wing, hole))
}

/// Whether a pawn of a branch, by its letter, may stand on a hole, by its number.
pub(crate) fn may_rest(letter: char, hole: usize) -> bool {
    !is_wing(letter as usize - 'A' as usize, HOLES[hole])
}

impl Star {
    /// Reads the first of the three fields, and the letters after it.
    pub(crate) fn read(text: &str) -> Star {
        let fields: Vec<_> = text.split(' ').collect();
        let letter = |c: char| c as usize - 'A' as usize;
        let (mut pawns, mut all, mut number) = (BTreeMap::new(), HOLES.iter(), 0);
        for c in fields[0].chars().chain(['/']) {
            if let Some(digit) = c.to_digit(10) {
                number = 10 * number + digit;
                continue;
            }
            (0..std::mem::take(&mut number)).for_each(|_| _ = all.next());
            if c != '/' {
                pawns.insert(*all.next().unwrap(), letter(c));
            }
        }
        Star {
            pawns,
            standing: fields[1].chars().map(letter).collect(),
            mover: letter(fields[2].chars().next().unwrap()),
            allow_return: true,
            no_blocking: true,
        }
    }

    fn without(&self, hole: Hole) -> Star {
        let mut star = self.clone();
        star.pawns.remove(&hole);
        star
    }

    fn is_empty(&self, hole: Hole) -> bool {
        !self.pawns.contains_key(&hole) && HOLES.binary_search(&hole).is_ok()
    }

    /// Every hole on which a chain can land; `self` is the board without the jumping pawn.
    fn jump_on(&self, start: Hole, from: Hole, landings: &mut HashSet<Hole>) {
        for direction in DIRECTIONS {
            let (over, landing) = (plus(from, direction), plus(plus(from, direction), direction));
            let may_land = self.is_empty(landing) && (self.allow_return || landing != start);
            if self.pawns.contains_key(&over) && may_land && landings.insert(landing) {
                self.jump_on(start, landing, landings);
            }
        }
    }

    /// The holes in which the pawn on a hole may end a turn as far as the no-blocking rule is not looked at.
    fn ends(&self, from: Hole) -> HashSet<Hole> {
        let owner = self.pawns[&from];
        let steps = DIRECTIONS.map(|direction| plus(from, direction));
        let mut landings = HashSet::new();
        self.without(from).jump_on(from, from, &mut landings);
        let mut ends: HashSet<_> = steps.into_iter().filter(|&hole| self.is_empty(hole)).collect();
        assert!(ends.is_disjoint(&landings), "a step and a chain never end in the same hole");
        ends.extend(landings);
        ends.retain(|&hole| hole == from || !is_wing(owner, hole));
        ends
    }

    fn of(&self, branch: usize) -> Vec<Hole> {
        self.pawns.iter().filter(|&(_, &owner)| owner == branch).map(|(&hole, _)| hole).collect()
    }

    pub(crate) fn can_progress(&self, branch: usize) -> bool {
        let to_go = |hole| distance(hole, TIPS[opposite(branch)]);
        self.of(branch).into_iter().any(|from| self.ends(from).into_iter().any(|to| to_go(to) < to_go(from)))
    }

    /// The tier, and the pawns in the way.
    pub(crate) fn duty(&self) -> (u8, Vec<Hole>) {
        let blocked = opposite(self.mover);
        if !self.no_blocking || !self.standing.contains(&blocked) || self.can_progress(blocked) {
            return (0, Vec::new());
        }
        let mut in_the_way = self.of(self.mover);
        in_the_way.retain(|&hole| is_in_branch(self.mover, hole) && self.without(hole).can_progress(blocked));
        let mut tier = if in_the_way.is_empty() { 0 } else { 3 };
        for &from in &in_the_way {
            for to in self.ends(from).into_iter().filter(|&to| to != from) {
                tier = tier.min(if is_in_branch(self.mover, to) { 2 } else { 1 });
            }
        }
        (tier, in_the_way)
    }

    /// The legal list as pairs of hole numbers.
    pub(crate) fn legal(&self) -> BTreeSet<(usize, usize)> {
        let (tier, in_the_way) = self.duty();
        let mut legal = BTreeSet::new();
        for from in self.of(self.mover) {
            for to in self.ends(from) {
                let is_inside = is_in_branch(self.mover, to);
                let is_legal = match tier {
                    1 => in_the_way.contains(&from) && !is_inside,
                    2 => in_the_way.contains(&from) && is_inside && from != to,
                    _ => true,
                };
                if is_legal {
                    legal.insert((number(from), number(to)));
                }
            }
        }
        legal
    }
}
