//! From arguments to a plan in which everything has been checked: the game exists, the seats fit, the bots open.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::people::{self, PeopleArgs};
use super::pictures::{Pictures, PicturesArgs};
use super::position::{key_value, start};
use super::time;
use crate::host::{self, BotFile, Core, Greeting, Identity, Limits, LoadError, Sandbox};
use crate::player::{Manners, TimeControl};
use crate::record::{KEPT_ERRORS, schema};
use crate::referee::Policy;
use crate::tournament::{MatchSeed, Openings};
use crate::ui::AfterPass;
use crate::ui::terminal::Wanted;
use arbiter_rules::{GameInfo, Position, registry};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of a match.
#[derive(Args, Debug)]
pub(super) struct PlayArgs {
    /// Plugin files in the order of the seats; `human`, `human:NAME` or `human@here` for a person at this terminal.
    /// Seats that are left are played by people
    #[arg(value_name = "BOT")]
    bots: Vec<String>,
    /// Which game; `arbiter rules` lists them
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// How many games; seats are swapped from game to game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    games: u32,
    /// Seats in a game
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// Who sits in a seat, from 1: `2=human:Ana` for a person with a name, or a plugin file
    #[arg(long, value_name = "SEAT=WHO", value_parser = seat)]
    seat: Vec<(usize, String)>,
    /// An option of the game
    #[arg(short = 'O', value_name = "KEY=VALUE", value_parser = key_value)]
    options: Vec<(String, String)>,
    /// An option for the bot in a seat of the command line, from 1: `-B 2:depth=4`
    #[arg(short = 'B', value_name = "SEAT:KEY=VALUE", value_parser = bot_option)]
    bot_options: Vec<(usize, String, String)>,
    /// Position text that every game starts from
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// How games are opened: none, random, or random:PLIES. More than two games are opened randomly by default, each
    /// opening played with all seatings
    #[arg(long, value_name = "HOW", value_parser = openings)]
    openings: Option<OpeningsArg>,

    /// Time for every move [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = time::positive, help_heading = "Time", conflicts_with_all = ["clock", "no_clock"])]
    move_time: Option<Duration>,
    /// A clock for the game with an increment after every move: 60s+0.5s
    #[arg(long, value_name = "BASE+INC", value_parser = time::clock, help_heading = "Time", conflicts_with = "no_clock")]
    clock: Option<TimeControl>,
    /// No limit
    #[arg(long, help_heading = "Time")]
    no_clock: bool,
    /// Overrun that is forgiven
    #[arg(long, value_name = "TIME", value_parser = time::duration, default_value = "5ms", help_heading = "Time")]
    margin: Duration,

    /// The illegal move that loses the game, up to 1000; 0 for none
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=i64::from(KEPT_ERRORS)), help_heading = "Refereeing")]
    max_errors: u32,
    /// Plies after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Refereeing")]
    max_plies: u32,
    /// Any text from which openings, chance and the bots' own seeds follow. A short one can be guessed [default: 128
    /// random bits]
    #[arg(long, value_name = "TEXT", help_heading = "Refereeing")]
    seed: Option<String>,
    #[command(flatten)]
    people: PeopleArgs,

    /// Games at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    jobs: Option<u16>,
    /// Memory that a bot may use, in MiB; stacks of threads count at their full size
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1 << 20), help_heading = "Running")]
    memory: u64,
    /// Cores that each bot may keep busy; with more than one, games are not bound to a core
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Running")]
    threads: u16,
    /// Stop bots outside their turns, so that they cannot think on their opponents' time
    #[arg(long, help_heading = "Running", conflicts_with = "in_process")]
    stop_between_turns: bool,
    /// How strictly the system calls of bots are judged
    #[arg(long, value_name = "HOW", default_value = "strict", help_heading = "Running")]
    sandbox: SandboxArg,
    /// Run trusted bots inside arbiter's own process: faster, and a fault of a bot takes everything down
    #[arg(long, help_heading = "Running")]
    in_process: bool,
    /// Go on with an interrupted match
    #[arg(long, help_heading = "Running")]
    resume: bool,

    /// Folder for the report
    #[arg(long, value_name = "DIR", default_value = "results", help_heading = "Output")]
    results: PathBuf,
    /// File for the report instead of a new one in the folder
    #[arg(long, value_name = "FILE", conflicts_with = "results", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Print the result only
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
    /// Print every event as a JSON object, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// How people play and watch: on the whole screen, or line by line (for screen readers and scripts) [default: the
    /// screen of a terminal, lines elsewhere]
    #[arg(long, value_enum, value_name = "VIEW", default_value_t = Ui::Auto, hide_default_value = true, help_heading = "Output")]
    ui: Ui,
    /// Folder in which the menu looks for bots [default: here, bots and target/release]
    #[arg(long = "bots", value_name = "DIR", help_heading = "Output")]
    bots_in: Option<PathBuf>,
    /// Show the games while they are played
    #[arg(long, help_heading = "Output")]
    watch: bool,
    /// Wait so long after every move of a game that is watched; no clock runs meanwhile
    #[arg(long, value_name = "TIME", value_parser = time::duration, help_heading = "Output")]
    delay: Option<Duration>,
    /// Use colours [default: as the terminal, NO_COLOR and CLICOLOR_FORCE say]
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Colour::Auto, hide_default_value = true, help_heading = "Output")]
    color: Colour,
    #[command(flatten)]
    pictures: PicturesArgs,
}

