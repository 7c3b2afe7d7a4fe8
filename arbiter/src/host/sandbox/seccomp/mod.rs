//! The filter of system calls, and the listener that tells the supervisor of calls.
//!
//! A template installs one program, before its first copy, and every copy inherits it: none is compiled or freed while
//! a match runs. The kernel notifies whoever holds the listener of each call that the program does not decide; nothing
//! of a bot can forge such a notification or prevent it, not even by blocking signals. Where a process tree
//! has a listener already, as in some containers, every copy installs a program of its own, which raises SIGSYS for what
//! is forbidden.

mod filter;
mod list;

use super::{check, in_words, landlock_version};
use crate::host::{Sandbox, procfs};
pub(in crate::host) use filter::Action;
use filter::{OURS, Rule, X86_64};
use std::collections::HashMap;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::LazyLock;
use std::time::Duration;

const LONGEST_TRIAL: Duration = Duration::from_secs(1);

/// Signals do not interrupt a call that the listener looks at. Linux 5.19.
const WAIT_KILLABLE: libc::c_ulong = 1 << 5;

/// A system call that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::host) struct Call {
    pub(in crate::host) number: u32,
    /// The architecture whose number it is.
    pub(in crate::host) arch: u32,
}

impl Call {
    /// Its name, or its number where it has none here.
    pub(in crate::host) fn name(self) -> String {
        const I386: u32 = 0x4000_0003;
        const X32: u32 = 0x4000_0000;
        let number = self.number;
        let ours = OURS.filter(|ours| ours.arch == self.arch);
        match ours.and_then(|ours| (ours.name)(number)) {
            Some(name) => name.to_owned(),
            None if self.arch == I386 => format!("number {number} of 32-bit x86"),
            None if self.arch == X86_64.arch && number & X32 != 0 => {
                format!("number {} of x32", number & !X32)
            }
            None => format!("number {number}"),
        }
    }
}

/// How the system calls of bots can be filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) enum Filters {
    None,
    /// They can, but without a listener: this process tree has one already.
    Unheard,
    /// The supervisor is told of each that is forbidden.
    Heard,
}

/// What filters the kernel has for this machine. Installs one for a thread of this process, which ends at once.
pub(in crate::host) fn filters() -> Filters {
    let action = libc::SECCOMP_RET_TRAP;
    // SAFETY: the kernel reads one number of ours.
    let status =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) };
    if OURS.is_none() || status != 0 || procfs::stuck_workers().is_some() {
        return Filters::None;
    }
    // A kernel that cannot install it holds the thread for good: then it is left behind.
    let (tell, told) = std::sync::mpsc::sync_channel(1);
    // Where there is no thread to be had, nothing is ever told.
    let _ = std::thread::Builder::new().spawn(move || tell.send(try_to_listen()));
    match told.recv_timeout(LONGEST_TRIAL) {
        Ok(true) => Filters::Heard,
        Ok(false) => Filters::Unheard,
        Err(_) => Filters::None,
    }
}

/// Whether this thread can be given a filter with a listener; one that allows everything.
fn try_to_listen() -> bool {
    let everything = [libc::sock_filter {
        code: (libc::BPF_RET | libc::BPF_K) as u16,
        jt: 0,
        jf: 0,
        k: libc::SECCOMP_RET_ALLOW,
    }];
    rustix::thread::set_no_new_privs(true).is_ok() && listen(&everything, 0).is_ok()
}

/// What decides over the calls of a process besides the list.
#[derive(Clone, Copy)]
pub(super) struct Filter {
    pub(super) sandbox: Sandbox,
    /// Others of its user may look into it.
    pub(super) stays_visible: bool,
    /// The kernel separates it from other bots.
    pub(super) is_separated: bool,
    /// It looks at paths while it gets ready. The supervisor is asked about that, and refuses it from the gate on.
    pub(super) is_bridge: bool,
}

impl Filter {
    /// Filters the calls of this process and of all copies that it will make, and returns the listener for the supervisor.
    /// None where there is no listener to be had: then each copy has to call [`install_alone`](Filter::install_alone).
    pub(super) fn install(self) -> io::Result<Option<Listener>> {
        let program = self.program(None)?;
        match listen(&program, WAIT_KILLABLE).or_else(|_| listen(&program, 0)) {
            Ok(listener) => Ok(Some(listener)),
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => Ok(None),
            Err(error) => in_words("no filter of system calls", Err(error)),
        }
    }

    /// Filters the calls of this process alone, without a listener.
    pub(super) fn install_alone(self) -> io::Result<()> {
        set(&self.program(Some(std::process::id()))?, 0).map(drop)
    }

    fn program(self, alone: Option<u32>) -> io::Result<Vec<libc::sock_filter>> {
        let machine = OURS.ok_or(io::ErrorKind::Unsupported)?;
        Ok(filter::program(machine, list::RULES, alone, &|action| self.answer(action, alone)))
    }

