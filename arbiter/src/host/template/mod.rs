//! The template (a zygote): the process that bots' processes are copies of.
//!
//! To start a program and link it costs more than all that makes a bot's process of it. So the program is started once
//! for each core, does there what all bots need done, the filter of system calls included, and waits. Every bot gets a
//! copy of that process, which gives up its rights and loads the bot. Nothing of a bot ever runs in the template, so one
//! copy is as fresh as any other. The copies are children of the referee, not of the template: it sees how they end, and
//! they die with the supervisor thread that started the template.
//!
//! Here is the supervisor's side, and how it passes open files over the socket that is the template's standard input;
//! `process` is the template itself and what becomes of its copies, which `copies` makes.

mod copies;
pub(super) mod process;

pub(super) use copies::CLONE3_SIZE;

use super::clock::{ProcessState, after, now_ns};
use super::executable::{BUILD, Executable};
use super::message::{cut, write};
use super::procfs::{self, ProcessRecord};
use super::sandbox::Listener;
use super::{Isolation, Limits, Sandbox};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType,
};
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions};
use serde::{Deserialize, Serialize};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// What makes templates differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kind {
    pub(super) core: Option<usize>,
    /// How strictly the system calls of its copies are judged.
    pub(super) sandbox: Sandbox,
    pub(super) isolation: Isolation,
    /// Bytes of memory for each bot, and the most threads of its process.
    pub(super) memory: u64,
    pub(super) threads: u32,
    /// Where its copies are for bots of a bridge, the files and folders that these may read besides.
    pub(super) bridge: Option<Vec<PathBuf>>,
}

impl Kind {
    pub(super) fn of(limits: &Limits, core: Option<usize>, bridge: Option<Vec<PathBuf>>) -> Kind {
        let Limits { memory, sandbox, isolation, threads, .. } = *limits;
        let threads = threads.saturating_add(Limits::SPARE_THREADS);
        Kind { core, sandbox, isolation, memory, threads, bridge }
    }
}

/// What a bot's process is handed.
#[derive(Debug)]
pub(super) struct Handed<File> {
    pub(super) block: File,
    pub(super) library: File,
    /// A copy of the payload, if the bot has one.
    pub(super) payload: Option<File>,
    pub(super) output: File,
    /// The folder of its control group, if it has one. Not for the bot's process itself.
    pub(super) group: Option<File>,
}

/// A process that has been started for a bot. It is a child of ours, to be waited for.
pub(super) struct Started {
    pub(super) pid: Pid,
    pub(super) process: OwnedFd,
    /// The first process of its namespace, if it has one: a child of ours too, that stays until it is killed.
    pub(super) first: Option<OwnedFd>,
}

/// What the template says of a copy, and of itself when it is ready: its pid, where the supervisor sees the same pids, and
/// pidfds of the copy and of the first process of its namespace, if it has one of its own. That one may be there where the copy
/// is not.
type Made = (io::Result<Option<i32>>, Vec<OwnedFd>);

impl Started {
    /// What it has made is ended where anything is wrong with it.
    fn of((pid, files): Made) -> io::Result<Started> {
        let pid = pid.and_then(|pid| {
            let process = files.first().ok_or(io::ErrorKind::InvalidData)?;
            pid.and_then(Pid::from_raw).map_or_else(|| procfs::pid_of(process.as_fd()), Ok)
        });
        let mut files = files.into_iter();
        match (pid, files.next()) {
            (Ok(pid), Some(process)) => Ok(Started { pid, process, first: files.next() }),
            (pid, process) => {
                process.into_iter().chain(files).for_each(|process| _ = end(&process));
                Err(pid.err().unwrap_or_else(|| io::ErrorKind::InvalidData.into()))
            }
        }
    }
}

/// How long a template may take until it is ready.
const LONGEST_START: Duration = Duration::from_secs(8);
/// How long it may sleep or be blocked before it has begun, or while an order waits.
pub(super) const LONGEST_SILENCE: Duration = Duration::from_millis(1500);
/// How often to look whether it runs, while it begins.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// A process that waits for orders. Dropping it ends it.
pub(super) struct Template {
    pub(super) socket: OwnedFd,
    /// The process that makes copies. In namespaces it is a copy of the one that was started.
    process: OwnedFd,
    pub(super) pid: Pid,
    /// The process group of it and its copies: the pid of the process that was started.
    group: Pid,
    /// For the system calls of it and its copies, where these are filtered and heard.
    pub(super) listener: Option<Listener>,
}

