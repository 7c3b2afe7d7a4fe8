//! Moves as self-describing numbers, lists of them, and why one is refused.

use crate::naming::shown;
use std::fmt;
use std::ops::Deref;

/// Most legal moves in any position of any game; the arbiter's ABI promises the same to bots.
pub const MAX_MOVES: usize = 512;

/// What a [`Move`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// Puts a piece on `to`.
    Place,
    /// Takes a piece from `from` to `to`.
    Shift,
    /// Takes a piece off `to`.
    Remove,
    /// Does nothing; listed only where the rules allow it.
    Pass,
}

/// A move as one number that means the same in every position and every process.
///
/// Bits 0–15 `to`, 16–31 `from`, 32–47 extra (0 unless a game says otherwise), 48–55 kind (1 place, 2 shift, 3
/// remove, 4 pass), 56–63 zero: the layout of `arbiter_move` in `arbiter_bot.h`. Any 64 bits may arrive from
/// outside, so a `Move` promises nothing until a position has judged it.
///
/// ```
/// use arbiter_rules::{Move, MoveKind};
///
/// let step = Move::shift(6, 15);
/// assert_eq!((step.kind(), step.from(), step.to()), (Some(MoveKind::Shift), 6, 15));
/// assert_eq!(Move::from_bits(step.bits()), step);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u64);

impl Move {
    /// The one pass there is.
    pub const PASS: Move = Move(4 << 48);

    /// Puts a piece on a cell.
    #[must_use]
    pub const fn place(cell: u16) -> Move {
        Move(1 << 48 | (cell as u64) << 16 | cell as u64)
    }

    /// Takes the piece of one cell to another.
    #[must_use]
    pub const fn shift(from: u16, to: u16) -> Move {
        Move(2 << 48 | (from as u64) << 16 | to as u64)
    }

    /// Takes the top piece off a cell.
    #[must_use]
    pub const fn remove(cell: u16) -> Move {
        Move(3 << 48 | (cell as u64) << 16 | cell as u64)
    }

    /// The move with these bits, whatever they mean.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Move {
        Move(bits)
    }

    /// The number that stands for this move in the ABI.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The cell where the piece ends up.
    #[must_use]
    pub const fn to(self) -> u16 {
        self.0 as u16
    }

    /// The cell that the piece came from; equal to [`to`](Move::to) where a piece has only one cell.
    #[must_use]
    pub const fn from(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// What the move does, or `None` for bits that no game uses.
    #[must_use]
    pub const fn kind(self) -> Option<MoveKind> {
        match self.0 >> 48 {
            1 => Some(MoveKind::Place),
            2 => Some(MoveKind::Shift),
            3 => Some(MoveKind::Remove),
            4 => Some(MoveKind::Pass),
            _ => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Some(MoveKind::Pass) => write!(f, "pass"),
            Some(kind) => write!(f, "{kind:?} {}-{}", self.from(), self.to()),
            None => write!(f, "0x{:016x}", self.0),
        }
    }
}

/// Up to [`MAX_MOVES`] moves in a buffer that the caller owns and reuses, so that generating moves allocates
/// nothing.
///
/// ```
/// use arbiter_rules::{Move, MoveList};
///
/// let mut moves = MoveList::new();
/// (0..9).for_each(|cell| moves.push(Move::place(cell)));
/// moves.retain(|m| m.to() % 2 == 0);
/// assert_eq!(moves.len(), 5);
/// ```
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [Move; MAX_MOVES],
}

impl MoveList {
    /// An empty list.
    #[must_use]
    pub const fn new() -> MoveList {
        MoveList { len: 0, moves: [Move(0); MAX_MOVES] }
    }

    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends a move.
    ///
    /// # Panics
    /// When the list already holds [`MAX_MOVES`] moves.
    #[inline]
    pub fn push(&mut self, m: Move) {
        self.moves[self.len] = m;
        self.len += 1;
    }

    /// Keeps the moves for which this is true, in their order.
    pub fn retain(&mut self, mut is_kept: impl FnMut(Move) -> bool) {
        let before = std::mem::take(&mut self.len);
        for i in 0..before {
            if is_kept(self.moves[i]) {
                self.push(self.moves[i]);
            }
        }
    }
}

impl Default for MoveList {
    fn default() -> Self {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A legal move as somebody chose it.
///
/// ```
/// use arbiter_rules::{Move, Setup, registry};
///
/// let position = registry::start("chinese-checkers", &Setup::default()).unwrap();
/// let choice = position.read_move("6-15").unwrap();
/// assert_eq!((choice.played, choice.path), (Move::shift(6, 15), vec![6, 15]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What happens on the board.
    pub played: Move,
    /// The cells in between as they were given, first and last included; empty where the choice named none.
    pub path: Vec<u16>,
}

impl From<Move> for Choice {
    fn from(played: Move) -> Choice {
        Choice { played, path: Vec::new() }
    }
}

/// Declares an enum of stable codes, each with its text and its meaning.
macro_rules! codes {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $code:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// Every case, in the order of declaration.
            pub const ALL: &[$name] = &[$($name::$variant,)+];

            /// The stable code in records and protocols.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $($name::$variant => $code,)+ }
            }

