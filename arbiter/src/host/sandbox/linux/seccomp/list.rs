//! What bots may ask of the kernel, on every machine. Names that a machine does not have are left out there.
//!
//! One list serves a bot's process from before its library is loaded to its end: what C, C++, Rust and Go need to be
//! loaded and to play, and what the process needs to give up its rights. It is also the list of the template that the
//! process is a copy of. What only takes rights away is allowed at any time.

use super::super::identity::{FIRST_USER, NOBODY};
use super::filter::Action::{Allow, Ask, Fail, Forbid, Judge, LookAtFile, LookAtPath, Open, Signal};
use super::filter::{Action, Case, Rule, Test};
use crate::host::sandbox::GATE;
use crate::host::template::CLONE3_SIZE;
use libc::{ENOSYS, EPERM, ESRCH};

const fn all(call: &'static str, otherwise: Action) -> Rule {
    Rule { call, cases: &[], otherwise }
}

const fn some(call: &'static str, cases: &'static [Case], otherwise: Action) -> Rule {
    Rule { call, cases, otherwise }
}

const fn bits(argument: u8, mask: i32, value: i32) -> Test {
    Test::Bits { argument, mask: mask as u32, value: value as u32 }
}

const fn is(argument: u8, value: i32) -> Test {
    bits(argument, -1, value)
}

const fn own(argument: u8) -> Test {
    Test::IsThisProcess { argument }
}

const fn null(argument: u8) -> Test {
    Test::IsNull { argument }
}

const fn at_least(argument: u8, value: u32) -> Test {
    Test::AtLeast { argument, value }
}

/// Opening that may change a file, that makes a signal of what happens to it, or that Landlock does not look at.
const O_CHANGE: i32 = libc::O_PATH
    | libc::O_ACCMODE
    | libc::O_CREAT
    | libc::O_TRUNC
    | libc::O_ASYNC
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
/// Clocks with negative numbers are the processor clocks of processes and threads, of others too.
const NAMED_CLOCK: Test = bits(0, i32::MIN, 0);
/// A user number that no other process has, three times.
const OWN_USER: &[Test] = &[at_least(0, FIRST_USER), at_least(1, FIRST_USER), at_least(2, FIRST_USER)];
const SHARED_USER: &[Test] = &[is(0, NOBODY as i32), is(1, NOBODY as i32), is(2, NOBODY as i32)];

/// Asking about a thread by its number, or about the calling one.
const OF_ONESELF: &[Case] = &[(&[is(0, 0)], Allow), (&[own(0)], Allow), (&[Test::IsAlone], Fail(ESRCH))];

