//! Plays the games of a plan: entrants from files, workers on cores, records that say how to play a fault again.

use super::failure::FREE_RESOURCES;
use super::plan::{EntrantPlan, Plan, Seated, Who};
use super::rehearsal::Refusals;
use super::saved::{Saved, now};
use super::signals::{self, STOP, Signals};
use super::{ExitCode, Failure};
use crate::cli::options::At;
use crate::host::{self, BotCommand, InProcess, Sandboxed};
use crate::player::{Desk, Human, Player};
use crate::program::Program;
use crate::record::command_again;
use crate::record::schema::{GameRecord, MatchReport};
use crate::sanitize::quoted;
use crate::tournament::{Entrant, Games, Listener, MatchError, Seating};
use crate::ui::talk;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How the games that are left are played.
pub(super) const GO_ON: &str = "the same command with --resume plays the rest";
/// How often a wait looks whether the games are to stop.
const LOOK: Duration = Duration::from_millis(20);

/// Waits for so long, but not once the games are to stop.
#[expect(clippy::disallowed_methods, reason = "it waits for as long as it is told")]
pub(super) fn wait(time: Duration) {
    let began = Instant::now();
    while !STOP.is_wanted() && began.elapsed() < time {
        std::thread::sleep(time.saturating_sub(began.elapsed()).min(LOOK));
    }
}

/// Where people play: those in browsers have a desk of their own, so that no view touches what another one is asked.
pub(super) struct Desks {
    pub(super) here: Arc<Desk>,
    pub(super) web: Arc<Desk>,
}

impl Desks {
    pub(super) fn each(desk: impl Fn() -> Desk) -> Desks {
        Desks { here: Arc::new(desk()), web: Arc::new(desk()) }
    }

    /// Ends the turns of all people: no answer will come any more.
    pub(super) fn close(&self) {
        self.here.close();
        self.web.close();
    }
}

/// Plays everything that is left of a match or tournament, or a round of a league. `refusals` hear what the bots of a match refuse.
pub(super) fn play_games(
    plan: &Plan,
    saved: &mut Saved,
    desks: &Desks,
    refusals: Option<&Arc<Refusals>>,
    listener: &dyn Listener,
) -> Result<(), MatchError> {
    let Saved { journal, seated, course, openings, begun, report, .. } = saved;
    let planned = seated.entrants.iter().enumerate();
    let entrants: Vec<_> = planned
        .map(|(number, entrant)| match (refusals, entrant.bot()) {
            (Some(refusals), Some(bot)) => refusals.listen(number, bot, enter(entrant, plan, desks)),
            _ => enter(entrant, plan, desks),
        })
        .collect();
    let games = Games {
        start: &plan.games.start,
        entrants: &entrants,
        policy: &plan.games.policy_for(&seated.entrants),
        seed: &seated.seed,
        openings,
        jobs: plan.run.jobs,
        is_ahead: plan.has_a_spare_core(),
        flush_interval: plan.flush_interval(),
        keeps_moves: plan.games.has_people(),
        begun: begun.as_ref(),
        complete: &|game| name_the_command(seated, report, game),
        // In our own process nobody is woken on another core, and the system may move us to one that is idle.
        prepare: &|slot| {
            let core = plan.core(slot).filter(|_| !plan.games.in_process);
            core.into_iter().for_each(host::stay_on);
        },
        stop: &STOP,
        now: &now,
        renew: &signals::renew,
    };
    games.play(course, journal, listener)
}

/// Says why the games could not go on, and how to resume them.
pub(super) fn stopped(error: &MatchError, journal: &Path) -> Failure {
    match error {
        MatchError::Journal(_) => Failure::of(ExitCode::File, error).hint(format!(
            "make room, then the same command with --resume; the games that ended are in {}",
            journal.display()
        )),
        MatchError::Machine { .. } => Failure::of(ExitCode::Bot, error).hint(format!(
            "{FREE_RESOURCES}, or --jobs 1, then the same command with --resume; the games that ended are in {}",
            journal.display()
        )),
        MatchError::Openings(_) => {
            Failure::of(ExitCode::Usage, error).hint("--openings none, or fewer plies: --openings random:2")
        }
    }
}

/// Says that games are left, and how they are played. Returns the exit code: what no signal has stopped was broken off by a bug of
/// ours, which has been told, unless the caller knows better.
pub(super) fn games_are_left(
    result: &MatchReport,
    how: &str,
    signals: &Signals,
    unheard: Option<ExitCode>,
) -> ExitCode {
    talk(&format!("{} of {} games ended and are saved; {how}", result.games_ended, result.games_asked));
    signals.heard().or(unheard).unwrap_or(ExitCode::Bug)
}

/// Names the command that plays a failed bot's last moment again.
fn name_the_command(seated: &Seated, report: &Path, game: &mut GameRecord) {
    let command = |seat: u32| {
        let player = game.seats[seat as usize].player;
        seated.entrants[player as usize].bot()?;
        Some(command_again(&quoted(&report.display().to_string()), game.number, seat))
    };
    let commands: Vec<_> = game.faults().map(|(seat, _)| command(seat)).collect();
    game.faults_mut().zip(commands).for_each(|((_, fault), command)| fault.again = command);
}

fn enter<'a>(entrant: &'a EntrantPlan, plan: &'a Plan, desks: &Desks) -> Box<Entrant<'a>> {
    // Where the output of a player is kept during a game, if it is to be shown or saved.
    let printed = |seating: &Seating| {
        plan.view.printing.as_ref().map(|printing| printing.printouts.sit_down(seating.game, &entrant.name))
    };
    match &entrant.who {
        Who::Bot(bot) => {
            let command = |slot| Arc::new(BotCommand { core: plan.core(slot), ..plan.bot_command(bot) });
            let commands: Vec<_> = (0..=plan.run.jobs).map(command).collect();
            Box::new(move |seating: &Seating| -> Box<dyn Player> {
                let command = &commands[seating.slot];
                if plan.games.in_process {
                    return Box::new(InProcess::trusting(Arc::clone(command)));
                }
                let printed = printed(seating);
                Box::new(Sandboxed::start(&BotCommand { printed, ..BotCommand::clone(command) }))
            })
        }
        Who::Program(command) => Box::new(move |seating: &Seating| -> Box<dyn Player> {
            let printed = printed(seating).unwrap_or_default();
            Box::new(Program::new(command, plan.run.limits.prepare, printed))
        }),
        Who::Person(at) => {
            let desk = Arc::clone(if *at == At::Here { &desks.here } else { &desks.web });
            let options = plan.view.people.human_options();
            Box::new(move |seating: &Seating| -> Box<dyn Player> {
                Box::new(Human::new(Arc::clone(&desk), seating.game, options))
            })
        }
    }
}
