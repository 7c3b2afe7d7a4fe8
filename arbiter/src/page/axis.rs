//! Plots in rows: positions are percentages of the width, so that a plot fits any screen and its letters keep their size.

use super::html::{Html, cell, head};

/// A scale from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    is_log: bool,
}

impl Axis {
    pub(super) fn linear(low: f64, high: f64) -> Axis {
        Axis { low, high: if high > low { high } else { low + 1.0 }, is_log: false }
    }

    /// Whole powers of ten around both numbers, which are above 0.
    pub(super) fn log(low: f64, high: f64) -> Axis {
        let (low, high) = (low.log10().floor(), high.log10().ceil());
        Axis { low, high: if high > low { high } else { low + 1.0 }, is_log: true }
    }

    /// Where a number is, in percent.
    pub(super) fn at(&self, number: f64) -> f64 {
        let number = if self.is_log { number.max(1e-9).log10() } else { number };
        (100.0 * (number - self.low) / (self.high - self.low)).clamp(0.0, 100.0)
    }

    pub(super) fn ticks(&self) -> Vec<f64> {
        if self.is_log {
            return (self.low as i32..=self.high as i32).map(|power| 10_f64.powi(power)).collect();
        }
        let rough = (self.high - self.low) / 6.0;
        let ten = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|by| by * ten).find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * ten);
        let first = (self.low / step).ceil() as i64;
        let ticks = (first..).map(|tick| tick as f64 * step).take_while(|tick| *tick <= self.high + 1e-9);
        ticks.take(12).collect()
    }

    /// The head of a column: what the axis shows, and under it the axis with its numbers.
    pub(super) fn head(&self, name: &'static str, label: impl Fn(f64) -> String) -> Html {
        let mut html = Html::from(name);
        html.raw("<svg class=\"plot axis\" aria-hidden=\"true\" width=\"100%\" height=\"18\">");
        let ticks = self.ticks();
        for &tick in ticks.iter().step_by(ticks.len().div_ceil(4).max(1)) {
            let at = self.at(tick);
            let anchor = match at {
                at if at < 6.0 => "start",
                at if at > 94.0 => "end",
                _ => "middle",
            };
            html.raw("<text y=\"13\"").attr("x", percent(at)).attr("text-anchor", anchor).raw(">");
            html.text(label(tick)).raw("</text>");
        }
        html.raw("</svg>");
        head("plotted", html)
    }
}

pub(super) struct Plot<'a> {
    axis: &'a Axis,
    html: Html,
}

impl Plot<'_> {
    /// Nothing but the place for it.
    pub(super) fn bare(axis: &Axis) -> Plot<'_> {
        let mut html = Html::default();
        html.raw("<svg class=\"plot\" aria-hidden=\"true\" width=\"100%\" height=\"22\">");
        Plot { axis, html }
    }

    /// A faint line at each number.
    pub(super) fn new(axis: &Axis) -> Plot<'_> {
        let mut plot = Plot::bare(axis);
        axis.ticks().into_iter().for_each(|tick| plot.upright("<line y1=\"0\" y2=\"22\"", "grid", tick));
        plot
    }

    fn upright(&mut self, open: &'static str, class: &'static str, at: f64) {
        let at = percent(self.axis.at(at));
        self.html.raw(open).attr("class", class).attr("x1", &at).attr("x2", &at).raw("/>");
    }

    /// A horizontal line from one number to another.
    pub(super) fn line(&mut self, class: &'static str, from: f64, to: f64) {
        let [from, to] = [from, to].map(|at| percent(self.axis.at(at)));
        self.html
            .raw("<line y1=\"11\" y2=\"11\"")
            .attr("class", class)
            .attr("x1", from)
            .attr("x2", to)
            .raw("/>");
    }

    pub(super) fn stroke(&mut self, class: &'static str, at: f64) {
        self.upright("<line y1=\"4\" y2=\"18\"", class, at);
    }

    /// A line between two ends, each of which is drawn only where the plot reaches it: a range that goes on does not end at the edge.
    pub(super) fn range(&mut self, low: f64, high: f64) {
        self.line("span", low, high);
        for end in [low, high].into_iter().filter(|end| (self.axis.low..=self.axis.high).contains(end)) {
            self.stroke("end", end);
        }
    }

    pub(super) fn bar(&mut self, class: &'static str, from: f64, to: f64) {
        let [from, to] = [from, to].map(|at| self.axis.at(at));
        self.html.raw("<rect y=\"5\" height=\"12\" rx=\"2\"").attr("class", class);
        self.html.attr("x", percent(from)).attr("width", percent((to - from).max(0.4))).raw("/>");
    }

    pub(super) fn dot(&mut self, class: &'static str, at: f64) {
        let at = percent(self.axis.at(at));
        self.html.raw("<circle cy=\"11\" r=\"4\"").attr("class", class).attr("cx", at).raw("/>");
    }

    /// The cell that holds it.
    pub(super) fn cell(mut self, class: &'static str) -> Html {
        self.html.raw("</svg>");
        cell(class, self.html)
    }
}

pub(super) fn percent(at: f64) -> String {
    format!("{at:.2}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_bear_round_numbers() {
        assert_eq!(Axis::linear(-130.0, 270.0).ticks(), [-100.0, 0.0, 100.0, 200.0]);
        assert_eq!(
            Axis::linear(-363.0, 467.0).ticks(),
            [-200.0, 0.0, 200.0, 400.0],
            "one number is no scale"
        );
        assert_eq!(Axis::log(3e4, 2e7).ticks(), [1e4, 1e5, 1e6, 1e7, 1e8]);
        assert_eq!(Axis::log(1e3, 1e5).at(1e4), 50.0);
        assert_eq!(Axis::linear(5.0, 5.0).at(9.0), 100.0);
    }

    /// After two games a range is wider than the plot.
    #[test]
    fn a_range_has_ends_only_where_the_plot_reaches_them() {
        let axis = Axis::linear(-1500.0, 1500.0);
        let ends = |low, high| {
            let mut plot = Plot::bare(&axis);
            plot.range(low, high);
            plot.cell("plotted").as_str().matches("class=\"end\"").count()
        };
        assert_eq!([ends(-1500.0, 1500.0), ends(-1689.0, 388.0), ends(-1689.0, 1689.0)], [2, 1, 0]);
    }
}
