//! One recorded game, played again by the referee with the recorded answers.

use crate::player::{Answer, Briefing, GameResult, News, Player, Reply, TimeControl, Turn};
use crate::record::schema::{self, ChosenBy, ErrorRecord, FaultRecord, GameRecord, Plan};
use crate::record::{Recorder, fault_from_record};
use crate::referee::{Game, Policy, TimeSource, play_game};
use crate::tournament::{MatchSeed, Openings, unit};
use crate::verdict::{Event, EventSink, Fault, Phase, Spent};
use arbiter_rules::{Position, Seat};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

/// Judges a game again. Its seats must be those of the schedule.
///
/// # Errors
/// Where the file cannot be followed: an illegal move, a move too many or too few, an impossible time.
pub(super) fn replay(
    plan: &Plan,
    start: &dyn Position,
    game: &GameRecord,
    openings: &mut Openings,
) -> Result<GameRecord, Vec<String>> {
    play_again(plan, start, game, openings, |_, ghost| Box::new(ghost))
}

/// Plays a recorded game again. `chair` makes the player of each seat from the one that does what the file says.
///
/// # Errors
/// As [`replay`].
pub(super) fn play_again<'a>(
    plan: &Plan,
    start: &dyn Position,
    game: &GameRecord,
    openings: &mut Openings,
    mut chair: impl FnMut(Seat, Ghost) -> Box<dyn Player + 'a>,
) -> Result<GameRecord, Vec<String>> {
    let seats = start.seats();
    let unit = unit(game.number, seats);
    let opening = openings.of_unit(unit).map_err(|error| vec![error.to_string()])?;
    let chance_seed = MatchSeed::new(&plan.seed).chance(unit);
    let players: Vec<usize> = game.seats.iter().map(|seat| seat.player as usize).collect();
    let policy = Policy {
        time: players.iter().map(|&player| time_control(plan.players[player].time)).collect(),
        margin: Duration::from_nanos(plan.margin_ns),
        max_errors: plan.max_errors,
        max_plies: plan.max_plies,
    };
    let problems = Rc::new(RefCell::new(Vec::new()));
    let parts = parts(game, seats).map_err(|problem| vec![problem])?;
    let ghosts = parts.into_iter().map(|part| Ghost { part, problems: Rc::clone(&problems) });
    let mut chairs: Vec<_> = Seat::all(seats).zip(ghosts).map(|(seat, ghost)| chair(seat, ghost)).collect();
    let started = game.started.clone().unwrap_or_default();
    let mut recorder = Recorder::new(game.number, &players, chance_seed, opening.len(), started);
    let setup =
        Game { start, opening: &opening, chance_seed, player_seeds: &vec![0; seats], policy: &policy };
    let mut plies = 0;
    let mut events = |event: &Event<'_>| {
        plies += usize::from(matches!(event, Event::Played(_)));
        recorder.event(event);
    };
    play_game(&setup, &mut chairs, &RecordedTime(game.duration_ns), &mut events);
    drop(chairs);
    let mut problems = problems.take();
    if problems.is_empty() && plies < game.plies.len() {
        problems.push(format!("the game is over after {plies} plies, but the file has {}", game.plies.len()));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut again = recorder.finish().expect("the game has been played to its end");
    forget_what_cannot_be_judged(&mut again, game);
    Ok(again)
}

/// What bots said and when is taken as it stands.
fn forget_what_cannot_be_judged(again: &mut GameRecord, game: &GameRecord) {
    (again.started, again.duration_ns) = (game.started.clone(), game.duration_ns);
    for (ply, recorded) in again.plies.iter_mut().zip(&game.plies) {
        ply.search.clone_from(&recorded.search);
        if ply.by != ChosenBy::Player || recorded.wall_ns.is_none() {
            (ply.wall_ns, ply.cpu_ns) = (recorded.wall_ns, recorded.cpu_ns);
        }
    }
    for (error, recorded) in again.errors.iter_mut().zip(&game.errors) {
        if recorded.wall_ns.is_none() {
            error.wall_ns = None;
        }
    }
    let faults = again.eliminations.iter_mut().map(|out| &mut out.fault).chain(&mut again.ending.fault);
    let recorded = game.eliminations.iter().map(|out| &out.fault).chain(&game.ending.fault);
    for (fault, recorded) in faults.zip(recorded) {
        (fault.output, fault.again) = (recorded.output.clone(), recorded.again.clone());
        if recorded.sentence.is_none() {
            (fault.sentence, fault.address, fault.message) = (None, None, None);
        }
        if recorded.wall_ns.is_none() {
            fault.wall_ns = None;
        }
    }
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

struct RecordedTime(Option<u64>);

impl TimeSource for RecordedTime {
    fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.0.unwrap_or(0))
    }

    fn interrupted(&self) -> bool {
        false
    }
}

/// What one seat did in the recorded game.
#[derive(Default)]
struct Part {
    before_the_start: Option<Fault>,
    answers: VecDeque<Recorded>,
}

/// One recorded answer. The time is `None` in canonical reports, where it cannot be judged.
struct Recorded {
    ply: usize,
    answer: Answer,
    is_played: bool,
    wall: Option<u64>,
    cpu: Option<u64>,
    starved: Option<u64>,
    pondered: Option<u64>,
}

