//! Ratings and a sequential test while games were played, as lines and as the numbers behind them.

use super::Overview;
use crate::page::axis::Axis;
use crate::page::html::{Html, elo, heads, numbers, signed, table};
use std::iter::once;

/// Players whose lines are drawn: as many as there are colours. The last two write in colours that are much like those of others.
const PENS: [&str; 6] = ["s0", "s1", "s2", "s3", "dashed s4", "dashed s5"];
/// Elo and log-likelihood ratios beyond these are drawn at the edge.
const MOST_ELO: f64 = 1_500.0;
/// The size of a chart in its own units.
const SIZE: [f64; 2] = [1_000.0, 150.0];

/// A chart: what is up and down, and how far to the right.
struct Chart {
    axis: Axis,
    games: f64,
}

impl Chart {
    fn x(&self, games: u32) -> f64 {
        SIZE[0] * f64::from(games) / self.games
    }

    fn y(&self, value: f64) -> f64 {
        SIZE[1] * (1.0 - self.axis.at(value) / 100.0)
    }

    /// Around these values, with room.
    fn around(values: impl Iterator<Item = f64>, games: u32) -> Chart {
        let values = values.map(|value| value.clamp(-MOST_ELO, MOST_ELO));
        let (low, high) =
            values.fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let room = 0.06 * (high - low).max(1.0);
        Chart { axis: Axis::linear(low - room, high + room), games: f64::from(games.max(1)) }
    }

    /// Begins with the scale, and a line at each of its values.
    fn begin(&self, html: &mut Html, label: &str) {
        let values = self.axis.ticks();
        html.raw(
            "<div class=\"framed\"><svg class=\"scale\" aria-hidden=\"true\" width=\"52\" height=\"150\">",
        );
        for &value in &values {
            html.raw("<text x=\"46\" text-anchor=\"end\"")
                .attr("y", format_args!("{:.1}", self.y(value) + 4.0));
            html.raw(">").text(signed(value)).raw("</text>");
        }
        html.raw("</svg><svg class=\"chart still\" role=\"img\" viewBox=\"0 0 1000 150\" preserveAspectRatio=\"none\"");
        html.attr("aria-label", label).raw(">");
        values.iter().for_each(|value| self.level(html, "grid", *value));
    }

    fn level(&self, html: &mut Html, class: &'static str, value: f64) {
        html.raw("<line x1=\"0\" x2=\"1000\"").attr("class", class);
        let y = self.y(value);
        html.attr("y1", format_args!("{y:.1}")).attr("y2", format_args!("{y:.1}")).raw("/>");
    }

    fn line(&self, html: &mut Html, class: &str, points: impl Iterator<Item = (u32, f64)>) {
        let points: Vec<String> =
            points.map(|(games, value)| format!("{:.1},{:.1}", self.x(games), self.y(value))).collect();
        html.raw("<polyline").attr("class", class).attr("points", points.join(" ")).raw("/>");
    }

    fn end(&self, html: &mut Html) {
        html.raw("</svg></div><p class=\"legend\">After 0 to ").text(self.games).raw(" games.</p>");
    }
}

