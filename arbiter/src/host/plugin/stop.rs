//! The stop word of the shared block, and calling a bot's `stop` when it changes.

use super::context::HostContext;
use super::turn_clock::SOONEST_NS;
use crate::host::clock::{NEVER, now_ns};
use crate::host::futex::{sleep_while, wake};
use crate::host::wire::Block;
use arbiter_plugin_api::raw;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering, fence};

/// Bytes of stack for a bot's `stop`, whatever the user's own limit is: they count as memory of the bot.
const STACK: usize = 2 << 20;

/// The stop word of a turn at some level. Words of different turns differ.
pub(in crate::host) fn stop_word(turn: u32, level: i32) -> u32 {
    turn << 2 | level as u32
}

pub(super) fn level_of(word: u32) -> i32 {
    (word & 3) as i32
}

/// Calls a bot's `stop`: from any thread, during a turn only, and never once `destroy` may run.
pub(super) struct StopNotifier {
    stop: unsafe extern "C" fn(*mut c_void),
    this: *mut c_void,
    context: &'static HostContext,
    retired: Mutex<bool>,
    /// Until when the thread sleeps that follows.
    sleeps_until: AtomicI64,
}

// SAFETY: `stop` may be called from any thread by the header; the instance is only passed to it.
unsafe impl Send for StopNotifier {}
// SAFETY: as above; calls are made one at a time under the lock.
unsafe impl Sync for StopNotifier {}

impl StopNotifier {
    pub(super) fn new(
        stop: unsafe extern "C" fn(*mut c_void),
        this: *mut c_void,
        context: &'static HostContext,
    ) -> StopNotifier {
        StopNotifier { stop, this, context, retired: Mutex::new(false), sleeps_until: NEVER.into() }
    }

    /// Waits for a call that is under way; no other will follow.
    pub(super) fn retire(&self) {
        *self.retired.lock() = true;
    }

    /// Calls it, if the turn goes on that began at this point in time.
    pub(super) fn call(&self, turn: i64) {
        let retired = self.retired.lock();
        if !*retired && self.context.clock.turn() == Some(turn) {
            // SAFETY: the table promises a function of this type; the lock keeps `destroy` away.
            unsafe { (self.stop)(self.this) };
        }
    }

    /// Starts a thread that calls `stop` whenever the level rises, by the referee's word in a block or by the bot's own
    /// clock: the referee may be stopped. It ends with the process.
    pub(super) fn follow(self: Arc<StopNotifier>, block: &'static Block) -> io::Result<()> {
        start_thread(Follower { notifier: self, block })
    }

    /// A turn has begun. The thread that follows is not woken if it wakes early enough by itself: to wake it costs more
    /// than many a turn.
    pub(super) fn turn_begins(&self, block: &Block) {
        // Either the thread sees the new turn before it sleeps, or we see how long it sleeps.
        fence(Ordering::SeqCst);
        if self.context.clock.next_rise(now_ns()) < self.sleeps_until.load(Ordering::Relaxed) {
            wake(&block.stop);
        }
    }
}

struct Follower {
    notifier: Arc<StopNotifier>,
    block: &'static Block,
}

impl Follower {
    fn run(self) -> ! {
        let Follower { notifier, block } = self;
        let clock = &notifier.context.clock;
        // The turn that is under way, and the level that its bot has been told.
        let mut told = None;
        loop {
            let (turn, rise) = (clock.turn(), clock.rise(now_ns()));
            // Read after the turn, so that it is no word of the turn before.
            let word = block.stop.load(Ordering::SeqCst);
            let level = rise.level.max(level_of(word));
            let is_news = |turn: &i64| told.is_none_or(|(of, before)| of != *turn || before < level);
            if let Some(turn) = turn.filter(|turn| level > raw::GO_ON && is_news(turn)) {
                told = Some((turn, level));
                notifier.call(turn);
            }
            // A turn whose word is there already is about to begin.
            let begins = turn.is_none() && level_of(word) == raw::GO_ON;
            let until = if begins { now_ns() + SOONEST_NS } else { rise.next };
            notifier.sleeps_until.store(until, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            // If a turn has begun before the store, it has not woken us.
            if clock.turn() == turn {
                sleep_while(&block.stop, word, until);
            }
        }
    }
}

/// Starts a plain thread. The standard library would give it a stack for signals and malloc an arena, which cost more than
/// all the rest of it, and in most games `stop` is never called.
#[cfg(target_os = "linux")]
fn start_thread(follower: Follower) -> io::Result<()> {
    use std::mem::MaybeUninit;

    extern "C" fn run(follower: *mut c_void) -> *mut c_void {
        let _ = rustix::thread::set_name(c"stop");
        // SAFETY: a box was made a pointer for this thread alone.
        unsafe { Box::from_raw(follower.cast::<Follower>()) }.run()
    }

    let follower = Box::into_raw(Box::new(follower));
    let (mut thread, mut attributes) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: the attributes are initialised before they are used and destroyed afterwards. The thread owns the box if it
    // is started, and nobody else does.
    let error = unsafe {
        // Neither fails on Linux: the attributes need no memory, and the size is a valid one.
        libc::pthread_attr_init(attributes.as_mut_ptr());
        libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), STACK);
        let error = libc::pthread_create(thread.as_mut_ptr(), attributes.as_ptr(), run, follower.cast());
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        error
    };
    if error == 0 {
        return Ok(());
    }
    // SAFETY: there is no thread that would have it.
    drop(unsafe { Box::from_raw(follower) });
    Err(io::Error::from_raw_os_error(error))
}

#[cfg(not(target_os = "linux"))]
fn start_thread(follower: Follower) -> io::Result<()> {
    let thread = std::thread::Builder::new().name("stop".to_owned()).stack_size(STACK);
    thread.spawn(|| follower.run()).map(drop)
}
