//! A bot's process as its supervisor and its referee share it.

use crate::host::memory::{Mapping, Pool};
use crate::host::process::{ProcessHandle, Report};
use crate::host::procfs;
use crate::host::wire::Block;
use rustix::process::{Pid, Signal};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// A bot's process, shared by its supervisor and its worker. This value is made before the process is, and outlives it.
pub(in crate::host) struct Child {
    /// The shared block, and its file.
    block: Option<(Mapping, OwnedFd)>,
    /// Where the block goes when the process is gone.
    pool: Arc<Pool>,
    report: Report,
    pidfd: OnceLock<OwnedFd>,
    /// The process is to be killed as soon as it is there.
    is_unwanted: AtomicBool,
    /// How often the bot has been asked something.
    questions: AtomicU32,
    /// The bot is loaded.
    is_playing: AtomicBool,
    rest: Mutex<Rest>,
    /// The thread of the supervisor.
    supervisor: OnceLock<Pid>,
    /// Nanoseconds for which that waited for a processor while a system call of the bot waited for its answer.
    unanswered: AtomicU64,
}

/// Whether something is asked of a bot, and since when not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// It is asked something.
    Asked,
    /// Nothing is asked since this point in time.
    Since(i64),
    /// It was stopped.
    Stopped,
}

impl Child {
    /// A child whose process has not been started yet.
    pub(super) fn new(pool: &Arc<Pool>) -> io::Result<Child> {
        Ok(Child {
            block: Some(pool.take()?),
            pool: Arc::clone(pool),
            report: Report::default(),
            pidfd: OnceLock::new(),
            is_unwanted: AtomicBool::new(false),
            questions: AtomicU32::new(0),
            is_playing: AtomicBool::new(false),
            rest: Mutex::new(Rest::Asked),
            supervisor: OnceLock::new(),
            unanswered: AtomicU64::new(0),
        })
    }

    /// The file of the shared block.
    pub(super) fn block_file(&self) -> BorrowedFd<'_> {
        self.both().1.as_fd()
    }

    /// The process runs. This is called by its supervisor.
    pub(super) fn started(&self, pid: i32, pidfd: OwnedFd, is_heard: bool) {
        let _ = self.supervisor.set(rustix::thread::gettid());
        let _ = self.pidfd.set(pidfd);
        self.report.started(pid, is_heard);
        if self.is_unwanted.load(Ordering::SeqCst) {
            self.send(Signal::KILL);
        }
    }

    /// A handle on the process, once it has been started.
    pub(super) fn pidfd(&self) -> Option<BorrowedFd<'_>> {
        self.pidfd.get().map(AsFd::as_fd)
    }

    /// How often the bot has been asked something.
    pub(super) fn questions(&self) -> u32 {
        self.questions.load(Ordering::Relaxed)
    }

    /// A system call of the bot is answered, for which the supervisor has waited for a processor for so long.
    pub(super) fn answers_after(&self, time: Duration) {
        self.unanswered.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Whether the bot is loaded.
    pub(super) fn is_playing(&self) -> bool {
        self.is_playing.load(Ordering::Relaxed)
    }

    /// Whether the process has been stopped.
    pub(super) fn is_stopped(&self) -> bool {
        *self.rest() == Rest::Stopped
    }

    /// Stops the process, if nothing has been asked of it since before this point in time.
    pub(super) fn stop_if_resting_since(&self, before: i64) {
        let mut rest = self.rest();
        if matches!(*rest, Rest::Since(at) if at < before) {
            *rest = Rest::Stopped;
            self.send(Signal::STOP);
        }
    }

    /// Sends the stop again, if the process is meant to be stopped.
    pub(super) fn stop_again(&self) {
        if *self.rest() == Rest::Stopped {
            self.send(Signal::STOP);
        }
    }

    fn send(&self, signal: Signal) {
        if let Some(pidfd) = self.pidfd.get() {
            // It fails only when the process is gone already.
            let _ = rustix::process::pidfd_send_signal(pidfd, signal);
        }
    }

    fn rest(&self) -> MutexGuard<'_, Rest> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn both(&self) -> &(Mapping, OwnedFd) {
        self.block.as_ref().expect("the block goes only when this is dropped")
    }
}

impl Child {
    /// The shared block.
    pub(super) fn block(&self) -> &Block {
        &self.both().0
    }

    /// What has been found out about the process.
    pub(super) fn report(&self) -> &Report {
        &self.report
    }

    /// Ends the process, also one that has not been started yet.
    pub(super) fn kill(&self) {
        self.is_unwanted.store(true, Ordering::SeqCst);
        self.send(Signal::KILL);
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // A process that was never seen to end may still write there.
        if self.report.exit().is_some()
            && let Some((block, file)) = self.block.take()
        {
            self.pool.give_back(block, file);
        }
    }
}

/// The referee's hold on a child: dropping it ends the process.
pub(in crate::host) struct Held(Arc<Child>);

impl Held {
    pub(super) fn new(child: Arc<Child>) -> Held {
        Held(child)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.kill();
    }
}

impl ProcessHandle for Held {
    fn block(&self) -> &Block {
        self.0.block()
    }

    fn report(&self) -> &Report {
        &self.0.report
    }

    fn kill(&self) {
        self.0.kill();
    }

    fn begin_question(&self) {
        let child = &self.0;
        child.questions.fetch_add(1, Ordering::Relaxed);
        child.unanswered.store(0, Ordering::Relaxed);
        let mut rest = child.rest();
        if *rest == Rest::Stopped {
            child.send(Signal::CONT);
        }
        *rest = Rest::Asked;
    }

    fn end_question(&self, at: i64, stop: bool) {
        let mut rest = self.0.rest();
        *rest = if stop { Rest::Stopped } else { Rest::Since(at) };
        if stop {
            self.0.send(Signal::STOP);
        }
    }

    fn plays(&self) {
        self.0.is_playing.store(true, Ordering::Relaxed);
    }

    fn take_unanswered(&self) -> Duration {
        Duration::from_nanos(self.0.unanswered.swap(0, Ordering::Relaxed))
    }

    fn may_be_unanswered(&self) -> bool {
        self.0.supervisor.get().is_some_and(|&thread| procfs::is_thread_ready(thread))
    }
}
