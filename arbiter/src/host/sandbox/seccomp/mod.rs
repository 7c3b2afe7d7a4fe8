//! The filter of system calls, and the listener that tells the supervisor of calls.
//!
//! A template installs one program, before its first copy, and every copy inherits it: none is compiled or freed while
//! a match runs. The kernel asks whoever holds the listener about each call that the program does not decide; nothing
//! of a bot can forge such a question or keep it from being asked, not even by blocking signals. Where a process tree
//! has a listener already, as in some containers, every copy installs a program of its own, which raises SIGSYS for what
//! is forbidden.

mod filter;
pub(super) mod list;

use super::landlock_version;
use crate::host::{Sandbox, procfs};
use filter::{Action, OURS, Terms, X86_64};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

const LONGEST_TRIAL: Duration = Duration::from_secs(1);

/// Signals do not interrupt a call that the listener looks at. Linux 5.19.
const WAIT_KILLABLE: libc::c_ulong = 1 << 5;

/// A system call that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        match self.known_name() {
            Some(name) => name.to_owned(),
            None if self.arch == I386 => format!("number {number} of 32-bit x86"),
            None if self.arch == X86_64.arch && number & X32 != 0 => {
                format!("number {} of x32", number & !X32)
            }
            None => format!("number {number}"),
        }
    }

    fn known_name(self) -> Option<&'static str> {
        OURS.filter(|ours| ours.arch == self.arch).and_then(|ours| (ours.name)(self.number))
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
    rustix::thread::set_no_new_privs(true)
        .map_err(io::Error::from)
        .and_then(|()| set(&everything, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER))
        .and_then(listener)
        .is_ok()
}

/// Filters the calls of this process and of all copies that it will make, and returns the listener for the supervisor.
/// None where there is no filter, or no listener to be had: then each copy has to call [`install_alone`].
///
/// A bridge looks at paths while it gets ready: then the supervisor is asked about that, and refuses it from the gate on.
pub(super) fn install(
    sandbox: Sandbox,
    stays_visible: bool,
    are_separated: bool,
    is_bridge: bool,
) -> io::Result<Option<Listener>> {
    let program = program(sandbox, stays_visible, &Hears::Supervisor { are_separated, is_bridge })?;
    let listening = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    match set(&program, listening | WAIT_KILLABLE).or_else(|_| set(&program, listening)) {
        Ok(file) => listener(file).map(Some),
        Err(error) if error.raw_os_error() == Some(libc::EBUSY) => Ok(None),
        Err(error) => Err(io::Error::new(error.kind(), format!("no filter of system calls: {error}"))),
    }
}

/// Filters the calls of this process alone, without a listener.
pub(super) fn install_alone(sandbox: Sandbox, stays_visible: bool) -> io::Result<()> {
    set(&program(sandbox, stays_visible, &Hears::Nobody { process: std::process::id() })?, 0).map(drop)
}

/// Who learns of the calls that the filter does not decide.
enum Hears {
    /// The supervisor, by a listener. Bots can be separated from each other by the kernel.
    Supervisor { are_separated: bool, is_bridge: bool },
    /// The process with this number itself, by a signal.
    Nobody { process: u32 },
}

/// The program for bots of a kind.
fn program(sandbox: Sandbox, stays_visible: bool, hears: &Hears) -> io::Result<Vec<libc::sock_filter>> {
    const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
    const ASK: u32 = libc::SECCOMP_RET_USER_NOTIF;
    const TRAP: u32 = libc::SECCOMP_RET_TRAP;
    let is_wide = sandbox == Sandbox::Wide;
    let fail = |error: i32| libc::SECCOMP_RET_ERRNO | error.unsigned_abs();
    // What is made where nothing more is known, what no bot may do, and what the supervisor judges where there is one.
    let (ask, forbid, judge) = match hears {
        Hears::Supervisor { .. } => (ASK, if is_wide { fail(libc::EPERM) } else { ASK }, ASK),
        Hears::Nobody { .. } if is_wide => (ALLOW, fail(libc::EPERM), fail(libc::EPERM)),
        Hears::Nobody { .. } => (ALLOW, TRAP, TRAP),
    };
    let answer = |action: Action| match (action, hears) {
        (Action::Allow, _) => ALLOW,
        (Action::Fail(error), _) => fail(error),
        (Action::Forbid, _) => forbid,
        (Action::Ask, _) => ask,
        (Action::Signal, Hears::Supervisor { are_separated: true, .. }) => ALLOW,
        (Action::Judge | Action::Signal, _) => judge,
        (Action::Open, _) if is_wide || landlock_version().is_some() => ALLOW,
        (Action::Open, _) => ask,
        (Action::Hide, _) if stays_visible => fail(libc::EPERM),
        (Action::Hide, _) => ALLOW,
        (Action::LookAtPath | Action::LookAtFile, _) if is_wide => ALLOW,
        (Action::LookAtPath, Hears::Supervisor { is_bridge: true, .. }) => ASK,
        (Action::LookAtPath, _) => fail(libc::EACCES),
        (Action::LookAtFile, Hears::Supervisor { .. }) => TRAP,
        (Action::LookAtFile, Hears::Nobody { .. }) => ALLOW,
    };
    let process = match *hears {
        Hears::Supervisor { .. } => None,
        Hears::Nobody { process } => Some(process),
    };
    let unlisted = if is_wide { Action::Fail(libc::EPERM) } else { Action::Forbid };
    let machine = OURS.ok_or(io::ErrorKind::Unsupported)?;
    let terms = Terms { answer: &answer, unlisted, process };
    Ok(filter::program(machine, list::RULES, terms))
}

