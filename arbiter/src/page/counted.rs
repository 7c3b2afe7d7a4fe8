//! What the page says of games beside standings, kept up while they come in: memory does not grow with their number. Of how long
//! moves took there are counts on a scale of logarithms.

use crate::record::Scored;
use crate::record::schema::{ChosenBy, FaultRecord, GameRecord, MatchReport};
use std::collections::BTreeMap;

/// Faults that are told one by one, and those that are kept so that there are some of everybody who has any.
pub(super) const MOST_FAULTS: usize = 200;
const MOST_FAULTS_KEPT: usize = 2_000;
const MOST_FAULTS_OF_ONE: usize = 10;
/// Ways to end that are told apart: more would be a forged file's.
const MOST_ENDINGS: usize = 100;
const MOST_MEETINGS: usize = 4_096;

#[derive(Debug, Default)]
pub(super) struct Counted {
    pub(super) times: Vec<Times>,
    pub(super) depths: Vec<Searched>,
    pub(super) lengths: BTreeMap<usize, u32>,
    pub(super) endings: BTreeMap<(&'static str, String), u32>,
    pub(super) faults: Vec<Fault>,
    faults_of: Vec<usize>,
    /// Faults and refused answers, those that are not told one by one included.
    pub(super) all_faults: u64,
    pub(super) refused: u64,
    pub(super) meetings: Vec<BracketMeeting>,
}

/// What a bot said of its searches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Searched {
    moves: u64,
    depths: u64,
    nodes: u128,
    ns: u128,
}

impl Searched {
    pub(super) fn depth(&self) -> Option<f64> {
        (self.depths > 0).then(|| self.depths as f64 / self.moves as f64)
    }

    /// Positions a second.
    pub(super) fn speed(&self) -> Option<f64> {
        (self.nodes > 0 && self.ns > 0).then(|| self.nodes as f64 / (self.ns as f64 / 1e9))
    }
}

/// A fault that lost a game or a seat.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) game: u32,
    pub(super) ply: usize,
    pub(super) player: usize,
    pub(super) record: FaultRecord,
}

/// All games of two players in one round of a bracket.
#[derive(Debug)]
pub(super) struct BracketMeeting {
    /// The round it began in, and the last one in which it was played: a tied meeting goes on in the next.
    pub(super) round: u32,
    pub(super) last_round: u32,
    pub(super) players: [usize; 2],
    pub(super) half_points: [u32; 2],
    pub(super) first_game: u32,
}

impl Counted {
    pub(super) fn new(players: usize) -> Counted {
        Counted {
            times: vec![Times::new(); players],
            depths: vec![Searched::default(); players],
            faults_of: vec![0; players],
            ..Counted::default()
        }
    }

    pub(super) fn add(&mut self, report: &MatchReport, game: &GameRecord) {
        let player = |seat: u32| {
            let player = game.seats.get(seat as usize)?.player as usize;
            (player < report.plan.players.len()).then_some(player)
        };
        for (index, (seat, ply)) in game.turns().enumerate() {
            let Some(player) = player(seat).filter(|_| ply.by == ChosenBy::Player) else { continue };
            if let Some(ns) = ply.times().charged() {
                self.times[player].add(Longest { ns, game: game.number, ply: index + 1 });
            }
            if let Some(search) = &ply.search {
                let searched = &mut self.depths[player];
                searched.moves += 1;
                searched.depths += u64::from(search.depth);
                if search.nodes > 0 {
                    searched.nodes += u128::from(search.nodes);
                    searched.ns += u128::from(ply.times().charged().unwrap_or(0));
                }
            }
        }
        *self.lengths.entry(game.plies.len()).or_default() += 1;
        let how = game.ending.how.word();
        let reason = if self.endings.len() < MOST_ENDINGS { &game.ending.reason } else { "other" };
        *self.endings.entry((how, reason.to_owned())).or_default() += 1;
        self.refused += game.refused() as u64;
        let plies = game.eliminations.iter().map(|out| out.ply as usize).chain([game.plies.len()]);
        for (ply, (seat, record)) in plies.zip(game.faults()) {
            let Some(player) = player(seat) else { continue };
            self.all_faults += 1;
            self.faults_of[player] += 1;
            let is_rare =
                self.faults_of[player] <= MOST_FAULTS_OF_ONE && self.faults.len() < MOST_FAULTS_KEPT;
            if self.faults.len() < MOST_FAULTS || is_rare {
                self.faults.push(Fault { game: game.number, ply, player, record: record.clone() });
            }
        }
        if report.plan.schedule.kind.is_bracket() {
            self.meet(game);
        }
    }

