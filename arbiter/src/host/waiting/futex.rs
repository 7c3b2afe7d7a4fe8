//! Waiting on a futex: the kernel wakes the side that sleeps on a word of shared memory.

use crate::host::clock::NEVER;
use rustix::thread::futex;
use rustix::time::Timespec;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicU32;

/// Sleeps while a word has this value, until a wake or a point in time. It may also return for no reason.
pub(in super::super) fn sleep_while(word: &AtomicU32, value: u32, until_ns: i64) {
    let until = Timespec { tv_sec: until_ns / 1_000_000_000, tv_nsec: (until_ns % 1_000_000_000) as _ };
    let until = (until_ns != NEVER).then_some(&until);
    // Whatever ends the sleep, the caller looks at the word again.
    let _ = futex::wait_bitset(word, futex::Flags::empty(), value, until, NonZeroU32::MAX);
}

/// Wakes everybody who sleeps on a word.
pub(in super::super) fn wake(word: &AtomicU32) {
    // Waking fails only for addresses that are no memory.
    let _ = futex::wake(word, futex::Flags::empty(), i32::MAX as u32);
}
