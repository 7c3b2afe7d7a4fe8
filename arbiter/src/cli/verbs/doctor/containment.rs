//! What holds bots here: filters, closed files, `--isolate`, and the limits that they have to fit into.

use super::{Line, note, ok, warning};
use crate::cli::options::isolation::advice;
use crate::host::machine::{Machine, Offer, ProcessLimits, Tier};
use crate::host::{Means, Unavailable};
use crate::verdict::MachineFailure;

/// Memory that a bot's process may reserve.
const ADDRESSES: u64 = 3 << 30;
/// Open files that a match needs for each worker, and some.
const FILES: u64 = 256;
/// Processes and threads of a user that a match needs.
const PROCESSES: u64 = 128;
/// The stack that the header promises to bots.
const STACK: u64 = 8 << 20;
/// A game in which bots think for an hour is a long one.
const PROCESSOR_SECONDS: u64 = 3600;

pub(super) fn tier(machine: &Machine) -> Line {
    let kernel = machine.kernel.as_deref().unwrap_or_default();
    let system = format!("{} {kernel} ({})", machine.system, machine.architecture);
    match machine.offer.tier() {
        Tier::FilterAndFiles => ok(
            "containment",
            format!("{system}: processes can be held by filters of calls and by closed files"),
        ),
        Tier::Filter => note(
            "containment",
            format!(
                "{system}: processes can be held by filters of calls, but files cannot be closed to them"
            ),
            "a kernel from 5.13 on with Landlock among its security modules (lsm=landlock,…) closes files as well",
        ),
        Tier::Process if machine.system == "linux" => warning(
            "containment",
            format!("{system}: calls cannot be filtered, without which no bot is started"),
            "what the lines below say of no_new_privs and seccomp",
        ),
        Tier::Process => warning(
            "containment",
            format!(
                "{}: a bot is a separate process, killed on its deadline; there is no filter, so it can do what you can",
                system.replace("  ", " ")
            ),
            "let only bots of people you trust play here; strangers' bots belong on Linux",
        ),
    }
}

pub(super) fn containment(machine: &Machine) -> Vec<Line> {
    let offer = &machine.offer;
    let means = |has: bool, name: &'static str, without: &'static str| match has {
        true => ok(name, "available"),
        false => warning(name, "not available", without),
    };
    let mut lines = vec![means(offer.no_new_privs, "no_new_privs", "a kernel from 3.5 on")];
    if let Some(file) = offer.missing {
        let advice = "mount -t proc proc /proc, and a /dev as containers and chroots have it";
        lines.push(warning(
            "files",
            format!("there is no {file}, without which no bot can be started"),
            advice,
        ));
    }
    if let Some(workers) = offer.stuck_workers {
        let finding =
            format!("no filter can be installed any more: {workers} workers of the kernel are stuck");
        lines.push(warning(
            "kernel",
            finding,
            "restart the machine; nothing else helps, and no bot can be contained",
        ));
    }
    lines.extend([
        means(
            offer.seccomp,
            "seccomp",
            "a kernel with CONFIG_SECCOMP_FILTER; in a container, one that allows filters",
        ),
        means(offer.memfd, "memfd", "a kernel from 3.17 on: without it no bot can be started"),
        means(offer.pidfd, "pidfd", "a kernel from 5.3 on: without it no bot can be started"),
        means(offer.close_range, "close_range", "a kernel from 5.9 on: without it no bot can be started"),
    ]);
    if offer.seccomp && !offer.listener {
        lines.push(note(
            "listener",
            "another program hears of filtered calls already: some forbidden calls stay without a name, and \
             threads are counted for root only",
            "run arbiter outside the container or sandbox that it is in",
        ));
    }
    lines.push(match offer.landlock {
        Some(version) => ok("landlock", format!("ABI {version}")),
        None => {
            note("landlock", "not available", "lsm=landlock,… on the kernel's command line, from 5.13 on")
        }
    });
    lines.push(if offer.is_root {
        note(
            "user",
            "root: bots are run as an unprivileged user, since limits do not hold for root",
            "start arbiter as an ordinary user where you can",
        )
    } else {
        ok("user", "not root")
    });
    lines
}

/// Why no bot can be started, whatever it is.
pub(super) fn not_started(failure: &MachineFailure) -> Line {
    let advice = "the lines above and below say what is scarce; where nothing is, install arbiter anew, `arbiter-host` with it";
    warning("start", format!("a bot's process {}", failure.sentence()), advice)
}

/// What `--isolate` would add, and whether it can.
pub(super) fn isolated(means: Means, tried: &Result<(), Unavailable>, offer: &Offer) -> Line {
    let adds = match means {
        Means::Namespaces => {
            "--isolate namespaces leaves a bot no process within reach but its own, should it ever get past the filter"
        }
        Means::Cgroup => {
            "--isolate cgroup counts a bot's memory as it is used, and not as it is reserved, and lets the kernel \
             count its threads"
        }
    };
    match tried {
        Ok(()) => ok(means.word(), format!("available: {adds}")),
        Err(error) => note(
            means.word(),
            format!("not available: {error}. Bots are held without; {adds}"),
            advice(error, offer),
        ),
    }
}

pub(super) fn limits(limits: &ProcessLimits) -> Vec<Line> {
    let rows = [
        ("processes", limits.processes, PROCESSES, "ulimit -u 4096"),
        ("addresses", limits.addresses, ADDRESSES, "ulimit -v unlimited, or matches with less --memory"),
        ("open files", limits.files, FILES, "ulimit -n 1024"),
        (
            "cpu seconds",
            limits.processor_time,
            PROCESSOR_SECONDS,
            "ulimit -Ht unlimited: the system ends a bot that computes for longer in a game",
        ),
        ("stack", limits.stack, STACK, "ulimit -Hs 16384: bots are promised 8 MiB"),
    ];
    let judge = |(topic, limit, least, advice): (&'static str, Option<u64>, u64, &'static str)| match limit {
        Some(limit) if limit < least => {
            warning(topic, format!("limited to {limit}; {least} are needed"), advice)
        }
        Some(limit) => ok(topic, format!("limited to {limit}")),
        None => ok(topic, "not limited"),
    };
    rows.into_iter().map(judge).collect()
}
