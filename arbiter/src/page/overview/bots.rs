//! Facts with their names: a section for each player, and how it was played, by rules, limits and machine.

use super::{MOST_SECTIONS, Overview};
use crate::page::counted::time;
use crate::page::html::{Html, elo};
use crate::record::schema::PlayerKind;
use crate::report::{Line, count, time_control};
use arbiter_rules::options::told;
use std::collections::BTreeSet;

impl Overview<'_> {
    pub(super) fn bots(&self, html: &mut Html) {
        let title = if self.report.plan.players.iter().all(|player| player.kind == PlayerKind::Bot) {
            "The bots"
        } else {
            "The players"
        };
        self.card(html, "bots", title, "card wide plain");
        html.raw("<div class=\"bots\">");
        self.standings.lines.iter().take(MOST_SECTIONS).for_each(|of| self.bot(html, of));
        html.raw("</div>");
        if self.players() > MOST_SECTIONS {
            html.raw("<p>Of more players only the standings are shown.</p>");
        }
        html.raw("</section>");
    }

    pub(super) fn bot(&self, html: &mut Html, of: &Line) {
        let player = of.player;
        let known = &self.report.plan.players[player];
        let totals = self.totals(player);
        html.raw("<section class=\"bot\"")
            .attr("id", format_args!("r{}-p{player}", self.number))
            .raw("><h3>");
        html.text(self.name(player)).raw("</h3><p class=\"quiet\">");
        let mut words = Vec::new();
        let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        words.extend(said(&known.version).map(|version| format!("version {version}")));
        words.extend(said(&known.author).map(|author| format!("by {author}")));
        let kind = match known.kind {
            PlayerKind::Bot => "a bot",
            PlayerKind::Program => "a program, not contained",
            PlayerKind::Human => "a person",
        };
        words.push(kind.to_owned());
        html.text(words.join(", ")).raw("</p><dl>");
        let mut say = |name, value: String| fact(html, name, &value);
        if totals.games > 0 {
            say("Place", format!("{} of {}", of.place, self.players()));
            say("Result", format!("{} won, {} drawn, {} lost", totals.wins, totals.draws, totals.losses));
        }
        if let Some(rating) = of.rating {
            let range: Vec<String> = of.interval.iter().flat_map(|of| [of.low, of.high]).map(elo).collect();
            say("Rating", format!("{} ({})", elo(rating), range.join(" to ")));
        }
        let others = self.standings.lines.iter().filter(|other| other.player != player);
        let against = others.filter_map(|other| {
            let meeting =
                self.standings.tally.meeting(player, other.player).filter(|meeting| meeting.games > 0)?;
            Some((meeting.points() / f64::from(meeting.games), other.player))
        });
        let mut against: Vec<(f64, usize)> = against.collect();
        against.sort_by(|a, b| b.0.total_cmp(&a.0));
        if let (Some(best), Some(worst)) = (against.first(), against.last())
            && best.0 > worst.0
        {
            let told =
                |(share, other): &(f64, usize)| format!("{} ({:.0} %)", self.name(*other), 100.0 * share);
            say("Best against", told(best));
            say("Worst against", told(worst));
        }
        let longest = self.counted.times[player].longest;
        if let (Some(mean), Some(longest)) = (self.standings.tally.sums.mean_move_ns(player), longest) {
            say("Time", format!("{} a move, at most {}", time(mean), time(longest.ns as f64)));
        }
        say("Limit", time_control(&self.report.plan, known));
        let searched = &self.counted.depths[player];
        let mut search = Vec::new();
        search.extend(searched.depth().filter(|depth| *depth > 0.0).map(|depth| format!("depth {depth:.1}")));
        search.extend(searched.speed().map(|speed| format!("{} positions a second", thousands(speed))));
        say("Search", search.join(", "));
        let options: Vec<String> =
            known.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        say("Options", options.join(", "));
        say("File", known.file.clone().unwrap_or_default());
        // A script is given to the bridge that plays it, whose hash is that of all scripts.
        let script = known.payload.as_ref().filter(|_| known.runtime.is_some()).map(|script| &script.sha256);
        let hash = script.or(known.sha256.as_ref());
        say("SHA-256", hash.map_or_else(String::new, |hash| hash.chars().take(16).collect()));
        html.raw("</dl></section>");
    }
}

fn thousands(number: f64) -> String {
    match number {
        number if number >= 1e6 => format!("{:.1} million", number / 1e6),
        number if number >= 1e3 => format!("{:.0} thousand", number / 1e3),
        number => format!("{number:.0}"),
    }
}

impl Overview<'_> {
    pub(super) fn about(&self, html: &mut Html) {
        let report = self.report;
        let plan = &report.plan;
        self.card(html, "about", "How it was played", "card wide about");
        html.raw("<dl class=\"facts\">");
        let mut say = |name, value: String| fact(html, name, &value);
        let options: Vec<String> =
            plan.options.iter().map(|(key, value)| told(key, &value.to_string())).collect();
        say("Game", format!("{} (rules version {})", plan.game, plan.rules_version));
        say("Options", options.join(", "));
        let times: BTreeSet<String> = plan.players.iter().map(|player| time_control(plan, player)).collect();
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

/// A fact with its name, if there is one. Of what is very long the beginning is enough: the report tells it all.
fn fact(html: &mut Html, name: &'static str, value: &str) {
    const MOST: usize = 240;
    if value.is_empty() {
        return;
    }
    html.raw("<div><dt>").raw(name).raw("</dt><dd>");
    match value.char_indices().nth(MOST) {
        Some((end, _)) => html.text(&value[..end]).raw("…"),
        None => html.text(value),
    };
    html.raw("</dd></div>");
}
