//! What bots may ask of the kernel, on every machine. Names that a machine does not have are left out there.
//!
//! The list of [`LOAD`] is what C, C++, Rust and Go need to be loaded and to play. A constructor of the bot runs under
//! it and need never return, so this list is what really contains a bot. [`PLAY`] takes away what only the loader
//! needs, which tells an honest bot that reads files in its turns early that it cannot rely on them.

use super::filter::Action::{Allow, Ask, Fail, Forbid};
use super::filter::{Action, Rule, Test};
use libc::{EACCES, ENOSYS, EPERM};

const fn all(call: &'static str, otherwise: Action) -> Rule {
    Rule { call, cases: &[], otherwise }
}

const fn some(call: &'static str, cases: &'static [(Test, Action)], otherwise: Action) -> Rule {
    Rule { call, cases, otherwise }
}

const fn bits(argument: u8, mask: i32, value: i32) -> Test {
    Test::Bits { argument, mask: mask as u32, value: value as u32 }
}

const fn is(argument: u8, value: i32) -> Test {
    bits(argument, -1, value)
}

/// Opening that may change a file, or that makes a signal of what happens to it.
const O_CHANGE: i32 =
    libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | libc::O_ASYNC | (libc::O_TMPFILE & !libc::O_DIRECTORY);
/// Memory that the limit on data does not count.
const MAP_UNCOUNTED: i32 = libc::MAP_SHARED | libc::MAP_HUGETLB | libc::MAP_GROWSDOWN;
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

const OPENS: Rule = some("openat", &[(bits(2, O_CHANGE, 0), Allow)], Forbid);
const OPENS_BY_PATH: Rule = some("open", &[(bits(1, O_CHANGE, 0), Allow)], Forbid);

