//! The user that a bot's process runs as: one of its own, where we are root.

use crate::host::procfs;
use rustix::process::{Gid, Uid};
use rustix::thread::{CapabilitySet, CapabilitySets};
use std::io;

/// The first of the user numbers that bots of root get, one for each process. No system gives these to anybody.
pub(super) const FIRST_USER: u32 = 0x7000_0000;
/// The user `nobody`, where the system has no room for such numbers.
pub(super) const NOBODY: u32 = 65_534;

/// Whether the process has rights to give up: that it was started by root.
pub(super) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whose user bots run as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum User {
    /// Each has one that nobody else has.
    OfItsOwn,
    /// Others may have it too.
    Shared,
}

/// Whose user the copies of this process will run as: root may choose, unless it is one of a namespace with few users.
pub(super) fn user_of_copies() -> User {
    let has_many = procfs::has_user(FIRST_USER) && procfs::has_user(u32::MAX >> 1);
    if is_root() && has_many { User::OfItsOwn } else { User::Shared }
}

/// Gives up what copies of this process shall not have and this process does not need: rights to be lent to programs
/// that are executed, and groups.
pub(super) fn give_up_what_no_copy_needs() {
    let _ = rustix::thread::clear_ambient_capability_set();
    if is_root() {
        // Without the right to do so the set stays: no program will be executed that could make use of it.
        for capability in CapabilitySet::all().iter() {
            let _ = rustix::thread::remove_capability_from_bounding_set(capability);
        }
        // It fails where the system has given this root no groups to choose from.
        let _ = rustix::thread::set_thread_groups(&[]);
    }
}

/// Gives up all capabilities. A process that is not root may have some from its file, or from its own user namespace.
pub(super) fn give_up_capabilities() -> io::Result<()> {
    let none = CapabilitySet::empty();
    let none = CapabilitySets { effective: none, permitted: none, inheritable: none };
    Ok(rustix::thread::set_capabilities(None, none)?)
}

/// Stops being root, and with that gives up all its capabilities. The kernel then clears the parent death signal and the
/// dumpable flag, so both have to be set again.
pub(super) fn leave_root(user: User) -> io::Result<()> {
    match user {
        _ if !is_root() => Ok(()),
        // In a namespace of its own many a process has the same number.
        User::OfItsOwn => become_user(FIRST_USER + super::number()?),
        User::Shared => become_user(NOBODY),
    }
}

/// Changes this thread's user and group, which is the only thread.
fn become_user(number: u32) -> io::Result<()> {
    let (user, group) = (Uid::from_raw(number), Gid::from_raw(number));
    rustix::thread::set_thread_res_gid(group, group, group)?;
    Ok(rustix::thread::set_thread_res_uid(user, user, user)?)
}
