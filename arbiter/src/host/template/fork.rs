//! Copies this process as a sibling: a child of its own parent (`CLONE_PARENT`).
//!
//! The C library's `fork` makes children of the caller. Here the supervisor is to reap the copies, and they are to die with
//! it. So `clone` is called directly, and what the C library's `fork` does beside it for a process with one thread is done
//! here: the new thread's number and its robust list get their places.

use std::ffi::c_void;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// What is needed to copy this process.
pub(in crate::host) struct Fork {
    /// Where the C library keeps the number of this thread.
    thread_number: *mut libc::c_int,
    /// Where it keeps the list of locks that this thread holds.
    locks: *mut c_void,
    locks_size: usize,
}

/// What came of making a copy for a bot.
pub(in crate::host) struct Made {
    /// The number of the copy, where the supervisor sees the same numbers.
    pub(in crate::host) number: io::Result<Option<i32>>,
    /// A handle on the copy, and one on the first process of its namespace, if it has one of its own. That may be there where
    /// the copy is not.
    pub(in crate::host) handles: Vec<OwnedFd>,
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

impl Fork {
    /// None where the kernel does not tell what is needed: without `CONFIG_CHECKPOINT_RESTORE`.
    pub(in crate::host) fn prepare() -> Option<Fork> {
        // The kernel wants the arguments of `clone` in another order elsewhere.
        if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
            return None;
        }
        let mut thread_number = std::ptr::null_mut::<libc::c_int>();
        // SAFETY: the kernel writes a pointer to a variable of ours.
        let told = unsafe { libc::prctl(libc::PR_GET_TID_ADDRESS, &raw mut thread_number) };
        if told != 0 || thread_number.is_null() {
            return None;
        }
        let (mut locks, mut locks_size) = (std::ptr::null_mut::<c_void>(), 0_usize);
        // SAFETY: the kernel writes a pointer and a number to variables of ours; 0 is this thread.
        let told =
            unsafe { libc::syscall(libc::SYS_get_robust_list, 0, &raw mut locks, &raw mut locks_size) };
        (told == 0).then_some(Fork { thread_number, locks, locks_size })
    }

    /// Copies this process, with new namespaces or into a control group where that is wanted. Gives the number of the copy as
    /// this process sees it, and a handle on it. None in the copy itself.
    ///
    /// # Safety
    /// This process has one thread only.
    pub(in crate::host) unsafe fn fork(
        &self,
        namespaces: libc::c_int,
        group: Option<BorrowedFd<'_>>,
    ) -> io::Result<Option<(i32, OwnedFd)>> {
        const CLONE_INTO_CGROUP: u64 = 1 << 33;
        let mut handle: libc::c_int = -1;
        let flags = namespaces
            | libc::CLONE_PARENT
            | libc::CLONE_PIDFD
            | libc::CLONE_CHILD_SETTID
            | libc::CLONE_CHILD_CLEARTID;
        let made = match group {
            None => {
                let same_stack = std::ptr::null_mut::<c_void>();
                let number = self.thread_number;
                // One of the last two is the place for the number, the other is not looked at: which depends on the
                // machine.
                // SAFETY: the copy has this thread alone, with a stack and memory of its own; its number is written
                // where the C library keeps it, and the handle to a variable of ours.
                unsafe { libc::syscall(libc::SYS_clone, flags, same_stack, &raw mut handle, number, number) }
            }
            Some(group) => {
                let arguments = CloneArguments {
                    flags: u64::from(flags.cast_unsigned()) | CLONE_INTO_CGROUP,
                    pidfd: (&raw mut handle) as u64,
                    child_tid: self.thread_number as u64,
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
            number => {
                // SAFETY: the kernel has just opened this file for us.
                let handle = unsafe { OwnedFd::from_raw_fd(handle) };
                Ok(Some((i32::try_from(number).map_err(io::Error::other)?, handle)))
            }
        }
    }
}