/// From before the library is loaded to the end.
pub(super) const LOAD: &[Rule] = &[
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
            (is(1, libc::F_DUPFD), Allow),
            (is(1, libc::F_DUPFD_CLOEXEC), Allow),
            (is(1, libc::F_GETFD), Allow),
            (is(1, libc::F_SETFD), Allow),
            (is(1, libc::F_GETFL), Allow),
            // F_SETFL with O_ASYNC makes the kernel send signals, to whom F_SETOWN says.
            (bits(2, libc::O_ASYNC, libc::O_ASYNC), Forbid),
            (is(1, libc::F_SETFL), Allow),
        ],
        Forbid,
    ),
    some(
        "ioctl",
        &[
            (is(1, libc::TCGETS as i32), Allow),
            (is(1, TCGETS2), Allow),
            (is(1, libc::TIOCGWINSZ as i32), Allow),
            (is(1, libc::FIONREAD as i32), Allow),
            (is(1, libc::FIONBIO as i32), Allow),
            (is(1, libc::FIOCLEX as i32), Allow),
            (is(1, libc::FIONCLEX as i32), Allow),
        ],
        Forbid,
    ),
    // Finding and reading files: the loader's work. Landlock says which.
    OPENS,
    OPENS_BY_PATH,
    all("openat2", Fail(ENOSYS)),
    all("newfstatat", Allow),
    all("stat", Allow),
    all("lstat", Allow),
    all("statx", Allow),
    all("access", Allow),
    all("faccessat", Allow),
    all("faccessat2", Allow),
    all("readlink", Allow),
    all("readlinkat", Allow),
    all("getcwd", Allow),
    all("getdents64", Allow),
    all("statfs", Fail(ENOSYS)),
    all("fstatfs", Fail(ENOSYS)),
    // Memory.
    some("mmap", &[(bits(3, MAP_UNCOUNTED, 0), Allow)], Fail(EPERM)),
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
    // Threads. The arguments of clone3 lie in memory, where no filter sees them.
    some("clone", &[(bits(0, THREAD | NO_THREAD, THREAD), Ask)], Forbid),
    all("clone3", Fail(ENOSYS)),
    all("futex", Allow),
    all("futex_waitv", Fail(ENOSYS)),
    all("set_robust_list", Allow),
    all("get_robust_list", Allow),
    all("set_tid_address", Allow),
    all("rseq", Allow),
    all("membarrier", Allow),
    all("arch_prctl", Allow),
    all("sched_yield", Allow),
    all("sched_getaffinity", Allow),
    all("sched_getparam", Allow),
    all("sched_getscheduler", Allow),
    all("sched_get_priority_max", Allow),
    all("sched_get_priority_min", Allow),
    all("sched_rr_get_interval", Allow),
    all("getpriority", Allow),
    all("getcpu", Allow),
    all("exit", Allow),
    all("exit_group", Allow),
    all("restart_syscall", Allow),
    some(
        "prctl",
        &[
            (is(0, libc::PR_SET_NAME), Allow),
            (is(0, libc::PR_GET_NAME), Allow),
            (is(0, libc::PR_GET_DUMPABLE), Allow),
            (is(0, libc::PR_GET_NO_NEW_PRIVS), Allow),
            (is(0, libc::PR_CAPBSET_READ), Allow),
            (is(0, libc::PR_SET_THP_DISABLE), Allow),
            (is(0, libc::PR_GET_THP_DISABLE), Allow),
            (is(0, PR_SET_VMA), Allow),
        ],
        Forbid,
    ),
    // Signals, to oneself only. Nobody may take the handler of forbidden calls away.
    some("rt_sigaction", &[(Test::IsNull { argument: 1 }, Allow), (is(0, libc::SIGSYS), Fail(EPERM))], Allow),
    all("rt_sigprocmask", Allow),
    all("rt_sigreturn", Allow),
    all("rt_sigsuspend", Allow),
    all("rt_sigpending", Allow),
    all("rt_sigtimedwait", Allow),
    all("sigaltstack", Allow),
    all("pause", Allow),
    // Who is stopped between turns shall not keep itself from it.
    some("kill", &[(is(1, libc::SIGCONT), Forbid), (Test::IsThisProcess { argument: 0 }, Allow)], Forbid),
    some("tgkill", &[(is(2, libc::SIGCONT), Forbid), (Test::IsThisProcess { argument: 0 }, Allow)], Forbid),
    some(
        "rt_sigqueueinfo",
        &[(is(1, libc::SIGCONT), Forbid), (Test::IsThisProcess { argument: 0 }, Allow)],
        Forbid,
    ),
    some(
        "rt_tgsigqueueinfo",
        &[(is(2, libc::SIGCONT), Forbid), (Test::IsThisProcess { argument: 0 }, Allow)],
        Forbid,
    ),
    // Time.
    all("clock_gettime", Allow),
    all("clock_getres", Allow),
    all("nanosleep", Allow),
    all("gettimeofday", Allow),
    all("time", Allow),
    all("times", Allow),
    all("getrusage", Allow),
    all("alarm", Allow),
    all("getitimer", Allow),
    all("setitimer", Allow),
    // Clocks with negative numbers are those of processes and threads, also of others.
    some("clock_nanosleep", &[(bits(0, i32::MIN, 0), Allow)], Fail(EPERM)),
    some("timer_create", &[(bits(0, i32::MIN, 0), Allow)], Fail(EPERM)),
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
    all("sysinfo", Allow),
    all("getrandom", Allow),
    all("getrlimit", Allow),
    // Go asks for more files whenever it starts.
    some("setrlimit", &[(is(0, libc::RLIMIT_NOFILE as i32), Fail(EPERM))], Forbid),
    some(
        "prlimit64",
        &[(Test::IsNull { argument: 2 }, Allow), (is(1, libc::RLIMIT_NOFILE as i32), Fail(EPERM))],
        Forbid,
    ),
    // The filter for play is installed under this one, after the referee has been given the listener of this one.
    all("seccomp", Allow),
    all("sendmsg", Allow),
];

/// What is taken away when the library is loaded.
pub(super) const PLAY: &[Rule] = &[
    // What LOAD forbids must stay allowed here: of two answers the kernel takes a failure before a question.
    some("openat", &[(bits(2, O_CHANGE, 0), Fail(EACCES))], Allow),
    some("open", &[(bits(1, O_CHANGE, 0), Fail(EACCES))], Allow),
    some("newfstatat", &[(bits(3, ITSELF, 0), Fail(EACCES))], Allow),
    some("statx", &[(bits(2, ITSELF, 0), Fail(EACCES))], Allow),
    all("stat", Fail(EACCES)),
    all("lstat", Fail(EACCES)),
    all("access", Fail(EACCES)),
    all("faccessat", Fail(EACCES)),
    all("faccessat2", Fail(EACCES)),
    all("readlink", Fail(EACCES)),
    all("readlinkat", Fail(EACCES)),
    all("getdents64", Fail(EACCES)),
    all("seccomp", Forbid),
    all("sendmsg", Forbid),
];

/// Whether a call with this first argument makes a thread.
pub(super) fn makes_a_thread(flags: u64) -> bool {
    flags as u32 & (THREAD | NO_THREAD) as u32 == THREAD as u32
}
