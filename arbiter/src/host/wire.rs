//! The shared block of memory through which the referee and one bot's process talk.
//!
//! The block holds one lane for each direction and a few numbers beside them. Everything in it is atomic, since the other
//! side may write at any moment; whoever reads a message copies it once and looks only at the copy. Nothing that the
//! referee relies on is kept here.
//!
//! A message is a part or several: `sequence` counts parts, and is the word that the reader of the lane waits on.
//! The answer to a part that is not the last is empty.

use super::clock::{NEVER, now_ns};
use super::futex::{sleep_while, wake};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How often the referee lets others run before it sleeps: enough for a bot that answers at once on the same core,
/// little beside the 30 µs that waking an idle core costs.
const YIELDS: u32 = 20;
/// If a yield takes longer than this, another program is busy on the core, and sleeping is better.
const LONG_YIELD_NS: i64 = 20_000;
/// Set in a reply lane's sequence when the process is gone.
const GONE: u32 = 1 << 31;

#[repr(C)]
pub(super) struct Block {
    /// From the referee to the bot's process.
    pub(super) request: Lane<8192>,
    /// From the bot's process to the referee.
    pub(super) reply: Lane<4096>,
    /// The stop level in its two lowest bits, the number of the turn above; a futex for bots that sleep.
    pub(super) stop: AtomicU32,
    /// The sequence of the last request that the child has begun to serve.
    pub(super) serving: AtomicU32,
    /// How the process crashed, in the child's own words.
    pub(super) last_words: LastWords,
}

/// What the signal handlers of the child leave behind. A bot may scribble here; it only spoils its own report.
#[repr(C)]
pub(super) struct LastWords {
    /// The signal, or 0.
    pub(super) signal: AtomicU32,
    /// 1 where `address` means something.
    pub(super) has_address: AtomicU32,
    /// 1 when the system had refused the process memory, and that explains the signal.
    pub(super) memory_refused: AtomicU32,
    /// The number of a forbidden system call.
    pub(super) forbidden: AtomicU32,
    /// The architecture that gives the number its meaning; 0 where there was no such call.
    pub(super) forbidden_arch: AtomicU32,
    /// The address of a bad memory access.
    pub(super) address: AtomicU64,
}

/// One direction of the conversation, on cache lines of its own.
#[repr(C, align(64))]
pub(super) struct Lane<const WORDS: usize> {
    sequence: AtomicU32,
    sleeping: AtomicU32,
    length: AtomicU32,
    more: AtomicU32,
    words: [AtomicU64; WORDS],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Last,
    More,
}

/// Whether the referee yields before it sleeps, by what it has learnt about its core.
///
/// A thread that yields goes to the end of the run queue. Beside a program that is always busy that costs milliseconds
/// each time, while sleeping costs microseconds. So the more often a yield took long, the longer none is tried.
///
/// Bots always sleep. The kernel (6.18) charges a thread that yields with a whole slice: a bot that yields while it
/// waits is in debt when its turn comes, and the referee, whose slices are shorter, yields in vain.
#[derive(Debug, Default)]
pub(super) struct BackOff {
    /// Waits until the next trial.
    skipped: AtomicU32,
    /// Waits to be left out when it goes wrong the next time.
    penalty: AtomicU32,
}

impl BackOff {
    /// Most waits until the next trial.
    const LONGEST: u32 = 4096;

    fn skips_this_wait(&self) -> bool {
        let skipped = self.skipped.load(Ordering::Relaxed);
        self.skipped.store(skipped.saturating_sub(1), Ordering::Relaxed);
        skipped > 0
    }

    fn paid_off(&self) {
        self.penalty.store(self.penalty.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
    }

    fn was_in_vain(&self) {
        let penalty = (self.penalty.load(Ordering::Relaxed) * 2).clamp(1, BackOff::LONGEST);
        self.penalty.store(penalty, Ordering::Relaxed);
        self.skipped.store(penalty, Ordering::Relaxed);
    }
}

/// What a look at a lane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Here,
    NotYet,
    /// The other process is gone, and has not sent it.
    Gone,
    /// The number makes no sense.
    OutOfStep,
}

impl<const WORDS: usize> Lane<WORDS> {
    pub(super) const CAPACITY: usize = WORDS * 8;

