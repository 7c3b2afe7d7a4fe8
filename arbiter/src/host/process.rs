//! A bot's process as the referee knows it, whether it is contained or plain: how to stop and end it, and what has been
//! found out about it.

use super::memory::Mapping;
use super::wire::BackOff;
use crate::player::Printed;
use parking_lot::{Condvar, Mutex, MutexGuard};
#[cfg(unix)]
pub(super) use rustix::process::Signal;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::time::Duration;

/// The referee's handle on a bot's process. Dropping it sends the kill, and does not wait.
pub(super) struct Handle(pub(super) Arc<Process>);

impl Deref for Handle {
    type Target = Process;

    fn deref(&self) -> &Process {
        &self.0
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.kill();
    }
}

/// A bot's process, shared by its referee and the threads that start and reap it. This value is made before the
/// process is, and outlives it.
pub(super) struct Process {
    block: Option<Mapping>,
    /// What it has in common with other processes on its core.
    pub(super) core: Arc<Core>,
    /// What it prints on standard output and error.
    pub(super) printed: Arc<Printed>,
    state: Mutex<State>,
    changed: Condvar,
}

/// What the processes on one core have in common.
#[derive(Default)]
pub(super) struct Core {
    #[cfg(target_os = "linux")]
    pub(super) pool: super::memory::Pool,
    pub(super) back_off: BackOff,
    /// Processor time that our side of a bot's process needs between questions, in nanoseconds.
    pub(super) housekeeping: AtomicU64,
    /// The tid of the supervisor, or 0.
    pub(super) supervisor: AtomicI32,
}

/// How a running process is controlled where there are no signals.
#[cfg(not(unix))]
#[derive(Clone, Copy, PartialEq, Eq)]
#[expect(clippy::upper_case_acronyms, reason = "they are called as signals are")]
pub(super) enum Signal {
    KILL,
    STOP,
    CONT,
}

/// Sends a signal to a process. What is sent to one that is gone is lost.
pub(super) type SendSignal = Box<dyn Fn(Signal) + Send + Sync>;

/// Whether a bot is being asked something, or since when it rests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rest {
    #[default]
    Asked,
    /// Nothing is asked since this point in time.
    Since(i64),
    Stopped,
}

/// How far a process has come, as far as the supervisor is told of its system calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has run nothing but our own code.
    #[default]
    Ours,
    /// It has passed the gate, and runs the bot's code too.
    #[cfg(target_os = "linux")]
    Loading,
    /// The bot has been loaded.
    Playing,
}

/// How far a bot's process has come: by this its system calls are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) stage: Stage,
    /// How many questions it has been asked.
    pub(super) questions: u32,
    pub(super) rest: Rest,
}

/// What is known of a process, and what it is asked.
#[derive(Default)]
pub(super) struct State {
    pid: Option<i32>,
    send: Option<SendSignal>,
    /// It was we who ended the process: it is killed as soon as it is there.
    pub(super) is_unwanted: bool,
    /// How the process has ended, or what it is being ended for. The first reason counts.
    pub(super) end: Option<End>,
    /// The process is gone and its output read.
    pub(super) is_gone: bool,
    /// The supervisor hears of its system calls.
    pub(super) is_heard: bool,
    pub(super) moment: Moment,
    /// For how long the supervisor waited for a processor while a system call of the bot waited for its answer: since the
    /// question began, or since this was taken last.
    pub(super) unanswered: Duration,
}

impl State {
    /// Whether it is known that the process has run nothing but our own code.
    pub(super) fn has_run_our_code_only(&self) -> bool {
        self.is_heard && self.moment.stage == Stage::Ours
    }

    pub(super) fn send(&self, signal: Signal) {
        if let Some(send) = self.send.as_ref().filter(|_| !self.is_gone) {
            send(signal);
        }
    }

    pub(super) fn stop(&mut self) {
        self.moment.rest = Rest::Stopped;
        self.send(Signal::STOP);
    }
}

/// How a process ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "no other system tells as much"))]
pub(super) enum End {
    /// None could be started, or it is ended for something that is not its fault.
    NotStarted(String),
    /// It made this system call, which is forbidden, and is ended for it.
    Call(String),
    /// It holds more memory than it may, and is ended for it.
    TooBig,
    Code(i32),
    /// By this signal, or by what the system has in its place.
    Signal(i32),
    /// By the system, when it had computed for as long as this machine lets any process (`ulimit -Ht`).
    OutOfProcessorTime,
    /// By the kernel, when the machine had run out of memory. It had held so many bytes at most.
    OutOfMemory {
        held: u64,
    },
}