    /// What the kernel calls an action: a number that begins with `SECCOMP_RET_`.
    fn answer(self, action: Action, alone: Option<u32>) -> u32 {
        const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
        const ASK: u32 = libc::SECCOMP_RET_USER_NOTIF;
        const TRAP: u32 = libc::SECCOMP_RET_TRAP;
        let fail = |error: i32| libc::SECCOMP_RET_ERRNO | error.unsigned_abs();
        let (is_heard, is_wide) = (alone.is_none(), self.sandbox == Sandbox::Wide);
        let forbidden = match () {
            () if is_wide => fail(libc::EPERM),
            () if is_heard => ASK,
            () => TRAP,
        };
        match action {
            Action::Allow => ALLOW,
            Action::Fail(error) => fail(error),
            Action::Forbid => forbidden,
            Action::Hide if self.stays_visible => fail(libc::EPERM),
            Action::Hide => ALLOW,
            Action::LookAtPath | Action::LookAtLibrary | Action::LookAtFile if is_wide => ALLOW,
            Action::LookAtPath if is_heard && self.is_bridge => ASK,
            Action::LookAtPath => fail(libc::EACCES),
            Action::LookAtLibrary => TRAP,
            Action::LookAtFile if is_heard => TRAP,
            Action::LookAtFile => ALLOW,
            Action::BlockSignals => TRAP,
            Action::UrgentSignal if is_heard && self.is_separated => ALLOW,
            Action::Open if is_wide || landlock_version().is_some() => ALLOW,
            _ if is_heard => ASK,
            Action::Ours | Action::Gate | Action::Signal | Action::UrgentSignal => forbidden,
            Action::OursOr(error) | Action::OfThread(_, error) => fail(error),
            Action::OfClock => fail(libc::EPERM),
            Action::Thread | Action::Pipe | Action::Open => ALLOW,
        }
    }
}

fn set(program: &[libc::sock_filter], flags: libc::c_ulong) -> io::Result<i64> {
    let length = u16::try_from(program.len()).map_err(io::Error::other)?;
    let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    let operation = libc::SECCOMP_SET_MODE_FILTER;
    // SAFETY: the program is as long as it says, and the kernel only reads it.
    check(unsafe { libc::syscall(libc::SYS_seccomp, operation, flags, &raw const program) })
}

/// The same, with a listener.
fn listen(program: &[libc::sock_filter], flags: libc::c_ulong) -> io::Result<Listener> {
    let file = set(program, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | flags)?;
    // SAFETY: the kernel has just opened this file for us.
    Ok(Listener(unsafe { OwnedFd::from_raw_fd(file as libc::c_int) }))
}

/// Where the supervisor is told of calls.
#[derive(Debug)]
pub(in crate::host) struct Listener(pub(in crate::host) OwnedFd);

/// A call that waits for an answer.
#[derive(Clone, Copy, Debug)]
pub(in crate::host) struct Notification {
    id: u64,
    /// The number of the thread that made it.
    pub(in crate::host) thread: i32,
    pub(in crate::host) call: Call,
    /// Its arguments. What they point to may change at any moment, so they are judged as numbers.
    pub(in crate::host) arguments: [u64; 6],
}

/// What is done about a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) enum Reply {
    GoOn,
    /// The call is not made, and seems to have succeeded.
    Done,
    /// The call is not made, and fails with this error.
    Fail(i32),
}

impl Notification {
    /// What the list says of it.
    pub(in crate::host) fn action(&self) -> Action {
        static RULES: LazyLock<HashMap<Call, &Rule>> = LazyLock::new(|| {
            let called = |name| Some(Call { number: (OURS?.number)(name)?, arch: OURS?.arch });
            let calls = |rule: &'static Rule| rule.calls().filter_map(called).map(move |call| (call, rule));
            list::RULES.iter().flat_map(calls).collect()
        });
        RULES.get(&self.call).map_or(Action::Forbid, |rule| rule.action(&self.arguments, None))
    }
}

impl Listener {
    /// The next notification. To be called when poll says that there is one: before Linux 6.12 it waits for ever once
    /// everybody is gone.
    pub(in crate::host) fn next(&self) -> io::Result<Notification> {
        // SAFETY: all zeros is a valid value: it is made of numbers.
        let mut asked: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: the request writes a value of this type.
        check(unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked) })?;
        let call = Call { number: asked.data.nr.cast_unsigned(), arch: asked.data.arch };
        Ok(Notification { id: asked.id, thread: asked.pid.cast_signed(), call, arguments: asked.data.args })
    }

    /// Whether the caller still waits. If not, its pid may belong to another process by now.
    pub(in crate::host) fn is_valid(&self, notification: &Notification) -> bool {
        // SAFETY: the request reads a number of ours.
        unsafe {
            libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const notification.id)
                == 0
        }
    }

    pub(in crate::host) fn answer(&self, notification: &Notification, reply: Reply) {
        let (error, flags) = match reply {
            Reply::GoOn => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
            Reply::Done => (0, 0),
            Reply::Fail(error) => (-error, 0),
        };
        let mut answer = libc::seccomp_notif_resp { id: notification.id, val: 0, error, flags };
        // It fails only when the process is gone already.
        // SAFETY: the request reads a value of this type.
        let _ = unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
    }
}
