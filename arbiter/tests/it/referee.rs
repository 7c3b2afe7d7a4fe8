//! What the referee decides, with scripted players and a clock that tests move by hand.

use crate::support::Script;
use arbiter::player::{Answer, Briefing, Player, Reply, TimeControl, Turn};
use arbiter::record::Recorder;
use arbiter::record::schema::{ChosenBy, GameRecord, How};
use arbiter::referee::{Game, Policy, TimeSource, play_game};
use arbiter::verdict::{Abandoned, BotReport, Ending, Failure, Fault, MachineFailure, Phase, Spent};
use arbiter_rules::{Chance, Choice, MoveList, Position, Seat, Setup, registry};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

const STOPPED: TimeSource<'_> = TimeSource { elapsed: &|| Duration::from_secs(7), interrupted: &|| false };

fn policy(seats: usize, time: TimeControl) -> Policy {
    Policy::usual(vec![time; seats])
}

/// Answers with the time each took.
fn script(answers: &[(&str, Duration)]) -> Box<dyn Player> {
    let answer = |(text, wall): &(&str, Duration)| (Answer::Text((*text).to_owned()), Spent::of_wall(*wall));
    Box::new(Script::new(answers.iter().map(answer)))
}

/// Answers that take a millisecond each.
fn quick(answers: &[&str]) -> Box<dyn Player> {
    script(&answers.iter().map(|text| (*text, MS)).collect::<Vec<_>>())
}

fn start(game: &str, players: Option<usize>) -> Position {
    registry::start(game, &Setup { players, ..Setup::default() }).unwrap()
}

fn play(start: &Position, policy: &Policy, players: Vec<Box<dyn Player>>) -> (Ending, GameRecord) {
    play_after(&[], start, policy, players)
}

/// Plays a game of which earlier tries were abandoned by the machine at these seats.
fn play_after(
    excused: &[Seat],
    start: &Position,
    policy: &Policy,
    players: Vec<Box<dyn Player>>,
) -> (Ending, GameRecord) {
    let seeds = vec![0; players.len()];
    let game = Game { start, opening: &[], chance_seed: 1, player_seeds: &seeds, policy, excused };
    referee(&game, players)
}

/// Plays a game after an opening.
fn play_from(
    opening: &[Choice],
    start: &Position,
    policy: &Policy,
    players: Vec<Box<dyn Player>>,
) -> GameRecord {
    let seeds = vec![0; players.len()];
    let game = Game { start, opening, chance_seed: 1, player_seeds: &seeds, policy, excused: &[] };
    referee(&game, players).1
}

/// Who lost a game by what.
#[track_caller]
fn forfeit(ending: &Ending) -> (usize, &Fault) {
    let Ending::Forfeit { seat, fault, .. } = ending else { panic!("nobody lost it by a fault: {ending:?}") };
    (seat.index(), fault)
}

fn referee(game: &Game<'_>, mut players: Vec<Box<dyn Player>>) -> (Ending, GameRecord) {
    let seats: Vec<usize> = (0..players.len()).collect();
    let mut recorder = Recorder::new(1, &seats, 1, game.opening.len(), String::new());
    let ending = play_game(game, &mut players, STOPPED, &mut |event| recorder.event(event));
    (ending, recorder.finish().expect("the game has ended"))
}

fn othello(policy: &Policy, black: Box<dyn Player>, white: Box<dyn Player>) -> (Ending, GameRecord) {
    play(&start("othello", None), policy, vec![black, white])
}

#[test]
fn two_illegal_answers_are_counted_and_the_third_loses_the_game() {
    let policy = policy(2, TimeControl::MoveTime(Duration::from_secs(1)));
    let (ending, record) = othello(&policy, quick(&["a1", "e4", "f5", "a1"]), quick(&["d6"]));
    let errors: Vec<_> =
        record.errors.iter().map(|e| (e.ply, e.attempt, e.answer.as_str(), e.reason.as_str())).collect();
    assert_eq!(
        errors,
        [(0, 0, "a1", "not-a-capture"), (0, 1, "e4", "occupied"), (2, 0, "a1", "not-a-capture")],
        "attempts start anew with the next turn, errors do not"
    );
    let mut after_two_plies = start("othello", None);
    for text in ["f5", "d6"] {
        let choice = after_two_plies.read_move(text).unwrap();
        after_two_plies.play(choice.played, &Chance::NONE).unwrap();
    }
    assert_eq!(
        record.errors[2].position,
        after_two_plies.text(),
        "the record shows where the error was made"
    );
    let Ending::Forfeit { seat, fault: Fault::IllegalMove { .. }, outcome } = ending else {
        panic!("{ending:?}")
    };
    assert_eq!((seat.index(), outcome.winner().map(|seat| seat.index())), (0, Some(1)));
    assert_eq!((record.ending.how, record.plies.len()), (How::Forfeit, 2));
}

