//! Signal handlers of a bot's process: they note why a signal ends it, and answer some calls for the filter.
//!
//! The note goes into the shared block. Then the signal does what it would have done without a handler, so that the
//! referee learns of the signal itself from the system, and of its address from here.

use super::sandbox::{OUR_ACTION, check};
use super::wire::Block;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// The signals, beside SIGSYS, that end a process which has done something wrong.
const FATAL: [libc::c_int; 6] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT, libc::SIGTRAP];
/// Of those, the ones that name the memory that was accessed.
const WITH_ADDRESS: [libc::c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

/// SIGSYS in the kernel's sets of signals.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const SIGSYS: u64 = 1 << (libc::SIGSYS - 1);
/// How all handlers are called.
const HANDLED: libc::c_int = libc::SA_SIGINFO | libc::SA_ONSTACK;

/// Where the handlers of this process leave their notes.
static NOTES: OnceLock<&'static Block> = OnceLock::new();

/// What comes with SIGSYS.
#[repr(C)]
struct CallInfo {
    _signal_error_code: [libc::c_int; 3],
    _address: *mut libc::c_void,
    number: libc::c_int,
    arch: libc::c_uint,
}

/// The call that the filter has handed back, if that is what a signal is about.
///
/// # Safety
/// `info` is what the system passes to a handler with SA_SIGINFO.
unsafe fn call_from_filter(signal: libc::c_int, info: *mut libc::siginfo_t) -> Option<CallInfo> {
    // SAFETY: a good pointer, as the caller promises.
    let is_from_filter = signal == libc::SIGSYS && unsafe { info.as_ref() }?.si_code > 0;
    // SAFETY: for this signal the system passes a value of this layout.
    is_from_filter.then(|| unsafe { info.cast::<CallInfo>().read() })
}

/// Where the handlers of this process leave their notes from now on.
pub(super) fn note_in(block: &'static Block) {
    NOTES.get_or_init(|| block);
}

/// Installs the handlers: in a template, whose copies inherit them, with the stack for them that the standard library has given
/// the main thread. From the filter on nobody can replace the one of SIGSYS.
pub(super) fn install() -> io::Result<()> {
    // The program that started us may have blocked signals, and a blocked signal stays blocked in what it starts. SIGSYS must
    // get through, and bots may use others.
    let none = no_signals();
    // SAFETY: the set is ours, and the old one is not asked for.
    check(unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut()) })?;
    // A file of limited size is no reason to die: writing to it fails.
    set_action(libc::SIGXFSZ, libc::SIG_IGN, 0, none)?;
    let (handler, flags) = (note as *const () as libc::sighandler_t, HANDLED | libc::SA_RESETHAND);
    FATAL.into_iter().try_for_each(|signal| set_action(signal, handler, flags, none))?;
    // A handler of the bot's that came in between would make calls while SIGSYS is blocked, for which the kernel ends it.
    set_action(libc::SIGSYS, answer as *const () as libc::sighandler_t, HANDLED, all_but_fatal())
}

fn no_signals() -> libc::sigset_t {
    // SAFETY: on Linux all zeros is the empty set of signals.
    unsafe { std::mem::zeroed() }
}

/// What a bot may handle at a later time. What it has done wrong itself cannot wait.
fn all_but_fatal() -> libc::sigset_t {
    let mut all = no_signals();
    // SAFETY: the set is ours, and these are signals.
    unsafe {
        libc::sigfillset(&raw mut all);
        FATAL.into_iter().for_each(|signal| _ = libc::sigdelset(&raw mut all, signal));
    }
    all
}

fn set_action(
    signal: libc::c_int,
    handler: libc::sighandler_t,
    flags: libc::c_int,
    blocked: libc::sigset_t,
) -> io::Result<()> {
    // SAFETY: all zeros is a valid action: no flags, an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler;
    (action.sa_flags, action.sa_mask) = (flags, blocked);
    // SAFETY: the handler is SIG_IGN, SIG_DFL, or a function with the signature that SA_SIGINFO asks for.
    check(unsafe { libc::sigaction(signal, &raw const action, std::ptr::null_mut()) }).map(drop)
}

/// Three of the arguments of the call that a signal interrupted, and where its result goes.
#[cfg(target_arch = "x86_64")]
fn call_of(context: &mut libc::ucontext_t) -> ([u64; 3], &mut i64) {
    let registers = &mut context.uc_mcontext.gregs;
    let arguments = [libc::REG_RDI, libc::REG_RSI, libc::REG_RDX];
    let arguments = arguments.map(|register| registers[register as usize].cast_unsigned());
    (arguments, &mut registers[libc::REG_RAX as usize])
}

