//! One child: its start, and the thread that keeps it: reads what it prints, answers for it, and sees it end.
//!
//! The thread needs nobody's attention: dropping the last handle of a child only sends the kill. When the child is
//! gone, it stands by for the next.

use super::handover;
use super::sandbox::{Call, Group, Listener, Told};
use super::standby;
use super::template::{self, Belongings, Kind, Started, start_process};
use super::wire::Mapping;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus};
use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How much of the end of a bot's output is kept.
const KEPT_OUTPUT: usize = 8 << 10;
/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// A child as others see it.
pub(super) struct Child {
    pid: Pid,
    pidfd: Arc<OwnedFd>,
    state: Arc<State>,
}

/// What a child is given.
pub(super) struct Given<'a> {
    /// The shared block.
    pub(super) block: BorrowedFd<'a>,
    /// A copy of the library.
    pub(super) library: BorrowedFd<'a>,
    /// The control group that it is to be in, if any.
    pub(super) group: Option<Group>,
}

/// What the keeper finds out.
#[derive(Debug, Default)]
struct State {
    output: Mutex<Output>,
    exit: OnceLock<Exit>,
    forbidden: OnceLock<Call>,
    out_of_memory: AtomicBool,
    most_threads: u32,
}

/// What a bot has printed.
#[derive(Debug, Default)]
struct Output {
    tail: VecDeque<u8>,
    total: u64,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl Child {
    /// Starts a child. A thread of its own reads its standard output and error; when it is gone, the block
    /// says so.
    pub(super) fn start(
        kind: Kind,
        given: Given<'_>,
        most_threads: u32,
        block: &Arc<Mapping>,
    ) -> io::Result<Child> {
        let (output, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        rustix::fs::fcntl_setfl(&output, OFlags::NONBLOCK)?;
        let (socket, bell) = handover::pair()?;
        let Given { block: file, library, group } = given;
        let place = group.as_ref().map(Group::folder);
        let (print, bell) = (write.as_fd(), bell.as_fd());
        let files = Belongings { block: file, library, output: print, bell, group: place };
        let started = start_process(kind, &files)?;
        watch(started, group, output, socket, most_threads, block)
    }

    /// The number of the process.
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Ends the process, whatever it is doing. Says nothing of when it will be gone.
    pub(super) fn kill(&self) {
        // It fails when the process is gone already, which is just as well.
        let _ = rustix::process::pidfd_send_signal(&self.pidfd, Signal::KILL);
    }

    /// Stops the process until it is told to go on, and waits until all of its threads stand still. A kill reaches it
    /// all the same.
    pub(super) fn stop(&self) {
        if rustix::process::pidfd_send_signal(&self.pidfd, Signal::STOP).is_err() {
            return;
        }
        // A process that is gone instead is an error here as soon as its keeper has reaped it.
        let stopped = || rustix::process::waitid(WaitId::PidFd(self.pidfd.as_fd()), WaitIdOptions::STOPPED);
        while matches!(stopped(), Err(rustix::io::Errno::INTR)) {}
    }

    /// Lets the process go on.
    pub(super) fn go_on(&self) {
        let _ = rustix::process::pidfd_send_signal(&self.pidfd, Signal::CONT);
    }

    /// How the process ended, once it has.
    pub(super) fn exit(&self) -> Option<Exit> {
        self.state.exit.get().copied()
    }

    /// The forbidden system call for which it was ended.
    pub(super) fn forbidden(&self) -> Option<Call> {
        self.state.forbidden.get().copied()
    }

    /// Whether it was ended because it used more memory than its control group may. To be asked when it has ended.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        self.state.out_of_memory.load(Ordering::SeqCst)
    }

    /// Waits until the process is gone and all of its output is read.
    pub(super) fn wait(&self) -> Exit {
        *self.state.exit.wait()
    }

    /// The end of what it printed so far, and how much that was in all.
    pub(super) fn output(&self) -> (Vec<u8>, u64) {
        let output = self.state.output.lock().unwrap_or_else(PoisonError::into_inner);
        (output.tail.iter().copied().collect(), output.total)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Output {
    fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        self.tail.extend(&bytes[bytes.len().saturating_sub(KEPT_OUTPUT)..]);
        self.tail.drain(..self.tail.len().saturating_sub(KEPT_OUTPUT));
    }
}

/// Starts the thread that keeps a child, for which nobody else waits.
fn watch(
    started: Started,
    group: Option<Group>,
    output: OwnedFd,
    socket: OwnedFd,
    most_threads: u32,
    block: &Arc<Mapping>,
) -> io::Result<Child> {
    let Started { pid, process, first } = started;
    let (pidfd, first) = (Arc::new(process), first.map(Arc::new));
    let (of_bot, of_first) = (Arc::clone(&pidfd), first.clone());
    let state = Arc::new(State { most_threads, ..State::default() });
    let child = Child { pid, pidfd: Arc::clone(&pidfd), state: Arc::clone(&state) };
    let block = Arc::clone(block);
    let keep = move || {
        let (output, bell) = (Some(output), Bell::Socket(socket));
        Watch { pid, pidfd: &pidfd, output, bell, threads_begun: 0, state: &state }.until_end();
        let exit = reap(&pidfd);
        if group.as_ref().is_some_and(Group::has_run_out_of_memory) {
            state.out_of_memory.store(true, Ordering::SeqCst);
        }
        // The state is fresh, and only this thread sets it.
        let _ = state.exit.set(exit);
        block.reply.mark_gone();
        first.iter().for_each(|first| template::end(first));
    };
    if let Err(error) = standby::run("bot keeper", keep) {
        template::end(&of_bot);
        of_first.iter().for_each(|first| template::end(first));
        return Err(error);
    }
    Ok(child)
}

/// What the keeper has an eye on.
struct Watch<'a> {
    pid: Pid,
    pidfd: &'a OwnedFd,
    /// What the child prints, while anybody can.
    output: Option<OwnedFd>,
    bell: Bell,
    /// Threads that it was let start: it has no more than these and its first.
    threads_begun: u32,
    state: &'a State,
}

/// What tells of the child's system calls.
enum Bell {
    /// It will come through here.
    Socket(OwnedFd),
    Listener(Listener),
    None,
}

impl Watch<'_> {
    /// Reads the child's output as it comes and hears of its calls, until it is gone and what it left is read.
    fn until_end(mut self) {
        let mut buffer = Vec::new();
        loop {
            let [end, print, call] = self.wait();
            if call.contains(PollFlags::IN) {
                self.answer_bell();
            } else if !call.is_empty() {
                self.bell = Bell::None;
            }
            // The end was looked for first: what a process that is gone has left is there to be read.
            if !print.is_empty() {
                let output = self.output.take().filter(|_| print.contains(PollFlags::IN));
                self.output = output.filter(|output| read_what_is_there(output, &mut buffer, self.state));
            }
            if !end.is_empty() {
                return;
            }
        }
    }

