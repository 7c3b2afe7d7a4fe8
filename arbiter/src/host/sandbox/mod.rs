//! What a bot's process gives up before the bot is loaded, on Linux. It needs no privilege.
//!
//! What all bots have in common, the template does once ([`Prepared`]): it can gain no rights by executing a program,
//! cannot be looked into, has the limits of all, and makes only the system calls on a list. Each copy of it does the rest
//! for itself: it dies with the referee, is no longer root, and reads system libraries only. Then it passes the gate:
//! from there on the supervisor treats its system calls as the bot's.
#![expect(clippy::disallowed_methods, reason = "the kernel is told by files")]

mod groups;
mod rights;
mod seccomp;

pub(super) use groups::{Group, Groups};
pub(super) use rights::landlock_version;
pub(super) use seccomp::{Action, Call, Filters, Listener, Notification, Reply, filters};

use super::procfs;
use super::template::Kind;
use landlock::RulesetCreated;
use rights::User;
use rustix::process::{DumpableBehavior, Signal};
use seccomp::Filter;
use std::fmt;
use std::io;
use std::sync::Once;

/// An option of `prctl` that no kernel has. By calling it a bot's process tells the supervisor that it has given up its
/// rights.
const GATE: u32 = 0x4152_4254;
/// The fifth argument of an `rt_sigaction` that our handler of SIGSYS makes, where the kernel looks at four. A bot that passes it
/// blocks SIGSYS for itself, and is ended by that.
pub(super) const OUR_ACTION: u32 = 0x4152_4255;

/// Asks to be killed when the parent ends, and makes sure that it has not ended already. `parent` is its pid outside of
/// all namespaces of ours.
pub(super) fn die_with(parent: u32) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // The parent has no pid in a namespace that it is not in.
    let actual = match rustix::process::getppid() {
        Some(pid) => pid.as_raw_pid().unsigned_abs(),
        None => procfs::own_pids()?.1,
    };
    if actual == parent { Ok(()) } else { Err(io::Error::other("the process that started this one is gone")) }
}

/// The pid of this process as the referee sees it: outside of all namespaces of ours.
pub(super) fn own_pid() -> io::Result<u32> {
    match rustix::process::getppid() {
        Some(_) => Ok(std::process::id()),
        None => Ok(procfs::own_pids()?.0),
    }
}

/// What a template has made ready for all of its copies.
pub(super) struct Prepared {
    has_namespaces: bool,
    user: User,
    files: RulesetCreated,
    filter: Filter,
    /// There is a listener: the kernel asks the supervisor about their calls.
    is_heard: bool,
}

impl Prepared {
    /// Makes it ready, in the template. The listener is for the supervisor alone.
    pub(super) fn new(kind: &Kind) -> io::Result<(Prepared, Option<Listener>)> {
        let has_namespaces = kind.isolation.namespaces;
        rights::give_up_what_no_copy_needs();
        // A template in namespaces needs them to make those of its copies.
        if !has_namespaces && !rights::is_root() {
            rights::give_up_capabilities()?;
        }
        rustix::thread::set_no_new_privs(true)?;
        let stays_visible = stays_visible();
        if !stays_visible {
            hide()?;
        }
        let user = rights::user_of_copies();
        rights::set_limits(kind, user)?;
        let files = rights::libraries_and(kind.bridge.as_deref().unwrap_or_default())?;
        let scopes_signals =
            landlock_version().is_some_and(|version| version >= rights::LANDLOCK_SCOPES_SIGNALS);
        let filter = Filter {
            sandbox: kind.sandbox,
            stays_visible,
            is_separated: has_namespaces || scopes_signals || user == User::OfItsOwn,
            is_bridge: kind.bridge.is_some(),
        };
        let listener = filter.install()?;
        Ok((Prepared { has_namespaces, user, files, filter, is_heard: listener.is_some() }, listener))
    }

