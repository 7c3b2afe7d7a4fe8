//! What is known of a course: its games, how many there are, who is out, how the test stands.

use super::{Course, Fixture, Shape};
use crate::record::schema::WithdrawalRecord;
use crate::statistics::SprtRun;
use crate::tournament::schedule::{Unit, turn_of, unit_of};

impl Course {
    /// The game with this number, as far as its round has been drawn.
    pub fn fixture(&self, number: u32) -> Option<Fixture> {
        if number == 0 {
            return None;
        }
        let index = unit_of(number, self.seats);
        let (unit, is_of_match) = match &self.shape {
            Shape::Fixed(fixed) => (fixed.unit(index).filter(|_| number <= fixed.games())?, fixed.is_match()),
            Shape::Drawn(drawn) => (drawn.units().get(index as usize)?.clone(), false),
        };
        let players = unit.players_by_seat(turn_of(number, self.seats));
        let round = (!is_of_match).then_some(unit.round + 1);
        Some(Fixture { number, unit, players, round })
    }

    /// Whether a game counts, as far as is known: it is not behind the end of a test, and nobody in it had been
    /// withdrawn before.
    pub fn counts(&self, number: u32) -> bool {
        if let Shape::Fixed(fixed) = &self.shape
            && self.last_unit.is_none()
            && self.withdrawals.is_empty()
        {
            return number > 0 && number <= fixed.games();
        }
        self.fixture(number).is_some_and(|fixture| self.is_valid(&fixture.unit))
    }

    /// Whether it follows from results which games count: where a test may end the schedule, somebody may be withdrawn,
    /// or rounds are drawn.
    pub fn may_leave_out(&self) -> bool {
        self.sprt.is_some() || self.withdraw_after > 0 || !self.is_fixed()
    }

    /// Whether every game has been played that can be asked for.
    pub fn is_over(&self) -> bool {
        match &self.shape {
            _ if self.last_unit.is_some_and(|last| unit_of(self.front, self.seats) > last) => true,
            Shape::Fixed(fixed) => self.front > fixed.games(),
            Shape::Drawn(drawn) => drawn.current().is_none(),
        }
    }

    /// How many games there are, as far as is known: later rounds count as if no meeting of theirs were tied.
    pub fn games_asked(&self) -> u32 {
        self.asked
    }

    /// Who has been withdrawn, in order.
    pub fn withdrawals(&self) -> &[WithdrawalRecord] {
        &self.withdrawals
    }

    /// The sequential test, if there is one.
    pub fn sprt(&self) -> Option<&SprtRun> {
        self.sprt.as_ref()
    }

    /// Half points for rounds without an opponent, by entrant.
    pub fn bye_half_points(&self) -> Vec<u32> {
        let mut half_points = vec![0; self.withdrawn.len()];
        if let Shape::Drawn(drawn) = &self.shape {
            for round in drawn.all() {
                for &bye in &round.byes {
                    half_points[bye] += round.bye_half_points();
                }
            }
        }
        half_points
    }

    /// The place of every entrant in a bracket so far, from 1; empty for other schedules.
    pub fn places(&self) -> Vec<u32> {
        match &self.shape {
            Shape::Fixed(_) => Vec::new(),
            Shape::Drawn(drawn) => drawn.places(&self.withdrawn),
        }
    }

    /// The units of a schedule that does not depend on results, or those that have been drawn.
    pub fn units(&self) -> impl Iterator<Item = Unit> + '_ {
        (0..).map_while(|number| match &self.shape {
            Shape::Fixed(fixed) => fixed.unit(number),
            Shape::Drawn(drawn) => drawn.units().get(number as usize).cloned(),
        })
    }

    /// Whether the whole schedule was known before the first game.
    pub fn is_fixed(&self) -> bool {
        matches!(self.shape, Shape::Fixed(_))
    }

    /// How many rounds have been drawn, where rounds are.
    pub fn rounds(&self) -> u32 {
        match &self.shape {
            Shape::Fixed(_) => 0,
            Shape::Drawn(drawn) => drawn.all().count() as u32,
        }
    }

    /// Who has no opponent in the round that is being played.
    pub fn byes(&self) -> Vec<usize> {
        match &self.shape {
            Shape::Fixed(_) => Vec::new(),
            Shape::Drawn(drawn) => drawn.current().map_or_else(Vec::new, |round| round.byes.clone()),
        }
    }

    /// Counts the games of [`games_asked`](Course::games_asked).
    pub(super) fn count_games(&self) -> u32 {
        let known = match &self.shape {
            Shape::Fixed(fixed) => fixed.games(),
            Shape::Drawn(drawn) => drawn.units().len() as u32 * self.seats as u32,
        };
        let known = match self.last_unit {
            Some(last) => known.min((last + 1) * self.seats as u32),
            None => known,
        };
        if self.withdrawals.is_empty() {
            return known + self.games_to_come();
        }
        let units = 0..known.div_ceil(self.seats as u32);
        let games = |unit: u32| {
            let first = unit * self.seats as u32 + 1;
            let is_played = self.fixture(first).is_some_and(|fixture| self.is_valid(&fixture.unit));
            if is_played { (known + 1 - first).min(self.seats as u32) } else { 0 }
        };
        units.map(games).sum::<u32>() + self.games_to_come()
    }

    /// Games of rounds that have not been drawn.
    fn games_to_come(&self) -> u32 {
        match &self.shape {
            Shape::Fixed(_) => 0,
            Shape::Drawn(drawn) => drawn.pairs_to_come(&self.withdrawn) * self.seats as u32,
        }
    }
}
