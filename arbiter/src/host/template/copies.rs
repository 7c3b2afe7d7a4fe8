//! Copies of this process, as its siblings: children of its own parent (`CLONE_PARENT`).
//!
//! The C library's `fork` makes children of the caller. Here the supervisor is to reap the copies, and they are to die with
//! it. So `clone` is called directly, and what the C library's `fork` does beside it for a process with one thread is done
//! here: the new thread's tid and its robust list get their places.
//!
//! In namespaces a bot that could break out of its filter would still find no process but its own. Root may make namespaces,
//! and everybody else in a user namespace of his own. So the template enters one, and a process namespace that belongs to it,
//! so that it can leave again those that it makes for its copies. Each copy gets a process and an IPC namespace.
//!
//! The first process of a process namespace ignores fatal signals that it does not handle, and its end is the end of all
//! others there. A bot in that place could not crash properly. So a process of ours fills it and sleeps, until the referee
//! has seen how the bot ended.

use super::Made;
use crate::host::sandbox::{die_with, give_up_everything, in_words};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space, unshare_unsafe};
use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// What makes copies of this process.
pub(super) struct Copier {
    /// Where the C library keeps the tid of this thread.
    tid: *mut libc::c_int,
    /// Where it keeps the list of locks that this thread holds.
    locks: *mut c_void,
    locks_size: usize,
    /// The pid of the referee, with which they end.
    parent: u32,
    /// The process namespace that this process lives in, where each copy gets its own.
    namespace: Option<File>,
}

/// Bytes of `struct clone_args` as it is passed: more than any C library passes, so that the filter can tell a template
/// from a bot that tries `clone3` out. The kernel takes longer structures whose end is zero.
pub(in crate::host) const CLONE3_SIZE: usize = 128;

/// `struct clone_args`, as Linux 5.7 knows it, and zeros.
#[repr(C)]
#[derive(Default)]
struct CloneArguments {
    flags: u64,
    pidfd: u64,
    child_tid: u64,
    parent_tid: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    tls: u64,
    set_tid: u64,
    set_tid_size: u64,
    cgroup: u64,
    _zeros: [u64; 5],
}

const _: () = assert!(size_of::<CloneArguments>() == CLONE3_SIZE);

impl Copier {
    /// Gets ready to make copies, which end with the process of this pid.
    ///
    /// # Safety
    /// This process has one thread only, for as long as it makes copies.
    ///
    /// # Errors
    /// When the kernel does not tell what is needed: without `CONFIG_CHECKPOINT_RESTORE`.
    pub(super) unsafe fn new(parent: u32) -> io::Result<Copier> {
        let (mut locks, mut locks_size) = (std::ptr::null_mut(), 0_usize);
        // The kernel wants the arguments of `clone` in another order elsewhere.
        let is_known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
            // SAFETY: the kernel writes a pointer and a number to variables of ours; 0 is this thread.
            && unsafe { libc::syscall(libc::SYS_get_robust_list, 0, &raw mut locks, &raw mut locks_size) } == 0;
        let tid = rustix::thread::get_clear_child_tid_address().ok().flatten();
        let Some(tid) = tid.filter(|_| is_known) else {
            let problem = "this kernel does not let bots' processes be copied (CONFIG_CHECKPOINT_RESTORE)";
            return Err(io::Error::other(problem));
        };
        Ok(Copier { tid: tid.as_ptr().cast(), locks, locks_size, parent, namespace: None })
    }

    /// Goes into namespaces from which others can be made. Two copies of this process go on in them, and are children
    /// of its parent: one that fills the first place, and the one that this returns in. The original ends here.
    pub(super) fn enter_namespaces(&mut self) -> io::Result<()> {
        if !rustix::process::geteuid().is_root() {
            in_words("a user namespace cannot be made", enter_user_namespace())?;
        }
        in_words("a process namespace cannot be made", unshare(UnshareFlags::NEWPID))?;
        if self.fork(0, None)?.is_none() {
            stay_first(self.parent);
        }
        match self.fork(0, None)? {
            None => die_with(self.parent)?,
            Some(_) => std::process::exit(0),
        }
        let own = in_words("there is no /proc/self/ns/pid", File::open("/proc/self/ns/pid"))?;
        self.namespace = Some(own);
        Ok(())
    }

