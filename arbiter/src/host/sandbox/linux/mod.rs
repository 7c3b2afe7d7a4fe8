//! Confinement on Linux, which needs no privilege.
//!
//! What all bots have in common, the template does once ([`Prepared`]): it can gain no rights by executing a program,
//! cannot be looked into, has the limits of all, and makes only the system calls on a list. Each copy of it does the rest
//! for itself: it dies with the referee, is no longer root, and reads system libraries only. Then it passes the gate:
//! from there on the supervisor treats its system calls as the bot's.

mod groups;
mod identity;
mod landlock;
mod namespaces;
mod rlimits;
mod seccomp;

use super::GATE;
use crate::host::{Sandbox, crash, procfs};
use rustix::process::{DumpableBehavior, Signal};
use std::io;

pub(in super::super) use groups::{Group, Groups};
use identity::User;
pub(in super::super) use landlock::version as landlock;
pub(in super::super) use namespaces::{Apart, Namespaces};
pub(in super::super) use rlimits::{Bounds, Counted};
pub(in super::super) use seccomp::{Call, Filters, Listener, Question, Reply, filters};

/// The signal that the system sends for a forbidden call.
pub(in super::super) const FORBIDDEN: Option<i32> = Some(libc::SIGSYS);

/// Asks to be killed when the parent ends, and makes sure that it has not ended already. `parent` is its number outside
/// of all namespaces of ours.
pub(in super::super) fn die_with(parent: u32) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // The parent has no number in a namespace that it is not in.
    let actual = match rustix::process::getppid() {
        Some(number) => number.as_raw_pid().unsigned_abs(),
        None => procfs::own_numbers()?.parent,
    };
    if actual == parent { Ok(()) } else { Err(io::Error::other("the process that started this one is gone")) }
}

/// The number of this process for the referee: outside of all namespaces of ours.
pub(in super::super) fn number() -> io::Result<u32> {
    match rustix::process::getppid() {
        Some(_) => Ok(std::process::id()),
        None => Ok(procfs::own_numbers()?.process),
    }
}

/// What a template has made ready for all of its copies.
pub(in super::super) struct Prepared {
    sandbox: Sandbox,
    user: User,
    files: landlock::Files,
    has_namespaces: bool,
    /// There is a listener: the kernel asks the supervisor about their calls.
    is_heard: bool,
}

impl Prepared {
    /// Makes it ready, in the process that bots' processes are copies of. What this gives beside it is for the
    /// supervisor alone.
    pub(in super::super) fn new(
        sandbox: Sandbox,
        bounds: &Bounds,
        has_namespaces: bool,
    ) -> io::Result<(Prepared, Option<Listener>)> {
        identity::give_up_what_no_copy_needs();
        // A template in namespaces needs them to make those of its copies.
        if !has_namespaces && !identity::is_root() {
            identity::give_up_capabilities()?;
        }
        rustix::thread::set_no_new_privs(true)?;
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        let user = identity::user_of_copies();
        if sandbox != Sandbox::Off {
            rlimits::set_limits_of_all()?;
            bounds.set(user)?;
        }
        let files = landlock::Files::libraries()?;
        let scopes_signals = landlock::version().is_some_and(|version| version >= landlock::SCOPES_SIGNALS);
        let are_separated = has_namespaces || scopes_signals || user == User::OfItsOwn;
        let listener = seccomp::install(sandbox, are_separated)?;
        if listener.is_some() {
            crash::answer_for_filter()?;
        }
        Ok((Prepared { sandbox, user, files, has_namespaces, is_heard: listener.is_some() }, listener))
    }

    /// Confines this process, a copy in which nothing of the bot has run yet. `close` closes the files that it does not
    /// need any more, as the last thing before the gate.
    pub(in super::super) fn confine(
        self,
        parent: u32,
        close: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        if self.sandbox == Sandbox::Off {
            return close();
        }
        identity::leave_root(self.user)?;
        if self.has_namespaces {
            identity::give_up_capabilities()?;
        }
        die_with(parent)?;
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        self.files.restrict()?;
        close()?;
        if self.is_heard { pass_the_gate() } else { seccomp::install_alone(self.sandbox) }
    }
}

/// Tells the supervisor that this process has given up its rights.
fn pass_the_gate() -> io::Result<()> {
    // SAFETY: no kernel has this option; the supervisor answers in its place.
    match unsafe { libc::prctl(GATE as libc::c_int, 0, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether a process asks to pass the gate.
pub(in super::super) fn is_gate(question: &Question) -> bool {
    question.is("prctl") && question.arguments[0] as u32 == GATE
}

/// Closes the referee's own memory to bots, in its own process. With Landlock, or with users of their own, they
/// cannot reach it anyway; otherwise they could read it while they are loaded, as any process of the same user can.
pub(in super::super) fn guard_referee() {
    if landlock::version().is_none() && !identity::is_root() {
        // It never fails with this argument.
        let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

/// Closes every file from this number on.
///
/// # Safety
/// Nothing of this process uses any of them any more.
pub(in super::super) unsafe fn close_files_from(number: libc::c_uint) -> io::Result<()> {
    // SAFETY: the caller promises it.
    match unsafe { libc::close_range(number, libc::c_uint::MAX, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
