//! Stacks of tokens without a limit on their height.
//!
//! Each level of the board is a set of cells for either seat. There are as many levels as the highest stack has ever
//! had tokens, so nothing is allocated while stacks stay below that.

use crate::random::key_of;
use crate::seat::Seat;

/// Cells of the largest board.
const MOST_CELLS: usize = 81;

/// Tokens by cell and level.
#[derive(Debug)]
pub(super) struct Board {
    /// Rows, columns and the length of a line.
    pub(super) n: u16,
    heights: [u32; MOST_CELLS],
    /// For each level from the bottom the cells where either seat has a token.
    levels: Vec<[u128; 2]>,
    /// The cells where either seat has the uppermost token.
    tops: [u128; 2],
    hash: u128,
}

impl Clone for Board {
    fn clone(&self) -> Board {
        Board { levels: self.levels.clone(), ..*self }
    }

    /// Keeps the memory of the levels.
    fn clone_from(&mut self, other: &Board) {
        let mut levels = std::mem::take(&mut self.levels);
        levels.clone_from(&other.levels);
        *self = Board { levels, ..*other };
    }
}

impl Board {
    pub(super) fn empty(n: u16) -> Board {
        Board { n, heights: [0; MOST_CELLS], levels: Vec::new(), tops: [0, 0], hash: 0 }
    }

    pub(super) fn cells(&self) -> u16 {
        self.n * self.n
    }

    pub(super) fn height(&self, cell: u16) -> u32 {
        self.heights[usize::from(cell)]
    }

    /// The cells where a seat has the uppermost token.
    pub(super) fn tops(&self, seat: Seat) -> u128 {
        self.tops[seat.index()]
    }

    /// Whose token is uppermost.
    pub(super) fn top(&self, cell: u16) -> Option<Seat> {
        Seat::all(2).find(|&seat| self.tops(seat) >> cell & 1 == 1)
    }

    /// Whether a seat has a token on a level, which need not exist.
    pub(super) fn has(&self, seat: Seat, cell: u16, level: i64) -> bool {
        let level = usize::try_from(level).ok().and_then(|level| self.levels.get(level));
        level.is_some_and(|cells| cells[seat.index()] >> cell & 1 == 1)
    }

    /// The tokens of a stack from the bottom.
    pub(super) fn stack(&self, cell: u16) -> impl Iterator<Item = Seat> + '_ {
        let levels = self.levels.iter().take(self.height(cell) as usize);
        levels.map(move |cells| if cells[0] >> cell & 1 == 1 { Seat::FIRST } else { Seat::SECOND })
    }

    /// Puts a token on top of a stack.
    pub(super) fn push(&mut self, cell: u16, seat: Seat) {
        let level = self.heights[usize::from(cell)];
        if level as usize == self.levels.len() {
            self.levels.push([0, 0]);
        }
        self.levels[level as usize][seat.index()] |= 1 << cell;
        self.heights[usize::from(cell)] += 1;
        self.hash ^= token(cell, level, seat);
        self.uncover(cell);
    }

    /// Takes the top token off a stack that has one.
    pub(super) fn pop(&mut self, cell: u16) {
        let seat = self.top(cell).expect("tokens are taken from stacks that have one");
        let level = self.heights[usize::from(cell)] - 1;
        self.levels[level as usize][seat.index()] &= !(1 << cell);
        self.heights[usize::from(cell)] = level;
        self.hash ^= token(cell, level, seat);
        self.uncover(cell);
    }

    /// Notes whose token is uppermost now.
    fn uncover(&mut self, cell: u16) {
        let height = self.heights[usize::from(cell)] as usize;
        let level = if height == 0 { [0, 0] } else { self.levels[height - 1] };
        for (tops, tokens) in self.tops.iter_mut().zip(level) {
            *tops = *tops & !(1 << cell) | tokens & 1 << cell;
        }
    }

    /// Different for different stacks.
    pub(super) fn hash(&self) -> u128 {
        self.hash
    }

    /// What the hash of a turned or mirrored board would be.
    pub(super) fn hash_under(&self, image: impl Fn(u16) -> u16) -> u128 {
        let tokens = (0..self.cells()).flat_map(|cell| {
            let place = image(cell);
            (0..).zip(self.stack(cell)).map(move |(level, seat)| token(place, level, seat))
        });
        tokens.fold(0, |hash, token| hash ^ token)
    }
}

/// The share of one token in the hash of a board.
fn token(cell: u16, level: u32, seat: Seat) -> u128 {
    key_of([u64::from(level) << 32 | u64::from(cell) << 1 | seat.index() as u64])
}
