//! A bot's process as the referee knows it, whether it is contained or plain: how to stop and end it, and what has been
//! found out about it.

use super::memory::Mapping;
use super::wire::BackOff;
use crate::player::Printed;
use parking_lot::{Condvar, Mutex, MutexGuard};
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
    /// The number of the supervisor's thread, or 0.
    pub(super) supervisor: AtomicI32,
}

/// How a running process is controlled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    Kill,
    Stop,
    GoOn,
}

#[cfg(unix)]
impl From<Signal> for rustix::process::Signal {
    fn from(signal: Signal) -> rustix::process::Signal {
        match signal {
            Signal::Kill => rustix::process::Signal::KILL,
            Signal::Stop => rustix::process::Signal::STOP,
            Signal::GoOn => rustix::process::Signal::CONT,
        }
    }
}

/// Sends a signal to a process. What is sent to one that is gone is lost.
pub(super) type SendSignal = Box<dyn Fn(Signal) + Send + Sync>;

/// Whether a bot is being asked something, or since when it rests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Rest {
    #[default]
    Asked,
    /// Nothing is asked since this point in time.
    Since(i64),
    Stopped,
}

/// How far a process has come, as far as the supervisor is told of its system calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// It has run nothing but our own code.
    #[default]
    Ours,
    /// It has passed the gate, and runs the bot's code too.
    #[cfg(target_os = "linux")]
    Loading,
    /// The bot has been loaded.
    Playing,
}

/// What is known of a process, and what is asked of it.
#[derive(Default)]
struct State {
    pid: Option<i32>,
    send: Option<SendSignal>,
    /// The process is to be killed as soon as it is there.
    is_unwanted: bool,
    not_started: Option<String>,
    exit: Option<Exit>,
    ended_for: Option<EndedFor>,
    is_heard: bool,
    stage: Stage,
    /// How many questions it has been asked.
    questions: u32,
    rest: Rest,
    /// For how long the supervisor waited for a processor while a system call of the bot waited for its answer.
    unanswered: Duration,
}

impl State {
    fn send(&self, signal: Signal) {
        if let Some(send) = self.send.as_ref().filter(|_| self.exit.is_none()) {
            send(signal);
        }
    }

    fn stop(&mut self) {
        self.rest = Rest::Stopped;
        self.send(Signal::Stop);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Code(i32),
    /// By this signal, or by what the system has in its place.
    Signal(i32),
    /// By the system, when it had computed for as long as this machine lets any process (`ulimit -Ht`).
    #[cfg(target_os = "linux")]
    OutOfProcessorTime,
    /// By the kernel, when the machine had run out of memory.
    #[cfg(target_os = "linux")]
    OutOfMemory,
}

/// Why a process was ended for something that it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EndedFor {
    /// It made a forbidden system call.
    #[cfg(target_os = "linux")]
    Call(String),
    /// It held more memory than it may.
    Memory,
    /// It went on by itself after it was stopped.
    #[cfg(target_os = "linux")]
    RunningOn,
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

    /// Ends the process, also one that has not been started yet. Does not wait until it is gone.
    pub(super) fn kill(&self) {
        let mut state = self.state.lock();
        state.is_unwanted = true;
        state.send(Signal::Kill);
    }

    /// The bot is asked something: lets the process go on if it was stopped.
    pub(super) fn begin_question(&self) {
        let mut state = self.state.lock();
        state.questions = state.questions.wrapping_add(1);
        state.unanswered = Duration::ZERO;
        if std::mem::take(&mut state.rest) == Rest::Stopped {
            state.send(Signal::GoOn);
        }
    }

    /// The bot has answered at this point in time: its process may be stopped from now on, and is at once where that
    /// is wanted.
    pub(super) fn end_question(&self, at: i64, stop: bool) {
        let mut state = self.state.lock();
        state.rest = Rest::Since(at);
        if stop {
            state.stop();
        }
    }

    /// The bot has been loaded: from here on the supervisor lets it open no files.
    pub(super) fn plays(&self) {
        self.state.lock().stage = Stage::Playing;
    }

    /// How long system calls of the bot waited for their answers because the supervisor waited for a processor: since
    /// the question began, or since this was called last.
    pub(super) fn take_unanswered(&self) -> Duration {
        std::mem::take(&mut self.state.lock().unanswered)
    }

    /// Whether a system call of the bot may be waiting now because the supervisor waits for a processor.
    pub(super) fn may_be_unanswered(&self) -> bool {
        let supervisor = self.core.supervisor.load(Ordering::Relaxed);
        #[cfg(target_os = "linux")]
        return supervisor != 0 && super::procfs::is_thread_ready(supervisor);
        #[cfg(not(target_os = "linux"))]
        return supervisor != 0;
    }

