//! Limits that the kernel keeps for a process.

use crate::host::sandbox::Counted;
use rustix::process::{Resource, Rlimit};
use std::io;

/// Memory of the child itself, beside the bot's.
pub(super) const OWN_MEMORY: u64 = 32 << 20;
/// Addresses that may be reserved beyond the memory that may be used: allocators and stacks take more than they use.
const SPARE_ADDRESSES: u64 = 1 << 30;
/// The same where only what is used counts. It is an end still: page tables take memory too.
const FREE_ADDRESSES: u64 = 64 << 30;
/// What the header promises for the stack of the thread that calls the bot.
const LEAST_STACK: u64 = 8 << 20;
/// What the stack is given: the promise and room for our own frames.
const STACK: u64 = 16 << 20;
/// Files a bot may hold open: its runtime's few.
const FILES: u64 = 64;
/// Signals that may be waiting, timers included. They are counted for all processes of a user together.
const SIGNALS: u64 = 512;

/// Sets what is the same for all bots, in the process that theirs are copies of.
pub(super) fn set_limits_of_all() -> io::Result<()> {
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, 0)?;
    limit(Resource::Nofile, FILES)?;
    limit(Resource::Memlock, 0)?;
    limit(Resource::Sigpending, SIGNALS)?;
    set_stack()
}

/// Limits the memory of a bot that may use so many bytes.
pub(super) fn set_memory(memory: u64, counted: Counted) -> io::Result<()> {
    match counted {
        Counted::AsReserved => {
            limit(Resource::Data, memory.saturating_add(OWN_MEMORY))?;
            limit(Resource::As, memory.saturating_add(OWN_MEMORY + SPARE_ADDRESSES))
        }
        Counted::AsUsed => limit(Resource::As, memory.saturating_add(OWN_MEMORY + FREE_ADDRESSES)),
    }
}

/// Limits the threads of this process's user.
pub(super) fn set_most_threads(threads: u32) -> io::Result<()> {
    limit(Resource::Nproc, u64::from(threads))
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
