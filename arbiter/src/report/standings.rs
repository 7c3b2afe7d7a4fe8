//! Standings: points, ratings with error bars, results against each opponent and in each seat.

use super::tally::{SeatSum, Tally, Units};
use crate::record::schema::{ClockKind, SprtPlan, SprtRecord, Totals};
use crate::statistics::{
    self, Encounter, FirstSeatTerm, Interval, Ratings, TieBreakOrder, TieBreaks, WEAK_PRIOR, bradley_terry,
    plackett_luce,
};
use serde_json::{Value, json};

/// How many units a player needs before it is told how surely it is the stronger one: with fewer that changes with every game.
pub(super) const ENOUGH_UNITS: u64 = 5;

/// What standings need beside results.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// What was played, in words: `round robin · othello · 6 bots`.
    pub title: String,
    /// The names of the players.
    pub names: Vec<String>,
    /// Whether opponents differ, so that their points decide between equal ones first: in Swiss tournaments.
    pub opponents_differ: bool,
    /// Whether results decided who met whom, in Swiss tournaments and brackets: ratings are less sure then.
    pub is_paired_by_results: bool,
    /// Who has left a league, by player; empty for other schedules. In a league ratings decide about places, since
    /// everybody has other opponents, and those who have left come last.
    pub former: Vec<bool>,
    /// Half points for games won without play, byes and walkovers, by player.
    pub half_points_without_play: Vec<u32>,
    /// The place of every player in a bracket, from 1; empty for other schedules.
    pub places: Vec<u32>,
    /// The game after whose fault a player was withdrawn, by player.
    pub withdrawn_after: Vec<Option<u32>>,
    /// What a sequential test asks, and how it stands.
    pub sprt: Option<(SprtPlan, SprtRecord)>,
    /// How many games there have to be.
    pub games_asked: u32,
    /// Games that repeat an earlier one of the same players move by move, as far as games are compared.
    pub repeated: u32,
    /// What the clocks of bots went by, where that is known.
    pub clock: Option<ClockKind>,
    /// Who is not let into a league, and why, a line for each.
    pub not_let_in: Vec<String>,
    /// Remarks of the schedule, each a sentence.
    pub remarks: Vec<String>,
}

impl Circumstances {
    fn half_points_without_play(&self, player: usize) -> u32 {
        self.half_points_without_play.get(player).copied().unwrap_or(0)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub player: usize,
    /// The place, from 1; equal for those that nothing sets apart.
    pub place: u32,
    /// Points, those without play included.
    pub points: f64,
    /// Points in percent of what its games had to give.
    pub percent: f64,
    /// The rating; none for somebody who has not played.
    pub rating: Option<f64>,
    pub interval: Option<Interval>,
    /// Points against those with as many points.
    pub head_to_head: f64,
    /// The points of those it scored against, by what it scored; games without play count as against its own equal.
    pub sonneborn_berger: f64,
    /// The points of all opponents, in the same way.
    pub buchholz: f64,
}

pub(crate) struct Standings {
    pub(crate) circumstances: Circumstances,
    pub(crate) tally: Tally,
    /// The players, the best first.
    pub(crate) lines: Vec<Line>,
    ratings: Option<Ratings>,
    /// The player whose rating is known, and what it is.
    pub(super) anchor: Option<(usize, f64)>,
}

impl Standings {
    pub(crate) fn new(tally: &Tally, circumstances: Circumstances) -> Standings {
        let by_results = circumstances.is_paired_by_results;
        let ratings =
            ratings(tally).map(|ratings| if by_results { ratings.paired_by_results() } else { ratings });
        let lines = lines(tally, &circumstances, ratings.as_ref());
        Standings { circumstances, tally: tally.clone(), lines, ratings, anchor: None }
    }