impl PlayArgs {
    /// Whether nothing says what to play.
    pub(super) fn is_empty(&self) -> bool {
        self.game.is_none() && self.bots.is_empty() && self.seat.is_empty()
    }

    /// Where the menu looks for bots.
    pub(super) fn bot_folders(&self) -> Vec<PathBuf> {
        match &self.bots_in {
            Some(folder) => vec![folder.clone()],
            None => [".", "bots", "target/release", "target/debug"].map(PathBuf::from).to_vec(),
        }
    }

    /// When to use colours.
    pub(super) fn colour(&self) -> Wanted {
        self.color.wanted()
    }
}

/// How people play and watch.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ui {
    /// The whole screen of a terminal, lines elsewhere
    Auto,
    /// The whole screen
    Full,
    /// Line by line
    Line,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    /// As the terminal and the environment say
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Colour {
    pub(super) fn wanted(self) -> Wanted {
        match self {
            Colour::Auto => Wanted::Auto,
            Colour::Always => Wanted::Always,
            Colour::Never => Wanted::Never,
        }
    }
}

fn seat(text: &str) -> Result<(usize, String), String> {
    let form = || "expected SEAT=WHO, such as 2=human:Ana".to_owned();
    let (seat, who) = text.split_once('=').ok_or_else(form)?;
    let seat = seat.parse().ok().filter(|&seat| seat >= 1).ok_or_else(form)?;
    if who.is_empty() { Err(form()) } else { Ok((seat, who.to_owned())) }
}

/// How strictly the system calls of bots are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum SandboxArg {
    /// A call that no bot needs ends the bot
    Strict,
    /// It fails instead, and libraries can still be loaded in play
    Wide,
}

impl SandboxArg {
    pub(super) fn sandbox(self) -> Sandbox {
        match self {
            SandboxArg::Strict => Sandbox::Strict,
            SandboxArg::Wide => Sandbox::Wide,
        }
    }
}

/// How games are opened, as it was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpeningsArg {
    None,
    Random(Option<u32>),
}

fn openings(text: &str) -> Result<OpeningsArg, String> {
    match text.split_once(':') {
        None if text == "none" => Ok(OpeningsArg::None),
        None if text == "random" => Ok(OpeningsArg::Random(None)),
        Some(("random", plies)) => match plies.parse() {
            Ok(plies @ 1..=Openings::LONGEST) => Ok(OpeningsArg::Random(Some(plies))),
            _ => Err(format!("random:PLIES takes 1 to {} plies", Openings::LONGEST)),
        },
        _ => Err("openings are none, random, or random:PLIES".to_owned()),
    }
}

fn bot_option(text: &str) -> Result<(usize, String, String), String> {
    let form = || "expected SEAT:KEY=VALUE, such as 2:depth=4".to_owned();
    let (seat, option) = text.split_once(':').ok_or_else(form)?;
    let seat = seat.parse().ok().filter(|&seat| seat >= 1).ok_or_else(form)?;
    let (key, value) = key_value(option).map_err(|_| form())?;
    Ok((seat, key, value))
}