    /// What there is to see of the child's end, of what it prints, of its calls.
    fn wait(&self) -> [PollFlags; 3] {
        let bell = match &self.bell {
            Bell::Socket(socket) => Some(socket.as_fd()),
            Bell::Listener(listener) => Some(listener.as_fd()),
            Bell::None => None,
        };
        let files = [Some(self.pidfd.as_fd()), self.output.as_ref().map(OwnedFd::as_fd), bell];
        let mut watched: Vec<_> =
            files.iter().flatten().map(|file| PollFd::from_borrowed_fd(*file, PollFlags::IN)).collect();
        if poll(&mut watched, None).is_err() {
            return [PollFlags::empty(); 3];
        }
        let mut events = watched.iter().map(PollFd::revents);
        files.map(|file| file.and_then(|_| events.next()).unwrap_or(PollFlags::empty()))
    }

    fn answer_bell(&mut self) {
        match &self.bell {
            Bell::Socket(socket) => {
                let mut text = [0];
                let taken = handover::take(socket, &mut text).ok();
                let listener = taken.and_then(|(_, mut files)| files.pop());
                self.bell = listener.map_or(Bell::None, |file| Bell::Listener(file.into()));
            }
            Bell::Listener(listener) => match listener.next() {
                Ok(Told::WantsThread(question)) => {
                    self.threads_begun = self.threads_begun.saturating_add(1);
                    let most = self.state.most_threads;
                    let has_room = self.threads_begun < most || threads_of(self.pid) < most;
                    listener.answer(question, has_room);
                }
                Ok(Told::Forbidden(call)) => {
                    let _ = self.state.forbidden.set(call);
                    let _ = rustix::process::pidfd_send_signal(self.pidfd, Signal::KILL);
                    self.bell = Bell::None;
                }
                // The caller is gone, or was interrupted and will ask again.
                Err(_) => {}
            },
            Bell::None => {}
        }
    }
}

/// How many threads a process has.
fn threads_of(pid: Pid) -> u32 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid.as_raw_pid())).unwrap_or_default();
    let threads = status.lines().find_map(|line| line.strip_prefix("Threads:"));
    threads.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

/// Reads until nothing is left for now; false when nobody can write any more.
fn read_what_is_there(output: impl AsFd, buffer: &mut Vec<u8>, state: &State) -> bool {
    // Most bots never print anything.
    buffer.resize(CHUNK, 0);
    // A process that prints faster than this thread reads must not keep it here for ever.
    for _ in 0..64 {
        match rustix::io::read(&output, &mut buffer[..]) {
            Ok(0) => return false,
            Ok(length) => {
                state.output.lock().unwrap_or_else(PoisonError::into_inner).add(&buffer[..length]);
            }
            Err(_) => return true,
        }
    }
    true
}

/// Takes the exit status of a child that is gone.
fn reap(pidfd: &OwnedFd) -> Exit {
    let status = loop {
        match rustix::process::waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED) {
            Ok(status) => break status,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => break None,
        }
    };
    let signal = status.as_ref().and_then(WaitIdStatus::terminating_signal);
    match (signal, status.as_ref().and_then(WaitIdStatus::exit_status)) {
        (Some(signal), _) => Exit::Signal(signal),
        (None, Some(code)) => Exit::Code(code),
        // Somebody else has waited for our child: a signal handler of the program that uses this library.
        (None, None) => Exit::Code(-1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_line_is_kept_to_its_end() {
        let mut output = Output::default();
        (0..1000).for_each(|_| output.add(&[b'x'; 777]));
        output.add(b"the end");
        assert_eq!((output.tail.len(), output.total), (KEPT_OUTPUT, 777_007));
        assert!(output.tail.iter().copied().collect::<Vec<_>>().ends_with(b"the end"));
    }
}