/// Says as much as it may with each move, in characters that a record spells out.
struct Talkative;

impl Player for Talkative {
    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let mut moves = MoveList::default();
        turn.position.legal_moves(&mut moves);
        let report = BotReport { text: "\u{1}".repeat(16 << 10), ..BotReport::default() };
        Reply { answer: Answer::Move(moves[0]), spent: Spent::of_wall(MS), report: Some(report.into()) }
    }
}

/// Reports of a thousand games would fill a disk.
#[test]
fn what_a_bot_says_of_its_searches_takes_no_more_room_in_a_record_than_is_kept_for_it() {
    let policy = policy(2, TimeControl::Unlimited);
    let (_, record) = play(&start("othello", None), &policy, vec![Box::new(Talkative), Box::new(Talkative)]);
    let written = serde_json::to_string(&record).unwrap().len();
    assert!((256 << 10..600 << 10).contains(&written), "{written}");
}

/// Does not begin a game, for a reason that may depend on it.
struct Declining(fn(&Briefing<'_>) -> Fault);

impl Player for Declining {
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        Err(self.0(game).into())
    }

    fn choose(&mut self, _: &Turn<'_>) -> Reply {
        unreachable!("it plays no game")
    }
}

/// The header and the guide of bots promise it: a bot that counts its errors would count up to another number.
#[test]
fn with_max_errors_0_players_are_told_the_last_of_all_errors() {
    for (max_errors, told) in [(0, "10000"), (1, "1"), (1000, "1000")] {
        let policy = Policy { max_errors, ..policy(2, TimeControl::Unlimited) };
        let says = |game: &Briefing<'_>| Fault::Unsupported { message: game.max_errors.to_string() };
        let (ending, _) = othello(&policy, Box::new(Declining(says)), quick(&[]));
        assert_eq!(forfeit(&ending), (0, &Fault::Unsupported { message: told.to_owned() }));
    }
}

/// A student whose bot lost because the machine had no process left would be right to complain.
#[test]
fn nobody_loses_a_game_for_which_the_machine_could_not_start_a_bot() {
    let full = MachineFailure::NotStarted { problem: "no room".to_owned() };
    for players in [2, 3] {
        let mut seated: Vec<Box<dyn Player>> = (1..players).map(|_| quick(&[])).collect();
        seated.push(Box::new(Script::failing(full.clone())));
        let policy = policy(players, TimeControl::Unlimited);
        let game = if players == 2 { "othello" } else { "chinese-checkers" };
        let (ending, record) = play(&start(game, Some(players)), &policy, seated);
        let abandoned = Abandoned::Machine { seat: Seat::new(players - 1).unwrap(), failure: full.clone() };
        assert_eq!(ending, Ending::Abandoned(abandoned));
        assert_eq!((record.ending.reason.as_str(), record.outcome), ("machine", None));
    }
}

/// A bot that could not begin by a fault of its own is not to blame for the machine, nor the other way round: the next
/// try will say again what the bot does.
#[test]
fn a_bot_whose_opponent_cannot_begin_does_not_win_a_game_that_the_machine_broke_off() {
    let fault = Script::failing(Fault::NotLoaded { problem: "no such file".to_owned() });
    let full = Script::failing(MachineFailure::NotStarted { problem: "no room".to_owned() });
    let (ending, _) = othello(&policy(2, TimeControl::Unlimited), Box::new(fault), Box::new(full));
    assert!(matches!(ending, Ending::Abandoned(Abandoned::Machine { .. })), "{ending:?}");
}

/// A machine that keeps a bot waiting would otherwise decide games; so would a process that the system takes away.
#[test]
fn nobody_loses_a_game_in_which_the_machine_kept_a_bot_from_moving() {
    let second = Duration::from_secs(1);
    let stalled = MachineFailure::Stalled { during: Phase::Move, waited: 20 * second };
    let gone = MachineFailure::Unreachable { during: Phase::Move, problem: "no memory".to_owned() };
    for failure in [stalled, gone] {
        let answers = [
            (Answer::Text("f5".to_owned()), Spent::of_wall(MS)),
            // More than it had: whose fault that is has been decided where it was asked.
            (Answer::Machine(failure.clone()), Spent::of_wall(20 * second)),
        ];
        let policy = policy(2, TimeControl::MoveTime(second));
        let (ending, record) = othello(&policy, Box::new(Script::new(answers)), quick(&["d6"]));
        let abandoned = Abandoned::Machine { seat: Seat::FIRST, failure };
        assert_eq!((ending, record.outcome), (Ending::Abandoned(abandoned), None));
    }
}

/// A bot that is losing would otherwise void as many games as it likes by giving its processor away.
#[test]
fn who_is_kept_from_running_in_both_tries_of_a_game_loses_it() {
    let second = Duration::from_secs(1);
    let policy = policy(2, TimeControl::MoveTime(second));
    let stall = |during| MachineFailure::Stalled { during, waited: 20 * second };
    let stalling = || {
        let spent = Spent { wall: 20 * second, charged: second / 2, ..Spent::default() };
        Box::new(Script::new([(Answer::Machine(stall(Phase::Move)), spent)])) as Box<dyn Player>
    };
    let othello = start("othello", None);
    let (ending, record) = play_after(&[Seat::FIRST], &othello, &policy, vec![stalling(), quick(&[])]);
    assert_eq!(forfeit(&ending), (0, &Fault::TimedOut { during: Phase::Move, budget: second }));
    let charged = record.ending.fault.unwrap().times().charged();
    assert_eq!(charged, Some(20_000_000_000), "now all of the wait is charged, as the verdict says");
    let (ending, _) = play_after(&[Seat::SECOND], &othello, &policy, vec![stalling(), quick(&[])]);
    assert!(matches!(ending, Ending::Abandoned(_)), "the other one was to blame then: {ending:?}");
    let early = || Box::new(Script::failing(stall(Phase::NewGame)));
    let (ending, _) = play_after(&[Seat::FIRST], &othello, &policy, vec![early(), quick(&[])]);
    let (_, fault) = forfeit(&ending);
    assert!(
        matches!(fault, Fault::TimedOut { during: Phase::NewGame, .. }),
        "before the first move: {fault:?}"
    );
}

/// Nobody can be said to have run out of a time that there was not.
#[test]
fn without_a_limit_nobody_loses_by_being_kept_from_running() {
    let stalled = MachineFailure::Stalled { during: Phase::Move, waited: Duration::from_secs(20) };
    let stalling = Box::new(Script::new([(Answer::Machine(stalled), Spent::default())]));
    let unlimited = policy(2, TimeControl::Unlimited);
    let players: Vec<Box<dyn Player>> = vec![stalling, quick(&[])];
    let (ending, _) = play_after(&[Seat::FIRST], &start("othello", None), &unlimited, players);
    assert!(matches!(ending, Ending::Abandoned(_)), "{ending:?}");
}

#[test]
fn who_answers_wrongly_for_ever_is_out_all_the_same() {
    let policy = Policy { max_errors: 0, ..policy(2, TimeControl::Unlimited) };
    let tries = |count| quick(&vec!["a1"; count]);
    let (ending, record) = othello(&policy, tries(10_001), quick(&[]));
    let answers = Policy::MOST_ERRORS;
    assert_eq!(forfeit(&ending), (0, &Fault::EndlessErrors { answers }));
    assert_eq!((record.refused(), answers), (10_000, 10_000));
    let fault = record.ending.fault.unwrap();
    assert_eq!((fault.kind.as_str(), fault.limit), ("endless-errors", Some(10_000)));
    let (ending, _) = othello(&policy, tries(9_999), quick(&[]));
    assert_eq!(forfeit(&ending), (0, &Fault::Left), "one less is none too many");
}

#[test]
fn refused_answers_use_up_the_same_clock() {
    let policy = policy(2, TimeControl::MoveTime(100 * MS));
    let (ending, _) = othello(&policy, script(&[("a1", 60 * MS), ("f5", 50 * MS)]), quick(&[]));
    let budget = 100 * MS;
    let late = Fault::TimedOut { during: Phase::Move, budget };
    assert_eq!(forfeit(&ending), (0, &late), "the limit of the turn, not what was left of it");
}

#[test]
fn a_late_answer_loses_even_if_it_is_legal_and_the_margin_is_forgiven() {
    for (wall, plies) in [(1005 * MS, 1), (1006 * MS, 0)] {
        let policy = policy(2, TimeControl::MoveTime(Duration::from_secs(1)));
        let (_, record) = othello(&policy, script(&[("f5", wall)]), quick(&[]));
        assert_eq!(record.plies.len(), plies, "{wall:?} of 1 s with a margin of 5 ms");
    }
}

#[test]
fn a_bot_that_the_machine_kept_waiting_is_not_charged_for_it() {
    let control = TimeControl::Clock { base: 1000 * MS, increment: Duration::ZERO };
    let answering = |wall, charged| {
        let spent = Spent { wall, charged, ..Spent::default() };
        Box::new(Script::new([(Answer::Text("f5".to_owned()), spent)])) as Box<dyn Player>
    };
    let policy = policy(2, control);
    let (_, record) = othello(&policy, answering(1300 * MS, 900 * MS), quick(&[]));
    assert_eq!((record.plies.len(), record.plies[0].charged_ns), (1, Some(900_000_000)));
    let (ending, _) = othello(&policy, answering(1300 * MS, 1100 * MS), quick(&[]));
    assert!(matches!(forfeit(&ending), (0, Fault::TimedOut { .. })), "1.1 s of 1 s are charged: {ending:?}");
}

#[test]
fn a_clock_runs_down_over_moves_and_gains_its_increment() {
    let control = TimeControl::Clock { base: 100 * MS, increment: 10 * MS };
    let policy = Policy { margin: Duration::ZERO, ..policy(2, control) };
    let black = script(&[("e6", 60 * MS), ("g6", 50 * MS), ("d3", 10 * MS), ("f5", 11 * MS)]);
    let (ending, record) = othello(&policy, black, quick(&["f6", "g7", "e7"]));
    let (_, Fault::TimedOut { budget, .. }) = forfeit(&ending) else { panic!("{ending:?}") };
    assert_eq!((*budget, record.plies.len()), (10 * MS, 6), "100 - 60 + 10 - 50 + 10 - 10 + 10 leaves 10 ms");
}

#[test]
fn nobody_is_asked_to_choose_a_pass() {
    // White takes on c1; black has nothing to turn and passes; white goes on with a3.
    let position = Some("OX------X------------------------------------------------------- O");
    let start = registry::start("othello", &Setup { position, ..Setup::default() }).unwrap();
    let (_, record) =
        play(&start, &policy(2, TimeControl::Unlimited), vec![quick(&[]), quick(&["c1", "a3"])]);
    let plies: Vec<_> = record.turns().map(|(seat, ply)| (seat, ply.played.as_str(), ply.by)).collect();
    assert_eq!(
        plies,
        [(1, "c1", ChosenBy::Player), (0, "pass", ChosenBy::Rules), (1, "a3", ChosenBy::Player)]
    );
}

#[test]
fn who_cannot_begin_a_game_for_three_is_out_after_the_opening_that_was_drawn_for_all() {
    let start = start("chinese-checkers", Some(3));
    let mut position = start.clone();
    let mut first_move = || {
        let (m, text) = (position.nth_legal(0), position.move_text(position.nth_legal(0)));
        position.play(m, &Chance::NONE).unwrap();
        (Choice::from(m), text)
    };
    let opening = [first_move().0, first_move().0, first_move().0];
    let policy = Policy { max_plies: 4, ..policy(3, TimeControl::Unlimited) };
    let fault = Fault::NotLoaded { problem: "no such file".to_owned() };
    let players = vec![quick(&[&first_move().1]), Box::new(Script::failing(fault)), quick(&[])];
    let record = play_from(&opening, &start, &policy, players);
    let out: Vec<_> = record.eliminations.iter().map(|out| (out.seat, out.ply)).collect();
    assert_eq!((record.plies.len(), out), (4, vec![(1, 3)]), "{record:?}");
}

#[test]
fn with_max_errors_0_a_player_may_try_on_and_a_thousand_errors_are_kept_and_the_rest_summed_up() {
    let answers: Vec<_> = std::iter::repeat_n("a1", 1500).chain(["f5"]).collect();
    let policy = Policy { max_errors: 0, max_plies: 1, ..policy(2, TimeControl::Unlimited) };
    let (_, record) = othello(&policy, quick(&answers), quick(&[]));
    assert_eq!((record.errors.len(), record.refused(), record.plies.len()), (1000, 1500, 1));
    let left_out = &record.errors_left_out[0];
    assert_eq!((left_out.ply, left_out.seat, left_out.wall_ns), (0, 0, Some(500_000_000)));
    assert_eq!(left_out.reasons.iter().collect::<Vec<_>>(), [(&"not-a-capture".to_owned(), &500)]);
}

/// A path can be answered in every game, also where no notation can say it.
#[test]
fn any_refused_path_is_kept_so_that_judging_it_again_says_the_same() {
    let long: Vec<i64> = (0..200).map(|n| n * 1_000_003 - 99).collect();
    let paths = [vec![], vec![-1], vec![70_000], vec![3, 17], vec![3, -17, i64::MIN], long];
    for game in registry::GAMES {
        let (game, start) = (game.id, start(game.id, None));
        let policy = Policy { max_errors: 0, ..policy(start.seats(), TimeControl::Unlimited) };
        let answers = paths.iter().map(|path| (Answer::Path(path.clone()), Spent::default()));
        let others = || (1..start.seats()).map(|_| quick(&[]));
        let first: Box<dyn Player> = Box::new(Script::new(answers));
        let (_, once) = play(&start, &policy, std::iter::once(first).chain(others()).collect());
        let kept: Vec<&str> = once.errors.iter().map(|error| error.answer.as_str()).collect();
        assert_eq!(kept.len(), paths.len(), "{game}: {kept:?}");
        let (_, again) = play(&start, &policy, std::iter::once(quick(&kept)).chain(others()).collect());
        let reasons = |record: &GameRecord| -> Vec<_> {
            record.errors.iter().map(|e| (e.answer.clone(), e.reason.clone(), e.sentence.clone())).collect()
        };
        assert_eq!(reasons(&again), reasons(&once), "{game}");
    }
}

#[test]
fn in_a_game_for_three_a_lost_seat_is_taken_out_and_the_others_play_on() {
    let start = start("chinese-checkers", Some(3));
    let policy = Policy { max_errors: 1, ..policy(3, TimeControl::Unlimited) };
    let players = vec![quick(&["6-14", "14-15"]), quick(&["60-61"]), quick(&["65-66"])];
    let (ending, record) = play(&start, &policy, players);
    let out: Vec<_> =
        record.eliminations.iter().map(|out| (out.seat, out.ply, out.fault.kind.as_str())).collect();
    assert_eq!(out, [(1, 1, "illegal-move"), (2, 3, "left")], "{record:?}");
    assert!(matches!(ending, Ending::ByRules(_)), "the last seat that stands wins by the rules: {ending:?}");
}

#[test]
fn moves_of_an_opening_are_recorded_as_such_and_cost_no_time() {
    let start = start("othello", None);
    let mut opening = Vec::new();
    let mut position = start.clone();
    for text in ["f5", "d6"] {
        let choice = position.read_move(text).unwrap();
        position.play(choice.played, &Chance::NONE).unwrap();
        opening.push(choice);
    }
    let policy = Policy { max_plies: 3, ..policy(2, TimeControl::Unlimited) };
    let record = play_from(&opening, &start, &policy, vec![quick(&["c3"]), quick(&[])]);
    let by: Vec<_> = record.plies.iter().map(|ply| (ply.played.as_str(), ply.by, ply.wall_ns)).collect();
    assert_eq!(
        by,
        [
            ("f5", ChosenBy::Opening, None),
            ("d6", ChosenBy::Opening, None),
            ("c3", ChosenBy::Player, Some(1_000_000))
        ]
    );
}
