//! How long moves took, against the limit.

use super::about::time_control;
use super::{Overview, scroll};
use crate::page::axis::{Axis, bar, dot, line, stroke};
use crate::page::html::Html;
use crate::page::times::time;
use crate::record::schema::Player;

impl Overview<'_> {
    pub(super) fn times(&self, html: &mut Html) {
        let counted = &self.counted.times;
        let limit = |player: &Player| player.time.move_ns.or(player.time.base_ns).map(|ns| ns as f64);
        let players = || self.standings.lines().iter().map(|line| line.player);
        let known = || players().filter(|&player| counted[player].moves() > 0);
        let least = known().filter_map(|player| counted[player].least_ns()).fold(f64::MAX, f64::min);
        let most = known().map(|player| {
            let longest = counted[player].longest().map_or(0.0, |longest| longest.ns as f64);
            longest.max(limit(&self.report.plan.players[player]).unwrap_or(0.0))
        });
        let most = most.fold(0.0, f64::max);
        if known().next().is_none() {
            return;
        }
        let axis = Axis::log(least.max(1e3), most.max(2e3));
        self.card(html, "times", "Time a move", "card wide");
        scroll(html, "Time a move");
        html.raw("<thead><tr><th class=\"name\" scope=\"col\">Player</th>");
        html.raw("<th scope=\"col\" class=\"plotted\">Shortest to longest");
        axis.head(html, time);
        html.raw("</th>");
        for head in ["Moves", "Half below", "9 of 10", "99 of 100", "Longest", "Limit"] {
            html.cell("<th class=\"n\" scope=\"col\">", head).raw("</th>");
        }
        html.raw("</tr></thead><tbody>");
        for player in known() {
            let times = &counted[player];
            let quantile = |share| times.quantile_ns(share).unwrap_or(0.0);
            let longest = times.longest();
            html.raw("<tr>");
            self.name_cell(html, player);
            html.raw("<td class=\"plotted\">");
            axis.begin(html);
            let ends = (times.least_ns().unwrap_or(0.0), longest.map_or(0.0, |longest| longest.ns as f64));
            line(html, "span", axis.at(ends.0), axis.at(ends.1));
            bar(html, "box", axis.at(quantile(0.1)), axis.at(quantile(0.9)));
            stroke(html, "median", axis.at(quantile(0.5)));
            dot(html, "most", axis.at(ends.1));
            let of = &self.report.plan.players[player];
            if let Some(limit) = limit(of) {
                stroke(html, "limit", axis.at(limit));
            }
            html.raw("</svg></td>").cell("<td class=\"n\">", times.moves()).raw("</td>");
            for share in [0.5, 0.9, 0.99] {
                html.cell("<td class=\"n\">", time(quantile(share))).raw("</td>");
            }
            html.raw("<td class=\"n\">");
            if let Some(longest) = longest {
                html.text(time(longest.ns as f64)).raw(" ");
                self.game_link(html, longest.game, Some(longest.ply));
            }
            html.cell("</td><td class=\"n\">", time_control(&self.report.plan, of)).raw("</td></tr>");
        }
        html.raw("</tbody></table></div><p class=\"legend\">The scale is logarithmic: each step is ten times the last. The \
                  bar holds 8 of 10 moves, the light stroke halves them, the dot is the longest, the red stroke the limit \
                  (with a clock for the game, all of it).</p></section>");
    }
}
