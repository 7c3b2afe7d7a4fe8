//! What a bot may use.

use super::Isolation;
use crate::player::{TIME_TO_LEAVE, TIME_TO_PREPARE};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Whether this system can stop a process and let it go on, which [`Limits::stop_between_turns`] needs.
pub const CAN_STOP: bool = cfg!(unix);

/// What a bot may use besides the time for its moves. None of these times counts on the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// Processor cores that it is told it may keep busy. It may start [`SPARE_THREADS`](Limits::SPARE_THREADS) more
    /// threads than that, since runtimes have some of their own.
    pub threads: u32,
    /// How strictly its system calls are judged.
    pub sandbox: Sandbox,
    /// What holds it besides.
    pub isolation: Isolation,
    /// Time for its library to load and for `create`, together.
    pub prepare: Duration,
    /// Time for `new_game`, where somebody has asked for another than the usual: 100 ms, or the time of one move where
    /// that is longer.
    pub new_game: Option<Duration>,
    /// Whether its process is stopped outside its turns, so that it cannot think on its opponents' time.
    pub stop_between_turns: bool,
    /// Time for each of `game_over` and `destroy`.
    pub call: Duration,
}

/// How strictly the system calls of bots are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sandbox {
    /// A call that no bot needs ends it. Paths cannot be looked at, and no files but system libraries be read.
    #[default]
    Strict,
    /// A call that no bot needs fails instead, and paths can be looked at: for large runtimes that try things out or load
    /// parts of themselves late.
    Wide,
    /// Nothing is limited or taken away: for measuring what the rest costs. No command offers it.
    Off,
    /// A process as systems other than Linux have it, whatever is asked for there: it can be killed, and is limited by
    /// what the system has for that. No command offers it on Linux, where it is tested.
    Plain,
}

impl Sandbox {
    /// Whether a supervisor holds the process, which is on Linux alone.
    pub(super) fn is_contained(self) -> bool {
        cfg!(target_os = "linux") && self != Sandbox::Plain
    }
}

impl Limits {
    /// Threads that a bot may have beyond those it is told to use.
    pub const SPARE_THREADS: u32 = 64;

    /// Whether a process holds more memory than a bot and what is around it may.
    pub(super) fn are_exceeded_by(&self, held: u64) -> bool {
        held > most_private_memory(self.memory)
    }
}

/// Bytes that a bot's process may hold for itself alone: what the bot may use, and what is around it, the process itself,
/// its stack, and what it wrote over in libraries.
pub(super) fn most_private_memory(memory: u64) -> u64 {
    const AROUND: u64 = 64 << 20;
    memory.saturating_add(AROUND)
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 1 << 30,
            threads: 1,
            sandbox: Sandbox::Strict,
            isolation: Isolation::default(),
            prepare: TIME_TO_PREPARE,
            new_game: None,
            call: TIME_TO_LEAVE,
            stop_between_turns: false,
        }
    }
}
