//! From arguments to a plan in which everything has been checked: the game exists, the seats fit, the bots open.

pub(super) mod args;
mod common;
mod entrants;
mod league;
mod play;
mod shards;
mod tournament;

pub(super) use entrants::{Bot, EntrantPlan, Who, distinct, program_named, saved_time, unused};
pub(super) use league::LeagueArgs;
use play::ScreenArgs;
pub(super) use play::{PlayArgs, Ui};
pub(super) use tournament::TournamentArgs;

use crate::cli::ExitCode;
use crate::cli::options::{At, PeopleArgs, Pictures, Printing, ReviewArgs, WebArgs};
use crate::cli::said::{line, named};
use crate::host::{BotCommand, Host, Limits, Sandbox};
use crate::player::TimeControl;
use crate::record::schema;
use crate::referee::{Agreement, AtMaxPlies, Policy};
use crate::report::count;
use crate::tournament::{Book, MatchSeed, Schedule};
use arbiter_rules::Position;
use args::{PartArgs, ProgressArg, TestArgs};
use clap::ValueEnum;
use std::path::PathBuf;
use std::time::Duration;

/// A match or tournament in which everything has been checked.
pub(super) struct Plan {
    pub(super) games: MatchPlan,
    pub(super) run: RunPlan,
    pub(super) view: ViewPlan,
    /// The command that was given, but for its seed and for how it is run and shown.
    pub(super) command: String,
}

/// Arguments that are left out of the command of a plan.
const OF_THE_RUN: [&str; 9] = ["seed", "file", "jobs", "resume", "dry_run", "web", "port", "open", "review"];

/// What is played: all that is saved of a plan, except the seed and what follows from it ([`Seated`]).
pub(super) struct MatchPlan {
    pub(super) start: Position,
    /// Who takes part, in the order of the command line.
    pub(super) entrants: Vec<EntrantPlan>,
    /// What the referee allows; [`MatchPlan::policy_for`] adds the times.
    pub(super) policy: Policy,
    /// The time control of bots that have no other.
    pub(super) bot_time: TimeControl,
    /// `None` where the system's random source decides.
    pub(super) seed: Option<MatchSeed>,
    pub(super) book: Book,
    pub(super) sprt: Option<schema::SprtPlan>,
    pub(super) in_process: bool,
    pub(super) event: EventPlan,
}

/// Who meets whom, in what order, and until when.
pub(super) struct EventPlan {
    pub(super) schedule: Schedule,
    pub(super) seeding: Seeding,
    /// Games in a row that a bot may lose by faults before it is withdrawn; 0 for any number.
    pub(super) withdraw_after: u32,
}

/// What the machine needs: what plays the games, and the files that they are kept in.
pub(super) struct RunPlan {
    pub(super) host: Host,
    pub(super) limits: Limits,
    pub(super) jobs: usize,
    pub(super) part: PartArgs,
    pub(super) resume: bool,
    pub(super) results: PathBuf,
    pub(super) output: Option<PathBuf>,
}

impl RunPlan {
    fn saved_limits(&self) -> schema::BotLimits {
        let (usual, Limits { threads, memory, sandbox, stop_between_turns, .. }) =
            (Limits::default(), self.limits);
        schema::BotLimits {
            threads: Some(threads).filter(|threads| *threads != usual.threads),
            memory: Some(memory).filter(|memory| *memory != usual.memory),
            wide_sandbox: sandbox == Sandbox::Wide,
            stopped_between_turns: stop_between_turns,
        }
    }
}

/// What people see, and what the program ends with. Nobody plays or watches tournaments move by move, so they leave most of it.
#[derive(Default)]
pub(super) struct ViewPlan {
    pub(super) show: Show,
    pub(super) progress: ProgressArg,
    pub(super) test: TestArgs,
    pub(super) screen: ScreenArgs,
    pub(super) people: PeopleArgs,
    pub(super) review: ReviewArgs,
    pub(super) web: Option<WebArgs>,
    pub(super) pictures: Option<Pictures>,
    /// What becomes of what bots print, where somebody wants to see it.
    pub(super) printing: Option<Printing>,
}

/// What is printed while games are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Show {
    Result,
    #[default]
    Everything,
    Json,
}

