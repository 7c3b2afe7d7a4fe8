//! `arbiter doctor`: what this machine offers, which bots need and clocks rely on, and what to do about the rest.

mod clocks;
mod containment;

use crate::check::Level;
use crate::cli::options::RuntimeArgs;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::machine::{self, Machine, Measured, Tier};
use crate::host::{Host, Isolation, LoadError, Means, Unavailable};
use crate::report::Format;
use crate::sanitize::sanitize;
use crate::verdict::MachineFailure;
use clap::Args;
use clocks::{processor, swap, timing};
use containment::{containment, isolated, limits, not_started, tier};
use serde_json::json;

#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    languages: RuntimeArgs,
    /// Print one JSON object for each line
    #[arg(long)]
    json: bool,
}

pub(crate) fn doctor(args: &DoctorArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let host = &args.languages.host(host);
    let machine = machine::look();
    let tried = Tried::on(host, &machine);
    let mut tell = |line: Line| match args.json {
        true => out.json(&line.json()),
        false => out.told(&(line.text() + "\n"), Format::Table),
    };
    judge(&machine, &machine::measure(), &tried).into_iter().try_for_each(&mut tell)?;
    // An interpreter may take a while to answer, and nobody shall wait for the rest meanwhile.
    let languages = host.languages();
    languages.iter().try_for_each(|(name, runtime)| tell(language(name, runtime.as_ref())))?;
    let is_held = machine.offer.tier() > Tier::Process && tried.started.is_ok();
    Ok(if is_held { ExitCode::Done } else { ExitCode::CheckFailed })
}

/// What has come of trying to start bots' processes.
struct Tried {
    /// With the filter and closed files alone.
    started: Result<(), MachineFailure>,
    /// With each of the means of isolation besides. Nothing where no process starts at all.
    isolation: Vec<(Means, Result<(), Unavailable>)>,
}

impl Tried {
    fn on(host: &Host, machine: &Machine) -> Tried {
        let mut isolation = Vec::new();
        // A control group comes first: arbiter may have to leave its own, and that must be empty then.
        for means in Means::ALL {
            let tried = host.check(Isolation::of(&[means]));
            if tried.is_err() && machine.offer.tier() > Tier::Process {
                let started = host.can_start();
                if started.is_err() {
                    return Tried { started, isolation: Vec::new() };
                }
            }
            isolation.push((means, tried));
        }
        Tried { started: Ok(()), isolation }
    }
}

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

/// What runs bots in a language here, or why nothing does.
fn language(name: &str, runtime: Result<&String, &LoadError>) -> Line {
    match runtime {
        Ok(runtime) => ok("languages", format!("bots in {name} run in {runtime}")),
        Err(why) => note("languages", why.to_string(), "bots in other languages play all the same"),
    }
}

fn judge(machine: &Machine, measured: &Measured, tried: &Tried) -> Vec<Line> {
    let mut lines = vec![tier(machine)];
    if machine.system == "linux" {
        lines.extend(containment(machine));
        lines.extend(tried.started.as_ref().err().map(not_started));
        lines.extend(tried.isolation.iter().map(|(means, tried)| isolated(*means, tried, &machine.offer)));
        lines.extend(limits(&machine.limits));
    }
    lines.extend(processor(&machine.processor));
    lines.extend(swap(machine.swap));
    if machine.system == "linux" {
        lines.push(timing(measured));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::machine::{Offer, ProcessLimits, Processor, RunDelay};
    use std::time::Duration;

    fn good() -> Machine {
        Machine {
            system: "linux",
            architecture: "x86_64",
            kernel: Some("6.8.0".to_owned()),
            offer: Offer {
                missing: None,
                no_new_privs: true,
                seccomp: true,
                stuck_workers: None,
                listener: true,
                landlock: Some(5),
                namespaces_forbidden_by: None,
                has_cgroups: true,
                is_root: false,
                memfd: true,
                pidfd: true,
                close_range: true,
            },
            limits: ProcessLimits::default(),
            processor: Processor {
                cores: 4,
                load: Some(0.1),
                run_delay: Some(RunDelay::Told),
                ..Processor::default()
            },
            swap: Some((0, 1 << 30)),
        }
    }

    fn had() -> Tried {
        Tried { started: Ok(()), isolation: Means::ALL.map(|means| (means, Ok(()))).into() }
    }

    #[test]
    fn what_cannot_be_had_is_told_with_the_reason_and_the_way_to_get_it() {
        let forbidden = Some("kernel.apparmor_restrict_unprivileged_userns");
        let offers = [
            (
                Means::Namespaces,
                Offer { namespaces_forbidden_by: forbidden, ..good().offer },
                "apparmor_restrict",
            ),
            (Means::Namespaces, Offer { is_root: true, ..good().offer }, "SYS_ADMIN"),
            (Means::Cgroup, Offer { has_cgroups: false, ..good().offer }, "unified_cgroup_hierarchy"),
            (Means::Cgroup, good().offer, "systemd-run --user"),
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
    fn a_machine_that_cannot_filter_calls_starts_no_bot_or_says_what_it_can_do() {
        let bare = Machine { offer: Offer { seccomp: false, ..good().offer }, ..good() };
        let (level, text) = told(&bare, "containment");
        assert_eq!(level, Level::Warning);
        assert!(text.contains("no bot is started") && !text.contains("trust"), "{text}");
        let elsewhere = Machine { system: "macos", architecture: "aarch64", ..Machine::default() };
        let (level, text) = told(&elsewhere, "containment");
        assert_eq!(level, Level::Warning);
        assert!(text.contains("no filter") && text.contains("can do what you can"), "{text}");
    }

    #[test]
    fn a_machine_without_the_files_that_processes_need_says_which_one_is_not_there() {
        let bare = Machine { offer: Offer { missing: Some("/dev/null"), ..good().offer }, ..good() };
        let (level, text) = told(&bare, "files");
        assert_eq!(level, Level::Warning);
        assert!(text.contains("no /dev/null") && text.contains("no bot can be started"), "{text}");
    }

    #[test]
    fn whatever_makes_clocks_unreliable_is_told_with_what_to_do() {
        let bad = Processor {
            cores: 4,
            quota: Some(1.5),
            load: Some(5.0),
            governor: Some("powersave".to_owned()),
            smt: Some(true),
            boost: Some(true),
            is_virtual: Some(true),
            steal: Some(0.05),
            clocksource: Some("hpet".to_owned()),
            run_delay: Some(RunDelay::NotCounted),
            ..Processor::default()
        };
        for (topic, level, advice) in [
            ("cores", Level::Warning, "--jobs"),
            ("load", Level::Warning, "--jobs"),
            ("frequency", Level::Note, "performance"),
            ("SMT", Level::Note, "--jobs"),
            ("boost", Level::Note, "--jobs"),
            ("virtual", Level::Note, "steal"),
            ("steal", Level::Warning, "--margin"),
            ("clock", Level::Note, "tsc"),
            ("run delay", Level::Warning, "CONFIG_SCHED_INFO"),
        ] {
            let (found, text) = told(&Machine { processor: bad.clone(), ..good() }, topic);
            assert_eq!(found, level, "{text}");
            assert!(text.contains("try: ") && text.contains(advice), "{text}");
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
