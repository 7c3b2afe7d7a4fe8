//! What the machine did to a game, which is nobody's fault.

use super::Fault;
use super::fault::Phase;
use std::time::Duration;

/// What the machine could not do, or kept a player from doing. Nobody loses by it: the game is abandoned and played
/// again. `during` says what the player was doing, `problem` what the system says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "what needs a word about a field stands with its variant")]
pub enum MachineFailure {
    /// No process could be started for the player.
    NotStarted { problem: String },
    /// The machine kept the player from running for longer than the referee waits, by the clock on the wall.
    Stalled { during: Phase, waited: Duration },
    /// The kernel ended the player's process for want of memory, which was not more than it may hold. `held` is the most that it
    /// has held at once, in bytes.
    OutOfMemory { during: Phase, held: u64 },
    /// The player's process can no longer be asked or heard, by no doing of its own.
    Unreachable { during: Phase, problem: String },
}

impl MachineFailure {
    /// No process could be started, for this reason.
    pub(crate) fn not_started(problem: impl ToString) -> MachineFailure {
        MachineFailure::NotStarted { problem: problem.to_string() }
    }

    /// What happened, in words that continue a sentence: "seat 2 …".
    pub fn sentence(&self) -> String {
        match self {
            MachineFailure::NotStarted { problem } => format!("could not be started: {problem}"),
            MachineFailure::Stalled { during, waited } => {
                let waited = waited.as_secs_f64();
                format!("was kept from running by the machine for {waited:.1} s {during}")
            }
            MachineFailure::OutOfMemory { during, held } => {
                let held = held >> 20;
                format!(
                    "was ended by the kernel {during}, with {held} MiB: the machine has run out of memory"
                )
            }
            MachineFailure::Unreachable { during, problem } => {
                format!("could not be reached {during}: {problem}")
            }
        }
    }
}

/// Why a player cannot play: it did something wrong, or the machine did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The player's own doing: it loses.
    Fault(Fault),
    /// The machine's doing: nobody loses.
    Machine(MachineFailure),
}

impl Failure {
    /// What happened, in words that continue a sentence: "seat 2 …".
    pub fn sentence(&self) -> String {
        match self {
            Failure::Fault(fault) => fault.sentence(),
            Failure::Machine(failure) => failure.sentence(),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

impl From<MachineFailure> for Failure {
    fn from(failure: MachineFailure) -> Failure {
        Failure::Machine(failure)
    }
}
