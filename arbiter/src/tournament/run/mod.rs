//! Plays the games of a schedule, several at a time, each into the journal as soon as it ends.
#![expect(clippy::disallowed_methods, reason = "how long a game takes is measured here")]

mod ended;
mod hearing;
mod playing;
mod worker;

use super::course::{Course, Fixture};
use super::openings::{Openings, OpeningsError};
use super::seed::MatchSeed;
use crate::player::Player;
use crate::record::schema::GameRecord;
use crate::record::{Journal, Live, RecordError};
use crate::referee::Policy;
use crate::verdict::Event;
use arbiter_rules::Position;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::Duration;
use worker::Worker;

/// The stack of a thread that plays: what the header promises to bots, which may run in it, and room for our own frames.
pub const STACK: usize = 16 << 20;

/// Somebody who takes part in a match or tournament: makes a player for each game.
pub type Entrant<'a> = dyn Fn(&Seating) -> Box<dyn Player> + Sync + 'a;

/// Where and for what a player is needed.
#[derive(Clone, Copy, Debug)]
pub struct Seating {
    /// The number of the game, from 1.
    pub game: u32,
    /// Where the game is played, from 0: each worker has a slot of its own, one that works alone may have two.
    pub slot: usize,
}

/// Hears of everything while it happens; may be called by several workers at once.
pub trait Listener: Sync {
    /// Something happened in a game.
    fn event(&self, _: &Fixture, _: &Event<'_>) {}
    /// Games are over and in the journal, and the course knows of them.
    fn saved(&self, games: &[GameRecord], course: &Mutex<&mut Course>);
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
    pub entrants: &'a [Box<Entrant<'a>>],
    /// What is allowed; times by entrant, not by seat.
    pub policy: &'a Policy,
    /// The seed.
    pub seed: &'a MatchSeed,
    /// How games are opened.
    pub openings: &'a Mutex<Openings>,
    /// Games at the same time.
    pub jobs: usize,
    /// Whether the players of the next game sit down in another slot while a game is played. Of use only to a worker that
    /// works alone: beside others it would keep a game to itself that one of them could play.
    pub is_ahead: bool,
    /// Games that were played within such a time may go into the journal together. Zero, unless games are so short that their
    /// way there takes as long.
    pub flush_interval: Duration,
    /// Whether what has been played of a game is on the disk before anybody hears of it.
    pub keeps_moves: bool,
    /// A game that was broken off and goes on, as far as it had come.
    pub begun: Option<&'a GameRecord>,
    /// Adds to a game's record what only the caller knows.
    pub complete: &'a (dyn Fn(&mut GameRecord) + Sync),
    /// Called by a worker, in its own thread, before a game in another slot than its last one.
    pub prepare: &'a (dyn Fn(usize) + Sync),
    /// Asked before every game and every ply.
    pub stop: &'a Stop,
    /// The present time as it is written into records.
    pub now: &'a (dyn Fn() -> String + Sync),
    /// Has the file of the game that is being played renewed, for as long as there is one.
    pub renew: &'a (dyn Fn(&Arc<Live>) + Sync),
}

/// Why games stopped before their end.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum MatchError {
    #[error(transparent)]
    Journal(#[from] RecordError),
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    #[error("game {number} could not be played: {problem}")]
    Machine { number: u32, problem: String },
}

/// The most games at the same time that can be asked for.
pub const MOST_JOBS: u16 = 1024;

impl Games<'_> {
    /// The record so far, of a game that goes on.
    fn begun(&self, fixture: &Fixture) -> Option<&GameRecord> {
        self.begun.filter(|begun| begun.number == fixture.number)
    }

    /// Plays the games of a course, until the last one or until somebody wants to stop.
    ///
    /// # Errors
    /// The first failure to save a game; games that are saved stay saved.
    pub fn play(
        &self,
        course: &mut Course,
        journal: &mut Journal,
        listener: &dyn Listener,
    ) -> Result<(), MatchError> {
        let work = Work {
            course: Mutex::new(course),
            changed: Condvar::new(),
            hands: (0..self.jobs).map(|_| Hand::default()).collect(),
            live: Arc::new(if self.keeps_moves {
                Live::keeping_moves(journal.path())
            } else {
                Live::beside(journal.path())
            }),
            journal: Mutex::new(journal),
            failure: Mutex::new(None),
        };
        let worker = |slot| Worker::in_slot(slot, self, &work, listener);
        (self.renew)(&work.live);
        std::thread::scope(|scope| {
            for slot in 1..self.jobs {
                let worker = worker(slot);
                let thread = Builder::new().stack_size(STACK);
                if let Err(error) = thread.spawn_scoped(scope, || worker.work()) {
                    tracing::warn!("only {slot} games at a time: the system gives no more threads ({error})");
                    break;
                }
            }
            worker(0).work();
        });
        work.live.close();
        let put_back = work.journal.into_inner().put_back();
        let failure = work.failure.into_inner();
        let failure = failure.or_else(|| put_back.err().map(MatchError::from));
        failure.map_or(Ok(()), Err)
    }
}

/// What the workers share.
struct Work<'a> {
    course: Mutex<&'a mut Course>,
    changed: Condvar,
    /// What each worker has at hand. It is added to under the lock of the course only, so that whoever is told there to wait
    /// sees all of it.
    hands: Vec<Hand>,
    live: Arc<Live>,
    journal: Mutex<&'a mut Journal>,
    failure: Mutex<Option<MatchError>>,
}

/// Games that were handed out to a worker together and that nobody has begun: whoever is free plays them, so a slow game
/// keeps none of them waiting. Each hand has a line of the cache to itself, since its worker looks at it before every game.
#[derive(Default)]
#[repr(align(64))]
struct Hand(Mutex<VecDeque<Fixture>>);
