//! Points and tie-breaks.

use std::cmp::Ordering;

/// All results of each against each, as sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossTable {
    players: usize,
    /// Row by row: what the player of the row did against that of the column.
    cells: Vec<Encounter>,
    wins: Vec<u64>,
    byes: Vec<Encounter>,
}

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

impl CrossTable {
    /// No game yet among this many players.
    #[must_use]
    pub fn new(players: usize) -> CrossTable {
        CrossTable {
            players,
            cells: vec![Encounter::default(); players * players],
            wins: vec![0; players],
            byes: vec![Encounter::default(); players],
        }
    }

    /// Adds a game for two, in which `player` made 0, 1 or 2 half points.
    ///
    /// # Panics
    /// A player that does not exist, one against himself, or more than a point.
    pub fn add(&mut self, player: usize, opponent: usize, half_points: u64) {
        assert!(
            player != opponent && half_points <= 2,
            "{player} made {half_points} half points against {opponent}"
        );
        for (player, opponent, half_points) in
            [(player, opponent, half_points), (opponent, player, 2 - half_points)]
        {
            let cell = &mut self.cells[player * self.players + opponent];
            cell.games += 1;
            cell.half_points += half_points;
            self.wins[player] += u64::from(half_points == 2);
        }
    }

    /// Adds all games of one player against another.
    ///
    /// # Panics
    /// A player that does not exist, one against himself, or more than a point a game.
    pub fn add_encounter(&mut self, player: usize, opponent: usize, encounter: Encounter) {
        let Encounter { games, half_points } = encounter;
        assert!(player != opponent && half_points <= 2 * games, "{player} against {opponent}: {encounter:?}");
        for (player, opponent, half_points) in
            [(player, opponent, half_points), (opponent, player, 2 * games - half_points)]
        {
            let cell = &mut self.cells[player * self.players + opponent];
            cell.games += games;
            cell.half_points += half_points;
        }
    }

    /// Adds games without an opponent and what they were worth. Tie-breaks take them as games against a dummy that ends
    /// with as many points as the player (FIDE Handbook C.07, "Tie-break regulations", on unplayed rounds); they are not
    /// games won.
    ///
    /// # Panics
    /// A player that does not exist.
    pub fn add_bye(&mut self, player: usize, games: u64, half_points: u64) {
        self.byes[player].games += games;
        self.byes[player].half_points += half_points;
    }

    fn row(&self, player: usize) -> &[Encounter] {
        &self.cells[player * self.players..][..self.players]
    }

    /// The total and the tie-breaks of every player.
    #[must_use]
    pub fn tie_breaks(&self) -> Vec<TieBreaks> {
        let total = |player: usize| {
            self.row(player).iter().chain([&self.byes[player]]).map(|cell| cell.half_points).sum::<u64>()
        };
        let totals: Vec<f64> = (0..self.players).map(|player| total(player) as f64 / 2.0).collect();
        self.tie_breaks_of(&totals, &self.wins)
    }

    /// The tie-breaks of players with these totals and games won, where those are not the sums of this table: in games of
    /// more than two seats a player beats everybody ranked below it, but wins the game only if it is first.
    ///
    /// # Panics
    /// Fewer totals or wins than players.
    #[must_use]
    pub fn tie_breaks_of(&self, totals: &[f64], wins: &[u64]) -> Vec<TieBreaks> {
        let of_player = |player: usize| {
            let total = totals[player];
            let mut tie_breaks = TieBreaks {
                points: total,
                head_to_head: 0.0,
                sonneborn_berger: 0.0,
                buchholz: 0.0,
                wins: wins[player],
            };
            let met = self.row(player).iter().zip(totals);
            for (cell, of_opponent) in met.clone().chain([(&self.byes[player], &total)]) {
                tie_breaks.sonneborn_berger += cell.half_points as f64 / 2.0 * of_opponent;
                tie_breaks.buchholz += cell.games as f64 * of_opponent;
            }
            let equals = met.filter(|(_, of_opponent)| **of_opponent == total);
            tie_breaks.head_to_head = equals.map(|(cell, _)| cell.half_points as f64 / 2.0).sum();
            tie_breaks
        };
        (0..self.players).map(of_player).collect()
    }
}

impl TieBreakOrder {
    /// Who comes first: `Less` if `a` does, `Equal` if nothing decides.
    #[must_use]
    pub fn compare(self, a: &TieBreaks, b: &TieBreaks) -> Ordering {
        let more = |value: fn(&TieBreaks) -> f64| value(b).total_cmp(&value(a));
        let points = more(|of| of.points);
        let sonneborn_berger = || more(|of| of.sonneborn_berger);
        match self {
            TieBreakOrder::HeadToHeadFirst => points
                .then_with(|| more(|of| of.head_to_head))
                .then_with(sonneborn_berger)
                .then_with(|| b.wins.cmp(&a.wins)),
            TieBreakOrder::BuchholzFirst => {
                points.then_with(|| more(|of| of.buchholz)).then_with(sonneborn_berger)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row: player, opponent, half points.
    fn table(players: usize, games: &[(usize, usize, u64)]) -> CrossTable {
        let mut table = CrossTable::new(players);
        games.iter().for_each(|&(player, opponent, half_points)| table.add(player, opponent, half_points));
        table
    }

    /// Everybody, the first in the standings first.
    fn order(table: &CrossTable) -> Vec<usize> {
        let of = table.tie_breaks();
        let mut players: Vec<usize> = (0..of.len()).collect();
        players.sort_by(|&a, &b| TieBreakOrder::HeadToHeadFirst.compare(&of[a], &of[b]));
        players
    }

    #[test]
    fn the_winner_of_the_direct_encounter_comes_first() {
        let games = [(0, 1, 0), (0, 2, 2), (0, 3, 2), (1, 2, 2), (1, 3, 0), (2, 3, 2)];
        assert_eq!(order(&table(4, &games)), [1, 0, 2, 3]);
    }

    #[test]
    fn those_between_whom_nothing_decides_share_a_place() {
        let games = [(0, 1, 1), (2, 0, 0), (2, 1, 0), (3, 0, 0), (3, 1, 0), (3, 2, 1)];
        let of = table(4, &games).tie_breaks();
        let compare = |a: usize, b: usize| TieBreakOrder::HeadToHeadFirst.compare(&of[a], &of[b]);
        assert!(compare(0, 1).is_eq() && compare(2, 3).is_eq() && compare(1, 2).is_lt());
    }

    #[test]
    fn a_bye_counts_like_a_game_against_somebody_of_ones_own_strength() {
        let mut with_bye = table(3, &[(0, 1, 2)]);
        with_bye.add_bye(2, 2, 3);
        let TieBreaks { points, head_to_head, sonneborn_berger, buchholz, wins } = with_bye.tie_breaks()[2];
        assert_eq!((points, head_to_head, sonneborn_berger, buchholz, wins), (1.5, 0.0, 2.25, 3.0, 0));
    }
}
