//! What becomes of a match when we or the machine are to blame.

use crate::support::{Script, sample, scratch};
use arbiter::player::{Answer, Briefing, Player, Reply, TimeControl, Turn};
use arbiter::record::schema::{ByesRecord, FORMAT_VERSION, GameRecord, JournalHeader};
use arbiter::record::{Journal, Scored, date_text, read};
use arbiter::referee::Policy;
use arbiter::tournament::{
    Book, Course, CourseRules, Entrant, Fixture, Games, Listener, MatchError, MatchSeed, Openings, Schedule,
    Seating, Stop,
};
use arbiter::verdict::{Event, Failure, Fault, MachineFailure, Phase, Spent};
use arbiter_rules::{Setup, registry};
use chrono::Local;
use parking_lot::{Condvar, Mutex};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// An entrant whose player this makes anew for each game.
fn entrant(sit_down: impl Fn(&Seating) -> Box<dyn Player> + Sync + 'static) -> Box<Entrant<'static>> {
    Box::new(sit_down)
}

/// Takes one of so many times away, and says whether there was one left.
fn is_left(times: &AtomicU32) -> bool {
    times.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |times| times.checked_sub(1)).is_ok()
}

/// Plays the first legal move.
fn sound() -> Box<Entrant<'static>> {
    failing(0, 0)
}

/// Plays the first legal move; in one game, arbiter itself fails when it asks, so often.
fn failing(broken_game: u32, times: u32) -> Box<Entrant<'static>> {
    let times = AtomicU32::new(times);
    entrant(move |seating| Box::new(FirstMove { is_broken: seating.game == broken_game && is_left(&times) }))
}

struct FirstMove {
    is_broken: bool,
}

impl Player for FirstMove {
    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        assert!(!self.is_broken, "a bug of ours, made for a test");
        Reply { answer: Answer::Move(turn.legal[0]), spent: Spent::default(), report: None }
    }
}

struct Nobody;

impl Listener for Nobody {
    fn saved(&self, _: &[GameRecord], _: &Mutex<&mut Course>) {}
}

