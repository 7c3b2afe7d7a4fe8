//! How it was played: rules, limits, machine.

use super::{Overview, fact};
use crate::page::html::Html;
use crate::page::times::time;
use crate::record::schema::{ClockKind, Plan, Player};
use crate::report::{count, instructions};

impl Overview<'_> {
    pub(super) fn about(&self, html: &mut Html) {
        let report = self.report;
        let plan = &report.plan;
        self.card(html, "about", "How it was played", "card wide about");
        html.raw("<dl class=\"facts\">");
        let mut say = |name, value: String| fact(html, name, &value);
        let options: Vec<String> = plan.options.iter().map(|(key, value)| format!("{key} {value}")).collect();
        say("Game", format!("{} (rules version {})", plan.game, plan.rules_version));
        say("Options", options.join(", "));
        let times: std::collections::BTreeSet<String> =
            plan.players.iter().map(|player| time_control(plan, player)).collect();
        say("Time", times.into_iter().take(6).collect::<Vec<_>>().join("; "));
        say(
            "Errors",
            match plan.max_errors {
                0 => "any number is forgiven".to_owned(),
                most => format!("number {most} loses the game"),
            },
        );
        say("Seed", plan.seed.clone());
        let when = |date: &Option<String>| {
            date.as_deref()
                .map(|date| date.chars().take(19).collect::<String>().replace('T', " "))
                .unwrap_or_default()
        };
        let span = match (when(&report.started), when(&report.finished)) {
            (from, to) if to.is_empty() => from,
            (from, to) => format!("{from} – {to} UTC"),
        };
        say("When", span);
        if let Some(machine) = &report.machine {
            let processor = machine.processor.as_deref().unwrap_or(&machine.arch);
            say(
                "Machine",
                format!(
                    "{processor}, {}, {} at a time",
                    count(machine.cores, "core"),
                    count(machine.jobs, "game")
                ),
            );
        }
        say("Written by", format!("arbiter {}", report.arbiter));
        html.raw("</dl></section>");
    }
}

/// `100 ms a move`, `60 s + 1 s`, `no limit`.
pub(super) fn time_control(plan: &Plan, player: &Player) -> String {
    let told = |ns: u64| time(ns as f64);
    match (player.time.move_ns, player.time.base_ns) {
        (Some(limit), _) if plan.clock == Some(ClockKind::Instructions) => {
            format!("{} a move", instructions(limit))
        }
        (Some(limit), _) => format!("{} a move", told(limit)),
        (None, Some(base)) => match player.time.increment_ns {
            Some(increment) if increment > 0 => format!("{} + {}", told(base), told(increment)),
            _ => format!("{} a game", told(base)),
        },
        (None, None) => "no limit".to_owned(),
    }
}
