//! Who came where, and which rule ended the game.

use crate::moves::codes;
use crate::seat::{MAX_SEATS, Seat};

/// The final ranking of the seats, ties allowed.
///
/// ```
/// use arbiter_rules::{Outcome, Seat, SeatResult};
///
/// let outcome = Outcome::win(3, Seat::SECOND);
/// assert_eq!(outcome.ranks(), [2, 1, 2]);
/// assert_eq!(outcome.of(Seat::FIRST), SeatResult::Loss);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    seats: u8,
    ranks: [u8; MAX_SEATS],
}

impl Outcome {
    /// One winner, and all others behind it.
    #[must_use]
    pub fn win(seats: usize, winner: Seat) -> Outcome {
        let mut ranks = [2; MAX_SEATS];
        ranks[winner.index()] = 1;
        Outcome { seats: seats as u8, ranks }
    }

    /// Nobody wins: the seats that are still in share the first place, the others come behind them.
    #[must_use]
    pub fn draw(seats: usize, is_in: impl Fn(Seat) -> bool) -> Outcome {
        let mut ranks = [2; MAX_SEATS];
        for seat in Seat::all(seats).filter(|&seat| is_in(seat)) {
            ranks[seat.index()] = 1;
        }
        Outcome { seats: seats as u8, ranks }
    }

    /// One rank a seat, from 1; equal ranks are ties. `None` unless there are 2 to 6 ranks and the best is 1.
    #[must_use]
    pub fn from_ranks(given: &[u8]) -> Option<Outcome> {
        if !(2..=MAX_SEATS).contains(&given.len()) || given.iter().min() != Some(&1) {
            return None;
        }
        let mut ranks = [2; MAX_SEATS];
        ranks[..given.len()].copy_from_slice(given);
        Some(Outcome { seats: given.len() as u8, ranks })
    }

    /// The rank of every seat, by seat: 1 is best, equal numbers are ties.
    #[must_use]
    pub fn ranks(&self) -> &[u8] {
        &self.ranks[..usize::from(self.seats)]
    }

    /// The seat that is first alone.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        let mut first = Seat::all(self.ranks().len()).filter(|seat| self.ranks[seat.index()] == 1);
        first.next().filter(|_| first.next().is_none())
    }

    /// How the game went for one seat.
    #[must_use]
    pub fn of(&self, seat: Seat) -> SeatResult {
        match (self.ranks[seat.index()], self.winner()) {
            (1, Some(_)) => SeatResult::Win,
            (1, None) => SeatResult::Draw,
            _ => SeatResult::Loss,
        }
    }
}

/// How a game went for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatResult {
    /// First alone.
    Win,
    /// First together with others.
    Draw,
    /// Anything else.
    Loss,
}

codes! {
    /// The rule that ended a game, by the words of the rules documents.
    EndReason {
        /// A line of the winner's pieces.
        Line = "line",
        /// No empty cell is left.
        Full = "full",
        /// hex: a chain between the winner's sides.
        Connected = "connected",
        /// othello: one colour is gone.
        Wipeout = "wipeout",
        /// othello: neither side can move.
        NoMoves = "no-moves",
        /// ultimate: all nine boards are closed without a line of boards.
        AllBoardsFinished = "all-boards-finished",
        /// ultimate with `tie_break`: all boards are closed, one side has won more.
        BoardCount = "board-count",
        /// stacks: the earthquake left one side with a line.
        LineAfterEarthquake = "line-after-earthquake",
        /// stacks: both sides have a line.
        BothLines = "both-lines",
        /// stacks: `max_turns` turns have been made.
        TurnLimit = "turn-limit",
        /// chinese-checkers: the winner's target is filled.
        Home = "home",
        /// All seats but one are out of the game.
        LastStanding = "last-standing",
        /// chinese-checkers: every seat in the game has passed.
        Deadlock = "deadlock",
        /// A position has occurred too often.
        Repetition = "repetition",
        /// chinese-checkers: every seat has taken `max_rounds` turns.
        RoundLimit = "round-limit",
    }
}

/// A game that the rules have ended: who came where, and why.
///
/// ```
/// use arbiter_rules::{Chance, EndReason, Seat, Setup, registry};
///
/// let mut position = registry::start("tic-tac-toe", &Setup::default()).unwrap();
/// for text in ["a1", "a2", "b1", "b2", "c1"] {
///     let choice = position.read_move(text).unwrap();
///     position.play(choice.played, &Chance::NONE).unwrap();
/// }
/// let end = position.end().unwrap();
/// assert_eq!((end.outcome.winner(), end.reason), (Some(Seat::FIRST), EndReason::Line));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// The ranking of the seats.
    pub outcome: Outcome,
    /// The rule that ended it.
    pub reason: EndReason,
}
