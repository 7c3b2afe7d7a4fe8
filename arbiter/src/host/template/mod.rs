//! The template (a zygote): the process that bots' processes are copies of.
//!
//! To start a program and link it costs more than all that makes a bot's process of it. So the program is started once
//! for each core, does there what all bots need done, the filter of system calls included, and waits. Every bot gets a
//! copy of that process, which gives up its rights and loads the bot. Nothing of a bot ever runs in the template, so one
//! copy is as fresh as any other. The copies are children of the referee, not of the template: it sees how they end, and
//! they die with the supervisor thread that started the template.
//!
//! What copies share is where the program and the system's libraries lie in memory, and the numbers that the system
//! gave the template to hide such things from attackers. Only code that already runs inside such a process can use them.
//!
//! Here is the supervisor's side; `process` is the template itself, and `copy` what becomes of a copy.

pub(super) mod copy;
mod descriptors;
pub(super) mod fork;
pub(super) mod process;

pub(super) use fork::CLONE3_SIZE;

use super::Sandbox;
use super::clock::{after, now_ns};
use super::procfs::{self, ProcessRecord, State};
use super::program::Program;
use super::sandbox::{Bounds, Listener};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, Stdio};
use std::time::Duration;

/// What makes templates differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// The core that it and its copies are bound to.
    pub(super) core: Option<usize>,
    /// How strictly the system calls of its copies are judged.
    pub(super) sandbox: Sandbox,
    /// Whether its copies get namespaces of their own.
    pub(super) namespaces: bool,
    /// What each of its copies may use.
    pub(super) bounds: Bounds,
}

/// What a bot's process is handed.
#[derive(Debug)]
pub(super) struct Handed<File> {
    /// The shared block.
    pub(super) block: File,
    /// A copy of the library.
    pub(super) library: File,
    /// Where what it prints goes.
    pub(super) output: File,
    /// The folder of its control group, if it has one. Not for the bot's process itself.
    pub(super) group: Option<File>,
}

/// A process that has been started for a bot. It is a child of ours, to be waited for.
pub(super) struct Started {
    /// Its number.
    pub(super) pid: Pid,
    /// A handle on it.
    pub(super) process: OwnedFd,
    /// The first process of its namespace, if it has one: a child of ours too, that stays until it is killed.
    pub(super) first: Option<OwnedFd>,
}

/// How long a template may take to begin, on a machine with much else to do.
const LONGEST_START: Duration = Duration::from_secs(8);
/// How long it may sleep or be blocked before it has begun, or while an order waits.
pub(super) const LONGEST_SILENCE: Duration = Duration::from_millis(1500);
/// How often to look whether it runs, while it begins.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// A process that waits for orders. Dropping it ends it.
pub(super) struct Template {
    socket: OwnedFd,
    process: Child,
    /// Where it is in namespaces it is not the process that was started, but a copy of that.
    inner: Option<OwnedFd>,
    /// The number of the process that makes copies.
    pub(super) pid: Pid,
}

