//! `arbiter doctor`: what this machine offers, which bots need and clocks rely on, and what to do about the rest.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::isolation::advice;
use super::output::Output;
use crate::check::Level;
use crate::host::machine::{self, Machine, Measured, Offer, ProcessLimits, Processor, Tier};
use crate::host::{Isolation, Means, Unavailable};
use crate::sanitize::sanitize;
use clap::Args;
use serde_json::json;
use std::time::Duration;

/// Arguments of `arbiter doctor`.
#[derive(Args, Debug)]
pub(super) struct DoctorArgs {
    /// Print one JSON object for each line
    #[arg(long)]
    json: bool,
}

/// Memory that a bot's process may reserve.
const ADDRESSES: u64 = 3 << 30;
/// Open files that a match needs for each worker, and some.
const FILES: u64 = 256;
/// Processes and threads of a user that a match needs.
const PROCESSES: u64 = 128;
/// The stack that the header promises to bots.
const STACK: u64 = 8 << 20;
/// A sleeper that is woken later than this makes short times unfair.
const LATE: Duration = Duration::from_millis(1);
/// A gap that a margin of 5 ms does not forgive.
const GAP: Duration = Duration::from_millis(5);
/// A share of time taken by other machines that shows in results.
const STOLEN: f64 = 0.01;

/// Runs `arbiter doctor`.
///
/// # Errors
/// Output that cannot be written.
pub(super) fn doctor(args: &DoctorArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let machine = machine::look();
    // Before anything else is started: it may have to leave its control group, and that must be empty then.
    let isolation = Means::ALL.map(|means| (means, Isolation::of(&[means]).check()));
    for line in judge(&machine, &machine::measure(), &isolation) {
        out.line(&if args.json { line.json().to_string() } else { line.text() })?;
    }
    let is_held = machine.offer.tier() > Tier::Process;
    Ok(if is_held { ExitCode::Done } else { ExitCode::CheckFailed })
}

/// One line of the report.
#[derive(Debug)]
struct Line {
    level: Level,
    topic: &'static str,
    finding: String,
    advice: &'static str,
}

impl Line {
    fn text(&self) -> String {
        let first = format!("{:<8} {:<14} {}", self.level.word(), self.topic, self.finding);
        let advice = if self.advice.is_empty() { "" } else { "\n                        try: " };
        format!("{}{advice}{}", sanitize(&first), self.advice)
    }

    fn json(&self) -> serde_json::Value {
        json!({ "level": self.level.word(), "topic": self.topic, "finding": self.finding, "try": self.advice })
    }
}

fn ok(topic: &'static str, finding: impl Into<String>) -> Line {
    Line { level: Level::Ok, topic, finding: finding.into(), advice: "" }
}

fn note(topic: &'static str, finding: impl Into<String>, advice: &'static str) -> Line {
    Line { level: Level::Note, topic, finding: finding.into(), advice }
}

fn warning(topic: &'static str, finding: impl Into<String>, advice: &'static str) -> Line {
    Line { level: Level::Warning, topic, finding: finding.into(), advice }
}

/// What has come of trying to isolate bots.
type Tried = [(Means, Result<(), Unavailable>)];

/// Everything there is to say of a machine.
fn judge(machine: &Machine, measured: &Measured, isolation: &Tried) -> Vec<Line> {
    let mut lines = vec![tier(machine)];
    if machine.system == "linux" {
        lines.extend(containment(machine));
        lines.extend(isolation.iter().map(|(means, tried)| isolated(*means, tried, &machine.offer)));
        lines.extend(limits(&machine.limits));
    }
    lines.extend(processor(&machine.processor));
    lines.extend(swap(machine.swap));
    if machine.system == "linux" {
        lines.push(timing(measured));
    }
    lines
}

