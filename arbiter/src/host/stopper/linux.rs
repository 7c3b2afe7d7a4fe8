//! A plain thread. Most bots with a `stop` never hear of it, and the standard library's own thread would get memory to
//! allocate from and a stack for signals, which cost more than the rest of it.

use super::{STACK, Watch};
use std::ffi::c_void;
use std::io;
use std::mem::MaybeUninit;

/// Starts the thread, which is not waited for.
pub(super) fn start_thread(watch: Watch) -> io::Result<()> {
    let watch = Box::into_raw(Box::new(watch));
    match start(watch_on, watch.cast()) {
        0 => Ok(()),
        error => {
            // SAFETY: there is no thread that would have it.
            drop(unsafe { Box::from_raw(watch) });
            Err(io::Error::from_raw_os_error(error))
        }
    }
}

/// Starts a thread, which has this argument for good unless an error is returned.
fn start(run: extern "C" fn(*mut c_void) -> *mut c_void, argument: *mut c_void) -> libc::c_int {
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

extern "C" fn watch_on(watch: *mut c_void) -> *mut c_void {
    let _ = rustix::thread::set_name(c"stop");
    // SAFETY: a box was made a pointer for this thread alone.
    unsafe { Box::from_raw(watch.cast::<Watch>()) }.follow()
}
