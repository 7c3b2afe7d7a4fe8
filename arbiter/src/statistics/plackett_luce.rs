//! Strengths of players from games for any number of seats.

use super::fit::{Likelihood, Slope, fit};
use super::ratings::{RatingError, Ratings};
use super::unique::{all_bounded, groups};
use super::units::{RankedUnits, Ranking};
use std::collections::{BTreeSet, HashMap};

/// Rates players by the model of Plackett and Luce.
///
/// R. L. Plackett, Appl. Statist. 24 (1975); R. D. Luce, *Individual Choice Behavior* (1959); with two seats it is the
/// model of Bradley and Terry. A game is a row of choices: the first place goes to somebody with chances in proportion
/// to the strengths e^θ, then the second place among the rest, and so on. Players who share a place count as the mean
/// of the log-likelihoods of all orders they could have come in. The ratings maximise the log-likelihood minus
/// `prior`/2 Σ θ².
///
/// # Errors
/// No players, a bad prior, or, without a prior, results without a single finite maximum.
pub fn plackett_luce(units: &RankedUnits, prior: f64) -> Result<Ratings, RatingError> {
    fit(Choices::of(units), prior)
}

/// Who came before, or beside, whom. Neighbours are enough: a player that came before the next place came before the
/// rest.
fn arcs(game: &Ranking) -> Vec<(usize, usize)> {
    let mut arcs = Vec::new();
    for place in game {
        let circle = place.iter().zip(place.iter().cycle().skip(1));
        arcs.extend(circle.filter(|(a, b)| a != b).map(|(&a, &b)| (a, b)));
    }
    arcs.extend(game.windows(2).map(|places| (places[0][0], places[1][0])));
    arcs
}

/// How often a choice among a set happened is counted in shares of this: a multiple of the number of subsets of each
/// size among at most `MAX_TIED` players, so that shares are whole numbers and their sums exact.
const WHOLE: u64 = 360_360;

/// All results as choices. The log-likelihood is Σ wonᵢ θᵢ − Σ_S madeₛ ln Σ_{j in S} e^θⱼ.
#[derive(Debug)]
struct Choices {
    /// Who came before, or beside, whom.
    beaten: Vec<(usize, usize)>,
    /// How often each player was chosen from a set of at least two.
    won: Vec<f64>,
    /// How often a choice was made among each set.
    made: Vec<(Vec<usize>, f64)>,
    units: Vec<(Vec<Ranking>, u64)>,
}

impl Choices {
    fn of(units: &RankedUnits) -> Choices {
        let mut won = vec![0u128; units.players()];
        let mut beaten = BTreeSet::new();
        let units = units.sorted();
        let mut made: HashMap<Vec<usize>, u128> = HashMap::new();
        for (games, count) in &units {
            for game in games {
                beaten.extend(arcs(game));
                for_each_choice(game, |among, weight| {
                    let weight = u128::from(weight) * u128::from(*count);
                    match made.get_mut(among) {
                        Some(sum) => *sum += weight,
                        None => {
                            made.insert(among.to_vec(), weight);
                        }
                    }
                });
                let chosen = game.iter().flatten();
                chosen.for_each(|&player| won[player] += u128::from(WHOLE) * u128::from(*count));
            }
        }
        // Choosing from one is no choice.
        let alone: Vec<Vec<usize>> = made.keys().filter(|set| set.len() == 1).cloned().collect();
        for set in alone {
            won[set[0]] -= made.remove(&set).expect("it is one of the keys");
        }
        let share = |weight: u128| weight as f64 / WHOLE as f64;
        let mut made: Vec<(Vec<usize>, u128)> = made.into_iter().collect();
        made.sort_unstable();
        Choices {
            beaten: beaten.into_iter().collect(),
            won: won.into_iter().map(share).collect(),
            made: made.into_iter().map(|(set, weight)| (set, share(weight))).collect(),
            units,
        }
    }
}

