//! Threads that stand by for the next work of the thread that started them.
//!
//! Every child is kept by a thread of its own, and a game may last a few milliseconds. To make a thread and take it
//! down costs more than to wake one. Those that stand by run where their owner runs, and end when it ends.

use std::cell::RefCell;
use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::Builder;

/// What a thread is to do.
type Work = Box<dyn FnOnce() + Send>;
/// The threads of one owner that have nothing to do, the last to have finished last.
type Idle = Mutex<Vec<Sender<Work>>>;

thread_local! {
    static IDLE: RefCell<Arc<Idle>> = RefCell::default();
}

/// Has a thread do this: one that stands by, or a new one of this name.
///
/// # Errors
/// When the system has no room for another thread.
pub(super) fn run(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let idle = IDLE.with_borrow(Arc::clone);
    let mut work: Work = Box::new(work);
    loop {
        let Some(waiting) = lock(&idle).pop() else { break };
        match waiting.send(work) {
            Ok(()) => return Ok(()),
            Err(unsent) => work = unsent.0,
        }
    }
    let idle = Arc::downgrade(&idle);
    Builder::new().name(name.to_owned()).spawn(move || stand_by(work, &idle)).map(drop)
}

/// Works until the owner is gone.
fn stand_by(mut work: Work, owner: &Weak<Idle>) {
    loop {
        work();
        let (sender, next) = channel();
        match owner.upgrade() {
            Some(idle) => lock(&idle).push(sender),
            None => return,
        }
        match next.recv() {
            Ok(next) => work = next,
            Err(_) => return,
        }
    }
}

fn lock(idle: &Idle) -> MutexGuard<'_, Vec<Sender<Work>>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;
    use std::thread::ThreadId;
    use std::time::{Duration, Instant};

    /// The thread that does the work, once it has nothing more to do.
    fn worker() -> ThreadId {
        let (tell, told) = sync_channel(0);
        run("worker", move || tell.send(std::thread::current().id()).unwrap()).unwrap();
        told.recv().unwrap()
    }

    fn until_idle(count: usize) {
        let begun = Instant::now();
        while IDLE.with_borrow(|idle| lock(idle).len()) != count {
            assert!(begun.elapsed() < Duration::from_secs(60), "{count} threads shall stand by, and do not");
            std::thread::yield_now();
        }
    }

    #[test]
    fn who_has_finished_does_the_next_work_and_who_has_not_is_left_alone() {
        let first = worker();
        until_idle(1);
        let (release, held) = sync_channel::<()>(0);
        run("worker", move || held.recv().unwrap()).unwrap();
        let second = worker();
        assert_ne!(first, second, "the first thread has its hands full");
        release.send(()).unwrap();
        until_idle(2);
        assert!([first, second].contains(&worker()));
    }

    #[test]
    fn they_end_with_their_owner() {
        let (gone, ended) = sync_channel::<()>(1);
        std::thread::spawn(move || {
            thread_local!(static GUARD: RefCell<Option<std::sync::mpsc::SyncSender<()>>> = RefCell::default());
            run("worker", move || GUARD.set(Some(gone))).unwrap();
            until_idle(1);
        });
        assert!(ended.recv().is_err(), "dropped as the thread ends");
    }
}