fn tier(machine: &Machine) -> Line {
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
            format!(
                "{system}: calls cannot be filtered: a bot is a process of its own, and can do what you can"
            ),
            "let only bots of people you trust play here, or use a kernel with seccomp filters",
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

fn containment(machine: &Machine) -> Vec<Line> {
    let offer = &machine.offer;
    let mut lines = Vec::new();
    let mut means = |has: bool, name: &'static str, without: &'static str| {
        lines.push(if has { ok(name, "available") } else { warning(name, "not available", without) });
    };
    means(offer.no_new_privs, "no_new_privs", "a kernel from 3.5 on");
    means(
        offer.seccomp,
        "seccomp",
        "a kernel with CONFIG_SECCOMP_FILTER; in a container, one that allows filters",
    );
    means(offer.memfd, "memfd", "a kernel from 3.17 on: without it no bot can be started");
    means(offer.pidfd, "pidfd", "a kernel from 5.3 on: without it no bot can be started");
    means(offer.close_range, "close_range", "a kernel from 5.9 on: without it no bot can be started");
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

/// What `--isolate` would add, and whether it can.
fn isolated(means: Means, tried: &Result<(), Unavailable>, offer: &Offer) -> Line {
    let adds = match means {
        Means::Namespaces => {
            "--isolate namespaces leaves a bot no process in sight but its own, should it ever get past the filter"
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

fn limits(limits: &ProcessLimits) -> Vec<Line> {
    let rows = [
        ("processes", limits.processes, PROCESSES, "ulimit -u 4096"),
        ("addresses", limits.addresses, ADDRESSES, "ulimit -v unlimited, or matches with less --memory"),
        ("open files", limits.files, FILES, "ulimit -n 1024"),
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

fn processor(processor: &Processor) -> Vec<Line> {
    let mut lines = vec![cores(processor)];
    lines.extend(processor.load.map(|load| {
        let (cores, finding) = (processor.cores as f64, format!("{load:.2} on {} cores", processor.cores));
        match load {
            load if load >= cores => warning("load", finding, "end other work, or use fewer --jobs"),
            load if load >= cores / 2.0 => {
                note("load", finding, "fewer --jobs leave room for the other work")
            }
            _ => ok("load", finding),
        }
    }));
    lines.extend(processor.governor.as_deref().map(|governor| match governor {
        "powersave" | "conservative" | "ondemand" => note(
            "frequency",
            format!("governor {governor}: the first moves after a pause are slower"),
            "cpupower frequency-set -g performance",
        ),
        governor => ok("frequency", format!("governor {governor}")),
    }));
    lines.extend(processor.smt.map(|on| match on {
        true => note(
            "SMT",
            "on: two games on the siblings of one core slow each other down",
            "half as many --jobs as processors, where times matter",
        ),
        false => ok("SMT", "off: every processor is a core"),
    }));
    lines.extend(processor.boost.filter(|&on| on).map(|_| {
        note(
            "boost",
            "on: one game at a time runs faster than many",
            "the same --jobs in all runs to be compared",
        )
    }));
    lines.extend(
        processor.is_virtual.filter(|&is| is).map(|_| {
            note("virtual", "this is a virtual machine: others may take its time", "see steal below")
        }),
    );
    lines.extend(processor.steal.map(|share| steal(share, processor.is_virtual == Some(true))));
    lines.extend(processor.clocksource.as_deref().map(|source| match source {
        "tsc" | "arch_sys_counter" | "kvm-clock" => ok("clock", source),
        source => note(
            "clock",
            format!("{source}: every reading is a call of the kernel, slow for bots that read it often"),
            "clocksource=tsc on the kernel's command line, if the processor's counter is steady",
        ),
    }));
    lines.extend(processor.timer_slack.map(|slack| {
        let finding = format!("sleepers are woken up to {} µs late on purpose", slack.as_micros());
        if slack > LATE {
            note("timer slack", finding, "start arbiter from another shell")
        } else {
            ok("timer slack", finding)
        }
    }));
    lines
}

fn cores(processor: &Processor) -> Line {
    let cores = processor.cores;
    match processor.quota {
        Some(quota) if quota < cores as f64 => {
            let finding = format!("{cores}, but only {quota:.1} cores' worth of time are granted");
            warning(
                "cores",
                finding,
                "--jobs no higher than the whole cores that are granted: 1 where it is less than 2",
            )
        }
        _ if cores == 1 => note("cores", "1: the referee and other work share it with the bots", "--jobs 1"),
        _ => ok("cores", format!("{cores}: that many games at the same time")),
    }
}

/// What the hypervisor took since the machine was started. A bot that is late for it is excused; one that only had less
/// time to think is not.
fn steal(share: f64, is_virtual: bool) -> Line {
    let finding = format!("{:.2} % of the time since the start went to the hypervisor", share * 100.0);
    match share {
        share if share >= STOLEN => warning(
            "steal",
            format!("{finding}: bots that it makes late are excused, but all of them think less"),
            "a machine of your own, fewer --jobs than cores, or a wider --margin",
        ),
        0.0 if is_virtual => ok("steal", format!("{finding}, if it tells at all")),
        _ => ok("steal", finding),
    }
}

fn swap(swap: Option<(u64, u64)>) -> Option<Line> {
    let (used, all) = swap?;
    let finding = format!("{} of {} MiB in use", used >> 20, all >> 20);
    Some(match used {
        _ if all == 0 => ok("swap", "none"),
        0 => ok("swap", finding),
        _ => note(
            "swap",
            finding,
            "memory that comes back from disk costs milliseconds: free some, or swapoff -a",
        ),
    })
}

fn timing(measured: &Measured) -> Line {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let finding = format!(
        "sleepers woke {:.2} ms late, {:.2} ms at worst; a busy thread stood still for {:.2} ms at worst",
        ms(measured.overshoot),
        ms(measured.worst_overshoot),
        ms(measured.longest_gap)
    );
    if measured.overshoot > LATE || measured.longest_gap > GAP {
        return warning("timing", finding, "end other work, use fewer --jobs, or a wider --margin than 5ms");
    }
    if measured.worst_overshoot > GAP {
        return note(
            "timing",
            finding,
            "other work gets in the way at times: times of single moves may be off",
        );
    }
    ok("timing", finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::machine::{Cgroup, Namespaces};

    fn good() -> Machine {
        Machine {
            system: "linux",
            architecture: "x86_64",
            kernel: Some("6.8.0".to_owned()),
            offer: Offer {
                no_new_privs: true,
                seccomp: true,
                listener: true,
                landlock: Some(5),
                namespaces: Namespaces::Allowed,
                cgroup: Cgroup::Delegated,
                is_root: false,
                memfd: true,
                pidfd: true,
                close_range: true,
            },
            limits: ProcessLimits::default(),
            processor: Processor { cores: 4, load: Some(0.1), ..Processor::default() },
            swap: Some((0, 1 << 30)),
        }
    }

    fn had() -> [(Means, Result<(), Unavailable>); 2] {
        Means::ALL.map(|means| (means, Ok(())))
    }

    #[test]
    fn what_cannot_be_had_is_told_with_the_reason_and_the_way_to_get_it() {
        let forbidden = Namespaces::ForbiddenBy("kernel.apparmor_restrict_unprivileged_userns");
        let offers = [
            (Means::Namespaces, Offer { namespaces: forbidden, ..good().offer }, "apparmor_restrict"),
            (Means::Namespaces, Offer { is_root: true, ..good().offer }, "SYS_ADMIN"),
            (Means::Cgroup, Offer { cgroup: Cgroup::None, ..good().offer }, "unified_cgroup_hierarchy"),
            (Means::Cgroup, Offer { cgroup: Cgroup::NotDelegated, ..good().offer }, "systemd-run --user"),
            (Means::Cgroup, Offer { is_root: true, ..good().offer }, "systemd-run --scope"),
        ];
        for (means, offer, way) in offers {
            let error = Unavailable { means, problem: "the kernel says no".to_owned() };
            let line = isolated(means, &Err(error), &offer);
            assert_eq!(line.level, Level::Note, "bots are held without it");
            assert!(line.finding.contains("the kernel says no"), "{line:?}");
            assert!(line.finding.contains(&format!("--isolate {}", means.word())), "{line:?}");
            assert!(line.advice.contains(way), "{line:?}");
        }
    }

    #[track_caller]
    fn told(machine: &Machine, topic: &str) -> (Level, String) {
        let lines = judge(machine, &Measured::default(), &had());
        let line =
            lines.iter().find(|line| line.topic == topic).unwrap_or_else(|| panic!("no line on {topic}"));
        (line.level, line.text())
    }

    #[test]
    fn a_good_machine_gets_no_advice() {
        for line in judge(&good(), &Measured::default(), &had()) {
            assert_eq!((line.level, line.advice), (Level::Ok, ""), "{line:?}");
        }
    }

    #[test]
    fn a_machine_that_cannot_filter_calls_says_that_a_bot_can_do_what_its_user_can() {
        let bare = Machine { offer: Offer { seccomp: false, ..good().offer }, ..good() };
        let (level, text) = told(&bare, "containment");
        assert_eq!(level, Level::Warning);
        assert!(text.contains("can do what you can") && text.contains("trust"), "{text}");
        let elsewhere = Machine { system: "macos", architecture: "aarch64", ..Machine::default() };
        let (level, text) = told(&elsewhere, "containment");
        assert_eq!(level, Level::Warning);
        assert!(text.contains("separate process") && text.contains("deadline") && text.contains("no filter"));
    }

    #[test]
    fn whatever_makes_clocks_unreliable_is_told_with_what_to_do() {
        let with = |processor: Processor| Machine { processor, ..good() };
        let cores = 4;
        let cases = [
            (
                Processor { cores, quota: Some(1.5), ..Processor::default() },
                "cores",
                Level::Warning,
                "--jobs",
            ),
            (Processor { cores, load: Some(5.0), ..Processor::default() }, "load", Level::Warning, "--jobs"),
            (Processor { cores, load: Some(2.5), ..Processor::default() }, "load", Level::Note, "--jobs"),
            (
                Processor { cores, governor: Some("powersave".to_owned()), ..Processor::default() },
                "frequency",
                Level::Note,
                "performance",
            ),
            (Processor { cores, smt: Some(true), ..Processor::default() }, "SMT", Level::Note, "--jobs"),
            (Processor { cores, boost: Some(true), ..Processor::default() }, "boost", Level::Note, "--jobs"),
            (
                Processor { cores, is_virtual: Some(true), ..Processor::default() },
                "virtual",
                Level::Note,
                "steal",
            ),
            (
                Processor { cores, steal: Some(0.05), ..Processor::default() },
                "steal",
                Level::Warning,
                "--margin",
            ),
            (
                Processor { cores, clocksource: Some("hpet".to_owned()), ..Processor::default() },
                "clock",
                Level::Note,
                "tsc",
            ),
        ];
        for (processor, topic, level, advice) in cases {
            let (found, text) = told(&with(processor), topic);
            assert_eq!(found, level, "{text}");
            assert!(text.contains("try: ") && text.contains(advice), "{text}");
        }
    }

    #[test]
    fn limits_that_no_match_fits_into_are_told_with_the_command_that_raises_them() {
        let limits = ProcessLimits {
            processes: Some(20),
            addresses: Some(1 << 20),
            files: Some(64),
            stack: Some(1 << 20),
        };
        for topic in ["processes", "addresses", "open files", "stack"] {
            let (level, text) = told(&Machine { limits, ..good() }, topic);
            assert_eq!(level, Level::Warning);
            assert!(text.contains("ulimit"), "{text}");
        }
    }

    #[test]
    fn a_measured_standstill_longer_than_the_margin_is_a_warning() {
        let late = Measured { longest_gap: Duration::from_millis(9), ..Measured::default() };
        assert_eq!(timing(&late).level, Level::Warning);
        let once = Measured { worst_overshoot: Duration::from_millis(9), ..Measured::default() };
        assert_eq!(timing(&once).level, Level::Note);
    }
}
