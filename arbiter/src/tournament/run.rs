//! Plays the games of a match, several at a time, each into the journal as soon as it ends.

use super::openings::Openings;
use super::schedule::{players_by_seat, unit};
use super::seed::MatchSeed;
use crate::player::Player;
use crate::record::schema::GameRecord;
use crate::record::{Journal, JournalError, Recorder};
use crate::referee::{self, Policy, TimeSource, play_game};
use crate::verdict::{Event, EventSink};
use arbiter_rules::{Position, Seat};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Somebody who takes part in a match: makes a player for each game.
pub trait Entrant: Sync {
    /// A player for one game.
    fn sit_down(&self, seating: &Seating) -> Box<dyn Player>;
}

/// Where and for what a player is needed.
#[derive(Clone, Copy, Debug)]
pub struct Seating {
    /// The number of the game, from 1.
    pub game: u32,
    /// The seat.
    pub seat: Seat,
    /// The number of the worker that plays the game, from 0.
    pub worker: usize,
}

/// Hears of everything in a match while it happens; may be called by several workers at once.
pub trait Listener: Sync {
    /// Something happened in a game.
    fn event(&self, game: u32, event: &Event<'_>);
    /// A game is over and in the journal.
    fn saved(&self, game: &GameRecord);
}

/// Whether the match shall stop.
#[derive(Debug, Default)]
pub struct Stop {
    soon: AtomicBool,
    now: AtomicBool,
}

impl Stop {
    /// A match that goes on.
    #[must_use]
    pub const fn new() -> Stop {
        Stop { soon: AtomicBool::new(false), now: AtomicBool::new(false) }
    }

    /// No new game begins.
    pub fn after_running_games(&self) {
        self.soon.store(true, Ordering::SeqCst);
    }

    /// Running games are broken off.
    pub fn now(&self) {
        self.soon.store(true, Ordering::SeqCst);
        self.now.store(true, Ordering::SeqCst);
    }

    /// Whether no new game shall begin.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.soon.load(Ordering::SeqCst)
    }

    /// Whether running games shall be broken off.
    #[must_use]
    pub fn is_now(&self) -> bool {
        self.now.load(Ordering::SeqCst)
    }
}

/// A match that is ready to be played.
pub struct Match<'a> {
    /// The position that every game starts from.
    pub start: &'a dyn Position,
    /// One entrant for each seat.
    pub entrants: &'a [Box<dyn Entrant + 'a>],
    /// What is allowed; times by entrant, not by seat.
    pub policy: &'a Policy,
    /// The seed.
    pub seed: &'a MatchSeed,
    /// Random plies at the start of every game.
    pub opening_plies: u32,
    /// How many games there shall be.
    pub games: u32,
    /// Games that are in the journal already.
    pub finished: &'a HashSet<u32>,
    /// Games at the same time.
    pub jobs: usize,
    /// Adds to a game's record what only the caller knows.
    pub complete: &'a (dyn Fn(&mut GameRecord) + Sync),
    /// Called once by each worker with its number, in its own thread.
    pub prepare: &'a (dyn Fn(usize) + Sync),
    /// Asked before every game and every ply.
    pub stop: &'a Stop,
    /// The present time as it is written into records.
    pub now: &'a (dyn Fn() -> String + Sync),
}

/// Why a match stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The journal could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// No opening of the wanted length exists.
    #[error(transparent)]
    Openings(#[from] super::OpeningsError),
}

