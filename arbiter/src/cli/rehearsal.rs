//! A rehearsal before a match: each bot begins a game with its options. What a bot refuses was typed wrong, and is said
//! before the first move. Whatever else it does wrong is for the referee to judge, game by game.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::plan::{Bot, Plan};
use crate::player::{BotCommand, Briefing, Player, Sandboxed};
use crate::verdict::{Fault, Phase};
use arbiter_rules::Seat;

/// Lets every bot begin a game once.
///
/// # Errors
/// Every bot that refuses the game, its options, or its own.
pub(super) fn rehearse(plan: &Plan) -> Result<(), Failure> {
    let bots = plan.places.iter().zip(Seat::all(plan.places.len()));
    let bots: Vec<_> = bots.filter_map(|(place, seat)| Some((place.bot.as_ref()?, seat))).collect();
    let is_first = |(index, (bot, _)): &(usize, &(&Bot, Seat))| {
        let same = |(other, _): &(&Bot, Seat)| other.named == bot.named && other.options == bot.options;
        !bots[..*index].iter().any(same)
    };
    // All of them start before the first is waited for.
    let players = bots.iter().enumerate().filter(is_first).map(|(_, (bot, seat))| {
        let command = BotCommand {
            options: bot.options.clone(),
            limits: plan.limits,
            ..BotCommand::new(bot.file.clone())
        };
        (*bot, *seat, Sandboxed::start(&command))
    });
    let mut failure = None;
    for (bot, seat, mut player) in players.collect::<Vec<_>>() {
        let policy = &plan.policy;
        let (start, time) = (&*plan.start, policy.time[seat.index()]);
        let briefing = Briefing { seat, start, seed: 0, max_errors: policy.max_errors, time };
        if let Err(fault) = player.new_game(&briefing)
            && is_refusal(&fault, bot)
        {
            failure = Some(refused(bot, seat, &fault).after(failure));
        }
    }
    failure.map_or(Ok(()), Err)
}

/// Whether a fault means that the bot wants something else: it says so, or fails where its options are read.
fn is_refusal(fault: &Fault, bot: &Bot) -> bool {
    match fault {
        Fault::Unsupported { .. } => true,
        Fault::Failed { during: Phase::NewGame, .. } | Fault::Panicked { during: Phase::NewGame, .. } => {
            !bot.options.is_empty()
        }
        _ => false,
    }
}

fn refused(bot: &Bot, seat: Seat, fault: &Fault) -> Failure {
    let failure = Failure::new(ExitCode::Usage, format!("bot {} refuses to begin in seat {seat}", bot.named));
    let failure = failure.cause(&format!("it {}", fault.sentence()));
    if bot.options.is_empty() {
        return failure.hint("another bot, or other options of the game (-O)");
    }
    let hint =
        format!("another -B {seat}:KEY=VALUE; arbiter inspect {} tells what it says of itself", bot.named);
    failure.hint(hint)
}
