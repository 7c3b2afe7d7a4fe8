//! Plays the games of a schedule, several at a time, each into the journal as soon as it ends.
#![expect(clippy::disallowed_methods, reason = "how long a game takes is measured here")]

use super::continued::continued;
use super::course::{Course, Fixture, Next};
use super::openings::{Opening, Openings, OpeningsError};
use super::seed::MatchSeed;
use crate::player::Player;
use crate::record::schema::GameRecord;
use crate::record::{Journal, Live, RecordError, Recorder, Scored, write_line};
use crate::referee::{self, Policy, TimeSource, play_game};
use crate::verdict::{Abandoned, Ending, Event, EventSink, MachineFailure};
use arbiter_rules::{MAX_SEATS, Position, Seat};
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Somebody who takes part in a match or tournament: makes a player for each game.
pub trait Entrant: Sync {
    /// A player for one game.
    fn sit_down(&self, seating: &Seating) -> Box<dyn Player>;
}

impl<F: Fn(&Seating) -> Box<dyn Player> + Sync> Entrant for F {
    fn sit_down(&self, seating: &Seating) -> Box<dyn Player> {
        self(seating)
    }
}

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
    fn saved(&self, games: &[GameRecord], course: &Mutex<Course>);
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

/// How often a game is tried that the machine breaks off: what keeps a bot from running or takes the last process away
/// has often passed a moment later, and what has not passed by the third try does not pass by itself.
const TRIES: u32 = 3;
/// How long is waited before the next try.
const REST: Duration = Duration::from_millis(200);
/// How much time tries may take together for which no process could be started; after that there is no other. A match
/// that cannot be played shall say so within ten seconds, however long the system takes to say no.
const NO_PROCESS: Duration = Duration::from_secs(5);

/// Games that wait for the journal at most: what they take shall stay in the cache of a core.
const MOST_WAITING: usize = 64;

/// Games that are handed out to a worker together at most.
const MOST_AT_HAND: usize = 16;

/// How often a worker that waits for the games of others looks whether it shall stop.
const LOOK: Duration = Duration::from_millis(100);

