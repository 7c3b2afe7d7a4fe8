//! What the page says of games beside standings, kept up while they come in: memory does not grow with their number.

use super::times::{Longest, Times};
use crate::record::schema::{ChosenBy, FaultRecord, GameRecord, MatchReport};
use arbiter_rules::MAX_SEATS;
use std::collections::BTreeMap;

/// Faults that are told one by one, and those that are kept so that there are some of everybody who has any.
pub(super) const MOST_FAULTS: usize = 200;
const MOST_FAULTS_KEPT: usize = 2_000;
const MOST_FAULTS_OF_ONE: usize = 10;
/// Ways to end that are told apart: more would be a forged file's.
const MOST_ENDINGS: usize = 100;
/// Meetings of a bracket that are drawn.
const MOST_MEETINGS: usize = 4_096;

/// What games add up to.
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
    /// The mean depth.
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
    /// Nothing yet.
    pub(super) fn new(players: usize) -> Counted {
        Counted {
            times: vec![Times::new(); players],
            depths: vec![Searched::default(); players],
            faults_of: vec![0; players],
            ..Counted::default()
        }
    }

    /// Adds a game.
    pub(super) fn add(&mut self, report: &MatchReport, game: &GameRecord, is_bracket: bool) {
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
        let outs = game.eliminations.iter().map(|out| (out.ply as usize, out.seat, &out.fault));
        let ended = game.ending.seat.zip(game.ending.fault.as_ref());
        let ended = ended.map(|(seat, fault)| (game.plies.len(), seat, fault));
        for (ply, seat, record) in outs.chain(ended) {
            let Some(player) = player(seat) else { continue };
            self.all_faults += 1;
            self.faults_of[player] += 1;
            let is_rare =
                self.faults_of[player] <= MOST_FAULTS_OF_ONE && self.faults.len() < MOST_FAULTS_KEPT;
            if self.faults.len() < MOST_FAULTS || is_rare {
                self.faults.push(Fault { game: game.number, ply, player, record: record.clone() });
            }
        }
        if is_bracket {
            self.meet(game);
        }
    }

    fn meet(&mut self, game: &GameRecord) {
        let ([a, b], Some(outcome)) = (&game.seats[..], &game.outcome) else { return };
        let [first, second] = outcome.ranks[..] else { return };
        let round = game.round.unwrap_or(0);
        let (a, b) = (a.player as usize, b.player as usize);
        let won = match first.cmp(&second) {
            std::cmp::Ordering::Less => [2, 0],
            std::cmp::Ordering::Equal => [1, 1],
            std::cmp::Ordering::Greater => [0, 2],
        };
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
            meeting.half_points[own] += won[0];
            meeting.half_points[other] += won[1];
        } else if self.meetings.len() < MOST_MEETINGS {
            let players = [a, b];
            let meeting = BracketMeeting {
                round,
                last_round: round,
                players,
                half_points: won,
                first_game: game.number,
            };
            self.meetings.push(meeting);
        }
    }
}

/// How many seats a plan can be shown with.
pub(super) fn seats(report: &MatchReport) -> usize {
    (report.plan.seats as usize).min(MAX_SEATS)
}
