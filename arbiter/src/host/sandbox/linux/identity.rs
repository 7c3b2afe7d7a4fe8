//! Whose process a bot is: nobody's, where we may choose.

use rustix::process::{Gid, Uid};
use rustix::thread::{CapabilitySet, CapabilitySets};
use std::io;

/// The first of the user numbers that bots of root get, one for each process. No system gives these to anybody.
const FIRST_USER: u32 = 0x7000_0000;
/// The user `nobody`, where the system has no room for such numbers.
const NOBODY: u32 = 65_534;

/// Whether the process has rights to give up: that it was started by root.
pub(super) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whose user a process runs as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum User {
    /// Nobody else has it.
    OfItsOwn,
    /// Others may have it too.
    Shared,
}

/// Makes sure that no program which this process or its children execute gains rights, as far as that is ours to say.
pub(super) fn lend_no_rights() {
    if is_root() {
        // Without the right to do so the set stays: no program will be executed that could make use of it.
        for capability in CapabilitySet::all().iter() {
            let _ = rustix::thread::remove_capability_from_bounding_set(capability);
        }
    }
}

/// Gives up all rights that a process of root has, and those that others may have been lent.
pub(super) fn give_up_rights() -> io::Result<User> {
    let mut user = User::Shared;
    if is_root() {
        // It fails where the system has given this root no groups to choose from.
        let _ = rustix::thread::set_thread_groups(&[]);
        // In a namespace of its own many a process has the same number.
        match become_user(FIRST_USER + super::number()?) {
            Ok(()) => user = User::OfItsOwn,
            Err(_) => become_user(NOBODY)?,
        }
    }
    let _ = rustix::thread::clear_ambient_capability_set();
    let none = CapabilitySet::empty();
    let none = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, none)?;
    Ok(user)
}

/// Changes this thread's user and group, which is the only thread.
fn become_user(number: u32) -> io::Result<()> {
    let (user, group) = (Uid::from_raw(number), Gid::from_raw(number));
    rustix::thread::set_thread_res_gid(group, group, group)?;
    Ok(rustix::thread::set_thread_res_uid(user, user, user)?)
}
