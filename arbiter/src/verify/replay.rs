//! One recorded game, played again by the referee with the recorded answers.

use super::fault::{Culprit, When};
use super::{Scheduled, times};
use crate::player::{Answer, Briefing, GameResult, Player, Reply, TimeControl, Turn};
use crate::record::schema::{
    self, AnswerTimes, ChosenBy, ClockKind, FaultRecord, GameRecord, Plan, PlayerKind,
};
use crate::record::{Recorder, canonical_game, fault_from_record, seed_text};
use crate::referee::{Agreement, AtMaxPlies, Game, Policy, TimeSource, play_game};
use crate::tournament::{Fixture, MatchSeed, Opening};
use crate::verdict::{BotReport, Event, Failure, Fault, MachineFailure, Phase, Spent};
use arbiter_rules::{Chance, Choice, Position, Seat};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

/// Which of the two forms a report has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As it was written: with the time of every answer.
    Whole,
    /// Without anything that two runs may differ in.
    Canonical,
}

/// Plays a recorded game again. `chair` makes the player of each seat from the one that does what the file says. Its seats
/// must be those of the schedule.
///
/// # Errors
/// Where the file cannot be followed: an illegal move, a move too many or too few, an impossible time.
pub(super) fn play_again<'a>(
    plan: &'a Plan,
    start: &Position,
    game: &GameRecord,
    (fixture, opening): &Scheduled,
    form: Form,
    mut chair: impl FnMut(Seat, Ghost<'a>) -> Box<dyn Player + 'a>,
) -> Result<GameRecord, Vec<String>> {
    let seats = start.seats();
    let Fixture { unit, players, round, .. } = fixture;
    let chance_seed = MatchSeed::new(&plan.seed).chance(unit.number);
    let policy = policy(plan, players);
    let problems = Rc::new(RefCell::new(Vec::new()));
    let parts = parts(game, seats, opening.moves.len()).map_err(|problem| vec![problem])?;
    let stalled = Seat::all(seats).zip(&parts).filter(|(_, part)| part.stalled.is_some());
    let excused: Vec<Seat> = stalled.map(|(seat, _)| seat).collect();
    let ghosts = parts.into_iter().zip(players).map(|(part, &player)| {
        let culprit = Culprit { plan, player: &plan.players[player] };
        Ghost { part, culprit, form, problems: Rc::clone(&problems) }
    });
    let mut chairs: Vec<_> = Seat::all(seats).zip(ghosts).map(|(seat, ghost)| chair(seat, ghost)).collect();
    let started = game.started.clone().unwrap_or_default();
    let recorder = Recorder::new(game.number, players, chance_seed, opening.moves.len(), started);
    let mut recorder = recorder.starting_from(opening.position()).in_unit(*round, unit.number);
    let setup = Game {
        start: opening.start(start),
        opening: &by_recorded_paths(opening, start, game),
        chance_seed,
        player_seeds: &vec![0; seats],
        policy: &policy,
        excused: &excused,
    };
    let mut plies = 0;
    let mut events = |event: &Event<'_>| {
        plies += usize::from(matches!(event, Event::Played(_)));
        recorder.event(event);
    };
    let elapsed = || Duration::from_nanos(game.duration_ns.unwrap_or(0));
    let time = TimeSource { elapsed: &elapsed, interrupted: &|| false };
    play_game(&setup, &mut chairs, time, &mut events);
    drop(chairs);
    let mut problems = problems.take();
    if problems.is_empty() && plies < game.plies.len() {
        problems.push(format!("the game is over after {plies} plies, but the file has {}", game.plies.len()));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut again = recorder.finish().expect("the game has been played to its end");
    if game.chance_seed.is_some() {
        // Files of formats 1 and 2 name it in every game.
        again.chance_seed = Some(seed_text(chance_seed));
    }
    forget_what_cannot_be_judged(&mut again, game, form);
    if plan.clock.is_none() {
        tell_times_as_before(&mut again, game);
    }
    name_signals_as_elsewhere(&mut again, game);
    Ok(again)
}

