//! What a bot may use, and what holds it: the limits of its process, its sandbox and its isolation.

use crate::player::{TIME_TO_LEAVE, TIME_TO_PREPARE};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;
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
    /// Whether its clock counts instructions and no time: a nanosecond of any limit is one instruction. Only for bots of
    /// which [`BotFile::counts_instructions`](super::BotFile::counts_instructions) says that it can.
    pub instructions: bool,
    /// How strictly its system calls are judged.
    pub sandbox: Sandbox,
    /// What holds it besides.
    pub isolation: Isolation,
    /// Time for its library to load and for `create`, together.
    pub prepare: Duration,
    /// Time for `new_game`, where the user has set one; otherwise [`time_to_begin`](crate::player::time_to_begin).
    pub new_game: Option<Duration>,
    /// Whether its process is stopped outside its turns, so that it cannot think on its opponents' time.
    pub stop_between_turns: bool,
    /// Time for each of `game_over` and `destroy`.
    pub call: Duration,
}

/// How strictly the system calls of bots are judged. The first paragraphs are help texts of `--sandbox`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
pub enum Sandbox {
    /// A call that no bot needs ends the bot
    ///
    /// No files but system libraries can be read. Of other paths a bot learns no more than whether they exist.
    #[default]
    Strict,
    /// It fails instead, and libraries can still be loaded in play
    ///
    /// Paths can be looked at: for large runtimes that try things out or load parts of themselves late.
    Wide,
    /// A plain process, the only kind that systems other than Linux have: it can be killed, and has the limits
    /// that the system offers. No command offers it on Linux, but tests run it there.
    #[value(skip)]
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
}

/// Memory of our side of a bot's process.
pub(super) const OWN_MEMORY: u64 = 32 << 20;

/// Bytes that a bot's process may hold for itself alone: what the bot may use, our own side, and what limits on data
/// leave out, the stack and what was written over in libraries.
pub(super) fn most_private_memory(memory: u64) -> u64 {
    memory.saturating_add(2 * OWN_MEMORY)
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 1 << 30,
            threads: 1,
            instructions: false,
            sandbox: Sandbox::Strict,
            isolation: Isolation::default(),
            prepare: TIME_TO_PREPARE,
            new_game: None,
            call: TIME_TO_LEAVE,
            stop_between_turns: false,
        }
    }
}

/// The error for plain processes, which cannot be isolated.
pub(super) const CONTAINED_ONLY: &str = "only contained processes can be isolated, which only Linux has";

/// What is asked for. What cannot be had is an error, never left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// Process and IPC namespaces for each bot. The only other process in there is one of ours that sleeps.
    pub namespaces: bool,
    /// A control group for each bot: memory is counted as it is used, not as it is reserved, and the kernel counts
    /// threads.
    pub cgroup: bool,
}

/// One of the means of isolation, as `--isolate` takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Means {
    /// Process and IPC namespaces of its own for every bot
    Namespaces,
    /// A control group (version 2) for every bot: memory counts as it is used, not as it is reserved
    Cgroup,
}

/// Something that was asked for and cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct Unavailable {
    /// Which of the means.
    pub means: Means,
    /// What the system says, and where.
    pub problem: String,
}

impl Means {
    /// All of them, in the order in which they are tried: a control group that has to be left first must still be free
    /// of other processes of ours.
    pub const ALL: [Means; 2] = [Means::Cgroup, Means::Namespaces];

    /// The word for it on the command line and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Means::Namespaces => "namespaces",
            Means::Cgroup => "cgroup",
        }
    }
}

impl Isolation {
    /// These means and no others.
    pub fn of(means: &[Means]) -> Isolation {
        let (namespaces, cgroup) = (means.contains(&Means::Namespaces), means.contains(&Means::Cgroup));
        Isolation { namespaces, cgroup }
    }

    /// What is asked for, one after another.
    pub fn means(self) -> impl Iterator<Item = Means> {
        Means::ALL.into_iter().filter(move |means| match means {
            Means::Namespaces => self.namespaces,
            Means::Cgroup => self.cgroup,
        })
    }
}

impl fmt::Display for Isolation {
    /// As on the command line: `namespaces,cgroup`. Nothing where nothing is asked for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.means().map(Means::word).collect();
        f.write_str(&words.join(","))
    }
}
