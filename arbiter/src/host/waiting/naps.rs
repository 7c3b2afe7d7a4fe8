//! Waiting by looking again and again, for systems on which no word of shared memory wakes anybody.
//!
//! Others may run a few times first. Naps grow with the time that has been waited: what is waited for is seen an eighth later than it came, and never
//! more than [`LONGEST_NAP`]. A bot that waits for its opponent costs its core about 3 % (measured with Linux's
//! naps), and 8 % under Wine.

use crate::host::clock::now_ns;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{sleep, yield_now};
use std::time::Duration;

/// How often others may run before the first nap, which is longer than most turns of a simple bot.
const YIELDS: u32 = 20;
/// A shorter nap would cost more than it saves.
const SHORTEST_NAP: i64 = 20_000;
/// How late a reply may be seen, in nanoseconds. The margin of a clock is several times that.
const LONGEST_NAP: i64 = 1_000_000;

/// Sleeps while a word has this value, until a point in time at most.
pub(in super::super) fn sleep_while(word: &AtomicU32, value: u32, until_ns: i64) {
    for _ in 0..YIELDS {
        if word.load(Ordering::SeqCst) != value {
            return;
        }
        yield_now();
    }
    let start = now_ns();
    let mut now = start;
    while word.load(Ordering::SeqCst) == value && now < until_ns {
        let nap = ((now - start) / 8).clamp(SHORTEST_NAP, LONGEST_NAP);
        sleep(Duration::from_nanos(nap.min(until_ns - now).unsigned_abs()));
        now = now_ns();
    }
}

/// Does nothing: the side that waits looks by itself.
pub(in super::super) fn wake(_word: &AtomicU32) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::clock::NEVER;

    #[test]
    fn a_sleeper_sees_what_another_thread_writes_and_a_point_in_time_ends_its_sleep() {
        let word = AtomicU32::new(1);
        std::thread::scope(|scope| {
            scope.spawn(|| sleep_while(&word, 1, NEVER));
            word.store(2, Ordering::SeqCst);
            wake(&word);
        });
        let until = now_ns() + 3_000_000;
        sleep_while(&word, 2, until);
        assert!(now_ns() >= until, "it woke before its time without a reason");
    }
}