/// Three of the arguments of the call that a signal interrupted, and where its result goes.
#[cfg(target_arch = "aarch64")]
fn call_of(context: &mut libc::ucontext_t) -> ([u64; 3], &mut i64) {
    let [first, second, third, ..] = &mut context.uc_mcontext.regs;
    // SAFETY: both are integers of 64 bits.
    ([*first, *second, *third], unsafe { &mut *(&raw mut *first).cast::<i64>() })
}

/// Answers a call that the filter has handed back; any other signal ends the process.
extern "C" fn answer(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        // SAFETY: the system passes both to a handler with SA_SIGINFO.
        let call = unsafe { call_from_filter(signal, info) };
        if let Some(call) = call
            // SAFETY: the same holds for the context, which nobody else uses meanwhile.
            && let Some(context) = unsafe { context.cast::<libc::ucontext_t>().as_mut() }
        {
            let ([first, second, third], _) = call_of(context);
            let answer = match i64::from(call.number) {
                libc::SYS_newfstatat => Some(look_at_file(first, second as *const libc::c_char, third)),
                libc::SYS_rt_sigprocmask => {
                    // SAFETY: what the bot passed for its sets of signals. What they lead to suffers from it alone.
                    Some(unsafe { block_signals(&mut context.uc_sigmask, first, second as _, third as _) })
                }
                libc::SYS_rt_sigaction => {
                    // SAFETY: what the bot passed for its actions. What they lead to suffers from it alone.
                    Some(unsafe { handle_signal(first, second as _, third) })
                }
                _ => None,
            };
            if let Some(answer) = answer {
                *call_of(context).1 = answer;
                return;
            }
        }
    }
    let _ = context;
    take_note(signal, info);
    // Behind a filter this changes nothing, and the handler stays. There the last call below ends the process: the filter hands
    // it back, and the kernel ends a process that blocks SIGSYS then, as it is blocked here.
    let none = no_signals();
    let _ = set_action(signal, libc::SIG_DFL, 0, none);
    // SAFETY: raising a signal is allowed in a handler. It is delivered when the handler returns.
    unsafe { libc::raise(signal) };
    // SAFETY: the set is ours, and the old one is not asked for.
    unsafe { libc::sigprocmask(libc::SIG_BLOCK, &raw const none, std::ptr::null_mut()) };
}

/// Changes which signals a thread blocks once the handler returns, as `rt_sigprocmask` would, but leaves SIGSYS out: the kernel ends
/// a process that blocks it when the filter hands a call back, and honest bots block all signals in their workers.
///
/// # Safety
/// Each pointer is null or leads to a set of signals.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
unsafe fn block_signals(blocked: &mut libc::sigset_t, how: u64, set: *const u64, old: *mut u64) -> i64 {
    // The kernel's set has one bit for each signal, and is at the beginning of the C library's.
    let blocked = (&raw mut *blocked).cast::<u64>();
    // SAFETY: both pointers are good, or the bot's process ends as it would have ended in the C library.
    unsafe {
        let (before, set) = (blocked.read(), set.read_unaligned());
        blocked.write(
            !SIGSYS
                & match how as libc::c_int {
                    libc::SIG_BLOCK => before | set,
                    libc::SIG_UNBLOCK => before & !set,
                    libc::SIG_SETMASK => set,
                    _ => return -i64::from(libc::EINVAL),
                },
        );
        if !old.is_null() {
            old.write_unaligned(before);
        }
    }
    0
}

/// Sets what is done about a signal, as `rt_sigaction` would, but lets no handler block SIGSYS: many block all signals, and jump out
/// of them by `siglongjmp`, which calls `rt_sigprocmask`.
///
/// # Safety
/// `action` leads to one as the kernel knows it: handler, flags, what returns from the handler, and the signals that it blocks.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
unsafe fn handle_signal(signal: u64, action: *const [u64; 4], old: u64) -> i64 {
    // SAFETY: a good pointer, or the bot's process ends as it would have ended in the C library.
    let mut action = unsafe { action.read_unaligned() };
    action[3] &= !SIGSYS;
    // SAFETY: the action is ours, and the kernel checks the rest.
    result(unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, &raw const action, old, 8, OUR_ACTION) })
}

