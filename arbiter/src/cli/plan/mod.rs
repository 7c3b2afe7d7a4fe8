//! From arguments to a plan in which everything has been checked: the game exists, the seats fit, the bots open.

pub(super) mod args;
mod command;
mod common;
mod entrants;
mod play;
mod seeds;
mod tournament;

pub(super) use args::SandboxArg;
pub(super) use entrants::{Bot, Place, cannot_load};
pub(super) use play::{Colour, PlayArgs, Ui};
pub(super) use tournament::TournamentArgs;

use super::pictures::Pictures;
use crate::host::{Host, Limits};
use crate::player::{Manners, TimeControl};
use crate::record::schema;
use crate::referee::{AtMaxPlies, Policy};
use crate::report::Format;
use crate::tournament::{Book, MatchSeed, Schedule, Shard};
use crate::ui::AfterPass;
use crate::ui::terminal::Wanted;
use arbiter_rules::Position;
use args::ProgressArg;
use std::path::PathBuf;
use std::time::Duration;

/// A match or tournament in which everything has been checked.
pub(super) struct Plan {
    pub(super) start: Position,
    pub(super) places: Vec<Place>,
    pub(super) policy: Policy,
    /// `None` where the system's random source decides.
    pub(super) seed: Option<MatchSeed>,
    pub(super) seeding: Seeding,
    pub(super) book: Book,
    pub(super) openings_file: Option<PathBuf>,
    /// The position that was asked for.
    pub(super) position: Option<String>,
    /// The time control of bots.
    pub(super) bot_time: TimeControl,
    pub(super) schedule: Schedule,
    pub(super) withdraw_after: u32,
    pub(super) sprt: Option<schema::SprtPlan>,
    pub(super) sprt_exit: bool,
    pub(super) fail_on_fault: bool,
    pub(super) shard: Option<Shard>,
    /// Units that are played beyond the known ones.
    pub(super) wave: Option<u32>,
    /// Files with results that are known already.
    pub(super) known: Vec<PathBuf>,
    pub(super) jobs: usize,
    pub(super) in_process: bool,
    pub(super) resume: bool,
    pub(super) manners: Manners,
    pub(super) after_pass: AfterPass,
    pub(super) human_away: Option<Duration>,
    pub(super) results: PathBuf,
    pub(super) output: Option<PathBuf>,
    pub(super) show: Show,
    pub(super) progress: ProgressArg,
    pub(super) format: Format,
    /// Who runs the bots.
    pub(super) host: Host,
    pub(super) limits: Limits,
    pub(super) ui: Ui,
    pub(super) watch: bool,
    pub(super) delay: Duration,
    pub(super) colour: Wanted,
    pub(super) pictures: Option<Pictures>,
    /// The cores that games may use, by number.
    pub(super) cores: Vec<usize>,
}

/// What is printed while games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    Result,
    Everything,
    Json,
}

/// In which order entrants are seeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seeding {
    /// As on the command line.
    Given,
    /// By lot from the seed; so many of the command line's first come before all others.
    Lot { first: usize },
}

impl Plan {
    /// The plan as it stands in reports.
    pub(super) fn saved(&self, seed: &MatchSeed) -> schema::Plan {
        let info = self.start.info();
        let (kind, plies, lines) = match &self.book {
            Book::None => (schema::OpeningKind::None, 0, Vec::new()),
            Book::Random(plies) => (schema::OpeningKind::Random, *plies, Vec::new()),
            Book::List(list) => (schema::OpeningKind::List, 0, list.texts().to_vec()),
        };
        let options = self.start.options().iter().map(|(name, value)| (name.to_owned(), value.into()));
        schema::Plan {
            game: info.id.to_owned(),
            rules_version: info.version,
            options: options.collect(),
            seats: self.start.seats() as u32,
            position: self.start.text(),
            players: self.places.iter().map(Place::saved).collect(),
            seed: seed.to_string(),
            openings: schema::Openings { kind, plies, lines },
            margin_ns: self.policy.margin.as_nanos() as u64,
            clock: Some(self.clock()),
            prepare_time_ns: self.limits.new_game.map(|time| time.as_nanos() as u64),
            max_errors: self.policy.max_errors,
            max_plies: self.policy.max_plies,
            at_max_plies: match self.policy.at_max_plies {
                AtMaxPlies::Draw => schema::AtMaxPlies::Draw,
                AtMaxPlies::Score => schema::AtMaxPlies::Score,
            },
            max_repetitions: self.policy.max_repetitions,
            in_process: self.in_process,
            schedule: self.schedule.to_record(),
            withdraw_after: self.withdraw_after,
            sprt: self.sprt,
        }
    }

    /// What the clocks of bots go by: nobody can tell what the machine takes from a bot that shares our process, or, yet,
    /// on other systems.
    fn clock(&self) -> schema::ClockKind {
        let has_bots = self.places.iter().any(|place| place.bot.is_some());
        if has_bots && !self.in_process && cfg!(target_os = "linux") {
            schema::ClockKind::Processor
        } else {
            schema::ClockKind::Wall
        }
    }

    /// How many games there can be at most.
    pub(super) fn most_games(&self) -> u32 {
        let games = self.schedule.most_games(self.places.len(), self.start.seats());
        u32::try_from(games).unwrap_or(u32::MAX)
    }

    /// Whether this is a match and no tournament.
    pub(super) fn is_match(&self) -> bool {
        matches!(self.schedule, Schedule::Match { .. })
    }

    /// The core that the referee of a game and its bots share. Nobody is bound to one where people play or bots may use several
    /// cores.
    pub(super) fn core(&self, place: usize) -> Option<usize> {
        if self.has_people() || self.limits.threads > 1 || self.cores.is_empty() {
            return None;
        }
        Some(self.cores[place % self.cores.len()])
    }

    /// Whether the bots of the next game can start while a game is played, without taking its core's time.
    pub(super) fn has_a_spare_core(&self) -> bool {
        self.jobs == 1 && self.cores.len() > 1 && self.core(0).is_some() && !self.in_process
    }

    /// What is wrong with more games at the same time than cores, in a sentence: it makes clocks unreliable, or bots weak
    /// where clocks stand still for those that wait.
    pub(super) fn oversubscribed(&self) -> Option<String> {
        let (games, cores) = (self.jobs, self.cores.len() / self.limits.threads.max(1) as usize);
        let then = match self.clock() {
            schema::ClockKind::Processor => "bots will wait for each other and be weaker than alone",
            schema::ClockKind::Wall => "clocks will be unreliable",
        };
        (games > cores.max(1) && !self.cores.is_empty()).then(|| {
            format!(
                "warning: {games} games at the same time on {cores} cores: {then}; use --jobs {}",
                cores.max(1)
            )
        })
    }

    /// Whether a person takes part.
    pub(super) fn has_people(&self) -> bool {
        self.places.iter().any(|place| place.bot.is_none())
    }
}