    /// Makes a copy for a bot, in a control group where that is wanted. None in the copy itself.
    pub(super) fn copy(&self, group: Option<BorrowedFd<'_>>) -> Option<Made> {
        if let Some(own) = &self.namespace {
            return self.copy_into_namespaces(own, group);
        }
        Some(match self.fork(0, group).transpose()? {
            Ok((pid, pidfd)) => (Ok(Some(pid)), vec![pidfd]),
            Err(error) => (Err(error), Vec::new()),
        })
    }

    fn copy_into_namespaces(&self, own: &File, group: Option<BorrowedFd<'_>>) -> Option<Made> {
        let mut pidfds = Vec::new();
        let mut copy = || -> io::Result<Option<()>> {
            in_words("a process namespace cannot be made", unshare(UnshareFlags::NEWPID))?;
            match self.fork(0, None)? {
                None => stay_first(self.parent),
                Some((_, first)) => pidfds.push(first),
            }
            let copy = self.fork(libc::CLONE_NEWIPC, group);
            let copy = in_words("no process can be started in an IPC namespace", copy)?;
            Ok(copy.map(|(_, copy)| pidfds.insert(0, copy)))
        };
        let made = copy().transpose()?;
        // Otherwise the next copy would go into the same namespace.
        let back = move_into_link_name_space(own.as_fd(), Some(LinkNameSpaceType::ProcessID));
        Some((made.and(back.map_err(io::Error::from)).map(|()| None), pidfds))
    }

    /// Copies this process, with new namespaces or into a control group where that is wanted. Gives the pid of the copy as
    /// this process sees it, and its pidfd. None in the copy itself.
    fn fork(
        &self,
        namespaces: libc::c_int,
        group: Option<BorrowedFd<'_>>,
    ) -> io::Result<Option<(i32, OwnedFd)>> {
        const CLONE_INTO_CGROUP: u64 = 1 << 33;
        let mut pidfd: libc::c_int = -1;
        let flags = namespaces
            | libc::CLONE_PARENT
            | libc::CLONE_PIDFD
            | libc::CLONE_CHILD_SETTID
            | libc::CLONE_CHILD_CLEARTID;
        let made = match group {
            None => {
                let same_stack = std::ptr::null_mut::<c_void>();
                let tid = self.tid;
                // One of the last two is the place for the tid, the other is not looked at: which depends on the
                // machine.
                // SAFETY: the copy has this thread alone, with a stack and memory of its own; its tid is written
                // where the C library keeps it, and the pidfd to a variable of ours.
                unsafe { libc::syscall(libc::SYS_clone, flags, same_stack, &raw mut pidfd, tid, tid) }
            }
            Some(group) => {
                let arguments = CloneArguments {
                    flags: u64::from(flags.cast_unsigned()) | CLONE_INTO_CGROUP,
                    pidfd: (&raw mut pidfd) as u64,
                    child_tid: self.tid as u64,
                    cgroup: group.as_raw_fd() as u64,
                    ..CloneArguments::default()
                };
                // SAFETY: as above.
                unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, CLONE3_SIZE) }
            }
        };
        match made {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                // The copy's thread needs its list of locks. It does not fail for a size that the kernel itself has told.
                // SAFETY: this thread's list, as the C library has registered it for the original.
                let _ = unsafe { libc::syscall(libc::SYS_set_robust_list, self.locks, self.locks_size) };
                Ok(None)
            }
            pid => {
                // SAFETY: the kernel has just opened this file for us.
                let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
                Ok(Some((i32::try_from(pid).map_err(io::Error::other)?, pidfd)))
            }
        }
    }
}

/// The whole life of the first process of a namespace. It gives up all it has, so that a bot could gain nothing from it.
fn stay_first(parent: u32) -> ! {
    // SAFETY: no handler is installed. The kernel then reaps processes of the namespace that have lost their
    // parent.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    // SAFETY: this process does nothing more with files.
    if unsafe { give_up_everything(parent) }.is_err() {
        std::process::exit(1);
    }
    loop {
        std::thread::park();
    }
}

/// Goes into a user namespace in which the uid and the gid stay the same.
#[expect(clippy::disallowed_methods, reason = "the kernel is told by files")]
fn enter_user_namespace() -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    unshare(UnshareFlags::NEWUSER)?;
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()))?;
    std::fs::write("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()))
}

fn unshare(what: UnshareFlags) -> io::Result<()> {
    // SAFETY: the table of open files stays as it is.
    Ok(unsafe { unshare_unsafe(what) }?)
}