impl Template {
    /// Starts a template of the calling thread, with which it and its copies die. Gives the listener for their system
    /// calls, where they are filtered and heard. It is given up as soon as nobody wants it any more.
    pub(super) fn start(
        kind: Kind,
        program: &Program,
        is_wanted: impl Fn() -> bool,
    ) -> io::Result<(Template, Option<Listener>)> {
        let (socket, theirs) = descriptors::pair()?;
        let mut command = program.command()?;
        command.args(process::words(kind, std::process::id()));
        command.stdin(Stdio::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C goes to every process of the terminal's group; only the referee shall hear it.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let process = command.spawn()?;
        // The command holds the template's end of the socket too; only the template may have it.
        drop(command);
        let pid = Pid::from_child(&process);
        let mut template = Template { socket, process, inner: None, pid };
        let mut answer = template.hear_ready(is_wanted)?;
        let listener = answer.has_listener().then(|| answer.files.remove(0).into());
        if let Some(inner) = answer.files.pop() {
            template.pid = procfs::number_of(inner.as_fd())?;
            template.inner = Some(inner);
        }
        Ok((template, listener))
    }

    /// Waits until it is ready, or until it has slept or been blocked for too long.
    fn hear_ready(&self, is_wanted: impl Fn() -> bool) -> io::Result<Answer> {
        let record = ProcessRecord::of(self.pid.as_raw_pid());
        let (last, mut silent) = (after(now_ns(), LONGEST_START), after(now_ns(), LONGEST_SILENCE));
        loop {
            let mut socket = [PollFd::new(&self.socket, PollFlags::IN)];
            match poll(&mut socket, Some(&LOOK)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Answer::hear(&self.socket)?.or_problem(),
                Err(error) => return Err(error.into()),
            }
            if record.state() == State::Runnable {
                silent = after(now_ns(), LONGEST_SILENCE);
            }
            if now_ns() >= silent.min(last) || !is_wanted() {
                return Err(does_not_answer());
            }
        }
    }

    /// Has it make a copy of itself. Its answer can be heard when the socket has something to read.
    pub(super) fn order(&self, files: &Handed<BorrowedFd<'_>>) -> io::Result<()> {
        let Handed { block, library, output, group } = *files;
        let files = [Some(block), Some(library), Some(output), group];
        let files: Vec<_> = files.into_iter().flatten().collect();
        descriptors::give(&self.socket, b"!", &files)
    }

    /// The answer to the oldest order that it has not answered.
    pub(super) fn answer(&self) -> io::Result<io::Result<Started>> {
        Ok(Answer::hear(&self.socket)?.into_started())
    }

    /// Whether it cannot go on by itself: it is stopped, or waits in the kernel.
    pub(super) fn is_silent(&self) -> bool {
        ProcessRecord::of(self.pid.as_raw_pid()).state() != State::Runnable
    }
}

impl AsFd for Template {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Drop for Template {
    /// Does not wait for a process that cannot be ended: it is left behind.
    fn drop(&mut self) {
        // It fails when the process is gone already.
        let _ = self.process.kill();
        if let Some(inner) = &self.inner {
            end(inner);
        }
        for _ in 0..100 {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        tracing::warn!(process = self.pid.as_raw_pid(), "the template cannot be ended, and is left behind");
    }
}

/// Kills and reaps a child of ours that is in no epoll.
pub(super) fn end(process: &OwnedFd) {
    // It fails when the process is gone already.
    let _ = rustix::process::pidfd_send_signal(process, Signal::KILL);
    let gone = || WaitId::PidFd(process.as_fd());
    let reap = |how| rustix::process::waitid(gone(), WaitIdOptions::EXITED | how);
    for _ in 0..100 {
        if !matches!(reap(WaitIdOptions::NOHANG), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Why a template does not begin or answer, as far as `/proc` tells.
pub(super) fn does_not_answer() -> io::Error {
    io::Error::other(match procfs::stuck_workers() {
        Some(workers) => format!(
            "this machine cannot filter system calls any more: {workers} workers of its kernel are stuck; only a restart \
             of the machine helps"
        ),
        None => "the process that bots are copied from does not answer".to_owned(),
    })
}

/// What a template says: at first that it is ready, then for each order the number of the process that it has started. A
/// negative number is the system's error, with more words where there are any. Processes in namespaces have other numbers
/// for the template than for us, so it hands over handles on them.
struct Answer {
    number: i32,
    problem: String,
    files: Vec<OwnedFd>,
}

impl Answer {
    /// It is ready. With it may come a handle on it.
    const READY: i32 = 1;
    /// It is ready, and the first file that comes with it is the listener.
    const READY_AND_HEARD: i32 = 2;
    /// Bytes of an answer with its words.
    const LONGEST: usize = 256;

    fn hear(socket: &OwnedFd) -> io::Result<Answer> {
        let mut bytes = [0; Answer::LONGEST];
        let (bytes, files) = descriptors::take(socket, &mut bytes)?;
        match bytes.split_first_chunk() {
            Some((number, problem)) => Ok(Answer {
                number: i32::from_ne_bytes(*number),
                problem: String::from_utf8_lossy(problem).into_owned(),
                files,
            }),
            None => Err(io::Error::other("the process that bots are copied from is gone")),
        }
    }

    fn say(socket: &OwnedFd, number: i32, problem: &str, files: &[BorrowedFd<'_>]) -> io::Result<()> {
        let text = [&number.to_ne_bytes(), problem.as_bytes()].concat();
        descriptors::give(socket, &text[..text.len().min(Answer::LONGEST)], files)
    }

    fn say_error(socket: &OwnedFd, error: &io::Error, files: &[BorrowedFd<'_>]) -> io::Result<()> {
        let number = -error.raw_os_error().unwrap_or(libc::EIO);
        let problem = if error.raw_os_error().is_some() { String::new() } else { error.to_string() };
        Answer::say(socket, number, &problem, files)
    }

    fn has_listener(&self) -> bool {
        self.number == Answer::READY_AND_HEARD && !self.files.is_empty()
    }

    fn or_problem(self) -> io::Result<Answer> {
        match self.number {
            0.. => Ok(self),
            error if self.problem.is_empty() => Err(io::Error::from_raw_os_error(-error)),
            _ => Err(io::Error::other(self.problem)),
        }
    }

    fn into_started(self) -> io::Result<Started> {
        if self.number < 0 {
            // Only the first process of its namespace was started.
            self.files.iter().for_each(end);
        }
        let mut answer = self.or_problem()?;
        let mut files = answer.files.drain(..);
        let (process, first) = (files.next(), files.next());
        drop(files);
        match process {
            Some(process) => match procfs::number_of(process.as_fd()) {
                Ok(pid) => Ok(Started { pid, process, first }),
                Err(error) => {
                    [Some(process), first].iter().flatten().for_each(end);
                    Err(error)
                }
            },
            None => {
                let pid = Pid::from_raw(answer.number).ok_or(io::ErrorKind::InvalidData)?;
                match rustix::process::pidfd_open(pid, PidfdFlags::empty()) {
                    Ok(process) => Ok(Started { pid, process, first }),
                    Err(error) => {
                        // It has not been reaped, so the number is still its own.
                        rustix::process::kill_process(pid, Signal::KILL)?;
                        Err(error.into())
                    }
                }
            }
        }
    }
}
