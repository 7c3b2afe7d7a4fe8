//! The last words of a child: what a signal that ends it was about.
//!
//! The handlers write into the shared block and then let the signal do what it would have done without them, so that
//! the referee learns of the signal itself from the system, and of its address from here.

use super::sandbox::{Counted, OWN_MEMORY};
use super::wire::Block;
use std::cell::UnsafeCell;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// The signals that end a process which has done something wrong.
const FATAL: [libc::c_int; 7] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT, libc::SIGTRAP, libc::SIGSYS];
/// Of those, the ones that name the memory that was accessed.
const WITH_ADDRESS: [libc::c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];
/// Room for the handler when the stack itself is what has run out.
const HANDLER_STACK: usize = 64 << 10;

/// Where the handlers leave their notes.
static NOTES: OnceLock<Notes> = OnceLock::new();

struct Notes {
    block: &'static Block,
    /// The limit of memory in bytes.
    limit: u64,
    counted: Counted,
}

/// What comes with SIGSYS.
#[repr(C)]
struct CallInfo {
    _signal_error_code: [libc::c_int; 3],
    _address: *mut libc::c_void,
    number: libc::c_int,
    arch: libc::c_uint,
}

/// Installs the handlers, and a stack for them in this thread.
pub(super) fn note_in(block: &'static Block, memory: u64, counted: Counted) -> io::Result<()> {
    NOTES.set(Notes { block, limit: memory, counted }).map_err(|_| io::ErrorKind::AlreadyExists)?;
    // A file of limited size is no reason to die: writing to it fails.
    handle(libc::SIGXFSZ, libc::SIG_IGN)?;
    set_handler_stack()?;
    FATAL.into_iter().try_for_each(|signal| handle(signal, note as *const () as libc::sighandler_t))
}

/// Memory of the program itself, which costs nothing until a handler runs.
#[repr(C, align(16))]
struct HandlerStack(UnsafeCell<[u8; HANDLER_STACK]>);

// SAFETY: nobody but the kernel ever looks at it.
unsafe impl Sync for HandlerStack {}

fn set_handler_stack() -> io::Result<()> {
    static STACK: HandlerStack = HandlerStack(UnsafeCell::new([0; HANDLER_STACK]));
    let stack = libc::stack_t { ss_sp: STACK.0.get().cast(), ss_flags: 0, ss_size: HANDLER_STACK };
    // SAFETY: the stack is memory of ours that is never freed, and only one thread has it.
    match unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn handle(signal: libc::c_int, handler: libc::sighandler_t) -> io::Result<()> {
    // SAFETY: all zeros is a valid action: no flags, an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
    // SAFETY: the handler is SIG_IGN, or `note`, which has the signature that SA_SIGINFO asks for.
    match unsafe { libc::sigaction(signal, &raw const action, std::ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Takes note of a fatal signal and sends it again, to be handled as by default. Only calls what a signal handler
/// may call.
extern "C" fn note(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    if let Some(notes) = NOTES.get() {
        let words = &notes.block.last_words;
        // SAFETY: the system passes a good pointer to a handler with SA_SIGINFO.
        let address = unsafe { info.as_ref() }.and_then(|info| address_of(signal, info));
        if let Some(address) = address {
            words.address.store(address, Ordering::Relaxed);
            words.has_address.store(1, Ordering::Relaxed);
        }
        // SAFETY: as above.
        let is_from_filter = unsafe { info.as_ref() }.is_some_and(|info| info.si_code > 0);
        if signal == libc::SIGSYS && is_from_filter {
            // SAFETY: for this signal the system passes a value of this layout.
            let call = unsafe { info.cast::<CallInfo>().read() };
            words.forbidden.store(call.number.cast_unsigned(), Ordering::Relaxed);
            words.forbidden_arch.store(call.arch, Ordering::Relaxed);
        }
        let is_short = address.is_some_and(allocation_failed) || notes.memory_is_used_up();
        words.out_of_memory.store(u32::from(is_short), Ordering::Relaxed);
        words.signal.store(signal as u32, Ordering::SeqCst);
    }
    // The system has put the default back: nobody may change what is done about SIGSYS by now, not even we.
    // SAFETY: raising a signal is allowed in a handler; it is delivered when the handler returns.
    unsafe { libc::raise(signal) };
}

/// Whether memory near null was accessed after the system had refused more of it: the result of an allocation that
/// nobody looked at, however small the rest of the process is.
fn allocation_failed(address: u64) -> bool {
    const NEAR_NULL: u64 = 64 << 10;
    address < NEAR_NULL && io::Error::last_os_error().raw_os_error() == Some(libc::ENOMEM)
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

impl Notes {
    /// Whether the process has nearly as much memory as it may have: a crash is then most likely an allocation that
    /// failed.
    fn memory_is_used_up(&self) -> bool {
        let little = self.limit / 8;
        match self.counted {
            Counted::AsReserved => !has_room_for(little.saturating_add(OWN_MEMORY)),
            Counted::AsUsed => most_resident() >= self.limit - little,
        }
    }
}

/// Whether the system would still give this process so much memory.
fn has_room_for(bytes: u64) -> bool {
    let Ok(length) = usize::try_from(bytes) else { return false };
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping at an address of the kernel's choice, which nobody touches before it is taken back.
    unsafe {
        let at = libc::mmap(std::ptr::null_mut(), length, access, flags, -1, 0);
        at != libc::MAP_FAILED && libc::munmap(at, length) == 0
    }
}

/// The most memory that this process has ever used, in bytes.
fn most_resident() -> u64 {
    // SAFETY: all zeros is a valid value: it is made of numbers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes a value of this type.
    let _ = unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) };
    u64::try_from(usage.ru_maxrss).unwrap_or(0).saturating_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_looked_for_and_given_back() {
        assert!((0..300).all(|_| has_room_for(1 << 40)), "there are no addresses for all of that");
        assert!(!has_room_for(1 << 60));
    }

    #[test]
    fn what_was_touched_was_used() {
        let before = most_resident();
        let touched = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(most_resident() >= 64 << 20, "{before} before {}", touched.len());
    }
}