            /// The case with this code.
            #[must_use]
            pub fn from_code(code: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|case| case.code() == code)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.code())
            }
        }
    };
}
pub(crate) use codes;

codes! {
    /// Why a move is refused. The codes are those of the rules documents and never change.
    Refusal {
        /// The text or number means no move of this game.
        NotUnderstood = "not-understood",
        /// The game has ended.
        GameOver = "game-over",
        /// No such cell.
        OffBoard = "off-board",
        /// The cell is taken.
        Occupied = "occupied",
        /// othello: no disc would turn.
        NotACapture = "not-a-capture",
        /// hex: a swap later than as the first answer.
        SwapNotNow = "swap-not-now",
        /// hex: a swap in a game without it.
        SwapOff = "swap-off",
        /// A pass while there are legal moves.
        PassNotAllowed = "pass-not-allowed",
        /// A move while there is only the pass.
        MustPass = "must-pass",
        /// connect-four: no such column.
        NoSuchColumn = "no-such-column",
        /// connect-four: the column is full.
        ColumnFull = "column-full",
        /// ultimate: another board is forced.
        WrongBoard = "wrong-board",
        /// ultimate: the board is closed.
        BoardFinished = "board-finished",
        /// stacks: nothing is removed in this game.
        RemovalOff = "removal-off",
        /// stacks: there is no token to remove.
        EmptyStack = "empty-stack",
        /// stacks: the top token is the opponent's.
        NotYourToken = "not-your-token",
        /// stacks: ko protects the token.
        JustPlaced = "just-placed",
        /// chinese-checkers: a path of fewer than two holes.
        TooShort = "too-short",
        /// chinese-checkers: a path of more than 64 holes.
        TooLong = "too-long",
        /// chinese-checkers: no pawn where the path begins.
        EmptyOrigin = "empty-origin",
        /// chinese-checkers: somebody else's pawn.
        NotYourPawn = "not-your-pawn",
        /// chinese-checkers: a step after or before a jump.
        StepInChain = "step-in-chain",
        /// chinese-checkers: neither a step nor a jump away.
        NotInReach = "not-in-reach",
        /// chinese-checkers: no pawn to jump over.
        NothingToJump = "nothing-to-jump",
        /// chinese-checkers: `allow_return` is off and the chain came back.
        ReturnedToStart = "returned-to-start",
        /// chinese-checkers: the path ends in a wing.
        RestInWing = "rest-in-wing",
        /// chinese-checkers: a piece that cannot move was chosen to be moved.
        StuckPiece = "stuck-piece",
        /// chinese-checkers: the no-blocking rule demands another move.
        MustLeave = "must-leave",
    }
}

/// A move that was refused: the code for programs, the sentence for people.
///
/// ```
/// use arbiter_rules::{Move, Refusal, Setup, registry};
///
/// let position = registry::start("othello", &Setup::default()).unwrap();
/// let refused = position.judge(Move::place(27)).unwrap_err();
/// assert_eq!(refused.reason, Refusal::Occupied);
/// assert_eq!(refused.sentence, "d4 is taken by white.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The stable reason.
    pub reason: Refusal,
    /// One sentence that says what is wrong, in the game's own words.
    pub sentence: String,
}

impl IllegalMove {
    /// A refusal with its sentence.
    #[must_use]
    pub fn new(reason: Refusal, sentence: impl Into<String>) -> IllegalMove {
        IllegalMove { reason, sentence: sentence.into() }
    }

    /// A pass while there are legal moves, `count` of them; `name` names one, from 0.
    pub(crate) fn pass_not_allowed(count: usize, name: impl Fn(usize) -> String) -> IllegalMove {
        let legal = match count {
            1 => format!("{} is", name(0)),
            2 => format!("{} and {} are", name(0), name(1)),
            _ => format!("{} and {} other moves are", name(0), count - 1),
        };
        IllegalMove::new(Refusal::PassNotAllowed, format!("You may not pass: {legal} legal."))
    }

    /// Text that is no move of the game; `example` shows what moves look like.
    #[must_use]
    pub fn not_understood(text: &str, example: &str) -> IllegalMove {
        IllegalMove::new(
            Refusal::NotUnderstood,
            format!("'{}' is not a move. Moves look like: {example}.", shown(text)),
        )
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.sentence)
    }
}

impl std::error::Error for IllegalMove {}