impl Match<'_> {
    /// Plays all games that are not finished, until the last one or until somebody wants to stop.
    ///
    /// # Errors
    /// The first failure to save a game; games that are saved stay saved.
    pub fn play(&self, journal: Journal, listener: &dyn Listener) -> Result<(), MatchError> {
        let work = Work {
            next: AtomicU32::new(1),
            openings: Mutex::new(Openings::new(self.seed, self.start, self.opening_plies)),
            journal: Mutex::new(journal),
            failure: Mutex::new(None),
        };
        std::thread::scope(|scope| {
            for worker in 1..self.jobs {
                let work = &work;
                scope.spawn(move || self.work(work, worker, listener));
            }
            self.work(&work, 0, listener);
        });
        work.failure.into_inner().expect("no worker panics with the lock").map_or(Ok(()), Err)
    }

    fn work(&self, work: &Work, worker: usize, listener: &dyn Listener) {
        (self.prepare)(worker);
        while let Some(number) = self.next_game(work) {
            if let Err(failure) = self.play_one(work, number, worker, listener) {
                work.failure.lock().expect("no worker panics with the lock").get_or_insert(failure);
                self.stop.after_running_games();
            }
        }
    }

    fn next_game(&self, work: &Work) -> Option<u32> {
        loop {
            let number = work.next.fetch_add(1, Ordering::Relaxed);
            if number > self.games || self.stop.is_wanted() {
                return None;
            }
            if !self.finished.contains(&number) {
                return Some(number);
            }
        }
    }

    fn play_one(
        &self,
        work: &Work,
        number: u32,
        worker: usize,
        listener: &dyn Listener,
    ) -> Result<(), MatchError> {
        let seats = self.start.seats();
        let unit = unit(number, seats);
        let opening = work.openings.lock().expect("drawing openings does not panic").of_unit(unit)?;
        let by_seat = players_by_seat(number, seats);
        let sit_down = |(seat, &player): (Seat, &usize)| {
            self.entrants[player].sit_down(&Seating { game: number, seat, worker })
        };
        let mut players: Vec<_> = Seat::all(seats).zip(&by_seat).map(sit_down).collect();
        let policy = Policy {
            time: by_seat.iter().map(|&player| self.policy.time[player]).collect(),
            ..self.policy.clone()
        };
        let player_seeds: Vec<u64> = (0..seats).map(|seat| self.seed.player(number, seat)).collect();
        let chance_seed = self.seed.chance(unit);
        let game = referee::Game {
            start: self.start,
            opening: &opening,
            chance_seed,
            player_seeds: &player_seeds,
            policy: &policy,
        };
        let mut recorder = Recorder::new(number, &by_seat, chance_seed, opening.len(), (self.now)());
        let time = WallClock { start: Instant::now(), stop: self.stop };
        let mut saved = Ok(None);
        let mut events = |event: &Event<'_>| {
            recorder.event(event);
            // Nobody hears that a game is over before it is on disk.
            if let Event::Ended { .. } = event {
                saved = self.save(work, recorder.finish());
            }
            listener.event(number, event);
        };
        // A bug of ours in one game must not take the others with it: the game has no record then, and is played
        // again by a resumed match.
        let ending = catch_unwind(AssertUnwindSafe(|| play_game(&game, &mut players, &time, &mut events)));
        if ending.is_err() {
            tracing::error!(game = number, "a bug in arbiter broke this game off; it is not in the report");
        }
        if let Some(record) = saved? {
            listener.saved(&record);
        }
        Ok(())
    }

    /// Puts a game into the journal, unless it was abandoned.
    fn save(&self, work: &Work, record: Option<GameRecord>) -> Result<Option<GameRecord>, JournalError> {
        let Some(mut record) = record.filter(|record| record.outcome.is_some()) else { return Ok(None) };
        (self.complete)(&mut record);
        work.journal.lock().expect("no worker panics with the lock").append(&record)?;
        Ok(Some(record))
    }
}

/// What the workers share.
struct Work {
    next: AtomicU32,
    openings: Mutex<Openings>,
    journal: Mutex<Journal>,
    failure: Mutex<Option<MatchError>>,
}

struct WallClock<'a> {
    start: Instant,
    stop: &'a Stop,
}

impl TimeSource for WallClock<'_> {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn interrupted(&self) -> bool {
        self.stop.is_now()
    }
}
