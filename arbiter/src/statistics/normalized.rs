//! The likeliest distribution of unit results with a given effect size: (mean − ½) / standard deviation.
//!
//! M. Van den Bergh, "Normalized Elo" (2020). The constraint is not a straight one, so the likelihood may have several
//! tops. For each distance m of the mean from ½ the variance follows, both moments are straight constraints, and Owen's
//! dual problem (see `likelihood`) has one solution; m is then searched through its whole range.

use super::likelihood::{Mean, loss_at_mean};

/// By how much the log-likelihood of the best distribution with this effect size stays below that of the counted
/// frequencies. All `weights`, the counts of each result from 0 to 1 in equal steps, are above 0.
pub(super) fn loss_at_effect(weights: &[f64], effect: f64) -> f64 {
    if effect == 0.0 {
        return loss_at_mean(weights, Mean::of_logit(0.0));
    }
    let ordered: Vec<f64> =
        if effect > 0.0 { weights.to_vec() } else { weights.iter().rev().copied().collect() };
    let problem = Problem { total: ordered.iter().sum(), weights: ordered, effect: effect.abs() };
    let searched = problem.segments().into_iter().map(|segment| problem.least_loss(segment));
    searched.fold(f64::INFINITY, f64::min)
}

/// The search for the best mean, to the right of ½.
struct Problem {
    weights: Vec<f64>,
    total: f64,
    effect: f64,
}

/// The best distribution with one mean.
#[derive(Clone, Copy)]
struct Fixed {
    /// What it loses.
    loss: f64,
    /// The slope of the loss as the mean rises.
    slope: f64,
    multipliers: (f64, f64),
}

impl Problem {
    fn last(&self) -> f64 {
        self.weights.len() as f64 - 1.0
    }

    /// The ranges of m in which some distribution has mean ½ + m and standard deviation m / effect.
    ///
    /// A variance is too large when even results at 0 and 1 alone do not reach it, and too small when the two results
    /// around the mean alone exceed it.
    fn segments(&self) -> Vec<(f64, f64)> {
        let inverse = 1.0 / (self.effect * self.effect);
        let end = 0.5 / libm::sqrt(1.0 + inverse);
        let mut segments = Vec::new();
        let mut start = 0.0;
        for cell in 0..self.weights.len() - 1 {
            let (left, right) = (cell as f64 / self.last() - 0.5, (cell + 1) as f64 / self.last() - 0.5);
            if left < 0.0 {
                continue;
            }
            // (m − left)(right − m) = m² / effect² at both ends of a gap.
            let (square, half) = (1.0 + inverse, 0.5 * (left + right));
            let discriminant = half * half - square * left * right;
            if discriminant > 0.0 {
                let root = libm::sqrt(discriminant);
                let far = (half + root) / square;
                // The product of the roots is left·right / square: no digits are lost to a difference.
                let near = left * right / (half + root);
                segments.push((start, near.min(end)));
                start = far;
            }
        }
        segments.push((start, end));
        segments.retain(|(low, high)| low < high);
        segments
    }

    /// The least loss in a range, outside of which it is infinite: every valley that shows is followed to its bottom.
    fn least_loss(&self, (low, high): (f64, f64)) -> f64 {
        let mut start = (0.0, 0.0);
        let mut least = f64::INFINITY;
        // From an end, where the loss falls without bound, the slope leads inwards.
        let mut falling = Some(low);
        for m in nodes(low, high) {
            let Some(fixed) = self.fixed(m, start) else { continue };
            start = fixed.multipliers;
            least = least.min(fixed.loss);
            if fixed.slope <= 0.0 {
                falling = Some(m);
            } else if let Some(left) = falling.take() {
                least = least.min(self.bottom(left, m, start));
            }
        }
        match falling {
            Some(left) => least.min(self.bottom(left, high, start)),
            None => least,
        }
    }

    /// The bottom of the valley between a falling slope on the left and a rising one on the right.
    fn bottom(&self, mut left: f64, mut right: f64, mut start: (f64, f64)) -> f64 {
        let mut least = f64::INFINITY;
        while right - left > 1e-9 * right {
            let m = 0.5 * (left + right);
            let Some(fixed) = self.fixed(m, start) else { break };
            start = fixed.multipliers;
            least = least.min(fixed.loss);
            *(if fixed.slope > 0.0 { &mut right } else { &mut left }) = m;
        }
        least
    }