/// The moves of an opening by the paths that stand in the file: of those in lists, older versions saved the shortest ones.
fn by_recorded_paths(opening: &Opening, start: &Position, game: &GameRecord) -> Vec<Choice> {
    let mut moves = opening.moves.clone();
    if moves.iter().all(|choice| choice.path.is_empty()) {
        return moves;
    }
    let mut position = opening.start(start).clone();
    for (choice, ply) in moves.iter_mut().zip(&game.plies) {
        if ply.played == position.choice_text(&choice.played.into()) {
            choice.path.clear();
        }
        position.play_legal(choice.played, &Chance::NONE);
    }
    moves
}

fn policy(plan: &Plan, players: &[usize]) -> Policy {
    let agreement = |schema::AgreementPlan { score, plies }| Agreement { score, plies };
    Policy {
        time: players.iter().map(|&player| time_control(plan.players[player].time)).collect(),
        margin: Duration::from_nanos(plan.margin_ns),
        max_errors: plan.max_errors,
        max_plies: plan.max_plies,
        at_max_plies: match plan.at_max_plies {
            schema::AtMaxPlies::Draw => AtMaxPlies::Draw,
            schema::AtMaxPlies::Score => AtMaxPlies::Score,
        },
        resign_score: plan.resign_score.map(agreement),
        draw_score: plan.draw_score.map(agreement),
        max_repetitions: plan.max_repetitions,
        // What was taken back is not in the record.
        take_backs: false,
    }
}

/// Takes over the sentences of faults that name signals as other systems do: the match may have been played on one.
fn name_signals_as_elsewhere(again: &mut GameRecord, game: &GameRecord) {
    let noted = game.noted.iter().map(|noted| &noted.fault);
    let recorded = game.eliminations.iter().map(|out| &out.fault).chain(&game.ending.fault).chain(noted);
    let noted = again.noted.iter_mut().map(|noted| &mut noted.fault);
    let faults = again.eliminations.iter_mut().map(|out| &mut out.fault).chain(&mut again.ending.fault);
    for (fault, recorded) in faults.chain(noted).zip(recorded).filter(|(fault, _)| fault.signal.is_some()) {
        let elsewhere = fault_from_record(recorded, None).map(|fault| fault.sentence_elsewhere());
        if fault.sentence.is_some() && elsewhere.ok() == recorded.sentence {
            fault.sentence.clone_from(&recorded.sentence);
        }
    }
}

/// What bots said, and when, is taken as it stands; in the canonical form it must not be there.
fn forget_what_cannot_be_judged(again: &mut GameRecord, game: &GameRecord, form: Form) {
    match form {
        Form::Canonical => canonical_game(again),
        Form::Whole => {
            (again.started, again.duration_ns) = (game.started.clone(), game.duration_ns);
            let plies = again.plies.iter_mut().zip(&game.plies);
            for (ply, recorded) in plies.filter(|(ply, _)| ply.by == ChosenBy::Player) {
                ply.search.clone_from(&recorded.search);
            }
            for ((_, fault), (_, recorded)) in again.faults_mut().zip(game.faults()) {
                (fault.output, fault.again) = (recorded.output.clone(), recorded.again.clone());
            }
            for (seat, recorded) in again.seats.iter_mut().zip(&game.seats) {
                (seat.printed, seat.prepared_ns) = (recorded.printed, recorded.prepared_ns);
                seat.excused.clone_from(&recorded.excused);
            }
        }
    }
    again.taken_back.clone_from(&game.taken_back);
    for (turn, recorded) in again.errors_left_out.iter_mut().zip(&game.errors_left_out) {
        turn.reasons.clone_from(&recorded.reasons);
    }
}

/// Files without a name for their clock say how long the machine kept bots waiting, which has been judged, and not what
/// was charged.
fn tell_times_as_before(again: &mut GameRecord, game: &GameRecord) {
    for (ply, recorded) in again.plies.iter_mut().zip(&game.plies) {
        ply.charged_ns = None;
        if ply.by == ChosenBy::Player {
            ply.starved_ns = recorded.starved_ns;
        }
    }
    for (error, recorded) in again.errors.iter_mut().zip(&game.errors) {
        (error.charged_ns, error.starved_ns) = (None, recorded.starved_ns);
    }
    for (turn, recorded) in again.errors_left_out.iter_mut().zip(&game.errors_left_out) {
        (turn.charged_ns, turn.starved_ns) = (None, recorded.starved_ns);
    }
    again.faults_mut().for_each(|(_, fault)| fault.charged_ns = None);
}

