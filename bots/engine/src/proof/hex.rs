//! Hex on boards of up to seven rows solved outright: who wins, 1 or -1.
//!
//! Alpha-beta with a hash table. A move is tried the sooner the fewer stones both sides miss on a way through its cell. Where
//! the other side needs one stone only, the cells that stop it are all that is left to play, and two different ones are a
//! loss.

use arbiter_rules::{Chance, Move, MoveKind, MoveList, Position, Seat, SeatResult};

use super::{Solver, Stop};
use crate::evaluation::Evaluation;
use crate::evaluation::hex::Circuits;

/// Positions between two looks at the clock.
const LOOK: u64 = 1 << 8;
/// Most rows.
const LONGEST: usize = 7;
/// Cells through which both sides together miss more stones than this beyond their shortest ways come last, in any order.
const FAR: usize = 6;

/// The solver, with what it remembers.
#[derive(Debug)]
pub struct Chains {
    size: usize,
    /// Every cell, rows one after another with a bit between them that is never set.
    all: u64,
    /// What is remembered: the stones of the side to move and of the other, and 1 where the former wins, 2 where not.
    entries: Vec<[u64; 2]>,
    root: Position,
    circuits: Circuits,
    nodes: u64,
    stopped: bool,
}

/// Stones by side, the side to move first, and whether that connects top and bottom.
#[derive(Clone, Copy)]
struct Board {
    own: u64,
    other: u64,
    is_first: bool,
}

impl Chains {
    /// Whether boards of so many rows can be solved at all.
    #[must_use]
    pub fn fits(size: usize) -> bool {
        size <= LONGEST
    }

    /// A solver for the board of a position that remembers as many positions as fit into so many bytes.
    #[must_use]
    pub fn new(position: &Position, memory: usize) -> Chains {
        let size = usize::from(position.shape().width);
        let row = (1_u64 << size) - 1;
        Chains {
            size,
            all: (0..size).fold(0, |all, at| all | row << (at * (size + 1))),
            // No position has these stones.
            entries: vec![[u64::MAX; 2]; (memory / 16).max(1 << 10)],
            root: position.clone(),
            circuits: Circuits::of(position),
            nodes: 0,
            stopped: false,
        }
    }

    fn board(&self, position: &Position) -> Board {
        let mut cells = vec![0; position.shape().cells()];
        position.write_cells(&mut cells);
        let stones = |owner: u8| {
            let of_owner = (0..cells.len()).filter(|&cell| cells[cell] == owner);
            of_owner.fold(0, |set, cell| set | 1 << (cell / self.size * (self.size + 1) + cell % self.size))
        };
        let is_first = position.to_move() == Some(Seat::FIRST);
        let (own, other) = if is_first { (stones(1), stones(2)) } else { (stones(2), stones(1)) };
        Board { own, other, is_first }
    }

    /// Whether the side to move wins a position of the rules, swapping included.
    fn wins(&mut self, position: &mut Position, stop: Stop<'_>) -> bool {
        if let Some(mover) = position.to_move() {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            let swap = moves.iter().find(|m| m.kind() == Some(MoveKind::Shift));
            if let Some(&swap) = swap {
                position.play_legal(swap, &Chance::NONE);
                let is_good = position.end().map_or_else(
                    || !self.wins(position, stop),
                    |end| end.outcome.of(mover) == SeatResult::Win,
                );
                position.undo();
                if is_good {
                    return true;
                }
            }
        }
        self.wins_by_stones(self.board(position), stop)
    }

    /// Whether the side to move wins by placing stones. The game is not over.
    fn wins_by_stones(&mut self, board: Board, stop: Stop<'_>) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) && stop() {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        let Board { own, other, is_first } = board;
        let words = [own << 1 | u64::from(is_first), other << 2];
        let mixed = (own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.rotate_left(32))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let place = ((u128::from(mixed) * self.entries.len() as u128) >> 64) as usize;
        let [there, rest] = self.entries[place];
        if there == words[0] && rest & !3 == words[1] {
            return rest & 1 == 1;
        }
        let wins = self.has_winning_stone(board, stop);
        if !self.stopped {
            self.entries[place] = [words[0], words[1] | if wins { 1 } else { 2 }];
        }
        wins
    }

