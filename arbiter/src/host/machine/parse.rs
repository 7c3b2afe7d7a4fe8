//! The texts of the system's files, read. Nothing here touches a file.

use super::{Cgroup, Namespaces};

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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_group_counts_only_if_groups_can_be_made_in_it() {
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
