//! What a process of ours gives up by itself: the user that it runs as, its capabilities, what it may use, and the files
//! that it may read.

use crate::host::limits::OWN_MEMORY;
use crate::host::procfs;
use crate::host::template::Kind;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use rustix::process::{Gid, Resource, Rlimit, Uid};
use rustix::thread::{CapabilitySet, CapabilitySets};
use std::io;
use std::path::PathBuf;

/// The first of the UIDs that bots of root get, one for each process. No system gives these to anybody.
pub(super) const FIRST_USER: u32 = 0x7000_0000;
/// The user `nobody`, where the system has no room for such UIDs.
pub(super) const NOBODY: u32 = 65_534;

/// Whether the process has rights to give up: that it was started by root.
pub(super) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whose user bots run as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum User {
    OfItsOwn,
    Shared,
}

/// Whose user the copies of this process will run as: root may choose, unless it is one of a namespace with few users.
pub(super) fn user_of_copies() -> User {
    let has_many = procfs::has_user(FIRST_USER) && procfs::has_user(u32::MAX >> 1);
    if is_root() && has_many { User::OfItsOwn } else { User::Shared }
}

/// Gives up what copies of this process shall not have and this process does not need: capabilities that executed
/// programs would inherit, and supplementary groups.
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
        // In namespaces of their own many processes have the same pid.
        User::OfItsOwn => become_user(FIRST_USER + super::own_pid()?),
        User::Shared => become_user(NOBODY),
    }
}

fn become_user(number: u32) -> io::Result<()> {
    let (user, group) = (Uid::from_raw(number), Gid::from_raw(number));
    let done = rustix::thread::set_thread_res_gid(group, group, group)
        .and_then(|()| rustix::thread::set_thread_res_uid(user, user, user));
    let what = "bots of root get another user, whom this root cannot choose: start arbiter as another user";
    super::in_words(what, done.map_err(io::Error::from))
}

/// Addresses that may be reserved beyond the memory that may be used: allocators and stacks take more than they use.
const SPARE_ADDRESSES: u64 = 1 << 30;
/// The same where only used memory counts. There is still a limit, since page tables take memory too.
const FREE_ADDRESSES: u64 = 64 << 30;
/// What the header promises for the stack of the thread that calls the bot.
const LEAST_STACK: u64 = 8 << 20;
/// What the stack is given: the promise and room for our own frames.
const STACK: u64 = 16 << 20;
/// Files a bot may hold open: its runtime's few.
const FILES: u64 = 64;
/// Pending signals and timers (RLIMIT_SIGPENDING) of a bot with a user of its own. A timer that it leaves behind would go
/// off in its opponent's turn.
const SIGNALS: u64 = 8;
/// The same for all processes of a user together.
const SHARED_SIGNALS: u64 = 512;

/// Limits a template, and with it its copies, which will run as this user. Limits that count per user are set only
/// where each bot has a user of its own.
pub(super) fn set_limits(kind: &Kind, user: User) -> io::Result<()> {
    let none = [Resource::Core, Resource::Fsize, Resource::Memlock];
    none.into_iter().try_for_each(|resource| limit(resource, 0))?;
    limit(Resource::Nofile, FILES)?;
    give_all(Resource::Cpu)?;
    set_stack()?;
    // A control group counts the memory that is used; without one, whatever the bot reserves counts.
    if kind.isolation.cgroup {
        limit(Resource::As, kind.memory.saturating_add(OWN_MEMORY + FREE_ADDRESSES))?;
    } else {
        let promised = kind.memory.saturating_add(OWN_MEMORY);
        must_give(Resource::Data, promised, "ulimit -Hd")?;
        must_give(Resource::As, promised, "ulimit -Hv")?;
        limit(Resource::Data, promised)?;
        limit(Resource::As, kind.memory.saturating_add(OWN_MEMORY + SPARE_ADDRESSES))?;
    }
    match user {
        User::OfItsOwn => {
            limit(Resource::Sigpending, SIGNALS)?;
            limit(Resource::Nproc, u64::from(kind.threads))
        }
        User::Shared => limit(Resource::Sigpending, SHARED_SIGNALS),
    }
}

/// A bot that was told of more memory than it is given would lose by what the machine lacks.
fn must_give(resource: Resource, promised: u64, command: &str) -> io::Result<()> {
    match rustix::process::getrlimit(resource).maximum {
        Some(most) if most < promised => Err(io::Error::other(format!(
            "bots need {} MiB, of which {} are for arbiter; `{command}` gives {}: use a smaller --memory",
            promised >> 20,
            OWN_MEMORY >> 20,
            most >> 20
        ))),
        _ => Ok(()),
    }
}

/// Lowers a limit for good; a lower one stays.
fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let most = rustix::process::getrlimit(resource).maximum.map_or(most, |before| before.min(most));
    Ok(rustix::process::setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

/// Gives as much as we could have: how long a bot may compute is what its clock says.
fn give_all(resource: Resource) -> io::Result<()> {
    let maximum = rustix::process::getrlimit(resource).maximum;
    Ok(rustix::process::setrlimit(resource, Rlimit { current: maximum, maximum })?)
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
    rustix::process::setrlimit(Resource::Stack, Rlimit { current: Some(size), maximum })?;
    #[cfg(target_env = "gnu")]
    crate::host::stand_ins::look_up_the_stack()?;
    Ok(())
}

/// The newest version of Landlock that is asked for; older kernels give what they have.
const NEWEST: ABI = ABI::V6;
/// Where libraries are on the systems we know.
const LIBRARIES: [&str; 9] = [
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/nix/store",
    "/etc/ld.so.cache",
];
/// Random numbers, as `getrandom` gives them to everybody. Some read them here while they are loaded.
const RANDOM_NUMBERS: &str = "/dev/urandom";

/// The version of Landlock's ABI, where the kernel has it.
pub(in crate::host) fn landlock_version() -> Option<u32> {
    const GET_VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the call reads nothing and gives a number.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, GET_VERSION)
    };
    u32::try_from(version).ok().filter(|&version| version > 0)
}

/// The version that keeps processes from sending signals to those outside.
pub(super) const LANDLOCK_SCOPES_SIGNALS: u32 = 6;

/// Random numbers, files below the folders for libraries, and `others`: they may be read, and nothing else. Each process that restricts
/// itself to them gets a Landlock domain of its own, from which it can send signals to no other, where the kernel has that.
pub(super) fn libraries_and(others: &[PathBuf]) -> io::Result<RulesetCreated> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let readable = library_folders().chain([PathBuf::from(RANDOM_NUMBERS)]).chain(others.iter().cloned());
    let rules = path_beneath_rules(readable, read);
    let ruleset = || -> Result<RulesetCreated, RulesetError> {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?
            .no_new_privs(false)
            // A bot that is refused a file again and again would fill the machine's audit log.
            .log_same_exec(false)?
            .add_rules(rules)
    };
    ruleset().map_err(io::Error::other)
}

/// The system's folders for libraries, and those in `LD_LIBRARY_PATH`.
fn library_folders() -> impl Iterator<Item = PathBuf> {
    let named = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let named: Vec<PathBuf> = std::env::split_paths(&named).filter(|path| path.is_absolute()).collect();
    LIBRARIES.into_iter().map(PathBuf::from).chain(named)
}
