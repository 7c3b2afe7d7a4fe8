//! The course of a schedule: which game comes next, given what has ended.
//!
//! Whatever depends on results (the next round, a withdrawal, the end of a sequential test) is decided on the
//! contiguous prefix of the schedule alone: game 7 says nothing before games 1 to 6 are in. So the course, and with it
//! every report, is the same however many workers play, and in whatever order games end.

mod drawn;
mod known;

use super::schedule::{Fixed, Schedule, Unit, turn_of, unit_of};
use super::shard::Shard;
use crate::record::Scored;
use crate::record::schema::{GameRecord, WithdrawalRecord};
use crate::statistics::{Decision, SprtRun};
use drawn::Drawn;
use std::collections::{BTreeMap, BTreeSet};

/// What a course follows.
pub struct CourseRules {
    /// The schedule.
    pub schedule: Schedule,
    /// How many take part.
    pub entrants: usize,
    /// Seats in a game.
    pub seats: usize,
    /// Games lost in a row by faults after which an entrant is withdrawn; 0 for never.
    pub withdraw_after: u32,
    /// The test that may end a schedule of two entrants.
    pub sprt: Option<SprtRun>,
    /// The part of the units that is played here.
    pub shard: Option<Shard>,
    /// Units beyond the known results that are played here; `None` for all.
    pub wave: Option<u32>,
}

/// A game that is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 1.
    pub number: u32,
    /// Its unit.
    pub unit: Unit,
    /// Who sits where.
    pub players: Vec<usize>,
    /// Its round as records name it, from 1; none in a match, where neither round nor unit says anything.
    pub round: Option<u32>,
}

/// What a worker is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play this game.
    Game(Fixture),
    /// Wait for the end of other games.
    Wait,
    /// Nothing is left to be played here.
    Nothing,
}

/// The state of a schedule.
pub struct Course {
    seats: usize,
    shape: Shape,
    shard: Option<Shard>,
    wave: Option<u32>,
    withdraw_after: u32,
    running: u32,
    /// The next game that has not been handed out.
    next: u32,
    /// Games that have been handed out before, and are handed out again.
    again: BTreeSet<u32>,
    /// Games that were broken off. Each of them is handed out once more, however often it was put back.
    broken: BTreeSet<u32>,
    /// Every game before this one is in, as far as it is played here.
    front: u32,
    /// Games behind the front that are in.
    ahead: BTreeMap<u32, Scored>,
    faults_in_a_row: Vec<u32>,
    withdrawn: Vec<Option<u32>>,
    withdrawals: Vec<WithdrawalRecord>,
    sprt: Option<SprtRun>,
    /// Half points of the first entrant in the unit at the front.
    unit_half_points: u32,
    /// The last unit that counts, once a test has ended the schedule.
    last_unit: Option<u32>,
    /// How many games there are, as far as is known.
    asked: u32,
}

enum Shape {
    Fixed(Fixed),
    Drawn(Drawn),
}

impl Course {
    /// A course at its start.
    pub fn new(rules: CourseRules) -> Course {
        let CourseRules { schedule, entrants, seats, withdraw_after, sprt, shard, wave } = rules;
        let shape = match schedule.rounds(entrants) {
            Some(rounds) => Shape::Drawn(Drawn::new(rounds)),
            None => Shape::Fixed(Fixed::new(&schedule, entrants, seats)),
        };
        let mut course = Course {
            seats,
            shape,
            shard,
            wave,
            withdraw_after,
            running: 0,
            next: 1,
            again: BTreeSet::new(),
            broken: BTreeSet::new(),
            front: 1,
            ahead: BTreeMap::new(),
            faults_in_a_row: vec![0; entrants],
            withdrawn: vec![None; entrants],
            withdrawals: Vec::new(),
            sprt,
            unit_half_points: 0,
            last_unit: None,
            asked: 0,
        };
        course.draw();
        course.asked = course.count_games();
        course
    }

    /// Goes on with a schedule that has grown, by entrants or rounds. What has been drawn stays as it is.
    pub fn grow(&mut self, schedule: &Schedule, entrants: usize) {
        let Shape::Drawn(drawn) = &mut self.shape else { return };
        drawn.go_on(schedule.rounds(entrants).expect("a schedule that is drawn has rounds"));
        self.faults_in_a_row.resize(entrants, 0);
        self.withdrawn.resize(entrants, None);
        if drawn.current().is_none() {
            drawn.next_round(&self.withdrawn);
        }
        self.asked = self.count_games();
    }

    /// The next game to be played. The caller has to report its end by [`over`](Course::over), or to
    /// [put it back](Course::put_back).
    pub fn hand_out(&mut self) -> Next {
        let next = self.look();
        self.running += u32::from(matches!(next, Next::Game(_)));
        next
    }

    /// A game that was handed out has not been begun, and is handed out again if it is still to be played.
    pub fn put_back(&mut self, number: u32) {
        self.running = self.running.saturating_sub(1);
        self.again.insert(number);
    }

    fn look(&mut self) -> Next {
        while let Some(number) = self.again.pop_first() {
            if let Some(fixture) = self.fixture(number).filter(|fixture| self.is_wanted(fixture)) {
                return Next::Game(fixture);
            }
        }
        loop {
            let number = self.next;
            let Some(fixture) = self.fixture(number).filter(|fixture| self.is_in_this_wave(&fixture.unit))
            else {
                let may_go_on = self.running > 0 && !self.is_over();
                return if may_go_on { Next::Wait } else { Next::Nothing };
            };
            self.next += 1;
            let is_mine = self.shard.is_none_or(|shard| shard.has(fixture.unit.number));
            let is_new = number >= self.front && !self.ahead.contains_key(&number);
            if is_mine && is_new && self.is_wanted(&fixture) {
                return Next::Game(fixture);
            }
        }
    }

