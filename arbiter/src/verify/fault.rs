//! What a fault can be: whose, when, and with which numbers.

use super::replay::time_control;
use crate::player::{TIME_TO_LEAVE, TIME_TO_PREPARE, time_to_begin};
use crate::record::schema::{ClockKind, Plan, Player, PlayerKind};
use crate::verdict::{Fault, MEMORY_MIB, Phase, Shortage};
use std::time::Duration;

/// When a fault came to light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// Before anybody was asked for a move.
    Start,
    /// When the player was asked for a move.
    Turn,
    /// When the player was told that the game is over.
    End,
}

/// The player that a record says made a fault.
#[derive(Clone, Copy)]
pub(super) struct Culprit<'a> {
    pub(super) plan: &'a Plan,
    pub(super) player: &'a Player,
}

impl Culprit<'_> {
    /// Why this player cannot have made this fault at that moment; `None` if it can.
    pub(super) fn problem(&self, fault: &Fault, when: When) -> Option<String> {
        let code = fault.code();
        if !self.can_make(fault) {
            let who = match self.player.kind {
                PlayerKind::Bot => "a bot",
                PlayerKind::Program => "a program",
                PlayerKind::Human => "a person",
            };
            let place = if self.plan.in_process { " in arbiter's own process" } else { "" };
            return Some(format!("'{code}' is no fault of {who}{place}"));
        }
        if !comes_at(fault, when) {
            let during = fault.phase().map_or("then", Phase::code);
            let then = match when {
                When::Start => "before a game",
                When::Turn => "in a turn",
                When::End => "after a game",
            };
            return Some(format!("'{code}' ({during}) is not seen {then}"));
        }
        self.wrong_limit(fault).or_else(|| wrong_numbers(fault)).map(|problem| format!("'{code}': {problem}"))
    }

    fn can_make(&self, fault: &Fault) -> bool {
        let needs_process = matches!(
            fault,
            Fault::Crashed { .. }
                | Fault::Exited { .. }
                | Fault::ForbiddenCall { .. }
                | Fault::OutOfMemory { shortage: Shortage::Held | Shortage::Refused { .. }, .. }
        );
        match self.player.kind {
            PlayerKind::Bot => match fault {
                Fault::Left => false,
                Fault::OutOfInstructions { .. } => self.plan.clock == Some(ClockKind::Instructions),
                _ => !(self.plan.in_process && needs_process),
            },
            PlayerKind::Program => matches!(
                fault,
                Fault::IllegalMove { .. }
                    | Fault::EndlessErrors { .. }
                    | Fault::TimedOut { .. }
                    | Fault::Crashed { .. }
                    | Fault::Exited { .. }
                    | Fault::BadReply { .. }
                    | Fault::NotLoaded { .. }
                    | Fault::Resigned
            ),
            PlayerKind::Human => matches!(fault, Fault::Left | Fault::Resigned | Fault::TimedOut { .. }),
        }
    }

    /// The time for a move is judged with the move; here it is that of everything else.
    fn wrong_limit(&self, fault: &Fault) -> Option<String> {
        let Fault::TimedOut { during, budget } = *fault else { return None };
        // Files that do not name their clock do not know either how long bots had.
        self.plan.clock?;
        let asked = self.plan.prepare_time_ns.map(Duration::from_nanos);
        let prepare = asked.unwrap_or(TIME_TO_PREPARE);
        let had = match during {
            Phase::Load | Phase::Create => prepare,
            Phase::NewGame => asked.unwrap_or_else(|| time_to_begin(time_control(self.player.time), prepare)),
            Phase::GameOver | Phase::Destroy => TIME_TO_LEAVE,
            Phase::Move | Phase::Idle => return None,
        };
        (budget != had).then(|| format!("the file says that there were {budget:?}, but there were {had:?}"))
    }
}

/// Whether a fault can come to light then. A broken reply may be one to anything, and a process that ends by itself is
/// missed at the next question.
fn comes_at(fault: &Fault, when: When) -> bool {
    match fault.phase() {
        Some(Phase::Idle) => !matches!(fault, Fault::TimedOut { .. }),
        Some(Phase::Load | Phase::Create | Phase::NewGame) => when == When::Start,
        Some(Phase::Move) => when == When::Turn,
        Some(Phase::GameOver) => when == When::End,
        Some(Phase::Destroy) => false,
        None => matches!(fault, Fault::BadReply { .. }) || when == When::Turn,
    }
}

/// What is impossible in the numbers of a fault.
fn wrong_numbers(fault: &Fault) -> Option<String> {
    const SIGNALS: std::ops::RangeInclusive<i32> = 1..=64;
    /// Bus errors, by their numbers on Linux and elsewhere, and segmentation faults: the signals that name an
    /// address.
    const OF_MEMORY: [i32; 3] = [7, 10, 11];
    let no_signal =
        |signal: i32| (!SIGNALS.contains(&signal)).then(|| format!("there is no signal {signal}"));
    match *fault {
        Fault::Crashed { signal, address, .. } => no_signal(signal).or_else(|| {
            let is_odd = address.is_some() && !OF_MEMORY.contains(&signal);
            is_odd.then(|| format!("signal {signal} names no address"))
        }),
        Fault::OutOfMemory { limit, shortage, .. } => {
            let is_asked = limit % (1 << 20) == 0 && MEMORY_MIB.contains(&(limit >> 20));
            let no_limit = (!is_asked).then(|| format!("{limit} bytes are no limit that can be asked for"));
            no_limit.or_else(|| {
                if let Shortage::Refused { signal } = shortage { no_signal(signal) } else { None }
            })
        }
        Fault::Failed { status: 0, .. } => Some("a function that returns 0 has not failed".to_owned()),
        _ => None,
    }
}
