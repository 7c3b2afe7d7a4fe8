//! What Linux tells of itself, in files and by trying.

use super::{Machine, Measured, Offer, ProcessLimits, Processor, RunDelay};
use crate::host::clock::now_ns;
use crate::host::procfs::{self, ProcessRecord, group_folder, line, text};
use crate::host::sandbox::{self, Filters};
use crate::host::template::missing_file;
use rustix::fs::MemfdFlags;
use rustix::process::{PidfdFlags, Resource};
use std::time::Duration;

pub(crate) use procfs::{ignores_hang_ups, peak_memory, private_memory};

/// How often a short sleep is measured, and how long it is.
const NAPS: usize = 60;
const NAP: Duration = Duration::from_millis(1);
/// How long a thread is kept busy to see whether others take its core.
const BUSY_NS: i64 = 120_000_000;

/// Looks at this machine.
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

/// The name of this machine, and that of its processor.
pub fn names() -> (Option<String>, Option<String>) {
    let cpuinfo = text("/proc/cpuinfo").unwrap_or_default();
    let processor = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    (line("/proc/sys/kernel/hostname"), processor.map(|(_, name)| name.to_owned()))
}

fn offer() -> Offer {
    let status = text("/proc/self/status").unwrap_or_default();
    let me = rustix::process::getpid();
    let filters = sandbox::filters();
    Offer {
        missing: missing_file(),
        no_new_privs: procfs::field(&status, "NoNewPrivs").is_some(),
        seccomp: filters != Filters::None,
        stuck_workers: procfs::stuck_workers(),
        listener: filters == Filters::Heard,
        landlock: sandbox::landlock_version(),
        namespaces_forbidden_by: namespaces_forbidden_by(),
        has_cgroups: has_cgroups(),
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

/// Whether our group has the controllers that groups of bots need.
fn has_cgroups() -> bool {
    let controllers = group_folder().and_then(|folder| text(folder.join("cgroup.controllers")));
    let controllers = controllers.unwrap_or_default();
    ["memory", "pids"].iter().all(|name| controllers.split_whitespace().any(|word| word == *name))
}

fn limits() -> ProcessLimits {
    let current = |resource| rustix::process::getrlimit(resource).current;
    ProcessLimits {
        processes: current(Resource::Nproc),
        addresses: current(Resource::As),
        files: current(Resource::Nofile),
        processor_time: rustix::process::getrlimit(Resource::Cpu).maximum,
        stack: rustix::process::getrlimit(Resource::Stack).maximum,
    }
}

fn processor() -> Processor {
    const CPU: &str = "/sys/devices/system/cpu";
    let quota = group_folder().and_then(|folder| std::fs::read_to_string(folder.join("cpu.max")).ok());
    let no_turbo = text(format!("{CPU}/intel_pstate/no_turbo")).and_then(|text| switch(&text));
    let boost = text(format!("{CPU}/cpufreq/boost")).and_then(|text| switch(&text));
    Processor {
        cores: crate::host::cores().len().max(1),
        quota: quota.and_then(|text| cores_of(&text)),
        load: text("/proc/loadavg").and_then(|text| text.split_whitespace().next()?.parse().ok()),
        governor: line(&format!("{CPU}/cpu0/cpufreq/scaling_governor")),
        smt: text(format!("{CPU}/smt/active")).and_then(|text| switch(&text)),
        boost: boost.or(no_turbo.map(|off| !off)),
        is_virtual: text("/proc/cpuinfo").and_then(|text| is_virtual(&text)),
        steal: text("/proc/stat").and_then(|text| steal(&text)),
        clocksource: line("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        timer_slack: line("/proc/self/timerslack_ns")
            .and_then(|text| text.parse().ok().map(Duration::from_nanos)),
        run_delay: Some(run_delay()),
    }
}

fn run_delay() -> RunDelay {
    if sandbox::hides_bots() {
        return RunDelay::Hidden;
    }
    ProcessRecord::of_this_thread().main().map_or(RunDelay::NotCounted, |_| RunDelay::Told)
}

/// Measures for less than 300 ms how this machine keeps time.
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

/// The share of time that was stolen, from the first line of `/proc/stat`. The times of guests are in those of users.
fn steal(stat: &str) -> Option<f64> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<f64> =
        line.split_whitespace().take(8).map(|ticks| ticks.parse().ok()).collect::<Option<_>>()?;
    let all: f64 = ticks.iter().sum();
    (ticks.len() == 8 && all > 0.0).then(|| ticks[7] / all)
}

/// Cores' worth of time in `cpu.max`: `150000 100000` is one and a half, `max 100000` no limit.
fn cores_of(cpu_max: &str) -> Option<f64> {
    let mut words = cpu_max.split_whitespace();
    let (time, period): (f64, f64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    (period > 0.0).then(|| time / period)
}

/// A setting that does not exist forbids nothing.
fn namespaces_forbidden_by() -> Option<&'static str> {
    let settings = [
        ("kernel.unprivileged_userns_clone", "0"),
        ("kernel.apparmor_restrict_unprivileged_userns", "1"),
        ("user.max_user_namespaces", "0"),
    ];
    let is_set =
        |name: &str, to: &str| line(&format!("/proc/sys/{}", name.replace('.', "/"))).as_deref() == Some(to);
    settings.into_iter().find(|(name, forbids)| is_set(name, forbids)).map(|(name, _)| name)
}

/// Whether `/proc/cpuinfo` speaks of a hypervisor. Only x86 says so.
fn is_virtual(cpuinfo: &str) -> Option<bool> {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"))?;
    Some(flags.split_whitespace().any(|flag| flag == "hypervisor"))
}

fn switch(text: &str) -> Option<bool> {
    match text.trim() {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_time_is_read() {
        let stat = "cpu  700 0 100 100 0 0 0 100 50 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(steal(stat), Some(0.1));
        assert_eq!(steal("cpu  0 0 0 0 0 0 0 0 0 0\n"), None);
        assert_eq!(steal("cpu  1 2 3\n"), None);
    }

    #[test]
    fn a_quota_is_told_in_cores_and_max_is_none() {
        assert_eq!(cores_of("150000 100000\n"), Some(1.5));
        assert_eq!(cores_of("max 100000\n"), None);
    }

    #[test]
    fn a_hypervisor_is_a_flag_of_the_processor() {
        let of = |flags| format!("processor\t: 0\nflags\t\t: fpu {flags} tsc\n");
        assert_eq!(is_virtual(&of("hypervisor")), Some(true));
        assert_eq!(is_virtual(&of("sse")), Some(false));
        assert_eq!(is_virtual("Features : fp asimd\n"), None);
        assert_eq!(
            (switch("1\n"), switch("0\n"), switch("<not supported>")),
            (Some(true), Some(false), None)
        );
    }
}
