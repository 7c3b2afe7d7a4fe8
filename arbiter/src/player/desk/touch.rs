//! What passes between people and the desk: touches, turns, refusals, and what was agreed on.

use arbiter_rules::draft::{Draft, DraftAction, DraftView};
use arbiter_rules::{IllegalMove, Seat};
use std::fmt;
use std::time::{Duration, Instant};

/// Which turn is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnId {
    /// The number of the game.
    pub game: u32,
    /// Whose turn it is.
    pub seat: Seat,
    /// Plies played before it.
    pub ply: u32,
}

/// What a person did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Touched a cell.
    Pick(u16),
    /// Pressed an action of the game, such as `remove`.
    Act(String),
    /// Took back the last part of the unfinished move, or where there is none and that is allowed the last move.
    Back,
    /// Dropped the unfinished move.
    Clear,
    /// Finished the move.
    Finish,
    /// Typed a move.
    Typed(String),
    /// Gave the game up.
    Resign,
    /// Went away, or the input ended.
    Leave,
}

/// Why a touch did nothing: a stable code and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// A code of the rules, or `stale`, `not-the-owner`, `not-your-turn`, `nothing-to-take-back`.
    pub code: &'static str,
    /// What is wrong, in words.
    pub sentence: String,
}

impl Refused {
    /// Something was touched for a turn that is over.
    pub fn stale() -> Refused {
        Refused { code: "stale", sentence: "The game has moved on since this was drawn.".to_owned() }
    }

    /// Somebody chose who has not the link for it.
    pub fn not_the_owner() -> Refused {
        let sentence = "What is played is chosen at the page of whoever started arbiter.".to_owned();
        Refused { code: "not-the-owner", sentence }
    }

    /// Somebody touched the board in another player's turn.
    pub fn not_your_turn(turn: Seat) -> Refused {
        Refused { code: "not-your-turn", sentence: format!("It is player {turn}'s turn.") }
    }

    /// Nothing of this move is on the board, and the player has no move before it that may be taken back: because that was not
    /// agreed on, or there is none.
    pub(super) fn nothing_to_take_back(is_agreed: bool) -> Refused {
        let sentence = match is_agreed {
            true => "There is nothing to take back.",
            false => "Played moves are taken back in a casual game only (--casual).",
        };
        Refused { code: "nothing-to-take-back", sentence: sentence.to_owned() }
    }
}

impl From<IllegalMove> for Refused {
    fn from(why: IllegalMove) -> Refused {
        Refused { code: why.reason.code(), sentence: why.sentence }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.sentence)
    }
}

/// What people who share a desk have agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HumanOptions {
    /// Typed moves that the rules refuse count as errors, as a bot's do; else the person is told why and tries again.
    pub counts_slips: bool,
    /// A touch that completes a move does not play it before the person says so: until then it can be taken back.
    pub confirms: bool,
    /// The only legal move plays itself.
    pub plays_forced: bool,
    /// Played moves are taken back.
    pub takes_back: bool,
}

/// An open turn as a view shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTurn {
    /// Which turn.
    pub id: TurnId,
    /// The unfinished move.
    pub draft: Draft,
    /// The move that has been made and waits to be confirmed, in the notation of the game.
    pub pending: Option<String>,
    /// What can be touched next.
    pub view: DraftView,
    /// When it was shown first, if it was: a clock runs from then on. Later by as long as nobody could see it since.
    pub shown: Option<Instant>,
    /// The time that had gone when its clock was stopped, while nobody can see the board.
    pub stopped_at: Option<Duration>,
    /// The time there is, if there is a clock.
    pub hard: Option<Duration>,
    /// Whether the last move of this seat may be taken back.
    pub may_take_back: bool,
}

impl OpenTurn {
    /// How much of its time has gone, if it was shown.
    pub fn gone(&self) -> Option<Duration> {
        self.stopped_at.or_else(|| self.shown.map(|since| since.elapsed()))
    }

    /// The action with this letter, if it can be pressed now.
    pub fn action(&self, letter: char) -> Option<DraftAction> {
        self.view.actions.iter().copied().find(|action| action.id.starts_with(letter))
    }
}