    /// Puts a part into the lane and wakes the reader if it sleeps.
    ///
    /// # Panics
    /// When the part is longer than the lane.
    pub(super) fn put(&self, sequence: u32, bytes: &[u8], part: Part) {
        assert!(bytes.len() <= Self::CAPACITY, "a part must fit into its lane");
        let (whole, rest) = bytes.as_chunks();
        let mut padded = [0; 8];
        padded[..rest.len()].copy_from_slice(rest);
        for (word, chunk) in self.words.iter().zip(whole.iter().chain([&padded])) {
            word.store(u64::from_ne_bytes(*chunk), Ordering::Relaxed);
        }
        self.length.store(bytes.len() as u32, Ordering::Relaxed);
        self.more.store(u32::from(part == Part::More), Ordering::Relaxed);
        self.sequence.store(sequence, Ordering::SeqCst);
        if self.sleeping.load(Ordering::SeqCst) != 0 {
            wake(&self.sequence);
        }
    }

    /// Appends a copy of the part that is in the lane.
    pub(super) fn take(&self, into: &mut Vec<u8>) -> Part {
        let length = (self.length.load(Ordering::Relaxed) as usize).min(Self::CAPACITY);
        let (start, words) = (into.len(), length.div_ceil(8));
        into.resize(start + 8 * words, 0);
        for (chunk, word) in into[start..].as_chunks_mut().0.iter_mut().zip(&self.words) {
            *chunk = word.load(Ordering::Relaxed).to_ne_bytes();
        }
        into.truncate(start + length);
        if self.more.load(Ordering::Relaxed) == 0 { Part::Last } else { Part::More }
    }

    /// Whether the part with this number has come after the one before it.
    pub(super) fn look(&self, expected: u32) -> Seen {
        let sequence = self.sequence.load(Ordering::Acquire);
        match sequence & !GONE {
            number if number == expected => Seen::Here,
            number if number != previous(expected) => Seen::OutOfStep,
            _ if sequence & GONE != 0 => Seen::Gone,
            _ => Seen::NotYet,
        }
    }

    /// Waits until the lane has something else to show than [`Seen::NotYet`], or until a point in time. It lets others run
    /// for a while before it sleeps.
    pub(super) fn wait(&self, expected: u32, until_ns: i64, back_off: &BackOff) -> Seen {
        self.yield_for(expected, back_off).unwrap_or_else(|| self.sleep(expected, until_ns))
    }

    /// Sleeps until the lane has something else to show than [`Seen::NotYet`], or until a point in time. Without one no clock is
    /// read, and the kernel sets none.
    pub(super) fn sleep(&self, expected: u32, until_ns: i64) -> Seen {
        self.sleeping.store(1, Ordering::SeqCst);
        let seen = loop {
            let seen = self.look(expected);
            if seen != Seen::NotYet || (until_ns != NEVER && now_ns() >= until_ns) {
                break seen;
            }
            sleep_while(&self.sequence, previous(expected), until_ns);
        };
        self.sleeping.store(0, Ordering::Relaxed);
        seen
    }

    fn yield_for(&self, expected: u32, back_off: &BackOff) -> Option<Seen> {
        if back_off.skips_this_wait() {
            return None;
        }
        let mut last = None;
        for _ in 0..YIELDS {
            let seen = self.look(expected);
            if seen != Seen::NotYet {
                back_off.paid_off();
                return Some(seen);
            }
            let before = last.unwrap_or_else(now_ns);
            std::thread::yield_now();
            let now = now_ns();
            if now - before > LONG_YIELD_NS {
                back_off.was_in_vain();
                return None;
            }
            last = Some(now);
        }
        None
    }

    /// Marks the process on the other side as gone and wakes the reader. Parts that it sent stay.
    pub(super) fn mark_gone(&self) {
        self.sequence.fetch_or(GONE, Ordering::SeqCst);
        wake(&self.sequence);
    }
}

pub(super) fn next(sequence: u32) -> u32 {
    (sequence + 1) & !GONE
}

fn previous(sequence: u32) -> u32 {
    sequence.wrapping_sub(1) & !GONE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::memory::Mapping;

    #[test]
    fn the_last_answer_of_a_process_that_is_gone_still_counts() {
        let (block, _name) = Mapping::named().unwrap();
        block.reply.put(1, b"last", Part::Last);
        block.reply.mark_gone();
        assert_eq!((block.reply.look(1), block.reply.look(2)), (Seen::Here, Seen::Gone));
    }

    #[test]
    fn yields_that_are_in_vain_are_tried_ever_more_rarely() {
        let back_off = BackOff::default();
        let mut trials = 0;
        for _ in 0..100_000 {
            if !back_off.skips_this_wait() {
                trials += 1;
                back_off.was_in_vain();
            }
        }
        assert!((20..50).contains(&trials), "{trials} trials in 100000 waits");
        while back_off.skips_this_wait() {}
        (0..13).for_each(|_| back_off.paid_off());
        back_off.was_in_vain();
        assert!(
            back_off.skips_this_wait() && !back_off.skips_this_wait(),
            "one trial is left out once it has paid again"
        );
    }
}
