//! Positions: reading them, and playing on copies.

use std::ffi::CString;
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::{Cell, Host, IllegalMove, Move, MoveList, raw, read};

/// How a game ended for one seat.
///
/// ```
/// use arbiter_plugin_api::Outcome;
///
/// assert!(Outcome::Win > Outcome::Draw && Outcome::Draw > Outcome::Loss);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Anything but first.
    Loss,
    /// First together with others.
    Draw,
    /// First alone.
    Win,
}

impl Outcome {
    pub(crate) fn from_raw(number: i32) -> Option<Outcome> {
        match number {
            raw::WIN => Some(Outcome::Win),
            raw::DRAW => Some(Outcome::Draw),
            raw::LOSS => Some(Outcome::Loss),
            _ => None,
        }
    }
}

/// A position to be read: the arbiter's own, or through [`Position`] one of yours.
///
/// Several threads may read one position at the same time.
///
/// ```
/// use arbiter_plugin_api::View;
///
/// /// How many pieces a seat has more than all others together.
/// fn lead(view: &View, us: usize) -> i32 {
///     let seats = view.cells().into_iter().filter_map(|cell| cell.seat());
///     seats.map(|seat| if seat == us { 1 } else { -1 }).sum()
/// }
/// ```
pub struct View {
    host: Host,
    pos: NonNull<raw::Pos>,
}

// SAFETY: the header allows the functions behind `&View` from several threads at once as long as nobody
// changes the position, and a function that takes a position touches no other.
unsafe impl Sync for View {}
// SAFETY: as above; no function on a position cares which thread it is called from.
unsafe impl Send for View {}

/// Calls a function of the table on a position.
macro_rules! ask {
    ($view:expr, $function:ident $(, $argument:expr)*) => {{
        let View { host, pos } = $view;
        // SAFETY: the table is the function's own, and the position is good as long as the view is. Pointers
        // among the other arguments come straight from a buffer or a text that outlives the call.
        unsafe { (host.table().$function)(host.as_ptr(), pos.as_ptr() $(, $argument)*) }
    }};
}

impl View {
    /// # Safety
    ///
    /// A position that is not null came from this host, and is good as long as the view is reachable.
    pub(crate) unsafe fn read(host: Host, pos: *const raw::Pos) -> Option<View> {
        NonNull::new(pos.cast_mut()).map(|pos| View { host, pos })
    }

    /// A position of your own: this one, with nothing to undo.
    ///
    /// # Panics
    ///
    /// When the arbiter is out of memory.
    #[must_use]
    pub fn to_position(&self) -> Position {
        let pos = NonNull::new(ask!(self, pos_copy)).expect("the arbiter has memory for a position");
        Position { view: View { host: self.host, pos } }
    }

    /// The seat that moves next; `None` when the game is over.
    #[must_use]
    pub fn to_move(&self) -> Option<usize> {
        read::seat(ask!(self, to_move))
    }

    /// How the game ended for a seat, by all the rules; `None` while it goes on for that seat.
    ///
    /// A seat taken out of a game that goes on has [`Outcome::Loss`] already.
    ///
    /// # Panics
    ///
    /// When the game has no such seat.
    #[must_use]
    pub fn outcome(&self, seat: usize) -> Option<Outcome> {
        let number = i32::try_from(seat).map_or(raw::ERR_ARGUMENT, |seat| ask!(self, outcome, seat));
        assert!((raw::LOSS..=raw::RUNNING).contains(&number), "this game has no seat {seat}");
        Outcome::from_raw(number)
    }

