//! Who meets whom next in a league that never stops: those whose ranks are unclear.
//!
//! Pairings go by a sequential estimate of every strength, a mean and a variance that each pair of games moves a little
//! (M. E. Glickman, Appl. Statist. 48 (1999)). It costs nothing to keep up, however long a league gets, and nothing else
//! goes by it: ratings and their intervals come from all results at once. Those are as honest as for a schedule that was
//! fixed before, since who meets whom next follows from results that they know already; `benches/league.rs` measures it.

use super::scale::{ELO_PER_NAT, Z95};
use super::wealth::Wealth;
use std::collections::{BTreeMap, BTreeSet};

/// How uncertain a strength is before the first game, as a standard deviation in Elo.
const FIRST_ERROR: f64 = 350.0;

/// Pairs of games that a round has at least, as long as somebody wants them: so that a newcomer to a league that is
/// settled keeps several workers busy.
const LEAST_PAIRS: usize = 8;

/// The estimates of all strengths in a league, and who has met whom.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    players: Vec<Belief>,
    met: BTreeMap<[usize; 2], u32>,
    /// How a player does against one who sets a mark, and that one against the player.
    duels: BTreeMap<[usize; 2], Wealth>,
}

/// The estimate of a strength, in units of log-strength.
#[derive(Clone, Copy, Debug)]
struct Belief {
    mean: f64,
    variance: f64,
    pairs: u32,
}

/// When somebody has played enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enough {
    /// Pairs of games that everybody plays.
    pub pairs: u32,
    /// Pairs of games that are played by those whose rank stays unclear.
    pub most_pairs: u32,
}

/// Who can be drawn for a round, in any order.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// Those who are ranked, and play until they have played enough.
    pub present: Vec<usize>,
    /// Those who were, and are opponents only.
    pub former: Vec<usize>,
    /// Those who set a mark: they meet everybody who is present until it is clear who is stronger, and nobody else. Such pairs
    /// come on top of all others.
    pub staff: Vec<usize>,
}

impl Roster {
    /// Those of a list who do not set a mark.
    fn ranked(&self, list: &[usize]) -> Vec<usize> {
        list.iter().copied().filter(|player| !self.staff.contains(player)).collect()
    }
}

impl Belief {
    fn new() -> Belief {
        let error = FIRST_ERROR / ELO_PER_NAT;
        Belief { mean: 0.0, variance: error * error, pairs: 0 }
    }

    /// The belief after a pair of games against somebody, with points from 0 to 2.
    fn after(self, other: Belief, points: f64) -> Belief {
        use std::f64::consts::PI;
        let blur = 1.0 / libm::sqrt(1.0 + 3.0 * other.variance / (PI * PI));
        let expected = 1.0 / (1.0 + libm::exp(blur * (other.mean - self.mean)));
        let told = 2.0 * blur * blur * expected * (1.0 - expected);
        let variance = 1.0 / (1.0 / self.variance + told);
        let mean = self.mean + variance * blur * (points - 2.0 * expected);
        Belief { mean, variance, pairs: self.pairs + 1 }
    }

    /// Whether either of the two may be the stronger one.
    fn is_close_to(self, other: Belief) -> bool {
        let error = libm::sqrt(self.variance + other.variance);
        (self.mean - other.mean).abs() < Z95 * error
    }

    /// How much games between the two would tell.
    fn interest_in(self, other: Belief) -> f64 {
        let expected = 1.0 / (1.0 + libm::exp(other.mean - self.mean));
        expected * (1.0 - expected) * (self.variance + other.variance)
    }
}

impl Ladder {
    /// A pair of games has been played; half points of both, 4 in all.
    pub fn add(&mut self, members: [usize; 2], half_points: [u32; 2]) {
        let last = members[0].max(members[1]);
        self.players.resize(self.players.len().max(last + 1), Belief::new());
        let [one, other] = members.map(|player| self.players[player]);
        let [points, of_other] = half_points.map(|half| f64::from(half) / 2.0);
        self.players[members[0]] = one.after(other, points);
        self.players[members[1]] = other.after(one, of_other);
        *self.met.entry(sorted(members)).or_default() += 1;
    }