impl End {
    /// Whether it is we who end it, or who could not start it.
    pub(super) fn is_ours(&self) -> bool {
        matches!(self, End::NotStarted(_) | End::Call(_) | End::TooBig)
    }
}

impl Process {
    /// One that has not been started yet.
    pub(super) fn new(core: &Arc<Core>, block: Mapping, printed: Arc<Printed>) -> Process {
        let (core, state, changed) = (Arc::clone(core), Mutex::default(), Condvar::new());
        Process { block: Some(block), core, printed, state, changed }
    }

    pub(super) fn block(&self) -> &Mapping {
        self.block.as_ref().expect("the block goes only when this is dropped")
    }

    /// What is known of it now. Whoever holds it calls no method of the process: its lock cannot be taken twice.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Ends the process, also one that has not been started yet. Does not wait until it is gone.
    pub(super) fn kill(&self) {
        let mut state = self.state();
        state.is_unwanted = true;
        state.send(Signal::KILL);
    }

    /// The bot is asked something: lets the process go on if it was stopped.
    pub(super) fn begin_question(&self) {
        let mut state = self.state();
        state.moment.questions = state.moment.questions.wrapping_add(1);
        state.unanswered = Duration::ZERO;
        if std::mem::take(&mut state.moment.rest) == Rest::Stopped {
            state.send(Signal::CONT);
        }
    }

    /// The bot has answered at this point in time: its process may be stopped from now on, and is at once where that
    /// is wanted.
    pub(super) fn end_question(&self, at: i64, stop: bool) {
        let mut state = self.state();
        state.moment.rest = Rest::Since(at);
        if stop {
            state.stop();
        }
    }

    /// Whether a system call of the bot may be waiting now because the supervisor waits for a processor.
    pub(super) fn may_be_unanswered(&self) -> bool {
        let supervisor = self.core.supervisor.load(Ordering::Relaxed);
        #[cfg(target_os = "linux")]
        return supervisor != 0 && super::procfs::is_thread_ready(supervisor);
        #[cfg(not(target_os = "linux"))]
        return supervisor != 0;
    }

    /// The process runs, and has this pid. `is_heard` says whether the supervisor is told of its system calls.
    pub(super) fn started(&self, pid: i32, send: SendSignal, is_heard: bool) {
        let mut state = self.state();
        (state.pid, state.send, state.is_heard) = (Some(pid), Some(send), is_heard);
        if state.is_unwanted {
            state.send(Signal::KILL);
        }
        self.changed.notify_all();
    }

    /// The process is gone and its output read. This is what the system says of its end.
    pub(super) fn ended(&self, end: End) {
        let mut state = self.state();
        state.end.get_or_insert(end);
        state.is_gone = true;
        self.changed.notify_all();
    }

    /// Ends the process for this, also one that is never to be started.
    #[cfg(any(test, target_os = "linux", windows))]
    pub(super) fn end_for(&self, what: End) {
        self.state().end.get_or_insert(what);
        self.kill();
        self.changed.notify_all();
    }

    /// The pid of the process, once it has one; waits for that no longer than this.
    pub(super) fn pid_within(&self, limit: Duration) -> Option<i32> {
        self.wait(limit, |state| state.pid.is_some() || state.end.is_some()).pid
    }

    /// Whether there is no process any more, or never will be; waits for that no longer than this.
    pub(super) fn is_gone_within(&self, limit: Duration) -> bool {
        let is_gone = |state: &State| state.is_gone || (state.pid.is_none() && state.end.is_some());
        is_gone(&self.wait(limit, is_gone))
    }

    fn wait(&self, limit: Duration, is_known: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let mut state = self.state();
        self.changed.wait_while_for(&mut state, |state| !is_known(state), limit);
        state
    }
}

#[cfg(target_os = "linux")]
impl Drop for Process {
    fn drop(&mut self) {
        // A process that was never seen to end may still write to the block.
        if self.state().is_gone {
            self.block.take().into_iter().for_each(|block| self.core.pool.give_back(block));
        }
    }
}
