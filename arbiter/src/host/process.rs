//! A bot's process as the referee knows it, whether it is contained or plain.

use super::sandbox::Call;
use super::wire::Block;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How much of the end of a bot's output is kept.
const KEPT_OUTPUT: usize = 8 << 10;

/// A handle on a bot's process. Dropping it sends the kill, and does not wait.
pub(super) trait ProcessHandle: Send + Sync {
    /// The shared block.
    fn block(&self) -> &Block;

    /// What has been found out about the process.
    fn report(&self) -> &Report;

    /// Ends the process, whatever it is doing. Does not wait until it is gone.
    fn kill(&self);

    /// The bot is asked something: lets the process go on if it was stopped.
    fn begin_question(&self);

    /// The bot has answered at this point in time: its process may be stopped from now on, and is at once where that
    /// is wanted.
    fn end_question(&self, at: i64, stop: bool);

    /// The bot is loaded.
    fn plays(&self) {}

    /// How long system calls of the bot waited for their answers because the supervisor waited for a processor: since
    /// the question began, or since this was called last.
    fn take_unanswered(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether a system call of the bot may be waiting for that at this moment.
    fn may_be_unanswered(&self) -> bool {
        false
    }
}

/// What is found out about a process as it starts, runs and ends.
#[derive(Debug, Default)]
pub(super) struct Report {
    found: Mutex<Found>,
    changed: Condvar,
    /// It has ended, or never began.
    is_over: AtomicBool,
}

#[derive(Debug, Default)]
struct Found {
    pid: Option<i32>,
    not_started: Option<String>,
    exit: Option<Exit>,
    forbidden: Option<Call>,
    out_of_memory: bool,
    ran_on: bool,
    is_heard: bool,
    has_passed_the_gate: bool,
    output: Output,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal, or by what the system has in its place.
    Signal(i32),
}

/// Why a process was ended for something that it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndedFor {
    /// A forbidden system call.
    Call(Call),
    /// It held more memory than it may.
    Memory,
    /// It did not stay stopped.
    RunningOn,
}

impl Report {
    /// The process runs, and has this number. `is_heard` says whether the supervisor is told of its system calls.
    pub(super) fn started(&self, pid: i32, is_heard: bool) {
        let mut found = self.found();
        (found.pid, found.is_heard) = (Some(pid), is_heard);
        drop(found);
        self.changed.notify_all();
    }

    /// No process could be started for it.
    #[cfg(target_os = "linux")]
    pub(super) fn not_started(&self, problem: String) {
        self.found().not_started.get_or_insert(problem);
        self.over();
    }

    /// The process is gone and its output read. The first call counts.
    pub(super) fn ended(&self, exit: Exit) {
        self.found().exit.get_or_insert(exit);
        self.over();
    }

    fn over(&self) {
        self.is_over.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// The process is being ended for a forbidden call. The first one counts.
    #[cfg(target_os = "linux")]
    pub(super) fn forbid(&self, call: Call) {
        self.found().forbidden.get_or_insert(call);
    }

    /// The process is being ended because of its memory.
    #[cfg(any(test, target_os = "linux", windows))]
    pub(super) fn out_of_memory(&self) {
        self.found().out_of_memory = true;
    }

    /// The process is being ended because it did not stay stopped.
    #[cfg(target_os = "linux")]
    pub(super) fn ran_on(&self) {
        self.found().ran_on = true;
    }

    /// From here on the process runs the bot's code too.
    #[cfg(target_os = "linux")]
    pub(super) fn passed_the_gate(&self) {
        self.found().has_passed_the_gate = true;
    }

    /// Whether it is known that the process has run nothing but our own code.
    pub(super) fn has_run_our_code_only(&self) -> bool {
        let found = self.found();
        found.is_heard && !found.has_passed_the_gate
    }

    /// It has printed something.
    pub(super) fn printed(&self, bytes: &[u8]) {
        self.found().output.add(bytes);
    }

    /// The number of the process, once it has one; waits for that no longer than this.
    pub(super) fn pid_within(&self, limit: Duration) -> Option<i32> {
        self.wait(limit, |found| found.pid.is_some() || found.not_started.is_some()).pid
    }

    /// Why no process could be started, if that is so.
    pub(super) fn start_problem(&self) -> Option<String> {
        if self.is_over.load(Ordering::Acquire) { self.found().not_started.clone() } else { None }
    }

    /// How the process ended, once it is gone and its output read.
    pub(super) fn exit(&self) -> Option<Exit> {
        if self.is_over.load(Ordering::Acquire) { self.found().exit } else { None }
    }

    /// The same, waited for no longer than this.
    pub(super) fn exit_within(&self, limit: Duration) -> Option<Exit> {
        self.wait(limit, |found| found.exit.is_some() || found.not_started.is_some()).exit
    }

    /// What it was ended for, if it was. That comes before anything else that is seen of the process.
    pub(super) fn ended_for(&self) -> Option<EndedFor> {
        let found = self.found();
        if let Some(call) = found.forbidden {
            return Some(EndedFor::Call(call));
        }
        match (found.ran_on, found.out_of_memory) {
            (true, _) => Some(EndedFor::RunningOn),
            (false, true) => Some(EndedFor::Memory),
            (false, false) => None,
        }
    }

    /// Whether the supervisor hears of forbidden system calls.
    pub(super) fn is_heard(&self) -> bool {
        self.found().is_heard
    }

    /// The end of what it printed so far, and how many bytes that was in all.
    pub(super) fn output(&self) -> (Vec<u8>, u64) {
        let output = &self.found().output;
        (output.tail.iter().copied().collect(), output.total)
    }

    fn wait(&self, limit: Duration, is_known: impl Fn(&Found) -> bool) -> MutexGuard<'_, Found> {
        let waited = self.changed.wait_timeout_while(self.found(), limit, |found| !is_known(found));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a bot has printed.
#[derive(Debug, Default)]
struct Output {
    tail: VecDeque<u8>,
    total: u64,
}

impl Output {
    fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        self.tail.extend(&bytes[bytes.len().saturating_sub(KEPT_OUTPUT)..]);
        self.tail.drain(..self.tail.len().saturating_sub(KEPT_OUTPUT));
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

    #[test]
    fn a_process_that_never_ends_is_not_waited_for_without_a_limit() {
        let report = Report::default();
        assert_eq!(report.exit_within(Duration::from_millis(1)), None);
        assert_eq!(report.pid_within(Duration::from_millis(1)), None);
        report.ended(Exit::Code(3));
        assert_eq!(report.exit_within(Duration::from_secs(60)), Some(Exit::Code(3)));
    }
}
