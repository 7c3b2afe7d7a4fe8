//! The plan of a match, from its arguments.

use super::args::{BoardArgs, OutputArgs, PartArgs, RefereeArgs, RunArgs, TestArgs};
use super::common::{Common, checked_seats, numbers};
use super::entrants::{EntrantPlan, Looked, Named, Who, check_game, check_places, options_of, unused_name};
use super::{EventPlan, OF_THE_RUN, Plan, Seeding, ViewPlan, core};
use crate::cli::Failure;
use crate::cli::failure::{cannot_load, together};
use crate::cli::options::{
    At, ColourArgs, DebugArg, PeopleArgs, PicturesArgs, ReviewArgs, WebArgs, people, time,
};
use crate::cli::parsing::whole;
use crate::cli::said::Said;
use crate::host::{Host, Limits};
use crate::player::TimeControl;
use crate::sanitize::seen;
use crate::tournament::Schedule;
use arbiter_rules::draw::Charset;
use arbiter_rules::{GameInfo, Position, did_you_mean, registry};
use clap::{Args, Command, ValueEnum};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// Plugin files or scripts in the order of the seats: `./bot.so`, `./bot.py`, `./bot.so+weights.bin` for a bot that brings
    /// a file; `greedy`, `minimax`, `mcts` and the like for those that came with arbiter; `human` or `human:NAME` for a person at
    /// this terminal, `human@web` or `human@web:NAME` for one in a browser. Seats that are left are played by people
    #[arg(value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    board: BoardArgs,
    /// How many games; seats are swapped from game to game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1_000_000_000))]
    games: u32,
    /// Who sits in a seat, by its number from 1 or its sign, as in `o=human`: `2=human:Ana` for a person with a name, a plugin file, or a program that talks through
    /// pipes, which is not contained: `2='program:python3 bot.py'`, or `2='gtp:CMD'` for an engine that plays Othello
    #[arg(long, value_name = "SEAT=WHO", value_parser = seat)]
    seat: Vec<(String, String)>,
    #[command(flatten)]
    referee: RefereeArgs,
    #[command(flatten)]
    people: PeopleArgs,
    #[command(flatten)]
    review: ReviewArgs,
    #[command(flatten)]
    pub(crate) web: WebArgs,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
    #[command(flatten)]
    pictures: PicturesArgs,
}

/// How people see what is played.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ScreenArgs {
    /// How people play and watch: on the whole screen, or line by line (for screen readers and scripts) [default: the
    /// screen of a terminal, lines elsewhere]
    #[arg(long, value_enum, value_name = "VIEW", default_value_t = Ui::Auto, hide_default_value = true, help_heading = "Output")]
    pub(crate) ui: Ui,
    #[command(flatten)]
    pub(crate) colour: ColourArgs,
    /// Folder in which the menu looks for bots [default: this one, and those that came with arbiter]
    #[arg(long = "bots", value_name = "DIR", value_parser = folder, help_heading = "Output")]
    pub(crate) bots_in: Option<PathBuf>,
    /// Show the games while they are played
    #[arg(long, help_heading = "Output")]
    pub(crate) watch: bool,
    /// Wait so long after every move of a game that is watched; no clock runs meanwhile
    #[arg(long, value_name = "TIME", value_parser = time::duration, help_heading = "Output")]
    pub(crate) delay: Option<Duration>,
    #[command(flatten)]
    pub(crate) debug: DebugArg,
}

fn folder(text: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(text);
    if folder.is_dir() { Ok(folder) } else { Err("there is no folder of that name".to_owned()) }
}

impl PlayArgs {
    /// Whether nothing says what to play.
    pub(crate) fn is_empty(&self) -> bool {
        self.board.game.is_none() && self.bots.is_empty() && self.seat.is_empty()
    }

