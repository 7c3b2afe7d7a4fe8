//! Calling a bot's `stop` from another thread, at the right times only.

use super::clock::NEVER;
use super::lender::level_of;
use super::wire::{self, Block};
use arbiter_plugin_api::raw;
use std::ffi::c_void;
use std::io;
use std::mem::MaybeUninit;
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
    ///
    /// Every Rust bot has such a thread, and most never hear of it. So it is a plain one: the standard library's own
    /// would get memory to allocate from and a stack for signals, which cost more than the rest of it.
    pub(super) fn follow(self: Arc<Stopper>, block: &'static Block) -> io::Result<()> {
        let seen = block.stop.load(Ordering::SeqCst);
        let watch = Box::into_raw(Box::new(Watch { stopper: self, block, seen }));
        match start_thread(watch_on, watch.cast()) {
            0 => Ok(()),
            error => {
                // SAFETY: there is no thread that would have it.
                drop(unsafe { Box::from_raw(watch) });
                Err(io::Error::from_raw_os_error(error))
            }
        }
    }
}

/// Starts a thread, which has this argument for good unless an error is returned, and is not waited for.
fn start_thread(run: extern "C" fn(*mut c_void) -> *mut c_void, argument: *mut c_void) -> libc::c_int {
    let (mut thread, mut wishes) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: the wishes are made before they are read and taken back afterwards; the function has the right type.
    unsafe {
        let made = libc::pthread_attr_init(wishes.as_mut_ptr());
        if made != 0 {
            return made;
        }
        let sized = libc::pthread_attr_setstacksize(wishes.as_mut_ptr(), STACK);
        let started = match sized {
            0 => libc::pthread_create(thread.as_mut_ptr(), wishes.as_ptr(), run, argument),
            error => error,
        };
        libc::pthread_attr_destroy(wishes.as_mut_ptr());
        started
    }
}

/// What the thread follows.
struct Watch {
    stopper: Arc<Stopper>,
    block: &'static Block,
    /// The stop word that it saw last.
    seen: u32,
}

/// The whole life of the thread.
extern "C" fn watch_on(watch: *mut c_void) -> *mut c_void {
    // SAFETY: a box was made a pointer for this thread alone.
    let Watch { stopper, block, mut seen } = *unsafe { Box::from_raw(watch.cast::<Watch>()) };
    let _ = rustix::thread::set_name(c"stop");
    loop {
        wire::sleep_while(&block.stop, seen, NEVER);
        let word = block.stop.load(Ordering::SeqCst);
        if word != seen && level_of(word) != raw::GO_ON {
            stopper.call();
        }
        seen = word;
    }
}
