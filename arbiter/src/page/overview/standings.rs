//! The table of standings, with a plot of the ratings.

use super::{Overview, points, scroll};
use crate::page::axis::{Axis, dot, line, stroke};
use crate::page::html::{Html, elo};
use crate::page::times::time;

impl Overview<'_> {
    pub(super) fn standings(&self, html: &mut Html) {
        if self.report.games_ended == 0 {
            return;
        }
        let lines = self.standings.lines();
        let is_rated = lines.iter().any(|line| line.rating.is_some());
        self.card(html, "standings", "Standings", "card wide");
        let bounds = lines.iter().filter_map(|line| line.interval);
        let zero = self.standings.zero();
        let (low, high) = bounds.fold((zero, zero), |(low, high), interval| {
            (low.min(interval.low.max(zero - 1500.0)), high.max(interval.high.min(zero + 1500.0)))
        });
        let room = 0.04 * (high - low).max(50.0);
        let axis = Axis::linear(low - room, high + room);
        scroll(html, "Standings");
        html.raw(
            "<thead><tr><th class=\"n\" scope=\"col\">#</th><th class=\"name\" scope=\"col\">Player</th>",
        );
        html.raw("<th class=\"n\" scope=\"col\">Points</th><th class=\"n\" scope=\"col\">%</th>");
        if is_rated {
            html.raw("<th scope=\"col\" class=\"plotted\">Rating, 95 %");
            axis.head(html, elo);
            html.raw(
                "</th><th class=\"n\" scope=\"col\">Elo</th><th class=\"n\" scope=\"col\">from – to</th>",
            );
        }
        for head in ["Games", "Wins", "Draws", "Losses", "Faults", "A move"] {
            html.cell("<th class=\"n\" scope=\"col\">", head).raw("</th>");
        }
        html.raw("</tr></thead><tbody>");
        for of in lines {
            let totals = self.totals(of.player);
            html.raw("<tr>").cell("<td class=\"n\">", of.place).raw("</td>");
            self.name_cell(html, of.player);
            html.cell("<td class=\"n strong\">", points(of.points)).raw("</td>");
            html.cell("<td class=\"n\">", format_args!("{:.1}", of.percent)).raw("</td>");
            if is_rated {
                html.raw("<td class=\"plotted\">");
                axis.begin(html);
                stroke(html, "zero", axis.at(zero));
                if let Some((rating, interval)) = of.rating.zip(of.interval) {
                    line(html, "span", axis.at(interval.low), axis.at(interval.high));
                    stroke(html, "end", axis.at(interval.low));
                    stroke(html, "end", axis.at(interval.high));
                    dot(html, "point", axis.at(rating));
                }
                let ends = of.interval.iter().flat_map(|of| [of.low, of.high]).map(elo);
                let rating = of.rating.map_or_else(String::new, elo);
                html.raw("</svg></td>").cell("<td class=\"n\">", rating).raw("</td>");
                html.cell("<td class=\"n quiet\">", ends.collect::<Vec<_>>().join(" – ")).raw("</td>");
            }
            for number in [totals.games, totals.wins, totals.draws, totals.losses] {
                html.cell("<td class=\"n\">", number).raw("</td>");
            }
            let faults: u32 = totals.errors.values().fold(0, |sum: u32, &more| sum.saturating_add(more));
            html.raw(if faults > 0 { "<td class=\"n bad\">" } else { "<td class=\"n quiet\">" });
            html.text(faults).raw("</td>");
            let mean = self.counted.times[of.player].mean_ns();
            html.cell("<td class=\"n\">", mean.map_or_else(String::new, time)).raw("</td></tr>");
        }
        html.raw("</tbody></table></div><p class=\"legend\">");
        if is_rated {
            html.raw("The dot is the rating, ").text(self.standings.scale());
            html.raw("; the line is the range that holds the true one in 95 of 100 cases. ");
        }
        html.raw("Faults are refused answers, and what lost games or seats; “A move” is the mean time.</p></section>");
    }
}
