//! The stop word of the shared block, and calling a bot's `stop` when it changes.

use super::context::HostContext;
use crate::host::clock::NEVER;
use crate::host::futex::sleep_while;
use crate::host::wire::Block;
use arbiter_plugin_api::raw;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

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
        StopNotifier { stop, this, context, retired: Mutex::new(false) }
    }

    /// Waits for a call that is under way; no other will follow.
    pub(super) fn retire(&self) {
        *self.retired.lock() = true;
    }

    pub(super) fn call(&self) {
        let retired = self.retired.lock();
        if !*retired && self.context.clock.is_running() {
            // SAFETY: the table promises a function of this type; the lock keeps `destroy` away.
            unsafe { (self.stop)(self.this) };
        }
    }

    /// Starts a thread that calls `stop` whenever the referee raises the level in a block. It ends with the process.
    pub(super) fn follow(self: Arc<StopNotifier>, block: &'static Block) -> io::Result<()> {
        let seen = block.stop.load(Ordering::SeqCst);
        start_thread(Follower { notifier: self, block, seen })
    }
}

struct Follower {
    notifier: Arc<StopNotifier>,
    block: &'static Block,
    seen: u32,
}

impl Follower {
    fn run(self) -> ! {
        let Follower { notifier, block, mut seen } = self;
        loop {
            sleep_while(&block.stop, seen, NEVER);
            let word = block.stop.load(Ordering::SeqCst);
            if word != seen && level_of(word) != raw::GO_ON {
                notifier.call();
            }
            seen = word;
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