/// Sorts everything that was answered by seat, in order.
fn parts(game: &GameRecord, seats: usize) -> Result<Vec<Part>, String> {
    let mut parts: Vec<Part> = (0..seats).map(|_| Part::default()).collect();
    let mut errors = game.errors.iter().peekable();
    let mut eliminations = game.eliminations.iter().peekable();
    for ply in 0..=game.plies.len() {
        while let Some(error) = errors.next_if(|error| error.ply as usize <= ply) {
            part(&mut parts, error.seat)?.answers.push_back(error_answer(error));
        }
        while let Some(out) = eliminations.next_if(|out| out.ply as usize <= ply) {
            add_fault(part(&mut parts, out.seat)?, ply, &out.fault, game, out.seat)?;
        }
        if let Some(played) = game.plies.get(ply).filter(|played| played.by == ChosenBy::Player) {
            part(&mut parts, played.seat)?.answers.push_back(Recorded {
                ply,
                answer: Answer::Text(played.played.clone()),
                is_played: true,
                wall: played.wall_ns,
                cpu: played.cpu_ns,
                starved: played.starved_ns,
                pondered: played.pondered_ns,
            });
        }
    }
    if let Some(error) = errors.next() {
        return Err(format!("an error is recorded at ply {}, after the end of the game", error.ply));
    }
    if let (Some(fault), Some(seat)) = (&game.ending.fault, game.ending.seat) {
        add_fault(part(&mut parts, seat)?, game.plies.len(), fault, game, seat)?;
    }
    Ok(parts)
}

fn part(parts: &mut [Part], seat: u32) -> Result<&mut Part, String> {
    parts.get_mut(seat as usize).ok_or_else(|| format!("there is no seat {seat}"))
}

fn error_answer(error: &ErrorRecord) -> Recorded {
    Recorded {
        ply: error.ply as usize,
        answer: Answer::Text(error.answer.clone()),
        is_played: false,
        wall: error.wall_ns,
        cpu: error.cpu_ns,
        starved: error.starved_ns,
        pondered: None,
    }
}

fn add_fault(
    part: &mut Part,
    ply: usize,
    fault: &FaultRecord,
    game: &GameRecord,
    seat: u32,
) -> Result<(), String> {
    let last_error = game.errors.iter().rfind(|error| error.seat == seat);
    let fault_again = fault_from_record(fault, last_error)?;
    match fault_again.phase() {
        // The error itself is among the answers already.
        _ if matches!(fault_again, Fault::IllegalMove { .. }) => {}
        Some(Phase::Load | Phase::Create | Phase::NewGame) => part.before_the_start = Some(fault_again),
        _ => {
            let answer = Answer::Fault(fault_again);
            part.answers.push_back(Recorded {
                ply,
                answer,
                is_played: false,
                wall: fault.wall_ns,
                cpu: fault.cpu_ns,
                starved: None,
                pondered: None,
            });
        }
    }
    Ok(())
}

/// A player that does again what the file says, and notes where the file cannot be true.
pub(super) struct Ghost {
    part: Part,
    problems: Rc<RefCell<Vec<String>>>,
}

impl Ghost {
    fn stop(&self, problem: String) -> Reply {
        self.problems.borrow_mut().push(problem);
        leave()
    }
}

/// Ends the replay.
fn leave() -> Reply {
    Reply { answer: Answer::Fault(Fault::Left), spent: Spent::default(), report: None }
}

impl Player for Ghost {
    fn new_game(&mut self, _: &Briefing<'_>) -> Result<(), Fault> {
        self.part.before_the_start.take().map_or(Ok(()), Err)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let ply = turn.position.ply() as usize;
        if !self.problems.borrow().is_empty() {
            return leave();
        }
        let Some(recorded) = self.part.answers.pop_front() else {
            return self.stop(format!(
                "ply {}: the game goes on, but the file has no move of seat {}",
                ply + 1,
                turn.seat
            ));
        };
        if recorded.ply != ply {
            let said = recorded.ply + 1;
            return self.stop(format!(
                "ply {}: the file has an answer of seat {} at ply {said} instead",
                ply + 1,
                turn.seat
            ));
        }
        if let Some(problem) = recorded.problem(turn) {
            return self.stop(format!("ply {}: {problem}", ply + 1));
        }
        let spent = Spent {
            wall: Duration::from_nanos(recorded.wall.unwrap_or(0)),
            cpu: recorded.cpu.map(Duration::from_nanos),
            starved: Duration::from_nanos(recorded.starved.unwrap_or(0)),
            pondered: recorded.pondered.map(Duration::from_nanos),
        };
        Reply { answer: recorded.answer, spent, report: None }
    }

    fn told(&mut self, _: &News) {}

    fn game_over(&mut self, _: &GameResult<'_>) {}
}

impl Recorded {
    /// Whether the wall time is beyond the deadline.
    fn is_over_time(&self, turn: &Turn<'_>) -> bool {
        let wall = self.wall.map(Duration::from_nanos);
        wall.zip(turn.budget.deadline()).is_some_and(|(wall, deadline)| wall > deadline)
    }

    /// Why this answer cannot have been given as it is recorded.
    fn problem(&self, turn: &Turn<'_>) -> Option<String> {
        let charged = self.wall.map(|wall| wall.saturating_sub(self.starved.unwrap_or(0)));
        let charged = charged.map(Duration::from_nanos);
        let late = charged.zip(turn.budget.deadline()).map(|(charged, deadline)| charged > deadline);
        match &self.answer {
            Answer::Fault(Fault::TimedOut { during: Phase::Move, budget }) => {
                if late == Some(false) {
                    Some(format!("seat {} is said to have run out of time, but had time left", turn.seat))
                } else if late.is_some() && Some(*budget) != turn.budget.hard {
                    let (said, had) = (budget, turn.budget.hard.unwrap_or_default());
                    Some(format!("the file says that there were {said:?} left, by the clock it is {had:?}"))
                } else {
                    None
                }
            }
            Answer::Fault(_) => None,
            _ if self.starved.is_some() && !self.is_over_time(turn) => {
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
