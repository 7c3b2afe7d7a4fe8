//! The one stream that everything shown or saved is made from.

use super::{Ending, Fault};
use arbiter_rules::{Chance, Choice, Obligation, Position, Seat};
use std::time::Duration;

/// Time that an answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Wall time.
    pub wall: Duration,
    /// Processor time of the bot's process, where it is known.
    pub cpu: Option<Duration>,
    /// What the clock is charged with: for bots in processes of their own the time in which they ran or chose not to,
    /// for everybody else the wall time.
    pub charged: Duration,
    /// Processor time that the bot used between its last turn and this one, where that was more than housekeeping. It
    /// is part of what is charged.
    pub pondered: Option<Duration>,
}

impl Spent {
    /// The time of a player whose clock is the one on the wall.
    pub fn of_wall(wall: Duration) -> Spent {
        Spent { wall, charged: wall, cpu: None, pondered: None }
    }
}

/// One thing that happened in a game, in order. `position` is the one after it.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "what needs a word about a field stands with its variant")]
pub enum Event<'a> {
    /// A game begins from this position, before any opening.
    Started { position: &'a Position },
    /// A seat is asked for a move.
    Asked {
        seat: Seat,
        /// How many answers to this turn have been refused.
        attempt: u32,
        /// What every seat has left, by seat; `None` without a limit.
        clocks: &'a [Option<Duration>],
        position: &'a Position,
    },
    /// A move was played.
    Played(Played<'a>),
    /// An answer was refused.
    Refused(Error<'a>),
    /// A seat was taken out of a game that goes on without it.
    Eliminated {
        seat: Seat,
        /// Plies played before.
        ply: u32,
        fault: &'a Fault,
        /// What the last answer took, if it was an answer.
        spent: Spent,
        /// The end of what the player's process has printed. Hostile text.
        output: &'a str,
        /// The position in which it happened.
        before: &'a Position,
        position: &'a Position,
    },
    /// The person in this seat has taken back their last move and everything after it, so many plies; `ply` are left.
    TakenBack { seat: Seat, ply: u32, plies: u32, position: &'a Position },
    /// The game is over.
    Ended {
        ending: &'a Ending,
        /// What the last answer took, if the game was lost by one.
        spent: Spent,
        /// The end of what the process of a player that forfeits has printed. Hostile text.
        output: &'a str,
        /// What players did wrong when they were told, which changes nothing.
        noted: &'a [(Seat, Fault)],
        /// Bytes that each seat's process has printed.
        printed: &'a [u64],
        /// Processor time that each seat used to get ready, where it is known.
        prepared: &'a [Option<Duration>],
        /// Wall time from the start of the game.
        duration: Duration,
        position: &'a Position,
    },
}

/// A move that was played.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// Who moved.
    pub seat: Seat,
    /// Plies played before it.
    pub ply: u32,
    /// The move and the path it was given with.
    pub choice: &'a Choice,
    /// The move as records keep it.
    pub text: &'a str,
    /// Who chose it.
    pub by: ChosenBy,
    /// What the rules obliged the seat to, in games that know obligations.
    pub obligation: Option<&'a Obligation>,
    /// What the accepted answer took.
    pub spent: Spent,
    /// What chance did after it.
    pub chance: &'a Chance,
    /// What the bot said of its search.
    pub report: Option<&'a BotReport>,
    /// The position after it.
    pub position: &'a Position,
}

/// Who chose a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    /// The player.
    Player,
    /// The opening of the match.
    Opening,
    /// The rules: a pass that was the only legal move.
    Rules,
}

/// An answer that was refused.
#[derive(Clone, Copy, Debug)]
pub struct Error<'a> {
    /// Who answered.
    pub seat: Seat,
    /// Plies played so far.
    pub ply: u32,
    /// Refused answers to this turn before it.
    pub attempt: u32,
    /// Errors of this seat in this game, this one included.
    pub count: u32,
    /// What it was: always an illegal move.
    pub fault: &'a Fault,
    /// What the answer took.
    pub spent: Spent,
    /// The position, which it has not changed.
    pub position: &'a Position,
}

/// What a bot said of its search. Moves that are not legal have been left out; nothing else in it is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotReport {
    /// Plies searched; 0 where the bot does not say.
    pub depth: u32,
    /// Positions looked at; 0 where the bot does not say.
    pub nodes: u64,
    /// From the bot's side, 100 is about one piece.
    pub score: Option<i32>,
    /// The line it expects, in the notation of the game.
    pub line: Vec<String>,
    /// A line for people.
    pub text: String,
    /// What it thinks of the moves it could choose from, in the order the bot gave.
    pub values: Values,
}

/// What a bot thinks of the moves it could choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// Plies of the search that came to these values; 0 where the bot does not say.
    pub depth: u32,
    /// The moves.
    pub moves: Vec<MoveValue>,
}

/// What a bot thinks of one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move, in the notation of the game.
    pub text: String,
    /// From the bot's side, 100 is about one piece.
    pub score: i32,
    /// How the score is meant.
    pub bound: Bound,
}

/// How a score is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is no higher.
    AtMost,
    /// The value is no lower.
    AtLeast,
}
