//! The filter of system calls.
//!
//! What is not on the list ends the bot's process. Where the kernel lets us, the referee itself is told of the call
//! by a listener that the child hands over before it loads the bot: nothing of the bot can forge that or keep it from
//! happening, not even by blocking signals, as the C library does in `fork`. Otherwise the call raises SIGSYS, whose
//! handler takes note of it.

mod aarch64;
mod backwards;
mod filter;
mod list;
mod x86_64;

use crate::host::{Sandbox, sandbox::Stage};
use backwards::Program;
use filter::{Action, Terms};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::LazyLock;

/// A kind of machine.
struct Machine {
    /// How the kernel names it.
    arch: u32,
    /// Its calls, sorted by name.
    calls: &'static [(&'static str, u32)],
}

impl Machine {
    fn number(&self, name: &str) -> Option<u32> {
        self.calls.binary_search_by_key(&name, |(name, _)| name).ok().map(|at| self.calls[at].1)
    }

    fn name(&self, number: u32) -> Option<&'static str> {
        self.calls.iter().find(|(_, known)| *known == number).map(|(name, _)| *name)
    }
}

/// The machine this program was built for, if it is one that we know.
const OURS: Option<&Machine> = if cfg!(target_arch = "x86_64") {
    Some(&x86_64::MACHINE)
} else if cfg!(target_arch = "aarch64") {
    Some(&aarch64::MACHINE)
} else {
    None
};

/// The filters as the kernel names their answers.
const ASK_THE_LISTENER: u32 = libc::SECCOMP_RET_USER_NOTIF;
const RAISE_A_SIGNAL: u32 = libc::SECCOMP_RET_TRAP;
const FAIL: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
/// Signals do not interrupt a call that the listener looks at. Linux 5.19.
const WAIT_KILLABLE: libc::c_ulong = 1 << 5;

/// A system call that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super::super) struct Call {
    /// Its number.
    pub(in super::super::super) number: u32,
    /// The architecture whose number it is.
    pub(in super::super::super) arch: u32,
}

impl Call {
    /// Its name, or its number where it has none here.
    pub(in super::super::super) fn name(self) -> String {
        const I386: u32 = 0x4000_0003;
        const X32: u32 = 0x4000_0000;
        let number = self.number;
        let name = OURS.filter(|ours| ours.arch == self.arch).and_then(|ours| ours.name(number));
        match name {
            Some(name) => name.to_owned(),
            None if self.arch == I386 => format!("number {number} of 32-bit x86"),
            None if self.arch == x86_64::MACHINE.arch && number & X32 != 0 => {
                format!("number {} of x32", number & !X32)
            }
            None => format!("number {number}"),
        }
    }
}

/// How the system calls of bots can be filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super::super) enum Filters {
    /// They cannot.
    None,
    /// They can, but nobody can be told of them: this process and its children have a listener already.
    Unheard,
    /// The referee is told of each that is forbidden.
    Heard,
}

/// What filters the kernel has for this machine.
pub(in super::super::super) fn filters() -> Filters {
    let action = RAISE_A_SIGNAL;
    // SAFETY: the kernel reads one number of ours.
    let status =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) };
    // A filter stays with the thread that tries it, and goes with it.
    let tried = || std::thread::spawn(try_to_listen).join();
    match OURS.is_some() && status == 0 {
        false => Filters::None,
        true if tried().unwrap_or(false) => Filters::Heard,
        true => Filters::Unheard,
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
    let listener = rustix::thread::set_no_new_privs(true)
        .map_err(io::Error::from)
        .and_then(|()| set(&everything, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER));
    let Ok(file) = listener.and_then(|file| i32::try_from(file).map_err(io::Error::other)) else {
        return false;
    };
    // SAFETY: the kernel has just opened this file for us.
    drop(unsafe { OwnedFd::from_raw_fd(file) });
    true
}

/// Who is told of calls that are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hears {
    /// The referee, by a listener.
    Referee,
    /// The process itself.
    Nobody,
}

/// What nearly every bot gets, made once for all copies of this process.
static LOAD: LazyLock<Option<Program>> =
    LazyLock::new(|| translate(Stage::Load, Sandbox::Strict, Hears::Referee));
static PLAY: LazyLock<Option<Program>> =
    LazyLock::new(|| translate(Stage::Play, Sandbox::Strict, Hears::Nobody));

/// Does what need not be done again in every copy of this process.
pub(super) fn prepare() {
    LazyLock::force(&LOAD);
    LazyLock::force(&PLAY);
}

