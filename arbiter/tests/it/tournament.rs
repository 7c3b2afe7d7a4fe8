//! What becomes of a match when we are to blame.

use super::program::scratch;
use arbiter::player::{Answer, Briefing, GameResult, News, Player, Reply, TimeControl, Turn};
use arbiter::record::schema::{GameRecord, JournalHeader};
use arbiter::record::{Journal, Scored, read};
use arbiter::referee::{AtMaxPlies, Policy};
use arbiter::tournament::{
    Book, Course, CourseRules, Entrant, Fixture, Games, Listener, MatchSeed, Schedule, Seating, Stop,
};
use arbiter::verdict::{Event, Fault, Spent};
use arbiter_rules::{Setup, registry};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Plays the first legal move; in one game, arbiter itself fails when it asks, so often.
struct Entered {
    broken_game: u32,
    times: AtomicU32,
}

impl Entered {
    fn failing(broken_game: u32, times: u32) -> Box<dyn Entrant> {
        Box::new(Entered { broken_game, times: AtomicU32::new(times) })
    }
}

struct FirstMove {
    is_broken: bool,
}

impl Entrant for Entered {
    fn sit_down(&self, seating: &Seating) -> Box<dyn Player> {
        let one_less = |times: u32| times.checked_sub(1);
        let is_broken = seating.game == self.broken_game
            && self.times.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less).is_ok();
        Box::new(FirstMove { is_broken })
    }
}

impl Player for FirstMove {
    fn new_game(&mut self, _: &Briefing<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        assert!(!self.is_broken, "a bug of ours, made for a test");
        Reply { answer: Answer::Move(turn.legal[0]), spent: Spent::default(), report: None }
    }

    fn told(&mut self, _: &News) {}

    fn game_over(&mut self, _: &GameResult<'_>) -> Result<(), Fault> {
        Ok(())
    }
}

struct Nobody;

impl Listener for Nobody {
    fn event(&self, _: &Fixture, _: &Event<'_>) {}

    fn saved(&self, _: &GameRecord, _: &Course) {}
}

/// The header of a journal, taken from a sample report.
fn header() -> JournalHeader {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/samples/tic-tac-toe.json");
    let report = read(sample.as_ref()).unwrap().into_report();
    JournalHeader {
        format: "arbiter-journal".to_owned(),
        format_version: report.format_version,
        arbiter: report.arbiter,
        plan: report.plan,
        machine: report.machine.unwrap(),
        started: report.started.unwrap(),
        games_asked: 5,
        plan_hash: None,
        shard: None,
        command: None,
    }
}

/// Plays what is left of five games.
fn play(course: Course, journal: Journal, entrants: &[Box<dyn Entrant>]) -> Course {
    let policy = Policy {
        time: vec![TimeControl::Unlimited; 2],
        margin: Duration::ZERO,
        max_errors: 3,
        max_plies: 100,
        at_max_plies: AtMaxPlies::Draw,
        max_repetitions: 0,
    };
    let games = Games {
        start: &*registry::start("tic-tac-toe", &Setup::default()).unwrap(),
        entrants,
        policy: &policy,
        seed: &MatchSeed::new("1"),
        book: &Book::None,
        jobs: 2,
        complete: &|_| {},
        prepare: &|_| {},
        stop: &Stop::new(),
        now: &|| "now".to_owned(),
    };
    let (course, played) = games.play(course, journal, &Nobody);
    played.unwrap();
    course
}

fn five_games() -> Course {
    Course::new(CourseRules {
        schedule: Schedule::Match { games: 5 },
        entrants: 2,
        seats: 2,
        withdraw_after: 0,
        sprt: None,
        shard: None,
        wave: None,
    })
}

/// The numbers of the games in a journal, in order.
fn numbers(file: &Path) -> Vec<u32> {
    read(file).unwrap().into_report().games.iter().map(|game| game.number).collect()
}

#[test]
fn a_bug_of_ours_in_one_game_costs_that_game_only_until_it_is_resumed() {
    let file = scratch("our-fault").join("report.json.journal");
    let mut course = five_games();
    course.ended(4, Scored::new(&[1, 2], |_| false).unwrap());
    let entrants = [Entered::failing(2, u32::MAX), Entered::failing(0, 0)];
    let course = play(course, Journal::create(&file, &header()).unwrap(), &entrants);
    assert!(!course.is_over(), "game 2 is missing");
    assert_eq!(numbers(&file), [1, 3, 5], "game 2 broke, game 4 was there before");
    let mut course = five_games();
    let reopened = Journal::reopen(&file, |_, game| {
        course.ended(game.number, Scored::of(&game).unwrap());
    });
    let healthy = [Entered::failing(0, 0), Entered::failing(0, 0)];
    let course = play(course, reopened.unwrap().journal, &healthy);
    assert!(course.is_over());
    assert_eq!(numbers(&file), [1, 2, 3, 4, 5], "what was missing is played, and nothing else");
}

#[test]
fn a_game_that_was_broken_off_by_us_is_played_again_at_once() {
    let file = scratch("played-again").join("report.json.journal");
    let entrants = [Entered::failing(2, 1), Entered::failing(0, 0)];
    let course = play(five_games(), Journal::create(&file, &header()).unwrap(), &entrants);
    assert!(course.is_over(), "nothing is missing");
    assert_eq!(numbers(&file), [1, 2, 3, 4, 5]);
}