fn set(program: &[libc::sock_filter], flags: libc::c_ulong) -> io::Result<libc::c_long> {
    let length = u16::try_from(program.len()).map_err(io::Error::other)?;
    let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    let operation = libc::SECCOMP_SET_MODE_FILTER;
    // SAFETY: the program is as long as it says, and the kernel only reads it.
    match unsafe { libc::syscall(libc::SYS_seccomp, operation, flags, &raw const program) } {
        -1 => Err(io::Error::last_os_error()),
        given => Ok(given),
    }
}

/// The file that `seccomp` has just opened.
fn listener(file: libc::c_long) -> io::Result<Listener> {
    let file = i32::try_from(file).map_err(io::Error::other)?;
    // SAFETY: the kernel has just opened this file for us.
    Ok(Listener(unsafe { OwnedFd::from_raw_fd(file) }))
}

/// Where the supervisor is told of calls.
#[derive(Debug)]
pub(in crate::host) struct Listener(OwnedFd);

/// A call that waits for an answer.
#[derive(Clone, Copy, Debug)]
pub(in crate::host) struct Question {
    id: u64,
    /// The number of the thread that made it.
    pub(in crate::host) thread: i32,
    pub(in crate::host) call: Call,
    /// Its arguments. What they point to may change at any moment, so they are judged as numbers.
    pub(in crate::host) arguments: [u64; 6],
}

/// What is done about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) enum Reply {
    GoOn,
    /// The call is not made, and seems to have succeeded.
    Done,
    /// The call is not made, and fails with this error.
    Fail(i32),
}

impl Question {
    /// The name of the call; empty where it has none here.
    pub(in crate::host) fn name(&self) -> &'static str {
        self.call.known_name().unwrap_or_default()
    }
}

impl Listener {
    /// The next question. To be called when poll says that there is one: before Linux 6.12 it waits for ever once
    /// everybody is gone.
    pub(in crate::host) fn next(&self) -> io::Result<Question> {
        // SAFETY: all zeros is a valid value: it is made of numbers.
        let mut asked: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: the request writes a value of this type.
        if unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked) } != 0 {
            return Err(io::Error::last_os_error());
        }
        let call = Call { number: asked.data.nr.cast_unsigned(), arch: asked.data.arch };
        Ok(Question { id: asked.id, thread: asked.pid.cast_signed(), call, arguments: asked.data.args })
    }

    /// Whether the caller still waits. If not, its pid may belong to another process by now.
    pub(in crate::host) fn is_valid(&self, question: &Question) -> bool {
        // SAFETY: the request reads a number of ours.
        unsafe {
            libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const question.id) == 0
        }
    }

    pub(in crate::host) fn answer(&self, question: &Question, reply: Reply) {
        let (error, flags) = match reply {
            Reply::GoOn => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
            Reply::Done => (0, 0),
            Reply::Fail(error) => (-error, 0),
        };
        let mut answer = libc::seccomp_notif_resp { id: question.id, val: 0, error, flags };
        // It fails only when the process is gone already.
        // SAFETY: the request reads a value of this type.
        let _ = unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
    }
}

impl From<OwnedFd> for Listener {
    fn from(file: OwnedFd) -> Listener {
        Listener(file)
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