    /// A game that was handed out is over; without a result it was broken off, and is handed out once more.
    pub fn over(&mut self, number: u32, scored: Option<Scored>) {
        self.running = self.running.saturating_sub(1);
        match scored {
            Some(scored) => self.ended(number, scored),
            None if self.broken.insert(number) => drop(self.again.insert(number)),
            None => {}
        }
    }

    /// Whether a game is to be played at all: what ended since it was handed out may have decided that it is not.
    pub fn is_wanted(&self, fixture: &Fixture) -> bool {
        self.is_valid(&fixture.unit)
    }

    /// A game has ended. In whatever order games are told, the course is the same; one that is told again changes nothing.
    pub fn ended(&mut self, number: u32, scored: Scored) {
        if number >= self.front && !self.ahead.contains_key(&number) {
            self.ahead.insert(number, scored);
            self.advance();
        }
    }

    /// A recorded game has ended. Says whether it counts, which follows from the games before it alone.
    pub fn hear(&mut self, game: &GameRecord) -> bool {
        let counts = self.counts(game.number);
        if let Some(scored) = Scored::of(game) {
            self.ended(game.number, scored);
        }
        counts
    }

    /// All results that were known before this run have been told.
    pub fn begin(&mut self) {
        let first = unit_of(self.front, self.seats);
        self.wave = self.wave.map(|units| first.saturating_add(units));
    }

    fn is_in_this_wave(&self, unit: &Unit) -> bool {
        self.wave.is_none_or(|end| unit.number < end)
    }

    /// Whether decisions need the results of other parts as well.
    fn needs_all(&self) -> bool {
        self.shard.is_none() || self.sprt.is_some() || matches!(self.shape, Shape::Drawn(_))
    }

    /// Whether a unit is played at all, as far as is known.
    fn is_valid(&self, unit: &Unit) -> bool {
        self.last_unit.is_none_or(|last| unit.number <= last)
            && unit.members.iter().all(|&member| self.is_in(member, unit))
    }

    /// Whether somebody had not been withdrawn before a unit, as far as is known.
    fn is_in(&self, member: usize, unit: &Unit) -> bool {
        self.withdrawn[member].is_none_or(|after| unit.number <= after)
    }

    /// Whether the front waits for a unit.
    fn is_expected(&self, unit: &Unit) -> bool {
        self.is_valid(unit) && (self.needs_all() || self.shard.is_none_or(|shard| shard.has(unit.number)))
    }

    /// Moves the front over everything that is in, and draws rounds that have become known.
    fn advance(&mut self) {
        if self.shard.is_none() && !self.may_leave_out() {
            while self.front <= self.asked && self.ahead.remove(&self.front).is_some() {
                self.front += 1;
            }
            return;
        }
        while let Some(fixture) = self.fixture(self.front) {
            if self.is_expected(&fixture.unit) {
                let Some(scored) = self.ahead.remove(&self.front) else { return };
                self.judge(&fixture, &scored);
            } else {
                self.ahead.remove(&self.front);
            }
            self.front += 1;
            self.draw();
        }
    }

    /// What follows from the next game of the prefix.
    fn judge(&mut self, fixture: &Fixture, scored: &Scored) {
        self.test(fixture, scored);
        if let Shape::Drawn(drawn) = &mut self.shape {
            drawn.add(fixture, scored);
        }
        for (seat, &player) in fixture.players.iter().enumerate() {
            let has_failed = scored.has_failed(seat);
            self.faults_in_a_row[player] = if has_failed { self.faults_in_a_row[player] + 1 } else { 0 };
            let is_too_often = self.withdraw_after > 0 && self.faults_in_a_row[player] >= self.withdraw_after;
            if is_too_often && self.needs_all() && self.withdrawn[player].is_none() {
                self.withdrawn[player] = Some(fixture.unit.number);
                self.withdrawals.push(WithdrawalRecord { player: player as u32, after_game: fixture.number });
                self.asked = self.count_games();
            }
        }
    }

    /// Tells the sequential test of every unit that is whole.
    fn test(&mut self, fixture: &Fixture, scored: &Scored) {
        let Some(sprt) = &mut self.sprt else { return };
        let turn = turn_of(fixture.number, self.seats);
        let seat = fixture.players.iter().position(|&player| player == 0);
        let half_points = seat.map_or(0, |seat| scored.half_points(seat));
        self.unit_half_points = if turn == 0 { half_points } else { self.unit_half_points + half_points };
        if turn + 1 < self.seats {
            return;
        }
        if sprt.add(self.unit_half_points as usize) != Decision::Continue {
            self.last_unit = Some(fixture.unit.number);
            self.asked = self.count_games();
        }
    }

    /// Draws the next round where the last one is over.
    fn draw(&mut self) {
        while let Shape::Drawn(drawn) = &mut self.shape
            && !drawn.is_over()
            && self.front > drawn.units().len() as u32 * self.seats as u32
        {
            let goes_on = drawn.next_round(&self.withdrawn);
            self.asked = self.count_games();
            if !goes_on {
                return;
            }
        }
    }
}