    /// Every legal move; none only when the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.legal_moves_into(&mut list);
        list
    }

    /// The same into a list that is there already, in place of what it held.
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        let ask = |at: *mut Move, room| ask!(self, legal_moves, at.cast::<u64>(), room);
        // SAFETY: by the rule for buffers. A `Move` is its number and nothing else.
        unsafe { read::fill(list.buffer(), raw::MAX_MOVES as usize, ask) };
    }

    /// The board, in the order of the table in `arbiter_bot.h`.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        self.cells_into(&mut cells);
        cells
    }

    /// The same into a vector that is there already, in place of what it held.
    pub fn cells_into(&self, cells: &mut Vec<Cell>) {
        let ask = |at: *mut Cell, room| ask!(self, cells, at.cast::<u8>(), room);
        // SAFETY: by the rule for buffers. A `Cell` is its byte and nothing else.
        unsafe { read::fill(cells, 128, ask) };
    }

    /// The pieces on one cell from bottom to top: many in the stacks game, at most one in the others.
    #[must_use]
    pub fn column(&self, cell: u16) -> Vec<Cell> {
        let mut pieces = Vec::new();
        let ask = |at: *mut Cell, room| ask!(self, column, u32::from(cell), at.cast::<u8>(), room);
        // SAFETY: by the rule for buffers. A `Cell` is its byte and nothing else.
        unsafe { read::fill(&mut pieces, 16, ask) };
        pieces
    }

    /// A key for hash tables: equal for the same pieces, seat to move and rights, whatever the past. Good in
    /// this process only.
    #[must_use]
    pub fn hash(&self) -> u64 {
        ask!(self, hash)
    }

    /// The position as text.
    #[must_use]
    pub fn text(&self) -> String {
        let ask = |at, room| ask!(self, pos_text, at, room);
        // SAFETY: by the rule for buffers.
        unsafe { read::fill_text(256, ask) }
    }

    /// A move as people write it.
    #[must_use]
    pub fn move_text(&self, m: Move) -> String {
        let ask = |at, room| ask!(self, move_text, m.to_raw(), at, room);
        // SAFETY: by the rule for buffers.
        unsafe { read::fill_text(raw::MAX_MOVE_TEXT as usize, ask) }
    }

    /// The legal move that people write like this, if there is one.
    #[must_use]
    pub fn parse_move(&self, text: &str) -> Option<Move> {
        let text = CString::new(text).ok()?;
        let number = ask!(self, move_parse, text.as_ptr());
        (number != raw::NO_MOVE).then_some(Move::from_raw(number))
    }

    /// The cells that a legal move goes through, first and last included; of several roads a shortest.
    #[must_use]
    pub fn move_path(&self, m: Move) -> Vec<u16> {
        let mut cells = Vec::new();
        let ask = |at: *mut u16, room| ask!(self, move_path, m.to_raw(), at, room);
        // SAFETY: by the rule for buffers.
        unsafe { read::fill(&mut cells, raw::MAX_PATH as usize, ask) };
        cells
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View({})", self.text())
    }
}

/// A position of your own, to play on; a [`View`] besides. Good until it is dropped, also in later games.
///
/// ```
/// use arbiter_plugin_api::{Outcome, Random, Result, Turn};
///
/// /// Plays random moves to the end of the game.
/// fn playout(turn: &Turn, random: &mut Random) -> Result<Option<Outcome>> {
///     let mut position = turn.position();
///     while position.to_move().is_some() {
///         let moves = position.legal_moves();
///         position.apply(moves[random.below(moves.len())])?;
///     }
///     Ok(position.outcome(turn.seat()))
/// }
/// ```
pub struct Position {
    view: View,
}

impl Position {
    /// # Safety
    ///
    /// A position that is not null was made by this host for the bot, and nobody else frees it.
    pub(crate) unsafe fn own(host: Host, pos: *mut raw::Pos) -> Option<Position> {
        NonNull::new(pos).map(|pos| Position { view: View { host, pos } })
    }

    /// Plays a move. Chance is not drawn: see [`Chance::apply`](crate::Chance::apply).
    ///
    /// # Errors
    ///
    /// The move is not legal; nothing has changed.
    pub fn apply(&mut self, m: Move) -> Result<(), IllegalMove> {
        if ask!(&self.view, apply, m.to_raw()) == raw::OK { Ok(()) } else { Err(IllegalMove(m)) }
    }

    /// Takes back the last move played on this copy.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub fn undo(&mut self) {
        assert_eq!(ask!(&self.view, undo), raw::OK, "there is a move to take back");
    }

    /// Becomes a fresh copy of another position of the same game, without a new allocation.
    ///
    /// # Panics
    ///
    /// When the other one comes from another game.
    pub fn set(&mut self, from: &View) {
        let status = ask!(&self.view, pos_set, from.pos.as_ptr());
        assert_eq!(status, raw::OK, "both positions come from the same game");
    }

    pub(crate) fn as_raw_mut(&mut self) -> (Host, *mut raw::Pos) {
        (self.view.host, self.view.pos.as_ptr())
    }
}

impl Deref for Position {
    type Target = View;

    fn deref(&self) -> &View {
        &self.view
    }
}

impl Clone for Position {
    fn clone(&self) -> Position {
        self.to_position()
    }
}

impl Drop for Position {
    fn drop(&mut self) {
        ask!(&self.view, pos_free);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.text())
    }
}