    /// The same, of two of whom one may set a mark.
    pub fn add_duel(&mut self, members: [usize; 2], half_points: [u32; 2]) {
        self.add(members, half_points);
        let [one, other] = members;
        for (pair, half_points) in [[one, other], [other, one]].into_iter().zip(half_points) {
            self.duels.entry(pair).or_default().add(half_points);
        }
    }

    /// Whether it is unclear if a player is stronger than one who sets a mark. `attempt` is the number of its version.
    fn is_open(&self, player: usize, staff: usize, attempt: u32, most_pairs: u32) -> bool {
        let of = |pair| self.duels.get(&pair).copied().unwrap_or_default();
        let (own, other) = (of([player, staff]), of([staff, player]));
        own.pairs() < most_pairs && !own.is_enough(attempt) && !other.is_enough(1)
    }

    /// Who of those who are present meets whom of those who set a mark in the next round.
    pub fn duels(&self, roster: &Roster, attempts: &[u32], most_pairs: u32) -> Vec<[usize; 2]> {
        let attempt = |player: usize| attempts.get(player).copied().unwrap_or(1);
        let of = |player: usize| roster.staff.iter().map(move |&staff| [player, staff]);
        let wanted = roster.ranked(&roster.present).into_iter().flat_map(of);
        wanted.filter(|&[player, staff]| self.is_open(player, staff, attempt(player), most_pairs)).collect()
    }

    /// Pairs of games that two have played.
    pub fn met(&self, members: [usize; 2]) -> u32 {
        self.met.get(&sorted(members)).copied().unwrap_or(0)
    }

    /// Who meets whom in the next round; nobody where all have played enough. Those who have played least choose
    /// their opponents first. While the round is short, all who want more choose again.
    pub fn round(&self, roster: &Roster, enough: Enough) -> Vec<[usize; 2]> {
        let (present, former) = (roster.ranked(&roster.present), roster.ranked(&roster.former));
        let belief = |player: usize| self.players.get(player).copied().unwrap_or_else(Belief::new);
        let mut drawn: BTreeSet<[usize; 2]> = BTreeSet::new();
        let mut round = Vec::new();
        let mut more = BTreeMap::<usize, u32>::new();
        loop {
            let duels =
                |player: usize| roster.staff.iter().map(|&staff| self.met([player, staff])).sum::<u32>();
            let pairs = |player: usize| {
                belief(player).pairs - duels(player) + more.get(&player).copied().unwrap_or(0)
            };
            let wants = |player: usize| {
                let has_rival = || {
                    let mut rivals = present.iter().filter(|&&other| other != player);
                    rivals.any(|&other| belief(player).is_close_to(belief(other)))
                };
                pairs(player) < enough.pairs || pairs(player) < enough.most_pairs && has_rival()
            };
            let mut hungry: Vec<usize> = present.iter().copied().filter(|&player| wants(player)).collect();
            hungry.sort_by_key(|&player| (pairs(player), player));
            let mut busy = BTreeSet::new();
            let before = round.len();
            for player in hungry {
                if busy.contains(&player) {
                    continue;
                }
                let all = present.iter().chain(&former).copied();
                let free = all.filter(|&other| {
                    other != player && !busy.contains(&other) && !drawn.contains(&sorted([player, other]))
                });
                let best = if pairs(player).is_multiple_of(2) {
                    free.min_by_key(|&other| (self.met([player, other]), lot(player, other, pairs(player))))
                } else {
                    let interest = |other: usize| {
                        let share = if present.contains(&other) { 1.0 } else { 0.5 };
                        let known = f64::from(1 + self.met([player, other]));
                        share * belief(player).interest_in(belief(other)) / known
                    };
                    free.max_by(|&a, &b| interest(a).total_cmp(&interest(b)).then(b.cmp(&a)))
                };
                if let Some(other) = best {
                    busy.extend([player, other]);
                    drawn.insert(sorted([player, other]));
                    round.push([player, other]);
                }
            }
            for &player in round[before..].iter().flatten() {
                *more.entry(player).or_default() += 1;
            }
            if round.len() >= LEAST_PAIRS || round.len() == before {
                return round;
            }
        }
    }
}

