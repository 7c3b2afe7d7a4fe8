//! Players: what one turn asks of them, and what a reply is.
//!
//! The referee knows players only through [`Player`]. How a player runs (in a process of its own, in ours, at a
//! keyboard) is its own affair. Those that are bots are in `host`.

mod asked;
mod desk;
mod human;
mod looks;
mod printed;

pub use asked::Asked;
pub use desk::{Desk, HumanOptions, OpenTurn, Refused, Touch, TurnId};
pub use human::{Human, LONGEST_LINE};
pub(crate) use looks::Looks;
pub use printed::Printed;

use crate::verdict::{BotReport, Event, Failure, Fault, MachineFailure, Spent};
use arbiter_rules::{Move, Outcome, Position, Score, Seat};
use std::time::Duration;

/// A player in a seat of a game: a bot, a program, a person, or a list of answers.
///
/// Calls come in this order: `new_game`, then any number of `told` and `choose`, then `game_over`. When a person takes a
/// move back, the game begins anew with `new_game`. The referee stops calling a player that has returned a failure of the
/// machine, or a fault other than an illegal move or giving up.
pub trait Player {
    /// A game begins.
    ///
    /// # Errors
    /// Whatever made the player unable to play: a fault of its own, or the machine.
    fn new_game(&mut self, _: &Briefing<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Asks for a move, and waits for it no longer than the budget and its margin.
    fn choose(&mut self, turn: &Turn<'_>) -> Reply;

    /// A move was played, its own ones included, or a seat left the game. It costs the player no time before its next turn.
    fn told(&mut self, _: &Event<'_>) {}

    /// The game is over.
    ///
    /// # Errors
    /// What the player does wrong when it hears that. It changes no result. What the machine does wrong then is not
    /// told.
    fn game_over(&mut self, _: &GameResult<'_>) -> Result<(), Fault> {
        Ok(())
    }

    /// The end of what the player's process has printed, for the record of a fault. Hostile text.
    fn output(&self) -> String {
        String::new()
    }

    /// Processor time that the player used to get ready for this game, loading included; none where it is unknown.
    fn prepared(&self) -> Option<Duration> {
        None
    }

    /// Bytes that the player's process has printed in all.
    fn printed(&self) -> u64 {
        0
    }
}

/// What a player is told at the start of a game.
#[derive(Clone, Copy, Debug)]
pub struct Briefing<'a> {
    /// The player's seat.
    pub seat: Seat,
    /// The position before the opening.
    pub start: &'a Position,
    /// For the player's own random numbers.
    pub seed: u64,
    /// Refused answers after which the player loses the game.
    pub max_errors: u32,
    /// The time control.
    pub time: TimeControl,
}

/// How much time players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "what needs a word about a field stands with its variant")]
pub enum TimeControl {
    /// So much for every move.
    MoveTime(Duration),
    /// A clock that starts with `base` and gains `increment` after every move.
    Clock { base: Duration, increment: Duration },
    /// No limit.
    Unlimited,
}

impl TimeControl {
    /// The clock at the start of a game; `None` without a limit.
    pub fn at_start(&self) -> Option<Duration> {
        match self {
            TimeControl::MoveTime(time) => Some(*time),
            TimeControl::Clock { base, .. } => Some(*base),
            TimeControl::Unlimited => None,
        }
    }
}

/// The longest time that can be asked for.
pub const LONGEST_TIME: Duration = Duration::from_secs(30 * 24 * 3600);

/// Time for a bot to load and make its instance, together.
pub const TIME_TO_PREPARE: Duration = Duration::from_secs(5);

/// Time for a bot to return from `game_over`, and as much for `destroy`.
pub const TIME_TO_LEAVE: Duration = Duration::from_secs(5);

/// Time for `new_game`: that of one move, but no less than 100 ms; where moves have no time of their own, as much as
/// there is to prepare.
pub fn time_to_begin(control: TimeControl, prepare: Duration) -> Duration {
    const LEAST: Duration = Duration::from_millis(100);
    match control {
        TimeControl::MoveTime(time) => time.max(LEAST),
        TimeControl::Clock { .. } | TimeControl::Unlimited => prepare,
    }
}

/// One turn of one player.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The player's seat.
    pub seat: Seat,
    /// The position, with the seat to move.
    pub position: &'a Position,
    /// Every legal move, never empty.
    pub legal: &'a [Move],
    /// Refused answers to this very turn.
    pub attempt: u32,
    /// The time for this answer.
    pub budget: Budget,
    /// What the seat had when the turn began, before any refused answer; `None` without a limit.
    pub limit: Option<Duration>,
    /// What every seat has left, by seat; `None` without a limit.
    pub clocks: &'a [Option<Duration>],
    /// Whether the seat has a move that it may take back.
    pub may_take_back: bool,
}

/// The time for one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Answer within this time or lose; `None` without a limit.
    pub hard: Option<Duration>,
    /// A sensible time to spend.
    pub soft: Duration,
    /// Overrun that is forgiven.
    pub margin: Duration,
}

impl Budget {
    /// When the stop flag says STOP: the budget less the larger of the margin and 2 %, but not before half of it.
    pub fn stop(&self) -> Option<Duration> {
        self.hard.map(|hard| hard.saturating_sub(self.margin.max(hard / 50)).max(hard / 2))
    }

    /// The time with the margin: an answer after that is late.
    pub fn deadline(&self) -> Option<Duration> {
        self.hard.map(|hard| hard.saturating_add(self.margin))
    }
}

/// A player's answer and what it took.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// The time it took.
    pub spent: Spent,
    /// What the bot said of its search.
    pub report: Option<Box<BotReport>>,
}

/// What a player answers. Nothing in it has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A move by its number.
    Move(Move),
    /// A path of cells.
    Path(Vec<i64>),
    /// A move as text.
    Text(String),
    /// The player failed, resigned or left.
    Fault(Fault),
    /// The machine failed the player.
    Machine(MachineFailure),
    /// The person takes back their own last move, where that is allowed.
    TakeBack,
}

/// What a player is told at the end.
#[derive(Clone, Copy, Debug)]
pub struct GameResult<'a> {
    /// The ranking.
    pub outcome: Outcome,
    /// Why the game ended, as a code.
    pub reason: &'a str,
    /// One number a seat, in games that count something.
    pub score: Option<&'a Score>,
}
