//! Plays the games of a schedule, several at a time, each into the journal as soon as it ends.

use super::course::{Course, Fixture, Next};
use super::openings::Openings;
use super::seed::MatchSeed;
use crate::player::Player;
use crate::record::schema::GameRecord;
use crate::record::{Journal, RecordError, Recorder, Scored, journal_line};
use crate::referee::{self, Policy, TimeSource, play_game};
use crate::verdict::{Abandoned, Ending, Event, EventSink, MachineFailure};
use arbiter_rules::{Position, Seat};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Somebody who takes part in a match or tournament: makes a player for each game.
pub trait Entrant: Sync {
    /// A player for one game.
    fn sit_down(&self, seating: &Seating) -> Box<dyn Player>;
}

/// Where and for what a player is needed.
#[derive(Clone, Copy, Debug)]
pub struct Seating {
    /// The number of the game, from 1.
    pub game: u32,
    /// Where the game is played, from 0: each worker has a place of its own, one that works alone may have two.
    pub place: usize,
}

/// Hears of everything while it happens; may be called by several workers at once.
pub trait Listener: Sync {
    /// Something happened in a game.
    fn event(&self, game: &Fixture, event: &Event<'_>);
    /// A game is over and in the journal; this is how the schedule stands after it.
    fn saved(&self, game: &GameRecord, course: &Course);
}

/// Whether the games shall stop.
#[derive(Debug, Default)]
pub struct Stop {
    soon: AtomicBool,
    now: AtomicBool,
}

impl Stop {
    /// Games that go on.
    pub const fn new() -> Stop {
        Stop { soon: AtomicBool::new(false), now: AtomicBool::new(false) }
    }

    /// No new game begins.
    pub fn after_running_games(&self) {
        self.soon.store(true, Ordering::SeqCst);
    }

    /// Games begin again: what stopped them is over.
    pub fn over(&self) {
        self.soon.store(false, Ordering::SeqCst);
    }

    /// Running games are broken off.
    pub fn now(&self) {
        self.soon.store(true, Ordering::SeqCst);
        self.now.store(true, Ordering::SeqCst);
    }

    /// Whether no new game shall begin.
    pub fn is_wanted(&self) -> bool {
        self.soon.load(Ordering::SeqCst)
    }

    /// Whether running games shall be broken off.
    pub fn is_now(&self) -> bool {
        self.now.load(Ordering::SeqCst)
    }
}

/// Games that are ready to be played: a match or a tournament.
pub struct Games<'a> {
    /// The position that every game starts from, unless its opening has another.
    pub start: &'a Position,
    /// Everybody who takes part, in the order of the plan.
    pub entrants: &'a [Box<dyn Entrant + 'a>],
    /// What is allowed; times by entrant, not by seat.
    pub policy: &'a Policy,
    /// The seed.
    pub seed: &'a MatchSeed,
    /// How games are opened.
    pub openings: &'a Mutex<Openings>,
    /// Games at the same time.
    pub jobs: usize,
    /// Whether the players of the next game sit down at another place while a game is played. Of use only to a worker that
    /// works alone: beside others it would keep a game to itself that one of them could play.
    pub is_ahead: bool,
    /// Adds to a game's record what only the caller knows.
    pub complete: &'a (dyn Fn(&mut GameRecord) + Sync),
    /// Called by a worker, in its own thread, before a game at another place than its last one.
    pub prepare: &'a (dyn Fn(usize) + Sync),
    /// Asked before every game and every ply.
    pub stop: &'a Stop,
    /// The present time as it is written into records.
    pub now: &'a (dyn Fn() -> String + Sync),
}

