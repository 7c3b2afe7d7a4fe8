//! One of the workers: takes a game that is to be played, seats its players, and tells what has ended.

use super::ended::Ended;
use super::{Games, Listener, MatchError, Seating, Work};
use crate::player::Player;
use crate::record::Scored;
use crate::referee::Policy;
use crate::tournament::continued::continued;
use crate::tournament::course::{Course, Fixture, Next};
use crate::tournament::openings::Openings;
use arbiter_rules::{Position, Seat};
use parking_lot::Mutex;
use std::time::Duration;

/// Games that are handed out to a worker together at most.
const MOST_AT_HAND: usize = 16;

/// How often a worker that waits for the games of others looks whether it shall stop.
const LOOK: Duration = Duration::from_millis(100);

/// Plays one game after another, and hands over what has ended.
pub(super) struct Worker<'a, 'j> {
    pub(super) games: &'a Games<'a>,
    pub(super) work: &'a Work<'j>,
    pub(super) listener: &'a dyn Listener,
    pub(super) slot: usize,
    pub(super) start: Position,
    /// What is allowed in the game that is played, times by seat.
    pub(super) policy: Policy,
    /// Where the moves before a game come from, if there are any.
    pub(super) openings: Option<&'a Mutex<Openings>>,
    pub(super) ended: Ended,
}

/// A game whose players have taken their seats.
pub(super) struct Seated {
    pub(super) fixture: Fixture,
    pub(super) players: Vec<Box<dyn Player>>,
    pub(super) slot: usize,
}

impl<'a, 'j> Worker<'a, 'j> {
    pub(super) fn in_slot(
        slot: usize,
        games: &'a Games<'a>,
        work: &'a Work<'j>,
        listener: &'a dyn Listener,
    ) -> Worker<'a, 'j> {
        let openings = Some(games.openings).filter(|openings| openings.lock().are_drawn());
        let (start, policy) = (games.start.for_thread(), games.policy.clone());
        Worker { games, work, listener, slot, start, policy, openings, ended: Ended::none() }
    }

    pub(super) fn work(mut self) {
        let mut ready = self.next_game().map(|fixture| self.sit_down(fixture, self.slot));
        let mut last_slot = None;
        while let Some(game) = ready.take() {
            if last_slot.replace(game.slot) != Some(game.slot) {
                (self.games.prepare)(game.slot);
            }
            let other_slot = if game.slot == self.slot { self.slot + 1 } else { self.slot };
            let next = if self.games.is_ahead { game_at_hand(&mut self.work.course.lock()) } else { None };
            let next = next.map(|fixture| self.sit_down(fixture, other_slot));
            self.play_to_the_end(game);
            ready = next
                .and_then(|next| self.confirm(next))
                .or_else(|| self.next_game().map(|fixture| self.sit_down(fixture, self.slot)));
        }
    }

    /// A game whose players have sat down early, unless a decision has come in between.
    fn confirm(&self, game: Seated) -> Option<Seated> {
        let mut course = self.work.course.lock();
        if !self.games.stop.is_wanted() && course.is_wanted(&game.fixture) {
            return Some(game);
        }
        course.put_back(game.fixture.number);
        None
    }

    /// The players of a game take their seats.
    pub(super) fn sit_down(&self, fixture: Fixture, slot: usize) -> Seated {
        let seating = Seating { game: fixture.number, slot };
        let begun = self.games.begun(&fixture);
        let sit_down = |(seat, &player): (Seat, &usize)| {
            let player = self.games.entrants[player](&seating);
            match begun {
                Some(begun) => continued(seat, player, begun),
                None => player,
            }
        };
        let players = Seat::all(fixture.players.len()).zip(&fixture.players).map(sit_down).collect();
        Seated { players, fixture, slot }
    }

    /// The next game. Others may wait for what has ended here, so nothing is kept while there is none.
    fn next_game(&mut self) -> Option<Fixture> {
        let work = self.work;
        while !self.games.stop.is_wanted() {
            if let Some(fixture) = work.hands[self.slot].0.lock().pop_front() {
                return Some(fixture);
            }
            let mut course = work.course.lock();
            match course.hand_out() {
                Next::Game(fixture) => {
                    self.take_more(&mut course);
                    return Some(fixture);
                }
                Next::Nothing => break,
                Next::Wait => {
                    if let Some(fixture) = work.hands.iter().find_map(|hand| hand.0.lock().pop_back()) {
                        return Some(fixture);
                    }
                    if self.ended.games.is_empty() {
                        work.changed.wait_for(&mut course, LOOK);
                    } else {
                        drop(course);
                        self.hand_over();
                    }
                }
            }
        }
        let mut course = work.course.lock();
        work.hands[self.slot].0.lock().drain(..).for_each(|fixture| course.put_back(fixture.number));
        drop(course);
        self.hand_over();
        None
    }

    /// Takes as many games more as ended together the last time: workers whose games end by the hundred in a millisecond would
    /// otherwise wait for each other.
    fn take_more(&self, course: &mut Course) {
        let more = if course.may_leave_out() { 0 } else { self.ended.at_once.min(MOST_AT_HAND) };
        if more > 1 {
            let mut hand = self.work.hands[self.slot].0.lock();
            hand.extend((1..more).map_while(|_| game_at_hand(course)));
        }
    }

    /// Plays a game. What has ended is told once it is in the journal.
    fn play_to_the_end(&mut self, game: Seated) {
        let (number, ended) = (game.fixture.number, self.ended.games.len());
        let played = self.play_one(game);
        if self.ended.games.len() == ended {
            self.work.course.lock().over(number, None);
        }
        match played {
            Ok(()) if self.ended.lines.is_empty() => self.tell(),
            Ok(()) => {}
            Err(failure) => self.fail(failure),
        }
    }

    /// Puts into the journal what has ended, and tells of it.
    fn hand_over(&mut self) {
        match self.ended.save(self.work) {
            Ok(()) => self.tell(),
            Err(error) => self.fail(error.into()),
        }
    }

    /// Tells the course and the listener of games that are in the journal.
    fn tell(&mut self) {
        let Ended { games, spare, .. } = &mut self.ended;
        if games.is_empty() {
            return;
        }
        let mut course = self.work.course.lock();
        games.iter().for_each(|game| course.over(game.number, Scored::of(game)));
        drop(course);
        self.work.changed.notify_all();
        self.listener.saved(games, &self.work.course);
        spare.append(games);
        let sync = self.work.journal.lock().sync_when_due();
        if let Some(Err(error)) = sync.map(|sync| sync()) {
            self.fail(error.into());
        }
    }

    /// Nothing can be played or saved any more.
    fn fail(&self, failure: MatchError) {
        self.work.failure.lock().get_or_insert(failure);
        self.games.stop.after_running_games();
    }
}

/// A game that can be had without waiting.
fn game_at_hand(course: &mut Course) -> Option<Fixture> {
    match course.hand_out() {
        Next::Game(fixture) => Some(fixture),
        Next::Nothing | Next::Wait => None,
    }
}
