//! Standings: points, ratings with error bars, who did how against whom and in which seat.

use super::tally::{Meeting, SeatSum, Tally, Units};
use crate::record::schema::{SprtRecord, Totals};
use crate::statistics::{EloSummary, FirstSeatTerm, Ratings, bradley_terry, plackett_luce};
use serde_json::{Value, json};

/// The strength of the prior that keeps ratings of spotless scores finite.
const PRIOR: f64 = 0.1;

/// What standings need beside results.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// What was played, in words: `round robin · othello · 6 bots`.
    pub title: String,
    /// The names of the players.
    pub names: Vec<String>,
    /// Whether opponents differ, so that their points decide between equal ones first: in Swiss tournaments.
    pub opponents_differ: bool,
    /// Half points for rounds without an opponent, by player.
    pub bye_half_points: Vec<u32>,
    /// The place of every player in a bracket, from 1; empty for other schedules.
    pub places: Vec<u32>,
    /// The game whose fault made it one too many, by player.
    pub withdrawn_after: Vec<Option<u32>>,
    /// How a sequential test stands.
    pub sprt: Option<SprtRecord>,
    /// How many games there have to be.
    pub games_asked: u32,
    /// Games that repeat an earlier one of the same players move by move.
    pub repeated: u32,
    /// Remarks of the schedule, each a sentence.
    pub remarks: Vec<String>,
}

/// One player's line.
#[derive(Clone, Debug)]
pub struct Line {
    /// The number in the plan.
    pub player: usize,
    /// The place, from 1; equal for those that nothing sets apart.
    pub place: u32,
    /// Points, byes included.
    pub points: f64,
    /// Points by share of the games.
    pub percent: f64,
    /// The rating and half the width of its 95 % interval; none for somebody who has not played.
    pub rating: Option<(f64, f64)>,
    /// Points against those with as many points.
    pub head_to_head: f64,
    /// The points of those it scored against, by what it scored.
    pub sonneborn_berger: f64,
    /// The points of all opponents.
    pub buchholz: f64,
}

/// Everything that standings show.
pub struct Standings {
    pub(super) circumstances: Circumstances,
    pub(super) tally: Tally,
    pub(super) lines: Vec<Line>,
    ratings: Option<Ratings>,
}

impl Standings {
    /// Standings of these results.
    #[must_use]
    pub fn new(tally: &Tally, circumstances: Circumstances) -> Standings {
        let ratings = ratings(tally);
        let lines = lines(tally, &circumstances, ratings.as_ref());
        Standings { circumstances, tally: tally.clone(), lines, ratings }
    }

    /// The players, the best first.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub(super) fn name(&self, player: usize) -> String {
        let name = self.circumstances.names.get(player);
        name.map_or_else(|| format!("player {player}"), |name| crate::sanitize::sanitize(name))
    }

    pub(super) fn totals(&self, player: usize) -> &Totals {
        &self.tally.totals()[player]
    }

    /// The chance that one player is stronger than another, where they can be compared.
    #[must_use]
    pub fn superiority(&self, player: usize, other: usize) -> Option<f64> {
        self.ratings.as_ref()?.superiority(player, other)
    }

    /// The group of players that met, directly or over others, by player; all 0 where everybody can be compared.
    #[must_use]
    pub fn groups(&self) -> Vec<usize> {
        self.ratings.as_ref().map_or_else(Vec::new, |ratings| ratings.groups().to_vec())
    }

    /// How two players did in their pairs of games, where nobody else takes part.
    #[must_use]
    pub fn summary_of_two(&self) -> Option<EloSummary> {
        EloSummary::of(self.tally.pairs()?)
    }

    /// How one player did against another.
    #[must_use]
    pub fn meeting(&self, player: usize, other: usize) -> Option<Meeting> {
        self.tally.meeting(player, other)
    }

    /// How a player did in every seat.
    #[must_use]
    pub fn by_seat(&self, player: usize) -> &[SeatSum] {
        &self.tally.by_seat()[player]
    }

    /// Everything as one JSON object.
    #[must_use]
    pub fn json(&self) -> Value {
        let lines: Vec<Value> = self.lines.iter().map(|line| self.line_json(line)).collect();
        json!({
            "title": self.circumstances.title,
            "games_asked": self.circumstances.games_asked,
            "games_ended": self.tally.games(),
            "repeated": self.circumstances.repeated,
            "sprt": self.circumstances.sprt,
            "standings": lines,
        })
    }

    fn line_json(&self, line: &Line) -> Value {
        let totals = self.totals(line.player);
        let others = self.lines.iter().filter(|other| other.player != line.player);
        let against: Vec<Value> = others
            .map(|other| {
                let meeting = self.meeting(line.player, other.player).unwrap_or_default();
                json!({
                    "name": self.name(other.player),
                    "games": meeting.games,
                    "wins": meeting.wins,
                    "draws": meeting.draws,
                    "superiority": self.superiority(line.player, other.player),
                })
            })
            .collect();
        let seat = |sum: &SeatSum| json!({ "games": sum.games, "points": f64::from(sum.half_points) / 2.0 });
        json!({
            "place": line.place,
            "name": self.name(line.player),
            "games": totals.games,
            "points": line.points,
            "percent": line.percent,
            "rating": line.rating.map(|(rating, _)| rating),
            "margin": line.rating.map(|(_, margin)| margin),
            "wins": totals.wins,
            "draws": totals.draws,
            "losses": totals.losses,
            "head_to_head": line.head_to_head,
            "sonneborn_berger": line.sonneborn_berger,
            "buchholz": line.buchholz,
            "byes": self.circumstances.bye_half_points.get(line.player).map_or(0, |half| u32::from(*half > 0)),
            "withdrawn_after": self.circumstances.withdrawn_after.get(line.player).copied().flatten(),
            "errors": totals.errors,
            "moves": totals.moves,
            "wall_ns": totals.wall_ns,
            "cpu_ns": totals.cpu_ns,
            "by_seat": self.by_seat(line.player).iter().map(seat).collect::<Vec<_>>(),
            "against": against,
        })
    }
}

