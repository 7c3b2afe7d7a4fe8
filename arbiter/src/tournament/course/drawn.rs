//! Rounds that are drawn from the results of those before.

use super::Fixture;
use crate::record::Scored;
use crate::tournament::schedule::{PlayedRound, Round, Rounds, Standing, Unit};

/// Rounds that have been drawn so far.
pub(super) struct Drawn {
    rounds: Box<dyn Rounds>,
    past: Vec<PlayedRound>,
    current: Option<Round>,
    /// The number of the current round's first unit.
    first_unit: u32,
    units: Vec<Unit>,
    /// Half points of both members of each meeting of the current round.
    half_points: Vec<[u32; 2]>,
}

impl Drawn {
    /// Before the first round.
    pub(super) fn new(rounds: Box<dyn Rounds>) -> Drawn {
        let (past, units, half_points) = (Vec::new(), Vec::new(), Vec::new());
        Drawn { rounds, past, current: None, first_unit: 0, units, half_points }
    }

    /// Draws what comes by these rounds.
    pub(super) fn go_on(&mut self, rounds: Box<dyn Rounds>) {
        self.rounds = rounds;
    }

    /// The units of all rounds that have been drawn.
    pub(super) fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The round that is being played.
    pub(super) fn current(&self) -> Option<&Round> {
        self.current.as_ref()
    }

    /// Every round that has been drawn.
    pub(super) fn all(&self) -> impl Iterator<Item = &Round> {
        self.past.iter().map(|played| &played.round).chain(&self.current)
    }

    /// Whether there is no further round.
    pub(super) fn is_over(&self) -> bool {
        self.current.is_none() && !self.past.is_empty()
    }

    /// The place of every entrant in a bracket so far, from 1. `withdrawn` has the last unit of those who are out.
    pub(super) fn places(&self, withdrawn: &[Option<u32>]) -> Vec<u32> {
        self.rounds.places(&Standing { past: &self.past, withdrawn })
    }

    /// Pairs of rounds that have not been drawn.
    pub(super) fn pairs_to_come(&self, withdrawn: &[Option<u32>]) -> u32 {
        let Some(round) = &self.current else { return 0 };
        let pairs = self.rounds.pairs_to_come(&Standing { past: &self.past, withdrawn });
        pairs.saturating_sub(round.pairs * round.meetings.len() as u32)
    }

    /// Ends the current round, and draws the next. False if there is none.
    pub(super) fn next_round(&mut self, withdrawn: &[Option<u32>]) -> bool {
        if let Some(round) = self.current.take() {
            let half_points = std::mem::take(&mut self.half_points);
            self.past.push(PlayedRound { round, half_points });
        }
        let next = self.rounds.next(&Standing { past: &self.past, withdrawn });
        next.map(|round| self.begin(round)).is_some()
    }

    fn begin(&mut self, round: Round) {
        self.first_unit = self.units.len() as u32;
        self.half_points = vec![[0; 2]; round.meetings.len()];
        let number = self.past.len() as u32;
        let before: u32 = self.past.iter().map(|played| played.round.pairs).sum();
        for pair in 0..round.pairs {
            for meeting in &round.meetings {
                let mut members = meeting.members.to_vec();
                if !pair.is_multiple_of(2) {
                    members.reverse();
                }
                let (unit, lane) = (self.units.len() as u32, meeting.id);
                self.units.push(Unit { number: unit, members, round: number, lane, meeting: before + pair });
            }
        }
        self.current = Some(round);
    }

    /// Adds the result of a game of the current round.
    pub(super) fn add(&mut self, fixture: &Fixture, scored: &Scored) {
        let Some(round) = &self.current else { return };
        let lane = (fixture.unit.number - self.first_unit) as usize % round.meetings.len().max(1);
        let members = round.meetings[lane].members;
        for (seat, player) in fixture.players.iter().enumerate() {
            let member = usize::from(members[1] == *player);
            self.half_points[lane][member] += scored.half_points(seat);
        }
    }
}