/// A match in which everything has been checked.
pub(super) struct Plan {
    pub(super) start: Box<dyn Position>,
    pub(super) places: Vec<Place>,
    pub(super) policy: Policy,
    /// `None` where the system's random source decides.
    pub(super) seed: Option<MatchSeed>,
    pub(super) opening_plies: u32,
    pub(super) games: u32,
    pub(super) jobs: usize,
    pub(super) in_process: bool,
    pub(super) resume: bool,
    pub(super) manners: Manners,
    pub(super) after_pass: AfterPass,
    pub(super) human_away: Option<Duration>,
    pub(super) results: PathBuf,
    pub(super) output: Option<PathBuf>,
    pub(super) show: Show,
    pub(super) limits: Limits,
    pub(super) ui: Ui,
    pub(super) watch: bool,
    pub(super) delay: Duration,
    pub(super) colour: Wanted,
    pub(super) pictures: Option<Pictures>,
    /// The cores that games may use, by number.
    pub(super) cores: Vec<usize>,
}

/// What is printed while a match runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    Result,
    Everything,
    Json,
}

/// Who takes part, in the order of the command line.
pub(super) struct Place {
    pub(super) name: String,
    pub(super) bot: Option<Bot>,
}

/// A bot that can be loaded.
pub(super) struct Bot {
    pub(super) named: String,
    pub(super) file: BotFile,
    pub(super) identity: Identity,
    pub(super) options: Vec<(String, String)>,
}

impl Plan {
    /// Checks everything that can be checked before the first move.
    pub(super) fn new(args: &PlayArgs) -> Result<Plan, Failure> {
        let game = args.game.as_deref().ok_or_else(no_game)?;
        let info = registry::find(game);
        let players = match info {
            Some(info) => Some(seats(args, info)?),
            None => None,
        };
        let start = start(game, players, &args.options, args.position.as_deref())?;
        if start.end().is_some() {
            return Err(Failure::new(ExitCode::Usage, "the game is over in the position of --position"));
        }
        let limits = Limits {
            memory: args.memory << 20,
            threads: u32::from(args.threads),
            sandbox: args.sandbox.sandbox(),
            stop_between_turns: args.stop_between_turns,
            ..Limits::default()
        };
        let places = places(args, &*start, &limits)?;
        let policy = policy(args, &places);
        let opening_plies = opening_plies(args, &*start)?;
        let seed = args.seed.as_deref().map(MatchSeed::new);
        let people = places.iter().any(|place| place.bot.is_none());
        let cores = host::cores();
        let default = std::thread::available_parallelism().map_or(1, usize::from) / limits.threads as usize;
        let jobs = args.jobs.map_or(default.max(1), usize::from).min(args.games as usize);
        let jobs = if people { 1 } else { jobs };
        Ok(Plan {
            start,
            places,
            policy,
            seed,
            opening_plies,
            games: args.games,
            jobs,
            in_process: args.in_process,
            resume: args.resume,
            manners: args.people.manners(),
            after_pass: args.people.after_pass(),
            human_away: args.people.human_away,
            results: args.results.clone(),
            output: args.output.clone(),
            show: match (args.json, args.quiet) {
                (true, _) => Show::Json,
                (false, true) => Show::Result,
                (false, false) => Show::Everything,
            },
            limits,
            ui: args.ui,
            watch: args.watch,
            delay: args.delay.unwrap_or_default(),
            colour: args.colour(),
            pictures: args.pictures.open()?,
            cores,
        })
    }

    /// The plan as it stands in reports.
    pub(super) fn saved(&self, seed: &MatchSeed) -> schema::Plan {
        let info = self.start.info();
        let player = |(place, time): (&Place, &TimeControl)| schema::Player {
            name: place.name.clone(),
            kind: if place.bot.is_some() { schema::PlayerKind::Bot } else { schema::PlayerKind::Human },
            author: said(place, |bot| &bot.author),
            version: said(place, |bot| &bot.version),
            file: place.bot.as_ref().map(|bot| bot.named.clone()),
            sha256: place.bot.as_ref().map(|bot| bot.identity.file.sha256.clone()),
            options: place.bot.iter().flat_map(|bot| bot.options.iter().cloned()).collect(),
            time: saved_time(*time),
        };
        let kind =
            if self.opening_plies == 0 { schema::OpeningKind::None } else { schema::OpeningKind::Random };
        schema::Plan {
            game: info.id.to_owned(),
            rules_version: info.version,
            options: self
                .start
                .options()
                .iter()
                .map(|(name, value)| (name.to_owned(), value.into()))
                .collect(),
            seats: self.start.seats() as u32,
            position: self.start.text(),
            players: self.places.iter().zip(&self.policy.time).map(player).collect(),
            seed: seed.to_string(),
            openings: schema::Openings { kind, plies: self.opening_plies },
            margin_ns: self.policy.margin.as_nanos() as u64,
            max_errors: self.policy.max_errors,
            max_plies: self.policy.max_plies,
            in_process: self.in_process,
        }
    }

