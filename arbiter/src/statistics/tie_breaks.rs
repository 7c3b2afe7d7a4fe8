//! Points and tie-breaks.

use std::cmp::Ordering;

/// All results of each against each, as sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossTable {
    players: usize,
    /// Row by row: what the player of the row did against that of the column.
    cells: Vec<Encounter>,
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
    pub fn new(players: usize) -> CrossTable {
        CrossTable {
            players,
            cells: vec![Encounter::default(); players * players],
            byes: vec![Encounter::default(); players],
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

    /// The tie-breaks of players with these totals and games won, which need not be the sums of this table: in games of
    /// more than two seats a player beats everybody ranked below it, but wins the game only if it is first.
    ///
    /// # Panics
    /// Fewer totals or wins than players.
    pub fn tie_breaks(&self, totals: &[f64], wins: &[u64]) -> Vec<TieBreaks> {
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