    /// The first that a copy does. From here on it is no longer root.
    pub(super) fn give_up_rights(&self, parent: u32) -> io::Result<()> {
        rights::leave_root(self.user)?;
        if self.has_namespaces {
            rights::give_up_capabilities()?;
        }
        die_with(parent)?;
        if self.filter.stays_visible { Ok(()) } else { hide() }
    }

    /// Confines a copy that needs no files any more which the bot shall not have, and in which nothing of the bot has run yet.
    /// `close` closes those that are open.
    pub(super) fn confine(self, close: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        // As far as the kernel can. It can gain no privileges already.
        self.files.restrict_self().map_err(io::Error::other)?;
        close()?;
        if self.is_heard { pass_the_gate() } else { self.filter.install_alone() }
    }
}

/// Whether this process shall be one that others of its user may look into. Where `/proc` hides those that nobody may look into,
/// the referee would not see whether a bot sleeps or waits for a processor; there Landlock and the filter have to suffice.
fn stays_visible() -> bool {
    !rights::is_root() && landlock_version().is_some() && procfs::hides_processes()
}

/// Whether the referee cannot see what bots are doing: processes that nobody may look into are hidden from it, and nothing
/// else would keep bots from looking into each other.
pub(super) fn hides_bots() -> bool {
    !rights::is_root() && landlock_version().is_none() && procfs::hides_processes()
}

/// Keeps other processes of the same user from looking into this one.
fn hide() -> io::Result<()> {
    Ok(rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// Tells the supervisor that this process has given up its rights.
fn pass_the_gate() -> io::Result<()> {
    // SAFETY: no kernel has this option; the supervisor answers in its place.
    check(unsafe { libc::prctl(GATE as libc::c_int, 0, 0, 0, 0) }).map(drop)
}

/// Sets up the referee's own process before its first bot.
pub(super) fn guard_referee() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        // With Landlock, or with users of their own, bots cannot reach the referee's memory; otherwise they could read it
        // while they are loaded, as any process of the same user can.
        if landlock_version().is_none() && !rights::is_root() {
            // It never fails with this argument.
            let _ = hide();
        }
        hear_of_ends();
    });
}

/// If our parent ignored SIGCHLD (`trap '' CHLD`), we have inherited that, and the kernel would not keep the exit
/// status of bots for us.
fn hear_of_ends() {
    // SAFETY: asks for the action of a signal, into a variable of ours; all zeros is a valid one.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    unsafe { libc::sigaction(libc::SIGCHLD, std::ptr::null(), &raw mut action) };
    if action.sa_sigaction == libc::SIG_IGN || action.sa_flags & libc::SA_NOCLDWAIT != 0 {
        // SAFETY: no handler is installed.
        unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    }
}

/// Leaves this process with nothing but its memory: no file, no user that could do anything, no capability, and no life
/// beyond that of the process with this pid.
///
/// # Safety
/// It uses no files any more.
pub(super) unsafe fn give_up_everything(parent: u32) -> io::Result<()> {
    // SAFETY: as the caller promises.
    unsafe { close_files_from(0) }?;
    rights::leave_root(rights::user_of_copies())?;
    rights::give_up_capabilities()?;
    die_with(parent)
}

/// Closes every file from this number on.
///
/// # Safety
/// Nothing of this process uses any of them any more.
pub(super) unsafe fn close_files_from(number: libc::c_uint) -> io::Result<()> {
    // SAFETY: the caller promises it.
    check(unsafe { libc::close_range(number, libc::c_uint::MAX, 0) }).map(drop)
}

/// What a call gave, or why it failed.
pub(super) fn check(given: impl Into<i64>) -> io::Result<i64> {
    let given = given.into();
    if given >= 0 { Ok(given) } else { Err(io::Error::last_os_error()) }
}

/// Says what could not be done.
pub(super) fn in_words<T>(what: impl fmt::Display, done: io::Result<T>) -> io::Result<T> {
    done.map_err(|error| io::Error::new(error.kind(), format!("{what}: {error}")))
}