    fn meet(&mut self, game: &GameRecord) {
        let ([a, b], Some(scored)) = (&game.seats[..], Scored::of(game)) else { return };
        let half_points = [0, 1].map(|seat| scored.half_points(seat));
        let round = game.round.unwrap_or(0);
        let (a, b) = (a.player as usize, b.player as usize);
        let is_of =
            |meeting: &&mut BracketMeeting| meeting.players.contains(&a) || meeting.players.contains(&b);
        let last = self.meetings.iter_mut().rev().find(is_of);
        let known = last.filter(|meeting| {
            let goes_on = meeting.last_round == round || meeting.half_points[0] == meeting.half_points[1];
            goes_on && (meeting.players == [a, b] || meeting.players == [b, a])
        });
        if let Some(meeting) = known {
            let [own, other] = if meeting.players == [a, b] { [0, 1] } else { [1, 0] };
            meeting.last_round = round;
            meeting.half_points[own] += half_points[0];
            meeting.half_points[other] += half_points[1];
        } else if self.meetings.len() < MOST_MEETINGS {
            let (players, first_game) = ([a, b], game.number);
            self.meetings.push(BracketMeeting { round, last_round: round, players, half_points, first_game });
        }
    }
}

/// Steps of the scale for each factor of ten.
const STEPS: f64 = 40.0;
/// The scale begins at a microsecond, and ends at more than a day.
const LEAST_NS: f64 = 1e3;
const LENGTH: usize = 440;

#[derive(Clone, Debug)]
pub(super) struct Times {
    counts: Vec<u32>,
    pub(super) moves: u64,
    pub(super) longest: Option<Longest>,
    least_ns: u64,
}

/// The longest of all thoughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Longest {
    pub(super) ns: u64,
    pub(super) game: u32,
    /// With how many plies played after it.
    pub(super) ply: usize,
}

impl Times {
    pub(super) fn new() -> Times {
        Times { counts: vec![0; LENGTH], moves: 0, longest: None, least_ns: u64::MAX }
    }

    pub(super) fn add(&mut self, of: Longest) {
        let step = (of.ns as f64 / LEAST_NS).max(1.0).log10() * STEPS;
        self.counts[(step as usize).min(LENGTH - 1)] += 1;
        self.moves += 1;
        self.least_ns = self.least_ns.min(of.ns);
        if self.longest.is_none_or(|longest| longest.ns < of.ns) {
            self.longest = Some(of);
        }
    }

    pub(super) fn least_ns(&self) -> f64 {
        self.least_ns as f64
    }

    /// The time that this share of all moves did not exceed, to 3 in 100; 0 where there are none.
    pub(super) fn quantile_ns(&self, share: f64) -> f64 {
        let Some(longest) = self.longest else { return 0.0 };
        let wanted = (share * self.moves as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let reaches = |count: &u32| {
            seen += u64::from(*count);
            seen >= wanted
        };
        let step = self.counts.iter().position(reaches).unwrap_or(LENGTH - 1);
        let middle = LEAST_NS * 10_f64.powf((step as f64 + 0.5) / STEPS);
        middle.clamp(self.least_ns(), longest.ns as f64)
    }
}

/// A time in words: `85 µs`, `1.2 ms`, `3.4 s`.
pub(super) fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns >= 1e9 => (ns / 1e9, "s"),
        ns if ns >= 1e6 => (ns / 1e6, "ms"),
        ns => (ns / 1e3, "µs"),
    };
    let digits = if value >= 9.95 || value == value.trunc() { 0 } else { 1 };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_moves_are_below_the_median_and_the_longest_is_told_exactly() {
        let mut times = Times::new();
        for ms in 1..=1000 {
            times.add(Longest { ns: ms * 1_000_000, game: ms as u32, ply: 7 });
        }
        let median = times.quantile_ns(0.5);
        assert!((0.97..1.03).contains(&(median / 500e6)), "{median}");
        assert_eq!(times.longest, Some(Longest { ns: 1_000_000_000, game: 1000, ply: 7 }));
        assert_eq!(times.quantile_ns(1.0), 1e9);
    }

    #[test]
    fn times_are_told_with_their_unit() {
        let told = [860.0, 85_000.0, 1_234_567.0, 34_000_000.0, 3_400_000_000.0, 60e9].map(time);
        assert_eq!(told, ["0.9 µs", "85 µs", "1.2 ms", "34 ms", "3.4 s", "60 s"]);
    }
}
