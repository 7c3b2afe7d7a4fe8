//! One bot's process, as the supervisor holds it.

use super::ENDED;
use super::notifications::Conduct;
use crate::host::clock::ProcessorClock;
use crate::host::process::{End, Process, Rest, SendSignal, Signal};
use crate::host::procfs;
use crate::host::sandbox::{Group, check};
use crate::host::template;
use rustix::process::{Pid, Resource};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

/// A process that was seen to be stopped and has used more processor time than this since then has gone on by itself.
const RAN_ON: Duration = Duration::from_millis(5);
/// How much processor time a process may use after it was told to stop, for each GiB that it may hold, until it stands still: the
/// kernel finishes a call first. One that gives back a GiB takes 0.06 s at 2.5 GHz.
const LAST_CALL_A_GIB: Duration = Duration::from_secs(1);
/// What makes a stopped process go on by itself.
const RUN_ON: &str = "timer_settime with SIGCONT";
/// The kernel compares its limit of processor time with what it has counted by ticks, which may be this far ahead.
const BY_TICKS: Duration = Duration::from_millis(500);

pub(super) struct Bot {
    pub(super) process: Arc<Process>,
    pub(super) pid: Pid,
    pub(super) pidfd: Arc<OwnedFd>,
    /// The process of ours that is the first in its namespace, where it has one.
    pub(super) first: Option<OwnedFd>,
    pub(super) first_pid: Option<Pid>,
    pub(super) group: Option<Group>,
    pub(super) conduct: Conduct,
    pub(super) output: Output,
    /// What reading its output has cost since the last tick, in bytes.
    pub(super) read_cost: usize,
    pub(super) clock: Option<ProcessorClock>,
    /// How long the supervisor had waited for a processor in all when a notification was answered last.
    pub(super) answered_at: Duration,
    /// None where it was not told to stop, or has not been seen since.
    pub(super) stopped: Option<Stopped>,
}

/// What has been seen of a process since it was told to stop.
#[derive(Clone, Copy)]
pub(super) struct Stopped {
    /// How many questions the referee had asked it by then.
    questions: u32,
    /// The processor time that it had used when it was last seen to have gone on, and before that when it stood still, or was
    /// first seen.
    used: Duration,
    has_stood_still: bool,
    has_gone_on: bool,
}

/// The pipe that a bot prints into. We keep the writing end too, so that its end alone wakes nobody.
pub(super) struct Output {
    pub(super) read: OwnedFd,
    pub(super) _write: OwnedFd,
}

/// What to read a few bytes costs, if a byte among many costs one.
const LEAST_COST: usize = 8 << 10;

impl Bot {
    /// Reads some of what it has printed. Says whether there was anything.
    pub(super) fn read_a_chunk(&mut self, buffer: &mut [u8]) -> bool {
        let length = rustix::io::read(&self.output.read, &mut *buffer).unwrap_or(0);
        self.read_cost += length.max(LEAST_COST);
        self.process.printed.add(&buffer[..length]);
        length > 0
    }

    /// A notification of it is answered. `before` is how long the supervisor had waited for a processor in all when the
    /// notification came, `now` how long it has by now.
    pub(super) fn answers(&mut self, before: Duration, now: Duration) {
        self.process.state().unanswered += now.saturating_sub(before.max(self.answered_at));
        self.answered_at = now;
    }

    /// Ends it for something that is not its fault.
    pub(super) fn fail(&self, problem: &str) {
        self.process.end_for(End::NotStarted(problem.to_owned()));
    }

    /// Takes the exit status of the process, if it is gone, and the most memory that it has held, in bytes.
    pub(super) fn reap(&self) -> Option<(End, u64)> {
        // It is read while the kernel still knows the process.
        let used = self.clock.as_ref().and_then(ProcessorClock::read);
        let most = rustix::process::getrlimit(Resource::Cpu).maximum.map(Duration::from_secs);
        let is_out_of_time = used.zip(most).is_some_and(|(used, most)| used + BY_TICKS >= most);
        match waited_for(&self.pidfd) {
            Ok(Some((End::Signal(libc::SIGKILL), held))) if is_out_of_time => {
                Some((End::OutOfProcessorTime, held))
            }
            Ok(gone) => gone,
            // The program that uses this library has reaped our child itself, in a signal handler.
            Err(_) => Some((End::Code(-1), 0)),
        }
    }

    /// Ends a process that holds more memory than it may. RLIMIT_DATA leaves out what the bot has made unwritable.
    pub(super) fn look_at_memory(&self, most: u64) {
        if procfs::private_memory(self.pid.as_raw_pid()).is_some_and(|held| held > most) {
            self.process.end_for(End::TooBig);
        }
    }

