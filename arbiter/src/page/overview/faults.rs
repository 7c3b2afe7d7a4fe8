//! What went wrong, with what plays it again.

use super::Overview;
use crate::page::counted::{Fault, MOST_FAULTS};
use crate::page::html::Html;
use crate::report::count;
use std::collections::BTreeMap;

/// How many more games are named in which a bot did the same.
const MOST_LINKS: usize = 20;

impl Overview<'_> {
    pub(super) fn faults(&self, html: &mut Html) {
        let counted = self.counted;
        if counted.all_faults == 0 && counted.refused == 0 {
            return;
        }
        self.card(html, "faults", "Faults", "card wide");
        if counted.refused > 0 {
            let were = if counted.refused == 1 { "answer was" } else { "answers were" };
            html.raw("<p>").text(format_args!("{} {were} refused", counted.refused));
            html.raw("; the replays show where. Faults of all kinds, by player: ");
            let of = |player: usize| {
                let errors = self.totals(player).errors;
                let kinds: Vec<String> =
                    errors.iter().take(8).map(|(kind, times)| format!("{times} {kind}")).collect();
                (!kinds.is_empty()).then(|| format!("{}: {}", self.name(player), kinds.join(", ")))
            };
            let all: Vec<String> = (0..self.players()).filter_map(of).collect();
            html.text(all.join("; ")).raw(".</p>");
        }
        if !counted.faults.is_empty() {
            let told = &counted.faults[..counted.faults.len().min(MOST_FAULTS)];
            self.told_faults(html, told);
            let more = counted.all_faults - told.len() as u64;
            if more > 0 {
                html.raw("<p>").text(format_args!("{more} more are told in the report itself.")).raw("</p>");
            }
        }
        html.raw("</section>");
    }

    /// Faults, each of them once: a bot that cannot be loaded loses all of its games by one.
    pub(super) fn told_faults<'b>(&self, html: &mut Html, faults: impl IntoIterator<Item = &'b Fault>) {
        let mut alike: Vec<Vec<&Fault>> = Vec::new();
        let mut places: BTreeMap<(usize, &str, Option<&str>), usize> = BTreeMap::new();
        for fault in faults {
            let what = (fault.player, &*fault.record.kind, fault.record.sentence.as_deref());
            let place = *places.entry(what).or_insert(alike.len());
            match alike.get_mut(place) {
                Some(alike) => alike.push(fault),
                None => alike.push(vec![fault]),
            }
        }
        html.raw("<ol class=\"faults\">");
        alike.iter().for_each(|alike| self.fault(html, alike));
        html.raw("</ol>");
    }

    /// A fault, with what plays it again, what the bot printed, and the other games in which the same happened.
    fn fault(&self, html: &mut Html, alike: &[&Fault]) {
        let [fault, others @ ..] = alike else { return };
        let record = &fault.record;
        html.raw("<li><p><span class=\"tag bad\">").text(&record.kind).raw("</span> <b>");
        html.text(self.name(fault.player)).raw("</b> ");
        // A sentence that ends with why a move was refused has a full stop.
        let sentence = record.sentence.as_deref().unwrap_or(&record.kind);
        html.text(sentence.trim_end_matches('.')).raw("<span class=\"quiet\">, in ");
        self.game_link(html, fault.game, Some(fault.ply));
        html.raw(" after ").text(count(fault.ply as u32, "move")).raw("</span></p>");
        if !others.is_empty() {
            html.raw("<p class=\"quiet\">The same in ");
            for (index, other) in others.iter().take(MOST_LINKS).enumerate() {
                html.raw(if index == 0 { "" } else { ", " });
                self.game_link(html, other.game, Some(other.ply));
            }
            let more = others.len().saturating_sub(MOST_LINKS);
            if more > 0 {
                html.raw(" and ").text(count(more as u32, "more game"));
            }
            html.raw("</p>");
        }
        if let Some(again) = &record.again {
            html.raw("<p class=\"again\"><span>Again:</span> <code>").text(again).raw("</code></p>");
        }
        if let Some(output) = &record.output {
            html.raw("<details><summary>What it printed</summary><pre>");
            for printed in output.lines().take(60) {
                html.text(printed).raw("\n");
            }
            html.raw("</pre></details>");
        }
        html.raw("</li>");
    }
}
