//! How long moves took, against the limit.

use super::Overview;
use crate::page::axis::{Axis, Plot};
use crate::page::counted::{Longest, Times, time};
use crate::page::html::{Html, cell, head, heads, numbers, table};
use crate::report::time_control;

impl Overview<'_> {
    pub(super) fn times(&self, html: &mut Html) {
        let known = self.standings.lines.iter().filter_map(|line| {
            let times = &self.counted.times[line.player];
            Some((line.player, times, times.longest?))
        });
        let known: Vec<(usize, &Times, Longest)> = known.collect();
        if known.is_empty() {
            return;
        }
        let limit = |player: usize| {
            let time = self.report.plan.players[player].time;
            time.move_ns.or(time.base_ns).map(|ns| ns as f64)
        };
        let least = known.iter().map(|(_, times, _)| times.least_ns()).fold(f64::MAX, f64::min);
        let most =
            known.iter().map(|(player, _, longest)| limit(*player).unwrap_or(0.0).max(longest.ns as f64));
        let axis = Axis::log(least.max(1e3), most.fold(2e3, f64::max));
        let mut columns = vec![head("name", "Player"), axis.head("Shortest to longest", time)];
        columns.extend(heads(["Moves", "Half below", "9 of 10", "99 of 100", "Longest", "Limit"]));
        let row = |&(player, times, longest): &(usize, &Times, Longest)| {
            let mut plot = Plot::new(&axis);
            plot.line("span", times.least_ns(), longest.ns as f64);
            plot.bar("box", times.quantile_ns(0.1), times.quantile_ns(0.9));
            plot.stroke("median", times.quantile_ns(0.5));
            plot.dot("most", longest.ns as f64);
            limit(player).into_iter().for_each(|limit| plot.stroke("limit", limit));
            let mut row = vec![self.name_cell(player), plot.cell("plotted"), cell("n", times.moves)];
            row.extend(numbers([0.5, 0.9, 0.99].map(|share| time(times.quantile_ns(share)))));
            let mut told = Html::from(time(longest.ns as f64));
            self.game_link(told.raw(" "), longest.game, Some(longest.ply));
            let limit = time_control(&self.report.plan, &self.report.plan.players[player]);
            row.extend([cell("n", told), cell("n", limit)]);
            row
        };
        self.card(html, "times", "Time a move", "card wide");
        html.piece(&table("Time a move", columns, known.iter().map(row)));
        html.raw("<p class=\"legend\">The scale is logarithmic: each step is ten times the last. The bar holds 8 of 10 moves, \
                  the light stroke halves them, the dot is the longest, the red stroke the limit (with a clock for the \
                  game, all of it).</p></section>");
    }
}