    /// The core that a worker and its bots share. Nobody is bound to one where people play or bots may use several
    /// cores.
    pub(super) fn core(&self, worker: usize) -> Option<Core> {
        if self.has_people() || self.limits.threads > 1 || self.cores.is_empty() {
            return None;
        }
        let number = self.cores[worker % self.cores.len()];
        Some(Core { number, bots: self.places.len() as u32 })
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

/// What a bot says of itself, unless it says nothing.
fn said(place: &Place, of: impl Fn(&Greeting) -> &String) -> Option<String> {
    place.bot.as_ref().map(|bot| of(&bot.identity.greeting)).filter(|text| !text.is_empty()).cloned()
}

fn saved_time(time: TimeControl) -> schema::TimeControl {
    let ns = |time: Duration| Some(time.as_nanos() as u64);
    let none = schema::TimeControl { move_ns: None, base_ns: None, increment_ns: None };
    match time {
        TimeControl::MoveTime(time) => schema::TimeControl { move_ns: ns(time), ..none },
        TimeControl::Clock { base, increment } => {
            schema::TimeControl { base_ns: ns(base), increment_ns: ns(increment), ..none }
        }
        TimeControl::Unlimited => none,
    }
}

/// How many seats: as asked, otherwise the fewest that the bots fit into.
fn seats(args: &PlayArgs, info: &GameInfo) -> Result<usize, Failure> {
    let named = args.seat.iter().map(|(seat, _)| *seat).max().unwrap_or(0);
    let bots = (args.bots.len() + args.seat.len()).max(named);
    let numbers = || info.seats.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let seats = match args.players {
        Some(seats) if info.seats.contains(&seats) => seats,
        Some(seats) => {
            let message = format!("{} has no {seats} seats; it is played by {}", info.id, numbers());
            return Err(Failure::new(ExitCode::Usage, message).hint("another number after --players"));
        }
        None => {
            let default = info.seats.first().copied().filter(|&seats| seats >= bots);
            let fewest = info.seats.iter().copied().filter(|&seats| seats >= bots).min();
            default.or(fewest).unwrap_or_else(|| info.seats.iter().copied().max().unwrap_or(2))
        }
    };
    if bots > seats {
        let message = format!("{bots} bots for {seats} seats of {}", info.id);
        let hint = format!("fewer bots, or a game with more seats; {} is played by {}", info.id, numbers());
        return Err(Failure::new(ExitCode::Usage, message).hint(hint));
    }
    Ok(seats)
}

/// Opens every bot. What is wrong with several of them is told together.
fn places(args: &PlayArgs, start: &dyn Position, limits: &Limits) -> Result<Vec<Place>, Failure> {
    let named = named(args, start.seats())?;
    let bots = named.iter().map(|who| people::person(who).map(|person| person.is_none()));
    let bots: Vec<bool> = bots.collect::<Result<_, _>>()?;
    let is_bot = |seat: usize| bots.get(seat - 1) == Some(&true);
    if let Some((seat, ..)) = args.bot_options.iter().find(|(seat, ..)| !is_bot(*seat)) {
        let bots = bots.iter().filter(|&&is_bot| is_bot).count();
        let message = format!("-B {seat}:… names a place without a bot; {bots} were given");
        return Err(Failure::new(ExitCode::Usage, message).hint("-B 1:key=value for the first bot"));
    }
    let mut identities: BTreeMap<&str, (BotFile, Identity)> = BTreeMap::new();
    let mut failure: Option<Failure> = None;
    for (index, &file) in named.iter().enumerate().filter(|&(index, _)| is_bot(index + 1)) {
        if named[..index].contains(&file) {
            continue;
        }
        let library = BotFile::from(Path::new(file));
        match host::identify(library.clone(), limits) {
            Ok(identity) => drop(identities.insert(file, (library, identity))),
            Err(error) => {
                failure = Some(cannot_load(file, index + 1, &error).after(failure));
            }
        }
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    let mut places: Vec<Place> = Vec::new();
    for (index, &file) in named.iter().enumerate() {
        let bot = identities.get(file).map(|(library, identity)| Bot {
            named: file.to_owned(),
            file: library.clone(),
            identity: identity.clone(),
            options: options_of(args, index + 1),
        });
        if let Some(bot) = &bot {
            check_game(bot, start.info())?;
        }
        let name = match (&bot, people::person(file)?) {
            (Some(bot), _) => bot.identity.greeting.name.as_str(),
            (None, person) => person.unwrap_or(people::HUMAN),
        };
        let name = unused_name(name, &places);
        places.push(Place { name, bot });
    }
    Ok(places)
}

/// Who sits in each seat: as `--seat` says, the bots in the seats that are left, then people.
fn named(args: &PlayArgs, seats: usize) -> Result<Vec<&str>, Failure> {
    let mut named: Vec<Option<&str>> = vec![None; seats];
    for (seat, who) in &args.seat {
        let message = match named.get(seat - 1) {
            None => format!("there is no seat {seat}; there are {seats}"),
            Some(Some(_)) => format!("--seat {seat}=… is given twice"),
            Some(None) => {
                named[seat - 1] = Some(who);
                continue;
            }
        };
        return Err(Failure::new(ExitCode::Usage, message).hint("--seat 1=human:Ana for the first seat"));
    }
    let mut bots = args.bots.iter().map(String::as_str);
    Ok(named.into_iter().map(|who| who.or_else(|| bots.next()).unwrap_or(people::HUMAN)).collect())
}

fn no_game() -> Failure {
    let games: Vec<_> = registry::GAMES.iter().map(|info| info.id).collect();
    Failure::new(ExitCode::Usage, "nothing says which game to play: --game is missing")
        .cause(&format!("the games are {}", games.join(", ")))
        .hint("--game othello, or arbiter on a terminal without arguments for a menu")
}

pub(super) fn cannot_load(file: &str, seat: usize, error: &LoadError) -> Failure {
    let failure =
        Failure::new(ExitCode::Bot, format!("cannot load bot {file} for seat {seat}")).because(error);
    failure.hint(error.hint())
}

/// Bots that say which games they play are not sat down at others.
fn check_game(bot: &Bot, info: &GameInfo) -> Result<(), Failure> {
    let games = &bot.identity.greeting.games;
    if games.is_empty() || games.iter().any(|game| game == info.id) {
        return Ok(());
    }
    let message = format!("bot {} does not play {}; it plays {}", bot.named, info.id, games.join(", "));
    Err(Failure::new(ExitCode::Usage, message).hint("another bot, or another --game"))
}

fn options_of(args: &PlayArgs, place: usize) -> Vec<(String, String)> {
    let own = args.bot_options.iter().filter(|(seat, ..)| *seat == place);
    own.map(|(_, key, value)| (key.clone(), value.clone())).collect()
}

/// The name, with a number behind it where another player has it already.
fn unused_name(wanted: &str, places: &[Place]) -> String {
    let is_taken = |name: &str| places.iter().any(|place| place.name == name);
    let numbered = (2..).map(|number| format!("{wanted} ({number})"));
    std::iter::once(wanted.to_owned())
        .chain(numbered)
        .find(|name| !is_taken(name))
        .expect("numbers do not end")
}

/// People play without a clock unless they ask for one.
fn policy(args: &PlayArgs, places: &[Place]) -> Policy {
    let time = match (args.move_time, args.clock, args.no_clock) {
        (_, _, true) => TimeControl::Unlimited,
        (_, Some(clock), false) => clock,
        (time, None, false) => TimeControl::MoveTime(time.unwrap_or(Duration::from_secs(1))),
    };
    let human_time = args.people.human_time.unwrap_or(TimeControl::Unlimited);
    let of = |place: &Place| if place.bot.is_some() { time } else { human_time };
    Policy {
        time: places.iter().map(of).collect(),
        margin: args.margin,
        max_errors: args.max_errors,
        max_plies: args.max_plies,
    }
}

fn opening_plies(args: &PlayArgs, start: &dyn Position) -> Result<u32, Failure> {
    let default = start.info().opening_plies;
    let plies = match args.openings {
        Some(OpeningsArg::None) => 0,
        Some(OpeningsArg::Random(plies)) => plies.unwrap_or(default),
        None if args.games > 2 && args.position.is_none() => default,
        None => 0,
    };
    let try_one = Openings::new(&MatchSeed::new("an opening must exist"), start, plies).of_unit(0);
    try_one.map(|_| plies).map_err(|error| {
        Failure::new(ExitCode::Usage, error.to_string())
            .hint("--openings none, or fewer plies: --openings random:2")
    })
}
