//! Limits that the kernel keeps for a process.

use super::identity::User;
use rustix::process::{Resource, Rlimit};
use std::io;

/// Memory of the child itself, beside the bot's.
pub(super) const OWN_MEMORY: u64 = 32 << 20;
/// Addresses that may be reserved beyond the memory that may be used: allocators and stacks take more than they use.
const SPARE_ADDRESSES: u64 = 1 << 30;
/// The same where only used memory counts. There is still a limit, since page tables take memory too.
const FREE_ADDRESSES: u64 = 64 << 30;
/// What the header promises for the stack of the thread that calls the bot.
const LEAST_STACK: u64 = 8 << 20;
/// What the stack is given: the promise and room for our own frames.
const STACK: u64 = 16 << 20;
/// Files a bot may hold open: its runtime's few.
const FILES: u64 = 64;
/// Pending signals and timers (RLIMIT_SIGPENDING) of a bot with a user of its own. A timer that it leaves behind would go
/// off in its opponent's turn.
const SIGNALS: u64 = 8;
/// The same for all processes of a user together.
const SHARED_SIGNALS: u64 = 512;

/// Sets what is the same for all bots, in the process that theirs are copies of.
pub(super) fn set_limits_of_all() -> io::Result<()> {
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, 0)?;
    limit(Resource::Nofile, FILES)?;
    limit(Resource::Memlock, 0)?;
    set_stack()
}

/// How a bot's memory is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) enum Counted {
    /// By addresses: whatever the bot reserves, used or not.
    AsReserved,
    /// By a control group: whatever it uses.
    AsUsed,
}

/// What a bot may use, as the kernel limits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) struct Bounds {
    /// Bytes of memory for the bot.
    pub(in crate::host) memory: u64,
    /// The most threads of the process.
    pub(in crate::host) threads: u32,
    /// How its memory is counted.
    pub(in crate::host) counted: Counted,
}

impl Bounds {
    /// Limits a template, and with it the copies that it will make and that will be of such users. Limits that count
    /// per user hold for a user of its own only.
    pub(super) fn set(&self, user: User) -> io::Result<()> {
        match self.counted {
            Counted::AsReserved => {
                limit(Resource::Data, self.memory.saturating_add(OWN_MEMORY))?;
                limit(Resource::As, self.memory.saturating_add(OWN_MEMORY + SPARE_ADDRESSES))?;
            }
            Counted::AsUsed => limit(Resource::As, self.memory.saturating_add(OWN_MEMORY + FREE_ADDRESSES))?,
        }
        match user {
            User::OfItsOwn => {
                limit(Resource::Sigpending, SIGNALS)?;
                limit(Resource::Nproc, u64::from(self.threads))
            }
            User::Shared => limit(Resource::Sigpending, SHARED_SIGNALS),
        }
    }
}

/// Lowers a limit for good; a lower one stays.
fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let most = rustix::process::getrlimit(resource).maximum.map_or(most, |before| before.min(most));
    Ok(rustix::process::setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

/// The stack of the main thread grows while it is used, so it can still be given its size.
fn set_stack() -> io::Result<()> {
    let maximum = rustix::process::getrlimit(Resource::Stack).maximum;
    let size = maximum.map_or(STACK, |maximum| maximum.min(STACK));
    if size < LEAST_STACK {
        return Err(io::Error::other(format!(
            "bots need {LEAST_STACK} bytes of stack; `ulimit -Hs` gives {size}"
        )));
    }
    Ok(rustix::process::setrlimit(Resource::Stack, Rlimit { current: Some(size), maximum })?)
}
