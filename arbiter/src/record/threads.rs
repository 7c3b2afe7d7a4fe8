//! Work on many games at once.

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
    let shares: Vec<Vec<T>> = (0..threads).map(|_| items.by_ref().take(share).collect()).collect();
    let work = &work;
    std::thread::scope(|scope| {
        let run = |share: Vec<T>| scope.spawn(move || share.into_iter().map(work).collect::<Vec<R>>());
        let running: Vec<_> = shares.into_iter().map(run).collect();
        let done =
            running.into_iter().map(|thread| thread.join().expect("nothing that is done with a game panics"));
        done.flatten().collect()
    })
}
