//! What Windows has to hold a process with: a job.

use crate::host::memory::own;
use crate::host::process::{End, Process, Signal};
use crate::host::wire::Block;
use std::io::{self, Write};
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use windows_sys::Win32::Foundation::{
    NTSTATUS, STATUS_ACCESS_VIOLATION, STATUS_ARRAY_BOUNDS_EXCEEDED, STATUS_BREAKPOINT,
    STATUS_DATATYPE_MISALIGNMENT, STATUS_FLOAT_DIVIDE_BY_ZERO, STATUS_FLOAT_INVALID_OPERATION,
    STATUS_GUARD_PAGE_VIOLATION, STATUS_ILLEGAL_INSTRUCTION, STATUS_IN_PAGE_ERROR,
    STATUS_INTEGER_DIVIDE_BY_ZERO, STATUS_INTEGER_OVERFLOW, STATUS_PRIVILEGED_INSTRUCTION,
    STATUS_SINGLE_STEP, STATUS_STACK_OVERFLOW,
};
use windows_sys::Win32::System::Diagnostics::Debug::{
    EXCEPTION_POINTERS, SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SEM_NOOPENFILEERRORBOX, SetErrorMode,
    SetUnhandledExceptionFilter,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    QueryInformationJobObject, SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};

/// No console, not even a hidden one: Ctrl-C is for the referee.
const DETACHED_PROCESS: u32 = 0x8;

/// A hold on a process: it ends when this is dropped, or with the program that has it.
pub(super) struct Hold {
    job: OwnedHandle,
    memory: u64,
}

/// Keeps a process away from the referee's console.
pub(super) fn detach(command: &mut Command) {
    command.creation_flags(DETACHED_PROCESS);
}

impl Hold {
    /// Takes hold of a process, and lets it begin: it may use so much memory, and start no other.
    pub(super) fn on(process: &mut Child, memory: u64) -> io::Result<Hold> {
        // SAFETY: a new job without a name, and not for children.
        let job = unsafe { CreateJobObjectW(null(), null()) };
        let hold = Hold { job: own(job)?, memory };
        hold.limit()?;
        // SAFETY: both are handles that live; the process has not been waited for.
        check_call(unsafe { AssignProcessToJobObject(hold.job.as_raw_handle(), process.as_raw_handle()) })?;
        // Its end shows to the bot as the end of its input.
        process.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?.write_all(b"!")?;
        Ok(hold)
    }

    fn limit(&self) -> io::Result<()> {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
            | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
            | JOB_OBJECT_LIMIT_ACTIVE_PROCESS
            | JOB_OBJECT_LIMIT_PROCESS_MEMORY;
        limits.BasicLimitInformation.ActiveProcessLimit = 1;
        limits.ProcessMemoryLimit = usize::try_from(self.memory).unwrap_or(usize::MAX);
        // SAFETY: the system reads a value of this type.
        check_call(unsafe {
            SetInformationJobObject(
                self.job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        })
    }

    /// How the process ended. Crashes are told by the signals that Unix has for them.
    pub(super) fn end_of(&self, process: &Process, status: io::Result<ExitStatus>) -> End {
        let code = status.ok().and_then(|status| status.code()).unwrap_or(-1);
        let Some(signal) = signal_of(code) else { return End::Code(code) };
        if self.memory_is_used_up() {
            process.end_for(End::TooBig);
        }
        process.block().last_words.signal.store(signal.unsigned_abs(), Ordering::SeqCst);
        End::Signal(signal)
    }

    /// Whether the process had nearly as much memory as it may have: a crash is then most likely an allocation that
    /// failed.
    fn memory_is_used_up(&self) -> bool {
        let mut found = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        // SAFETY: the system writes a value of this type.
        let told = unsafe {
            QueryInformationJobObject(
                self.job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw mut found).cast(),
                size_of_val(&found) as u32,
                null_mut(),
            )
        };
        told != 0 && found.PeakProcessMemoryUsed as u64 >= self.memory - self.memory / 8
    }

    pub(super) fn send(&self, signal: Signal) {
        if signal == Signal::KILL {
            // SAFETY: a job of ours. It fails when nobody is left.
            unsafe { TerminateJobObject(self.job.as_raw_handle(), 1) };
        }
    }
}

fn check_call(succeeded: i32) -> io::Result<()> {
    if succeeded != 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The signal that Unix sends for what ended a process with this code; none for a code of its own.
fn signal_of(code: i32) -> Option<i32> {
    const ILL: i32 = 4;
    const TRAP: i32 = 5;
    const ABRT: i32 = 6;
    const FPE: i32 = 8;
    const SEGV: i32 = 11;
    /// What `abort` of Rust and of newer C libraries ends with: a failed check, told at once.
    const STATUS_STACK_BUFFER_OVERRUN: NTSTATUS = 0xC000_0409_u32.cast_signed();
    Some(match code {
        STATUS_ACCESS_VIOLATION
        | STATUS_ARRAY_BOUNDS_EXCEEDED
        | STATUS_DATATYPE_MISALIGNMENT
        | STATUS_GUARD_PAGE_VIOLATION
        | STATUS_IN_PAGE_ERROR
        | STATUS_STACK_OVERFLOW => SEGV,
        STATUS_ILLEGAL_INSTRUCTION | STATUS_PRIVILEGED_INSTRUCTION => ILL,
        STATUS_FLOAT_DIVIDE_BY_ZERO
        | STATUS_FLOAT_INVALID_OPERATION
        | STATUS_INTEGER_DIVIDE_BY_ZERO
        | STATUS_INTEGER_OVERFLOW => FPE,
        STATUS_BREAKPOINT | STATUS_SINGLE_STEP => TRAP,
        STATUS_STACK_BUFFER_OVERRUN => ABRT,
        _ => return None,
    })
}

/// Where the bot's side leaves its last words.
static NOTES: OnceLock<&'static Block> = OnceLock::new();

/// The bot's side: a crash ends this process at once, without a window or a debugger first, and says where it was.
pub(super) fn set_up(block: &'static Block) -> io::Result<()> {
    NOTES.set(block).map_err(|_| io::ErrorKind::AlreadyExists)?;
    // SAFETY: sets a number of this process.
    unsafe { SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX) };
    // SAFETY: the function has the right type, and stays.
    unsafe { SetUnhandledExceptionFilter(Some(end_at_once)) };
    Ok(())
}

/// Notes the address of a crash that nobody has handled, and ends the process with its code.
unsafe extern "system" fn end_at_once(about: *const EXCEPTION_POINTERS) -> i32 {
    // SAFETY: the system passes good pointers to such a function.
    let record = unsafe { &*(*about).ExceptionRecord };
    if record.ExceptionCode == STATUS_ACCESS_VIOLATION
        && record.NumberParameters >= 2
        && let Some(block) = NOTES.get()
    {
        block.last_words.address.store(record.ExceptionInformation[1] as u64, Ordering::Relaxed);
        block.last_words.has_address.store(1, Ordering::SeqCst);
    }
    // SAFETY: ends this process, whatever its other threads are doing.
    unsafe { TerminateProcess(GetCurrentProcess(), record.ExceptionCode.cast_unsigned()) };
    // Never reached: the default would be to ask a debugger.
    0
}