    /// The process runs, and has this number. `is_heard` says whether the supervisor is told of its system calls.
    pub(super) fn started(&self, pid: i32, send: SendSignal, is_heard: bool) {
        let mut state = self.state.lock();
        (state.pid, state.send, state.is_heard) = (Some(pid), Some(send), is_heard);
        if state.is_unwanted {
            state.send(Signal::Kill);
        }
        self.changed.notify_all();
    }

    /// The process is gone and its output read. The first call counts.
    pub(super) fn ended(&self, exit: Exit) {
        self.state.lock().exit.get_or_insert(exit);
        self.changed.notify_all();
    }

    /// Ends the process for something that it did. The first reason counts.
    #[cfg(any(test, target_os = "linux", windows))]
    pub(super) fn end_for(&self, what: EndedFor) {
        self.state.lock().ended_for.get_or_insert(what);
        self.kill();
    }

    /// Whether it is known that the process has run nothing but our own code.
    pub(super) fn has_run_our_code_only(&self) -> bool {
        let state = self.state.lock();
        state.is_heard && state.stage == Stage::Ours
    }

    /// The number of the process, once it has one; waits for that no longer than this.
    pub(super) fn pid_within(&self, limit: Duration) -> Option<i32> {
        self.wait(limit, |state| state.pid.is_some() || state.not_started.is_some()).pid
    }

    /// Why no process could be started, if that is so.
    pub(super) fn start_problem(&self) -> Option<String> {
        self.state.lock().not_started.clone()
    }

    /// How the process ended, once it is gone and its output read.
    pub(super) fn exit(&self) -> Option<Exit> {
        self.state.lock().exit
    }

    /// The same, waited for no longer than this.
    pub(super) fn exit_within(&self, limit: Duration) -> Option<Exit> {
        self.wait(limit, |state| state.exit.is_some() || state.not_started.is_some()).exit
    }

    /// What it was ended for, if it was. That comes before anything else that is seen of the process.
    pub(super) fn ended_for(&self) -> Option<EndedFor> {
        self.state.lock().ended_for.clone()
    }

    /// Whether the supervisor hears of forbidden system calls.
    pub(super) fn is_heard(&self) -> bool {
        self.state.lock().is_heard
    }

    fn wait(&self, limit: Duration, is_known: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let mut state = self.state.lock();
        self.changed.wait_while_for(&mut state, |state| !is_known(state), limit);
        state
    }
}

/// What only a supervisor asks and says.
#[cfg(target_os = "linux")]
impl Process {
    /// No process could be started for it. The first reason counts.
    pub(super) fn not_started(&self, problem: &str) {
        self.state.lock().not_started.get_or_insert_with(|| problem.to_owned());
        self.changed.notify_all();
    }

    pub(super) fn has_started(&self) -> bool {
        self.state.lock().send.is_some()
    }

    /// From here on the process runs the bot's code too.
    pub(super) fn passed_the_gate(&self) {
        self.state.lock().stage = Stage::Loading;
    }

    pub(super) fn questions(&self) -> u32 {
        self.state.lock().questions
    }

    /// Whether it was we who ended it.
    pub(super) fn is_unwanted(&self) -> bool {
        self.state.lock().is_unwanted
    }

    pub(super) fn is_playing(&self) -> bool {
        self.state.lock().stage == Stage::Playing
    }

    /// A system call of the bot is answered this much late, because the supervisor waited for a processor.
    pub(super) fn answers_after(&self, time: Duration) {
        self.state.lock().unanswered += time;
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.state.lock().rest == Rest::Stopped
    }

    /// Stops the process, if nothing has been asked of it since before this point in time.
    pub(super) fn stop_if_resting_since(&self, before: i64) {
        let mut state = self.state.lock();
        if matches!(state.rest, Rest::Since(at) if at < before) {
            state.stop();
        }
    }

    /// Sends the stop again, if the process is meant to be stopped.
    pub(super) fn stop_again(&self) {
        let state = self.state.lock();
        if state.rest == Rest::Stopped {
            state.send(Signal::Stop);
        }
    }
}

#[cfg(target_os = "linux")]
impl Drop for Process {
    fn drop(&mut self) {
        // A process that was never seen to end may still write to the block.
        if self.exit().is_some() {
            self.block.take().into_iter().for_each(|block| self.core.pool.give_back(block));
        }
    }
}
