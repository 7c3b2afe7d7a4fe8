//! Who meets whom in the next round of a Swiss tournament.

use super::matching::cheapest_pairs;

/// The most players that can be paired.
pub const MAX_SWISS_PLAYERS: usize = 2000;

/// The most half points that a player can have, so that sums of squares of differences stay exact.
pub const MAX_HALF_POINTS: u32 = 1 << 24;

/// Somebody who takes part in the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwissPlayer {
    /// The points so far, counted in halves.
    pub half_points: u32,
    /// Whether this player has already had a round without an opponent.
    pub had_bye: bool,
}

/// What is bad about the pairings of a round, the worst first: a round is better than another when the first number in
/// which they differ is smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SwissCost {
    /// Pairs who met before.
    pub rematches: u64,
    /// Byes for somebody who had one: 0 or 1.
    pub repeated_byes: u64,
    /// Players with fewer points than the one who has a bye.
    pub below_bye: u64,
    /// Sum over pairs of the square of the difference in half points.
    pub unevenness: u64,
    /// Sum over pairs with equal points of how far they are from a fold, in which the best of the upper half meets the
    /// best of the lower half: by how many ranks their distance differs from half the number of players with that many
    /// points, rounded down.
    pub unfolded: u64,
}

/// The pairings of a round. Players are numbered as they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwissRound {
    /// Who meets; the better placed one first, and the pair of the best placed one first.
    pub pairs: Vec<[usize; 2]>,
    /// Who has no opponent, when the number of players is odd.
    pub bye: Option<usize>,
    /// What could not be avoided.
    pub cost: SwissCost,
}

/// Pairs players, given in order of their seeds, best first: no other round costs less.
///
/// Players who have left the tournament are not given. `met` tells whether two of them have played each other. As
/// seats are swapped within a pairing, it does not matter who sat where. Found by matching of minimum weight, as
/// described by J. Olafsson, J. Oper. Res. Soc. 41 (1990), for chess.
///
/// # Panics
/// More than [`MAX_SWISS_PLAYERS`], or somebody with more than [`MAX_HALF_POINTS`].
pub fn swiss_round(players: &[SwissPlayer], met: impl Fn(usize, usize) -> bool) -> SwissRound {
    assert!(players.len() <= MAX_SWISS_PLAYERS, "{} players in one Swiss round", players.len());
    assert!(players.iter().all(|player| player.half_points <= MAX_HALF_POINTS), "points beyond all bounds");
    let field = Field::new(players, met);
    let places = players.len().next_multiple_of(2);
    let weights = weights(places, &field);
    let weigh = |cost: SwissCost| {
        weights.iter().zip(cost.parts()).map(|(weight, part)| weight * i128::from(part)).sum()
    };
    let partner = cheapest_pairs(places, |a, b| weigh(field.cost(a, b)));
    let (mut sums, mut pairs, mut bye) = ([0; 5], Vec::new(), None);
    for (a, &b) in partner.iter().enumerate().filter(|&(a, &b)| a < b) {
        sums.iter_mut().zip(field.cost(a, b).parts()).for_each(|(sum, part)| *sum += part);
        match field.ranked.get(b) {
            Some(other) => pairs.push([field.ranked[a].number, other.number]),
            None => bye = Some(field.ranked[a].number),
        }
    }
    let [rematches, repeated_byes, below_bye, unevenness, unfolded] = sums;
    let cost = SwissCost { rematches, repeated_byes, below_bye, unevenness, unfolded };
    SwissRound { pairs, bye, cost }
}

/// Everybody in order of rank. The rank after the last one stands for the bye.
struct Field<F> {
    ranked: Vec<Ranked>,
    met: F,
}

/// A player with a rank.
struct Ranked {
    number: usize,
    player: SwissPlayer,
    /// How many have fewer points.
    below: u64,
    /// How many have as many points.
    group: u64,
}

impl<F: Fn(usize, usize) -> bool> Field<F> {
    fn new(players: &[SwissPlayer], met: F) -> Field<F> {
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by_key(|&number| std::cmp::Reverse(players[number].half_points));
        let ranked = |number: usize| {
            let player = players[number];
            let at_least = order.partition_point(|&other| players[other].half_points >= player.half_points);
            let above = order.partition_point(|&other| players[other].half_points > player.half_points);
            let (below, group) = ((order.len() - at_least) as u64, (at_least - above) as u64);
            Ranked { number, player, below, group }
        };
        Field { ranked: order.iter().map(|&number| ranked(number)).collect(), met }
    }

    /// The cost of letting two ranks meet; `a` is the smaller one.
    fn cost(&self, a: usize, b: usize) -> SwissCost {
        let one = &self.ranked[a];
        let Some(other) = self.ranked.get(b) else {
            let repeated_byes = one.player.had_bye.into();
            return SwissCost { repeated_byes, below_bye: one.below, ..SwissCost::default() };
        };
        let difference = u64::from(one.player.half_points - other.player.half_points);
        SwissCost {
            rematches: (self.met)(one.number, other.number).into(),
            unevenness: difference * difference,
            unfolded: if difference == 0 { ((b - a) as u64).abs_diff(one.group / 2) } else { 0 },
            ..SwissCost::default()
        }
    }
}

/// What each part of the cost weighs: more than all that later parts can add up to.
fn weights<F: Fn(usize, usize) -> bool>(places: usize, field: &Field<F>) -> [i128; 5] {
    let mut greatest = [0u64; 5];
    for (a, b) in (1..places).flat_map(|b| (0..b).map(move |a| (a, b))) {
        greatest.iter_mut().zip(field.cost(a, b).parts()).for_each(|(most, part)| *most = part.max(*most));
    }
    let mut weights = [1i128; 5];
    for part in (0..4).rev() {
        // Only one pair is a bye.
        let pairs = if matches!(part + 1, 1 | 2) { 1 } else { places as i128 / 2 };
        weights[part] = weights[part + 1] * (pairs * i128::from(greatest[part + 1]) + 1);
    }
    weights
}

impl SwissCost {
    /// Its numbers, in that order.
    pub fn parts(self) -> [u64; 5] {
        [self.rematches, self.repeated_byes, self.below_bye, self.unevenness, self.unfolded]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::Random;

    #[test]
    fn a_full_field_is_paired_without_rounding() {
        let mut random = Random::new(5);
        let player = |half_points| SwissPlayer { half_points, had_bye: true };
        let players: Vec<SwissPlayer> =
            (0..63).map(|_| player(random.below(MAX_HALF_POINTS as usize) as u32)).collect();
        let round = swiss_round(&players, |_, _| true);
        assert_eq!((round.cost.rematches, round.cost.repeated_byes, round.cost.below_bye), (31, 1, 0));
        // In order of points, neighbours meet: the only way to keep squares of differences small.
        let mut points: Vec<u64> = players.iter().map(|player| u64::from(player.half_points)).collect();
        points.sort_unstable();
        let neighbours: u64 = points[1..].chunks(2).map(|pair| (pair[1] - pair[0]).pow(2)).sum();
        assert_eq!(round.cost.unevenness, neighbours);
    }
}