/// The header of a journal, taken from a sample report.
fn header() -> JournalHeader {
    let report = read(&sample("tic-tac-toe.json")).unwrap();
    JournalHeader {
        format: "arbiter-journal".to_owned(),
        format_version: FORMAT_VERSION,
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

/// An entrant for whom the machine fails in the first tries of one game, so many; otherwise it plays the first legal move. With
/// it, how often that game has been tried.
fn unlucky(broken_game: u32, times: u32, failure: MachineFailure) -> (Box<Entrant<'static>>, Arc<AtomicU32>) {
    let (tries, times) = (Arc::new(AtomicU32::new(0)), AtomicU32::new(times));
    let counted = Arc::clone(&tries);
    let unlucky = entrant(move |seating| {
        if seating.game != broken_game {
            return Box::new(FirstMove { is_broken: false });
        }
        tries.fetch_add(1, Ordering::SeqCst);
        match &failure {
            _ if !is_left(&times) => Box::new(FirstMove { is_broken: false }),
            MachineFailure::Stalled { .. } | MachineFailure::OutOfMemory { .. } => {
                Box::new(Script::new([(Answer::Machine(failure.clone()), Spent::default())]))
            }
            _ => Box::new(Script::failing(failure.clone())),
        }
    });
    (unlucky, counted)
}

fn not_started() -> MachineFailure {
    MachineFailure::NotStarted { problem: "no room".to_owned() }
}

/// Is kept from running in every second try of game 2, from the first or the second on.
fn taking_turns(first: u32) -> Box<Entrant<'static>> {
    let tries = AtomicU32::new(first);
    entrant(move |seating| {
        if seating.game != 2 || tries.fetch_add(1, Ordering::SeqCst) % 2 == 1 {
            return Box::new(FirstMove { is_broken: false });
        }
        let stalled = MachineFailure::Stalled { during: Phase::Move, waited: Duration::from_secs(20) };
        Box::new(Script::new([(Answer::Machine(stalled), Spent::default())]))
    })
}

/// Plays what is left of five games, all of them.
fn play(course: Course, journal: Journal, entrants: &[Box<Entrant<'static>>]) -> Course {
    let (course, played) = play_as_far_as_it_goes(course, journal, entrants);
    played.unwrap();
    course
}

/// Plays what is left of five games.
fn play_as_far_as_it_goes(
    course: Course,
    journal: Journal,
    entrants: &[Box<Entrant<'static>>],
) -> (Course, Result<(), MatchError>) {
    play_with(USUAL, course, journal, entrants)
}

/// How games are played.
#[derive(Clone, Copy)]
struct Way<'a> {
    jobs: usize,
    /// The players of the next game sit down early.
    is_ahead: bool,
    flush_interval: Duration,
    listener: &'a dyn Listener,
    now: &'a (dyn Fn() -> String + Sync),
}

const USUAL: Way<'_> = Way {
    jobs: 2,
    is_ahead: false,
    flush_interval: Duration::ZERO,
    listener: &Nobody,
    now: &|| "now".to_owned(),
};

/// The same in another way.
fn play_with(
    way: Way<'_>,
    mut course: Course,
    mut journal: Journal,
    entrants: &[Box<Entrant<'static>>],
) -> (Course, Result<(), MatchError>) {
    let Way { jobs, is_ahead, flush_interval, listener, now } = way;
    let policy = Policy::usual(vec![TimeControl::MoveTime(Duration::from_secs(1)); 2]);
    let (start, seed) = (registry::start("tic-tac-toe", &Setup::default()).unwrap(), MatchSeed::new("1"));
    let games = Games {
        start: &start,
        entrants,
        policy: &policy,
        seed: &seed,
        openings: &Mutex::new(Openings::new(&seed, &start, &Book::None)),
        jobs,
        is_ahead,
        flush_interval,
        keeps_moves: false,
        begun: None,
        complete: &|_| {},
        prepare: &|_| {},
        stop: &Stop::new(),
        now,
        renew: &|_| {},
    };
    let played = games.play(&mut course, &mut journal, listener);
    (course, played)
}

fn five_games() -> Course {
    five_games_until(0)
}

/// Five games. Who loses so many in a row by faults is withdrawn; 0 for never.
fn five_games_until(withdraw_after: u32) -> Course {
    Course::new(CourseRules { withdraw_after, ..rules_of_five() })
}

fn rules_of_five() -> CourseRules {
    CourseRules {
        schedule: Schedule::Match { games: 5 },
        entrants: 2,
        seats: 2,
        withdraw_after: 0,
        sprt: None,
        shard: None,
        wave: None,
    }
}

/// The numbers of the games in a journal, in order.
fn numbers(file: &Path) -> Vec<u32> {
    read(file).unwrap().games.iter().map(|game| game.number).collect()
}

#[test]
fn a_bug_of_ours_in_one_game_costs_that_game_only_until_it_is_resumed() {
    let file = scratch("our-fault").join("report.json.journal");
    let mut course = five_games();
    course.ended(4, Scored::new(&[1, 2], |_| false).unwrap());
    let entrants = [failing(2, u32::MAX), sound()];
    let course = play(course, Journal::create(&file, &header()).unwrap(), &entrants);
    assert!(!course.is_over(), "game 2 is missing");
    assert_eq!(numbers(&file), [1, 3, 5], "game 2 broke, game 4 was there before");
    let mut course = five_games();
    let reopened = Journal::reopen(&file, |game| {
        course.ended(game.number, Scored::of(&game).unwrap());
    });
    let healthy = [sound(), sound()];
    let course = play(course, reopened.unwrap().0, &healthy);
    assert!(course.is_over());
    assert_eq!(numbers(&file), [1, 2, 3, 4, 5], "what was missing is played, and nothing else");
}

#[test]
fn a_game_that_was_broken_off_by_us_is_played_again_at_once() {
    let file = scratch("played-again").join("report.json.journal");
    let entrants = [failing(2, 1), sound()];
    let course = play(five_games(), Journal::create(&file, &header()).unwrap(), &entrants);
    assert!(course.is_over(), "nothing is missing");
    assert_eq!(numbers(&file), [1, 2, 3, 4, 5]);
}

/// `verify` would otherwise say of a match that was stopped for a moment (Ctrl-Z, a quota) that a game ended after it.
#[test]
fn a_game_whose_beginning_is_held_up_does_not_end_later_than_it_did() {
    let file = scratch("held-up").join("report.json.journal");
    let now = || {
        std::thread::sleep(Duration::from_millis(50));
        date_text(&Local::now())
    };
    let healthy = [sound(), sound()];
    let (_, played) = play_with(
        Way { now: &now, ..USUAL },
        five_games(),
        Journal::create(&file, &header()).unwrap(),
        &healthy,
    );
    let finished = Local::now();
    played.unwrap();
    for game in read(&file).unwrap().games {
        assert!(game.ended().unwrap() <= finished, "game {} ends in the future", game.number);
    }
}

/// A machine that has no process to spare for a moment would otherwise cost the rest of the match.
#[test]
fn a_game_that_the_machine_broke_off_is_played_again_at_once() {
    for failure in [
        not_started(),
        MachineFailure::Unreachable { during: Phase::NewGame, problem: "no memory".to_owned() },
    ] {
        let file = scratch("unlucky-once").join("report.json.journal");
        let (bot, tries) = unlucky(2, 2, failure);
        let journal = Journal::create(&file, &header()).unwrap();
        let course = play(five_games(), journal, &[bot, sound()]);
        assert!(course.is_over(), "nothing is missing");
        assert_eq!((numbers(&file), tries.load(Ordering::SeqCst)), (vec![1, 2, 3, 4, 5], 3));
    }
}

/// Whoever waits for the match would otherwise wait for ever, or find games lost by nobody's fault.
#[test]
fn a_match_stops_with_a_sentence_when_the_machine_cannot_start_a_bot() {
    let file = scratch("unlucky").join("report.json.journal");
    let (bot, tries) = unlucky(2, u32::MAX, not_started());
    let entrants = [bot, sound()];
    let journal = Journal::create(&file, &header()).unwrap();
    let (course, stopped) = play_as_far_as_it_goes(five_games(), journal, &entrants);
    let sentence = stopped.unwrap_err().to_string();
    assert!(sentence.contains("game 2 could not be played"), "{sentence}");
    assert!(sentence.ends_with("could not be started: no room"), "{sentence}");
    assert_eq!(tries.load(Ordering::SeqCst), 3, "one game is tried no oftener");
    assert!(!course.is_over(), "game 2 is missing, and can be played later");
    let played = numbers(&file);
    assert!(played.contains(&1) && !played.contains(&2), "what ended is saved: {played:?}");
}

/// Two bots of one author could otherwise stop a tournament by voiding a game in turns.
#[test]
fn bots_that_are_kept_from_running_in_turns_stop_no_match() {
    let file = scratch("stalled-in-turns").join("report.json.journal");
    let journal = Journal::create(&file, &header()).unwrap();
    assert!(play(five_games(), journal, &[0, 1].map(taking_turns)).is_over(), "nothing is missing");
    let report = read(&file).unwrap();
    let lost = report.games.iter().find(|game| game.number == 2).unwrap();
    assert_eq!(lost.ending.reason, "timed-out");
}

/// A bot that is about to lose could otherwise stop a whole tournament by giving its processor away, or by filling the memory of
/// a small machine.
#[test]
fn who_is_kept_from_running_or_out_of_memory_in_two_tries_loses_that_game_and_the_match_goes_on() {
    let during = Phase::Move;
    for (failure, reason) in [
        (MachineFailure::Stalled { during, waited: Duration::from_secs(20) }, "timed-out"),
        (MachineFailure::OutOfMemory { during, held: 129 << 20 }, "crashed"),
    ] {
        let file = scratch(&format!("twice-{reason}")).join("report.json.journal");
        let (failing, tries) = unlucky(2, u32::MAX, failure);
        let journal = Journal::create(&file, &header()).unwrap();
        let course = play(five_games(), journal, &[failing, sound()]);
        assert!(course.is_over(), "nothing is missing");
        assert_eq!(tries.load(Ordering::SeqCst), 2);
        let report = read(&file).unwrap();
        let lost = report.games.iter().find(|game| game.number == 2).unwrap();
        let seat = lost.seats.iter().position(|seat| seat.player == 0).unwrap() as u32;
        assert_eq!((lost.ending.reason.as_str(), lost.ending.seat), (reason, Some(seat)));
        let excused: Vec<_> = report
            .games
            .iter()
            .flat_map(|game| &game.seats)
            .filter_map(|seat| seat.excused.as_ref())
            .collect();
        assert_eq!(excused.len(), 1, "nobody could see that the game had been begun before");
    }
}

/// The kernel ends bots first, whoever fills the memory of the machine.
#[test]
fn who_holds_little_memory_loses_no_game_when_others_have_filled_the_machine() {
    let failure = MachineFailure::OutOfMemory { during: Phase::Move, held: 128 << 20 };
    let file = scratch("victim").join("report.json.journal");
    let (failing, tries) = unlucky(2, 3, failure);
    let journal = Journal::create(&file, &header()).unwrap();
    assert!(play(five_games(), journal, &[failing, sound()]).is_over(), "nothing is missing");
    assert_eq!(tries.load(Ordering::SeqCst), 4, "the game was played when there was memory again");
    let report = read(&file).unwrap();
    assert!(report.games.iter().all(|game| game.ending.fault.is_none()));
}

type Diary = Arc<Mutex<Vec<(&'static str, u32)>>>;

/// Writes down when its players sit down and when their games begin; may resign every game.
struct Punctual {
    diary: Diary,
    game: u32,
    resigns: bool,
}

impl Player for Punctual {
    fn new_game(&mut self, _: &Briefing<'_>) -> Result<(), Failure> {
        self.diary.lock().push(("begins", self.game));
        if self.resigns { Err(Fault::Unsupported { message: String::new() }.into()) } else { Ok(()) }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        Reply { answer: Answer::Move(turn.legal[0]), spent: Spent::default(), report: None }
    }
}

/// Plays five games with one worker, of which one player writes a diary.
fn with_a_diary(name: &str, resigns: bool, withdraw_after: u32) -> (Vec<u32>, Vec<(&'static str, u32)>) {
    let file = scratch(name).join("report.json.journal");
    let diary = Diary::default();
    let written = Arc::clone(&diary);
    let punctual = entrant(move |seating| {
        written.lock().push(("sits down", seating.game));
        Box::new(Punctual { diary: Arc::clone(&written), game: seating.game, resigns })
    });
    let journal = Journal::create(&file, &header()).unwrap();
    let (course, played) = play_with(
        Way { jobs: 1, is_ahead: true, ..USUAL },
        five_games_until(withdraw_after),
        journal,
        &[punctual, sound()],
    );
    played.unwrap();
    assert!(course.is_over());
    let diary = diary.lock().clone();
    (numbers(&file), diary)
}

/// On a machine with a spare core, games would otherwise wait for the start of processes.
#[test]
fn the_bots_of_the_next_game_start_while_a_game_is_played() {
    let (played, diary) = with_a_diary("ahead", false, 0);
    assert_eq!(played, [1, 2, 3, 4, 5]);
    let at = |what| diary.iter().position(|noted| *noted == what).unwrap();
    for game in 1..5 {
        assert!(at(("sits down", game + 1)) < at(("begins", game)), "{diary:?}");
    }
}

/// A report would otherwise hold games of a player that has been withdrawn.
#[test]
fn a_game_that_a_withdrawal_makes_needless_is_not_played_though_its_bots_have_started() {
    let (played, diary) = with_a_diary("ahead-of-withdrawal", true, 2);
    assert_eq!(played, [1, 2], "the second loss in a row is one too many");
    assert!(diary.contains(&("sits down", 3)) && !diary.contains(&("begins", 3)), "{diary:?}");
}

/// Looks into the journal whenever it is told of games.
struct Suspicious<'a> {
    file: &'a Path,
    told: Mutex<Vec<u32>>,
}

impl Listener for Suspicious<'_> {
    fn saved(&self, games: &[GameRecord], _: &Mutex<&mut Course>) {
        let saved = numbers(self.file);
        let told = games.iter().map(|game| game.number);
        self.told.lock().extend(told.inspect(|game| assert!(saved.contains(game), "game {game}")));
    }
}

/// Otherwise people would be told of games that a crash takes away; or a round that is drawn from results would never begin,
/// because the results wait in a worker that waits for the round.
#[test]
fn games_that_wait_for_the_journal_are_told_once_they_are_in_it_and_before_anybody_waits_for_them() {
    for jobs in [1, 2] {
        let file = scratch(&format!("patient-{jobs}")).join("report.json.journal");
        let listener = Suspicious { file: &file, told: Mutex::default() };
        let journal = Journal::create(&file, &header()).unwrap();
        let swiss = Course::new(CourseRules {
            schedule: Schedule::Swiss { rounds: 3, pairs: 2, byes: Some(ByesRecord::LowestAndWalkovers) },
            ..rules_of_five()
        });
        let flush_interval = Duration::from_secs(3600);
        let way = Way { jobs, flush_interval, listener: &listener, ..USUAL };
        let (course, played) = play_with(way, swiss, journal, &[sound(), sound()]);
        played.unwrap();
        assert!(course.is_over());
        let mut told = listener.told.into_inner();
        told.sort_unstable();
        assert_eq!(told, (1..=12).collect::<Vec<_>>(), "each is told once");
    }
}

/// Knows which games are over, for one that goes on until certain others are.
#[derive(Default)]
struct Slow {
    over: Mutex<BTreeSet<u32>>,
    changed: Condvar,
}

const SLOW_GAME: u32 = 301;

impl Slow {
    /// Waits for the games that its worker may have been handed together with it: whether they end while this one goes on.
    fn has_kept_nobody_waiting(&self) -> bool {
        let is_missing = |over: &mut BTreeSet<u32>| !(1..=15).all(|more| over.contains(&(SLOW_GAME + more)));
        let (mut over, limit) = (self.over.lock(), Duration::from_secs(20));
        !self.changed.wait_while_for(&mut over, is_missing, limit).timed_out()
    }
}

impl Listener for Slow {
    fn event(&self, fixture: &Fixture, event: &Event<'_>) {
        if let Event::Ended { .. } = event {
            self.over.lock().insert(fixture.number);
            self.changed.notify_all();
        }
    }

    fn saved(&self, _: &[GameRecord], _: &Mutex<&mut Course>) {}
}

/// Short games are handed out together. Whoever of them turns out to be long would otherwise keep those behind it while other
/// workers have nothing to do, at the end of a tournament for as long as fifteen long games take.
#[test]
fn a_slow_game_keeps_none_waiting_that_another_worker_could_play() {
    let file = scratch("slow-among-fast").join("report.json.journal");
    let (slow, has_waited) = (Arc::new(Slow::default()), Arc::new(AtomicBool::new(false)));
    let course = Course::new(CourseRules { schedule: Schedule::Match { games: 400 }, ..rules_of_five() });
    let (looked_at, noted) = (Arc::clone(&slow), Arc::clone(&has_waited));
    let slow_once = entrant(move |seating| {
        if seating.game == SLOW_GAME && !looked_at.has_kept_nobody_waiting() {
            noted.store(true, Ordering::SeqCst);
        }
        Box::new(FirstMove { is_broken: false })
    });
    let way = Way { flush_interval: Duration::from_secs(3600), listener: &*slow, ..USUAL };
    let journal = Journal::create(&file, &header()).unwrap();
    let (course, played) = play_with(way, course, journal, &[slow_once, sound()]);
    played.unwrap();
    assert!(course.is_over());
    assert!(!has_waited.load(Ordering::SeqCst), "games waited for game {SLOW_GAME}");
}
