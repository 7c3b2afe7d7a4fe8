//! Moves and lists of them.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::raw;

/// What a move does.
///
/// ```
/// use arbiter_plugin_api::{Kind, Turn};
///
/// /// How many of the legal moves take a piece off the board.
/// fn removals(turn: &Turn) -> usize {
///     turn.moves().iter().filter(|m| m.kind() == Some(Kind::Remove)).count()
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Puts a piece on [`Move::to`].
    Place,
    /// Takes a piece from [`Move::from`] to [`Move::to`].
    Move,
    /// Takes a piece off [`Move::from`].
    Remove,
    /// Does nothing.
    Pass,
}

impl Kind {
    const fn number(self) -> u8 {
        match self {
            Kind::Place => raw::KIND_PLACE,
            Kind::Move => raw::KIND_MOVE,
            Kind::Remove => raw::KIND_REMOVE,
            Kind::Pass => raw::KIND_PASS,
        }
    }
}

/// A move: a number that says everything about it in its own game.
///
/// It means the same in every position and in every process. Take it from a list of legal moves, compare it
/// with `==`, store it, send it back.
///
/// ```
/// use arbiter_plugin_api::{Kind, Move};
///
/// let step = Move::new(Kind::Move, 10, 31, 0);
/// assert_eq!((step.kind(), step.from(), step.to(), step.extra()), (Some(Kind::Move), 10, 31, 0));
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u64);

impl Move {
    /// No move.
    pub const NONE: Move = Move(raw::NO_MOVE);
    /// The one pass there is.
    pub const PASS: Move = Move(raw::MOVE_PASS);

    /// The move with this kind, these cells and this game-specific number (0 in most games).
    #[must_use]
    pub const fn new(kind: Kind, from: u16, to: u16, extra: u16) -> Move {
        Move((kind.number() as u64) << 48 | (extra as u64) << 32 | (from as u64) << 16 | to as u64)
    }

    /// What the move does; `None` for [`Move::NONE`] and for kinds of moves that came after this crate.
    #[must_use]
    pub const fn kind(self) -> Option<Kind> {
        match self.0.to_le_bytes()[6] {
            raw::KIND_PLACE => Some(Kind::Place),
            raw::KIND_MOVE => Some(Kind::Move),
            raw::KIND_REMOVE => Some(Kind::Remove),
            raw::KIND_PASS => Some(Kind::Pass),
            _ => None,
        }
    }

    /// The cell where the piece comes from; the same as [`to`](Move::to) where it has only one.
    #[must_use]
    pub const fn from(self) -> u16 {
        self.bits(16)
    }

    /// The cell where the piece ends up.
    #[must_use]
    pub const fn to(self) -> u16 {
        self.bits(0)
    }

    /// The game-specific number, 0 in most games.
    #[must_use]
    pub const fn extra(self) -> u16 {
        self.bits(32)
    }

    /// Whether this is the pass.
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.0 == Move::PASS.0
    }

    /// The number itself, as C sees it.
    #[must_use]
    pub const fn to_raw(self) -> u64 {
        self.0
    }

    /// The move with this number. Any number is a `Move`; only those in a list of legal moves are legal.
    #[must_use]
    pub const fn from_raw(number: u64) -> Move {
        Move(number)
    }

    #[expect(clippy::cast_possible_truncation, reason = "cutting out 16 bits is the purpose")]
    const fn bits(self, shift: u32) -> u16 {
        (self.0 >> shift) as u16
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Some(Kind::Place) => write!(f, "Move(place {})", self.to()),
            Some(Kind::Move) => write!(f, "Move({} to {})", self.from(), self.to()),
            Some(Kind::Remove) => write!(f, "Move(remove {})", self.from()),
            Some(Kind::Pass) => f.write_str("Move(pass)"),
            None => write!(f, "Move({:#x})", self.0),
        }
    }
}

/// A list of moves that keeps its memory, so that a search can fill it again and again.
///
/// ```
/// use arbiter_plugin_api::{IllegalMove, MoveList, Position};
///
/// /// Counts the move sequences that are as long as there are lists: one for each ply.
/// fn perft(position: &mut Position, lists: &mut [MoveList]) -> Result<u64, IllegalMove> {
///     let Some((list, deeper)) = lists.split_first_mut() else { return Ok(1) };
///     position.legal_moves_into(list);
///     let mut count = 0;
///     for &m in list.iter() {
///         position.apply(m)?;
///         count += perft(position, deeper)?;
///         position.undo();
///     }
///     Ok(count)
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList(Vec<Move>);

impl MoveList {
    /// An empty list.
    #[must_use]
    pub fn new() -> MoveList {
        MoveList::default()
    }

    pub(crate) fn buffer(&mut self) -> &mut Vec<Move> {
        &mut self.0
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::vec::IntoIter<Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A move was played where it is not legal; the position is as before.
///
/// ```
/// use arbiter_plugin_api::{IllegalMove, Move, Position};
///
/// /// The position after a line of moves, or the first of them that cannot be played.
/// fn after(mut position: Position, line: &[Move]) -> Result<Position, IllegalMove> {
///     line.iter().try_for_each(|&m| position.apply(m))?;
///     Ok(position)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not legal in this position", self.0)
    }
}

impl std::error::Error for IllegalMove {}
