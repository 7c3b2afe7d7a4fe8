//! Chains of jumps.

use super::area::{CLASSES, SPOTS, WHOLE};
use super::board::{HOLES, beyond, jumps};

/// The jumps of one class along one line, forward and back.
#[derive(Clone, Copy)]
struct Line {
    /// The class of the holes that are jumped over.
    over: usize,
    /// Turning its bits right by so much brings the hole that is jumped over to where the forward jump begins.
    turn: u32,
    /// The holes from which there is a forward jump on the board.
    starts: u64,
}

/// How far a forward jump shifts: E, SW, SE.
const SHIFTS: [u32; 3] = [1, 6, 7];

static LINES: [[Line; 3]; CLASSES] = {
    let mut lines = [[Line { over: CLASSES, turn: 0, starts: 0 }; 3]; CLASSES];
    let mut hole = 0;
    while hole < HOLES {
        let spot = SPOTS[hole];
        let mut i = 0;
        while i < 3 {
            let direction = i + 3;
            if let (Some(over), Some(landing)) = (beyond(hole, direction, 1), beyond(hole, direction, 2)) {
                let line = &mut lines[spot.class()][i];
                let turn = (SPOTS[over].index() + 64 - spot.index()) % 64;
                let is_first = line.starts == 0;
                assert!(is_first || line.over == SPOTS[over].class() && line.turn == turn);
                assert!(SPOTS[landing].index() == spot.index() + SHIFTS[i]);
                *line = Line { over: SPOTS[over].class(), turn, starts: line.starts | spot.bit() };
            }
            i += 1;
        }
        hole += 1;
    }
    lines
};

/// The holes of its own class that a pawn can come to by one or more jumps, its own hole left out.
///
/// A jump can be jumped back, so these are the holes connected with the pawn's own. Coming back there on the way
/// opens no further hole.
#[inline]
pub(super) fn reach(occupied: &[u64; CLASSES], from: usize) -> u64 {
    let (class, start) = (SPOTS[from].class(), SPOTS[from].bit());
    let bridges = LINES[class].map(|line| occupied[line.over].rotate_right(line.turn) & line.starts);
    let free = WHOLE[class] & !occupied[class];
    let mut reached = start;
    loop {
        let mut landings = 0;
        for (bridge, shift) in bridges.into_iter().zip(SHIFTS) {
            landings |= (reached & bridge) << shift | reached >> shift & bridge;
        }
        let grown = reached | landings & free;
        if grown == reached {
            return reached & !start;
        }
        reached = grown;
    }
}

/// The path of a chain with the fewest holes and, among those, the smallest numbers from the left; `None` where no
/// chain leads there. `occupied` are the holes of all pawns, the jumping one included.
pub(super) fn shortest_chain(occupied: u128, from: usize, to: usize) -> Option<Vec<u16>> {
    const UNSEEN: usize = HOLES;
    let others = occupied & !(1 << from);
    let mut before = [UNSEEN; HOLES];
    let mut queue = vec![from];
    let mut next = 0;
    while before[to] == UNSEEN {
        let hole = *queue.get(next)?;
        next += 1;
        for (over, landing) in jumps(hole) {
            if others >> over & 1 == 1 && others >> landing & 1 == 0 && before[landing] == UNSEEN {
                before[landing] = hole;
                queue.push(landing);
            }
        }
    }
    let mut path = vec![to as u16, before[to] as u16];
    while path.last() != Some(&(from as u16)) {
        path.push(before[usize::from(path[path.len() - 1])] as u16);
    }
    path.reverse();
    Some(path)
}
