//! A bot's process as the referee knows it, whether it is contained or plain: how to stop and end it, and what has been
//! found out about it.

use super::memory::Mapping;
use super::wire::{BackOff, Block};
use crate::player::Printed;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
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
    keep: Option<Keep>,
    /// What it has in common with other processes on its core.
    pub(super) core: Arc<Core>,
    questions: AtomicU32,
    is_playing: AtomicBool,
    rest: Mutex<Rest>,
    /// Nanoseconds for which the supervisor waited for a processor while a system call of the bot waited for its answer.
    unanswered: AtomicU64,
    /// What it prints on standard output and error.
    pub(super) printed: Arc<Printed>,
    found: Mutex<Found>,
    changed: Condvar,
}

type Keep = Box<dyn FnOnce(Mapping) + Send + Sync>;

/// What the processes on one core have in common.
#[derive(Default)]
pub(super) struct Core {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    Asked,
    /// Nothing is asked since this point in time.
    Since(i64),
    Stopped,
}

#[derive(Default)]
struct Found {
    pid: Option<i32>,
    send: Option<SendSignal>,
    /// The process is to be killed as soon as it is there.
    is_unwanted: bool,
    not_started: Option<String>,
    exit: Option<Exit>,
    ended_for: Option<EndedFor>,
    is_heard: bool,
    has_passed_the_gate: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Code(i32),
    /// By this signal, or by what the system has in its place.
    Signal(i32),
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
    /// One that has not been started yet. `keep` gets its block once it is gone.
    pub(super) fn new(
        core: &Arc<Core>,
        block: Mapping,
        printed: Arc<Printed>,
        keep: impl FnOnce(Mapping) + Send + Sync + 'static,
    ) -> Process {
        Process {
            block: Some(block),
            keep: Some(Box::new(keep)),
            core: Arc::clone(core),
            questions: AtomicU32::new(0),
            is_playing: AtomicBool::new(false),
            rest: Mutex::new(Rest::Asked),
            unanswered: AtomicU64::new(0),
            printed,
            found: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    pub(super) fn block(&self) -> &Block {
        self.block.as_ref().expect("the block goes only when this is dropped")
    }

    /// Ends the process, also one that has not been started yet. Does not wait until it is gone.
    pub(super) fn kill(&self) {
        self.found.lock().is_unwanted = true;
        self.send(Signal::Kill);
    }

    /// The bot is asked something: lets the process go on if it was stopped.
    pub(super) fn begin_question(&self) {
        self.questions.fetch_add(1, Ordering::Relaxed);
        self.unanswered.store(0, Ordering::Relaxed);
        let mut rest = self.rest.lock();
        if *rest == Rest::Stopped {
            self.send(Signal::GoOn);
        }
        *rest = Rest::Asked;
    }

    /// The bot has answered at this point in time: its process may be stopped from now on, and is at once where that
    /// is wanted.
    pub(super) fn end_question(&self, at: i64, stop: bool) {
        let mut rest = self.rest.lock();
        *rest = if stop { Rest::Stopped } else { Rest::Since(at) };
        if stop {
            self.send(Signal::Stop);
        }
    }

    /// The bot has been loaded: from here on the supervisor lets it open no files.
    pub(super) fn plays(&self) {
        self.is_playing.store(true, Ordering::Relaxed);
    }

    /// How long system calls of the bot waited for their answers because the supervisor waited for a processor: since
    /// the question began, or since this was called last.
    pub(super) fn take_unanswered(&self) -> Duration {
        Duration::from_nanos(self.unanswered.swap(0, Ordering::Relaxed))
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
        let mut found = self.found.lock();
        (found.pid, found.send, found.is_heard) = (Some(pid), Some(send), is_heard);
        let is_unwanted = found.is_unwanted;
        drop(found);
        self.changed.notify_all();
        if is_unwanted {
            self.kill();
        }
    }

    /// The process is gone and its output read. The first call counts.
    pub(super) fn ended(&self, exit: Exit) {
        self.found.lock().exit.get_or_insert(exit);
        self.changed.notify_all();
    }

    /// The process is being ended for something that it did. The first call counts.
    #[cfg(any(test, target_os = "linux", windows))]
    pub(super) fn is_ended_for(&self, what: EndedFor) {
        self.found.lock().ended_for.get_or_insert(what);
    }

    /// Whether it is known that the process has run nothing but our own code.
    pub(super) fn has_run_our_code_only(&self) -> bool {
        let found = self.found.lock();
        found.is_heard && !found.has_passed_the_gate
    }

    /// The number of the process, once it has one; waits for that no longer than this.
    pub(super) fn pid_within(&self, limit: Duration) -> Option<i32> {
        self.wait(limit, |found| found.pid.is_some() || found.not_started.is_some()).pid
    }

    /// Why no process could be started, if that is so.
    pub(super) fn start_problem(&self) -> Option<String> {
        self.found.lock().not_started.clone()
    }

    /// How the process ended, once it is gone and its output read.
    pub(super) fn exit(&self) -> Option<Exit> {
        self.found.lock().exit
    }

    /// The same, waited for no longer than this.
    pub(super) fn exit_within(&self, limit: Duration) -> Option<Exit> {
        self.wait(limit, |found| found.exit.is_some() || found.not_started.is_some()).exit
    }

    /// What it was ended for, if it was. That comes before anything else that is seen of the process.
    pub(super) fn ended_for(&self) -> Option<EndedFor> {
        self.found.lock().ended_for.clone()
    }

    /// Whether the supervisor hears of forbidden system calls.
    pub(super) fn is_heard(&self) -> bool {
        self.found.lock().is_heard
    }

    fn send(&self, signal: Signal) {
        let found = self.found.lock();
        if let Some(send) = found.send.as_ref().filter(|_| found.exit.is_none()) {
            send(signal);
        }
    }

    fn wait(&self, limit: Duration, is_known: impl Fn(&Found) -> bool) -> MutexGuard<'_, Found> {
        let mut found = self.found.lock();
        self.changed.wait_while_for(&mut found, |found| !is_known(found), limit);
        found
    }
}

/// What only a supervisor asks and says.
#[cfg(target_os = "linux")]
impl Process {
    /// No process could be started for it. The first reason counts.
    pub(super) fn not_started(&self, problem: &str) {
        self.found.lock().not_started.get_or_insert_with(|| problem.to_owned());
        self.changed.notify_all();
    }