    /// The same with ratings on the scale on which a player's rating is known, if one is. The others differ from it as the
    /// games say; players who never met it, not even over others, have none.
    pub(crate) fn anchored(mut self, anchor: Option<(usize, f64)>) -> Standings {
        let (Some(ratings), Some((player, elo))) = (&self.ratings, anchor) else { return self };
        for line in &mut self.lines {
            let rating = |of: usize| ratings.players()[of].elo;
            let is_known = line.rating.is_some() && ratings.comparable(line.player, player);
            line.rating = is_known.then(|| rating(line.player) - rating(player) + elo);
            let moved = |interval: Interval| Interval { low: interval.low + elo, high: interval.high + elo };
            line.interval = match line.player == player {
                true => Some(Interval { low: elo, high: elo }),
                false => ratings.difference_interval(line.player, player).map(moved),
            };
        }
        self.anchor = anchor;
        self
    }

    pub(super) fn name(&self, player: usize) -> String {
        let name = self.circumstances.names.get(player);
        name.map_or_else(|| format!("player {player}"), |name| crate::sanitize::sanitize(name))
    }

    /// The rating from which plots begin: that of the anchor, or the mean of all.
    pub(crate) fn zero(&self) -> f64 {
        self.anchor.map_or(0.0, |(_, elo)| elo)
    }

    /// What ratings are measured from, in words.
    pub(crate) fn scale(&self) -> String {
        match self.anchor {
            Some((player, elo)) => format!("Elo, with {} at {elo}", self.name(player)),
            None => "Elo above the mean of all".to_owned(),
        }
    }

    pub(super) fn totals(&self, player: usize) -> &Totals {
        &self.tally.totals()[player]
    }

    pub(super) fn points_without_play(&self, player: usize) -> f64 {
        f64::from(self.circumstances.half_points_without_play(player)) / 2.0
    }

    /// The chance that one player is stronger than another, where they can be compared and have played enough.
    pub(crate) fn superiority(&self, player: usize, other: usize) -> Option<f64> {
        let ratings = self.ratings.as_ref()?;
        let is_enough = self.has_enough_units(player) && self.has_enough_units(other);
        is_enough.then(|| ratings.superiority(player, other)).flatten()
    }

    /// Whether a player has played enough to say how surely it is stronger than another.
    pub(super) fn has_enough_units(&self, player: usize) -> bool {
        self.tally.whole_units[player] >= ENOUGH_UNITS
    }

    /// The rating of a player, on the scale of all ratings of these standings.
    pub(super) fn elo(&self, player: usize) -> Option<f64> {
        Some(self.ratings.as_ref()?.players().get(player)?.elo)
    }

    /// The 95 % interval of the difference between two ratings, where they can be compared.
    pub(crate) fn difference(&self, player: usize, other: usize) -> Option<Interval> {
        self.ratings.as_ref()?.difference_interval(player, other)
    }

    /// The group of players that met, directly or over others, which a player belongs to; 0 where everybody can be compared.
    pub(crate) fn group(&self, player: usize) -> Option<usize> {
        self.ratings.as_ref()?.groups().get(player).copied()
    }

    pub(crate) fn json(&self) -> Value {
        let lines: Vec<Value> = self.lines.iter().map(|line| self.line_json(line)).collect();
        json!({
            "title": self.circumstances.title,
            "games_asked": self.circumstances.games_asked,
            "games_ended": self.tally.games(),
            "repeated": self.circumstances.repeated,
            "sprt": self.circumstances.sprt.as_ref().map(|(_, stands)| stands),
            "anchor": self.anchor.map(|(player, elo)| json!({ "name": self.name(player), "rating": elo })),
            "marks": (!self.tally.staff.is_empty()).then(|| self.marks_json()),
            "standings": lines,
        })
    }

