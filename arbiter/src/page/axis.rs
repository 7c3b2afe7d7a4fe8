//! Plots in rows: positions are percentages of the width, so that a plot fits any screen and its letters keep their size.

use super::html::Html;

/// A scale from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    is_log: bool,
}

impl Axis {
    /// From one number to another.
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

    /// Numbers to write on it.
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

    /// The scale with its numbers.
    pub(super) fn head(&self, html: &mut Html, label: impl Fn(f64) -> String) {
        html.raw("<svg class=\"plot axis\" aria-hidden=\"true\" width=\"100%\" height=\"18\">");
        let ticks = self.ticks();
        let every = ticks.len().div_ceil(4);
        for (_, &tick) in ticks.iter().enumerate().filter(|(index, _)| index % every == 0) {
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
    }

    /// Begins a plot in a row, with a faint line at each number.
    pub(super) fn begin(&self, html: &mut Html) {
        html.raw("<svg class=\"plot\" aria-hidden=\"true\" width=\"100%\" height=\"22\">");
        for tick in self.ticks() {
            let at = percent(self.at(tick));
            html.raw("<line class=\"grid\" y1=\"0\" y2=\"22\"").attr("x1", &at).attr("x2", &at).raw("/>");
        }
    }
}

/// A percentage as an attribute.
pub(super) fn percent(at: f64) -> String {
    format!("{at:.2}%")
}

/// A horizontal line from one number to another.
pub(super) fn line(html: &mut Html, class: &'static str, from: f64, to: f64) {
    html.raw("<line y1=\"11\" y2=\"11\"").attr("class", class);
    html.attr("x1", percent(from)).attr("x2", percent(to)).raw("/>");
}

/// An upright line.
pub(super) fn stroke(html: &mut Html, class: &'static str, at: f64) {
    let at = percent(at);
    html.raw("<line y1=\"4\" y2=\"18\"").attr("class", class).attr("x1", &at).attr("x2", &at).raw("/>");
}

/// A bar.
pub(super) fn bar(html: &mut Html, class: &'static str, from: f64, to: f64) {
    html.raw("<rect y=\"5\" height=\"12\" rx=\"2\"").attr("class", class);
    html.attr("x", percent(from)).attr("width", percent((to - from).max(0.4))).raw("/>");
}

/// A dot.
pub(super) fn dot(html: &mut Html, class: &'static str, at: f64) {
    html.raw("<circle cy=\"11\" r=\"4\"").attr("class", class).attr("cx", percent(at)).raw("/>");
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
}
