//! Says where the stack of a bot's first thread is, for runtimes that look for what is in use there before they free memory: that
//! of D, and Boehm's collector.
//!
//! The C library knows it of the threads that it has started. Of the first one it reads it in `/proc/self/maps`, which a bot
//! cannot open. So this program has a `pthread_getattr_np` of its own, which libraries find before the C library's: a program's
//! functions come first.

use std::io;
use std::mem::MaybeUninit;
use std::sync::OnceLock;

struct Stack {
    thread: libc::pthread_t,
    lowest: usize,
    size: usize,
}

/// The stack of this process's first thread, once it has been looked up.
static FIRST: OnceLock<Stack> = OnceLock::new();

/// Looks it up, in the first thread of a template whose stack has got its size. The copies have it in the same place.
pub(super) fn look_up() -> io::Result<()> {
    // SAFETY: this thread is there.
    let thread = unsafe { libc::pthread_self() };
    let mut attributes = MaybeUninit::uninit();
    // SAFETY: the attributes are written to a variable of ours.
    check_error(unsafe { pthread_getattr_np(thread, attributes.as_mut_ptr()) })?;
    let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: they have just been written; what is in them goes to variables of ours.
    check_error(unsafe { libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut lowest, &raw mut size) })?;
    // SAFETY: as above, and nothing uses them any more.
    check_error(unsafe { libc::pthread_attr_destroy(attributes.as_mut_ptr()) })?;
    FIRST.get_or_init(|| Stack { thread, lowest: lowest as usize, size });
    Ok(())
}

/// What libraries call in the place of the C library's.
///
/// # Safety
/// As of the C library's: a thread that is there, and room for its attributes.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_getattr_np(
    thread: libc::pthread_t,
    attributes: *mut libc::pthread_attr_t,
) -> libc::c_int {
    type Function = unsafe extern "C" fn(libc::pthread_t, *mut libc::pthread_attr_t) -> libc::c_int;
    if let Some(first) = FIRST.get().filter(|first| first.thread == thread) {
        // SAFETY: the caller has room for them, and they are valid after the first call.
        return unsafe {
            match libc::pthread_attr_init(attributes) {
                0 => libc::pthread_attr_setstack(attributes, first.lowest as *mut _, first.size),
                error => error,
            }
        };
    }
    // SAFETY: it looks for a name.
    let next = unsafe { libc::dlsym(libc::RTLD_NEXT, c"pthread_getattr_np".as_ptr()) };
    if next.is_null() {
        return libc::ENOSYS;
    }
    // SAFETY: the C library's function of this name has this type, and the caller keeps to what it demands.
    unsafe { std::mem::transmute::<*mut libc::c_void, Function>(next)(thread, attributes) }
}

/// These functions return the error instead of setting it.
fn check_error(error: libc::c_int) -> io::Result<()> {
    if error == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(error)) }
}
