//! The stop word of a turn, and calling a bot's `stop` when the level rises.

use super::context::HostContext;
use super::turn_clock::{SOONEST_NS, TurnClock};
use crate::host::clock::{NEVER, now_ns};
use crate::host::futex::{sleep_while, wake};
use arbiter_plugin_api::raw;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering, fence};

/// Bytes of stack for a bot's `stop`, whatever the user's own limit is: they count as memory of the bot.
const STACK: usize = 2 << 20;

/// The stop word of a turn at some level. Words of different turns differ.
pub(in crate::host) fn stop_word(turn: u32, level: i32) -> u32 {
    turn << 2 | level as u32
}

pub(super) fn level_of(word: u32) -> i32 {
    (word & 3) as i32
}

/// Calls `stop` of the bot that is seated, in its turns only: whenever the level rises, by the stop word or by the bot's own
/// clock, since the referee may be stopped. Several bots may use it, one after another.
pub(super) struct StopNotifier {
    bot: Mutex<Option<Stop>>,
    /// The thread that calls it is there. The first bot that has a `stop` starts it, and it stays.
    has_thread: AtomicBool,
    /// Until when the thread sleeps.
    sleeps_until: AtomicI64,
}

/// A bot's function, and the instance that it is called with.
struct Stop {
    function: unsafe extern "C" fn(*mut c_void),
    this: *mut c_void,
}

// SAFETY: `stop` may be called from any thread by the header; the instance is only passed to it.
unsafe impl Send for Stop {}

impl StopNotifier {
    pub(super) fn new() -> StopNotifier {
        StopNotifier { bot: Mutex::new(None), has_thread: AtomicBool::new(false), sleeps_until: NEVER.into() }
    }

    /// Waits for a call that is under way; no other will follow.
    pub(super) fn retire(&self) {
        *self.bot.lock() = None;
    }

    /// A turn has begun, whose clock and stop word are these. The thread is not woken if it wakes early enough by itself: to
    /// wake it costs more than many a turn.
    pub(super) fn turn_begins(&self, clock: &TurnClock, word: &AtomicU32) {
        if !self.has_thread.load(Ordering::Relaxed) {
            return;
        }
        // Either the thread sees the new turn before it sleeps, or we see how long it sleeps.
        fence(Ordering::SeqCst);
        if clock.rise(now_ns()).next < self.sleeps_until.load(Ordering::Relaxed) {
            wake(word);
        }
    }
}

impl HostContext {
    /// From now on a bot's `stop` is called, with this instance, until the notifier is retired.
    pub(super) fn notify(
        &'static self,
        function: unsafe extern "C" fn(*mut c_void),
        this: *mut c_void,
    ) -> io::Result<()> {
        *self.notifier.bot.lock() = Some(Stop { function, this });
        // Only the thread that seats bots comes here.
        if !self.notifier.has_thread.load(Ordering::Relaxed) {
            start_thread(self)?;
            self.notifier.has_thread.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Calls `stop`, if the turn goes on that began at this point in time.
    fn call_stop(&self, turn: i64) {
        let bot = self.notifier.bot.lock();
        if let Some(Stop { function, this }) = bot.as_ref().filter(|_| self.clock.turn() == Some(turn)) {
            // SAFETY: the table promises a function of this type; the lock keeps `destroy` away.
            unsafe { function(*this) };
        }
    }

    /// What the thread does that calls `stop`.
    fn follow_levels(&self) -> ! {
        // The turn that is under way, and the level that its bot has been told.
        let mut told = None;
        loop {
            let now = now_ns();
            let (turn, rise) = (self.clock.turn(), self.clock.rise(now));
            // Read after the turn, so that it is no word of the turn before.
            let word = self.stop.load(Ordering::SeqCst);
            let level = rise.level.max(level_of(word));
            let is_news = |turn: &i64| told.is_none_or(|(of, before)| of != *turn || before < level);
            if let Some(turn) = turn.filter(|turn| level > raw::GO_ON && is_news(turn)) {
                told = Some((turn, level));
                self.call_stop(turn);
            }
            let until = match turn {
                Some(_) => rise.next,
                // A turn whose word is there already is about to begin.
                None if level_of(word) == raw::GO_ON => now + SOONEST_NS,
                None => NEVER,
            };
            self.notifier.sleeps_until.store(until, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            // If a turn has begun before the store, it has not woken us.
            if self.clock.turn() == turn {
                sleep_while(self.stop, word, until);
            }
        }
    }
}

/// Starts a plain thread. The standard library would give it a stack for signals and malloc an arena, which cost more than
/// all the rest of it, and in most games `stop` is never called.
#[cfg(target_os = "linux")]
fn start_thread(context: &'static HostContext) -> io::Result<()> {
    use std::mem::MaybeUninit;

    extern "C" fn run(context: *mut c_void) -> *mut c_void {
        let _ = rustix::thread::set_name(c"stop");
        // SAFETY: a context that stays for ever.
        unsafe { &*context.cast::<HostContext>() }.follow_levels()
    }

    let context = std::ptr::from_ref(context).cast_mut().cast();
    let (mut thread, mut attributes) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: the attributes are initialised before they are used and destroyed afterwards.
    let error = unsafe {
        // Neither fails on Linux: the attributes need no memory, and the size is a valid one.
        libc::pthread_attr_init(attributes.as_mut_ptr());
        libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), STACK);
        let error = libc::pthread_create(thread.as_mut_ptr(), attributes.as_ptr(), run, context);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        error
    };
    if error == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(error)) }
}

#[cfg(not(target_os = "linux"))]
fn start_thread(context: &'static HostContext) -> io::Result<()> {
    let thread = std::thread::Builder::new().name("stop".to_owned()).stack_size(STACK);
    thread.spawn(|| context.follow_levels()).map(drop)
}