/// A number that follows from who draws it and nothing else, by the finalizer of SplitMix64.
fn lot(player: usize, other: usize, pairs: u32) -> u64 {
    let mut bits = (player as u64) << 42 ^ (other as u64) << 21 ^ u64::from(pairs);
    for factor in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        bits = (bits ^ bits >> 30).wrapping_mul(factor);
    }
    bits ^ bits >> 31
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENOUGH: Enough = Enough { pairs: 4, most_pairs: 10 };

    fn roster(present: &[usize], former: &[usize], staff: &[usize]) -> Roster {
        let [present, former, staff] = [present, former, staff].map(<[usize]>::to_vec);
        Roster { present, former, staff }
    }

    fn settled(players: usize) -> Ladder {
        let mut ladder = Ladder::default();
        for _ in 0..10 {
            for stronger in 0..players {
                (stronger + 1..players).for_each(|weaker| ladder.add([stronger, weaker], [4, 0]));
            }
        }
        ladder
    }

    #[test]
    fn a_newcomer_plays_and_those_who_are_settled_do_not_play_each_other() {
        let ladder = settled(3);
        assert_eq!(ladder.round(&roster(&[0, 1, 2], &[], &[]), ENOUGH), [[0; 2]; 0]);
        let round = ladder.round(&roster(&[0, 1, 2, 3], &[], &[]), ENOUGH);
        assert!(round.len() > 1 && round.iter().all(|pair| pair.contains(&3)), "{round:?}");
    }

    #[test]
    fn nobody_meets_himself_or_anybody_twice_in_a_round_and_the_order_of_names_changes_nothing() {
        let mut ladder = settled(4);
        ladder.add([5, 4], [2, 2]);
        let round = ladder.round(&roster(&[5, 4, 3, 6], &[2, 1, 0], &[]), ENOUGH);
        assert_eq!(round, ladder.round(&roster(&[3, 4, 5, 6], &[0, 1, 2], &[]), ENOUGH));
        let pairs: BTreeSet<_> = round.iter().map(|&pair| sorted(pair)).collect();
        assert!(pairs.len() == round.len() && round.iter().all(|[a, b]| a != b), "{round:?}");
    }

    #[test]
    fn former_ones_are_opponents_and_want_nothing_themselves() {
        let ladder = Ladder::default();
        assert_eq!(ladder.round(&roster(&[], &[0, 1], &[]), ENOUGH), [[0; 2]; 0]);
        assert_eq!(ladder.round(&roster(&[2], &[0], &[]), ENOUGH), [[2, 0]]);
    }

    #[test]
    fn who_sets_a_mark_is_met_on_top_until_it_is_clear_who_is_stronger() {
        let (mut ladder, all) = (Ladder::default(), roster(&[0, 1, 2], &[], &[2]));
        assert_eq!(ladder.round(&all, ENOUGH), [[0, 1]]);
        assert_eq!(ladder.duels(&all, &[1, 1], 10), [[0, 2], [1, 2]]);
        (0..7).for_each(|_| ladder.add_duel([2, 0], [0, 4]));
        assert_eq!(ladder.duels(&all, &[1, 1], 10), [[1, 2]], "whoever has earned the mark is through");
        assert_eq!(ladder.duels(&all, &[2, 1], 10), [[0, 2], [1, 2]], "a second try has to show more");
        assert_eq!(ladder.round(&all, ENOUGH), [[0, 1]], "it has played nobody else");
        (0..7).for_each(|_| ladder.add_duel([1, 2], [0, 4]));
        assert_eq!(ladder.duels(&all, &[1, 1], 10), [[0; 2]; 0], "who is clearly weaker is through too");
        let clear = &roster(&[0, 3], &[2], &[2]);
        (0..10).for_each(|_| ladder.add_duel([3, 2], [2, 2]));
        assert_eq!(ladder.duels(clear, &[1], 10), [[0; 2]; 0], "nobody plays on for ever");
    }

    #[test]
    fn a_player_whose_rank_stays_unclear_stops_at_the_limit() {
        let mut ladder = Ladder::default();
        (0..10).for_each(|_| ladder.add([0, 1], [2, 2]));
        assert_eq!(ladder.round(&roster(&[0, 1], &[], &[]), ENOUGH), [[0; 2]; 0]);
    }
}
