//! Namespaces: a bot that could break out of its filter would still find no process but its own.
//!
//! Root may make namespaces, and everybody else in a user namespace of his own. So the template enters one, and a process
//! namespace that belongs to it, so that it can leave again those that it makes for its copies. Each copy gets a process
//! and an IPC namespace.
//!
//! The first process of a process namespace ignores fatal signals that it does not handle, and its end is the end of all
//! others there. A bot in that place could not crash properly. So a process of ours fills it and sleeps, until the referee
//! has seen how the bot ended.

use super::{close_files_from, die_with, in_words, rights};
use crate::host::template::fork::{Fork, Made};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space, unshare_unsafe};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

/// The right to make namespaces for copies of this process.
pub(in crate::host) struct Namespaces {
    /// The process namespace that this process lives in.
    own: File,
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
    ) -> Option<Made> {
        let mut handles = Vec::new();
        let mut copy = || -> io::Result<Option<()>> {
            in_words("a process namespace cannot be made", unshare(UnshareFlags::NEWPID))?;
            // SAFETY: one thread only, as the caller promises.
            match unsafe { fork.fork(0, None) }? {
                None => stay_first(parent),
                Some((_, first)) => handles.push(first),
            }
            // SAFETY: as above.
            let copy = unsafe { fork.fork(libc::CLONE_NEWIPC, group) };
            let copy = in_words("no process can be started in an IPC namespace", copy)?;
            Ok(copy.map(|(_, copy)| handles.insert(0, copy)))
        };
        let made = copy().transpose()?;
        // Otherwise the next copy would go into the same namespace.
        let back = move_into_link_name_space(self.own.as_fd(), Some(LinkNameSpaceType::ProcessID));
        Some(Made { number: made.and(back.map_err(io::Error::from)).map(|()| None), handles })
    }
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
