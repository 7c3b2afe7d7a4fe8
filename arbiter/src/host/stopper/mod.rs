//! Calling a bot's `stop` from another thread, at the right times only.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other.rs")]
mod system;

use super::clock::NEVER;
use super::lender::level_of;
use super::waiting::sleep_while;
use super::wire::Block;
use arbiter_plugin_api::raw;
use std::ffi::c_void;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of stack for a bot's `stop`, whatever the user's own limit is: they count as memory of the bot.
const STACK: usize = 2 << 20;

/// A bot's `stop`, to be called while a turn lasts, and never once `destroy` may run.
pub(super) struct Stopper {
    stop: unsafe extern "C" fn(*mut c_void),
    this: *mut c_void,
    in_turn: AtomicBool,
    retired: Mutex<bool>,
}

// SAFETY: `stop` may be called from any thread by the header; the instance is only passed to it.
unsafe impl Send for Stopper {}
// SAFETY: as above; calls are made one at a time under the lock.
unsafe impl Sync for Stopper {}

impl Stopper {
    pub(super) fn new(stop: unsafe extern "C" fn(*mut c_void), this: *mut c_void) -> Stopper {
        Stopper { stop, this, in_turn: AtomicBool::new(false), retired: Mutex::new(false) }
    }

    /// From here on the bot may be woken.
    pub(super) fn begin_turn(&self) {
        self.in_turn.store(true, Ordering::SeqCst);
    }

    /// The bot has answered.
    pub(super) fn end_turn(&self) {
        self.in_turn.store(false, Ordering::SeqCst);
    }

    /// Waits for a call that is under way; no other will follow.
    pub(super) fn retire(&self) {
        *self.retired.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    /// Calls `stop` if the bot is thinking.
    pub(super) fn call(&self) {
        let retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
        if !*retired && self.in_turn.load(Ordering::SeqCst) {
            // SAFETY: the table promises a function of this type; the lock keeps `destroy` away.
            unsafe { (self.stop)(self.this) };
        }
    }

    /// Calls `stop` whenever the referee raises the level in a block, from a thread that ends with the process.
    pub(super) fn follow(self: Arc<Stopper>, block: &'static Block) -> io::Result<()> {
        let seen = block.stop.load(Ordering::SeqCst);
        system::start_thread(Watch { stopper: self, block, seen })
    }
}

/// What the thread follows.
struct Watch {
    stopper: Arc<Stopper>,
    block: &'static Block,
    /// The stop word that it saw last.
    seen: u32,
}

impl Watch {
    /// The whole life of the thread.
    fn follow(self) -> ! {
        let Watch { stopper, block, mut seen } = self;
        loop {
            sleep_while(&block.stop, seen, NEVER);
            let word = block.stop.load(Ordering::SeqCst);
            if word != seen && level_of(word) != raw::GO_ON {
                stopper.call();
            }
            seen = word;
        }
    }
}
