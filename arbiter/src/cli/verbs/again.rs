//! `arbiter again`: the moment in which a bot failed, played once more with the real bot.

use crate::cli::failure::{cannot_load, machine_failed};
use crate::cli::options::RuntimeArgs;
use crate::cli::parsing::whole;
use crate::cli::plan::program_named;
use crate::cli::saved::{Games, newest, no_game};
use crate::cli::{Failure, Output};
use crate::host::{BotCommand, CAN_STOP, Host, Limits, Sandbox, Sandboxed};
use crate::player::Player;
use crate::program::Program;
use crate::record::schema::{self, ClockKind, GameRecord, MatchReport, Plan, PlayerKind};
use crate::report::ranges;
use crate::sanitize::{quoted, sanitize};
use crate::tournament::Course;
use crate::ui::talk;
use crate::verdict::MEMORY_MIB;
use crate::verify::{ask_again, start};
use arbiter_rules::Seat;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(
    after_help = "Prints what the bot answers in each of its turns up to that moment, and what it did then where that was \
                  something else. Exit codes: 0 whatever it does; 2 where no game was lost by a fault; 3 where the bot cannot be \
                  loaded, or the machine cannot run it; 4 where the file cannot be read."
)]
pub(crate) struct AgainArgs {
    /// The match report, or a folder, of which the newest is taken; - for standard input
    #[arg(value_name = "FILE|DIR")]
    file: PathBuf,
    /// The game, from 1 [default: the first that was lost by a fault]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..))]
    game_number: Option<u32>,
    /// The seat whose bot is asked again, from 1 [default: the one that lost by a fault]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..))]
    seat: Option<usize>,
    /// A bot to ask instead of the file that the report names: a plugin file, or a program, `program:CMD`, which is asked only
    /// where it is named here
    #[arg(long, value_name = "BOT")]
    bot: Option<String>,
    #[command(flatten)]
    languages: RuntimeArgs,
}

pub(crate) fn again(args: &AgainArgs, host: &Host, out: &mut Output) -> Result<(), Failure> {
    let file = &newest(&args.file)?;
    let found = Found::in_file(file, args)?;
    let game = found.game(file, args)?;
    let seat = wanted_seat(game, args)?;
    let host = &args.languages.host(host);
    let (mut asked, named) = asked(file, &found.frame.plan, game, seat, args.bot.as_deref(), host)?;
    let course = found.course.as_ref().map_err(|problem| vec![problem.clone()]);
    let moments = course.and_then(|course| ask_again(&found.frame, course, game, seat, asked.player()));
    let moments = moments.map_err(|problems| {
        let file = file.display();
        let failure = Failure::file(format!("cannot play a game of {file} again"));
        problems
            .iter()
            .fold(failure, |failure, cause| failure.cause(cause))
            .hint(format!("arbiter verify {file}"))
    })?;
    for moment in &moments {
        let when = moment.ply.map_or("at the start".to_owned(), |ply| format!("ply {}", ply + 1));
        let when = if found.numbers.len() > 1 { format!("game {}, {when}", game.number) } else { when };
        let same = if moment.now == moment.then {
            "as before".to_owned()
        } else {
            format!("before, it {}", moment.then)
        };
        out.line(&sanitize(&format!("{when}: seat {seat} {} ({same})", moment.now)))?;
    }
    let output = asked.into_output();
    output.lines().try_for_each(|line| out.line(&format!("output: {}", sanitize(line))))?;
    if args.game_number.is_none() {
        found.tell_others(game);
    }
    match moments.iter().find_map(|moment| moment.machine.as_ref()) {
        Some(failure) => Err(machine_failed(&named, failure)),
        None => Ok(()),
    }
}

/// A file, of which one game is played again: of the others no more is kept than that, since there may be any number of them.
struct Found {
    frame: MatchReport,
    /// Where its games stand in their schedule, or why there is none.
    course: Result<Course, String>,
    game: Option<GameRecord>,
    numbers: Vec<u32>,
    /// The numbers of those that were lost by a fault.
    failed: Vec<u32>,
}

impl Found {
    fn in_file(file: &Path, args: &AgainArgs) -> Result<Found, Failure> {
        let mut games = Games::open(file)?;
        let mut course = Course::of_report(games.frame());
        let (mut wanted, mut first) = (None, None);
        let (mut numbers, mut failed) = (Vec::new(), Vec::new());
        for some in games.some() {
            for game in some? {
                if let Ok(course) = &mut course {
                    course.hear(&game);
                }
                numbers.push(game.number);
                let has_failed = failed_seat(&game).is_some();
                failed.extend(has_failed.then_some(game.number));
                if wanted.is_none() && args.game_number.map_or(has_failed, |number| number == game.number) {
                    wanted = Some(game);
                } else if first.is_none() {
                    first = Some(game);
                }
            }
        }
        let any = first.filter(|_| args.game_number.is_none() && args.seat.is_some());
        Ok(Found { frame: games.end()?, course, game: wanted.or(any), numbers, failed })
    }

    /// The game that was asked for, or the first that was lost by a fault.
    fn game(&self, file: &Path, args: &AgainArgs) -> Result<&GameRecord, Failure> {
        self.game.as_ref().ok_or_else(|| {
            let Some(number) = args.game_number else {
                let message = format!("nobody lost a game of {} by a fault", file.display());
                let hint = "--game-number and --seat to ask a bot again all the same";
                return Failure::usage(message).hint(hint);
            };
            no_game(file, number, &self.numbers)
        })
    }

