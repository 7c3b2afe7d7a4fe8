//! Points and tie-breaks.

use std::cmp::Ordering;

/// All games of one player against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encounter {
    /// How many there were.
    pub games: u64,
    /// What the player made in them, in half points.
    pub half_points: u64,
}

/// The total of a player, and what decides between equal totals. All are exact where totals are whole or half points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TieBreaks {
    /// Points in all.
    pub points: f64,
    /// Points made against players with the same total.
    pub head_to_head: f64,
    /// Sum over games of the points made times the total of the opponent.
    pub sonneborn_berger: f64,
    /// Sum over games of the total of the opponent.
    pub buchholz: f64,
    /// Games won.
    pub wins: u64,
}

/// What decides between equal totals, in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieBreakOrder {
    /// Head-to-head, Sonneborn–Berger, wins: where everybody meets the same opponents.
    HeadToHeadFirst,
    /// Buchholz, Sonneborn–Berger: where opponents differ, as in a Swiss tournament.
    BuchholzFirst,
}

/// The tie-breaks of players with these totals and games won, which need not be the sums of what they did against each
/// other: in games of more than two seats a player beats everybody ranked below it, but wins the game only if it is first.
///
/// `met` tells what a player did against another, and against itself what it had without an opponent. Tie-breaks take
/// that as games against a dummy that ends with as many points as the player (FIDE Handbook C.07, "Tie-break
/// regulations", on unplayed rounds); they are not games won.
///
/// # Panics
/// Fewer games won than totals.
pub fn tie_breaks(totals: &[f64], wins: &[u64], met: impl Fn(usize, usize) -> Encounter) -> Vec<TieBreaks> {
    let of_player = |(player, &points): (usize, &f64)| {
        let (head_to_head, sonneborn_berger, buchholz, wins) = (0.0, 0.0, 0.0, wins[player]);
        let mut of = TieBreaks { points, head_to_head, sonneborn_berger, buchholz, wins };
        for (opponent, of_opponent) in totals.iter().enumerate() {
            let Encounter { games, half_points } = met(player, opponent);
            let made = half_points as f64 / 2.0;
            of.sonneborn_berger += made * of_opponent;
            of.buchholz += games as f64 * of_opponent;
            of.head_to_head += if opponent != player && *of_opponent == points { made } else { 0.0 };
        }
        of
    };
    totals.iter().enumerate().map(of_player).collect()
}

impl TieBreakOrder {
    /// Who comes first: `Less` if `a` does, `Equal` if nothing decides.
    pub fn compare(self, a: &TieBreaks, b: &TieBreaks) -> Ordering {
        let in_turn = |of: &TieBreaks| match self {
            TieBreakOrder::HeadToHeadFirst => [of.head_to_head, of.sonneborn_berger, of.wins as f64],
            TieBreakOrder::BuchholzFirst => [of.buchholz, of.sonneborn_berger, 0.0],
        };
        let more = |(a, b): (f64, f64)| b.total_cmp(&a);
        let parts = in_turn(a).into_iter().zip(in_turn(b));
        parts.fold(more((a.points, b.points)), |so_far, part| so_far.then(more(part)))
    }
}
