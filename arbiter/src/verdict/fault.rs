//! Every way in which a player can fail.

use arbiter_rules::IllegalMove;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The memory that a bot can be allowed, in MiB.
pub const MEMORY_MIB: RangeInclusive<u64> = 16..=1 << 20;
/// The most cores that a bot can be told to keep busy.
pub const MOST_THREADS: u16 = 256;
/// Bytes of what a bot prints that are kept: its end. A record notes how many there were only if there were more.
pub const KEPT_OUTPUT: usize = 8 << 10;

/// A breach by a player. A fault is data: it is counted and recorded, and never an error of ours. `during` says what the
/// player was doing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "what needs a word about a field stands with its variant")]
pub enum Fault {
    /// An answer that the rules refuse, as it was given: a move's text, a path, or a number that is no move's. The player
    /// is asked again until its errors are used up.
    IllegalMove { answer: String, why: IllegalMove },
    /// So many answers in one game that the rules refuse, where no number of errors was to lose it.
    EndlessErrors { answers: u32 },
    /// No answer, or one that came too late. `budget` is the time there was, margin excluded; for a move what the seat had
    /// when its turn began.
    TimedOut { during: Phase, budget: Duration },
    /// The same where instructions are counted instead of time: no answer within so many. They come to light in a move only.
    OutOfInstructions { limit: u64 },
    /// The bot's process was ended by a signal. The address is that of a bad memory access, where it is known.
    Crashed { during: Phase, signal: i32, address: Option<u64> },
    /// The bot's process ended by itself, with this exit code.
    Exited { during: Phase, code: i32 },
    /// The bot's language wrapper caught a panic or an exception. Its message is as the bot logged it; empty where it said
    /// nothing.
    Panicked { during: Phase, message: String },
    /// A function of the bot returned a failure.
    Failed { during: Phase, status: i32 },
    /// The bot's memory did not suffice. The limit is in bytes.
    OutOfMemory { during: Phase, limit: u64, shortage: Shortage },
    /// The bot called a function of the operating system that it may not call: its name, or its number.
    ForbiddenCall { during: Phase, call: String },
    /// The message from the bot's process makes no sense.
    BadReply { problem: String },
    /// The bot could not be loaded, for the reason in one sentence.
    NotLoaded { problem: String },
    /// The bot does not play this game or these options, and says so. The message is as the bot logged it; empty where it
    /// said nothing.
    Unsupported { message: String },
    /// The player gave the game up.
    Resigned,
    /// A person left, or the input ended.
    Left,
}

/// How it is known that a bot's memory did not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "what needs a word about a field stands with its variant")]
pub enum Shortage {
    /// It held more than it may, and was ended for it.
    Held,
    /// The system refused it memory, and that explains the signal which ended it.
    Refused { signal: i32 },
    /// It says so, by the status that its function returned.
    Admitted { status: i32 },
}

/// What a player was asked to do when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Being loaded: constructors and the entry point.
    Load,
    /// `create`.
    Create,
    /// `new_game`.
    NewGame,
    /// `played` or `choose_move`.
    Move,
    /// Between its turns.
    Idle,
    /// `game_over`.
    GameOver,
    /// `destroy`.
    Destroy,
}

/// Every phase in the order of a bot's life, with its stable code in records, and when it is as the end of a sentence.
const PHASES: [(Phase, &str, &str); 7] = [
    (Phase::Load, "load", "while being loaded"),
    (Phase::Create, "create", "in create"),
    (Phase::NewGame, "new_game", "in new_game"),
    (Phase::Move, "choose_move", "in choose_move"),
    (Phase::Idle, "between_turns", "between its turns"),
    (Phase::GameOver, "game_over", "in game_over"),
    (Phase::Destroy, "destroy", "in destroy"),
];

impl Phase {
    /// The stable code in records.
    pub fn code(self) -> &'static str {
        PHASES[self as usize].1
    }

    /// The phase with this code.
    pub fn of_code(code: &str) -> Option<Phase> {
        PHASES.into_iter().find(|(_, of, _)| *of == code).map(|(phase, ..)| phase)
    }
}

/// When it happened, as the end of a sentence.
impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PHASES[*self as usize].2)
    }
}

impl Fault {
    /// The answer, and why the rules refuse it, if this is an illegal move.
    pub fn illegal_move(&self) -> Option<(&str, &IllegalMove)> {
        if let Fault::IllegalMove { answer, why } = self { Some((answer, why)) } else { None }
    }

    /// What the author of a bot meant that answers with so small a number, if this is such an illegal move.
    pub fn hint_on_number(&self) -> Option<String> {
        self.illegal_move().and_then(|(answer, _)| hint_on_number(answer))
    }

    /// The time for a move that was not enough, an instruction counted as a nanosecond.
    pub fn late_within(&self) -> Option<Duration> {
        match *self {
            Fault::TimedOut { during: Phase::Move, budget } => Some(budget),
            Fault::OutOfInstructions { limit } => Some(Duration::from_nanos(limit)),
            _ => None,
        }
    }