    /// Says which other games were lost by a fault.
    fn tell_others(&self, played: &GameRecord) {
        let others = self.failed.iter().copied().filter(|number| *number != played.number);
        let numbers: Vec<u32> = others.collect();
        let others = match numbers.len() {
            0 => return,
            1 => "another game was lost by a fault: --game-number".to_owned(),
            some => format!("{some} other games were lost by a fault: --game-number with one of"),
        };
        talk(&format!("{others} {}", ranges(&numbers)));
    }
}

/// The seat that was asked for, or the one that lost by a fault.
fn wanted_seat(game: &GameRecord, args: &AgainArgs) -> Result<Seat, Failure> {
    let (number, seats) = (game.number, game.seats.len());
    let Some(asked) = args.seat else {
        return failed_seat(game).ok_or_else(|| {
            let message = format!("nobody lost game {number} by a fault");
            let hint =
                format!("--seat 1 to {seats} to ask a bot again all the same, or another --game-number");
            Failure::usage(message).hint(hint)
        });
    };
    let seat = asked.checked_sub(1).and_then(Seat::new).filter(|seat| seat.index() < seats);
    seat.ok_or_else(|| {
        let message = format!("there is no seat {asked} in game {number}");
        Failure::usage(message).hint(format!("--seat 1 to {seats}"))
    })
}

fn failed_seat(game: &GameRecord) -> Option<Seat> {
    game.lost_by().and_then(|(seat, _)| Seat::new(seat as usize))
}

/// The copy of a bot in the folder of its season, wherever that has been put, if the file is not where it was.
fn in_season(source: &Path, player: &schema::Player) -> Option<PathBuf> {
    let file = Path::new(player.file.as_ref()?);
    let copy = Path::new("bots").join(&player.name).join(file.file_name()?);
    let season = source.parent()?;
    let copies = [season.join(&copy), season.join("..").join(&copy)];
    copies.into_iter().find(|copy| !file.exists() && copy.exists())
}

enum Asked {
    Bot(Box<Sandboxed>),
    Program(Program),
}

impl Asked {
    fn player(&mut self) -> &mut dyn Player {
        match self {
            Asked::Bot(bot) => &mut **bot,
            Asked::Program(program) => program,
        }
    }

    /// Everything that it printed: it ends.
    fn into_output(self) -> String {
        match self {
            Asked::Bot(bot) => bot.into_output(),
            Asked::Program(program) => program.output(),
        }
    }
}

/// Who is asked in a seat, and how it is named.
fn asked(
    source: &Path,
    plan: &Plan,
    game: &GameRecord,
    seat: Seat,
    instead: Option<&str>,
    host: &Host,
) -> Result<(Asked, String), Failure> {
    let player = game.seats.get(seat.index()).and_then(|record| plan.players.get(record.player as usize));
    let limits = limits(plan, game, seat);
    if let Some(named) = instead {
        let start = start(plan).map_err(|problem| {
            Failure::file(format!("cannot play a game of {} again", source.display())).cause(&problem)
        })?;
        if let Some(command) = program_named(named, &start)? {
            let program = Program::new(&command, limits.prepare, Arc::default());
            return Ok((Asked::Program(program), named.to_owned()));
        }
    }
    if let Some(program) = player.filter(|player| player.kind == PlayerKind::Program && instead.is_none()) {
        let message = format!("{} in seat {seat} is a program, and nothing contains programs", program.name);
        let named = program.file.as_deref().unwrap_or("program:CMD");
        return Err(Failure::usage(message)
            .cause("a report may come from anybody, so that its command is not run unless you name it")
            .hint(format!("--bot {} if you trust it, or --bot FILE to ask a bot instead", quoted(named))));
    }
    let named = || in_season(source, player?).or_else(|| player?.file.as_ref().map(PathBuf::from));
    let file = instead.map(PathBuf::from).or_else(named);
    let (Some(player), Some(file)) = (player, file) else {
        return Err(Failure::usage(format!("the report names no plugin for seat {seat}")).hint("--bot FILE"));
    };
    let named = file.display().to_string();
    let library = host.bot(file);
    let options = player.options.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let command = BotCommand { options, limits, ..BotCommand::new(host, library) };
    host.identify(&command).map_err(|error| cannot_load(&named, seat.index() + 1, &error))?;
    Ok((Asked::Bot(Box::new(Sandboxed::start(&command))), named))
}

/// What the bot of a seat may use: as much as it had then. Older reports tell of its memory only where that did not suffice.
fn limits(plan: &Plan, game: &GameRecord, seat: Seat) -> Limits {
    let (usual, had) = (Limits::default(), plan.limits);
    let own = game.faults().filter(|(of, _)| *of as usize == seat.index()).map(|(_, fault)| fault);
    let short = own.filter(|fault| fault.kind == "out-of-memory").find_map(|fault| fault.limit);
    let memory = had.memory.or(short).filter(|memory| MEMORY_MIB.contains(&(memory >> 20)));
    let new_game = plan.prepare_time_ns.map(Duration::from_nanos);
    Limits {
        memory: memory.unwrap_or(usual.memory),
        threads: had.threads.unwrap_or(usual.threads),
        sandbox: if had.wide_sandbox { Sandbox::Wide } else { usual.sandbox },
        prepare: new_game.unwrap_or(usual.prepare),
        new_game,
        instructions: plan.clock == Some(ClockKind::Instructions),
        stop_between_turns: had.stopped_between_turns && CAN_STOP,
        ..usual
    }
}
