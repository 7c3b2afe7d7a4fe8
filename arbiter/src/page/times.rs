//! How long moves took, without keeping them: counts on a scale of logarithms.

/// Steps of the scale for each factor of ten.
const STEPS: f64 = 40.0;
/// The scale begins at a microsecond, and ends at more than a day.
const LEAST_NS: f64 = 1e3;
const LENGTH: usize = 440;

/// The times of one player's moves.
#[derive(Clone, Debug)]
pub(super) struct Times {
    counts: Vec<u32>,
    pub(super) moves: u64,
    sum_ns: u128,
    pub(super) longest: Option<Longest>,
    least_ns: u64,
}

/// The longest of all thoughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Longest {
    /// What it took.
    pub(super) ns: u64,
    /// In which game.
    pub(super) game: u32,
    /// With how many plies played after it.
    pub(super) ply: usize,
}

impl Times {
    /// Nothing yet.
    pub(super) fn new() -> Times {
        Times { counts: vec![0; LENGTH], moves: 0, sum_ns: 0, longest: None, least_ns: u64::MAX }
    }

    /// Adds a move.
    pub(super) fn add(&mut self, of: Longest) {
        let step = (of.ns as f64 / LEAST_NS).max(1.0).log10() * STEPS;
        self.counts[(step as usize).min(LENGTH - 1)] += 1;
        self.moves += 1;
        self.sum_ns += u128::from(of.ns);
        self.least_ns = self.least_ns.min(of.ns);
        if self.longest.is_none_or(|longest| longest.ns < of.ns) {
            self.longest = Some(of);
        }
    }

    /// Their mean.
    pub(super) fn mean_ns(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.sum_ns as f64 / self.moves as f64)
    }

    /// The shortest one.
    pub(super) fn least_ns(&self) -> f64 {
        self.least_ns as f64
    }

    /// The time that this share of all moves did not exceed, to 3 in 100; 0 where there are none.
    pub(super) fn quantile_ns(&self, share: f64) -> f64 {
        let Some(longest) = self.longest else { return 0.0 };
        let wanted = (share * self.moves as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let reaches = |count: &u32| {
            seen += u64::from(*count);
            seen >= wanted
        };
        let step = self.counts.iter().position(reaches).unwrap_or(LENGTH - 1);
        let middle = LEAST_NS * 10_f64.powf((step as f64 + 0.5) / STEPS);
        middle.clamp(self.least_ns(), longest.ns as f64)
    }
}

/// A time in words: `85 µs`, `1.2 ms`, `3.4 s`.
pub(super) fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns >= 1e9 => (ns / 1e9, "s"),
        ns if ns >= 1e6 => (ns / 1e6, "ms"),
        ns => (ns / 1e3, "µs"),
    };
    let digits = if value >= 9.95 || value == value.trunc() { 0 } else { 1 };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_moves_are_below_the_median_and_the_longest_is_told_exactly() {
        let mut times = Times::new();
        for ms in 1..=1000 {
            times.add(Longest { ns: ms * 1_000_000, game: ms as u32, ply: 7 });
        }
        let median = times.quantile_ns(0.5);
        assert!((0.97..1.03).contains(&(median / 500e6)), "{median}");
        assert_eq!(times.longest, Some(Longest { ns: 1_000_000_000, game: 1000, ply: 7 }));
        assert_eq!(times.quantile_ns(1.0), 1e9);
    }

    #[test]
    fn times_are_told_with_their_unit() {
        let told = [860.0, 85_000.0, 1_234_567.0, 34_000_000.0, 3_400_000_000.0, 60e9].map(time);
        assert_eq!(told, ["0.9 µs", "85 µs", "1.2 ms", "34 ms", "3.4 s", "60 s"]);
    }
}
