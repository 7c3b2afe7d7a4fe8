//! Whether one player scores more than half against another, asked after every pair of games for as long as anybody likes.
//!
//! A bet against the claim that it does not: whoever stakes a part of all it has on every pair gains nothing on average while
//! the claim holds, and so ever has N times what it began with in one case of N at most (J. Ville, 1939; I. Waudby-Smith and A. Ramdas,
//! J. R. Statist. Soc. B 86 (2024)). Nothing is assumed of draws or openings, and whoever decides whether to play on may know
//! all results: intervals of a fixed number of games hold no longer once somebody looks after each.

/// The chance that who is not the stronger one is ever said to be, in any of its versions.
const ERROR: f64 = 0.05;

/// The parts of what there is that are staked, each on its own account: small ones find small differences, and the last one, everything,
/// finds great ones soon.
const STAKES: [f64; 8] = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0];

/// What bets on a player have come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wealth {
    accounts: [f64; STAKES.len()],
    most: f64,
    pairs: u32,
    half_points: u32,
}

impl Default for Wealth {
    fn default() -> Wealth {
        Wealth { accounts: [1.0; STAKES.len()], most: 1.0, pairs: 0, half_points: 0 }
    }
}

impl Wealth {
    /// A pair of games has ended; half points of the player, 0 to 4.
    pub fn add(&mut self, half_points: u32) {
        let gain = f64::from(half_points.min(4)) / 2.0 - 1.0;
        for (account, stake) in self.accounts.iter_mut().zip(STAKES) {
            // What has no end stands in no relation to what is needed.
            *account = (*account * (1.0 + stake * gain)).min(f64::MAX / STAKES.len() as f64);
        }
        self.most = self.most.max(self.accounts.iter().sum::<f64>() / STAKES.len() as f64);
        self.pairs += 1;
        self.half_points += half_points.min(4);
    }

    /// Pairs of games.
    pub fn pairs(&self) -> u32 {
        self.pairs
    }

    /// Points of the player in them.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// How surely the player is the stronger one, as far as that was ever known, if it is the n-th that somebody tries: all of the tries
    /// together are wrong as seldom as one, so every further one has to show more.
    pub fn confidence(&self, attempt: u32) -> f64 {
        let attempt = f64::from(attempt.max(1));
        (1.0 - attempt * (attempt + 1.0) / self.most).max(0.0)
    }

    /// Whether that is 95 % or more.
    pub fn is_enough(&self, attempt: u32) -> bool {
        self.confidence(attempt) >= 1.0 - ERROR
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(results: impl IntoIterator<Item = u32>) -> Wealth {
        let mut wealth = Wealth::default();
        results.into_iter().for_each(|half_points| wealth.add(half_points));
        wealth
    }

    #[test]
    fn who_wins_every_game_needs_seven_pairs_and_later_versions_need_more() {
        let needed = |attempt| (1..).find(|&pairs| after(vec![4; pairs]).is_enough(attempt)).unwrap();
        assert_eq!([1, 2, 10].map(needed), [7, 9, 14]);
    }

    #[test]
    fn what_was_once_known_stays_known_and_equals_stay_unknown() {
        let won_then_lost = after([4; 7].into_iter().chain([0; 50]));
        assert!(won_then_lost.is_enough(1));
        assert!(after(vec![2; 10_000]).confidence(1) == 0.0, "draws say nothing");
        assert!(after(vec![4; 100_000]).confidence(1) <= 1.0, "numbers stay numbers");
    }

    /// The claim holds on average whatever the results are, as long as they are worth half on average: exactly the expectation of
    /// every account over all results that may come next.
    #[test]
    fn a_player_that_is_no_stronger_gains_nothing_on_average() {
        let mean = |results: &[u32]| {
            let mut paths = vec![Wealth::default()];
            for _ in 0..4 {
                let next = |path: &Wealth| {
                    let path = *path;
                    results.iter().map(move |&result| {
                        let mut path = path;
                        path.add(result);
                        path
                    })
                };
                paths = paths.iter().flat_map(next).collect();
            }
            let sum: f64 = paths.iter().flat_map(|path| path.accounts).sum();
            sum / (paths.len() * STAKES.len()) as f64
        };
        for results in [&[0, 4][..], &[1, 3], &[0, 1, 3, 4], &[2], &[0, 3, 3]] {
            assert!((mean(results) - 1.0).abs() < 1e-12, "{results:?}: {}", mean(results));
        }
    }
}
