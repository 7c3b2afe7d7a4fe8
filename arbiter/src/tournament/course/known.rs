//! What is known of a course: its games, how many there are, who is out, how the test stands.

use super::drawn::Drawn;
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
        let unit = self.shape.unit(unit_of(number, self.seats))?;
        let is_of_match = match &self.shape {
            Shape::Fixed(fixed) if number > fixed.games() => return None,
            Shape::Fixed(fixed) => fixed.is_match(),
            Shape::Drawn(_) => false,
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

    /// The game whose result decides on games that nobody knows of yet, where rounds are drawn.
    pub fn waits_for(&self) -> Option<u32> {
        self.drawn()?.current().map(|_| self.front)
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

    /// Half points for games that are won without play, by entrant: byes, and walkovers where somebody had been withdrawn
    /// before, since it must not matter whom that one still met; as far as the schedule has come. Empty where points do not
    /// decide.
    pub fn half_points_without_play(&self) -> Vec<u32> {
        let fixed = match &self.shape {
            Shape::Drawn(drawn) => return drawn.won_without_play(&self.withdrawn),
            Shape::Fixed(fixed) => fixed,
        };
        let mut half_points = vec![0; self.withdrawn.len()];
        if self.withdrawals.is_empty() {
            return half_points;
        }
        // Behind the end of a test nobody was to play any more.
        let end = self.last_unit.map_or(u32::MAX, |last| last + 1).min(unit_of(self.front, self.seats));
        for unit in (0..end).map_while(|number| fixed.unit(number)) {
            let left = || unit.members.iter().filter(|member| self.is_in(**member, &unit));
            let lacks = self.seats - left().count();
            if lacks > 0 {
                // Those who are left share the first places of each game.
                let of_a_game = self.seats - 1 + lacks;
                left().for_each(|&member| half_points[member] += (of_a_game * self.seats) as u32);
            }
        }
        half_points
    }

    /// The place of every entrant in a bracket so far, from 1; empty for other schedules.
    pub fn places(&self) -> Vec<u32> {
        self.drawn().map_or_else(Vec::new, |drawn| drawn.places(&self.withdrawn))
    }

    /// The units of a schedule that does not depend on results, or those that have been drawn.
    pub fn units(&self) -> impl Iterator<Item = Unit> + '_ {
        (0..).map_while(|number| self.shape.unit(number))
    }

    /// Whether the whole schedule was known before the first game.
    pub fn is_fixed(&self) -> bool {
        self.drawn().is_none()
    }

    /// How many rounds have been drawn; 0 for a fixed schedule.
    pub fn rounds(&self) -> u32 {
        self.drawn().map_or(0, Drawn::rounds)
    }

    /// Who has no opponent in the round that is being played.
    pub fn bye(&self) -> Option<usize> {
        self.drawn()?.current()?.bye
    }

    fn drawn(&self) -> Option<&Drawn> {
        if let Shape::Drawn(drawn) = &self.shape { Some(drawn) } else { None }
    }

    /// Counts the games of [`games_asked`](Course::games_asked).
    pub(super) fn count_games(&self) -> u32 {
        let seats = self.seats as u32;
        let drawn = match &self.shape {
            Shape::Fixed(fixed) => fixed.games(),
            Shape::Drawn(drawn) => drawn.units().len() as u32 * seats,
        };
        let known = self.last_unit.map_or(drawn, |last| drawn.min((last + 1) * seats));
        let to_come = self.drawn().map_or(0, |drawn| drawn.pairs_to_come(&self.withdrawn) * seats);
        if self.withdrawals.is_empty() {
            return known + to_come;
        }
        let games = |unit: u32| {
            let first = unit * seats + 1;
            let is_played = self.fixture(first).is_some_and(|fixture| self.is_valid(&fixture.unit));
            if is_played { (known + 1 - first).min(seats) } else { 0 }
        };
        (0..known.div_ceil(seats)).map(games).sum::<u32>() + to_come
    }
}

impl Shape {
    /// The unit with this number, from 0, as far as its round has been drawn.
    fn unit(&self, number: u32) -> Option<Unit> {
        match self {
            Shape::Fixed(fixed) => fixed.unit(number),
            Shape::Drawn(drawn) => drawn.units().get(number as usize).cloned(),
        }
    }
}
