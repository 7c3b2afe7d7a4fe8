//! Namespaces: a bot that could break out of its filter would still find no process but its own.
//!
//! Root may make namespaces, and everybody else in a user namespace of his own. So the template enters one, and a process
//! namespace that belongs to it, so that it can leave again those that it makes for its copies. Each copy gets a process
//! and an IPC namespace.
//!
//! The first process of a process namespace ignores fatal signals that it does not handle, and its end is the end of all
//! others there. A bot in that place could not crash properly. So a process of ours fills it and sleeps, until the referee
//! has seen how the bot ended.

use super::{close_files_from, die_with, rights};
use crate::host::template::fork::Fork;
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space, unshare_unsafe};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The right to make namespaces for copies of this process.
pub(in crate::host) struct Namespaces {
    /// The process namespace that this process lives in.
    own: File,
}

/// A copy, and the process that fills the first place of its namespace where it has one of its own.
pub(in crate::host) struct Apart {
    pub(in crate::host) process: io::Result<OwnedFd>,
    pub(in crate::host) first: Option<OwnedFd>,
}

impl Namespaces {
    /// Goes into namespaces from which others can be made. Two copies of this process go on in them, and are children
    /// of its parent: one that fills the first place, and the one that this returns in. The original ends here.
    ///
    /// # Safety
    /// This process has one thread only.
    pub(in crate::host) unsafe fn enter(fork: &Fork, parent: u32) -> io::Result<Namespaces> {
        if !rights::is_root() {
            in_words("a user namespace cannot be made", enter_user_namespace())?;
        }
        in_words("a process namespace cannot be made", unshare(UnshareFlags::NEWPID))?;
        // SAFETY: one thread only, as the caller promises.
        if unsafe { fork.fork(0, None) }?.is_none() {
            stay_first(parent);
        }
        // SAFETY: as above.
        match unsafe { fork.fork(0, None) }? {
            None => die_with(parent)?,
            Some(_) => std::process::exit(0),
        }
        let own = in_words("there is no /proc/self/ns/pid", File::open("/proc/self/ns/pid"))?;
        Ok(Namespaces { own })
    }

    /// Copies this process into new namespaces. None in the copy itself.
    ///
    /// # Safety
    /// This process has one thread only.
    pub(in crate::host) unsafe fn fork(
        &self,
        fork: &Fork,
        group: Option<BorrowedFd<'_>>,
        parent: u32,
    ) -> io::Result<Option<Apart>> {
        in_words("a process namespace cannot be made", unshare(UnshareFlags::NEWPID))?;
        // SAFETY: one thread only, as the caller promises.
        let copied = unsafe { fork_twice(fork, group, parent) };
        if !matches!(copied, Ok(None)) {
            // Otherwise the next copy would go into the same namespace.
            move_into_link_name_space(self.own.as_fd(), Some(LinkNameSpaceType::ProcessID))?;
        }
        copied
    }
}

/// Copies this process twice: for the first place of a namespace, and for the bot.
///
/// # Safety
/// This process has one thread only.
unsafe fn fork_twice(fork: &Fork, group: Option<BorrowedFd<'_>>, parent: u32) -> io::Result<Option<Apart>> {
    // SAFETY: one thread only, as the caller promises.
    let first = match unsafe { fork.fork(0, None) }? {
        None => stay_first(parent),
        Some(first) => first.handle,
    };
    // SAFETY: as above.
    let process = match unsafe { fork.fork(libc::CLONE_NEWIPC, group) } {
        Ok(None) => return Ok(None),
        Ok(Some(process)) => Ok(process.handle),
        Err(error) => in_words("no process can be started in an IPC namespace", Err(error)),
    };
    Ok(Some(Apart { process, first: Some(first) }))
}

/// The whole life of the first process of a namespace. It gives up all it has, so that a bot could gain nothing from it.
fn stay_first(parent: u32) -> ! {
    let ready = || -> io::Result<()> {
        // SAFETY: this process does nothing more with files.
        unsafe { close_files_from(0) }?;
        rights::leave_root(rights::user_of_copies())?;
        rights::give_up_capabilities()?;
        die_with(parent)
    };
    // SAFETY: no handler is installed. The kernel then reaps processes of the namespace that have lost their
    // parent.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    if ready().is_err() {
        std::process::exit(1);
    }
    loop {
        std::thread::park();
    }
}

/// Goes into a user namespace in which the numbers of the user and the group stay the same.
fn enter_user_namespace() -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    unshare(UnshareFlags::NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()))?;
    fs::write("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()))
}

fn unshare(what: UnshareFlags) -> io::Result<()> {
    // SAFETY: the table of open files stays as it is.
    Ok(unsafe { unshare_unsafe(what) }?)
}

fn in_words<T>(what: &str, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::new(error.kind(), format!("{what}: {error}")))
}