    /// A first word that is no bot: nearly a command, or a game where `--game` is missing.
    pub(crate) fn mistyped(&self, host: &Host, program: fn() -> Command) -> Option<Failure> {
        let word = self.bots.first()?.as_str();
        let is_file = |word: &str| Path::new(word).exists();
        let is_plain = word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        if !is_plain || word == people::HUMAN || is_file(word) || host.own_bot(word).is_some() {
            return None;
        }
        let says_no_game = self.board.game.is_none();
        let is_game = |word: &&String| registry::find(word).is_some() && !is_file(word);
        if let Some(game) = self.bots.iter().find(is_game).filter(|_| says_no_game) {
            let failure = Failure::usage(format!("'{game}' is a game: it is named after --game"));
            let hint = format!("arbiter --game {game}, with bots before it if there shall be any");
            return Some(failure.hint(hint));
        }
        let program = program();
        let commands = || program.get_subcommands().map(Command::get_name);
        let bots = host.own_bots();
        let similar = did_you_mean(word, commands().chain(bots.iter().map(String::as_str)));
        let message = format!("there is no command, no bot and no file '{word}'{similar}");
        (says_no_game || !did_you_mean(word, commands()).is_empty())
            .then(|| Failure::usage(message).hint("arbiter --help lists the commands, arbiter bots the bots"))
    }
}

/// How people play and watch.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ui {
    /// The whole screen of a terminal, lines elsewhere
    #[default]
    Auto,
    /// The whole screen
    Full,
    /// Line by line
    Line,
}

/// The place of a seat in the order of the turns, from 0, by its number from 1 or by the sign of its pieces.
fn seat_index(seat: &str, start: &Position) -> Option<usize> {
    if let Ok(number) = seat.parse::<usize>() {
        return Some(number - 1);
    }
    let has = |index: usize, charset| start.sign(index, charset).to_string().eq_ignore_ascii_case(seat);
    (0..start.seats()).find(|&index| has(index, Charset::Ascii) || has(index, Charset::Unicode))
}

fn seat(text: &str) -> Result<(String, String), String> {
    let is_seat = |seat: &str| match seat.parse::<usize>() {
        Ok(number) => number > 0,
        Err(_) => seat.chars().count() == 1,
    };
    let parts = text.split_once('=').filter(|(seat, who)| is_seat(seat) && !who.is_empty());
    let (seat, who) = parts.ok_or("expected SEAT=WHO, such as 2=human:Ana or o=human")?;
    Ok((seat.to_owned(), who.to_owned()))
}

impl Plan {
    /// Checks everything of a match that can be checked before the first move.
    pub(crate) fn new(args: &PlayArgs, said: &Said, host: &Host) -> Result<Plan, Failure> {
        let PlayArgs { board, referee, test, run, output, .. } = args;
        let (host, casual) = (run.languages.host(host), args.people.casual);
        let common = Common { host, board, referee, test: Some(test), run, output: Some(output), casual };
        if args.test.sprt.is_some() && args.games < 2 {
            let failure = Failure::usage("--sprt looks at pairs of games, and this is one game");
            return Err(failure.hint("--games 1000 or more: it stops as soon as the test decides"));
        }
        let start = common.start(|info| seats(args, info))?;
        let limits = common.checked_limits()?;
        let entrants = entrants(args, &start, &common.host, &limits)?;
        let event = EventPlan {
            schedule: Schedule::Match { games: args.games },
            seeding: Seeding::Given,
            withdraw_after: 0,
        };
        let has_people = entrants.iter().any(|entrant| entrant.person().is_some());
        let opens_randomly = args.games > 2 && args.board.position.is_none() && !has_people;
        let games = common.games(start, entrants, event, opens_randomly)?;
        let run = common.run(&games, limits, PartArgs::default());
        let view = ViewPlan {
            screen: args.screen.clone(),
            people: args.people.clone(),
            review: args.review.clone(),
            web: (args.web.web || games.has_people_at(At::Web)).then(|| args.web.clone()),
            pictures: args.pictures.open()?,
            ..args.output.view(&args.test)
        };
        if view.screen.delay.is_some() && !view.screen.watch && view.web.is_none() {
            let failure = Failure::usage("--delay is about games that are watched, and this one is not");
            return Err(failure.hint("--watch, or --web for a page"));
        }
        Ok(Plan { games, run, view, command: said.command("", &OF_THE_RUN) })
    }
}

