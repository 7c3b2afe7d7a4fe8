//! The supervisor: one thread for each core, and for each [`Kind`] of template there. It starts the processes of bots, answers
//! the kernel's notifications of their system calls, reads what they print, and reaps them. It takes no part in turns.
//!
//! It is the parent of its template and of all copies of that: they die with this thread. `events` is its loop, `orders` how
//! it has processes started, `bot` one of these as it holds it, and `notifications` how it judges system calls.

mod bot;
mod events;
mod notifications;
mod orders;

use super::clock::now_ns;
use super::executable::Executable;
use super::process::{Core, End, Handle, Process};
use super::sandbox::{Group, Groups, guard_referee};
use super::template::{self, Kind};
use super::wire::{self, Block, Part};
use super::{BotCommand, BotFile, Isolation, Limits, cores, procfs};
use crate::player::Printed;
use parking_lot::Mutex;
use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Why a process is gone, or was never started, if its supervisor has ended first.
const ENDED: &str = "the thread that starts and reaps bots' processes has ended";

/// The supervisors of a host, made as they are needed.
pub(super) struct Supervisors {
    executable: Executable,
    known: Mutex<Vec<(Kind, Arc<Supervisor>)>>,
    groups: Groups,
}

impl Supervisors {
    pub(super) fn new(executable: Executable) -> Supervisors {
        Supervisors { executable, known: Mutex::default(), groups: Groups::default() }
    }

    pub(super) fn launch(&self, command: &BotCommand, prepare: impl FnOnce(&Block)) -> io::Result<Handle> {
        self.launch_copy(of_command(command), Some(&command.file), command.printed(), prepare)
    }

    /// Starts a process and sends it a request that it cannot read, so that it ends at once.
    pub(super) fn try_process(&self, isolation: Isolation) -> io::Result<()> {
        const LONGEST: Duration = Duration::from_millis(2500);
        if procfs::stuck_workers().is_some() {
            return Err(template::does_not_answer());
        }
        let limits = Limits { isolation, ..Limits::default() };
        let nonsense = |block: &Block| block.request.put(wire::next(0), &[], Part::Last);
        let tried = self.launch_copy(Kind::of(&limits, None, None), None, Arc::default(), nonsense)?;
        if !tried.is_gone_within(LONGEST) {
            return Err(template::does_not_answer());
        }
        let end = tried.state().end.clone();
        if let Some(End::NotStarted(problem)) = end { Err(io::Error::other(problem)) } else { Ok(()) }
    }

    /// Starts the supervisor of a bot's core, and with that its template, before the bot is launched. It begins on a core
    /// where there is less to do.
    pub(super) fn warm_up(&self, command: &BotCommand, begin_on: Option<usize>) {
        if command.limits.sandbox.is_contained() {
            // If it fails, the launch will say so.
            let _ = self.beginning_on(begin_on, of_command(command));
        }
    }

    /// Starts a copy of a template of this kind, for the bot of this file where there is one.
    fn launch_copy(
        &self,
        kind: Kind,
        file: Option<&BotFile>,
        printed: Arc<Printed>,
        prepare: impl FnOnce(&Block),
    ) -> io::Result<Handle> {
        let limited = kind.isolation.cgroup.then(|| self.groups.make(kind.memory, kind.threads));
        let group = limited.transpose()?;
        self.beginning_on(kind.core, kind)?.launch(file, group, printed, prepare)
    }

    fn beginning_on(&self, begin_on: Option<usize>, kind: Kind) -> io::Result<Arc<Supervisor>> {
        guard_referee();
        let mut known = self.known.lock();
        known.retain(|(_, supervisor)| !supervisor.has_ended());
        if let Some((_, supervisor)) = known.iter().find(|(known, _)| *known == kind) {
            return Ok(Arc::clone(supervisor));
        }
        let supervisor = Arc::new(Supervisor::start(begin_on, kind.clone(), self.executable.clone())?);
        known.push((kind, Arc::clone(&supervisor)));
        Ok(supervisor)
    }
}

