//! The supervisor: one thread for each core. It starts the processes of bots there, answers the kernel's questions about
//! their system calls, reads what they print, and reaps them. It takes no part in turns.
//!
//! It is the parent of its template and of all copies of that: they die with this thread. `events` is its loop, `orders` how
//! it has processes started, `bot` one of these as it holds it, and `questions` how it judges system calls.

mod bot;
mod events;
mod orders;
mod questions;

use super::clock::now_ns;
use super::memory::Pool;
use super::process::{Core, Handle, Process, Program};
use super::sandbox::Group;
use super::template::Kind;
use super::wire::Block;
use super::{BotFile, cores};
use crate::player::Printed;
use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Why a process is gone, or was never started, if its supervisor has ended first.
const ENDED: &str = "the thread that starts and reaps bots' processes has ended";

/// A supervisor. Dropping it ends all processes that it has started, and waits for each no longer than 200 ms.
pub(super) struct Supervisor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread shares with the workers.
struct Shared {
    /// Tells the thread that there are orders.
    bell: OwnedFd,
    /// The epoll that it waits with.
    poll: OwnedFd,
    orders: Mutex<Orders>,
    pool: Arc<Pool>,
    core: Arc<Core>,
}

#[derive(Default)]
struct Orders {
    new: Vec<Order>,
    /// The thread takes no more: the host is being dropped, or it has ended by itself.
    is_over: bool,
}

struct Order {
    process: Arc<Process>,
    block: Arc<OwnedFd>,
    /// None for a process that is only tried.
    library: Option<BotFile>,
    group: Option<Group>,
    /// When it was given, on the monotonic clock.
    at: i64,
    /// A template had this order before, and is gone.
    is_second_try: bool,
}

impl Supervisor {
    /// Starts the thread, which starts its template at once. `filters` counts the seccomp filters that were
    /// installed.
    pub(super) fn start(kind: Kind, program: Program, filters: Arc<AtomicU32>) -> io::Result<Supervisor> {
        Supervisor::running(move |shared| {
            kind.core.into_iter().for_each(cores::stay_on);
            shared.core.housekeeping.store(housekeeping_ns(), Ordering::Relaxed);
            shared.core.supervisor.store(rustix::thread::gettid().as_raw_pid(), Ordering::Relaxed);
            events::run(kind, program, &filters, shared);
        })
    }

    /// A supervisor whose thread calls `run`.
    fn running(run: impl FnOnce(&Shared) + Send + 'static) -> io::Result<Supervisor> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let shared = Arc::new(Shared {
            poll: events::poll(&bell)?,
            bell,
            orders: Mutex::default(),
            pool: Arc::default(),
            core: Arc::default(),
        });
        let ours = Arc::clone(&shared);
        let thread = Builder::new().name("supervisor".to_owned()).spawn(move || {
            let end = End(&ours);
            run(end.0);
        })?;
        Ok(Supervisor { shared, thread: Some(thread) })
    }

    /// Whether its thread has ended by itself: nothing can be started with it any more.
    pub(super) fn has_ended(&self) -> bool {
        self.shared.orders().is_over
    }

    /// Has a process started, and does not wait for it: its handle says what becomes of it. `prepare` is called
    /// first, to put the first request into its block.
    pub(super) fn launch(
        &self,
        library: Option<&BotFile>,
        group: Option<Group>,
        printed: Arc<Printed>,
        prepare: impl FnOnce(&Block),
    ) -> io::Result<Handle> {
        let pool = Arc::clone(&self.shared.pool);
        let (block, file) = pool.take()?;
        let kept = Arc::clone(&file);
        let keep = move |block| pool.give_back(block, kept);
        let process = Arc::new(Process::new(&self.shared.core, block, printed, keep));
        prepare(process.block());
        let handle = Handle(Arc::clone(&process));
        let (library, at) = (library.cloned(), now_ns());
        let order = Order { process, block: file, library, group, at, is_second_try: false };
        let mut orders = self.shared.orders();
        if orders.is_over {
            return Err(io::Error::other(ENDED));
        }
        orders.new.push(order);
        drop(orders);
        self.shared.ring();
        Ok(handle)
    }
}

/// Processor time that our own side of a bot's process may use between two questions: twenty times what the system calls
/// cost that it makes before it sleeps. That is little on most machines, but not on emulated ones.
fn housekeeping_ns() -> u64 {
    const CALLS: u32 = 22;
    const TIMES: u64 = 20;
    let before = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    (0..CALLS).for_each(|_| std::thread::yield_now());
    let after = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let took = (after.tv_sec - before.tv_sec) * 1_000_000_000 + (after.tv_nsec - before.tv_nsec) as i64;
    took.max(0).unsigned_abs() * TIMES
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.shared.orders().is_over = true;
        self.shared.ring();
        if let Some(thread) = self.thread.take() {
            // A panic of it has been reported when it happened.
            let _ = thread.join();
        }
    }
}

/// The end of the thread, also by a panic: it takes no more orders, and those that it has not taken fail.
struct End<'a>(&'a Shared);

impl Drop for End<'_> {
    fn drop(&mut self) {
        let mut orders = self.0.orders();
        orders.is_over = true;
        orders.new.clear();
    }
}

impl Shared {
    fn ring(&self) {
        // It fails only when the counter is full, and then the thread is about to read it.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
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
        let supervisor = Supervisor::running(|shared| {
            let mut bell = [PollFd::new(&shared.bell, PollFlags::IN)];
            poll(&mut bell, None).unwrap();
            panic!("as a test wants it");
        });
        let supervisor = supervisor.unwrap();
        let ordered = supervisor.launch(None, None, Arc::default(), |_| {}).unwrap();
        assert_eq!(ordered.pid_within(Duration::from_secs(60)), None);
        assert_eq!(ordered.start_problem().as_deref(), Some(ENDED));
        assert!(supervisor.has_ended());
        assert!(
            supervisor.launch(None, None, Arc::default(), |_| {}).is_err(),
            "and nobody waits for it any more"
        );
    }
}
