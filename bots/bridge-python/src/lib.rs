//! The bridge for bots in Python: `arbiter ./bot.py`.
//!
//! It finds an interpreter by asking those that there are (`find`), starts it inside the bot's process through the stable
//! ABI of its shared library (`python`), gives it a module `arbiter_bot` (`native`, and source in Python), and from then on
//! answers the arbiter with the class that a script defines. Nothing of Python is needed to build it.

mod bot;
mod find;
mod native;
mod payload;
mod python;

use arbiter_plugin_api::bridge::{Bridge, say};
use arbiter_plugin_api::raw;
use std::ffi::{CStr, c_char};
use std::panic::catch_unwind;
use std::path::Path;
use std::ptr::null;

static BRIDGE: Bridge = Bridge {
    magic: raw::MAGIC,
    abi: raw::ABI,
    struct_size: size_of::<Bridge>() as u32,
    flags: 0,
    find,
    start,
    open,
};

/// What the arbiter looks for.
#[unsafe(no_mangle)]
pub extern "C" fn arbiter_bridge_v1(host_abi: u32) -> *const Bridge {
    if host_abi >> 16 == raw::ABI_MAJOR { &raw const BRIDGE } else { null() }
}

/// Runs our side of a call; what goes wrong becomes a sentence in the buffer.
///
/// # Safety
/// `at` has room for `room` bytes.
unsafe fn guarded<T>(
    at: *mut c_char,
    room: u32,
    work: impl FnOnce() -> Result<T, String> + std::panic::UnwindSafe,
) -> Option<T> {
    let problem = match catch_unwind(work) {
        Ok(Ok(done)) => return Some(done),
        Ok(Err(problem)) => problem,
        Err(_) => "the bridge for Python has a bug: it panicked".to_owned(),
    };
    // SAFETY: as the caller promises.
    unsafe { say(&problem, at, room) };
    None
}

/// # Safety
/// `at` is null or ends with a zero.
unsafe fn text<'a>(at: *const c_char) -> Option<&'a str> {
    // SAFETY: as the caller promises.
    (!at.is_null()).then(|| unsafe { CStr::from_ptr(at) }.to_str().unwrap_or_default())
}

unsafe extern "C" fn find(runtime: *const c_char, found: *mut c_char, room: u32) -> i32 {
    // SAFETY: a text or null, by the contract of bridges.
    let runtime = unsafe { text(runtime) };
    // SAFETY: a buffer of that size, by the same contract.
    match unsafe { guarded(found, room, || find::find(runtime)) } {
        Some(said) => {
            // SAFETY: as above.
            unsafe { say(&said, found, room) };
            raw::OK
        }
        None => raw::ERR_FAILED,
    }
}

unsafe extern "C" fn start(found: *const c_char, problem: *mut c_char, room: u32) -> i32 {
    // SAFETY: what `find` said.
    let found = unsafe { text(found) }.unwrap_or_default();
    let start = || {
        for (name, value) in find::environment(found) {
            // SAFETY: this process has one thread: nothing of the bot, and nothing else that reads the environment, runs.
            unsafe { std::env::set_var(name, value) };
        }
        let library = find::fact(found, "library").next().ok_or("nothing was found to start")?;
        python::start(Path::new(library))?;
        bot::begin(found)
    };
    // SAFETY: a buffer of that size.
    if unsafe { guarded(problem, room, start) }.is_some() { raw::OK } else { raw::ERR_FAILED }
}

unsafe extern "C" fn open(
    payload: *const raw::PayloadV1,
    problem: *mut c_char,
    room: u32,
) -> *const raw::Bot {
    // SAFETY: a payload that stays for ever.
    let Some(payload) = (unsafe { payload.as_ref() }) else { return null() };
    // SAFETY: a buffer of that size.
    unsafe { guarded(problem, room, || bot::open(payload)) }.unwrap_or(null())
}
