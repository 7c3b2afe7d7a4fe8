//! The likeliest distribution of unit results with a given effect size: (mean − ½) / standard deviation.
//!
//! M. Van den Bergh, "Normalized Elo" (2020). Where the likelihood is greatest under this constraint, with mean ½ + m, its
//! derivatives lead to pᵢ = nᵢ / (N (1 + y hᵢ)), where hᵢ = dᵢ² − 2 m dᵢ/effect² − m²/effect² and dᵢ is the distance of
//! result i from the mean. For each m, y follows from Σ pᵢ hᵢ = 0 as in `likelihood`; m is right when the mean of p is
//! ½ + m. The constraint is not a straight one, so several m may be: the whole range is searched, and the best one taken.

use super::likelihood::{Mean, loss_at_mean, multiplier};

/// By how much the log-likelihood of the best distribution with this effect size stays below that of the counted
/// frequencies. All `weights`, the counts of each result from 0 to 1 in equal steps, are above 0.
pub(super) fn loss_at_effect(weights: &[f64], effect: f64) -> f64 {
    if effect == 0.0 {
        return loss_at_mean(weights, Mean::of_logit(0.0));
    }
    let ordered: Vec<f64> =
        if effect > 0.0 { weights.to_vec() } else { weights.iter().rev().copied().collect() };
    if let [lost, drawn, won] = ordered[..] {
        return loss_of_games([lost, drawn, won], effect.abs());
    }
    Problem { total: ordered.iter().sum(), weights: ordered, effect: effect.abs() }.least_loss()
}

/// Of three results, mean ½ + m and effect leave one distribution: 2 m² c ∓ m at the ends and 1 − 4 m² c between, with c = 1
/// + 1/effect². All three logarithms are concave in m, so that one halving finds the top.
fn loss_of_games(weights: [f64; 3], effect: f64) -> f64 {
    let [lost, drawn, won] = weights;
    let c = 1.0 + 1.0 / (effect * effect);
    let (mut low, mut high) = (0.5 / c, 0.5 / libm::sqrt(c));
    let chances = |m: f64| [m * (2.0 * m * c - 1.0), 1.0 - 4.0 * m * m * c, m * (2.0 * m * c + 1.0)];
    let total: f64 = weights.iter().sum();
    let mut loss = f64::INFINITY;
    loop {
        let m = 0.5 * (low + high);
        if m <= low || m >= high {
            return loss;
        }
        let [p_lost, p_drawn, p_won] = chances(m);
        if p_drawn <= 0.0 {
            high = m;
            continue;
        }
        if p_lost <= 0.0 {
            low = m;
            continue;
        }
        let terms = [(lost, p_lost), (drawn, p_drawn), (won, p_won)];
        let here: f64 = terms.iter().map(|(weight, p)| weight * libm::log(weight / total / p)).sum();
        loss = loss.min(here);
        let slope = lost * (4.0 * m * c - 1.0) / p_lost + won * (4.0 * m * c + 1.0) / p_won
            - drawn * 8.0 * m * c / p_drawn;
        *(if slope > 0.0 { &mut low } else { &mut high }) = m;
    }
}

/// The search for the best mean, to the right of ½.
struct Problem {
    weights: Vec<f64>,
    total: f64,
    effect: f64,
}

/// What one m leads to.
#[derive(Clone, Copy)]
struct Tried {
    m: f64,
    /// By how much the mean of its distribution exceeds ½ + m.
    excess: f64,
    loss: f64,
}

impl Problem {
    /// The least loss among all m whose distributions have the mean they claim.
    fn least_loss(&self) -> f64 {
        let mut least = f64::INFINITY;
        let mut nearest: Option<Tried> = None;
        let mut before: Option<Tried> = None;
        for m in self.nodes() {
            let tried = self.try_out(m);
            if let Some(tried) = tried
                && nearest.is_none_or(|nearest| tried.excess.abs() < nearest.excess.abs())
            {
                nearest = Some(tried);
            }
            if let (Some(left), Some(right)) = (before, tried)
                && (left.excess > 0.0) != (right.excess > 0.0)
            {
                least = least.min(self.halved(left, right).loss);
            }
            before = tried;
        }
        // With all but a few in ten thousand million alike, the best m is an end of the range as far as doubles can tell.
        if least.is_finite() { least } else { nearest.map_or(least, |nearest| nearest.loss) }
    }

    /// The point between two with different signs of the excess at which it vanishes.
    fn halved(&self, mut left: Tried, mut right: Tried) -> Tried {
        loop {
            let m = 0.5 * (left.m + right.m);
            if m <= left.m || m >= right.m {
                return if left.excess.abs() < right.excess.abs() { left } else { right };
            }
            let Some(tried) = self.try_out(m) else { return left };
            *(if (tried.excess > 0.0) == (left.excess > 0.0) { &mut left } else { &mut right }) = tried;
        }
    }

    /// Nothing where all hᵢ have one sign, so that no distribution balances them.
    fn try_out(&self, m: f64) -> Option<Tried> {
        let inverse = 1.0 / (self.effect * self.effect);
        let distances = || (0..self.weights.len()).map(|cell| cell as f64 / self.last() - 0.5 - m);
        let balance = |d: f64| d * d - 2.0 * m * inverse * d - m * m * inverse;
        let cells: Vec<(f64, f64)> =
            self.weights.iter().zip(distances()).map(|(&weight, d)| (weight, balance(d))).collect();
        let (low, high) = cells
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &(_, h)| (low.min(h), high.max(h)));
        if !(low < 0.0 && high > 0.0) {
            return None;
        }
        let y = multiplier(&cells, -1.0 / high, -1.0 / low);
        let pulled = cells.iter().zip(distances()).map(|((weight, h), d)| weight / (1.0 + y * h) * d);
        let excess = pulled.sum::<f64>() / self.total;
        let loss = cells.iter().map(|(weight, h)| weight * libm::log1p(y * h)).sum();
        Some(Tried { m, excess, loss })
    }

    fn last(&self) -> f64 {
        self.weights.len() as f64 - 1.0
    }

    /// Points to try, from the smallest m that any distribution can have, to the largest: close to both ends, where
    /// results that never happened pull, and evenly on a scale of ratios in between.
    ///
    /// The smallest one belongs to results of ½ and the next better one alone, the largest one to 0 and 1 alone.
    fn nodes(&self) -> Vec<f64> {
        let inverse = 1.0 / (self.effect * self.effect);
        let low = 1.0 / self.last() / (1.0 + inverse);
        let high = 0.5 / libm::sqrt(1.0 + inverse);
        let mut nodes = vec![low, high];
        for k in 1..=15 {
            let share = libm::pow(10.0, -f64::from(k));
            nodes.extend([low * (1.0 + share), high * (1.0 - share)]);
        }
        let steps = 64;
        nodes.extend((1..steps).map(|k| low * libm::pow(high / low, f64::from(k) / f64::from(steps))));
        nodes.retain(|&m| m >= low && m <= high);
        nodes.sort_by(f64::total_cmp);
        nodes
    }
}