/// Why games stopped before their end.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum MatchError {
    #[error(transparent)]
    Journal(#[from] RecordError),
    #[error(transparent)]
    Openings(#[from] super::OpeningsError),
    #[error("game {number} could not be played: {problem}")]
    Machine { number: u32, problem: String },
}

/// The most games at the same time that can be asked for.
pub const MOST_JOBS: u16 = 1024;

/// How often a game is tried that the machine breaks off: what keeps a bot from running or takes the last process away
/// has often passed a moment later, and what has not passed by the third try does not pass by itself.
const TRIES: u32 = 3;
/// How long is waited before the next try.
const REST: Duration = Duration::from_millis(200);
/// How much time tries may take together for which no process could be started; after that there is no other. A match
/// that cannot be played shall say so within ten seconds, however long the system takes to say no.
const NO_PROCESS: Duration = Duration::from_secs(5);

/// How often a worker that waits for the games of others looks whether it shall stop.
const LOOK: Duration = Duration::from_millis(100);

impl Games<'_> {
    /// Plays the games of a course, until the last one or until somebody wants to stop. Returns the course as it stands
    /// then.
    ///
    /// # Errors
    /// The first failure to save a game; games that are saved stay saved.
    pub fn play(
        &self,
        course: Course,
        journal: &mut Journal,
        listener: &dyn Listener,
    ) -> (Course, Result<(), MatchError>) {
        let work = Work {
            course: Mutex::new(course),
            changed: Condvar::new(),
            journal: Mutex::new(journal),
            failure: Mutex::new(None),
        };
        std::thread::scope(|scope| {
            for worker in 1..self.jobs {
                let work = &work;
                let run = move || self.work(work, worker, listener);
                if let Err(error) = Builder::new().spawn_scoped(scope, run) {
                    tracing::warn!(
                        "only {worker} games at a time: the system gives no more threads ({error})"
                    );
                    break;
                }
            }
            self.work(&work, 0, listener);
        });
        let put_back = work.journal.into_inner().expect("no worker panics with the lock").put_back();
        let failure = work.failure.into_inner().expect("no worker panics with the lock");
        let failure = failure.or_else(|| put_back.err().map(MatchError::from));
        (work.course.into_inner().expect("no worker panics with the lock"), failure.map_or(Ok(()), Err))
    }

    fn work(&self, work: &Work<'_>, worker: usize, listener: &dyn Listener) {
        let start = &self.start.for_thread();
        let mut ready = self.next_game(work).map(|fixture| self.sit_down(fixture, worker));
        let mut last_place = None;
        while let Some(game) = ready.take() {
            if last_place.replace(game.place) != Some(game.place) {
                (self.prepare)(game.place);
            }
            let other_place = if game.place == worker { worker + 1 } else { worker };
            let next = if self.is_ahead { self.game_at_hand(work) } else { None };
            let next = next.map(|fixture| self.sit_down(fixture, other_place));
            self.play_to_the_end(work, start, game, listener);
            // A decision may have come in between.
            let next = next.filter(|game| !self.stop.is_wanted() && work.course().confirm(&game.fixture));
            ready = next.or_else(|| Some(self.sit_down(self.next_game(work)?, worker)));
        }
    }

    /// Plays a game, and tells the course and the listener of it.
    fn play_to_the_end(&self, work: &Work<'_>, start: &Position, game: Seated, listener: &dyn Listener) {
        let number = game.fixture.number;
        let played = self.play_one(work, start, game, listener);
        let scored = match &played {
            Ok(record) => record.as_ref().and_then(Scored::of),
            Err(_) => None,
        };
        let mut course = work.course();
        course.over(number, scored);
        match played {
            Ok(Some(record)) => listener.saved(&record, &course),
            Ok(None) => {}
            Err(failure) => {
                work.failure.lock().expect("no worker panics with the lock").get_or_insert(failure);
                self.stop.after_running_games();
            }
        }
        drop(course);
        work.changed.notify_all();
    }

    /// The players of a game take their seats.
    fn sit_down(&self, fixture: Fixture, place: usize) -> Seated {
        let seating = Seating { game: fixture.number, place };
        let players = fixture.players.iter().map(|&player| self.entrants[player].sit_down(&seating));
        Seated { players: players.collect(), fixture, place }
    }

    /// A game that can be had without waiting.
    fn game_at_hand(&self, work: &Work<'_>) -> Option<Fixture> {
        match work.course().hand_out() {
            Next::Game(fixture) => Some(fixture),
            Next::Nothing | Next::Wait => None,
        }
    }

    fn next_game(&self, work: &Work<'_>) -> Option<Fixture> {
        let mut course = work.course();
        loop {
            if self.stop.is_wanted() {
                return None;
            }
            match course.hand_out() {
                Next::Game(fixture) => return Some(fixture),
                Next::Nothing => return None,
                Next::Wait => {
                    let woken = work.changed.wait_timeout(course, LOOK);
                    course = woken.expect("no worker panics with the lock").0;
                }
            }
        }
    }

    /// Plays a game into the journal, again when the machine breaks it off. Returns no record of a game that a bug
    /// of ours or the user broke off.
    fn play_one(
        &self,
        work: &Work<'_>,
        start: &Position,
        mut game: Seated,
        listener: &dyn Listener,
    ) -> Result<Option<GameRecord>, MatchError> {
        let (mut stalled, mut tries, mut without_process) = (None, 1, Duration::ZERO);
        loop {
            let began = Instant::now();
            let (seat, failure) = match self.try_one(work, start, &mut game, stalled, listener)? {
                Tried::Played(record) => return Ok(record.map(|record| *record)),
                Tried::Failed(seat, failure) => (seat, failure),
            };
            // Their processes make room for those of the next try.
            game.players.clear();
            let (number, problem) = (game.fixture.number, format!("seat {seat} {}", failure.sentence()));
            tracing::warn!(
                game = number,
                "the machine broke this game off in try {tries} of {TRIES}: {problem}"
            );
            match failure {
                MachineFailure::NotStarted { .. } => without_process += began.elapsed(),
                MachineFailure::Stalled { .. } => stalled = Some(seat),
                MachineFailure::Unreachable { .. } => {}
            }
            if tries == TRIES || without_process > NO_PROCESS {
                return Err(MatchError::Machine { number, problem });
            }
            // Somebody wants to stop, or the machine has failed another worker three times.
            if self.stop.is_wanted() {
                return Ok(None);
            }
            tries += 1;
            std::thread::sleep(REST);
            game = self.sit_down(game.fixture, game.place);
        }
    }

    /// Plays a game into the journal, unless it is broken off.
    fn try_one(
        &self,
        work: &Work<'_>,
        start: &Position,
        game: &mut Seated,
        stalled: Option<Seat>,
        listener: &dyn Listener,
    ) -> Result<Tried, MatchError> {
        let Seated { fixture, players, .. } = game;
        let (number, unit, by_seat) = (fixture.number, &fixture.unit, &fixture.players);
        let opening = self.openings.lock().expect("drawing openings does not panic").of_unit(unit)?;
        let seats = by_seat.len();
        let policy = Policy {
            time: by_seat.iter().map(|&player| self.policy.time[player]).collect(),
            ..self.policy.clone()
        };
        let player_seeds: Vec<u64> = (0..seats).map(|seat| self.seed.player(number, seat)).collect();
        let chance_seed = self.seed.chance(unit.number);
        let game = referee::Game {
            start: opening.start(start),
            opening: &opening.moves,
            chance_seed,
            player_seeds: &player_seeds,
            policy: &policy,
            stalled,
        };
        let recorder = Recorder::new(number, by_seat, chance_seed, opening.moves.len(), (self.now)());
        let recorder = recorder.starting_from(opening.position()).in_unit(fixture.round, unit.number);
        let mut recorder = Some(recorder);
        let time = WallClock { start: Instant::now(), stop: self.stop };
        let mut saved = Ok(None);
        let mut events = |event: &Event<'_>| {
            recorder.iter_mut().for_each(|recorder| recorder.event(event));
            // Nobody hears that a game is over before it is on disk.
            if let Event::Ended { .. } = event {
                saved = self.save(work, recorder.take().and_then(Recorder::finish));
            }
            listener.event(fixture, event);
        };
        // A bug of ours in one game must not take the others with it: the game has no record then, and is played
        // again.
        let ending = catch_unwind(AssertUnwindSafe(|| play_game(&game, players, &time, &mut events)));
        match ending {
            Err(_) => {
                tracing::error!(
                    game = number,
                    "a bug in arbiter broke this game off; it is not in the report"
                );
            }
            Ok(Ending::Abandoned(Abandoned::Machine { seat, failure })) => {
                return Ok(Tried::Failed(seat, failure));
            }
            Ok(_) => {}
        }
        Ok(Tried::Played(saved?.map(Box::new)))
    }

    /// Puts a game into the journal, unless it was abandoned.
    fn save(&self, work: &Work<'_>, record: Option<GameRecord>) -> Result<Option<GameRecord>, RecordError> {
        let Some(mut record) = record.filter(|record| record.outcome.is_some()) else { return Ok(None) };
        (self.complete)(&mut record);
        let line = journal_line(&record);
        work.journal.lock().expect("no worker panics with the lock").append(&line)?;
        Ok(Some(record))
    }
}

/// A game whose players have taken their seats.
struct Seated {
    fixture: Fixture,
    players: Vec<Box<dyn Player>>,
    place: usize,
}

/// What came of a try to play a game.
enum Tried {
    /// It is in the journal, or a bug of ours or the user broke it off.
    Played(Option<Box<GameRecord>>),
    /// The machine broke it off when it failed this seat.
    Failed(Seat, MachineFailure),
}

/// What the workers share.
struct Work<'a> {
    course: Mutex<Course>,
    changed: Condvar,
    journal: Mutex<&'a mut Journal>,
    failure: Mutex<Option<MatchError>>,
}

impl Work<'_> {
    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().expect("no worker panics with the lock")
    }
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
