//! Empirical likelihood: how well a distribution with a given mean explains what was counted.
//!
//! A. B. Owen, "Empirical likelihood ratio confidence intervals for a single functional", Biometrika 75 (1988), and
//! *Empirical Likelihood* (2001), section 2.9. Among all distributions on the results 0, 1/k, … 1 with mean μ, the
//! likeliest has pᵢ = nᵢ / (N (1 + x dᵢ)), where dᵢ is the distance of result i from μ and x maximises the concave
//! Σ nᵢ ln(1 + x dᵢ). That maximum is what the distribution with mean μ loses against the counted frequencies. Results
//! that never happened may take probability too; then x sits at the end of its range.

/// A mean score together with its distance from 1, so that neither loses digits near 0 or 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mean {
    value: f64,
    complement: f64,
}

impl Mean {
    /// The mean whose log-odds are these.
    pub(super) fn of_logit(logit: f64) -> Mean {
        Mean { value: 1.0 / (1.0 + libm::exp(-logit)), complement: 1.0 / (1.0 + libm::exp(logit)) }
    }

    pub(super) fn value(self) -> f64 {
        self.value
    }

    /// The distance of result `cell` of `last` from this mean.
    fn deviation(self, cell: usize, last: usize) -> f64 {
        if cell == last { self.complement } else { cell as f64 / last as f64 - self.value }
    }
}

/// By how much the log-likelihood of the best distribution with this mean stays below that of the counted frequencies.
///
/// `weights` holds the count of each result from 0 to 1 in equal steps; the mean lies strictly between 0 and 1.
pub(super) fn loss_at_mean(weights: &[f64], mean: Mean) -> f64 {
    let last = weights.len() - 1;
    let cells: Vec<(f64, f64)> = weights
        .iter()
        .enumerate()
        .filter(|&(_, &weight)| weight > 0.0)
        .map(|(cell, &weight)| (weight, mean.deviation(cell, last)))
        .collect();
    let x = multiplier(&cells, -1.0 / mean.complement, 1.0 / mean.value);
    cells.iter().map(|(weight, deviation)| weight * libm::log1p(x * deviation)).sum()
}

/// The x between `low` and `high` at which Σ n ln(1 + x d) is largest.
pub(super) fn multiplier(cells: &[(f64, f64)], low: f64, high: f64) -> f64 {
    let slope = |x: f64| {
        cells.iter().fold((0.0, 0.0), |(slope, bend), (weight, deviation)| {
            let share = deviation / (1.0 + x * deviation);
            (slope + weight * share, bend - weight * share * share)
        })
    };
    // A result that happened at an end of the scale makes the slope infinite there, whatever rounding says.
    let happened =
        |sign: f64, end: f64| cells.iter().any(|(_, d)| d * sign > 0.0 && (1.0 + end * d) <= 1e-12);
    if !happened(-1.0, high) && slope(high).0 >= 0.0 {
        return high;
    }
    if !happened(1.0, low) && slope(low).0 <= 0.0 {
        return low;
    }
    let (mut below, mut above) = (low, high);
    let mut x = 0.0;
    for _ in 0..400 {
        let (value, bend) = slope(x);
        if value == 0.0 {
            break;
        }
        *(if value > 0.0 { &mut below } else { &mut above }) = x;
        let step = x - value / bend;
        let next = if step > below && step < above { step } else { 0.5 * (below + above) };
        if (next - x).abs() <= 1e-16 * x.abs() {
            break;
        }
        x = next;
    }
    x
}