    pub(super) fn has_started(&self) -> bool {
        self.found.lock().send.is_some()
    }

    /// From here on the process runs the bot's code too.
    pub(super) fn passed_the_gate(&self) {
        self.found.lock().has_passed_the_gate = true;
    }

    pub(super) fn questions(&self) -> u32 {
        self.questions.load(Ordering::Relaxed)
    }

    pub(super) fn is_playing(&self) -> bool {
        self.is_playing.load(Ordering::Relaxed)
    }

    /// A system call of the bot is answered this much late, because the supervisor waited for a processor.
    pub(super) fn answers_after(&self, time: Duration) {
        self.unanswered.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        *self.rest.lock() == Rest::Stopped
    }

    /// Stops the process, if nothing has been asked of it since before this point in time.
    pub(super) fn stop_if_resting_since(&self, before: i64) {
        let mut rest = self.rest.lock();
        if matches!(*rest, Rest::Since(at) if at < before) {
            *rest = Rest::Stopped;
            self.send(Signal::Stop);
        }
    }

    /// Sends the stop again, if the process is meant to be stopped.
    pub(super) fn stop_again(&self) {
        if *self.rest.lock() == Rest::Stopped {
            self.send(Signal::Stop);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A process that was never seen to end may still write to the block.
        if self.exit().is_some()
            && let (Some(keep), Some(block)) = (self.keep.take(), self.block.take())
        {
            keep(block);
        }
    }
}
