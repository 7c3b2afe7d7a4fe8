//! Why play stopped, and who came where.

use super::{Fault, MachineFailure};
use arbiter_rules::{GameEnd, Outcome, Seat};

/// How a game ended. Who won is [`outcome`](Ending::outcome); why it ended is the variant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "what needs a word about a field stands with its variant")]
pub enum Ending {
    /// The rules ended it.
    ByRules(GameEnd),
    /// A fault lost a game of two seats. (In a game of more, the seat is eliminated and the others play on.)
    Forfeit { seat: Seat, fault: Fault, outcome: Outcome },
    /// A stated policy ended it.
    Adjudicated { by: Adjudication, outcome: Outcome },
    /// We or the machine stopped it: nobody scores.
    Abandoned(Abandoned),
}

/// A policy that declares an outcome before the rules end the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudication {
    /// So many plies were played: a draw.
    MaxPlies(u32),
    /// So many plies were played, and the leader by score has won.
    Score(u32),
    /// A position occurred so often: a draw.
    Repetition(u32),
    /// Both bots said for so many plies that the same one wins.
    AgreedWin(u32),
    /// Both bots said for so many plies that neither wins.
    AgreedDraw(u32),
}

/// Why we stopped a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "what needs a word about a field stands with its variant")]
pub enum Abandoned {
    /// Somebody stopped the match: a person, or a signal.
    Interrupted,
    /// The machine failed the player in this seat.
    Machine { seat: Seat, failure: MachineFailure },
}

impl Ending {
    /// Who came where, unless the game was abandoned.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Ending::ByRules(end) => Some(end.outcome),
            Ending::Forfeit { outcome, .. } | Ending::Adjudicated { outcome, .. } => Some(*outcome),
            Ending::Abandoned(_) => None,
        }
    }

    /// The stable code of the reason: a rule's, a fault's, or the policy's.
    pub fn reason(&self) -> &'static str {
        match self {
            Ending::ByRules(end) => end.reason.code(),
            Ending::Forfeit { fault, .. } => fault.code(),
            Ending::Adjudicated { by, .. } => match by {
                Adjudication::MaxPlies(_) => "max-plies",
                Adjudication::Score(_) => "score-at-max-plies",
                Adjudication::Repetition(_) => "repeated-position",
                Adjudication::AgreedWin(_) => "agreed-win",
                Adjudication::AgreedDraw(_) => "agreed-draw",
            },
            Ending::Abandoned(Abandoned::Interrupted) => "interrupted",
            Ending::Abandoned(Abandoned::Machine { .. }) => "machine",
        }
    }
}