    fn has_winning_stone(&mut self, Board { own, other, is_first }: Board, stop: Stop<'_>) -> bool {
        let empty = self.all & !(own | other);
        let ours = self.across(own, empty, is_first);
        let theirs = self.across(other, empty, !is_first);
        let mut moves = empty;
        match (ours.missing, theirs.missing) {
            (Some(1), _) => return true,
            (None, _) => return false,
            (_, Some(1)) => {
                moves = theirs.detour(0) & empty;
                if moves.count_ones() > 1 {
                    return false;
                }
            }
            _ => {}
        }
        // The shorter the ways of both together, the sooner; then the shorter one's own.
        for sum in 0..=FAR {
            for detour in 0..=sum {
                let (at_ours, at_theirs) = (ours.detour(detour), theirs.detour(sum - detour));
                let mut now = moves & at_ours & at_theirs;
                moves &= !now;
                while now != 0 {
                    let stone = now & now.wrapping_neg();
                    now ^= stone;
                    if !self
                        .wins_by_stones(Board { own: other, other: own | stone, is_first: !is_first }, stop)
                    {
                        return !self.stopped;
                    }
                }
            }
        }
        while moves != 0 && !self.stopped {
            let stone = moves & moves.wrapping_neg();
            moves ^= stone;
            if !self.wins_by_stones(Board { own: other, other: own | stone, is_first: !is_first }, stop) {
                return !self.stopped;
            }
        }
        false
    }

    /// The ways across for one side.
    fn across(&self, own: u64, empty: u64, is_first: bool) -> Across {
        let stride = self.size + 1;
        let (near, far) = if is_first {
            let row = (1_u64 << self.size) - 1;
            (row, row << ((self.size - 1) * stride))
        } else {
            let column = (0..self.size).fold(0, |set, row| set | 1 << (row * stride));
            (column, column << (self.size - 1))
        };
        let levels = |side: u64| {
            let mut levels = Vec::with_capacity(2 * self.size);
            let mut last = self.filled(side & own, own);
            loop {
                levels.push(last);
                let next = self.filled((self.spread(last) | side) & (empty | own) | last, own);
                if next == last {
                    return levels;
                }
                last = next;
            }
        };
        let (there, back) = (levels(near), levels(far));
        let missing = there.iter().position(|reached| reached & far != 0);
        Across { there, back, missing }
    }

    fn spread(&self, set: u64) -> u64 {
        let stride = self.size + 1;
        (set << 1 | set >> 1 | set << stride | set >> stride | set << (stride - 1) | set >> (stride - 1))
            & self.all
    }

    /// The set with all own stones that are connected to it.
    fn filled(&self, mut set: u64, own: u64) -> u64 {
        loop {
            let next = set | self.spread(set) & own;
            if next == set {
                return set;
            }
            set = next;
        }
    }
}

/// The ways of a side across the board.
struct Across {
    /// The cells within so many stones of the first edge, and of the second.
    there: Vec<u64>,
    back: Vec<u64>,
    /// The stones that are missing on a shortest way; nothing if all are barred.
    missing: Option<usize>,
}

impl Across {
    /// The cells through which so many stones more are missing than on a shortest way.
    fn detour(&self, stones: usize) -> u64 {
        let Some(missing) = self.missing else { return 0 };
        let new = |levels: &[u64], k: usize| match k {
            _ if k >= levels.len() => 0,
            0 => levels[0],
            _ => levels[k] & !levels[k - 1],
        };
        let sum = missing + stones + 1;
        (1..sum).fold(0, |cells, k| cells | new(&self.there, k) & new(&self.back, sum - k))
    }
}

impl Solver for Chains {
    fn set_up(&mut self, position: &Position) -> Vec<Move> {
        self.root = position.clone();
        let (mut list, mut promises) = (MoveList::new(), Vec::new());
        position.legal_moves(&mut list);
        self.circuits.promises(position, 0, &list, &mut promises);
        let mut moves: Vec<_> = list.iter().copied().zip(promises).collect();
        moves.sort_by_key(|&(_, promise)| -promise);
        moves.into_iter().map(|(m, _)| m).collect()
    }

    fn bound(&mut self, m: Move, _: i32, stop: Stop<'_>) -> Option<i32> {
        let mut position = self.root.clone();
        position.play_legal(m, &Chance::NONE);
        // Only the side that has just moved can have won.
        if position.end().is_some() {
            return Some(1);
        }
        self.stopped = false;
        let wins = self.wins(&mut position, stop);
        (!self.stopped).then_some(if wins { -1 } else { 1 })
    }

    fn most(&self) -> i32 {
        1
    }

    fn points(&self) -> i32 {
        crate::SURE
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