impl Template {
    /// Starts a template of the calling thread, with which it and its copies die. The wait for it ends when `is_wanted`
    /// says no.
    pub(super) fn start(
        kind: &Kind,
        executable: &Executable,
        is_wanted: impl Fn() -> bool,
    ) -> io::Result<Template> {
        if let Some(small) = executable.small() {
            match Template::run(small, kind, &is_wanted) {
                Err(error) if has_not_begun(&error) => {
                    tracing::debug!(%error, "the small program for bots is not of this build, or cannot be run");
                }
                started => return started,
            }
        }
        Template::run(executable.command()?, kind, &is_wanted)
    }

    fn run(mut command: Command, kind: &Kind, is_wanted: &impl Fn() -> bool) -> io::Result<Template> {
        let (socket, theirs) = pair()?;
        command.arg(std::process::id().to_string()).arg(serde_json::to_string(kind)?).arg(BUILD);
        command.stdin(Stdio::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C goes to every process of the terminal's group; only the referee shall hear it.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn().map_err(|error| match missing_file() {
            Some(file) => io::Error::new(error.kind(), format!("there is no {file}")),
            None => error,
        })?;
        let pid = Pid::from_child(&child);
        // The command holds the template's end of the socket too; only the template may have it.
        drop(command);
        let process = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
        let mut template = Template { socket, process, pid, group: pid, listener: None };
        let mut files = template.hear_ready(is_wanted)?.into_iter();
        if kind.isolation.namespaces {
            let inner = files.next().ok_or(io::ErrorKind::InvalidData)?;
            template.pid = procfs::pid_of(inner.as_fd())?;
            // The one that was started has nothing more to do.
            end(&std::mem::replace(&mut template.process, inner));
        }
        template.listener = files.next().map(Listener);
        Ok(template)
    }

    /// Waits until it is ready, or until it has slept or been blocked for too long. Gives a handle on it where it is in
    /// namespaces, and the listener.
    fn hear_ready(&self, is_wanted: &impl Fn() -> bool) -> io::Result<Vec<OwnedFd>> {
        let record = ProcessRecord::of(self.pid.as_raw_pid());
        let (last, mut silent) = (after(now_ns(), LONGEST_START), after(now_ns(), LONGEST_SILENCE));
        loop {
            let mut socket = [PollFd::new(&self.socket, PollFlags::IN)];
            match poll(&mut socket, Some(&LOOK)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => {
                    let (ready, files) = hear(&self.socket)?;
                    return ready.map(|_| files);
                }
                Err(error) => return Err(error.into()),
            }
            let is_runnable = record.state() == ProcessState::Runnable;
            if is_runnable {
                silent = after(now_ns(), LONGEST_SILENCE);
            }
            if now_ns() >= silent.min(last) || !is_wanted() {
                return Err(if is_runnable { is_starved() } else { does_not_answer() });
            }
        }
    }

    /// Has it make a copy of itself. Its answer can be heard when the socket has something to read.
    pub(super) fn order(&self, files: &Handed<BorrowedFd<'_>>) -> io::Result<()> {
        let Handed { block, library, output, payload, group } = *files;
        let there = [payload.is_some(), group.is_some()].map(u8::from);
        let files = [Some(block), Some(library), Some(output), payload, group];
        let files: Vec<_> = files.into_iter().flatten().collect();
        // A template that reads nothing shall keep nobody waiting: what there is no room for is sent again later.
        give(&self.socket, &there, &files, SendFlags::DONTWAIT)
    }

    /// The answer to the oldest order that it has not answered.
    pub(super) fn answer(&self) -> io::Result<io::Result<Started>> {
        hear(&self.socket).map(Started::of)
    }

    /// Whether it cannot go on by itself: it is stopped, or waits in the kernel.
    pub(super) fn is_silent(&self) -> bool {
        ProcessRecord::of(self.pid.as_raw_pid()).state() != ProcessState::Runnable
    }
}

impl Drop for Template {
    fn drop(&mut self) {
        // Copies that it has not told of are in its group too, which nobody leaves. Until it is reaped, below, no other group has
        // this id. It fails when nobody is left.
        let _ = rustix::process::kill_process_group(self.group, Signal::KILL);
        if !end(&self.process) {
            let process = self.pid.as_raw_pid();
            tracing::warn!(process, "the template cannot be ended, and is left behind");
        }
    }
}

/// Kills and reaps a child of ours that no loop waits for. Says whether it is gone: one that cannot be ended is left behind.
pub(super) fn end(process: &OwnedFd) -> bool {
    // It fails when the process is gone already.
    let _ = rustix::process::pidfd_send_signal(process, Signal::KILL);
    ends_within(process, Duration::from_millis(100));
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    !matches!(rustix::process::waitid(WaitId::PidFd(process.as_fd()), options), Ok(None))
}

