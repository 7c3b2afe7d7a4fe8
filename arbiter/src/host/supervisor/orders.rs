//! Orders for processes, and the template that carries them out.

use super::bot::{Bot, Output, sender};
use super::events::{Events, TICK};
use super::notifications::Conduct;
use super::{ENDED, Order};
use crate::host::clock::{ProcessorClock, after, now_ns};
use crate::host::machine::is_full;
use crate::host::process::End;
use crate::host::template::{Handed, Started, Template};
use crate::host::{BotFile, procfs};
use rustix::fs::{Mode, OFlags, open};
use rustix::pipe::PipeFlags;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Where the system had no room for a process: how soon it is tried again, and for how long.
const TRY_AGAIN: Duration = Duration::from_millis(10);
const LONGEST_SHORTAGE: Duration = Duration::from_secs(2);

impl Order {
    /// Says why no process was started. The first reason counts.
    fn fail(&self, problem: &str) {
        self.process.end_for(End::NotStarted(problem.to_owned()));
        self.process.block().reply.mark_gone();
    }
}

impl Drop for Order {
    /// Tells the worker that its process will not come, also when a panic ends the supervisor.
    fn drop(&mut self) {
        if self.process.pid_within(Duration::ZERO).is_none() {
            self.fail(ENDED);
        }
    }
}

impl Events<'_> {
    /// Takes new orders. Returns true when the host is being dropped.
    pub(super) fn take_orders(&mut self) -> bool {
        let _ = rustix::io::read(&self.shared.bell, &mut [0; 8]);
        self.waiting.extend(self.orders.try_iter().map(|order| (order.at, order)));
        self.shared.is_over.load(Ordering::Relaxed)
    }

    pub(super) fn order(&mut self, order: Order) {
        if self.template.is_none()
            && let Err(error) = self.start_template()
        {
            return self.try_again_or_fail(order, &error);
        }
        let Some(template) = &self.template else { return };
        let sent = || -> io::Result<Output> {
            let bot = order.file.as_ref().map(BotFile::open).transpose().map_err(io::Error::other)?;
            let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
            rustix::fs::fcntl_setfl(&read, OFlags::NONBLOCK)?;
            // The bot shares its description of the pipe with nobody, not even with us.
            let path = format!("/proc/self/fd/{}", write.as_raw_fd());
            let ours = open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
            let block = order.process.block().as_fd();
            template.order(&Handed {
                block,
                library: bot.map_or(block, |bot| bot.library.copy.memory.as_fd()),
                payload: bot.and_then(|bot| bot.payload.as_ref()).map(|payload| payload.copy.memory.as_fd()),
                output: write.as_fd(),
                group: order.group.as_ref().map(|group| group.folder.as_fd()),
            })?;
            Ok(Output { read, _write: ours })
        };
        match sent() {
            Ok(output) => {
                if self.ordered.is_empty() {
                    self.silent_since = now_ns();
                }
                self.ordered.push_back((order, output));
                self.tick_at = self.tick_at.min(after(now_ns(), TICK));
            }
            Err(error) if is_full(&error) => self.try_again_or_fail(order, &error),
            Err(error) if is_hung_up(&error) => self.replace_template(Some(order), &error),
            Err(error) => order.fail(&error.to_string()),
        }
    }

    /// Starts a template. When that has just failed, later calls get the same error, for as long as the failed
    /// start took: otherwise many orders would wait for it one after another.
    pub(super) fn start_template(&mut self) -> io::Result<()> {
        let (begun, shared) = (now_ns(), self.shared);
        if let Some((until, problem)) = &self.failed
            && begun < *until
        {
            return Err(io::Error::other(problem.clone()));
        }
        let started =
            Template::start(&self.kind, &self.executable, || !shared.is_over.load(Ordering::Relaxed));
        let template = started.inspect_err(|error| {
            let now = now_ns();
            self.failed = (!is_full(error)).then(|| (now + (now - begun), error.to_string()));
        })?;
        if template.listener.is_some() {
            tracing::debug!(target: "arbiter::host", "filter installed");
        }
        self.template = Some(template);
        Ok(())
    }

    /// The template is gone, or does not answer: another one takes its place. The copies of the old one are ended, as
    /// failed by the machine: with its listener nobody would answer their calls any more. Orders that it had, and
    /// one that it could not be given, are given once more.
    pub(super) fn replace_template(&mut self, order: Option<Order>, error: &io::Error) {
        tracing::warn!(%error, "the template is replaced");
        self.silent_ticks = 0;
        let problem = format!("what its process was copied from is gone: {error}");
        for bot in self.bots.values() {
            bot.fail(&problem);
        }
        self.template = None;
        self.unnamed.clear();
        self.late.clear();
        let ordered = self.ordered.drain(..).map(|(order, _)| order).chain(order);
        for mut order in ordered {
            if std::mem::replace(&mut order.is_second_try, true) {
                order.fail(&error.to_string());
            } else {
                self.waiting.push((order.at, order));
            }
        }
    }

    /// Tries again later where there is no room for a process: bots that are about to end may still take it up.
    fn try_again_or_fail(&mut self, order: Order, error: &io::Error) {
        let now = now_ns();
        if is_full(error) && now < after(order.at, LONGEST_SHORTAGE) {
            self.waiting.push((after(now, TRY_AGAIN), order));
        } else {
            order.fail(&error.to_string());
        }
    }

    pub(super) fn hear_template(&mut self) {
        let Some(template) = &self.template else { return };
        match template.answer() {
            Ok(answer) => {
                (self.silent_since, self.silent_ticks) = (now_ns(), 0);
                let Some((order, output)) = self.ordered.pop_front() else { return };
                match answer {
                    Ok(started) => self.begin(order, output, started),
                    Err(error) => self.try_again_or_fail(order, &error),
                }
            }
            Err(error) => self.replace_template(None, &error),
        }
    }

    fn begin(&mut self, mut order: Order, output: Output, started: Started) {
        let Started { pid, process, first } = started;
        let (number, pidfd) = (self.next_bot, Arc::new(process));
        self.next_bot += 1;
        order.process.started(pid.as_raw_pid(), sender(Arc::clone(&pidfd)), self.listener().is_some());
        let own = if self.kind.isolation.namespaces { procfs::innermost_pid(pid) } else { None };
        let bot = Bot {
            process: Arc::clone(&order.process),
            pid,
            pidfd,
            first_pid: first.as_ref().and_then(|first| procfs::pid_of(first.as_fd()).ok()),
            first,
            group: order.group.take(),
            conduct: Conduct::of(pid, own.unwrap_or(pid.as_raw_pid()), self.kind.threads),
            output,
            read_cost: 0,
            clock: ProcessorClock::of(pid.as_raw_pid()),
            answered_at: Duration::ZERO,
            stopped: None,
        };
        self.bots.insert(number, bot);
        for notification in std::mem::take(&mut self.unnamed) {
            self.answer_or_keep(notification);
        }
    }
}

fn is_hung_up(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionRefused, ConnectionReset, NotConnected};
    matches!(error.kind(), BrokenPipe | ConnectionRefused | ConnectionReset | NotConnected)
}
