//! What bots may ask of the kernel, on every machine. Names that a machine does not have are left out there.
//!
//! One list serves a bot's process from before its library is loaded to its end: what C, C++, Rust and Go need to be
//! loaded and to play, and what the process needs to give up its rights. It is also the list of the template that the
//! process is a copy of. What only takes rights away is allowed at any time.

use super::filter::Action::{
    Allow, BlockSignals, Fail, Forbid, Gate, Hide, LookAtFile, LookAtLibrary, LookAtPath, OfClock, OfThread,
    Open, Ours, OursOr, Pipe, Signal, Thread, UrgentSignal,
};
use super::filter::Test::{Bits, IsNull, IsOneOf, IsThisProcess};
use super::filter::{Action, Case, Rule, Test};
use crate::host::sandbox::rights::{FIRST_USER, NOBODY};
use crate::host::sandbox::{GATE, OUR_ACTION};
use crate::host::template::CLONE3_SIZE;
use libc::{EINVAL, ENOSYS, EPERM, ESRCH};

const fn all(calls: &'static str, otherwise: Action) -> Rule {
    Rule { calls, cases: &[], otherwise }
}

const fn some(calls: &'static str, cases: &'static [Case], otherwise: Action) -> Rule {
    Rule { calls, cases, otherwise }
}

const fn is(argument: u8, value: i32) -> Test {
    Bits(argument, -1, value)
}

const fn is_own_user(argument: u8) -> Test {
    Bits(argument, !0xfff_ffff, FIRST_USER as i32)
}

/// Advice on memory that changes nothing for other processes. Other advice does, which these could notice: pages of a file
/// are read, written out, or made into large ones, and equal pages merged.
const OWN_ADVICE: &[i32] = &[
    libc::MADV_NORMAL,
    libc::MADV_RANDOM,
    libc::MADV_SEQUENTIAL,
    libc::MADV_DONTNEED,
    libc::MADV_FREE,
    libc::MADV_DONTFORK,
    libc::MADV_DOFORK,
    libc::MADV_HUGEPAGE,
    libc::MADV_NOHUGEPAGE,
    libc::MADV_DONTDUMP,
    libc::MADV_DODUMP,
    libc::MADV_WIPEONFORK,
    libc::MADV_KEEPONFORK,
];

/// Opening that may change a file, that makes a signal of what happens to it, that Landlock does not look at, or that waits for
/// the disk at each read, however often the file has been read.
const O_CHANGE: i32 = libc::O_PATH
    | libc::O_ACCMODE
    | libc::O_CREAT
    | libc::O_TRUNC
    | libc::O_ASYNC
    | libc::O_DIRECT
    | (libc::O_TMPFILE & !libc::O_DIRECTORY);
/// Memory that the limit on data does not count.
const MAP_UNCOUNTED: i32 = libc::MAP_HUGETLB | libc::MAP_GROWSDOWN;
/// Memory of no file that several processes share, which is not counted either.
const MAP_SHARED_MEMORY: i32 = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
/// What makes a new thread rather than a new process, without anything of its own.
const THREAD: i32 =
    libc::CLONE_VM | libc::CLONE_FS | libc::CLONE_FILES | libc::CLONE_SIGHAND | libc::CLONE_THREAD;
/// What must not be among the flags of a new thread.
const NO_THREAD: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_PTRACE
    | libc::CLONE_VFORK
    | libc::CLONE_PIDFD;
/// Asking about an open file instead of a path.
const ITSELF: i32 = libc::AT_EMPTY_PATH;
const PR_SET_VMA: i32 = 0x5356_4d41;
const TCGETS2: i32 = 0x802c_542a_u32 as i32;
const FIONBIO: i32 = libc::FIONBIO as i32;
/// Asking about terminals, of which a bot has none, and about its own files.
const IOCTLS: &[i32] = &[
    libc::TCGETS as i32,
    TCGETS2,
    libc::TIOCGWINSZ as i32,
    libc::FIONREAD as i32,
    FIONBIO,
    libc::FIOCLEX as i32,
    libc::FIONCLEX as i32,
];
/// What `prctl` sets and tells of this process and its threads that changes no rights.
const OWN_PROCESS: &[i32] = &[
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_GET_DUMPABLE,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_CAPBSET_READ,
    libc::PR_SET_THP_DISABLE,
    libc::PR_GET_THP_DISABLE,
    PR_SET_VMA,
];
/// What `membarrier` can do, and does for this process alone: registering and using `PRIVATE_EXPEDITED` in its three forms.
const OWN_BARRIERS: &[i32] = &[0, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8];
/// Clocks with negative numbers are the processor clocks of processes and threads, of others too.
const NAMED_CLOCK: Test = Bits(0, i32::MIN, 0);
/// An id that no other process has, as the real, the effective and the saved one: one of those from `FIRST_USER` on, of which there
/// are as many as there can be processes.
const OWN_USER: &[Test] = &[is_own_user(0), is_own_user(1), is_own_user(2)];
const SHARED_USER: &[Test] = &[is(0, NOBODY as i32), is(1, NOBODY as i32), is(2, NOBODY as i32)];

