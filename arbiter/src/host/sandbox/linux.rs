//! Confinement on Linux, without any privilege.
//!
//! The process dies with the referee's thread that started it, gains no privilege by executing a program, cannot be
//! looked into, and has limits on memory, files and core dumps.

use super::{Bounds, Stage};
use rustix::process::{DumpableBehavior, Pid, Resource, Rlimit, Signal};
use std::io;

/// Memory of the child itself, beside the bot's.
const OWN_MEMORY: u64 = 32 << 20;
/// Addresses that may be reserved beyond the memory that may be used: allocators and stacks take more than they use.
const SPARE_ADDRESSES: u64 = 1 << 30;
/// What the header promises for the stack of the thread that calls the bot.
const LEAST_STACK: u64 = 8 << 20;
/// What the stack is given: the promise and room for our own frames.
const STACK: u64 = 16 << 20;
/// Files a bot may hold open: its runtime's few.
const FILES: u64 = 64;

/// Asks to be killed when the parent ends, and makes sure that it has not ended already.
pub(in super::super) fn die_with(parent: u32) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    let actual = rustix::process::getppid().map_or(0, |pid| Pid::as_raw(Some(pid)));
    if u32::try_from(actual) == Ok(parent) {
        Ok(())
    } else {
        Err(io::Error::other("the process that started this one is gone"))
    }
}

/// Confines this process.
pub(in super::super) fn confine(stage: Stage, bounds: &Bounds) -> io::Result<()> {
    match stage {
        Stage::Load => {
            close_inherited_files()?;
            rustix::thread::set_no_new_privs(true)?;
            rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
            if let Some(core) = bounds.core {
                stay_on(core)?;
            }
            set_limits(bounds.memory)
        }
        Stage::Play => Ok(()),
    }
}

/// Closes what the referee may have inherited itself and passed on unknowingly.
fn close_inherited_files() -> io::Result<()> {
    // SAFETY: the child has opened nothing beyond its three standard files that it uses again.
    match unsafe { libc::close_range(3, libc::c_uint::MAX, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn stay_on(core: usize) -> io::Result<()> {
    if core >= rustix::thread::CpuSet::MAX_CPU {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut cores = rustix::thread::CpuSet::new();
    cores.set(core);
    Ok(rustix::thread::sched_setaffinity(None, &cores)?)
}

fn set_limits(memory: u64) -> io::Result<()> {
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, 0)?;
    limit(Resource::Nofile, FILES)?;
    limit(Resource::Memlock, 0)?;
    limit(Resource::Data, memory.saturating_add(OWN_MEMORY))?;
    limit(Resource::As, memory.saturating_add(OWN_MEMORY + SPARE_ADDRESSES))?;
    set_stack()
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