pub(super) fn time_control(time: schema::TimeControl) -> TimeControl {
    match (time.move_ns, time.base_ns) {
        (Some(time), _) => TimeControl::MoveTime(Duration::from_nanos(time)),
        (None, Some(base)) => TimeControl::Clock {
            base: Duration::from_nanos(base),
            increment: Duration::from_nanos(time.increment_ns.unwrap_or(0)),
        },
        (None, None) => TimeControl::Unlimited,
    }
}

/// What one seat did in the recorded game.
#[derive(Default)]
struct Part {
    before_the_start: Option<Fault>,
    /// How long the machine kept it from running before the start, in two tries of the game, so that it lost.
    stalled: Option<Duration>,
    /// What it did wrong when the game was over.
    noted: Option<Fault>,
    answers: VecDeque<Recorded>,
    /// Answers that were refused, those that are only summed up included.
    errors: u64,
    /// The error that loses the game.
    last_error: u32,
}

struct Recorded {
    ply: usize,
    answer: Answer,
    is_played: bool,
    /// Nothing in the canonical form, where times cannot be judged.
    times: AnswerTimes,
    pondered: Option<u64>,
    /// What the bot said of the game, which may have ended it.
    score: Option<i32>,
}

/// Sorts everything that was answered by seat, in order.
fn parts(game: &GameRecord, seats: usize, opening: usize) -> Result<Vec<Part>, String> {
    let mut parts: Vec<Part> = (0..seats).map(|_| Part::default()).collect();
    let mut errors = game.errors.iter().peekable();
    let mut left_out = game.errors_left_out.iter().peekable();
    let mut eliminations = game.eliminations.iter().peekable();
    let mut turns = game.turns();
    for ply in 0..=game.plies.len() {
        while let Some(error) = errors.next_if(|error| error.ply as usize <= ply) {
            let part = part(&mut parts, error.seat)?;
            part.errors += 1;
            let answer = Answer::Text(error.answer.clone());
            part.answers.push_back(Recorded::in_vain(error.ply as usize, answer, error.times()));
        }
        while let Some(turn) = left_out.next_if(|turn| turn.ply as usize <= ply) {
            let part = part(&mut parts, turn.seat)?;
            part.errors =
                turn.reasons.values().fold(part.errors, |sum, &count| sum.saturating_add(count.into()));
            // Answers that are only counted in the file stand here as one.
            let answer = Answer::Text("…".to_owned());
            part.answers.push_back(Recorded::in_vain(turn.ply as usize, answer, turn.times()));
        }
        while let Some(out) = eliminations.next_if(|out| out.ply as usize <= ply) {
            let is_first = ply == opening;
            add_fault(part(&mut parts, out.seat)?, ply, &out.fault, game, out.seat, is_first)?;
        }
        if let Some((seat, played)) = turns.next().filter(|(_, played)| played.by == ChosenBy::Player) {
            let answer = Answer::Text(played.played.clone());
            part(&mut parts, seat)?.answers.push_back(Recorded {
                is_played: true,
                pondered: played.pondered_ns,
                score: played.search.as_ref().and_then(|search| search.score),
                ..Recorded::in_vain(ply, answer, played.times())
            });
        }
    }
    if let Some(ply) = errors.next().map(|error| error.ply).or(left_out.next().map(|turn| turn.ply)) {
        return Err(format!("an error is recorded at ply {ply}, after the end of the game"));
    }
    if let (Some(fault), Some(seat)) = (&game.ending.fault, game.ending.seat) {
        let is_first = game.plies.is_empty();
        add_fault(part(&mut parts, seat)?, game.plies.len(), fault, game, seat, is_first)?;
    }
    for noted in &game.noted {
        let part = part(&mut parts, noted.seat)?;
        if part.noted.replace(fault_from_record(&noted.fault, None)?).is_some() {
            return Err(format!(
                "seat {} is said twice to have done something wrong after the game",
                noted.seat
            ));
        }
    }
    Ok(parts)
}

fn part(parts: &mut [Part], seat: u32) -> Result<&mut Part, String> {
    parts.get_mut(seat as usize).ok_or_else(|| format!("there is no seat {seat}"))
}