    /// The stable code in records: the kind of fault, without its particulars.
    pub fn code(&self) -> &'static str {
        match self {
            Fault::IllegalMove { .. } => "illegal-move",
            Fault::EndlessErrors { .. } => "endless-errors",
            Fault::TimedOut { .. } | Fault::OutOfInstructions { .. } => "timed-out",
            Fault::Crashed { .. } => "crashed",
            Fault::Exited { .. } => "exited",
            Fault::Panicked { .. } => "panicked",
            Fault::Failed { .. } => "failed",
            Fault::OutOfMemory { .. } => "out-of-memory",
            Fault::ForbiddenCall { .. } => "forbidden-call",
            Fault::BadReply { .. } => "bad-reply",
            Fault::NotLoaded { .. } => "not-loaded",
            Fault::Unsupported { .. } => "unsupported",
            Fault::Resigned => "resigned",
            Fault::Left => "left",
        }
    }

    /// What the player was doing, for faults of bots.
    pub fn phase(&self) -> Option<Phase> {
        match self {
            Fault::TimedOut { during, .. }
            | Fault::Crashed { during, .. }
            | Fault::Exited { during, .. }
            | Fault::Panicked { during, .. }
            | Fault::Failed { during, .. }
            | Fault::OutOfMemory { during, .. }
            | Fault::ForbiddenCall { during, .. } => Some(*during),
            Fault::IllegalMove { .. }
            | Fault::EndlessErrors { .. }
            | Fault::BadReply { .. }
            | Fault::Resigned
            | Fault::Left => None,
            Fault::OutOfInstructions { .. } => Some(Phase::Move),
            Fault::NotLoaded { .. } => Some(Phase::Load),
            Fault::Unsupported { .. } => Some(Phase::NewGame),
        }
    }

    /// What happened, in words that continue a sentence: "seat 2 …".
    pub fn sentence(&self) -> String {
        self.sentence_on(cfg!(target_os = "linux"))
    }

    /// The same with the names that signals have on the other kind of system: on Linux, or everywhere else.
    pub fn sentence_elsewhere(&self) -> String {
        self.sentence_on(cfg!(not(target_os = "linux")))
    }

    fn sentence_on(&self, is_linux: bool) -> String {
        let signal_name = |signal| signal_name(signal, is_linux);
        match self {
            Fault::IllegalMove { answer, why } => format!("played {answer}: {}", why.sentence),
            Fault::EndlessErrors { answers } => {
                format!("gave {answers} answers in one game that the rules refuse")
            }
            Fault::TimedOut { during: Phase::Move, budget } => {
                format!("had no answer within {}", seconds(*budget))
            }
            Fault::TimedOut { during, budget } => {
                format!("did not finish within {} {during}", seconds(*budget))
            }
            Fault::OutOfInstructions { limit } => format!("had no answer within {}", instructions(*limit)),
            Fault::Crashed { during, signal, address } => {
                let at = address.map(|at| format!(" at address 0x{at:x}")).unwrap_or_default();
                format!("crashed {during} ({}{at})", signal_name(*signal))
            }
            Fault::Exited { during, code } => format!("ended its process {during} (exit code {code})"),
            Fault::Panicked { during, message } => with(format!("panicked {during}"), message),
            Fault::Failed { during, status } => format!("failed {during} (status {status})"),
            Fault::OutOfMemory { during, limit, shortage } => {
                let limit = limit >> 20;
                match shortage {
                    Shortage::Held => format!("used more than its {limit} MiB of memory {during}"),
                    Shortage::Refused { signal } => {
                        let signal = signal_name(*signal);
                        format!(
                            "crashed {during} when it was refused memory ({signal}); it may use {limit} MiB"
                        )
                    }
                    Shortage::Admitted { status } => {
                        format!(
                            "says that it ran out of memory {during} (status {status}); it may use {limit} MiB"
                        )
                    }
                }
            }
            Fault::ForbiddenCall { during, call } => {
                format!("made the forbidden system call {call} {during}")
            }
            Fault::BadReply { problem } => format!("sent a broken reply: {problem}"),
            Fault::NotLoaded { problem } => format!("could not be loaded: {problem}"),
            Fault::Unsupported { message } => {
                with("does not play this game with these options".to_owned(), message)
            }
            Fault::Resigned => "resigned".to_owned(),
            Fault::Left => "left the game".to_owned(),
        }
    }
}

/// What is meant by an illegal answer that is the place of a move in the list of moves. Numbers of moves are larger.
pub fn hint_on_number(answer: &str) -> Option<String> {
    /// No game has so many moves at once.
    const MOST: u64 = 512;
    match u64::from_str_radix(answer.strip_prefix("0x")?, 16).ok()? {
        0 => Some("that is ARBITER_NO_MOVE, or is turn.moves[0] meant?".to_owned()),
        number if number < MOST => {
            Some(format!("a number as small as that is no move: is turn.moves[{number}] meant?"))
        }
        _ => None,
    }
}

/// A sentence with what the bot itself said, if it said anything.
fn with(sentence: String, message: &str) -> String {
    if message.is_empty() { sentence } else { format!("{sentence}: {message}") }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

/// A number of instructions as it is asked for: `50M instructions`.
pub fn instructions(number: u64) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k"), (1, "")];
    let unit = units.into_iter().find(|(size, _)| number >= *size && number.is_multiple_of(*size));
    let (size, letter) = unit.unwrap_or((1, ""));
    format!("{}{letter} instructions", number / size)
}

/// The name of a POSIX signal, or its number where systems differ.
fn signal_name(signal: i32, is_linux: bool) -> String {
    let name = match signal {
        1 => "hang-up",
        2 => "interrupt",
        3 => "quit",
        4 => "illegal instruction",
        5 => "trap",
        6 => "abort",
        8 => "arithmetic error",
        9 => "killed",
        11 => "segmentation fault",
        13 => "broken pipe",
        14 => "alarm",
        15 => "termination",
        7 if is_linux => "bus error",
        24 if is_linux => "processor time used up",
        26 | 27 if is_linux => "timer",
        31 if is_linux => "bad system call",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal}, {name}")
}
