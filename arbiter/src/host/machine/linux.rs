//! What Linux tells of itself, in files and by trying.

use super::{Machine, Measured, Offer, ProcessLimits, Processor, parse};
use crate::host::clock::now_ns;
use crate::host::procfs::{self, group_folder, line, text};
use crate::host::sandbox::{self, Filters};
use rustix::fs::{Access, MemfdFlags};
use rustix::process::{PidfdFlags, Resource};
use std::path::PathBuf;
use std::time::Duration;

pub(crate) use procfs::{peak_memory, private_memory};

/// How often a short sleep is measured, and how long it is.
const NAPS: usize = 60;
const NAP: Duration = Duration::from_millis(1);
/// How long a thread is kept busy to see whether others take its core.
const BUSY_NS: i64 = 120_000_000;

/// Looks at this machine.
#[must_use]
pub fn look() -> Machine {
    let meminfo = text("/proc/meminfo").unwrap_or_default();
    let swap = |name| procfs::kibibytes(&meminfo, name);
    let used = swap("SwapTotal").zip(swap("SwapFree")).map(|(all, free)| (all.saturating_sub(free), all));
    Machine {
        system: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
        kernel: line("/proc/sys/kernel/osrelease"),
        offer: offer(),
        limits: limits(),
        processor: processor(),
        swap: used,
    }
}

fn offer() -> Offer {
    let status = text("/proc/self/status").unwrap_or_default();
    let setting = |name: &str| text(&format!("/proc/sys/{name}"));
    let me = rustix::process::getpid();
    let filters = sandbox::filters();
    Offer {
        no_new_privs: procfs::field(&status, "NoNewPrivs").is_some(),
        seccomp: filters != Filters::None,
        stuck_workers: procfs::stuck_workers(),
        listener: filters == Filters::Heard,
        landlock: sandbox::landlock(),
        namespaces: parse::namespaces(
            setting("kernel/unprivileged_userns_clone").as_deref(),
            setting("kernel/apparmor_restrict_unprivileged_userns").as_deref(),
            setting("user/max_user_namespaces").as_deref(),
        ),
        cgroup: cgroup(),
        is_root: rustix::process::geteuid().is_root(),
        memfd: rustix::fs::memfd_create(c"arbiter-try", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
            .is_ok(),
        pidfd: rustix::process::pidfd_open(me, PidfdFlags::empty()).is_ok(),
        close_range: has_close_range(),
    }
}

fn has_close_range() -> bool {
    // SAFETY: no descriptor has this number, so that none is closed.
    unsafe { libc::close_range(libc::c_uint::MAX, libc::c_uint::MAX, 0) == 0 }
}

fn cgroup() -> super::Cgroup {
    let Some(folder) = group_folder() else { return super::Cgroup::None };
    let controllers = std::fs::read_to_string(folder.join("cgroup.controllers")).ok();
    let may_write = |path: PathBuf| rustix::fs::access(&path, Access::WRITE_OK).is_ok();
    let is_writable = may_write(folder.join("cgroup.procs")) && may_write(folder);
    parse::cgroup(controllers.as_deref(), is_writable)
}

fn limits() -> ProcessLimits {
    let current = |resource| rustix::process::getrlimit(resource).current;
    ProcessLimits {
        processes: current(Resource::Nproc),
        addresses: current(Resource::As),
        files: current(Resource::Nofile),
        stack: rustix::process::getrlimit(Resource::Stack).maximum,
    }
}

fn processor() -> Processor {
    const CPU: &str = "/sys/devices/system/cpu";
    let quota = group_folder().and_then(|folder| std::fs::read_to_string(folder.join("cpu.max")).ok());
    let no_turbo = text(&format!("{CPU}/intel_pstate/no_turbo")).and_then(|text| parse::switch(&text));
    let boost = text(&format!("{CPU}/cpufreq/boost")).and_then(|text| parse::switch(&text));
    Processor {
        cores: affinity(),
        quota: quota.and_then(|text| parse::quota(&text)),
        load: text("/proc/loadavg").and_then(|text| parse::load(&text)),
        governor: line(&format!("{CPU}/cpu0/cpufreq/scaling_governor")),
        smt: text(&format!("{CPU}/smt/active")).and_then(|text| parse::switch(&text)),
        boost: boost.or(no_turbo.map(|off| !off)),
        is_virtual: text("/proc/cpuinfo").and_then(|text| parse::is_virtual(&text)),
        steal: text("/proc/stat").and_then(|text| parse::steal(&text)),
        clocksource: line("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        timer_slack: line("/proc/self/timerslack_ns")
            .and_then(|text| text.parse().ok().map(Duration::from_nanos)),
    }
}

fn affinity() -> usize {
    let cores = rustix::thread::sched_getaffinity(None).map_or(0, |set| set.count() as usize);
    if cores == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { cores }
}

/// Measures for less than 300 ms how this machine keeps time.
#[must_use]
pub fn measure() -> Measured {
    let mut late: Vec<u64> = (0..NAPS).map(|_| nap()).collect();
    late.sort_unstable();
    Measured {
        overshoot: Duration::from_nanos(late[NAPS / 2]),
        worst_overshoot: Duration::from_nanos(late[NAPS - 1]),
        longest_gap: Duration::from_nanos(longest_gap()),
    }
}

/// How much longer than asked a short sleep was, in nanoseconds.
fn nap() -> u64 {
    let start = now_ns();
    std::thread::sleep(NAP);
    now_ns().abs_diff(start).saturating_sub(NAP.as_nanos() as u64)
}

/// Reads the clock all the time. The longest step between two readings, in nanoseconds, is when others had the core.
fn longest_gap() -> u64 {
    let (start, mut last, mut longest) = (now_ns(), now_ns(), 0);
    while last - start < BUSY_NS {
        let now = now_ns();
        longest = longest.max(now.abs_diff(last));
        last = now;
    }
    longest
}
