//! How one process waits until another writes into the memory that they share: on Linux by a futex, elsewhere by looking
//! again and again.

#[cfg(not(target_os = "linux"))]
pub(super) use naps::sleep_while;
use std::sync::atomic::AtomicU32;

/// Sleeps while a word has this value, until a wake or a point in time. It may also return for no reason.
#[cfg(target_os = "linux")]
pub(super) fn sleep_while(word: &AtomicU32, value: u32, until_ns: i64) {
    use rustix::{thread::futex, time::Timespec};
    let until = Timespec { tv_sec: until_ns / 1_000_000_000, tv_nsec: (until_ns % 1_000_000_000) as _ };
    let until = (until_ns != super::clock::NEVER).then_some(&until);
    // Whatever ends the sleep, the caller looks at the word again.
    let _ = futex::wait_bitset(word, futex::Flags::empty(), value, until, std::num::NonZeroU32::MAX);
}

/// Wakes everybody who sleeps on a word. Where there is no futex, whoever waits looks by itself.
pub(super) fn wake(word: &AtomicU32) {
    // Waking fails only for addresses that are no memory.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::futex::wake(word, rustix::thread::futex::Flags::empty(), i32::MAX as u32);
    #[cfg(not(target_os = "linux"))]
    let _ = word;
}

/// Others may run a few times before the first nap. Naps grow with the time that has been waited: what is waited for is
/// seen an eighth later than it came, and never more than [`LONGEST_NAP`]. A bot that waits for its opponent costs its
/// core about 3 % (measured with Linux's naps), and 8 % under Wine.
#[cfg(any(test, not(target_os = "linux")))]
mod naps {
    use crate::host::clock::now_ns;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    /// How often others may run before the first nap, which is longer than most turns of a simple bot.
    const YIELDS: u32 = 20;
    /// A shorter nap would cost more than it saves.
    const SHORTEST_NAP: i64 = 20_000;
    /// How late a reply may be seen, in nanoseconds. The margin of a clock is several times that.
    const LONGEST_NAP: i64 = 1_000_000;

    /// Sleeps while a word has this value, until a point in time at most.
    pub(in crate::host) fn sleep_while(word: &AtomicU32, value: u32, until_ns: i64) {
        for _ in 0..YIELDS {
            if word.load(Ordering::SeqCst) != value {
                return;
            }
            std::thread::yield_now();
        }
        let start = now_ns();
        let mut now = start;
        while word.load(Ordering::SeqCst) == value && now < until_ns {
            let nap = ((now - start) / 8).clamp(SHORTEST_NAP, LONGEST_NAP);
            std::thread::sleep(Duration::from_nanos(nap.min(until_ns - now).unsigned_abs()));
            now = now_ns();
        }
    }

    #[test]
    fn a_sleeper_sees_what_another_thread_writes_and_a_point_in_time_ends_its_sleep() {
        let word = AtomicU32::new(1);
        std::thread::scope(|scope| {
            scope.spawn(|| sleep_while(&word, 1, crate::host::clock::NEVER));
            word.store(2, Ordering::SeqCst);
        });
        let until = now_ns() + 3_000_000;
        sleep_while(&word, 2, until);
        assert!(now_ns() >= until, "it woke before its time without a reason");
    }
}
