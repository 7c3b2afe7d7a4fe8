//! A rehearsal before a match or tournament: every bot begins a game with its options. If it refuses, something was typed wrong,
//! and the user hears of it before the first move. Whatever else a bot does wrong is for the referee to judge, game by game.

use super::failure::machine_failed;
use super::plan::{Bot, Plan};
use super::{ExitCode, Failure};
use crate::host::{BotCommand, Limits, Sandboxed};
use crate::player::{Briefing, Player};
use crate::verdict::{self, Fault, MachineFailure, Phase};
use arbiter_rules::Seat;
use std::time::Duration;

/// How long a bot may take here to load, create and begin. A bot that takes longer passes: the referee will judge it.
const LONGEST: Duration = Duration::from_secs(3);

/// Bots that rehearse at the same time: they mostly wait for the system to start their processes.
const AT_ONCE: usize = 16;

/// Lets every bot begin a game once; one that is entered several times with the same options is tried once. Fails with every
/// bot that refuses the game or its options, or that the machine failed twice, all told together.
pub(super) fn rehearse(plan: &Plan) -> Result<(), Failure> {
    let mut bots: Vec<(usize, &Bot)> = Vec::new();
    for (place, bot) in
        plan.games.places.iter().enumerate().filter_map(|(place, of)| Some((place, of.bot.as_ref()?)))
    {
        // A bot that cannot be loaded has no greeting. The user has been warned; it loses its games.
        let is_known = |(_, other): &(usize, &Bot)| other.named == bot.named && other.options == bot.options;
        if bot.greeting.is_some() && !bots.iter().any(is_known) {
            bots.push((place, bot));
        }
    }
    let mut failure = None;
    for some in bots.chunks(AT_ONCE) {
        // All of them start before the first is waited for.
        let players = some.iter().map(|(place, bot)| (*place, *bot, start(plan, bot)));
        for (place, bot, mut player) in players.collect::<Vec<_>>() {
            match begin_or_retry(plan, place, bot, &mut player) {
                Ok(Some(fault)) if is_refusal(&fault, bot) => {
                    failure = Some(refused(plan, bot, place, &fault, &player.into_output()).after(failure));
                }
                Ok(_) => {}
                Err(why) => failure = Some(machine_failed(&bot.named, &why).after(failure)),
            }
        }
    }
    failure.map_or(Ok(()), Err)
}

/// Lets a bot that comes to a league begin a game. Returns what it did wrong, if anything.
pub(super) fn try_out(plan: &Plan, bot: &Bot) -> Result<Option<String>, Failure> {
    let mut player = start(plan, bot);
    match begin_or_retry(plan, 0, bot, &mut player) {
        Ok(None) => Ok(None),
        Ok(Some(fault)) => Ok(Some(format!("in the beginning of a game it {}", fault.sentence()))),
        Err(why) => Err(machine_failed(&bot.named, &why)),
    }
}

fn start(plan: &Plan, bot: &Bot) -> Sandboxed {
    let usual = plan.run.limits;
    let limits = Limits {
        prepare: usual.prepare.min(LONGEST),
        new_game: Some(usual.new_game.unwrap_or(LONGEST).min(LONGEST)),
        ..usual
    };
    Sandboxed::start(&BotCommand {
        options: bot.options.clone(),
        limits,
        core: plan.core(0),
        ..BotCommand::new(&plan.run.host, bot.file.clone())
    })
}

/// Begins a game, and tries again if the machine fails the bot: there may be no room for so many at once. Returns the bot's
/// fault, if it has one.
fn begin_or_retry(
    plan: &Plan,
    place: usize,
    bot: &Bot,
    player: &mut Sandboxed,
) -> Result<Option<Fault>, MachineFailure> {
    let begun = match begin(plan, place, player) {
        Err(verdict::Failure::Machine(_)) => {
            *player = start(plan, bot);
            begin(plan, place, player)
        }
        begun => begun,
    };
    match begun {
        Ok(()) => Ok(None),
        Err(verdict::Failure::Fault(fault)) => Ok(Some(fault)),
        Err(verdict::Failure::Machine(failure)) => Err(failure),
    }
}

/// Begins a game: in a match the bot has its own seat, in a tournament any.
fn begin(plan: &Plan, place: usize, player: &mut Sandboxed) -> Result<(), verdict::Failure> {
    let start = &plan.games.start;
    let seat = Seat::all(start.seats()).nth(place % start.seats()).expect("games have seats");
    let policy = &plan.games.policy;
    let time = policy.time.get(place).copied().unwrap_or(plan.games.bot_time);
    player.new_game(&Briefing { seat, start, seed: 0, max_errors: policy.last_error(), time })
}

/// Whether a fault means that the bot was called wrongly: it says so, or it has options and fails while it reads them.
fn is_refusal(fault: &Fault, bot: &Bot) -> bool {
    match fault {
        Fault::Unsupported { .. } => true,
        Fault::Failed { during: Phase::NewGame, .. } | Fault::Panicked { during: Phase::NewGame, .. } => {
            !bot.options.is_empty()
        }
        _ => false,
    }
}

fn refused(plan: &Plan, bot: &Bot, place: usize, fault: &Fault, printed: &str) -> Failure {
    let number = place + 1;
    let which = if plan.games.is_match() { format!("in seat {number}") } else { format!("as bot {number}") };
    let failure = Failure::new(ExitCode::Usage, format!("bot {} refuses to begin {which}", bot.named));
    let failure = failure.cause(&format!("it {}", fault.sentence())).printed(printed);
    if bot.options.is_empty() {
        return failure.hint("another bot, or other options of the game (-O)");
    }
    let hint =
        format!("another -B {number}:KEY=VALUE; arbiter inspect {} tells what it says of itself", bot.named);
    failure.hint(hint)
}