/// Asking about a thread by its number, or about the calling one.
const OF_ONESELF: &[Case] = &[(&[is(0, 0)], Allow), (&[IsThisProcess(0)], Allow)];

/// Everything that is not forbidden.
pub(super) const RULES: &[Rule] = &[
    // Files that are open already: there are a few of the runtime's own, and the pipe to the log.
    some(
        "fcntl",
        &[
            (&[IsOneOf(1, &[libc::F_DUPFD, libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_SETFD])], Allow),
            (&[IsOneOf(1, &[libc::F_GETFL, libc::F_GET_SEALS])], Allow),
            // F_SETFL with O_ASYNC makes the kernel send signals, to whom F_SETOWN says.
            (&[is(1, libc::F_SETFL), Bits(2, libc::O_ASYNC, libc::O_ASYNC)], Forbid),
            (&[is(1, libc::F_SETFL), Bits(2, libc::O_DIRECT, libc::O_DIRECT)], Forbid),
            // The standard files may be open in other processes too, with the same flags.
            (&[is(1, libc::F_SETFL), IsOneOf(0, &[0, 1, 2])], Fail(EPERM)),
            (&[is(1, libc::F_SETFL)], Allow),
        ],
        Forbid,
    ),
    some(
        "ioctl",
        &[(&[is(1, FIONBIO), IsOneOf(0, &[0, 1, 2])], Fail(EPERM)), (&[IsOneOf(1, IOCTLS)], Allow)],
        Forbid,
    ),
    all(
        "read readv pread64 preadv write writev pwrite64 lseek close close_range fstat \
         dup dup2 dup3 eventfd eventfd2 epoll_create epoll_create1 \
         epoll_ctl epoll_wait epoll_pwait poll ppoll select pselect6",
        Allow,
    ),
    // The kernel numbers the pipes of all processes together: whoever makes many of them leaves a number to the next game.
    all("pipe pipe2", Pipe),
    all("epoll_pwait2", Fail(ENOSYS)),
    // What is in the page cache and what is not would be a letterbox for later games, and takes time from others. It is no
    // more than advice, so none is taken.
    all("fadvise64", Fail(0)),
    // Finding and reading files: the loader's work. Landlock says which can be read.
    some("openat", &[(&[Bits(2, O_CHANGE, 0)], Open)], Forbid),
    some("open", &[(&[Bits(1, O_CHANGE, 0)], Open)], Forbid),
    // The loader looks at a folder in which it has not found a library, and never looks for another where there is none.
    some("newfstatat", &[(&[Bits(3, ITSELF, ITSELF)], LookAtFile)], LookAtLibrary),
    all("openat2 statfs fstatfs", Fail(ENOSYS)),
    all("statx stat lstat access faccessat faccessat2 readlink readlinkat", LookAtPath),
    all("getcwd getdents64", Allow),
    // What asyncio begins with. It can do without, if that is what it is told.
    all("socketpair", Fail(EPERM)),
    // Memory.
    some(
        "mmap",
        &[
            (&[Bits(3, MAP_SHARED_MEMORY, MAP_SHARED_MEMORY)], Fail(EPERM)),
            (&[Bits(3, MAP_UNCOUNTED, 0)], Allow),
        ],
        Fail(EPERM),
    ),
    some("madvise", &[(&[IsOneOf(2, OWN_ADVICE)], Allow)], Fail(EINVAL)),
    all("mprotect munmap mremap mincore msync brk munlock munlockall", Allow),
    all("mlock mlock2 mlockall", Fail(EPERM)),
    all(
        "get_mempolicy set_mempolicy mbind pkey_alloc pkey_free pkey_mprotect mseal \
         map_shadow_stack",
        Fail(ENOSYS),
    ),
    // Threads. The arguments of clone3 lie in memory, where no filter sees them; the template uses it with a length of
    // its own.
    some("clone", &[(&[Bits(0, THREAD | NO_THREAD, THREAD)], Thread)], Ours),
    some("clone3", &[(&[is(1, CLONE3_SIZE as i32)], OursOr(ENOSYS))], Fail(ENOSYS)),
    all("unshare setns capset", Ours),
    some(
        "sched_getaffinity sched_getparam sched_getscheduler sched_rr_get_interval get_robust_list",
        OF_ONESELF,
        OfThread(0, ESRCH),
    ),
    some(
        "getpriority",
        &[
            (&[is(1, 0)], Allow),
            (&[IsThisProcess(1)], Allow),
            (&[is(0, libc::PRIO_PROCESS as i32)], OfThread(1, ESRCH)),
        ],
        Fail(ESRCH),
    ),
    some(
        "prctl",
        &[
            (&[IsOneOf(0, OWN_PROCESS)], Allow),
            (&[is(0, libc::PR_SET_PDEATHSIG), is(1, libc::SIGKILL)], Allow),
            (&[is(0, libc::PR_SET_DUMPABLE), is(1, 0)], Hide),
            (&[is(0, GATE as i32)], Gate),
        ],
        Forbid,
    ),
    all(
        "futex set_robust_list set_tid_address rseq arch_prctl \
         sched_yield sched_get_priority_max sched_get_priority_min getcpu exit exit_group \
         restart_syscall",
        Allow,
    ),
    all("futex_waitv", Fail(ENOSYS)),
    // Those for all processes wait until every core has come by. What waits in the kernel is taken to be kept by the machine.
    some("membarrier", &[(&[IsOneOf(0, OWN_BARRIERS)], Allow)], Fail(EINVAL)),
    // The handler of SIGSYS answers for the filter, so it must stay and be called. To replace it seems to succeed: a bot that
    // handles all signals goes on, and there is no other SIGSYS for it.
    some(
        "rt_sigaction",
        &[
            (&[IsNull(1)], Allow),
            (&[is(0, libc::SIGSYS)], Fail(0)),
            (&[is(4, OUR_ACTION.cast_signed())], Allow),
        ],
        BlockSignals,
    ),
    some("rt_sigprocmask", &[(&[IsNull(1)], Allow), (&[is(0, libc::SIG_UNBLOCK)], Allow)], BlockSignals),
    all(
        "rt_sigreturn rt_sigsuspend rt_sigpending rt_sigtimedwait sigaltstack \
         pause",
        Allow,
    ),
    // Signals to itself. SIGCONT is forbidden, since a bot must stay stopped between turns. Go sends SIGURG all the time.
    some("kill rt_sigqueueinfo", &[(&[is(1, libc::SIGCONT)], Forbid), (&[IsThisProcess(0)], Allow)], Signal),
    some(
        "tgkill",
        &[
            (&[is(2, libc::SIGCONT)], Forbid),
            (&[IsThisProcess(0)], Allow),
            (&[is(2, libc::SIGURG)], UrgentSignal),
        ],
        Signal,
    ),
    some("rt_tgsigqueueinfo", &[(&[is(2, libc::SIGCONT)], Forbid), (&[IsThisProcess(0)], Allow)], Signal),
    // Time.
    some("clock_gettime clock_getres", &[(&[NAMED_CLOCK], Allow)], OfClock),
    some("clock_nanosleep timer_create", &[(&[NAMED_CLOCK], Allow)], Fail(EPERM)),
    all(
        "nanosleep gettimeofday time times getrusage alarm getitimer setitimer timer_settime \
         timer_gettime timer_getoverrun timer_delete",
        Allow,
    ),
    // Who and where one is.
    all(
        "getpid gettid getppid getpgrp getuid geteuid getgid getegid getgroups getresuid \
         getresgid uname",
        Allow,
    ),
    // Free memory and the number of processes would let bots signal to each other; capget tells which processes there are.
    all("sysinfo capget", Fail(EPERM)),
    all("getrandom getrlimit", Allow),
    // Go asks for more files whenever it starts.
    some("setrlimit", &[(&[is(0, libc::RLIMIT_NOFILE as i32)], Fail(EPERM))], Forbid),
    some(
        "prlimit64",
        &[
            (&[is(0, 0), IsNull(2)], Allow),
            (&[is(1, libc::RLIMIT_NOFILE as i32)], Fail(EPERM)),
            // To read limits. Nobody may set them.
            (&[IsNull(2)], OfThread(0, EPERM)),
        ],
        Ours,
    ),
    // Giving up rights.
    some("setresuid setresgid", &[(OWN_USER, Allow), (SHARED_USER, Allow)], Forbid),
    all("landlock_restrict_self", Allow),
    // The template's conversation with the supervisor. A bot has no socket.
    all("sendmsg recvmsg", Allow),
];
