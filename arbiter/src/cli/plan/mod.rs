//! From arguments to a plan in which everything has been checked: the game exists, the seats fit, the bots open.

pub(super) mod args;
mod command;
mod entrants;
mod play;
mod tournament;

pub(super) use args::SandboxArg;
pub(super) use entrants::{Bot, Place, cannot_load};
pub(super) use play::{Colour, PlayArgs, Ui};
pub(super) use tournament::TournamentArgs;

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::isolation::{self, IsolateArg};
use super::people::PeopleArgs;
use super::pictures::Pictures;
use super::position::start;
use crate::host::{self, Core, Limits};
use crate::player::{Manners, TimeControl};
use crate::record::schema;
use crate::referee::{AtMaxPlies, Policy};
use crate::report::Format;
use crate::tournament::schedule::Unit;
use crate::tournament::{Book, MatchSeed, OpeningList, Openings, Repeated, Schedule, Shard, test_of};
use crate::ui::terminal::Wanted;
use crate::ui::{AfterPass, talk};
use arbiter_rules::{GameInfo, Position, registry};
use args::{
    AtMaxPliesArg, BoardArgs, OpeningsArg, OutputArgs, ProgressArg, RefereeArgs, RunArgs, TestArgs, TimeArgs,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A match or tournament in which everything has been checked.
pub(super) struct Plan {
    pub(super) start: Box<dyn Position>,
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

/// The arguments that all plans are made from.
struct Common<'a> {
    board: &'a BoardArgs,
    time: &'a TimeArgs,
    referee: &'a RefereeArgs,
    test: &'a TestArgs,
    run: &'a RunArgs,
    output: &'a OutputArgs,
}

impl Common<'_> {
    /// The position that games start from; `seats` says how many take part in one.
    fn start(
        &self,
        seats: impl FnOnce(&'static GameInfo) -> Result<usize, Failure>,
    ) -> Result<Box<dyn Position>, Failure> {
        let game = self.board.game.as_deref().ok_or_else(no_game)?;
        let players = registry::find(game).map(seats).transpose()?;
        let start = start(game, players, &self.board.options, self.board.position.as_deref())?;
        if start.end().is_some() {
            return Err(Failure::new(ExitCode::Usage, "the game is over in the position of --position"));
        }
        Ok(start)
    }

    /// What bots may use, as far as this machine can see to it.
    fn checked_limits(&self) -> Result<Limits, Failure> {
        let limits = self.limits();
        isolation::check_stopping(limits.stop_between_turns, host::CAN_STOP)?;
        isolation::check(limits.isolation).map(|()| limits)
    }

    fn limits(&self) -> Limits {
        Limits {
            memory: self.run.memory << 20,
            threads: u32::from(self.run.threads),
            sandbox: self.run.sandbox.sandbox(),
            isolation: IsolateArg::isolation(&self.run.isolate),
            stop_between_turns: self.run.stop_between_turns,
            ..Limits::default()
        }
    }

    fn plan(
        &self,
        start: Box<dyn Position>,
        places: Vec<Place>,
        schedule: Schedule,
        seeding: Seeding,
        opens_randomly: bool,
    ) -> Result<Plan, Failure> {
        let book = self.book(&*start, opens_randomly)?;
        let sprt = self.sprt(places.len(), start.seats())?;
        let limits = self.limits();
        let games = schedule.most_games(places.len(), start.seats());
        let default = std::thread::available_parallelism().map_or(1, usize::from) / limits.threads as usize;
        let jobs = self.run.jobs.map_or(default.max(1), usize::from);
        let nobody = PeopleArgs::default();
        let policy = Policy {
            time: places.iter().map(|place| place.time).collect(),
            margin: self.time.margin,
            max_errors: self.referee.max_errors,
            max_plies: self.referee.max_plies,
            at_max_plies: match self.referee.at_max_plies {
                AtMaxPliesArg::Draw => AtMaxPlies::Draw,
                AtMaxPliesArg::Score => AtMaxPlies::Score,
            },
            max_repetitions: self.referee.max_repetitions,
        };
        Ok(Plan {
            start,
            places,
            policy,
            seed: self.referee.seed.as_deref().map(MatchSeed::new),
            seeding,
            book,
            openings_file: match &self.board.openings {
                Some(OpeningsArg::File(file)) => Some(file.clone()),
                Some(OpeningsArg::None | OpeningsArg::Random(_)) | None => None,
            },
            position: self.board.position.clone(),
            bot_time: self.time.control(),
            schedule,
            withdraw_after: 0,
            sprt,
            sprt_exit: self.test.sprt_exit,
            fail_on_fault: self.test.fail_on_fault,
            shard: None,
            wave: None,
            known: Vec::new(),
            jobs: usize::try_from(games).map_or(jobs, |games| jobs.min(games)).max(1),
            in_process: self.run.in_process,
            resume: self.run.resume,
            manners: nobody.manners(),
            after_pass: nobody.after_pass(),
            human_away: None,
            results: self.output.results.clone(),
            output: self.output.output.clone(),
            show: self.output.show(),
            progress: self.output.progress,
            format: Format::Table,
            limits,
            ui: Ui::Auto,
            watch: false,
            delay: Duration::ZERO,
            colour: Wanted::Auto,
            pictures: None,
            cores: host::cores(),
        })
    }

    fn sprt(&self, players: usize, seats: usize) -> Result<Option<schema::SprtPlan>, Failure> {
        let Some(plan) = self.test.plan() else { return Ok(None) };
        let usage = |message: String| Failure::new(ExitCode::Usage, message);
        if players != 2 || seats != 2 {
            let message =
                format!("--sprt decides between two bots of a game of two; here {players} take part");
            return Err(usage(message).hint("a match or tournament of the two bots"));
        }
        let test = test_of(&plan);
        test.map(|_| Some(plan)).map_err(|problem| usage(format!("--sprt: {problem}")).hint("--sprt 0,5"))
    }

    fn book(&self, start: &dyn Position, opens_randomly: bool) -> Result<Book, Failure> {
        let default = start.info().opening_plies;
        let plies = match &self.board.openings {
            Some(OpeningsArg::File(path)) => return list(path, start),
            Some(OpeningsArg::None) => 0,
            Some(OpeningsArg::Random(plies)) => plies.unwrap_or(default),
            None if opens_randomly => default,
            None => 0,
        };
        let book = if plies == 0 { Book::None } else { Book::Random(plies) };
        let first = Unit { number: 0, members: vec![0, 1], round: 0, lane: 0, meeting: 0 };
        let try_one = Openings::new(&MatchSeed::new("an opening must exist"), start, &book).of_unit(&first);
        try_one.map(|_| book).map_err(|error| {
            Failure::new(ExitCode::Usage, error.to_string())
                .hint("--openings none, or fewer plies: --openings random:2")
        })
    }
}

/// The openings of a file.
fn list(path: &Path, start: &dyn Position) -> Result<Book, Failure> {
    let of_file = |message: &str| Failure::new(ExitCode::Usage, format!("{message} {}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::new(ExitCode::File, format!("cannot read the openings {}", path.display())).because(&error)
    })?;
    let (list, repeated) = OpeningList::read(&text, start).map_err(|error| {
        let failure = of_file("there is a mistake in the openings").because(&error);
        failure.hint("one opening a line, as moves from the start position or as a position")
    })?;
    for Repeated { line, earlier } in &repeated {
        talk(&format!(
            "warning: line {line} of {} is line {earlier}, turned or mirrored: it is left out",
            path.display()
        ));
    }
    Ok(Book::List(Arc::new(list)))
}

fn no_game() -> Failure {
    let games: Vec<_> = registry::GAMES.iter().map(|info| info.id).collect();
    Failure::new(ExitCode::Usage, "nothing says which game to play: --game is missing")
        .cause(&format!("the games are {}", games.join(", ")))
        .hint("--game othello, or arbiter on a terminal without arguments for a menu")
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

    /// How many games there can be at most.
    pub(super) fn most_games(&self) -> u32 {
        let games = self.schedule.most_games(self.places.len(), self.start.seats());
        u32::try_from(games).unwrap_or(u32::MAX)
    }

    /// Whether this is a match and no tournament.
    pub(super) fn is_match(&self) -> bool {
        matches!(self.schedule, Schedule::Match { .. })
    }

    /// The core that a worker and its bots share. Nobody is bound to one where people play or bots may use several
    /// cores.
    pub(super) fn core(&self, worker: usize) -> Option<Core> {
        if self.has_people() || self.limits.threads > 1 || self.cores.is_empty() {
            return None;
        }
        let number = self.cores[worker % self.cores.len()];
        Some(Core { number, bots: self.start.seats() as u32 })
    }

    /// What makes clocks unreliable, in a sentence: more games at the same time than cores.
    pub(super) fn oversubscribed(&self) -> Option<String> {
        let (games, cores) = (self.jobs, self.cores.len() / self.limits.threads.max(1) as usize);
        (games > cores.max(1) && !self.cores.is_empty()).then(|| {
            format!("warning: {games} games at the same time on {cores} cores: clocks will be unreliable; --jobs {cores} is not")
        })
    }

    /// Whether a person takes part.
    pub(super) fn has_people(&self) -> bool {
        self.places.iter().any(|place| place.bot.is_none())
    }
}
