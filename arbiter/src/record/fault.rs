//! From a fault to its record and back, and the command that plays it again.

use super::schema::{AnswerTimes, ErrorRecord, FaultRecord};
use crate::verdict::{Fault, Phase, Shortage, Spent};
use arbiter_rules::{IllegalMove, Position, Refusal};
use std::time::Duration;

/// The record of a fault: what the last answer took, what the bot had printed, and the position it happened in.
pub(super) fn fault_record(fault: &Fault, spent: Spent, output: &str, position: &Position) -> FaultRecord {
    let mut record = FaultRecord {
        kind: fault.code().to_owned(),
        during: fault.phase().map(|phase| phase.code().to_owned()),
        sentence: Some(fault.sentence()),
        position: position.text(),
        output: Some(output.to_owned()).filter(|output| !output.is_empty()),
        wall_ns: Some(nanoseconds(spent.wall)),
        cpu_ns: spent.cpu.map(nanoseconds),
        charged_ns: Some(nanoseconds(spent.charged)),
        ..FaultRecord::default()
    };
    match fault {
        Fault::TimedOut { budget, .. } => record.limit = Some(nanoseconds(*budget)),
        Fault::OutOfInstructions { limit } => record.instructions = Some(*limit),
        Fault::Crashed { signal, address, .. } => {
            (record.signal, record.address) = (Some(*signal), address.map(|at| format!("0x{at:x}")));
        }
        Fault::Exited { code, .. } => record.exit_code = Some(*code),
        Fault::Panicked { message, .. } | Fault::Unsupported { message } => {
            record.message = Some(message.clone())
        }
        Fault::Failed { status, .. } => record.status = Some(*status),
        Fault::OutOfMemory { limit, shortage, .. } => {
            record.limit = Some(*limit);
            match shortage {
                Shortage::Held => {}
                Shortage::Refused { signal } => record.signal = Some(*signal),
                Shortage::Admitted { status } => record.status = Some(*status),
            }
        }
        Fault::ForbiddenCall { call, .. } => record.call = Some(call.clone()),
        Fault::BadReply { problem } | Fault::NotLoaded { problem } => record.message = Some(problem.clone()),
        Fault::EndlessErrors { answers } => record.limit = Some((*answers).into()),
        Fault::IllegalMove { .. } | Fault::Resigned | Fault::Left => {}
    }
    record
}

/// The fault that a record speaks of, or what is missing in it. Illegal moves have records of their own; here the
/// last of them stands for the fault.
///
/// # Errors
/// A phrase that says what is wrong with the record.
pub fn fault_from_record(record: &FaultRecord, last_error: Option<&ErrorRecord>) -> Result<Fault, String> {
    let phase = || {
        let code = record.during.as_deref().unwrap_or("nothing");
        Phase::of_code(code).ok_or_else(|| format!("'{}' is no phase of a bot", code.escape_debug()))
    };
    let missing = |what: &str| format!("a fault of kind {} has no {what}", record.kind);
    let message = record.message.clone().unwrap_or_default();
    Ok(match record.kind.as_str() {
        "illegal-move" => {
            error_from_record(last_error.ok_or("it forfeits by an illegal move but has no error")?)?
        }
        "endless-errors" => {
            let answers = record.limit.and_then(|answers| u32::try_from(answers).ok());
            Fault::EndlessErrors { answers: answers.ok_or_else(|| missing("limit"))? }
        }
        "timed-out" => match (record.instructions, record.limit) {
            (Some(limit), _) => Fault::OutOfInstructions { limit },
            (None, Some(limit)) => Fault::TimedOut { during: phase()?, budget: Duration::from_nanos(limit) },
            (None, None) => return Err(missing("limit")),
        },
        "crashed" => {
            let address = record.address.as_deref().and_then(|at| at.strip_prefix("0x"));
            let address = address.and_then(|at| u64::from_str_radix(at, 16).ok());
            Fault::Crashed {
                during: phase()?,
                signal: record.signal.ok_or_else(|| missing("signal"))?,
                address,
            }
        }
        "exited" => {
            Fault::Exited { during: phase()?, code: record.exit_code.ok_or_else(|| missing("exit code"))? }
        }
        "panicked" => Fault::Panicked { during: phase()?, message },
        "failed" => {
            Fault::Failed { during: phase()?, status: record.status.ok_or_else(|| missing("status"))? }
        }
        "out-of-memory" => Fault::OutOfMemory {
            during: phase()?,
            limit: record.limit.ok_or_else(|| missing("limit"))?,
            shortage: match (record.signal, record.status) {
                (Some(signal), _) => Shortage::Refused { signal },
                (None, Some(status)) => Shortage::Admitted { status },
                (None, None) => Shortage::Held,
            },
        },
        "forbidden-call" => {
            let call = record.call.clone().ok_or_else(|| missing("system call"))?;
            Fault::ForbiddenCall { during: phase()?, call }
        }
        "bad-reply" => Fault::BadReply { problem: message },
        "not-loaded" => Fault::NotLoaded { problem: message },
        "unsupported" => Fault::Unsupported { message },
        "resigned" => Fault::Resigned,
        "left" => Fault::Left,
        other => return Err(format!("'{}' is no kind of fault", other.escape_debug())),
    })
}

impl AnswerTimes {
    /// What the answer took, with what was used before it was asked for.
    pub fn spent(&self, pondered_ns: Option<u64>) -> Spent {
        Spent {
            wall: Duration::from_nanos(self.wall_ns.unwrap_or(0)),
            cpu: self.cpu_ns.map(Duration::from_nanos),
            charged: Duration::from_nanos(self.charged().unwrap_or(0)),
            pondered: pondered_ns.map(Duration::from_nanos),
        }
    }
}

/// The illegal move that a record speaks of.
///
/// # Errors
/// A phrase that says what is wrong with the record.
pub fn error_from_record(record: &ErrorRecord) -> Result<Fault, String> {
    let reason = Refusal::from_code(&record.reason)
        .ok_or_else(|| format!("'{}' is no reason", record.reason.escape_debug()))?;
    let why = IllegalMove::new(reason, record.sentence.clone());
    Ok(Fault::IllegalMove { answer: record.answer.clone(), why })
}

/// The command that plays the last moment of a seat, counted from 0, once more. The report is as a shell reads it.
pub fn command_again(report: &str, game: u32, seat: u32) -> String {
    format!("{AGAIN}{report}{}", of_game(game, seat))
}

/// Whether a text is such a command and nothing else; its report may lie anywhere.
pub fn is_command_again(text: &str, game: u32, seat: u32) -> bool {
    let report = text.strip_prefix(AGAIN).and_then(|text| text.strip_suffix(&of_game(game, seat)));
    report.is_some_and(is_one_word)
}

/// Whether a shell reads a text as one word, quoted as arbiter quotes it.
fn is_one_word(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+%@".contains(c);
    let inside = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    match inside {
        Some(inside) => !inside.replace(r"'\''", "").contains('\''),
        None => !text.is_empty() && text.chars().all(is_plain),
    }
}

/// How such a command begins.
const AGAIN: &str = "arbiter again ";

/// How it ends; people count seats from 1.
fn of_game(game: u32, seat: u32) -> String {
    format!(" --game-number {game} --seat {}", u64::from(seat) + 1)
}

/// Nanoseconds, as far as a record can hold them.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
