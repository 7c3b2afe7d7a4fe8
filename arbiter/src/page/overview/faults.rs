//! What went wrong, with what plays it again.

use super::Overview;
use crate::page::counted::{Fault, MOST_FAULTS};
use crate::page::html::Html;
use crate::report::count;

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
            html.raw("<ol class=\"faults\">");
            let told = &counted.faults[..counted.faults.len().min(MOST_FAULTS)];
            told.iter().for_each(|fault| self.fault(html, fault));
            html.raw("</ol>");
            let more = counted.all_faults - told.len() as u64;
            if more > 0 {
                html.raw("<p>").text(format_args!("{more} more are told in the report itself.")).raw("</p>");
            }
        }
        html.raw("</section>");
    }

    /// A fault, with what plays it again and what the bot printed.
    pub(super) fn fault(&self, html: &mut Html, fault: &Fault) {
        let record = &fault.record;
        html.raw("<li><p><span class=\"tag bad\">").text(&record.kind).raw("</span> <b>");
        html.text(self.name(fault.player)).raw("</b> ");
        // A sentence that ends with why a move was refused has a full stop.
        let sentence = record.sentence.as_deref().unwrap_or(&record.kind);
        html.text(sentence.trim_end_matches('.')).raw("<span class=\"quiet\">, in ");
        self.game_link(html, fault.game, Some(fault.ply));
        html.raw(" after ").text(count(fault.ply as u32, "move")).raw("</span></p>");
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