/// Takes a game apart into choices. Where m players share a place, the set still to be placed after k of them is, over
/// all their orders, each subset of m − k equally often: one in (m choose k). Each
/// choice is told with those whom it is among, in ascending order, and for how much of [`WHOLE`] it counts.
fn for_each_choice(game: &Ranking, mut visit: impl FnMut(&[usize], u64)) {
    let mut among = Vec::new();
    for (index, place) in game.iter().enumerate() {
        let tied = place.len() as u32;
        for subset in 1u32..1 << tied {
            among.clear();
            among.extend(
                place.iter().enumerate().filter(|&(i, _)| subset >> i & 1 == 1).map(|(_, &player)| player),
            );
            among.extend(game[index + 1..].iter().flatten());
            among.sort_unstable();
            visit(&among, WHOLE / binomial(tied, subset.count_ones()));
        }
    }
}

fn binomial(n: u32, k: u32) -> u64 {
    (0..k).fold(1, |value, i| value * u64::from(n - i) / u64::from(i + 1))
}

/// Each player of a set with its e^θ in shares of their sum, and the logarithm of that sum.
fn shares(at: &[f64], set: &[usize], shares: &mut Vec<(usize, f64)>) -> f64 {
    let top = set.iter().map(|&player| at[player]).fold(f64::NEG_INFINITY, f64::max);
    shares.clear();
    shares.extend(set.iter().map(|&player| (player, libm::exp(at[player] - top))));
    let sum: f64 = shares.iter().map(|(_, share)| share).sum();
    shares.iter_mut().for_each(|(_, share)| *share /= sum);
    top + libm::log(sum)
}

/// Adds the derivatives of so many choices among a set. `of_set` is memory for the shares.
fn add_choice(set: &[usize], weight: f64, at: &[f64], of_set: &mut Vec<(usize, f64)>, slope: &mut Slope) {
    shares(at, set, of_set);
    of_set.iter_mut().for_each(|(player, _)| *player = slope.place(*player));
    for &(row, share) in &*of_set {
        slope.gradient[row] -= weight * share;
        slope.curvature.add(row, row, weight * share);
        for &(column, other) in &*of_set {
            slope.curvature.add(row, column, -weight * share * other);
        }
    }
}

impl Likelihood for Choices {
    fn players(&self) -> usize {
        self.won.len()
    }

    fn check_bounded(&self, prior: f64) -> Result<(), RatingError> {
        let is_bounded = prior > 0.0 || all_bounded(self.players(), &self.beaten);
        if is_bounded { Ok(()) } else { Err(RatingError::Unbounded) }
    }

    fn value(&self, at: &[f64]) -> f64 {
        let mut of_set = Vec::new();
        let chosen: f64 = self.won.iter().zip(at).map(|(won, theta)| won * theta).sum();
        let choices = self.made.iter().map(|(set, weight)| weight * shares(at, set, &mut of_set));
        chosen - choices.sum::<f64>()
    }

    fn add_slope(&self, at: &[f64], slope: &mut Slope) {
        slope.gradient.iter_mut().zip(&self.won).for_each(|(slope, won)| *slope += won);
        let mut of_set = Vec::new();
        self.made.iter().for_each(|(set, weight)| add_choice(set, *weight, at, &mut of_set, slope));
    }

    fn groups(&self) -> Vec<usize> {
        groups(self.players(), &self.beaten)
    }

    fn for_each_unit(&self, at: &[f64], visit: &mut dyn FnMut(u64, &Slope)) {
        let mut of_set = Vec::new();
        for (games, count) in &self.units {
            let mut unit = Slope::of(games.iter().flatten().flatten().copied());
            for game in games {
                for &player in game.iter().flatten() {
                    let place = unit.place(player);
                    unit.gradient[place] += 1.0;
                }
                for_each_choice(game, |among, weight| {
                    add_choice(among, weight as f64 / WHOLE as f64, at, &mut of_set, &mut unit);
                });
            }
            visit(*count, &unit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_the_whole_are_whole_for_every_subset() {
        for tied in 1..=super::super::MAX_TIED as u32 {
            for size in 1..=tied {
                assert_eq!(WHOLE % binomial(tied, size), 0, "{tied} choose {size}");
            }
        }
    }
}