/// Waits for the end of a process, but no longer than this.
pub(super) fn ends_within(process: &OwnedFd, limit: Duration) {
    let limit = Timespec { tv_sec: limit.as_secs() as i64, tv_nsec: limit.subsec_nanos().into() };
    // Whatever ends the wait, the caller looks whether the process is gone.
    let _ = poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&limit));
}

/// A file that no template can be started without, and that is not there.
pub(super) fn missing_file() -> Option<&'static str> {
    ["/proc/self/exe", "/dev/null"].into_iter().find(|file| !Path::new(file).exists())
}

/// Whether a template has ended without a word, or was none at all: one of another build ends at once.
fn has_not_begun(error: &io::Error) -> bool {
    use io::ErrorKind::{ExecutableFileBusy, NotFound, PermissionDenied, UnexpectedEof};
    let is_no_program = error.raw_os_error() == Some(libc::ENOEXEC);
    is_no_program || matches!(error.kind(), ExecutableFileBusy | NotFound | PermissionDenied | UnexpectedEof)
}

/// Why a template that runs, or wants to, does not begin.
fn is_starved() -> io::Error {
    let seconds = LONGEST_START.as_secs();
    io::Error::other(format!(
        "the process that bots are copied from was not ready after {seconds} s in which it wanted to run: this machine has too much other \
         work, or arbiter too low a priority"
    ))
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

/// Bytes of an answer of a template, and of its words.
const LONGEST_ANSWER: usize = 256;
const LONGEST_PROBLEM: usize = 240;

/// What a template answers: that it is ready, or has made a copy, whose pid it tells where both see the same pids. Or it
/// could not: the system's error, or another one in words.
type Answer = Result<Option<i32>, (Option<i32>, String)>;

/// The template answers, and hands over files with that.
fn answer(socket: &OwnedFd, done: io::Result<Option<i32>>, files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let answer: Answer = done.map_err(|error| {
        let mut problem = error.to_string();
        cut(&mut problem, LONGEST_PROBLEM);
        (error.raw_os_error(), problem)
    });
    let mut bytes = Vec::with_capacity(LONGEST_ANSWER);
    write(&answer, &mut bytes);
    give(socket, &bytes, files, SendFlags::empty())
}

/// Hears an answer of the template.
fn hear(socket: &OwnedFd) -> io::Result<Made> {
    let mut bytes = [0; LONGEST_ANSWER];
    let (bytes, files) = take(socket, &mut bytes)?;
    if bytes.is_empty() {
        let problem = "the process that bots are copied from is gone";
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, problem));
    }
    let answer = postcard::from_bytes::<Answer>(bytes).map_err(io::Error::other)?;
    let done = answer.map_err(|failed| match failed {
        (Some(code), _) => io::Error::from_raw_os_error(code),
        (None, problem) => io::Error::other(problem),
    });
    Ok((done, files))
}

/// The most files that are handed over at a time.
const MOST: usize = 5;

/// A pair of sockets, the referee's and the child's. Files that were put into the first wait in the second.
fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

/// Hands files to the other side, with a message that is not empty.
fn give(socket: impl AsFd, text: &[u8], files: &[BorrowedFd<'_>], flags: SendFlags) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() && !message.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    rustix::net::sendmsg(socket, &[IoSlice::new(text)], &mut message, flags | SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Takes the next message, as far as there is room for it, and the files that came with it. The message is empty when
/// the other side has closed its end.
fn take(socket: impl AsFd, text: &mut [u8]) -> io::Result<(&[u8], Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut message = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = rustix::net::recvmsg(socket, &mut [IoSliceMut::new(text)], &mut message, flags)?;
    let rights = message.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => Some(files),
        _ => None,
    });
    Ok((&text[..received.bytes], rights.flatten().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// Hundreds of bots may be waiting for it. The supervisor would wait with them, and never see that it is stopped.
    #[test]
    fn orders_to_a_template_that_reads_nothing_keep_nobody_waiting() {
        let ((socket, _theirs), (tell, told)) = (pair().unwrap(), channel());
        std::thread::spawn(move || {
            let send = || give(&socket, &[0; 2], &[], SendFlags::DONTWAIT);
            tell.send((0..100_000).find_map(|_| send().err()))
        });
        let error = told.recv_timeout(Duration::from_secs(60)).expect("it does not wait").unwrap();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
    }
}
