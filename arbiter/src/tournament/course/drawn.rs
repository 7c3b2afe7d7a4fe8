//! Rounds that are drawn from the results of those before.

use super::Fixture;
use crate::record::Scored;
use crate::tournament::schedule::{Round, Rounds, Standing, Unit};

/// Rounds that have been drawn so far.
pub(super) struct Drawn {
    by: Box<dyn Rounds>,
    rounds: Vec<Round>,
    /// Whether the last round is being played.
    is_playing: bool,
    units: Vec<Unit>,
}

impl Drawn {
    /// Before the first round.
    pub(super) fn new(by: Box<dyn Rounds>) -> Drawn {
        Drawn { by, rounds: Vec::new(), is_playing: false, units: Vec::new() }
    }

    /// Draws what comes by these rules.
    pub(super) fn go_on(&mut self, by: Box<dyn Rounds>) {
        self.by = by;
    }

    pub(super) fn units(&self) -> &[Unit] {
        &self.units
    }

    pub(super) fn current(&self) -> Option<&Round> {
        self.rounds.last().filter(|_| self.is_playing)
    }

    /// How many rounds have been drawn.
    pub(super) fn rounds(&self) -> u32 {
        self.rounds.len() as u32
    }

    pub(super) fn is_over(&self) -> bool {
        !self.is_playing && !self.rounds.is_empty()
    }

    /// What is known but for the round that is being played. `withdrawn` has the last unit of those who are out.
    fn standing<'a>(&'a self, withdrawn: &'a [Option<u32>]) -> Standing<'a> {
        let over = self.rounds.len() - usize::from(self.is_playing);
        Standing { past: &self.rounds[..over], withdrawn }
    }

    /// The place of every entrant in a bracket so far, from 1.
    pub(super) fn places(&self, withdrawn: &[Option<u32>]) -> Vec<u32> {
        self.by.places(self.standing(withdrawn))
    }

    /// Half points of every entrant for byes and walkovers, those of the round that is being played included.
    pub(super) fn won_without_play(&self, withdrawn: &[Option<u32>]) -> Vec<u32> {
        self.by.won_without_play(Standing { past: &self.rounds, withdrawn })
    }

    /// Pairs of rounds that have not been drawn.
    pub(super) fn pairs_to_come(&self, withdrawn: &[Option<u32>]) -> u32 {
        let Some(round) = self.current() else { return 0 };
        let pairs = self.by.pairs_to_come(self.standing(withdrawn));
        pairs.saturating_sub(round.pairs * round.meetings.len() as u32)
    }

    /// Ends the current round, and draws the next. False if there is none.
    pub(super) fn next_round(&mut self, withdrawn: &[Option<u32>]) -> bool {
        let next = self.by.next(Standing { past: &self.rounds, withdrawn });
        self.is_playing = next.is_some();
        if let Some(round) = &next {
            self.add_units(round);
        }
        self.rounds.extend(next);
        self.is_playing
    }

    fn add_units(&mut self, round: &Round) {
        let number = self.rounds.len() as u32;
        let before: u32 = self.rounds.iter().map(|round| round.pairs).sum();
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
    }

    pub(super) fn add(&mut self, fixture: &Fixture, scored: &Scored) {
        let Some(round) = self.rounds.last_mut().filter(|_| self.is_playing) else { return };
        let units = round.pairs as usize * round.meetings.len();
        let first_unit = self.units.len() - units;
        let lane = (fixture.unit.number as usize - first_unit) % round.meetings.len();
        let meeting = &mut round.meetings[lane];
        for (seat, player) in fixture.players.iter().enumerate() {
            let member = usize::from(meeting.members[1] == *player);
            meeting.half_points[member] += scored.half_points(seat);
        }
    }
}
