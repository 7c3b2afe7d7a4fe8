//! Every bot begins a game with its options before the first move. If it refuses, something was typed wrong, and the user
//! hears of it. Whatever else a bot does wrong is for the referee to judge, game by game.
//!
//! In a match all bots sit at the first game, and its beginning is the rehearsal. In a tournament, where a bot may have
//! its first game hours later, each begins a game that is not played.

use super::Failure;
use super::failure::{machine_failed, together};
use super::plan::{Bot, Plan};
use crate::host::{BotCommand, Limits, Sandboxed};
use crate::player::{Asked, Briefing, Player, Turn};
use crate::tournament::{Entrant, Schedule, Seating};
use crate::verdict::{self, Fault, Phase};
use arbiter_rules::Seat;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What the bots of a match refused when they began their first game.
pub(super) struct Refusals {
    /// By place: the refusal, and what the bot had printed.
    heard: Mutex<BTreeMap<usize, (Fault, String)>>,
    stop: Box<dyn Fn() + Send + Sync>,
}

impl Refusals {
    /// Nothing has been refused; `stop` is called when something is.
    pub(super) fn new(stop: impl Fn() + Send + Sync + 'static) -> Arc<Refusals> {
        Arc::new(Refusals { heard: Mutex::default(), stop: Box::new(stop) })
    }

    /// The entrant that a bot is, heard until it has begun a game.
    pub(super) fn listen<'a>(
        self: &Arc<Self>,
        place: usize,
        bot: &Bot,
        entrant: Box<Entrant<'a>>,
    ) -> Box<Entrant<'a>> {
        let (refusals, has_options) = (Arc::clone(self), !bot.options.is_empty());
        let has_begun = Arc::new(AtomicBool::new(false));
        Box::new(move |seating: &Seating| -> Box<dyn Player> {
            let player = entrant(seating);
            if has_begun.load(Ordering::Relaxed) {
                return player;
            }
            let (refusals, has_begun) = (Arc::clone(&refusals), Arc::clone(&has_begun));
            let begin = move |player: &mut dyn Player, game: &Briefing<'_>| match player.new_game(game) {
                // It pretends to have begun, so that the others are asked too and all refusals are told together. `stop`
                // ends this game, which is not saved.
                Err(verdict::Failure::Fault(fault)) if is_refusal(&fault, has_options) => {
                    refusals.heard.lock().insert(place, (fault, player.output()));
                    (refusals.stop)();
                    Ok(())
                }
                begun => {
                    has_begun.store(begun.is_ok(), Ordering::Relaxed);
                    begun
                }
            };
            let choose = |player: &mut dyn Player, turn: &Turn<'_>| player.choose(turn);
            Box::new(Asked { player, begin, choose })
        })
    }

    /// What was refused, all of it together; a bot that is there several times with the same options is told once.
    pub(super) fn failure(&self, plan: &Plan) -> Option<Failure> {
        let heard = self.heard.lock();
        let bot = |place: usize| plan.games.entrants[place].bot();
        let is_first = |place: &usize| {
            !heard.keys().take_while(|other| *other < place).any(|other| is_same(bot(*other), bot(*place)))
        };
        let told = heard.iter().filter(|(place, _)| is_first(place));
        told.fold(None, |failure, (&place, (fault, printed))| {
            Some(refused(plan, bot(place)?, place, fault, printed).after(failure))
        })
    }
}

/// How long a bot of a tournament may take here to load, create and begin. A bot that takes longer passes: the referee will judge
/// it.
const LONGEST: Duration = Duration::from_secs(3);

/// Bots that rehearse at the same time: they mostly wait for the system to start their processes.
const AT_ONCE: usize = 16;