/// The entrants in the order that follows from a seed, each with a name of its own.
pub(super) struct Seated {
    pub(super) seed: MatchSeed,
    pub(super) entrants: Vec<EntrantPlan>,
}

/// In what order the entrants are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Seeding {
    /// By lot
    Lot,
    /// As on the command line
    Given,
    /// The newer of two versions first, which comes second on the command line
    #[value(skip)]
    NewFirst,
}

impl Plan {
    pub(super) fn saved(&self, seated: &Seated) -> schema::Plan {
        let MatchPlan { start, book, sprt, in_process, event, policy, .. } = &self.games;
        let info = start.info();
        let agreement = |Agreement { score, plies }| schema::AgreementPlan { score, plies };
        let (kind, plies, lines) = match book {
            Book::None => (schema::OpeningKind::None, 0, Vec::new()),
            Book::Random(plies) => (schema::OpeningKind::Random, *plies, Vec::new()),
            Book::List(list) => (schema::OpeningKind::List, 0, list.texts().to_vec()),
        };
        let options = start.options().iter().map(|(name, value)| (name.to_owned(), value.into()));
        schema::Plan {
            game: info.id.to_owned(),
            rules_version: info.version,
            options: options.collect(),
            seats: start.seats() as u32,
            position: start.text(),
            players: seated.entrants.iter().map(EntrantPlan::saved).collect(),
            seed: seated.seed.to_string(),
            openings: schema::Openings { kind, plies, lines },
            margin_ns: policy.margin.as_nanos() as u64,
            clock: Some(self.clock()),
            prepare_time_ns: self.run.limits.new_game.map(|time| time.as_nanos() as u64),
            limits: self.run.saved_limits(),
            max_errors: policy.max_errors,
            max_plies: policy.max_plies,
            at_max_plies: match policy.at_max_plies {
                AtMaxPlies::Draw => schema::AtMaxPlies::Draw,
                AtMaxPlies::Score => schema::AtMaxPlies::Score,
            },
            resign_score: policy.resign_score.map(agreement),
            draw_score: policy.draw_score.map(agreement),
            max_repetitions: policy.max_repetitions,
            casual: policy.take_backs,
            in_process: *in_process,
            schedule: event.schedule.to_record(),
            withdraw_after: event.withdraw_after,
            sprt: *sprt,
        }
    }

    /// The command that plays the same games.
    pub(super) fn command(&self, seed: &MatchSeed) -> String {
        let seed = named("--seed".as_ref(), seed.to_string().as_ref());
        format!("{} {}", self.command, line(&seed))
    }

    /// What the clocks of bots go by. Processor time is measured for bots in processes of their own, and on Linux only; what a
    /// bot inside our process uses cannot be told from what we use.
    fn clock(&self) -> schema::ClockKind {
        let MatchPlan { event, entrants, in_process, .. } = &self.games;
        let is_league = matches!(event.schedule, Schedule::League(_));
        let has_bots = is_league || entrants.iter().any(|entrant| entrant.bot().is_some());
        if self.run.limits.instructions {
            schema::ClockKind::Instructions
        } else if has_bots && !in_process && cfg!(target_os = "linux") {
            schema::ClockKind::Processor
        } else {
            schema::ClockKind::Wall
        }
    }

    pub(super) fn bot_command(&self, bot: &Bot) -> BotCommand {
        let (options, limits) = (bot.options.clone(), self.run.limits);
        BotCommand { options, limits, ..BotCommand::new(&self.run.host, bot.file.clone()) }
    }

    /// The core that the referee of a game and its bots share.
    pub(super) fn core(&self, slot: usize) -> Option<usize> {
        core(&self.run.host, &self.run.limits, self.games.has_people(), slot)
    }

    /// Whether the bots of the next game can start while a game is played, without taking its core's time.
    pub(super) fn has_a_spare_core(&self) -> bool {
        let RunPlan { jobs, host, .. } = &self.run;
        *jobs == 1 && host.cores().len() > 1 && self.core(0).is_some() && !self.games.in_process
    }

