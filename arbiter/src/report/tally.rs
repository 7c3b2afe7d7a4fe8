//! What games add up to, kept up while they come in: memory grows with the number of players, not of games.

use crate::record::schema::{GameRecord, Plan, Totals};
use crate::record::{Duplicates, Sums};
use crate::statistics::{Counts, RankedUnits, Score, TwoSeatGame, TwoSeatUnits, Wealth};
use arbiter_rules::MAX_SEATS;
use std::collections::BTreeMap;

/// What the games that count add up to, as their report and its tables say it.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    pub tally: Tally,
    pub duplicates: Duplicates,
}

impl Ledger {
    /// Nothing yet, for games of a plan.
    pub(crate) fn under(plan: &Plan) -> Ledger {
        Ledger { tally: Tally::under(plan), duplicates: Duplicates::default() }
    }

    pub(crate) fn add(&mut self, game: &GameRecord) {
        self.tally.add(game);
        self.duplicates.add(game);
    }
}

/// The results of the games of a match or tournament.
#[derive(Clone, Debug)]
pub struct Tally {
    seats: usize,
    /// The sums that a report says.
    pub sums: Sums,
    /// How every player did in every seat.
    pub by_seat: Vec<Vec<SeatSum>>,
    /// By two players, the smaller number first.
    meetings: BTreeMap<(usize, usize), Meeting>,
    units: Units,
    pub(super) whole_units: Vec<u64>,
    /// Pairs of the first two players, where there are no others.
    counts: Counts,
    /// Games of units that are not whole, by unit.
    open: BTreeMap<u32, Vec<Played>>,
    /// Games and seats lost by faults.
    pub faults: u32,
    /// Who sets a mark in a league.
    pub staff: Vec<usize>,
    /// How everybody does against whom of them.
    duels: BTreeMap<[usize; 2], Wealth>,
}

/// How a player did in one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatSum {
    /// Games.
    pub games: u32,
    half_points: u32,
}

impl SeatSum {
    /// Points in this seat: one for everybody who came after the player, half a one for everybody who came beside it.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }
}

/// How two players did against each other; with more than two seats, who came before whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// Games with both.
    pub games: u32,
    /// Games in which the one with the smaller number came first of the two.
    pub wins: u32,
    /// Games in which they shared a place.
    pub draws: u32,
}

impl Meeting {
    /// Half a point for a shared place, a whole one for coming before the other.
    pub fn points(&self) -> f64 {
        f64::from(2 * self.wins + self.draws) / 2.0
    }
}

/// A game of a unit: who sat where, and who came where.
#[derive(Clone, Debug)]
struct Played {
    players: Vec<usize>,
    ranks: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(super) enum Units {
    Two(TwoSeatUnits),
    More(RankedUnits),
}

impl Tally {
    /// Nothing yet. No game has more seats than [`MAX_SEATS`], whatever a file says.
    pub fn new(players: usize, seats: usize) -> Tally {
        let seats = seats.min(MAX_SEATS);
        let units = if seats == 2 {
            Units::Two(TwoSeatUnits::new(players))
        } else {
            Units::More(RankedUnits::new(players))
        };
        Tally {
            seats,
            sums: Sums::new(players),
            by_seat: vec![vec![SeatSum::default(); seats]; players],
            meetings: BTreeMap::new(),
            units,
            whole_units: vec![0; players],
            counts: Counts::no_pairs(),
            open: BTreeMap::new(),
            faults: 0,
            staff: Vec::new(),
            duels: BTreeMap::new(),
        }
    }

    /// Nothing yet, for games of a plan.
    pub fn under(plan: &Plan) -> Tally {
        Tally { staff: plan.schedule.staff(), ..Tally::new(plan.players.len(), plan.seats as usize) }
    }

    /// There are so many players now.
    pub fn grow(&mut self, players: usize) {
        self.sums.grow(players);
        self.by_seat.resize(players.max(self.by_seat.len()), vec![SeatSum::default(); self.seats]);
        self.whole_units.resize(self.by_seat.len(), 0);
        match &mut self.units {
            Units::Two(units) => units.grow(players),
            Units::More(units) => units.grow(players),
        }
    }

    /// Adds a game that counts. Players that are not in the plan are passed over; `verify` reports them.
    pub fn add(&mut self, game: &GameRecord) {
        self.sums.add(game);
        let Some(outcome) = &game.outcome else { return };
        let players: Vec<usize> = game.seats.iter().map(|seat| seat.player as usize).collect();
        let is_sound = players.len() == self.seats
            && outcome.ranks.len() == self.seats
            && game.number > 0
            && players.iter().all(|&player| player < self.by_seat.len());
        if !is_sound {
            return;
        }
        self.faults += game.faults().filter(|(_, fault)| fault.is_failure()).count() as u32;
        let played = Played { players, ranks: outcome.ranks.clone() };
        self.add_seats(&played);
        self.add_meetings(&played);
        let unit = (game.number - 1) / self.seats as u32;
        let games = self.open.entry(unit).or_default();
        games.push(played);
        if games.len() == self.seats {
            let games = self.open.remove(&unit).unwrap_or_default();
            games[0].players.iter().for_each(|&player| self.whole_units[player] += 1);
            self.add_unit(&games);
        }
    }