/// Lets every bot of a tournament begin a game once; one that is entered several times with the same options is tried
/// once. Fails with every bot that refuses the game or its options, or that the machine failed twice, all told together.
pub(super) fn rehearse(plan: &Plan) -> Result<(), Failure> {
    let mut bots: Vec<(usize, &Bot)> = Vec::new();
    for (place, entrant) in plan.games.entrants.iter().enumerate() {
        let Some(bot) = entrant.bot() else { continue };
        // A bot that cannot be loaded has no greeting. The user has been warned; it loses its games.
        let is_known = |(_, other): &(usize, &Bot)| is_same(Some(other), Some(bot));
        if bot.greeting.is_some() && !bots.iter().any(is_known) {
            bots.push((place, bot));
        }
    }
    let usual = plan.run.limits;
    let limits = Limits {
        prepare: usual.prepare.min(LONGEST),
        new_game: Some(usual.new_game.unwrap_or(LONGEST).min(LONGEST)),
        ..usual
    };
    let some = bots.chunks(AT_ONCE).flat_map(|some| {
        // All of them start before the first is waited for.
        some.iter().map(|(place, bot)| (*place, *bot, start(plan, bot, limits))).collect::<Vec<_>>()
    });
    let begun =
        some.map(|(place, bot, mut player)| match begin_or_retry(plan, place, bot, limits, &mut player)? {
            Some(fault) if is_refusal(&fault, !bot.options.is_empty()) => {
                Err(refused(plan, bot, place, &fault, &player.into_output()))
            }
            _ => Ok(()),
        });
    together(begun).map(drop)
}

/// Lets a bot that comes to a league begin a game. It has all the time to load that it will have in games, since one that takes
/// longer is not let in. Returns what it did wrong, if anything.
pub(super) fn try_out(plan: &Plan, bot: &Bot) -> Result<Option<String>, Failure> {
    let usual = plan.run.limits;
    let limits = Limits { new_game: Some(usual.new_game.unwrap_or(LONGEST)), ..usual };
    let fault = begin_or_retry(plan, 0, bot, limits, &mut start(plan, bot, limits))?;
    Ok(fault.map(|fault| format!("in the beginning of a game it {}", fault.sentence())))
}

fn start(plan: &Plan, bot: &Bot, limits: Limits) -> Sandboxed {
    Sandboxed::start(&BotCommand { limits, core: plan.core(0), ..plan.bot_command(bot) })
}

/// Begins a game, and tries again if the machine fails the bot: there may be no room for so many at once. Returns the bot's
/// fault, if it has one.
fn begin_or_retry(
    plan: &Plan,
    place: usize,
    bot: &Bot,
    limits: Limits,
    player: &mut Sandboxed,
) -> Result<Option<Fault>, Failure> {
    let begun = match begin(plan, place, player) {
        Err(verdict::Failure::Machine(_)) => {
            *player = start(plan, bot, limits);
            begin(plan, place, player)
        }
        begun => begun,
    };
    match begun {
        Ok(()) => Ok(None),
        Err(verdict::Failure::Fault(fault)) => Ok(Some(fault)),
        Err(verdict::Failure::Machine(failure)) => Err(machine_failed(&bot.named, &failure)),
    }
}

/// Begins a game, in any seat.
fn begin(plan: &Plan, place: usize, player: &mut Sandboxed) -> Result<(), verdict::Failure> {
    let start = &plan.games.start;
    let seat = Seat::all(start.seats()).nth(place % start.seats()).expect("games have seats");
    let time = plan.games.entrants.get(place).map_or(plan.games.bot_time, |entrant| entrant.time);
    player.new_game(&Briefing { seat, start, seed: 0, max_errors: plan.games.policy.last_error(), time })
}

/// Whether two are the same bot, called in the same way.
fn is_same(one: Option<&Bot>, other: Option<&Bot>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one.named == other.named && one.options == other.options)
}

/// Whether a fault means that the bot was called wrongly: it says so, or it has options and fails while it reads them.
fn is_refusal(fault: &Fault, has_options: bool) -> bool {
    match fault {
        Fault::Unsupported { .. } => true,
        Fault::Failed { during: Phase::NewGame, .. } | Fault::Panicked { during: Phase::NewGame, .. } => {
            has_options
        }
        _ => false,
    }
}

fn refused(plan: &Plan, bot: &Bot, place: usize, fault: &Fault, printed: &str) -> Failure {
    let number = plan.games.entrants[place].place.unwrap_or(place + 1);
    let is_match = matches!(plan.games.event.schedule, Schedule::Match { .. });
    let which = if is_match { format!("in seat {number}") } else { format!("as bot {number}") };
    let failure = Failure::usage(format!("bot {} refuses to begin {which}", bot.named));
    let failure = failure.cause(&format!("it {}", fault.sentence())).printed(printed);
    if bot.options.is_empty() {
        return failure.hint("another bot, or other options of the game (-O)");
    }
    let hint =
        format!("another -B {number}:KEY=VALUE; arbiter inspect {} tells what it says of itself", bot.named);
    failure.hint(hint)
}