    /// Ends a process that goes on by itself after it was stopped. Only a timer that sends SIGCONT can do that, and no
    /// honest bot has one. Time that the machine took away from a thread while it stopped may look the same once, so it takes
    /// a second time. Where it has not been seen to stand still, timers may have taken back each stop before it came to that.
    /// `memory` is how much it may hold.
    pub(super) fn look_whether_it_stays_stopped(&mut self, memory: u64) {
        let moment = self.process.state().moment;
        let is_to_stand_still = moment.rest == Rest::Stopped;
        // What it uses until all of it stands still is no sign of anything, so that is looked at first.
        let stands_still = is_to_stand_still && procfs::is_stopped(self.pid);
        let used = self.clock.as_ref().and_then(ProcessorClock::read);
        // Between two looks it may have been asked something, and may have answered: what it used for that counts there.
        let is_same_rest = is_to_stand_still && self.process.state().moment == moment;
        let Some(used) = used.filter(|_| is_same_rest) else {
            self.stopped = None;
            return;
        };
        let questions = moment.questions;
        let first = Stopped { questions, used, has_stood_still: stands_still, has_gone_on: false };
        let stopped = self.stopped.get_or_insert(first);
        if stopped.questions != questions || (stands_still && !stopped.has_stood_still) {
            *stopped = first;
        }
        let ran_on = used.saturating_sub(stopped.used);
        // Work in the kernel is finished before a process stops.
        let last_call = LAST_CALL_A_GIB.mul_f64((memory as f64 / f64::from(1 << 30)).max(1.0));
        let most = if stopped.has_stood_still { RAN_ON } else { last_call };
        // What somebody ends, such as the kernel for want of memory, takes time to give back what it holds.
        if ran_on > most && !procfs::is_ending(self.pid) {
            if stopped.has_gone_on || !stopped.has_stood_still {
                self.process.end_for(End::Call(RUN_ON.to_owned()));
            }
            *stopped = Stopped { used, has_gone_on: true, ..*stopped };
        }
        if !stands_still {
            let state = self.process.state();
            if state.moment.rest == Rest::Stopped {
                state.send(Signal::STOP);
            }
        }
    }
}

impl Drop for Bot {
    /// Ends what still runs of it, and waits for that no longer than 200 ms.
    fn drop(&mut self) {
        if !self.process.state().is_gone {
            self.fail(ENDED);
            template::ends_within(&self.pidfd, Duration::from_millis(200));
            self.reap().into_iter().for_each(|(end, _)| self.process.ended(end));
        }
        self.process.block().reply.mark_gone();
        self.first.iter().for_each(|first| _ = template::end(first));
    }
}

/// Takes the exit status of a child that is gone, and the most memory that it has held, in bytes. None while it is there.
fn waited_for(child: &OwnedFd) -> io::Result<Option<(End, u64)>> {
    // SAFETY: both are numbers and null pointers.
    let (mut info, mut usage): (libc::siginfo_t, libc::rusage) = unsafe { std::mem::zeroed() };
    let options = libc::WEXITED | libc::WNOHANG;
    // SAFETY: the kernel writes into the two. The C library's `waitid` does not ask for the second.
    check(unsafe {
        let (info, usage) = (&raw mut info, &raw mut usage);
        libc::syscall(libc::SYS_waitid, libc::P_PIDFD, child.as_raw_fd(), info, options, usage)
    })?;
    // SAFETY: the kernel has told of a child, or left all zero.
    let (pid, status) = unsafe { (info.si_pid(), info.si_status()) };
    let end = if info.si_code == libc::CLD_EXITED { End::Code(status) } else { End::Signal(status) };
    Ok((pid != 0).then_some((end, usage.ru_maxrss.unsigned_abs() << 10)))
}

/// What sends signals to a process by its handle.
pub(super) fn sender(process: Arc<OwnedFd>) -> SendSignal {
    Box::new(move |signal| {
        // It fails only when the process is gone already.
        let _ = rustix::process::pidfd_send_signal(&*process, signal);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::memory::Mapping;
    use rustix::process::{PidfdFlags, kill_process, pidfd_open};
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    /// The kernel would otherwise make a cheat of an honest bot that it ends while it rests, on a machine without memory.
    #[test]
    fn a_bot_that_is_killed_while_it_is_stopped_does_not_run_on() {
        // It holds this memory until what it has written is read.
        let mut child = Command::new("dd");
        child.args(["if=/dev/zero", "bs=512M", "count=1"]).stdout(Stdio::piped()).stderr(Stdio::null());
        #[expect(clippy::zombie_processes, reason = "it is reaped below by its handle")]
        let mut child = child.spawn().unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let pid = Pid::from_child(&child);
        let (block, _name) = Mapping::named().unwrap();
        let process = Arc::new(Process::new(&Arc::default(), block, Arc::default()));
        let pidfd = Arc::new(pidfd_open(pid, PidfdFlags::empty()).unwrap());
        process.started(pid.as_raw_pid(), sender(Arc::clone(&pidfd)), false);
        process.end_question(0, true);
        let (read, write) = rustix::pipe::pipe().unwrap();
        let mut bot = Bot {
            process: Arc::clone(&process),
            pid,
            pidfd: Arc::clone(&pidfd),
            first: None,
            first_pid: None,
            group: None,
            conduct: Conduct::of(pid, pid.as_raw_pid(), 1),
            output: Output { read, _write: write },
            read_cost: 0,
            clock: ProcessorClock::of(pid.as_raw_pid()),
            answered_at: Duration::ZERO,
            stopped: None,
        };
        let begun = Instant::now();
        while !bot.stopped.is_some_and(|stopped| stopped.has_stood_still) {
            bot.look_whether_it_stays_stopped(1 << 30);
            assert!(begun.elapsed() < Duration::from_secs(60), "it does not stop");
        }
        kill_process(pid, Signal::KILL).unwrap();
        let (end, held) = loop {
            if let Some(gone) = bot.reap() {
                break gone;
            }
            bot.look_whether_it_stays_stopped(1 << 30);
        };
        assert_eq!(end, End::Signal(libc::SIGKILL));
        assert!(held >= 512 << 20, "it has held {held} bytes");
        assert_eq!(process.state().end, None);
    }
}
