//! Bots as players: what they are told, from the words of the referee into those of the host, and back.

mod sandboxed;

pub use sandboxed::Sandboxed;

use super::clock::NEVER;
use super::message::{
    self, Answered, Finding, GameEnd, GameStart, Happening, PlayedMove, TurnStart, TurnTime,
};
use super::{BotFile, Greeting, Host, Limits};
use crate::player::{Answer, Briefing, Budget, GameResult, Printed, Reply, TimeControl, Turn};
use crate::verdict::{BotReport, Bound, ChosenBy, Event, Failure, Fault, MoveValue, Played, Spent, Values};
use arbiter_plugin_api::raw;
use arbiter_rules::{Chance, MAX_SEATS, Move, OptionValue, Position};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// How a bot is run.
#[derive(Clone)]
pub struct BotCommand {
    /// What starts its processes.
    pub host: Host,
    /// Its files.
    pub file: BotFile,
    /// Options for the bot itself.
    pub options: Vec<(String, String)>,
    /// What it may use.
    pub limits: Limits,
    /// The core that its process stays on.
    pub core: Option<usize>,
    /// Where what it prints is kept while others may look at it; without one, its process keeps the end of it.
    pub printed: Option<Arc<Printed>>,
}

impl BotCommand {
    /// A bot without options, under the usual limits, on any core.
    pub fn new(host: &Host, file: BotFile) -> BotCommand {
        let (host, options, limits) = (host.clone(), Vec::new(), Limits::default());
        BotCommand { host, file, options, limits, core: None, printed: None }
    }

    /// Where what its next process prints is kept.
    pub(super) fn printed(&self) -> Arc<Printed> {
        self.printed.clone().unwrap_or_default()
    }

    /// What the bot is told at the start of a game. `text` is the text of the start position.
    pub(super) fn game_start<'a>(&'a self, game: &Briefing<'a>, text: &'a str) -> GameStart<'a> {
        let (time_ns, increment_ns, move_limit_ns) = match game.time {
            TimeControl::MoveTime(time) => (raw::NO_LIMIT, 0, nanos(time)),
            TimeControl::Clock { base, increment } => (nanos(base), nanos(increment), raw::NO_LIMIT),
            TimeControl::Unlimited => (raw::NO_LIMIT, 0, raw::NO_LIMIT),
        };
        let rules = game.start.options().iter().map(|(name, value)| match value {
            OptionValue::Word(word) => (name, Cow::Borrowed(word)),
            OptionValue::Flag(_) | OptionValue::Number(_) => (name, Cow::Owned(value.to_string())),
        });
        GameStart {
            game: game.start.info().id,
            players: game.start.seats() as u8,
            text,
            rules: rules.collect(),
            options: self.options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect(),
            seat: game.seat.index() as u8,
            seed: game.seed,
            max_errors: game.max_errors,
            threads: self.host.threads_at_once(&self.limits),
            memory: self.limits.memory,
            time_ns,
            increment_ns,
            move_limit_ns,
        }
    }
}

/// Whether a bot says that it plays the game at all.
pub(super) fn check_game(greeting: &Greeting, game: &Briefing<'_>) -> Result<(), Fault> {
    if greeting.plays(game.start.info().id) {
        return Ok(());
    }
    Err(Fault::Unsupported { message: format!("it plays {}", greeting.repertoire()) })
}

/// What the bot is told of its turn, by wall time from this point in time.
pub(super) fn turn_start(turn: &Turn<'_>, started: i64) -> TurnStart {
    let mut clocks_ns = [raw::NO_LIMIT; MAX_SEATS];
    for (ns, clock) in clocks_ns.iter_mut().zip(turn.clocks) {
        *ns = clock.map_or(raw::NO_LIMIT, nanos);
    }
    let Budget { hard, soft, .. } = turn.budget;
    TurnStart {
        attempt: turn.attempt,
        time: TurnTime {
            started,
            soft: nanos(soft).min(NEVER - 1),
            stop: turn.budget.stop().map_or(NEVER, nanos),
            hard: hard.map_or(NEVER, nanos),
            cpu: NEVER,
            threads: 1,
        },
        clocks_ns,
    }
}

