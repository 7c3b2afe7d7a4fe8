//! The table of standings, with a plot of the ratings.

use super::Overview;
use crate::page::axis::{Axis, Plot};
use crate::page::counted::time;
use crate::page::html::{Html, cell, elo, head, heads, numbers, table};
use crate::report::{Line, OF_PAIRINGS, points};

impl Overview<'_> {
    pub(super) fn standings(&self, html: &mut Html) {
        if self.report.games_ended == 0 {
            return;
        }
        let lines = &self.standings.lines;
        let is_rated = lines.iter().any(|line| line.rating.is_some());
        let zero = self.standings.zero();
        let bounds = lines.iter().filter_map(|line| line.interval);
        let (low, high) = bounds.fold((zero, zero), |(low, high), interval| {
            (low.min(interval.low.max(zero - 1500.0)), high.max(interval.high.min(zero + 1500.0)))
        });
        let room = 0.04 * (high - low).max(50.0);
        let axis = Axis::linear(low - room, high + room);
        let mut columns = vec![head("n", "#"), head("name", "Player")];
        columns.extend(heads(["Points", "%"]));
        if is_rated {
            columns.push(axis.head("Rating, 95 %", elo));
            columns.extend(heads(["Elo", "from – to"]));
        }
        columns.extend(heads(["Games", "Wins", "Draws", "Losses", "Faults", "A move"]));
        let row = |of: &Line| {
            let totals = self.totals(of.player);
            let mut row = vec![cell("n", of.place), self.name_cell(of.player)];
            row.extend([cell("n strong", points(of.points)), cell("n", format_args!("{:.1}", of.percent))]);
            if is_rated {
                row.push(rating(&axis, zero, of).cell("plotted"));
                let ends = of.interval.iter().flat_map(|of| [of.low, of.high]).map(elo);
                row.push(cell("n", of.rating.map_or_else(String::new, elo)));
                row.push(cell("n quiet", ends.collect::<Vec<_>>().join(" – ")));
            }
            row.extend(numbers([totals.games, totals.wins, totals.draws, totals.losses]));
            let faults = totals.faults();
            row.push(cell(if faults > 0 { "n bad" } else { "n quiet" }, faults));
            let mean = self.standings.tally.sums.mean_move_ns(of.player);
            row.push(cell("n", mean.map_or_else(String::new, time)));
            row
        };
        self.card(html, "standings", "Standings", "card wide");
        html.piece(&table("Standings", columns, lines.iter().map(row))).raw("<p class=\"legend\">");
        if is_rated {
            html.raw("The dot is the rating, ").text(self.standings.scale());
            html.raw("; the line is the range that holds the true one in 95 of 100 cases");
            html.raw(if self.standings.circumstances.is_paired_by_results { OF_PAIRINGS } else { "" })
                .raw(". ");
        }
        html.raw("Faults are refused answers, and what lost games or seats; “A move” is the mean time.</p></section>");
    }
}

fn rating<'a>(axis: &'a Axis, zero: f64, of: &Line) -> Plot<'a> {
    let mut plot = Plot::new(axis);
    plot.stroke("zero", zero);
    if let Some((rating, interval)) = of.rating.zip(of.interval) {
        plot.range(interval.low, interval.high);
        plot.dot("point", rating);
    }
    plot
}