fn ratings(tally: &Tally) -> Option<Ratings> {
    if tally.games() == 0 {
        return None;
    }
    match tally.units() {
        Units::Two(units) => bradley_terry(&units, PRIOR, FirstSeatTerm::Absent).ok(),
        Units::More(units) => plackett_luce(&units, PRIOR).ok(),
    }
}

fn lines(tally: &Tally, circumstances: &Circumstances, ratings: Option<&Ratings>) -> Vec<Line> {
    let totals = tally.totals();
    let byes = |player: usize| circumstances.bye_half_points.get(player).copied().unwrap_or(0);
    let points: Vec<f64> =
        totals.iter().enumerate().map(|(player, sums)| sums.points + f64::from(byes(player)) / 2.0).collect();
    let mut lines: Vec<Line> = (0..totals.len())
        .map(|player| {
            let games = totals[player].games;
            let percent = if games == 0 { 0.0 } else { 100.0 * totals[player].points / f64::from(games) };
            let rating = ratings.filter(|_| games > 0).map(|ratings| ratings.players()[player]);
            let (head_to_head, sonneborn_berger, buchholz) = tie_breaks(tally, &points, player);
            let rating = rating.map(|of| (of.elo, of.margin()));
            Line {
                player,
                place: 0,
                points: points[player],
                percent,
                rating,
                head_to_head,
                sonneborn_berger,
                buchholz,
            }
        })
        .collect();
    let bracket = |line: &Line| circumstances.places.get(line.player).copied().unwrap_or(0);
    let key = |a: &Line, b: &Line| {
        let wins = |line: &Line| totals[line.player].wins;
        bracket(a)
            .cmp(&bracket(b))
            .then(b.points.total_cmp(&a.points))
            .then(if circumstances.opponents_differ {
                b.buchholz.total_cmp(&a.buchholz)
            } else {
                b.head_to_head.total_cmp(&a.head_to_head)
            })
            .then(b.sonneborn_berger.total_cmp(&a.sonneborn_berger))
            .then(wins(b).cmp(&wins(a)))
    };
    lines.sort_by(key);
    for index in 0..lines.len() {
        let is_equal = index > 0 && key(&lines[index - 1], &lines[index]).is_eq();
        lines[index].place = if is_equal { lines[index - 1].place } else { index as u32 + 1 };
    }
    lines
}

/// Head-to-head points, Sonneborn-Berger and Buchholz scores of a player. With more than two seats, whoever comes before
/// another has won against it.
fn tie_breaks(tally: &Tally, points: &[f64], player: usize) -> (f64, f64, f64) {
    let (mut head_to_head, mut sonneborn_berger, mut buchholz) = (0.0, 0.0, 0.0);
    for (other, total) in points.iter().enumerate().filter(|(other, _)| *other != player) {
        let Some(meeting) = tally.meeting(player, other) else { continue };
        let made = f64::from(meeting.wins) + f64::from(meeting.draws) / 2.0;
        if *total == points[player] {
            head_to_head += made;
        }
        sonneborn_berger += made * total;
        buchholz += f64::from(meeting.games) * total;
    }
    (head_to_head, sonneborn_berger, buchholz)
}
