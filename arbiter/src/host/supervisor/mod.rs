//! The supervisor: one thread for each core. It starts the processes of bots there, answers the kernel's questions about
//! their system calls, reads what they print, and reaps them. It takes no part in turns.
//!
//! It is the parent of its template and of all copies of that: they die with this thread. `events` is what it does;
//! `questions` how it judges system calls; `child` what it shares with the referee of a game.

pub(super) mod child;
mod events;
mod questions;

use super::clock::now_ns;
use super::memory::Pool;
use super::program::Program;
use super::sandbox::Group;
use super::template::Kind;
use super::wire::{Block, Patience};
use super::{BotFile, cores};
use child::{Child, Held};
use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// A supervisor. Dropping it ends all processes that it has started, and waits for each no longer than 200 ms.
pub(super) struct Supervisor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread shares with the workers.
struct Shared {
    /// Tells the thread that there are orders.
    bell: OwnedFd,
    orders: Mutex<Orders>,
    pool: Arc<Pool>,
    /// What the last game has learnt about waiting on this core.
    patience: Mutex<Patience>,
    /// Processor time that our side of a bot's process needs between questions, in nanoseconds.
    housekeeping: AtomicU64,
}

#[derive(Default)]
struct Orders {
    new: Vec<Order>,
    is_over: bool,
}

/// A process that is to be started.
struct Order {
    child: Arc<Child>,
    /// None for a process that is only tried.
    library: Option<BotFile>,
    group: Option<Group>,
    /// When it was given, on the monotonic clock.
    at: i64,
    /// A template had this order before, and is gone.
    is_second_try: bool,
}

impl Supervisor {
    /// Starts the thread, which starts its template at once. `filters` counts the programs of the
    /// filter machine that the kernel was given.
    pub(super) fn start(kind: Kind, program: Program, filters: Arc<AtomicU32>) -> io::Result<Supervisor> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let shared = Arc::new(Shared {
            bell,
            orders: Mutex::default(),
            pool: Arc::default(),
            patience: Mutex::default(),
            housekeeping: AtomicU64::new(0),
        });
        let ours = Arc::clone(&shared);
        let run = move || {
            kind.core.into_iter().for_each(cores::stay_on);
            ours.housekeeping.store(housekeeping_ns(), Ordering::Relaxed);
            events::run(kind, program, &filters, &ours);
        };
        let thread = Builder::new().name("supervisor".to_owned()).spawn(run)?;
        Ok(Supervisor { shared, thread: Some(thread) })
    }

    /// Has a process started, and does not wait for it: what becomes of it is in its report. `prepare` is called before,
    /// with the block through which it will speak: what is put there is never waited for.
    pub(super) fn launch(
        &self,
        library: Option<&BotFile>,
        group: Option<Group>,
        prepare: impl FnOnce(&Block),
    ) -> io::Result<Held> {
        let child = Arc::new(Child::new(&self.shared.pool)?);
        prepare(child.block());
        let held = Held::new(Arc::clone(&child));
        let (library, at) = (library.cloned(), now_ns());
        let order = Order { child, library, group, at, is_second_try: false };
        self.shared.orders().new.push(order);
        self.shared.ring();
        Ok(held)
    }

    /// What is known of the core: how long to yield before sleeping, and how much processor time our side of a bot's
    /// process needs between questions.
    pub(super) fn known(&self) -> (Patience, Duration) {
        let patience = *self.shared.patience.lock().unwrap_or_else(PoisonError::into_inner);
        (patience, Duration::from_nanos(self.shared.housekeeping.load(Ordering::Relaxed)))
    }

    /// Stores what a game has learnt about the core.
    pub(super) fn learn(&self, patience: Patience) {
        *self.shared.patience.lock().unwrap_or_else(PoisonError::into_inner) = patience;
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

impl Shared {
    fn ring(&self) {
        // It fails only when the counter is full, and then the thread is about to read it.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