fn add_fault(
    part: &mut Part,
    ply: usize,
    fault: &FaultRecord,
    game: &GameRecord,
    seat: u32,
    is_first: bool,
) -> Result<(), String> {
    let last_error = game.errors.iter().rfind(|error| error.seat == seat);
    let fault_again = fault_from_record(fault, last_error)?;
    let wall = Duration::from_nanos(fault.wall_ns.unwrap_or(0));
    // A process that is gone or talks nonsense may have been so before anybody was asked.
    let is_unasked = is_first && wall.is_zero() && part.answers.is_empty();
    match fault_again.phase() {
        // The error itself is among the answers already.
        _ if matches!(fault_again, Fault::IllegalMove { .. }) => {}
        None if is_unasked && matches!(fault_again, Fault::BadReply { .. }) => {
            part.before_the_start = Some(fault_again);
        }
        Some(Phase::Idle) if is_unasked => part.before_the_start = Some(fault_again),
        Some(Phase::Load | Phase::Create | Phase::NewGame) => {
            if let Fault::TimedOut { budget, .. } = fault_again {
                part.stalled = Some(budget).filter(|&budget| budget == wall);
            }
            part.before_the_start = Some(fault_again);
        }
        _ => part.answers.push_back(Recorded::in_vain(ply, Answer::Fault(fault_again), fault.times())),
    }
    Ok(())
}

/// A player that does again what the file says, and notes where the file cannot be true.
pub(super) struct Ghost<'a> {
    part: Part,
    culprit: Culprit<'a>,
    form: Form,
    problems: Rc<RefCell<Vec<String>>>,
}

impl Ghost<'_> {
    /// Why nobody of this kind can have given this answer to a report of this form.
    fn cannot_be(&self, recorded: &Recorded) -> Option<String> {
        if self.form == Form::Whole && recorded.times.wall_ns.is_none() {
            return Some("the time of the answer is missing".to_owned());
        }
        if !self.has_own_clock()
            && let Some(problem) = times::unknown_use(recorded.times, recorded.pondered)
        {
            return Some(problem);
        }
        let Answer::Fault(fault) = &recorded.answer else { return None };
        if let Fault::EndlessErrors { answers } = fault {
            let made = (self.part.errors, self.part.last_error);
            let is_told = made == (u64::from(*answers), Policy::MOST_ERRORS);
            return (!is_told).then(|| {
                format!(
                    "{answers} errors are said to have lost the game, but the file has {}, and it takes {}",
                    made.0, made.1
                )
            });
        }
        self.culprit.problem(fault, When::Turn)
    }

    /// Whether its processor time is known: that of a bot in a process of its own, where clocks go by it.
    fn has_own_clock(&self) -> bool {
        self.has_own_process() && self.culprit.plan.clock != Some(ClockKind::Wall)
    }

    fn has_own_process(&self) -> bool {
        self.culprit.player.kind == PlayerKind::Bot && !self.culprit.plan.in_process
    }

    /// Why no clock can have been charged with this. How long the machine kept a bot from running is not in the file, so
    /// that it may have been charged with anything from what it ran up to what it took; where clocks go by the wall, it is
    /// known. What a bot used between its turns is in the file only where it moved then.
    fn charge_problem(&self, recorded: &Recorded) -> Option<String> {
        let AnswerTimes { wall_ns: Some(wall), cpu_ns, .. } = recorded.times else { return None };
        let clock = self.culprit.plan.clock?;
        let charged = recorded.times.charged()?;
        if !self.has_own_process() {
            return (charged != wall)
                .then(|| format!("the answer took {wall} ns, but {charged} ns are charged"));
        }
        let most = match clock {
            ClockKind::Wall => wall,
            // How many instructions an answer takes has nothing to do with how long it takes.
            ClockKind::Instructions => return None,
            ClockKind::Processor if !recorded.is_played => return None,
            ClockKind::Processor => {
                let (used, pondered) = (cpu_ns.unwrap_or(0), recorded.pondered.unwrap_or(0));
                let plan = self.culprit.plan;
                let threads = u64::from(plan.limits.threads.unwrap_or(1).max(1));
                // Of an answer within the margin no more may be charged than the time that there was.
                let least = (used / threads).saturating_add(pondered / threads);
                if charged.saturating_add(plan.margin_ns) < least {
                    return Some(format!("{charged} ns are charged for an answer of {least} ns at least"));
                }
                wall.max(used).saturating_add(pondered)
            }
        };
        (charged > most).then(|| format!("{charged} ns are charged for an answer of {most} ns at most"))
    }

    fn stop(&self, ply: usize, problem: &str) -> Reply {
        self.problems.borrow_mut().push(format!("ply {}: {problem}", ply + 1));
        leave()
    }
}

