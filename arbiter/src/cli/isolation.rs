//! `--isolate`: what holds bots besides the sandbox, and what to do where it cannot be had.

use super::exit_code::ExitCode;
use super::failure::Failure;
use crate::host::machine::{self, Cgroup, Namespaces, Offer};
use crate::host::{Isolation, Means, Unavailable};
use clap::ValueEnum;

/// One of the means of isolation, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum IsolateArg {
    /// Process and IPC namespaces of its own for every bot
    Namespaces,
    /// A control group (version 2) for every bot: memory counts as it is used, not as it is reserved
    Cgroup,
}

impl IsolateArg {
    /// All that was typed.
    pub(super) fn isolation(typed: &[IsolateArg]) -> Isolation {
        let means = typed.iter().map(|means| match means {
            IsolateArg::Namespaces => Means::Namespaces,
            IsolateArg::Cgroup => Means::Cgroup,
        });
        Isolation::of(&means.collect::<Vec<_>>())
    }
}

/// Makes sure that what is asked for can be had on this machine.
///
/// # Errors
/// What cannot, why, and what to do about it.
pub(super) fn check(isolation: Isolation) -> Result<(), Failure> {
    isolation.check().map_err(|unavailable| {
        let word = unavailable.means.word();
        let offer = machine::look().offer;
        Failure::new(ExitCode::Usage, format!("bots cannot be isolated by --isolate {word} here"))
            .because(&unavailable)
            .hint(format!("{}; arbiter doctor tells more", advice(&unavailable, &offer)))
    })
}

/// What to do to get it.
pub(super) fn advice(unavailable: &Unavailable, offer: &Offer) -> &'static str {
    match (unavailable.means, &offer.namespaces, offer.cgroup) {
        (Means::Namespaces, Namespaces::ForbiddenBy(setting), _) => setting_advice(setting),
        (Means::Namespaces, ..) if offer.is_root => {
            "a container with the capability SYS_ADMIN, or arbiter outside of containers"
        }
        (Means::Namespaces, ..) => "arbiter outside of containers, or as root, which needs no user namespace",
        (Means::Cgroup, _, Cgroup::None) => {
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
