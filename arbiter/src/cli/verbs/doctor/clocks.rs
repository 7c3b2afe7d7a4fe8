//! What makes clocks unreliable here: the processor, other work and other machines on it, swap, sleepers woken late.

use super::{Line, note, ok, warning};
use crate::host::machine::{Measured, Processor, RunDelay};
use crate::referee::Policy;
use std::time::Duration;

/// A sleeper that is woken later than this makes short times unfair.
const LATE: Duration = Duration::from_millis(1);
/// A share of time taken by other machines that shows in results.
const STOLEN: f64 = 0.01;

pub(super) fn processor(processor: &Processor) -> Vec<Line> {
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
    lines.extend(processor.run_delay.map(run_delay));
    lines
}

fn run_delay(told: RunDelay) -> Line {
    let (finding, advice) = match told {
        RunDelay::Told => {
            return ok("run delay", "how long bots wait for a core is told, and charged to nobody");
        }
        RunDelay::NotCounted => (
            "the kernel does not tell how long bots wait for a core: beside other work they are charged with more than \
             they used, though none loses by it",
            "a kernel with CONFIG_SCHED_INFO, or fewer --jobs than cores",
        ),
        RunDelay::Hidden => (
            "/proc hides what bots are doing (hidepid): one that sleeps loses only after 10 s and ten times its time, and \
             beside other work bots are charged with more than they used, though none loses by it",
            "a kernel with Landlock, /proc mounted without hidepid, or arbiter as root",
        ),
    };
    warning("run delay", finding, advice)
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

pub(super) fn swap(swap: Option<(u64, u64)>) -> Option<Line> {
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

pub(super) fn timing(measured: &Measured) -> Line {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let finding = format!(
        "sleepers woke {:.2} ms late, {:.2} ms at worst; a busy thread stood still for {:.2} ms at worst",
        ms(measured.overshoot),
        ms(measured.worst_overshoot),
        ms(measured.longest_gap)
    );
    if measured.overshoot > LATE || measured.longest_gap > Policy::MARGIN {
        return warning("timing", finding, "end other work, use fewer --jobs, or a wider --margin");
    }
    if measured.worst_overshoot > Policy::MARGIN {
        return note(
            "timing",
            finding,
            "other work gets in the way at times: times of single moves may be off",
        );
    }
    ok("timing", finding)
}
