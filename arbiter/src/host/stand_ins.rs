//! Functions of this program that a bot's libraries call in the place of the C library's, since a program's own come first. The C
//! library does these by what ends a bot or is refused to it, and none of them is any harm.

use libc::{
    c_char, c_int, c_uint, c_void, mode_t, passwd, pthread_attr_t, pthread_t, sched_param, sem_t, size_t,
    uid_t,
};
use std::ffi::CStr;
use std::io;
use std::mem::MaybeUninit;
use std::sync::OnceLock;

struct Stack {
    thread: pthread_t,
    lowest: usize,
    size: usize,
}

/// The stack of the first thread, in the processes of bots only.
static FIRST: OnceLock<Stack> = OnceLock::new();

/// Looks up the stack of a template's first thread, once it has got its size. The copies have it in the same place.
pub(super) fn look_up_the_stack() -> io::Result<()> {
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

/// Says where the stack of a thread is. Runtimes look for what is in use there before they free memory: that of D, and Boehm's
/// collector. Of the first thread the C library reads it in `/proc/self/maps`.
///
/// # Safety
/// As of the C library's: a thread that is there, and room for its attributes.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_getattr_np(thread: pthread_t, attributes: *mut pthread_attr_t) -> c_int {
    type Function = unsafe extern "C" fn(pthread_t, *mut pthread_attr_t) -> c_int;
    if let Some(first) = FIRST.get().filter(|first| first.thread == thread) {
        // SAFETY: the caller has room for them, and they are valid after the first call.
        return unsafe {
            match libc::pthread_attr_init(attributes) {
                0 => libc::pthread_attr_setstack(attributes, first.lowest as *mut c_void, first.size),
                error => error,
            }
        };
    }
    // SAFETY: the C library's function of this name has this type, and the caller keeps to what it demands.
    unsafe { next::<Function>(c"pthread_getattr_np")(thread, attributes) }
}

/// Names a thread, as authors of many threads do to find their way. The C library names another than the caller through `/proc`.
///
/// # Safety
/// As of the C library's: a thread that is there, and a text.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_setname_np(thread: pthread_t, name: *const c_char) -> c_int {
    type Function = unsafe extern "C" fn(pthread_t, *const c_char) -> c_int;
    // SAFETY: this thread is there.
    if FIRST.get().is_some() && thread != unsafe { libc::pthread_self() } {
        return libc::EACCES;
    }
    // SAFETY: the C library's function of this name has this type, and the caller keeps to what it demands.
    unsafe { next::<Function>(c"pthread_setname_np")(thread, name) }
}

/// Gives a thread a scheduler and a priority, as each task of Ada begins. Users without privileges are often refused that.
///
/// # Safety
/// As of the C library's: a thread that is there, and parameters.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_setschedparam(
    thread: pthread_t,
    policy: c_int,
    parameters: *const sched_param,
) -> c_int {
    type Function = unsafe extern "C" fn(pthread_t, c_int, *const sched_param) -> c_int;
    if FIRST.get().is_some() {
        return libc::EPERM;
    }
    // SAFETY: the C library's function of this name has this type, and the caller keeps to what it demands.
    unsafe { next::<Function>(c"pthread_setschedparam")(thread, policy, parameters) }
}

/// Looks for a user, and finds none. Python's `sysconfig`, which most large packages import, asks for the home of its own. The C library
/// asks a service through a socket.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
unsafe extern "C" fn getpwuid(user: uid_t) -> *mut passwd {
    type Function = unsafe extern "C" fn(uid_t) -> *mut passwd;
    if FIRST.get().is_some() {
        return std::ptr::null_mut();
    }
    // SAFETY: the C library's function of this name has this type, and the caller keeps to what it demands.
    unsafe { next::<Function>(c"getpwuid")(user) }
}

/// Likewise, where the caller has room for the answer.
///
/// # Safety
/// As of the C library's: room for a user, for texts as long as it says, and for a pointer.
#[unsafe(no_mangle)]
unsafe extern "C" fn getpwuid_r(
    user: uid_t,
    entry: *mut passwd,
    texts: *mut c_char,
    length: size_t,
    found: *mut *mut passwd,
) -> c_int {
    type Function = unsafe extern "C" fn(uid_t, *mut passwd, *mut c_char, size_t, *mut *mut passwd) -> c_int;
    if FIRST.get().is_some() {
        // SAFETY: the caller has room for a pointer.
        unsafe { found.write(std::ptr::null_mut()) };
        return 0;
    }
    // SAFETY: the C library's function of this name has this type, and the caller keeps to what it demands.
    unsafe { next::<Function>(c"getpwuid_r")(user, entry, texts, length, found) }
}

/// Opens a semaphore for several processes, as scikit-learn does to see whether it may have any. The C library makes a file of it. The
/// last two arguments are optional, and lie in the same registers as here where they are given.
///
/// # Safety
/// As of the C library's: a text, and the arguments that the flags ask for.
#[unsafe(no_mangle)]
unsafe extern "C" fn sem_open(name: *const c_char, flags: c_int, mode: mode_t, value: c_uint) -> *mut sem_t {
    type Function = unsafe extern "C" fn(*const c_char, c_int, ...) -> *mut sem_t;
    if FIRST.get().is_some() {
        // SAFETY: this thread has an error of its own.
        unsafe { libc::__errno_location().write(libc::EACCES) };
        return libc::SEM_FAILED;
    }
    // SAFETY: the C library's function of this name has this type, and the caller keeps to what it demands.
    unsafe { next::<Function>(c"sem_open")(name, flags, mode, value) }
}

/// The C library's own function of this name, which every version of it has.
///
/// # Safety
/// `Function` is a pointer to a function of its type.
unsafe fn next<Function: Copy>(name: &CStr) -> Function {
    const { assert!(size_of::<Function>() == size_of::<*mut c_void>()) };
    // SAFETY: it looks for a name.
    let next = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    assert!(!next.is_null(), "the C library has {name:?}");
    // SAFETY: as the caller promises; both are as large.
    unsafe { std::mem::transmute_copy(&next) }
}

/// These functions return the error instead of setting it.
fn check_error(error: c_int) -> io::Result<()> {
    if error == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(error)) }
}