/// Everything that is not forbidden.
pub(super) const CALLS: &[Rule] = &[
    // Files that are open already: there are a few of the runtime's own, and the pipe to the log.
    all("read", Allow),
    all("readv", Allow),
    all("pread64", Allow),
    all("preadv", Allow),
    all("write", Allow),
    all("writev", Allow),
    all("pwrite64", Allow),
    all("lseek", Allow),
    all("close", Allow),
    all("close_range", Allow),
    all("fstat", Allow),
    all("fadvise64", Allow),
    all("dup", Allow),
    all("dup2", Allow),
    all("dup3", Allow),
    all("pipe", Allow),
    all("pipe2", Allow),
    all("eventfd", Allow),
    all("eventfd2", Allow),
    all("epoll_create", Allow),
    all("epoll_create1", Allow),
    all("epoll_ctl", Allow),
    all("epoll_wait", Allow),
    all("epoll_pwait", Allow),
    all("epoll_pwait2", Fail(ENOSYS)),
    all("poll", Allow),
    all("ppoll", Allow),
    all("select", Allow),
    all("pselect6", Allow),
    some(
        "fcntl",
        &[
            (&[is(1, libc::F_DUPFD)], Allow),
            (&[is(1, libc::F_DUPFD_CLOEXEC)], Allow),
            (&[is(1, libc::F_GETFD)], Allow),
            (&[is(1, libc::F_SETFD)], Allow),
            (&[is(1, libc::F_GETFL)], Allow),
            // F_SETFL with O_ASYNC makes the kernel send signals, to whom F_SETOWN says.
            (&[is(1, libc::F_SETFL), bits(2, libc::O_ASYNC, libc::O_ASYNC)], Forbid),
            // The standard files may be open in other processes too, with the same flags.
            (&[is(1, libc::F_SETFL), is(0, 0)], Fail(EPERM)),
            (&[is(1, libc::F_SETFL), is(0, 1)], Fail(EPERM)),
            (&[is(1, libc::F_SETFL), is(0, 2)], Fail(EPERM)),
            (&[is(1, libc::F_SETFL)], Allow),
        ],
        Forbid,
    ),
    some(
        "ioctl",
        &[
            (&[is(1, libc::TCGETS as i32)], Allow),
            (&[is(1, TCGETS2)], Allow),
            (&[is(1, libc::TIOCGWINSZ as i32)], Allow),
            (&[is(1, libc::FIONREAD as i32)], Allow),
            (&[is(1, FIONBIO), is(0, 0)], Fail(EPERM)),
            (&[is(1, FIONBIO), is(0, 1)], Fail(EPERM)),
            (&[is(1, FIONBIO), is(0, 2)], Fail(EPERM)),
            (&[is(1, FIONBIO)], Allow),
            (&[is(1, libc::FIOCLEX as i32)], Allow),
            (&[is(1, libc::FIONCLEX as i32)], Allow),
        ],
        Forbid,
    ),
    // Finding and reading files: the loader's work. Landlock says which can be read.
    some("openat", &[(&[bits(2, O_CHANGE, 0)], Open)], Forbid),
    some("open", &[(&[bits(1, O_CHANGE, 0)], Open)], Forbid),
    all("openat2", Fail(ENOSYS)),
    some("newfstatat", &[(&[bits(3, ITSELF, ITSELF)], LookAtFile)], LookAtPath),
    all("statx", LookAtPath),
    all("stat", LookAtPath),
    all("lstat", LookAtPath),
    all("access", LookAtPath),
    all("faccessat", LookAtPath),
    all("faccessat2", LookAtPath),
    all("readlink", LookAtPath),
    all("readlinkat", LookAtPath),
    all("getcwd", Allow),
    all("getdents64", Allow),
    all("statfs", Fail(ENOSYS)),
    all("fstatfs", Fail(ENOSYS)),
    // Memory.
    some(
        "mmap",
        &[
            (&[bits(3, MAP_SHARED_MEMORY, MAP_SHARED_MEMORY)], Fail(EPERM)),
            (&[bits(3, MAP_UNCOUNTED, 0)], Allow),
        ],
        Fail(EPERM),
    ),
    all("mprotect", Allow),
    all("munmap", Allow),
    all("mremap", Allow),
    all("madvise", Allow),
    all("mincore", Allow),
    all("msync", Allow),
    all("brk", Allow),
    all("munlock", Allow),
    all("munlockall", Allow),
    all("mlock", Fail(EPERM)),
    all("mlock2", Fail(EPERM)),
    all("mlockall", Fail(EPERM)),
    all("get_mempolicy", Fail(ENOSYS)),
    all("set_mempolicy", Fail(ENOSYS)),
    all("mbind", Fail(ENOSYS)),
    all("pkey_alloc", Fail(ENOSYS)),
    all("pkey_free", Fail(ENOSYS)),
    all("pkey_mprotect", Fail(ENOSYS)),
    all("mseal", Fail(ENOSYS)),
    all("map_shadow_stack", Fail(ENOSYS)),
    // Threads. The arguments of clone3 lie in memory, where no filter sees them; the template uses it with a length of
    // its own.
    some("clone", &[(&[bits(0, THREAD | NO_THREAD, THREAD)], Ask)], Judge),
    some("clone3", &[(&[is(1, CLONE3_SIZE as i32)], Judge)], Fail(ENOSYS)),
    all("unshare", Judge),
    all("setns", Judge),
    // What the process gives up before the gate.
    all("capset", Judge),
    all("futex", Allow),
    all("futex_waitv", Fail(ENOSYS)),
    all("set_robust_list", Allow),
    all("get_robust_list", Allow),
    all("set_tid_address", Allow),
    all("rseq", Allow),
    all("membarrier", Allow),
    all("arch_prctl", Allow),
    all("sched_yield", Allow),
    some("sched_getaffinity", OF_ONESELF, Judge),
    some("sched_getparam", OF_ONESELF, Judge),
    some("sched_getscheduler", OF_ONESELF, Judge),
    all("sched_get_priority_max", Allow),
    all("sched_get_priority_min", Allow),
    some("sched_rr_get_interval", OF_ONESELF, Judge),
    some("getpriority", &[(&[is(1, 0)], Allow), (&[own(1)], Allow), (&[Test::IsAlone], Fail(ESRCH))], Judge),
    all("getcpu", Allow),
    all("exit", Allow),
    all("exit_group", Allow),
    all("restart_syscall", Allow),
    some(
        "prctl",
        &[
            (&[is(0, libc::PR_SET_NAME)], Allow),
            (&[is(0, libc::PR_GET_NAME)], Allow),
            (&[is(0, libc::PR_GET_DUMPABLE)], Allow),
            (&[is(0, libc::PR_GET_NO_NEW_PRIVS)], Allow),
            (&[is(0, libc::PR_CAPBSET_READ)], Allow),
            (&[is(0, libc::PR_SET_THP_DISABLE)], Allow),
            (&[is(0, libc::PR_GET_THP_DISABLE)], Allow),
            (&[is(0, PR_SET_VMA)], Allow),
            (&[is(0, libc::PR_SET_PDEATHSIG), is(1, libc::SIGKILL)], Allow),
            (&[is(0, libc::PR_SET_DUMPABLE), is(1, 0)], Allow),
            (&[is(0, GATE as i32)], Judge),
        ],
        Forbid,
    ),
    // Without a listener the handler of SIGSYS is what tells of forbidden calls, so it must stay.
    some("rt_sigaction", &[(&[null(1)], Allow), (&[Test::IsAlone, is(0, libc::SIGSYS)], Fail(EPERM))], Allow),
    all("rt_sigprocmask", Allow),
    all("rt_sigreturn", Allow),
    all("rt_sigsuspend", Allow),
    all("rt_sigpending", Allow),
    all("rt_sigtimedwait", Allow),
    all("sigaltstack", Allow),
    all("pause", Allow),
    // Signals to itself. SIGCONT is forbidden, since a bot must stay stopped between turns. Go sends SIGURG all the time.
    some("kill", &[(&[is(1, libc::SIGCONT)], Forbid), (&[own(0)], Allow)], Judge),
    some(
        "tgkill",
        &[(&[is(2, libc::SIGCONT)], Forbid), (&[own(0)], Allow), (&[is(2, libc::SIGURG)], Signal)],
        Judge,
    ),
    some("rt_sigqueueinfo", &[(&[is(1, libc::SIGCONT)], Forbid), (&[own(0)], Allow)], Judge),
    some("rt_tgsigqueueinfo", &[(&[is(2, libc::SIGCONT)], Forbid), (&[own(0)], Allow)], Judge),
    // Time.
    some("clock_gettime", &[(&[NAMED_CLOCK], Allow), (&[Test::IsAlone], Fail(EPERM))], Judge),
    some("clock_getres", &[(&[NAMED_CLOCK], Allow), (&[Test::IsAlone], Fail(EPERM))], Judge),
    all("nanosleep", Allow),
    all("gettimeofday", Allow),
    all("time", Allow),
    all("times", Allow),
    all("getrusage", Allow),
    all("alarm", Allow),
    all("getitimer", Allow),
    all("setitimer", Allow),
    some("clock_nanosleep", &[(&[NAMED_CLOCK], Allow)], Fail(EPERM)),
    some("timer_create", &[(&[NAMED_CLOCK], Allow)], Fail(EPERM)),
    all("timer_settime", Allow),
    all("timer_gettime", Allow),
    all("timer_getoverrun", Allow),
    all("timer_delete", Allow),
    // Who and where one is.
    all("getpid", Allow),
    all("gettid", Allow),
    all("getppid", Allow),
    all("getpgrp", Allow),
    all("getuid", Allow),
    all("geteuid", Allow),
    all("getgid", Allow),
    all("getegid", Allow),
    all("getgroups", Allow),
    all("getresuid", Allow),
    all("getresgid", Allow),
    all("capget", Allow),
    all("uname", Allow),
    // Free memory and the number of processes would let bots signal to each other.
    all("sysinfo", Fail(EPERM)),
    all("getrandom", Allow),
    all("getrlimit", Allow),
    // Go asks for more files whenever it starts.
    some("setrlimit", &[(&[is(0, libc::RLIMIT_NOFILE as i32)], Fail(EPERM))], Forbid),
    some(
        "prlimit64",
        &[
            (&[is(0, 0), null(2)], Allow),
            (&[is(1, libc::RLIMIT_NOFILE as i32)], Fail(EPERM)),
            (&[Test::IsAlone, null(2)], Fail(EPERM)),
        ],
        Judge,
    ),
    // Giving up rights.
    some("setresuid", &[(OWN_USER, Allow), (SHARED_USER, Allow)], Forbid),
    some("setresgid", &[(OWN_USER, Allow), (SHARED_USER, Allow)], Forbid),
    all("landlock_restrict_self", Allow),
    // The template's conversation with the supervisor. A bot has no socket.
    all("sendmsg", Allow),
    all("recvmsg", Allow),
];

/// Whether a file is opened to be read, and nothing else.
pub(super) fn opens_to_read(flags: u64) -> bool {
    flags as u32 & O_CHANGE as u32 == 0
}

/// Whether `clone` with these flags makes a thread.
pub(super) fn makes_a_thread(flags: u64) -> bool {
    flags as u32 & (THREAD | NO_THREAD) as u32 == THREAD as u32
}