impl Overview<'_> {
    /// Ratings over time; nothing where there was no time to speak of.
    pub(super) fn over_time(&self, html: &mut Html) {
        let moments = self.moments;
        let Some(last) = moments.last().filter(|_| moments.len() > 2) else { return };
        self.card(html, "time", "Over time", "card wide");
        let two = moments.iter().filter_map(|moment| Some((moment.games, moment.difference?)));
        let two: Vec<_> = two.collect();
        let best = self.standings.lines.iter().map(|line| line.player);
        let drawn: Vec<usize> = if two.is_empty() { best.take(PENS.len()).collect() } else { Vec::new() };
        if two.is_empty() {
            let ratings = |player: usize| {
                moments.iter().filter_map(move |moment| Some((moment.games, moment.ratings[player]?)))
            };
            let all = drawn.iter().flat_map(|&player| ratings(player)).map(|(_, elo)| elo);
            let chart = Chart::around(all, last.games);
            html.raw("<p>Ratings, in Elo above the mean of all who had played");
            let players = self.standings.lines.len();
            if players > PENS.len() {
                html.text(format_args!(", of the first {} of {players} players", PENS.len()));
            }
            html.raw(".</p><p class=\"key\">");
            for (&player, pen) in drawn.iter().zip(PENS) {
                html.raw("<span").attr("class", pen).raw("><i></i>").text(self.name(player)).raw("</span>");
            }
            html.raw("</p>");
            chart.begin(
                html,
                "Ratings of the first players after so many games, in Elo above the mean of all",
            );
            for (&player, pen) in drawn.iter().zip(PENS) {
                chart.line(html, &format!("value {pen}"), ratings(player));
            }
            chart.end(html);
        } else {
            html.raw("<p>By how much ").text(self.name(0)).raw(" is stronger than ").text(self.name(1));
            html.raw(", in Elo, between the ends of its 95 % interval.</p>");
            // The first pairs say next to nothing, and would leave no room for the others.
            let ends = two
                .iter()
                .skip(two.len() / 8)
                .flat_map(|(_, (elo, interval))| [*elo, interval.low, interval.high]);
            let chart = Chart::around(ends, last.games);
            chart.begin(html, "The difference of the two ratings after so many games, in Elo");
            chart.line(html, "value s0", two.iter().map(|(games, (elo, _))| (*games, *elo)));
            let bounds = two.iter().map(|(games, (_, interval))| (*games, [interval.low, interval.high]));
            for end in [0, 1] {
                chart.line(html, "value dashed s0", bounds.clone().map(|(games, ends)| (games, ends[end])));
            }
            chart.end(html);
        }
        let ratios: Vec<_> =
            moments.iter().filter_map(|moment| Some((moment.games, moment.ratio?))).collect();
        if let Some(test) = self.report.sprt.as_ref().filter(|_| !ratios.is_empty()) {
            html.raw("<p>The log-likelihood ratio of the test, between the bounds at which it decides.</p>");
            let all = ratios.iter().map(|(_, ratio)| *ratio).chain([test.lower, test.upper]);
            let chart = Chart::around(all, last.games);
            chart.begin(html, "The log-likelihood ratio after so many games");
            chart.level(html, "limit", test.lower);
            chart.level(html, "limit", test.upper);
            chart.line(html, "value s0", ratios.into_iter());
            chart.end(html);
        }
        self.moments_table(html, &drawn);
        html.raw("</section>");
    }

    fn moments_table(&self, html: &mut Html, drawn: &[usize]) {
        let moments = self.moments;
        let is_two = moments.iter().any(|moment| moment.difference.is_some());
        let is_test = moments.iter().any(|moment| moment.ratio.is_some());
        let players = drawn.iter().map(|&player| self.name(player));
        let of_two = ["Elo", "from", "to"].into_iter().filter(|_| is_two).map(str::to_owned);
        let of_test = is_test.then(|| "LLR".to_owned());
        let names = once("Games".to_owned()).chain(players).chain(of_two).chain(of_test);
        let rows = moments.iter().map(|moment| {
            let ratings = drawn.iter().map(|&player| moment.ratings[player]);
            let two = moment.difference.map(|(elo, interval)| [elo, interval.low, interval.high].map(Some));
            let ratings = ratings.chain(two.into_iter().flatten());
            let ratio = moment.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
            let ratings = ratings.map(|rating| rating.map_or_else(String::new, elo));
            numbers(once(moment.games.to_string()).chain(ratings).chain(is_test.then_some(ratio)))
        });
        html.raw("<details><summary>As a table</summary>");
        html.piece(&table("Over time", heads(names), rows)).raw("</details>");
    }
}