/// What the bot is told of an event, if it is told anything.
pub(super) fn news_of(event: &Event<'_>) -> Option<Happening> {
    match event {
        Event::Played(Played { seat, choice, by, spent, chance, .. }) => {
            Some(Happening::Played(PlayedMove {
                seat: seat.index() as u8,
                played: choice.played.bits(),
                path: choice.path.clone(),
                forced: *by != ChosenBy::Player,
                took_ns: nanos(spent.charged),
                fallen: chance.fallen.clone(),
            }))
        }
        Event::Eliminated { seat, fault, .. } => {
            Some(Happening::Eliminated { seat: seat.index() as u8, reason: fault.code().to_owned() })
        }
        // A bot is told of these by other calls, or they concern another player alone.
        Event::Started { .. }
        | Event::Asked { .. }
        | Event::Refused(_)
        | Event::TakenBack { .. }
        | Event::Ended { .. } => None,
    }
}

pub(super) fn game_end<'a>(result: &'a GameResult<'_>) -> GameEnd<'a> {
    let number = |n: &i64| i32::try_from(*n).unwrap_or(if *n < 0 { i32::MIN } else { i32::MAX });
    GameEnd {
        ranks: result.outcome.ranks(),
        scores: result.score.map(|score| score.by_seat.iter().map(number).collect()),
        reason: result.reason,
    }
}

/// Whether a bot cannot be asked again after this.
pub(super) fn has_failed(answered: &Result<Answered, Failure>) -> bool {
    matches!(answered, Err(failure) if *failure != Failure::Fault(Fault::Resigned))
}

/// What a bot replied to a turn in this position.
pub(super) fn reply(answered: Result<Answered, Failure>, position: &Position, spent: Spent) -> Reply {
    match answered {
        Ok(Answered { chosen, path, finding, values, .. }) => {
            Reply { answer: answer(chosen, path), spent, report: said(finding, values, position) }
        }
        Err(Failure::Fault(fault)) => Reply { answer: Answer::Fault(fault), spent, report: None },
        Err(Failure::Machine(failure)) => Reply { answer: Answer::Machine(failure), spent, report: None },
    }
}

fn answer(chosen: u64, path: Option<Vec<i32>>) -> Answer {
    match path {
        Some(path) if chosen == raw::NO_MOVE => Answer::Path(path.into_iter().map(i64::from).collect()),
        _ => Answer::Move(Move::from_bits(chosen)),
    }
}

/// What the bot said of its search in this position.
fn said(
    finding: Option<Box<Finding>>,
    values: Option<Box<message::Values>>,
    position: &Position,
) -> Option<Box<BotReport>> {
    if finding.is_none() && values.is_none() {
        return None;
    }
    let Finding { depth, nodes, score, line, text } = *finding.unwrap_or_default();
    let values = values.map(|values| values_of(*values, position)).unwrap_or_default();
    Some(Box::new(BotReport { depth, nodes, score, line: line_text(&line, position), text, values }))
}

/// The values of those moves that are legal.
fn values_of(values: message::Values, position: &Position) -> Values {
    let value = |(bits, score, bound)| {
        let played = Move::from_bits(bits);
        position.judge(played).ok()?;
        Some(MoveValue { text: position.move_text(played), score, bound: meant(bound) })
    };
    Values { depth: values.depth, moves: values.moves.into_iter().filter_map(value).collect() }
}

fn meant(bound: u32) -> Bound {
    match bound {
        raw::AT_MOST => Bound::AtMost,
        raw::AT_LEAST => Bound::AtLeast,
        _ => Bound::Exact,
    }
}

/// A line of moves in the notation of the game, as far as they are legal.
fn line_text(line: &[u64], position: &Position) -> Vec<String> {
    let mut position = position.clone();
    let legal = line.iter().map(|&bits| Move::from_bits(bits)).map_while(|m| {
        position.judge(m).ok()?;
        let text = position.move_text(m);
        position.play(m, &Chance::NONE).expect("the move has just been judged legal");
        Some(text)
    });
    legal.collect()
}

fn nanos(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(raw::NO_LIMIT)
}