    /// In what time games are played that may go into the journal together: in our own process hundreds end in a millisecond,
    /// and are lost with the program when a bot crashes. But nobody sees the end of a game that may be lost.
    pub(super) fn flush_interval(&self) -> Duration {
        let ViewPlan { show, screen, .. } = &self.view;
        let is_shown = screen.watch || *show == Show::Json || self.games.has_people();
        if self.games.in_process && !is_shown { Duration::from_millis(1) } else { Duration::ZERO }
    }

    /// What will make results worth less than they look.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        self.oversubscribed().into_iter().chain(self.few_openings())
    }

    /// What is wrong with more games at the same time than cores, in a sentence: it makes clocks unreliable, or bots weak
    /// where clocks stand still for those that wait.
    fn oversubscribed(&self) -> Option<String> {
        let RunPlan { jobs, host, limits, .. } = &self.run;
        let (cores, threads) = (u32::try_from(host.cores().len()).ok()?, limits.threads.max(1));
        if cores == 0 {
            return None;
        }
        let there = count(cores, "core");
        if threads > cores {
            return Some(format!(
                "warning: --threads {threads} on {there}: bots are told that they have {cores}; use --threads {cores}"
            ));
        }
        let then = match self.clock() {
            schema::ClockKind::Processor => "bots will wait for each other and be weaker than alone",
            schema::ClockKind::Wall => "clocks will be unreliable",
            schema::ClockKind::Instructions => return None,
        };
        let (room, each) =
            (cores / threads, if threads > 1 { format!(", {threads} for each bot") } else { String::new() });
        (*jobs > room as usize).then(|| {
            format!("warning: {jobs} games at the same time on {there}{each}: {then}; use --jobs {room}")
        })
    }

    /// A warning if a test may run out of openings: it takes games that repeat others for new evidence.
    fn few_openings(&self) -> Option<String> {
        let openings = match &self.games.book {
            Book::None => 1,
            Book::List(list) => u32::try_from(list.texts().len()).ok()?,
            Book::Random(_) => return None,
        };
        let schedule = self.games.event.schedule.to_record();
        let pairs = schedule.rounds.or(schedule.games.map(|games| games / 2))?;
        (self.games.sprt.is_some() && openings < pairs).then(|| {
            let there = count(openings, "opening");
            format!(
                "warning: {there} for up to {pairs} pairs of games: bots that always play alike repeat games, and the test counts \
                 them as new ones; use --openings random, or more lines"
            )
        })
    }

    /// The exit code of a finished match or tournament in which so many games and seats were lost by faults, with the checks that
    /// were asked for.
    pub(super) fn checked(&self, result: &schema::MatchReport, faults: u32) -> ExitCode {
        let accepts = result.sprt.as_ref().is_some_and(|test| test.decision == schema::SprtDecision::H1);
        if self.view.test.sprt_exit && !accepts || self.view.test.fail_on_fault && faults > 0 {
            ExitCode::CheckFailed
        } else {
            ExitCode::Done
        }
    }
}

impl MatchPlan {
    pub(super) fn policy_for(&self, entrants: &[EntrantPlan]) -> Policy {
        Policy { time: entrants.iter().map(|entrant| entrant.time).collect(), ..self.policy.clone() }
    }

    pub(super) fn most_games(&self) -> u32 {
        let games = self.event.schedule.most_games(self.entrants.len(), self.start.seats());
        u32::try_from(games).unwrap_or(u32::MAX)
    }

    /// The people who play here or in a browser, each with the number of the player.
    pub(super) fn people_at(&self, at: At) -> impl Iterator<Item = (usize, &EntrantPlan)> {
        self.entrants.iter().enumerate().filter(move |(_, entrant)| entrant.person() == Some(at))
    }

    pub(super) fn has_people_at(&self, at: At) -> bool {
        self.people_at(at).next().is_some()
    }

    pub(super) fn has_people(&self) -> bool {
        self.entrants.iter().any(|entrant| entrant.person().is_some())
    }
}

/// The core of a slot where games are played. None are bound to a core where people play, or where bots may use several
/// cores.
fn core(host: &Host, limits: &Limits, has_people: bool, slot: usize) -> Option<usize> {
    if has_people || limits.threads > 1 {
        return None;
    }
    host.cores().iter().copied().cycle().nth(slot)
}
