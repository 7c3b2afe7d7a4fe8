//! The texts of the system's files, read. Nothing here touches a file.

use super::{Cgroup, Namespaces};
use std::time::Duration;

/// The number after a name in `/proc/self/status` or `/proc/meminfo`: `VmHWM:  1234 kB`.
pub(super) fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A number of kibibytes after a name, in bytes.
pub(super) fn kibibytes(text: &str, name: &str) -> Option<u64> {
    field(text, name)?.checked_mul(1024)
}

/// The second number of `/proc/PID/schedstat`: time ready to run, but not running.
pub(super) fn run_delay(schedstat: &str) -> Option<Duration> {
    schedstat.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// The first number of `/proc/loadavg`.
pub(super) fn load(loadavg: &str) -> Option<f64> {
    loadavg.split_whitespace().next()?.parse().ok()
}

/// The share of time that was stolen, from the first line of `/proc/stat`. The times of guests are in those of users.
pub(super) fn steal(stat: &str) -> Option<f64> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<f64> =
        line.split_whitespace().take(8).map(|ticks| ticks.parse().ok()).collect::<Option<_>>()?;
    let all: f64 = ticks.iter().sum();
    (ticks.len() == 8 && all > 0.0).then(|| ticks[7] / all)
}

/// Cores' worth of time in `cpu.max`: `150000 100000` is one and a half, `max 100000` no limit.
pub(super) fn quota(cpu_max: &str) -> Option<f64> {
    let mut words = cpu_max.split_whitespace();
    let (time, period): (f64, f64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    (period > 0.0).then(|| time / period)
}

/// Our place among the groups of version 2, from `/proc/self/cgroup`: `0::/user.slice` is `/user.slice`.
pub(super) fn group(cgroup: &str) -> Option<&str> {
    cgroup.lines().find_map(|line| line.strip_prefix("0::"))
}

/// What the files of our group say: its controllers, and whether groups can be made in it.
pub(super) fn cgroup(controllers: Option<&str>, is_writable: bool) -> Cgroup {
    let has = |name| controllers.is_some_and(|list| list.split_whitespace().any(|word| word == name));
    match (has("memory") && has("pids"), is_writable) {
        (true, true) => Cgroup::Delegated,
        (true, false) => Cgroup::NotDelegated,
        (false, _) => Cgroup::None,
    }
}

/// What the settings say of namespaces; a setting that does not exist forbids nothing.
pub(super) fn namespaces(clone: Option<&str>, apparmor: Option<&str>, most: Option<&str>) -> Namespaces {
    let is = |text: Option<&str>, value| text.map(str::trim) == Some(value);
    match () {
        () if is(clone, "0") => Namespaces::ForbiddenBy("kernel.unprivileged_userns_clone"),
        () if is(apparmor, "1") => Namespaces::ForbiddenBy("kernel.apparmor_restrict_unprivileged_userns"),
        () if is(most, "0") => Namespaces::ForbiddenBy("user.max_user_namespaces"),
        () if most.is_some() => Namespaces::Allowed,
        () => Namespaces::Unknown,
    }
}

/// Whether `/proc/cpuinfo` speaks of a hypervisor. Only x86 says so.
pub(super) fn is_virtual(cpuinfo: &str) -> Option<bool> {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"))?;
    Some(flags.split_whitespace().any(|flag| flag == "hypervisor"))
}

/// `1` or `0`.
pub(super) fn switch(text: &str) -> Option<bool> {
    match text.trim() {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

/// The second number of `statm` less the third: pages that are in use and shared with nobody.
pub(super) fn private_pages(statm: &str) -> Option<u64> {
    let mut numbers = statm.split_whitespace().skip(1).map(|number| number.parse::<u64>().ok());
    let (resident, shared) = (numbers.next()??, numbers.next()??);
    resident.checked_sub(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str =
        "Name:\tarbiter\nVmPeak:\t    9012 kB\nVmHWM:\t    5340 kB\nSeccomp:\t0\nNoNewPrivs:\t1\n";

    #[test]
    fn private_memory_is_what_is_in_use_less_what_is_shared() {
        assert_eq!(private_pages("9000 700 200 3 0 600 0"), Some(500));
        assert_eq!((private_pages("9000 100 200"), private_pages("9000 x")), (None, None));
    }

    #[test]
    fn numbers_of_a_process_are_found_by_their_names() {
        assert_eq!(field(STATUS, "NoNewPrivs"), Some(1));
        assert_eq!(kibibytes(STATUS, "VmHWM"), Some(5340 * 1024));
        assert_eq!(field(STATUS, "Vm"), None);
        assert_eq!(field("VmHWM:\n", "VmHWM"), None);
        let meminfo = "MemTotal:  8123456 kB\nSwapTotal:  2097148 kB\nSwapFree:  1048574 kB\n";
        assert_eq!(kibibytes(meminfo, "SwapFree"), Some(1_048_574 * 1024));
    }

    #[test]
    fn waiting_for_the_processor_is_the_second_number_of_schedstat() {
        assert_eq!(run_delay("79287 2768163 2\n"), Some(Duration::from_nanos(2_768_163)));
        assert_eq!(run_delay(""), None);
    }

    #[test]
    fn load_and_stolen_time_are_read() {
        assert_eq!(load("1.02 2.35 2.98 3/119 13642\n"), Some(1.02));
        let stat = "cpu  700 0 100 100 0 0 0 100 50 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(steal(stat), Some(0.1));
        assert_eq!(steal("cpu  0 0 0 0 0 0 0 0 0 0\n"), None);
        assert_eq!(steal("cpu  1 2 3\n"), None);
    }

    #[test]
    fn a_quota_is_told_in_cores_and_max_is_none() {
        assert_eq!(quota("150000 100000\n"), Some(1.5));
        assert_eq!(quota("max 100000\n"), None);
    }

    #[test]
    fn only_a_group_of_version_2_counts_and_only_if_groups_can_be_made_in_it() {
        assert_eq!(group("9:name=systemd:/\n4:memory:/a\n0::/user.slice\n"), Some("/user.slice"));
        assert_eq!(group("4:memory:/a\n"), None);
        assert_eq!(cgroup(Some("cpu memory pids\n"), true), Cgroup::Delegated);
        assert_eq!(cgroup(Some("cpu memory pids\n"), false), Cgroup::NotDelegated);
        assert_eq!(cgroup(Some("cpu\n"), true), Cgroup::None);
        assert_eq!(cgroup(None, true), Cgroup::None);
    }

    #[test]
    fn whatever_forbids_namespaces_is_named() {
        let apparmor = Namespaces::ForbiddenBy("kernel.apparmor_restrict_unprivileged_userns");
        assert_eq!(namespaces(None, Some("1\n"), Some("96365\n")), apparmor);
        let clone = Namespaces::ForbiddenBy("kernel.unprivileged_userns_clone");
        assert_eq!(namespaces(Some("0\n"), None, Some("1\n")), clone);
        let most = Namespaces::ForbiddenBy("user.max_user_namespaces");
        assert_eq!(namespaces(Some("1"), Some("0"), Some("0\n")), most);
        assert_eq!(namespaces(None, None, Some("96365\n")), Namespaces::Allowed);
        assert_eq!(namespaces(None, None, None), Namespaces::Unknown);
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