    /// Maximises Σ nᵢ ln(1 + x dᵢ + y eᵢ) over x and y, with dᵢ the distance of a result from the mean and eᵢ = dᵢ² − σ².
    ///
    /// Below the smallest value that it can have at the top, nᵢ/N, each logarithm goes on as the parabola that fits it
    /// there (Owen 2001, section 3.14), so that every x and y has a value and Newton's method can start anywhere.
    fn fixed(&self, m: f64, start: (f64, f64)) -> Option<Fixed> {
        let variance = m * m / (self.effect * self.effect);
        let mut all = [Cell::default(); MOST_RESULTS];
        let cells = &mut all[..self.weights.len()];
        for ((cell, &weight), number) in cells.iter_mut().zip(&self.weights).zip(0..) {
            let d = f64::from(number) / self.last() - 0.5 - m;
            *cell = Cell { weight, d, e: d * d - variance, least: 0.999 * weight / self.total };
        }
        let cells = &*cells;
        let value = |(x, y): (f64, f64)| cells.iter().map(|cell| cell.value(x, y)).sum::<f64>();
        let (mut at, mut top) = (start, value(start));
        let from_nothing = value((0.0, 0.0));
        if from_nothing >= top {
            (at, top) = ((0.0, 0.0), from_nothing);
        }
        // Closer to the top than this, Newton's steps are safe, and the value is too coarse to judge them by.
        let close = 1e-4 * cells.iter().map(|cell| cell.weight).fold(f64::INFINITY, f64::min);
        let mut close_steps = 0;
        for _ in 0..200 {
            let [gx, gy, hxx, hxy, hyy] = cells.iter().fold([0.0; 5], |sums, cell| cell.add_slopes(at, sums));
            let determinant = hxx * hyy - hxy * hxy;
            let step = ((gx * hyy - gy * hxy) / determinant, (gy * hxx - gx * hxy) / determinant);
            let gain = gx * step.0 + gy * step.1;
            if !gain.is_finite() {
                return None;
            }
            if gain <= close {
                at = (at.0 + step.0, at.1 + step.1);
                close_steps += 1;
                if close_steps == 4 || gain <= 1e-12 * close {
                    let slope = -self.total * (at.0 + 2.0 * at.1 * m / (self.effect * self.effect));
                    let inside = cells.iter().all(|cell| cell.inverse_chance(at) >= cell.least);
                    return inside.then(|| Fixed { loss: value(at), slope, multipliers: at });
                }
                continue;
            }
            let mut share = 1.0;
            loop {
                let next = (at.0 + share * step.0, at.1 + share * step.1);
                let reached = value(next);
                if reached > top || share < 1e-3 {
                    (at, top) = (next, reached);
                    break;
                }
                share *= 0.5;
            }
        }
        None
    }
}

/// As many results has a unit at most.
const MOST_RESULTS: usize = 5;

/// One possible result of a unit.
#[derive(Clone, Copy, Default)]
struct Cell {
    weight: f64,
    d: f64,
    e: f64,
    least: f64,
}

impl Cell {
    fn value(&self, x: f64, y: f64) -> f64 {
        let shift = x * self.d + y * self.e;
        let z = 1.0 + shift;
        self.weight
            * if z >= self.least {
                libm::log1p(shift)
            } else {
                let share = z / self.least;
                libm::log(self.least) - 1.5 + share * (2.0 - 0.5 * share)
            }
    }

    /// 1 + x d + y e, the counted frequency divided by the chance that x and y give this result.
    fn inverse_chance(&self, (x, y): (f64, f64)) -> f64 {
        1.0 + x * self.d + y * self.e
    }

    /// Adds the first derivatives, and the second ones with the sign changed.
    fn add_slopes(&self, (x, y): (f64, f64), [gx, gy, hxx, hxy, hyy]: [f64; 5]) -> [f64; 5] {
        let z = 1.0 + x * self.d + y * self.e;
        let (first, second) = if z >= self.least {
            (1.0 / z, 1.0 / (z * z))
        } else {
            ((2.0 - z / self.least) / self.least, 1.0 / (self.least * self.least))
        };
        let (first, second) = (self.weight * first, self.weight * second);
        [
            gx + first * self.d,
            gy + first * self.e,
            hxx + second * self.d * self.d,
            hxy + second * self.d * self.e,
            hyy + second * self.e * self.e,
        ]
    }
}

/// Points to try in a range: close to both its ends, where results that never happened pull, and evenly on a scale of
/// ratios in between.
fn nodes(low: f64, high: f64) -> Vec<f64> {
    let width = high - low;
    let mut nodes: Vec<f64> = (1..=12)
        .flat_map(|k| {
            let share = libm::pow(10.0, -f64::from(k));
            [low + share * width.min(low.max(1e-3 * width)), high - share * width]
        })
        .collect();
    let steps = 64;
    let bottom = low.max(1e-3 * high);
    nodes.extend((1..steps).map(|k| bottom * libm::pow(high / bottom, f64::from(k) / f64::from(steps))));
    nodes.sort_by(f64::total_cmp);
    nodes.retain(|&m| m > low && m < high);
    nodes
}