/// How many seats: as asked, otherwise as the game usually has, or the fewest that the bots fit into.
fn seats(args: &PlayArgs, info: &GameInfo) -> Result<usize, Failure> {
    let named = args.seat.iter().filter_map(|(seat, _)| seat.parse().ok()).max().unwrap_or(0);
    let bots = (args.bots.len() + args.seat.len()).max(named);
    let seats = match args.board.players {
        Some(seats) => checked_seats(seats, info)?,
        None => {
            let default = info.seats.first().copied().filter(|&seats| seats >= bots);
            let fewest = info.seats.iter().copied().filter(|&seats| seats >= bots).min();
            default.or(fewest).unwrap_or_else(|| info.seats.iter().copied().max().unwrap_or(2))
        }
    };
    if bots > seats {
        let message = format!("{bots} bots for {seats} seats of {}", info.id);
        let numbers = numbers(info.seats);
        let hint = format!("fewer bots, or a game with more seats; {} is played by {numbers}", info.id);
        return Err(Failure::usage(message).hint(hint));
    }
    Ok(seats)
}

/// Opens every bot. What is wrong with several of them is told together.
fn entrants(
    args: &PlayArgs,
    start: &Position,
    host: &Host,
    limits: &Limits,
) -> Result<Vec<EntrantPlan>, Failure> {
    let named = named(args, start)?;
    let named: Vec<_> = named.into_iter().map(|who| Named::read(who, start)).collect::<Result<_, _>>()?;
    check_places(&args.board, &args.referee.time, &named)?;
    let has_people = named.iter().any(|named| matches!(named, Named::Person(_)));
    let core = core(host, limits, has_people, 0);
    let identify = if args.run.in_process { Host::identify } else { Host::identify_to_play };
    let looked = Looked::at(named.iter().filter_map(Named::file), host, *limits, core, identify);
    let errors = named.iter().enumerate().filter_map(|(index, who)| {
        let file = who.file()?;
        let is_first = !named[..index].iter().any(|other| other.file() == Some(file));
        let error = looked.error(file).filter(|_| is_first)?;
        Some(Err(cannot_load(file, index + 1, error)))
    });
    together::<()>(errors)?;
    let usual = if args.web.web { At::Web } else { At::Here };
    let mut entrants: Vec<EntrantPlan> = Vec::new();
    for (seat, named) in (1..).zip(named) {
        let mut time = args.referee.time.of_place(seat);
        let (name, who) = match named {
            Named::Bot(file) => {
                let bot = looked.bot(file, options_of(&args.board.bot_options, seat));
                let bot = bot.expect("it has been loaded");
                check_game(&bot, start.info())?;
                // It gets its name when it is seated.
                (String::new(), Who::Bot(bot))
            }
            Named::Program(program) => (program.name(), Who::Program(program)),
            Named::Person(person) => {
                time = args.people.human_time.unwrap_or(TimeControl::Unlimited);
                let name = seen(person.name);
                let name = if name.trim().is_empty() { people::HUMAN } else { &name };
                (unused_name(name, &entrants), Who::Person(person.at.unwrap_or(usual)))
            }
        };
        entrants.push(EntrantPlan { place: Some(seat), name, who, time });
    }
    Ok(entrants)
}

/// Who sits in each seat: as `--seat` says, the bots in the seats that are left, then people.
fn named<'a>(args: &'a PlayArgs, start: &Position) -> Result<Vec<&'a str>, Failure> {
    let seats = start.seats();
    let mut named: Vec<Option<&str>> = vec![None; seats];
    for (seat, who) in &args.seat {
        let message = match seat_index(seat, start).map(|index| named.get_mut(index)) {
            Some(Some(place @ None)) => {
                *place = Some(who);
                continue;
            }
            Some(Some(Some(_))) => format!("--seat {seat}=… is given twice"),
            Some(None) => format!("there is no seat {seat}; there are {seats}"),
            None => {
                let signs = (0..seats).map(|seat| start.sign(seat, Charset::Ascii).to_string());
                let signs = signs.collect::<Vec<_>>().join(", ");
                format!("no seat of {} has the sign {seat}; the signs are {signs}", start.info().id)
            }
        };
        return Err(Failure::usage(message).hint("--seat 1=human:Ana for the first seat"));
    }
    let mut bots = args.bots.iter().map(String::as_str);
    Ok(named.into_iter().map(|who| who.or_else(|| bots.next()).unwrap_or(people::HUMAN)).collect())
}