/// What `newfstatat` answers. The path is read here, where only the bot's own process suffers from what it leads to. Files that
/// may be read may be looked at, and the call that opens one is judged like any.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn look_at_file(file: u64, path: *const libc::c_char, into: u64) -> i64 {
    // SAFETY: a text, or a pointer that ends the bot's process as it would have ended in the C library.
    if !path.is_null() && unsafe { path.read_volatile() } != 0 {
        let flags = libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NONBLOCK | libc::O_NOCTTY;
        // SAFETY: as above.
        let opened = unsafe { libc::syscall(libc::SYS_openat, file, path, flags) };
        if opened < 0 {
            return result(opened);
        }
        // SAFETY: the kernel checks what it is given, and the file is ours.
        return unsafe {
            let answer = result(libc::syscall(libc::SYS_fstat, opened, into));
            libc::syscall(libc::SYS_close, opened);
            answer
        };
    }
    // SAFETY: the kernel checks both arguments.
    result(unsafe { libc::syscall(libc::SYS_fstat, file, into) })
}

/// What the kernel answers, when the C library has answered this.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn result(answer: libc::c_long) -> i64 {
    match answer {
        0 => 0,
        _ => -i64::from(io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)),
    }
}

/// Takes note of a fatal signal and sends it again, to be handled as by default, which SA_RESETHAND has put back.
extern "C" fn note(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    take_note(signal, info);
    // SAFETY: raising a signal is allowed in a handler; it is delivered when the handler returns.
    unsafe { libc::raise(signal) };
}

/// Only calls what a signal handler may call.
fn take_note(signal: libc::c_int, info: *mut libc::siginfo_t) {
    let failure = io::Error::last_os_error().raw_os_error();
    if let Some(block) = NOTES.get() {
        let words = &block.last_words;
        // SAFETY: the system passes a good pointer to a handler with SA_SIGINFO.
        let address = unsafe { info.as_ref() }.and_then(|info| address_of(signal, info));
        if let Some(address) = address {
            words.address.store(address, Ordering::Relaxed);
            words.has_address.store(1, Ordering::Relaxed);
        }
        // SAFETY: as above.
        if let Some(call) = unsafe { call_from_filter(signal, info) } {
            words.forbidden.store(call.number.cast_unsigned(), Ordering::Relaxed);
            words.forbidden_arch.store(call.arch, Ordering::Relaxed);
        }
        let refused = failure == Some(libc::ENOMEM) && can_follow_from_refusal(signal, address);
        words.memory_refused.store(u32::from(refused), Ordering::Relaxed);
        words.signal.store(signal as u32, Ordering::SeqCst);
    }
}

/// Whether a signal may be about memory that the system has just refused. Either the bot used the null that an allocation
/// returned, or the -1 of `mmap`, with some offset: nothing is mapped near these. Or it checked the result and gave up.
///
/// How much memory the process has is no evidence: many use nearly all of theirs by design, and crash of other causes.
fn can_follow_from_refusal(signal: libc::c_int, address: Option<u64>) -> bool {
    const LARGEST_TABLE: u64 = 4 << 30;
    [libc::SIGABRT, libc::SIGILL, libc::SIGTRAP].contains(&signal)
        || address.is_some_and(|address| address.wrapping_add(1) < LARGEST_TABLE)
}

fn address_of(signal: libc::c_int, info: &libc::siginfo_t) -> Option<u64> {
    const FROM_KERNEL_WITHOUT_ADDRESS: libc::c_int = 0x80;
    let by_the_processor = info.si_code > 0 && info.si_code != FROM_KERNEL_WITHOUT_ADDRESS;
    if !by_the_processor || !WITH_ADDRESS.contains(&signal) {
        return None;
    }
    // SAFETY: signals of the processor carry an address.
    Some(unsafe { info.si_addr() } as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address on the stack, or near anything mapped, has nothing to do with an allocation that failed.
    #[test]
    fn a_refusal_explains_what_goes_through_its_result() {
        let explains = |address: u64| can_follow_from_refusal(libc::SIGSEGV, Some(address));
        for address in [0, 8, 0xdead0, 3 << 30, u64::MAX] {
            assert!(explains(address), "{address:x}");
        }
        for address in [4 << 30, 0x5555_5555_4000, 0x7fff_ffff_e000, u64::MAX - 8] {
            assert!(!explains(address), "{address:x}");
        }
        for signal in [libc::SIGABRT, libc::SIGILL, libc::SIGTRAP] {
            assert!(
                can_follow_from_refusal(signal, None),
                "{signal}: languages give up in each of these ways"
            );
        }
        for signal in [libc::SIGSEGV, libc::SIGFPE, libc::SIGSYS] {
            assert!(!can_follow_from_refusal(signal, None), "{signal}");
        }
    }
}