fn leave() -> Reply {
    Reply { answer: Answer::Fault(Fault::Left), spent: Spent::default(), report: None }
}

impl Player for Ghost<'_> {
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        self.part.last_error = game.max_errors;
        let Some(fault) = self.part.before_the_start.take() else { return Ok(()) };
        if let (Some(waited), Fault::TimedOut { during, .. }) = (self.part.stalled, &fault) {
            return Err(MachineFailure::Stalled { during: *during, waited }.into());
        }
        self.problems.borrow_mut().extend(self.culprit.problem(&fault, When::Start));
        Err(fault.into())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let (ply, seat) = (turn.position.ply() as usize, turn.seat);
        if !self.problems.borrow().is_empty() {
            return leave();
        }
        let Some(recorded) = self.part.answers.pop_front() else {
            return self.stop(ply, &format!("the game goes on, but the file has no move of seat {seat}"));
        };
        if recorded.ply != ply {
            let said = recorded.ply + 1;
            return self.stop(ply, &format!("the file has an answer of seat {seat} at ply {said} instead"));
        }
        let problem = self.cannot_be(&recorded).or_else(|| self.charge_problem(&recorded));
        if let Some(problem) = problem.or_else(|| recorded.problem(turn)) {
            return self.stop(ply, &problem);
        }
        let spent = recorded.times.spent(recorded.pondered);
        let report = recorded.score.map(|score| BotReport { score: Some(score), ..BotReport::default() });
        Reply { answer: recorded.answer, spent, report: report.map(Box::new) }
    }

    fn game_over(&mut self, _: &GameResult<'_>) -> Result<(), Fault> {
        let Some(fault) = self.part.noted.take() else { return Ok(()) };
        self.problems.borrow_mut().extend(self.culprit.problem(&fault, When::End));
        Err(fault)
    }
}

impl Recorded {
    /// An answer that was not played.
    fn in_vain(ply: usize, answer: Answer, times: AnswerTimes) -> Recorded {
        Recorded { ply, answer, is_played: false, times, pondered: None, score: None }
    }

    fn is_over_time(&self, turn: &Turn<'_>) -> bool {
        let wall = self.times.wall_ns.map(Duration::from_nanos);
        wall.zip(turn.budget.deadline()).is_some_and(|(wall, deadline)| wall > deadline)
    }

    /// Why this answer cannot have been given as it is recorded.
    fn problem(&self, turn: &Turn<'_>) -> Option<String> {
        let charged = self.times.charged().map(Duration::from_nanos);
        let late = charged.zip(turn.budget.deadline()).map(|(charged, deadline)| charged > deadline);
        match &self.answer {
            Answer::Fault(fault) => {
                let budget = fault.late_within()?;
                if turn.budget.hard.is_none() {
                    Some(format!("seat {} is said to have run out of time, but has no limit", turn.seat))
                } else if late == Some(false) {
                    Some(format!("seat {} is said to have run out of time, but had time left", turn.seat))
                } else if late.is_some() && Some(budget) != turn.limit {
                    let (said, had) = (budget, turn.limit.unwrap_or_default());
                    Some(format!("the file says that there were {said:?}, by the clock it is {had:?}"))
                } else {
                    None
                }
            }
            Answer::Machine(_) | Answer::TakeBack => None,
            _ if self.times.charged_ns.is_none()
                && self.times.starved_ns.is_some()
                && !self.is_over_time(turn) =>
            {
                Some(format!("seat {} is said to have been kept waiting, but was not late", turn.seat))
            }
            _ if late == Some(true) => {
                Some(format!("seat {} took more time than it had and should have lost", turn.seat))
            }
            Answer::Text(text) if self.is_played => turn
                .position
                .read_move(text)
                .err()
                .map(|why| format!("{text} is not legal: {}", why.sentence)),
            Answer::Text(text) => {
                let is_legal = turn.position.read_move(text).is_ok();
                is_legal.then(|| format!("{text} is recorded as an error but is legal"))
            }
            Answer::Move(_) | Answer::Path(_) => None,
        }
    }
}