/// The program for a stage, if calls are filtered there on this machine.
fn translate(stage: Stage, sandbox: Sandbox, hears: Hears) -> Option<Program> {
    let (rules, unlisted) = match (stage, sandbox) {
        (Stage::Load, Sandbox::Strict) => (list::LOAD, Action::Forbid),
        (Stage::Load, Sandbox::Wide) => (list::LOAD, Action::Fail(libc::EPERM)),
        (Stage::Play, Sandbox::Strict) => (list::PLAY, Action::Allow),
        (Stage::Play, Sandbox::Wide) | (_, Sandbox::Off | Sandbox::Plain) => return None,
    };
    let forbid = match (sandbox, hears) {
        (Sandbox::Strict, Hears::Referee) => ASK_THE_LISTENER,
        (Sandbox::Strict, Hears::Nobody) => RAISE_A_SIGNAL,
        (Sandbox::Wide | Sandbox::Off | Sandbox::Plain, _) => FAIL,
    };
    let ask = match hears {
        Hears::Referee => ASK_THE_LISTENER,
        Hears::Nobody => libc::SECCOMP_RET_ALLOW,
    };
    let machine = OURS?;
    let rules = filter::numbered(machine, rules);
    Some(filter::program(machine.arch, &rules, &Terms { forbid, ask, unlisted }))
}

/// The program for a stage and this very process.
fn program(stage: Stage, sandbox: Sandbox, hears: Hears) -> Option<Vec<libc::sock_filter>> {
    let process = std::process::id();
    let ready = match (stage, sandbox, hears) {
        (Stage::Load, Sandbox::Strict, Hears::Referee) => &LOAD,
        (Stage::Play, Sandbox::Strict, Hears::Nobody) => &PLAY,
        _ => return Some(translate(stage, sandbox, hears)?.of_process(process)),
    };
    Some(ready.as_ref()?.of_process(process))
}

/// Filters the calls of this thread and of those that it will start. Gives what the referee needs to be told of
/// forbidden ones.
pub(super) fn install(stage: Stage, sandbox: Sandbox) -> io::Result<Option<Listener>> {
    if stage == Stage::Load {
        let Some(program) = program(stage, sandbox, Hears::Referee) else { return Ok(None) };
        let listening = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
        let installed = set(&program, listening | WAIT_KILLABLE).or_else(|_| set(&program, listening));
        // There can be one listener only: containers may have one already.
        if let Ok(listener) = installed {
            let listener = i32::try_from(listener).map_err(io::Error::other)?;
            // SAFETY: the kernel has just opened this file for us.
            return Ok(Some(Listener(unsafe { OwnedFd::from_raw_fd(listener) })));
        }
    }
    if let Some(program) = program(stage, sandbox, Hears::Nobody) {
        set(&program, 0)?;
    }
    Ok(None)
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

/// Where the referee is told of calls.
#[derive(Debug)]
pub(in super::super::super) struct Listener(OwnedFd);

/// What the referee is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super::super) enum Told {
    /// The bot wants another thread, and waits for the answer to this question.
    WantsThread(u64),
    /// The bot has made a forbidden call, and waits for its end.
    Forbidden(Call),
}

impl Listener {
    /// The next call. To be asked when there is one to read.
    pub(in super::super::super) fn next(&self) -> io::Result<Told> {
        // SAFETY: all zeros is a valid value: it is made of numbers.
        let mut asked: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: the request writes a value of this type.
        if unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked) } != 0 {
            return Err(io::Error::last_os_error());
        }
        let call = Call { number: asked.data.nr.cast_unsigned(), arch: asked.data.arch };
        let is_clone = OURS.is_some_and(|ours| {
            ours.arch == call.arch && ours.number("clone").is_some_and(|clone| clone == call.number)
        });
        if is_clone && list::makes_a_thread(asked.data.args[0]) {
            Ok(Told::WantsThread(asked.id))
        } else {
            Ok(Told::Forbidden(call))
        }
    }

    /// Answers a question: the call is made, or fails as if the system had no room for another thread.
    pub(in super::super::super) fn answer(&self, question: u64, is_allowed: bool) {
        let flags = if is_allowed { libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32 } else { 0 };
        let error = if is_allowed { 0 } else { -libc::EAGAIN };
        let mut answer = libc::seccomp_notif_resp { id: question, val: 0, error, flags };
        // It fails when the bot is gone already, which is just as well.
        // SAFETY: the request reads a value of this type.
        let _ = unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
    }
}

impl From<OwnedFd> for Listener {
    fn from(file: OwnedFd) -> Listener {
        Listener(file)
    }
}

impl std::os::fd::AsFd for Listener {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.0.as_fd()
    }
}
