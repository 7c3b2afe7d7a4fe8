//! One child: its start, and the thread that keeps it: reads what it prints, answers for it, and sees it end.
//!
//! The thread needs nobody's attention: dropping the last handle of a child only sends the kill. When the child is
//! gone, it stands by for the next.

use super::clock::{after, now_ns};
use super::handover;
use super::launch::Launch;
use super::memory::Mapping;
use super::process::{Exit, Held, State};
use super::sandbox::{Group, Listener, Told};
use super::spare_threads;
use super::template::{self, Belongings, Kind, Started, start_process};
use super::wire::{self, Block, Part};
use super::{Core, Isolation, Limits};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

/// How long it is waited for that a process stands still: it takes microseconds where the core has nothing else to do.
const LONGEST_STOP: Duration = Duration::from_millis(20);

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// A child as others see it.
pub(super) struct Child {
    pid: Pid,
    pidfd: Arc<OwnedFd>,
    state: Arc<State>,
}

/// Starts a process that is asked nothing that makes sense, and so ends at once: whether that can be done, in this way.
pub(super) fn try_process(isolation: Isolation) -> io::Result<()> {
    let limits = Limits { isolation, ..Limits::default() };
    let (block, file) = Mapping::sealed()?;
    block.request.put(wire::next(0), &[], Part::Last);
    let library = file.try_clone()?;
    Child::of(&limits, None, library.as_fd(), (Arc::new(block), file))?.state.wait();
    Ok(())
}

impl Child {
    /// Starts a child. A thread of its own reads its standard output and error; when it is gone, the block says so.
    pub(super) fn start(
        launch: &Launch<'_>,
        library: BorrowedFd<'_>,
        prepare: impl FnOnce(&Block),
    ) -> io::Result<(Arc<Mapping>, Child)> {
        let (block, file) = Mapping::sealed()?;
        prepare(&block);
        let block = Arc::new(block);
        let child = Child::of(&launch.limits, launch.core, library, (Arc::clone(&block), file))?;
        Ok((block, child))
    }

    fn of(
        limits: &Limits,
        core: Option<Core>,
        library: BorrowedFd<'_>,
        block: (Arc<Mapping>, OwnedFd),
    ) -> io::Result<Child> {
        let threads = limits.most_threads();
        let Isolation { namespaces, cgroup } = limits.isolation;
        let group = cgroup.then(|| Group::make(limits.memory, threads)).transpose()?;
        let (output, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        rustix::fs::fcntl_setfl(&output, OFlags::NONBLOCK)?;
        let (socket, bell) = handover::pair()?;
        let place = group.as_ref().map(Group::folder);
        let (print, bell) = (write.as_fd(), bell.as_fd());
        let files = Belongings { block: block.1.as_fd(), library, output: print, bell, group: place };
        let kind = Kind { core: core.map(|core| core.number), namespaces };
        let started = start_process(kind, &files)?;
        watch(started, group, output, socket, threads, block)
    }
}

impl Held for Child {
    fn pid(&self) -> i32 {
        self.pid.as_raw_pid()
    }

    fn kill(&self) {
        // It fails when the process is gone already, which is just as well.
        let _ = rustix::process::pidfd_send_signal(&self.pidfd, Signal::KILL);
    }

    /// Waits for a moment until all of its threads stand still. No longer: a process can keep itself from it.
    fn stop(&self) {
        if rustix::process::pidfd_send_signal(&self.pidfd, Signal::STOP).is_err() {
            return;
        }
        let (process, seen) =
            (|| WaitId::PidFd(self.pidfd.as_fd()), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
        let last = after(now_ns(), LONGEST_STOP);
        // A process that is gone instead is an error here as soon as its keeper has reaped it.
        while matches!(rustix::process::waitid(process(), seen), Ok(None)) && now_ns() < last {
            std::thread::yield_now();
        }
    }

    fn go_on(&self) {
        let _ = rustix::process::pidfd_send_signal(&self.pidfd, Signal::CONT);
    }

    fn state(&self) -> &State {
        &self.state
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts the thread that keeps a child, for which nobody else waits.
fn watch(
    started: Started,
    group: Option<Group>,
    output: OwnedFd,
    socket: OwnedFd,
    most_threads: u32,
    (block, file): (Arc<Mapping>, OwnedFd),
) -> io::Result<Child> {
    let Started { pid, process, first } = started;
    let (pidfd, first) = (Arc::new(process), first.map(Arc::new));
    let (of_bot, of_first) = (Arc::clone(&pidfd), first.clone());
    let state = Arc::new(State::default());
    let child = Child { pid, pidfd: Arc::clone(&pidfd), state: Arc::clone(&state) };
    let keep = move || {
        let (output, bell) = (Some(output), Bell::Socket(socket));
        Watch { pid, pidfd: &pidfd, output, bell, most_threads, threads_begun: 0, state: &state }.until_end();
        let exit = reap(&pidfd);
        if group.as_ref().is_some_and(Group::has_run_out_of_memory) {
            state.out_of_memory();
        }
        state.ended(exit);
        block.reply.mark_gone();
        first.iter().for_each(|first| template::end(first));
        // Most referees have let go of it by now.
        if let Some(block) = Arc::into_inner(block) {
            block.keep(file);
        }
    };
    if let Err(error) = spare_threads::run("bot keeper", keep) {
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
    /// Threads that it may have.
    most_threads: u32,
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
                if listener.is_some() {
                    self.state.listen();
                }
                self.bell = listener.map_or(Bell::None, |file| Bell::Listener(file.into()));
            }
            Bell::Listener(listener) => match listener.next() {
                Ok(Told::WantsThread(question)) => {
                    self.threads_begun = self.threads_begun.saturating_add(1);
                    let most = self.most_threads;
                    let has_room = self.threads_begun < most || threads_of(self.pid) < most;
                    listener.answer(question, has_room);
                }
                Ok(Told::Forbidden(call)) => {
                    self.state.forbid(call);
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
            Ok(length) => state.printed(&buffer[..length]),
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
