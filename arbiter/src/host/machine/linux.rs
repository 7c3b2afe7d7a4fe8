//! What Linux tells of itself, in files and by trying.

use super::{Machine, Measured, Offer, ProcessLimits, Processor, parse};
use crate::host::clock::now_ns;
use crate::host::sandbox::{self, Filters};
use rustix::fs::{Access, MemfdFlags};
use rustix::process::{PidfdFlags, Resource};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

/// How often a short sleep is measured, and how long it is.
const NAPS: usize = 60;
const NAP: Duration = Duration::from_millis(1);
/// How long a thread is kept busy to see whether others take its core.
const BUSY_NS: i64 = 120_000_000;

/// Looks at this machine.
#[must_use]
pub fn look() -> Machine {
    let meminfo = read("/proc/meminfo").unwrap_or_default();
    let swap = |name| parse::kibibytes(&meminfo, name);
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
    let status = read("/proc/self/status").unwrap_or_default();
    let setting = |name: &str| read(&format!("/proc/sys/{name}"));
    let me = rustix::process::getpid();
    let filters = sandbox::filters();
    Offer {
        no_new_privs: parse::field(&status, "NoNewPrivs").is_some(),
        seccomp: filters != Filters::None,
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

/// Where the groups of version 2 show ours.
pub(in crate::host) fn group_folder() -> Option<PathBuf> {
    let cgroup = read("/proc/self/cgroup")?;
    let group = parse::group(&cgroup)?.trim_start_matches('/');
    let roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map(PathBuf::from);
    let root = roots.into_iter().find(|root| root.join("cgroup.controllers").exists())?;
    Some(root.join(group))
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
    let no_turbo = read(&format!("{CPU}/intel_pstate/no_turbo")).and_then(|text| parse::switch(&text));
    let boost = read(&format!("{CPU}/cpufreq/boost")).and_then(|text| parse::switch(&text));
    Processor {
        cores: affinity(),
        quota: quota.and_then(|text| parse::quota(&text)),
        load: read("/proc/loadavg").and_then(|text| parse::load(&text)),
        governor: line(&format!("{CPU}/cpu0/cpufreq/scaling_governor")),
        smt: read(&format!("{CPU}/smt/active")).and_then(|text| parse::switch(&text)),
        boost: boost.or(no_turbo.map(|off| !off)),
        is_virtual: read("/proc/cpuinfo").and_then(|text| parse::is_virtual(&text)),
        steal: read("/proc/stat").and_then(|text| parse::steal(&text)),
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

/// Reads the clock all the time; the longest step between two readings was somebody else's, in nanoseconds.
fn longest_gap() -> u64 {
    let (start, mut last, mut longest) = (now_ns(), now_ns(), 0);
    while last - start < BUSY_NS {
        let now = now_ns();
        longest = longest.max(now.abs_diff(last));
        last = now;
    }
    longest
}

/// Whether a hypervisor may be under this machine: it is, or nobody says.
pub(in crate::host) fn may_be_virtual() -> bool {
    // All processors say the same, and on large machines the whole file takes long.
    let mut first = [0; 4096];
    let read = |mut file: File| file.read(&mut first);
    let length = File::open("/proc/cpuinfo").and_then(read).unwrap_or(0);
    parse::is_virtual(&String::from_utf8_lossy(&first[..length])).unwrap_or(true)
}

/// How long the main thread of a process has been ready to run without running.
pub(crate) fn run_delay(pid: i32) -> Option<Duration> {
    parse::run_delay(&read(&format!("/proc/{pid}/schedstat"))?)
}

/// The most memory that a process has had at any time, in bytes.
pub(crate) fn peak_memory(pid: i32) -> Option<u64> {
    parse::kibibytes(&read(&format!("/proc/{pid}/status"))?, "VmHWM")
}

/// Bytes of memory that a process has for itself alone.
pub(crate) fn private_memory(pid: i32) -> Option<u64> {
    let pages = parse::private_pages(&read(&format!("/proc/{pid}/statm"))?)?;
    pages.checked_mul(rustix::param::page_size() as u64)
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn line(path: &str) -> Option<String> {
    read(path).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}