    fn add_seats(&mut self, played: &Played) {
        for (seat, (&player, &rank)) in played.players.iter().zip(&played.ranks).enumerate() {
            let sum = &mut self.by_seat[player][seat];
            sum.games += 1;
            let after = played.ranks.iter().filter(|&&other| other > rank).count() as u32;
            let beside = played.ranks.iter().filter(|&&other| other == rank).count() as u32 - 1;
            sum.half_points += 2 * after + beside;
        }
    }

    fn add_meetings(&mut self, played: &Played) {
        for (index, &a) in played.players.iter().enumerate() {
            for (other, &b) in played.players.iter().enumerate().skip(index + 1) {
                let (low, high) = if a < b { (index, other) } else { (other, index) };
                let meeting = self.meetings.entry((a.min(b), a.max(b))).or_default();
                meeting.games += 1;
                meeting.wins += u32::from(played.ranks[low] < played.ranks[high]);
                meeting.draws += u32::from(played.ranks[low] == played.ranks[high]);
            }
        }
    }

    fn add_unit(&mut self, games: &[Played]) {
        match &mut self.units {
            Units::Two(units) => {
                let unit: Vec<TwoSeatGame> = games.iter().map(two_seats).collect();
                // The players are known, and a game of a player against itself is not rated.
                let _ = units.add(&unit);
                let [player, other] = [unit[0].first, unit[0].second];
                for [player, staff] in [[player, other], [other, player]] {
                    if games.len() == 2 && self.staff.contains(&staff) {
                        let half_points: usize = games.iter().map(|game| half_points(game, player)).sum();
                        self.duels.entry([player, staff]).or_default().add(half_points as u32);
                    }
                }
                if self.by_seat.len() == 2 && games.len() == 2 {
                    self.counts.add(games.iter().map(|game| half_points(game, 0)).sum());
                }
            }
            Units::More(units) => {
                let unit: Vec<Vec<Vec<usize>>> = games.iter().map(places).collect();
                let _ = units.add(&unit);
            }
        }
    }

    /// How a player did against somebody who sets a mark.
    pub fn duel(&self, player: usize, staff: usize) -> Wealth {
        self.duels.get(&[player, staff]).copied().unwrap_or_default()
    }

    /// Games so far.
    pub fn games(&self) -> u32 {
        self.sums.games_ended()
    }

    /// Sums by player.
    pub fn totals(&self) -> &[Totals] {
        self.sums.totals()
    }

    /// How many seats a game has.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The points of a player. With k seats the first place is worth k − 1, every place after it one less and the last one
    /// nothing; those who share places share their points.
    pub fn points(&self, player: usize) -> f64 {
        self.by_seat[player].iter().map(SeatSum::points).sum()
    }

    /// The same as a share of what all games of the player had to give, in percent.
    pub fn percent(&self, player: usize) -> f64 {
        let games: u32 = self.by_seat[player].iter().map(|sum| sum.games).sum();
        let most = f64::from(games) * self.seats.saturating_sub(1) as f64;
        if games == 0 { 0.0 } else { 100.0 * self.points(player) / most }
    }

    /// How two players did against each other, seen by the first; `None` if they never met.
    pub fn meeting(&self, player: usize, other: usize) -> Option<Meeting> {
        let meeting = *self.meetings.get(&(player.min(other), player.max(other)))?;
        let lost = meeting.games - meeting.wins - meeting.draws;
        Some(if player < other { meeting } else { Meeting { wins: lost, ..meeting } })
    }

    /// Whole pairs of two players, by the half points of the first.
    pub fn pairs(&self) -> Option<&Counts> {
        (self.by_seat.len() == 2 && self.seats == 2).then_some(&self.counts)
    }

    /// The units for ratings, those that are not whole included.
    pub(super) fn units(&self) -> Units {
        let mut whole = Tally { open: BTreeMap::new(), ..self.clone() };
        self.open.values().for_each(|games| whole.add_unit(games));
        whole.units
    }
}

fn half_points(game: &Played, player: usize) -> usize {
    let seat = usize::from(game.players[1] == player);
    match game.ranks[seat].cmp(&game.ranks[1 - seat]) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    }
}

fn two_seats(game: &Played) -> TwoSeatGame {
    let (first, second) = (game.players[0], game.players[1]);
    let score = match half_points(game, first) {
        2 => Score::WIN,
        1 => Score::DRAW,
        _ => Score::LOSS,
    };
    TwoSeatGame { first, second, score }
}

/// Everybody by place, the best first.
fn places(game: &Played) -> Vec<Vec<usize>> {
    let last = game.ranks.iter().copied().max().unwrap_or(0);
    let at = |place: u8| {
        let seats = game.players.iter().zip(&game.ranks);
        seats.filter(|(_, rank)| **rank == place).map(|(player, _)| *player).collect()
    };
    (1..=last).map(at).collect()
}