    fn line_json(&self, line: &Line) -> Value {
        let totals = self.totals(line.player);
        let others = self.lines.iter().filter(|other| other.player != line.player);
        let against: Vec<Value> = others
            .map(|other| {
                let meeting = self.tally.meeting(line.player, other.player).unwrap_or_default();
                json!({
                    "name": self.name(other.player),
                    "games": meeting.games,
                    "wins": meeting.wins,
                    "draws": meeting.draws,
                    "superiority": self.superiority(line.player, other.player),
                })
            })
            .collect();
        let seat = |sum: &SeatSum| json!({ "games": sum.games, "points": sum.points() });
        json!({
            "place": line.place,
            "name": self.name(line.player),
            "games": totals.games,
            "points": line.points,
            "percent": line.percent,
            "rating": line.rating,
            "lower": line.interval.map(|interval| interval.low),
            "upper": line.interval.map(|interval| interval.high),
            "wins": totals.wins,
            "draws": totals.draws,
            "losses": totals.losses,
            "head_to_head": line.head_to_head,
            "sonneborn_berger": line.sonneborn_berger,
            "buchholz": line.buchholz,
            "bye_points": self.points_without_play(line.player),
            "withdrawn_after": self.circumstances.withdrawn_after.get(line.player).copied().flatten(),
            "errors": totals.errors,
            "moves": totals.moves,
            "wall_ns": totals.wall_ns,
            "cpu_ns": totals.cpu_ns,
            "charged_ns": totals.charged_ns,
            "by_seat": self.tally.by_seat[line.player].iter().map(seat).collect::<Vec<_>>(),
            "against": against,
        })
    }
}

pub(super) fn ratings(tally: &Tally) -> Option<Ratings> {
    if tally.games() == 0 {
        return None;
    }
    match tally.units() {
        Units::Two(units) => bradley_terry(&units, WEAK_PRIOR, FirstSeatTerm::Absent).ok(),
        Units::More(units) => plackett_luce(&units, WEAK_PRIOR).ok(),
    }
}

fn lines(tally: &Tally, circumstances: &Circumstances, ratings: Option<&Ratings>) -> Vec<Line> {
    let totals = tally.totals();
    let order = if circumstances.opponents_differ {
        TieBreakOrder::BuchholzFirst
    } else {
        TieBreakOrder::HeadToHeadFirst
    };
    let bracket = |player: usize| circumstances.places.get(player).copied().unwrap_or(0);
    let is_league = !circumstances.former.is_empty();
    let has_left = |player: usize| circumstances.former.get(player).copied().unwrap_or(false);
    let strength = |player: usize| {
        let ratings = ratings.filter(|_| is_league && totals[player].games > 0);
        ratings.map_or(f64::NEG_INFINITY, |ratings| ratings.players()[player].elo)
    };
    let mut players: Vec<(usize, TieBreaks)> =
        tie_breaks(tally, circumstances).into_iter().enumerate().collect();
    let compare = |(a, of_a): &(usize, TieBreaks), (b, of_b): &(usize, TieBreaks)| {
        let by_place = has_left(*a).cmp(&has_left(*b)).then(bracket(*a).cmp(&bracket(*b)));
        let by_rating = by_place.then_with(|| strength(*b).total_cmp(&strength(*a)));
        by_rating.then_with(|| order.compare(of_a, of_b))
    };
    players.sort_by(compare);
    let mut place = 0;
    let lines = (1..).zip(&players).map(|(number, of)| {
        let is_equal = number > 1 && compare(&players[number - 2], of).is_eq();
        place = if is_equal { place } else { number as u32 };
        let &(player, TieBreaks { points, head_to_head, sonneborn_berger, buchholz, .. }) = of;
        let percent = tally.percent(player);
        let ratings = ratings.filter(|_| totals[player].games > 0);
        let rating = ratings.map(|ratings| ratings.players()[player].elo);
        let interval = ratings.and_then(|ratings| ratings.interval(player));
        Line { player, place, points, percent, rating, interval, head_to_head, sonneborn_berger, buchholz }
    });
    lines.collect()
}

/// Points with those without play, and what decides between equal ones, by player.
fn tie_breaks(tally: &Tally, circumstances: &Circumstances) -> Vec<TieBreaks> {
    let players = 0..tally.totals().len();
    let met = |player: usize, other: usize| {
        if player == other {
            let half_points = circumstances.half_points_without_play(player);
            return Encounter { games: u64::from(half_points / 2), half_points: u64::from(half_points) };
        }
        let meeting = tally.meeting(player, other).unwrap_or_default();
        Encounter { games: meeting.games.into(), half_points: (2 * meeting.wins + meeting.draws).into() }
    };
    let without_play = |player| f64::from(circumstances.half_points_without_play(player)) / 2.0;
    let points: Vec<f64> = players.map(|player| tally.points(player) + without_play(player)).collect();
    let wins: Vec<u64> = tally.totals().iter().map(|sums| u64::from(sums.wins)).collect();
    statistics::tie_breaks(&points, &wins, met)
}
