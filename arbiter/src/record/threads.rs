//! Work on many games at once.

use parking_lot::Mutex;
use std::thread::Builder;

/// Fewer things are done by one thread.
const WORTH_THREADS: usize = 8;
/// More threads would wait for the one that reads.
const MOST_THREADS: usize = 16;

/// Does the same with many things, on all cores, and keeps their order.
pub fn in_threads<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    if items.len() < WORTH_THREADS || threads < 2 {
        return items.into_iter().map(work).collect();
    }
    let share = items.len().div_ceil(threads);
    let mut items = items.into_iter();
    let shares: Vec<_> =
        (0..threads).map(|_| Mutex::new(items.by_ref().take(share).collect::<Vec<T>>())).collect();
    let do_share = &|share: &Mutex<Vec<T>>| -> Vec<R> {
        let items = std::mem::take(&mut *share.lock());
        items.into_iter().map(&work).collect()
    };
    std::thread::scope(|scope| {
        let begin = |share| Builder::new().spawn_scoped(scope, move || do_share(share));
        let running: Vec<_> = shares.iter().map(begin).collect();
        let done = shares.iter().zip(running).flat_map(|(share, thread)| match thread {
            Ok(thread) => thread.join().expect("nothing that is done with a game panics"),
            // The system gives no more threads.
            Err(_) => do_share(share),
        });
        done.collect()
    })
}