/// What kind of template a bot needs. Errors in its files are reported by `Host::start`.
fn of_command(command: &BotCommand) -> Kind {
    let bridge = command.file.bridge().ok().flatten();
    Kind::of(&command.limits, command.core, bridge.map(|bridge| bridge.found.reads.clone()))
}

/// A supervisor. Dropping it ends all processes that it has started, and waits for each no longer than 200 ms.
pub(super) struct Supervisor {
    shared: Arc<Shared>,
    orders: Sender<Order>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread shares with the workers.
struct Shared {
    /// Tells the thread that there are orders, or that it is over.
    bell: OwnedFd,
    /// The host is being dropped.
    is_over: AtomicBool,
    core: Arc<Core>,
}

struct Order {
    process: Arc<Process>,
    /// None for a process that is only tried.
    file: Option<BotFile>,
    group: Option<Group>,
    /// When it was given, on the monotonic clock.
    at: i64,
    /// A template had this order before, and is gone.
    is_second_try: bool,
}

impl Supervisor {
    /// Starts the thread, which starts its template at once.
    fn start(begin_on: Option<usize>, kind: Kind, executable: Executable) -> io::Result<Supervisor> {
        Supervisor::running(move |shared, orders| {
            // Where its bots may run anywhere, so may it.
            begin_on.filter(|_| kind.core.is_some()).into_iter().for_each(cores::stay_on);
            shared.core.supervisor.store(rustix::thread::gettid().as_raw_pid(), Ordering::Relaxed);
            events::run(kind, executable, shared, orders);
        })
    }

    /// A supervisor whose thread calls `run`.
    fn running(run: impl FnOnce(&Shared, Receiver<Order>) + Send + 'static) -> io::Result<Supervisor> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let shared = Arc::new(Shared { bell, is_over: AtomicBool::new(false), core: Arc::default() });
        let (ours, (orders, given)) = (Arc::clone(&shared), channel());
        let thread = Builder::new().name("supervisor".to_owned()).spawn(move || run(&ours, given))?;
        Ok(Supervisor { shared, orders, thread: Some(thread) })
    }

    /// Whether its thread has ended by itself: nothing can be started with it any more.
    fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Has a process started, and does not wait for it: its handle says what becomes of it. `prepare` is called
    /// first, to put the first request into its block.
    pub(super) fn launch(
        &self,
        file: Option<&BotFile>,
        group: Option<Group>,
        printed: Arc<Printed>,
        prepare: impl FnOnce(&Block),
    ) -> io::Result<Handle> {
        let core = &self.shared.core;
        let process = Arc::new(Process::new(core, core.pool.take()?, printed));
        prepare(process.block());
        let handle = Handle(Arc::clone(&process));
        let order = Order { process, file: file.cloned(), group, at: now_ns(), is_second_try: false };
        // A thread that has ended takes no more, and those that it has not taken fail.
        self.orders.send(order).map_err(|_| io::Error::other(ENDED))?;
        self.shared.ring();
        Ok(handle)
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        self.shared.ring();
        if let Some(thread) = self.thread.take() {
            // A panic of it has been reported when it happened.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn ring(&self) {
        // It fails only when the counter is full, and then the thread is about to read it.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, poll};
    use std::time::Duration;

    /// Otherwise a bug of ours would make a match hang.
    #[test]
    fn a_worker_that_waits_for_a_supervisor_that_panics_is_told_at_once() {
        let supervisor = Supervisor::running(|shared, _orders| {
            let mut bell = [PollFd::new(&shared.bell, PollFlags::IN)];
            poll(&mut bell, None).unwrap();
            panic!("as a test wants it");
        });
        let supervisor = supervisor.unwrap();
        let ordered = supervisor.launch(None, None, Arc::default(), |_| {}).unwrap();
        assert_eq!(ordered.pid_within(Duration::from_secs(60)), None);
        assert_eq!(ordered.state().end, Some(End::NotStarted(ENDED.to_owned())));
        assert!(
            supervisor.launch(None, None, Arc::default(), |_| {}).is_err(),
            "and nobody waits for it any more"
        );
    }
}
