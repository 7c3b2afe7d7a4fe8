//! Confinement on Linux, which needs no privilege.
//!
//! The process dies with the referee's thread that started it, has no rights beyond those of any process, cannot be
//! looked into, has limits on memory, files and core dumps, reads system libraries only, and makes only the system
//! calls on a list.

mod groups;
mod identity;
mod landlock;
mod namespaces;
mod outer;
mod rlimits;
mod seccomp;

use super::{Bounds, Stage};
use crate::host::Sandbox;
use rustix::process::{DumpableBehavior, Signal};
use std::io;
use std::sync::Once;

pub(in super::super) use groups::{Group, close_groups, join};
use identity::User;
pub(in super::super) use landlock::version as landlock;
pub(in super::super) use namespaces::{Apart, Namespaces};
pub(in super::super) use seccomp::{Call, Filters, Listener, Told, filters};

/// The signal that the system sends for a forbidden call.
pub(in super::super) const FORBIDDEN: Option<i32> = Some(libc::SIGSYS);

/// Asks to be killed when the parent ends, and makes sure that it has not ended already. `parent` is its number outside
/// of all namespaces of ours.
pub(in super::super) fn die_with(parent: u32) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // The parent has no number in a namespace that it is not in.
    let actual = match rustix::process::getppid() {
        Some(number) => number.as_raw_pid().unsigned_abs(),
        None => outer::numbers()?.parent,
    };
    if actual == parent { Ok(()) } else { Err(io::Error::other("the process that started this one is gone")) }
}

/// The number of this process for the referee: outside of all namespaces of ours.
pub(in super::super) fn number() -> io::Result<u32> {
    match rustix::process::getppid() {
        Some(_) => Ok(std::process::id()),
        None => Ok(outer::numbers()?.process),
    }
}

/// What is made ready once for all bots: nothing in it is theirs.
pub(in super::super) struct Prepared {
    files: landlock::Files,
}

impl Prepared {
    /// Makes it ready, in the process that bots' processes are copies of. That process keeps the rights that they
    /// give up one by one, but could not lend them to a program any more.
    pub(in super::super) fn new() -> io::Result<Prepared> {
        identity::lend_no_rights();
        rustix::thread::set_no_new_privs(true)?;
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        rlimits::set_limits_of_all()?;
        seccomp::prepare();
        Ok(Prepared { files: landlock::Files::libraries()? })
    }

    /// Confines this process, in which nothing of the bot has run yet. Gives what the referee needs to be told of
    /// forbidden calls.
    pub(in super::super) fn confine(self, bounds: &Bounds) -> io::Result<Option<Listener>> {
        if bounds.sandbox == Sandbox::Off {
            return Ok(None);
        }
        rlimits::set_memory(bounds.memory, bounds.counted)?;
        if identity::give_up_rights()? == User::OfItsOwn {
            // Elsewhere it would count all processes of the user; the referee counts threads by itself where it can.
            rlimits::set_most_threads(bounds.threads)?;
        }
        // The system forgets both when a process changes its user.
        die_with(bounds.parent)?;
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        self.files.restrict()?;
        seccomp::install(Stage::Load, bounds.sandbox)
    }
}

/// Takes away what only loading needs.
pub(in super::super) fn narrow(sandbox: Sandbox) -> io::Result<()> {
    seccomp::install(Stage::Play, sandbox).map(drop)
}

/// Closes the referee's own memory to bots, in its own process. With Landlock, or with users of their own, they
/// cannot reach it anyway; otherwise they could read it while they are loaded, as any process of the same user can.
pub(in super::super) fn guard_referee() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        if landlock::version().is_none() && !identity::is_root() {
            // It never fails with this argument.
            let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
        }
    });
}

/// Closes every file but the standard ones.
pub(in super::super) fn close_other_files() -> io::Result<()> {
    // SAFETY: called before the child has opened anything.
    match unsafe { libc::close_range(3, libc::c_uint::MAX, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
