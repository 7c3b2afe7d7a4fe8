//! `--isolate`: what holds bots besides the sandbox, and what to do where it cannot be had.

use crate::cli::Failure;
use crate::cli::failure::machine_failed;
use crate::host::machine::{self, Machine, Offer};
use crate::host::{Host, Isolation, Means, Unavailable};

/// Checks that this machine offers the isolation that is asked for.
pub(crate) fn check(host: &Host, isolation: Isolation) -> Result<(), Failure> {
    host.check(isolation).map_err(|unavailable| {
        if let Err(failure) = host.can_start() {
            return machine_failed("processes", &failure);
        }
        let word = unavailable.means.word();
        Failure::usage(format!("bots cannot be isolated by --isolate {word} here"))
            .because(&unavailable)
            .hint(hint(&unavailable, &machine::look()))
    })
}

/// What to do next. On other systems than Linux, nothing can bring it.
fn hint(unavailable: &Unavailable, machine: &Machine) -> String {
    match machine.system {
        "linux" => format!("{}; arbiter doctor tells more", advice(unavailable, &machine.offer)),
        _ => {
            "the same command without --isolate, with bots that you trust; what it adds exists on Linux only"
                .to_owned()
        }
    }
}

/// How to get a means of isolation that this machine does not offer yet.
pub(crate) fn advice(unavailable: &Unavailable, offer: &Offer) -> &'static str {
    match (unavailable.means, offer.namespaces_forbidden_by, offer.has_cgroups) {
        (Means::Namespaces, Some(setting), _) => setting_advice(setting),
        (Means::Namespaces, ..) if offer.is_root => {
            "a container with the capability SYS_ADMIN, or arbiter outside of containers"
        }
        (Means::Namespaces, ..) => "arbiter outside of containers, or as root, which needs no user namespace",
        (Means::Cgroup, _, false) => {
            "systemd.unified_cgroup_hierarchy=1 on the kernel's command line, from 5.7 on, for groups of version 2"
        }
        (Means::Cgroup, ..) if offer.is_root => "systemd-run --scope -p Delegate=yes arbiter …",
        (Means::Cgroup, ..) => "systemd-run --user --scope -p Delegate=yes arbiter …",
    }
}

fn setting_advice(setting: &str) -> &'static str {
    match setting {
        "kernel.unprivileged_userns_clone" => {
            "sysctl kernel.unprivileged_userns_clone=1 as root, or arbiter as root"
        }
        "kernel.apparmor_restrict_unprivileged_userns" => {
            "sysctl kernel.apparmor_restrict_unprivileged_userns=0 as root, or arbiter as root"
        }
        _ => "sysctl user.max_user_namespaces=10000 as root, or arbiter as root",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_linux_has_is_not_advised_elsewhere() {
        let unavailable = Unavailable { means: Means::Cgroup, problem: "only Linux has it".to_owned() };
        let on = |system| hint(&unavailable, &Machine { system, ..Machine::default() });
        assert!(on("linux").contains("kernel"), "{}", on("linux"));
        for system in ["windows", "macos"] {
            let told = on(system);
            assert!(told.contains("without --isolate") && !told.contains("kernel"), "{told}");
        }
    }
}