impl Games<'_> {
    /// The record so far, of a game that goes on.
    fn begun(&self, fixture: &Fixture) -> Option<&GameRecord> {
        self.begun.filter(|begun| begun.number == fixture.number)
    }

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
            hands: (0..self.jobs).map(|_| Hand::default()).collect(),
            live: Arc::new(if self.keeps_moves {
                Live::keeping_moves(journal.path())
            } else {
                Live::beside(journal.path())
            }),
            journal: Mutex::new(journal),
            failure: Mutex::new(None),
        };
        let worker = |slot| Worker {
            games: self,
            work: &work,
            listener,
            slot,
            start: self.start.for_thread(),
            policy: self.policy.clone(),
            openings: Some(self.openings).filter(|openings| openings.lock().are_drawn()),
            ended: Ended {
                games: Vec::new(),
                lines: Vec::new(),
                saved: Instant::now(),
                at_once: 1,
                spare: Vec::new(),
            },
        };
        (self.renew)(&work.live);
        std::thread::scope(|scope| {
            for slot in 1..self.jobs {
                let worker = worker(slot);
                if let Err(error) = Builder::new().spawn_scoped(scope, || worker.work()) {
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
        (work.course.into_inner(), failure.map_or(Ok(()), Err))
    }
}

/// Plays one game after another, and hands over what has ended.
struct Worker<'a, 'j> {
    games: &'a Games<'a>,
    work: &'a Work<'j>,
    listener: &'a dyn Listener,
    slot: usize,
    start: Position,
    /// What is allowed in the game that is played, times by seat.
    policy: Policy,
    /// Where the moves before a game come from, if there are any.
    openings: Option<&'a Mutex<Openings>>,
    ended: Ended,
}

/// Games of a worker that have ended, and that nobody has been told of.
struct Ended {
    games: Vec<GameRecord>,
    /// Their lines, until they are in the journal.
    lines: Vec<u8>,
    /// When games went into the journal the last time.
    saved: Instant,
    /// How many that were.
    at_once: usize,
    /// Records of games that are over, whose memory those to come take.
    spare: Vec<GameRecord>,
}

impl Worker<'_, '_> {
    fn work(mut self) {
        let mut ready = self.next_game().map(|fixture| self.sit_down(fixture, self.slot));
        let mut last_slot = None;
        while let Some(game) = ready.take() {
            if last_slot.replace(game.slot) != Some(game.slot) {
                (self.games.prepare)(game.slot);
            }
            let other_slot = if game.slot == self.slot { self.slot + 1 } else { self.slot };
            let next = if self.games.is_ahead { self.game_at_hand() } else { None };
            let next = next.map(|fixture| self.sit_down(fixture, other_slot));
            self.play_to_the_end(game);
            ready = next.and_then(|next| self.confirm(next)).or_else(|| {
                let fixture = self.next_game()?;
                Some(self.sit_down(fixture, self.slot))
            });
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
    fn sit_down(&self, fixture: Fixture, slot: usize) -> Seated {
        let seating = Seating { game: fixture.number, slot };
        let begun = self.games.begun(&fixture);
        let sit_down = |(seat, &player): (Seat, &usize)| {
            let player = self.games.entrants[player].sit_down(&seating);
            match begun {
                Some(begun) => continued(seat, player, begun),
                None => player,
            }
        };
        let players = Seat::all(fixture.players.len()).zip(&fixture.players).map(sit_down).collect();
        Seated { players, fixture, slot }
    }

    /// A game that can be had without waiting.
    fn game_at_hand(&self) -> Option<Fixture> {
        match self.work.course.lock().hand_out() {
            Next::Game(fixture) => Some(fixture),
            Next::Nothing | Next::Wait => None,
        }
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
            hand.extend((1..more).map_while(|_| match course.hand_out() {
                Next::Game(fixture) => Some(fixture),
                Next::Nothing | Next::Wait => None,
            }));
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

    /// Plays a game, again when the machine breaks it off. No record is left of a game that a bug of ours or the user broke
    /// off.
    fn play_one(&mut self, mut game: Seated) -> Result<(), MatchError> {
        // Before the clock of the game runs: to draw the openings of all games before a late one takes a while.
        let opening = self.opening(&game.fixture)?;
        let (mut stalled, mut tries, mut without_process) = (Vec::new(), 1, Duration::ZERO);
        loop {
            // The date is read first: whatever holds us up in between, no game ends later than it did.
            let (started, began) = ((self.games.now)(), Instant::now());
            let tried = self.try_one(&mut game, &opening, started, began, &stalled)?;
            let Some((seat, failure)) = tried else { return Ok(()) };
            // Their processes make room for those of the next try.
            game.players.clear();
            let (number, problem) = (game.fixture.number, format!("seat {seat} {}", failure.sentence()));
            tracing::warn!(
                game = number,
                "the machine broke this game off in try {tries} of {TRIES}: {problem}"
            );
            match failure {
                MachineFailure::NotStarted { .. } => without_process += began.elapsed(),
                // That may be a bot that pretends: no try is lost by it, since it loses when it does so again. Whoever runs the
                // match hears of it without asking for logs.
                MachineFailure::Stalled { .. } if !stalled.contains(&seat) => {
                    tracing::error!(game = number, "{problem}: this game is played again");
                    stalled.push(seat);
                    tries -= 1;
                }
                MachineFailure::Stalled { .. } | MachineFailure::Unreachable { .. } => {}
            }
            if tries == TRIES || without_process > NO_PROCESS {
                return Err(MatchError::Machine { number, problem });
            }
            // Somebody wants to stop, or the machine has failed another worker three times.
            if self.games.stop.is_wanted() {
                return Ok(());
            }
            tries += 1;
            std::thread::sleep(REST);
            game = self.sit_down(game.fixture, game.slot);
        }
    }

    fn opening(&self, fixture: &Fixture) -> Result<Opening, OpeningsError> {
        match self.openings {
            Some(openings) => openings.lock().of_unit(&fixture.unit),
            None => Ok(Opening::default()),
        }
    }

    /// Plays a game, and keeps its record unless it is broken off. Returns whom the machine failed if it did.
    fn try_one(
        &mut self,
        game: &mut Seated,
        opening: &Opening,
        started: String,
        began: Instant,
        stalled: &[Seat],
    ) -> Result<Option<(Seat, MachineFailure)>, MatchError> {
        let Worker { games, work, listener, start, policy, ended, .. } = self;
        let Seated { fixture, players, slot } = game;
        let (number, unit, by_seat) = (fixture.number, &fixture.unit, &fixture.players);
        policy.time.clear();
        policy.time.extend(by_seat.iter().map(|&player| games.policy.time[player]));
        let player_seeds: [u64; MAX_SEATS] =
            std::array::from_fn(
                |seat| {
                    if seat < by_seat.len() { games.seed.player(number, seat) } else { 0 }
                },
            );
        let chance_seed = if start.has_chance() { games.seed.chance(unit.number) } else { 0 };
        let game = referee::Game {
            start: opening.start(start),
            opening: &opening.moves,
            chance_seed,
            player_seeds: &player_seeds,
            policy,
            stalled,
        };
        let recorder = Recorder::new(number, by_seat, chance_seed, opening.moves.len(), started);
        let recorder = recorder.starting_from(opening.position()).in_unit(fixture.round, unit.number);
        let begun = games.begun(fixture);
        let recorder = recorder.going_on_from(begun).using(ended.spare.pop().unwrap_or_default());
        let before = begun.map_or(Duration::ZERO, super::continued::taken);
        let (elapsed, interrupted) = (|| before + began.elapsed(), || games.stop.is_now());
        let time = TimeSource { elapsed: &elapsed, interrupted: &interrupted };
        let mut hearing = Hearing {
            games,
            work,
            listener: *listener,
            fixture,
            recorder: Some(recorder),
            // The wall shows the games of worker 0. A worker that seats players ahead has two slots, and is the only one.
            live: Some(&*work.live).filter(|_| *slot == 0 || games.is_ahead),
            known: begun.map_or(0, |begun| begun.plies.len()),
            began,
            before,
            ended,
            saved: Ok(()),
        };
        // A bug of ours in one game must not take the others with it: the game has no record then, and is played
        // again.
        let ending = catch_unwind(AssertUnwindSafe(|| play_game(&game, players, time, &mut hearing)));
        hearing.saved?;
        match ending {
            Err(_) => {
                hearing.live.into_iter().for_each(Live::game_over);
                tracing::error!(
                    game = number,
                    "a bug in arbiter broke this game off; it is not in the report"
                );
                Ok(None)
            }
            Ok(Ending::Abandoned(Abandoned::Machine { seat, failure })) => Ok(Some((seat, failure))),
            Ok(_) => Ok(None),
        }
    }
}

/// Hears a game while it is played: keeps its record, shows it on the wall, and passes everything on.
struct Hearing<'w, 'j> {
    games: &'w Games<'w>,
    work: &'w Work<'j>,
    listener: &'w dyn Listener,
    fixture: &'w Fixture,
    /// None once the game has ended.
    recorder: Option<Recorder>,
    /// The wall, if this is its game.
    live: Option<&'w Live>,
    /// Plies of a game that goes on which have not been played again: what is on disk stays there until they have.
    known: usize,
    began: Instant,
    /// What the game had taken before it was broken off.
    before: Duration,
    ended: &'w mut Ended,
    saved: Result<(), RecordError>,
}

impl EventSink for Hearing<'_, '_> {
    fn event(&mut self, event: &Event<'_>) {
        self.recorder.iter_mut().for_each(|recorder| recorder.event(event));
        self.show(event);
        if let Event::Ended { duration, .. } = event {
            self.keep(*duration);
        }
        self.listener.event(self.fixture, event);
    }
}

impl Hearing<'_, '_> {
    /// Shows the game on the wall, and takes it away from there.
    fn show(&mut self, event: &Event<'_>) {
        if let Event::Played(_) = event {
            self.known = self.known.saturating_sub(1);
        }
        let Some(live) = self.live else { return };
        let keeps_moves = self.games.keeps_moves;
        match event {
            // It can go on.
            Event::Ended { ending: Ending::Abandoned(Abandoned::Interrupted), .. } if keeps_moves => {}
            Event::Ended { .. } => live.game_over(),
            // A move that is kept is on the disk before anybody hears of it. The wall has it when the next player is asked.
            Event::Played(_) | Event::TakenBack { .. } if keeps_moves && self.known == 0 => {
                self.show_on(live)
            }
            Event::Asked { .. } if !keeps_moves => self.show_on(live),
            _ => {}
        }
    }

    fn show_on(&self, live: &Live) {
        if let Some(recorder) = self.recorder.as_ref().filter(|_| live.is_wanted()) {
            live.show(recorder.so_far());
        }
    }

    /// Keeps the record of a game that has ended, unless it was broken off.
    fn keep(&mut self, duration: Duration) {
        let record = self.recorder.take().and_then(Recorder::finish);
        let Some(mut record) = record.filter(|record| record.outcome.is_some()) else { return };
        (self.games.complete)(&mut record);
        self.ended.add(record);
        // Where it is zero, nobody hears that a game is over before it is on disk.
        let now = self.began + duration.saturating_sub(self.before);
        if self.ended.is_due(self.games.flush_interval, now) {
            self.saved = self.ended.save(self.work);
        }
    }
}

impl Ended {
    fn add(&mut self, game: GameRecord) {
        write_line(&game, &mut self.lines);
        self.games.push(game);
    }

    /// Whether the games shall go into the journal now.
    fn is_due(&self, flush_interval: Duration, now: Instant) -> bool {
        self.games.len() >= MOST_WAITING || now.saturating_duration_since(self.saved) >= flush_interval
    }

    fn save(&mut self, work: &Work<'_>) -> Result<(), RecordError> {
        (self.saved, self.at_once) = (Instant::now(), self.games.len());
        if !self.lines.is_empty() {
            work.journal.lock().append(&self.lines, &self.games)?;
            self.lines.clear();
        }
        Ok(())
    }
}

/// A game whose players have taken their seats.
struct Seated {
    fixture: Fixture,
    players: Vec<Box<dyn Player>>,
    slot: usize,
}

/// What the workers share.
struct Work<'a> {
    course: Mutex<Course>,
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
