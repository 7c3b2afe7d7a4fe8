//! The plan of a tournament, from its arguments.

use super::args::{BoardArgs, OutputArgs, PartArgs, RefereeArgs, RunArgs, TestArgs};
use super::common::{Common, check_max_pairs, checked_seats};
use super::entrants::{EntrantPlan, Looked, Named, Who, check_game, check_places, options_of};
use super::{EventPlan, OF_THE_RUN, Plan, Seeding, core};
use crate::cli::failure::{last_lines, machine_failed, together};
use crate::cli::options::{Anchor, LINK, anchor, not_bots, tell_not_bots, time};
use crate::cli::parsing::whole;
use crate::cli::said::Said;
use crate::cli::{ExitCode, Failure};
use crate::host::{Host, Limits, LoadError};
use crate::record::schema::{ByesRecord, ScheduleKind};
use crate::report::{Format, count};
use crate::tournament::{Schedule, Ties};
use crate::ui::talk;
use arbiter_rules::Position;
use clap::Args;
use std::path::{Path, PathBuf};

/// Pairs that a tied meeting of a knockout may grow by, unless somebody says otherwise.
const MORE_PAIRS: u32 = 4;

const EXAMPLES: &str = "\
Examples:
  everybody meets everybody in ten pairs of games:
    arbiter tournament bots --game othello --rounds 10
  what would be played, and for how long:
    arbiter tournament bots --game othello --schedule swiss --dry-run
  until it is clear which is stronger:
    arbiter tournament new.so old.so --game othello --rounds 5000 --sprt 0,5
  options from a file; go on after an interruption:
    arbiter tournament --file cup.toml --resume
  one of four parts, on a cluster:
    arbiter tournament --file cup.toml --seed cup --shard auto/4

A tournament file is TOML or JSON. Its keys are the names of the options above without hyphens in front, and `bots`, a list: \
each a file, a folder of bots, a program (`program:CMD`, run in the folder of the command), or a table with `file`, `name`, `payload`, `options` \
and `time` (--time-odds). `options` at the top are those of the game (-O). \
What is typed counts more than what is in the file.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, args_override_self = true)]
pub(crate) struct TournamentArgs {
    /// Plugin files of everybody who takes part, or folders of them, and programs that talk through pipes, which are not
    /// contained: `program:CMD`, `gtp:CMD`; who is named twice takes part twice
    #[arg(value_name = "BOT")]
    bots: Vec<String>,
    /// Read options from this file first
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    board: BoardArgs,

    /// Who meets whom
    #[arg(long, value_enum, value_name = "KIND", default_value_t = ScheduleKind::RoundRobin, help_heading = "Schedule")]
    schedule: ScheduleKind,
    /// How often everybody meets; the rounds of a Swiss tournament [default: 1; as many as a knockout would have]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000_000), help_heading = "Schedule")]
    rounds: Option<u32>,
    /// Pairs of games in each meeting of a Swiss tournament or a knockout [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=100_000), help_heading = "Schedule")]
    pairs: Option<u32>,
    /// Pairs that a tied meeting of a knockout may grow to, one at a time; after that the better seed goes on
    /// [default: 4 more than --pairs]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=100_000), help_heading = "Schedule")]
    max_pairs: Option<u32>,
    /// How many of the bots, from the first, meet all others in a gauntlet [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..), help_heading = "Schedule")]
    challengers: Option<usize>,
    /// How bots are seeded: by lot from the seed, whatever their order on the command line, or in that order, the best
    /// first
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Schedule")]
    seeding: Option<Seeding>,
    /// What the bot in a place of the command line is called, from 1, instead of by its own name: `1:alice`
    #[arg(long, value_name = "PLACE:NAME", value_parser = name, help_heading = "Schedule")]
    name: Vec<(usize, String)>,
    /// Withdraw a bot that has lost so many games in a row by faults, in the order of the schedule; what
    /// is left of its games are walkovers for the others. 0 for never
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..), default_value_t = 0, help_heading = "Schedule")]
    withdraw_after: u32,
    /// Print the schedule, the number of games and an estimate of the time, and play nothing
    #[arg(long, help_heading = "Schedule")]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    referee: RefereeArgs,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    part: PartArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Give a player this rating, and all others what follows: --anchor Greedy=1500
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor, help_heading = "Output")]
    pub(crate) anchor: Option<Anchor>,
    /// How the standings are printed at the end
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Format::Table, help_heading = "Output")]
    pub(crate) format: Format,
}

impl TournamentArgs {
    /// The same between two versions of a bot, OLD and NEW. Tests and tables say how much stronger the first player is, and that
    /// is NEW; options, and whatever is said about them, keep the places of the command line.
    pub(crate) fn of_versions(self) -> Result<TournamentArgs, Failure> {
        if self.schedule != ScheduleKind::RoundRobin || self.seeding.is_some() {
            let message = "two versions are compared in pairs of games, in the order in which they are typed";
            let failure = Failure::usage(message);
            return Err(
                failure.hint("the same without --schedule and --seeding; arbiter tournament takes both")
            );
        }
        if self.bots.len() != 2 {
            let failure = Failure::usage(format!("two versions are compared; here are {}", self.bots.len()));
            return Err(failure.hint("arbiter compare OLD NEW --game GAME"));
        }
        Ok(TournamentArgs { seeding: Some(Seeding::NewFirst), file: None, ..self })
    }

    /// Who is named on the command line, and in which place of it: the bots in a folder are all in the place of the folder.
    fn named(&self, host: &Host) -> Result<Vec<(usize, String)>, Failure> {
        let mut named = Vec::new();
        for (place, word) in (1..).zip(&self.bots) {
            let folder = Path::new(word);
            // Two versions are two bots, and no folders of them.
            if self.seeding == Some(Seeding::NewFirst) || !folder.is_dir() || host.may_be_bot(folder) {
                named.push((place, word.clone()));
                continue;
            }
            let bots = host.bots_in(Some(folder));
            let bots = bots.map_err(Failure::cannot("read the folder", folder, "a folder with bots"))?;
            tell_not_bots(&not_bots(folder, host));
            if bots.is_empty() {
                let failure = Failure::new(ExitCode::Bot, format!("there are no bots in {word}"));
                return Err(failure.hint("a folder in which bots lie, or the bots themselves"));
            }
            // A link could have the first line of a file that its author may not read stand in the report, as an error of a script.
            let (links, bots): (Vec<_>, Vec<_>) = bots.into_iter().partition(|path| path.is_symlink());
            for link in links {
                talk(&format!(
                    "warning: {} is left out: {LINK}, or name the link on the command line",
                    link.display()
                ));
            }
            named.extend(bots.into_iter().map(|path| (place, path.display().to_string())));
        }
        Ok(named)
    }

    fn schedule(&self, entrants: usize) -> Schedule {
        let (rounds, pairs) = (self.rounds.unwrap_or(1), self.pairs());
        let ties = || Ties { pairs, most_pairs: self.max_pairs.unwrap_or(pairs + MORE_PAIRS).max(pairs) };
        match self.schedule {
            ScheduleKind::RoundRobin => Schedule::RoundRobin { rounds },
            ScheduleKind::Gauntlet => {
                Schedule::Gauntlet { challengers: self.challengers.unwrap_or(1), rounds }
            }
            ScheduleKind::Swiss => Schedule::Swiss {
                rounds: self.rounds.unwrap_or_else(|| entrants.max(2).next_power_of_two().ilog2()),
                pairs,
                byes: Some(ByesRecord::LowestAndWalkovers),
            },
            ScheduleKind::Knockout => Schedule::Knockout(ties()),
            ScheduleKind::DoubleElimination => Schedule::DoubleElimination(ties()),
            ScheduleKind::Match | ScheduleKind::League => {
                unreachable!("--schedule takes kinds of tournaments")
            }
        }
    }

    fn pairs(&self) -> u32 {
        self.pairs.unwrap_or(1)
    }

    /// Refuses an option of another schedule: it would change nothing.
    fn check_schedule(&self) -> Result<(), Failure> {
        use ScheduleKind::{DoubleElimination, Gauntlet, Knockout, RoundRobin, Swiss};
        let options = [
            ("--rounds", self.rounds.is_some(), &[RoundRobin, Gauntlet, Swiss][..]),
            ("--pairs", self.pairs.is_some(), &[Swiss, Knockout, DoubleElimination]),
            ("--max-pairs", self.max_pairs.is_some(), &[Knockout, DoubleElimination]),
            ("--challengers", self.challengers.is_some(), &[Gauntlet]),
        ];
        let other = options.iter().find(|(_, given, takers)| *given && !takers.contains(&self.schedule));
        other.map_or(Ok(()), |(option, _, takers)| {
            let takers: Vec<_> = takers.iter().map(|kind| kind.word()).collect();
            let takers = format!("--schedule {}", takers.join(" or "));
            let message = format!("{option} is for {takers}; this is --schedule {}", self.schedule.word());
            Err(Failure::usage(message).hint(format!("the same without it, or {takers}")))
        })
    }
}

impl Plan {
    /// Checks everything of a tournament that can be checked before the first move.
    pub(crate) fn of_tournament(args: &TournamentArgs, said: &Said, host: &Host) -> Result<Plan, Failure> {
        let TournamentArgs { board, referee, test, run, output, .. } = args;
        let (host, casual) = (run.languages.host(host), false);
        let common = Common { host, board, referee, test: Some(test), run, output: Some(output), casual };
        let start = common.start(|info| {
            let usual = info.seats.first().copied().unwrap_or(2);
            checked_seats(args.board.players.unwrap_or(usual), info)
        })?;
        if args.bots.is_empty() {
            let failure = Failure::usage("nobody takes part: no bot is named");
            return Err(failure
                .hint("plugin files after `arbiter tournament`, or `arbiter bots DIR` to look for some"));
        }
        let read = |who| Named::read(who, &start);
        let words = args.bots.iter().map(|who| read(who)).collect::<Result<Vec<_>, _>>()?;
        check_places(&args.board, &args.referee.time, &words)?;
        args.check_schedule()?;
        check_max_pairs(args.pairs(), args.max_pairs)?;
        if args.part.shard.is_some() && args.referee.seed.is_none() {
            let failure = Failure::usage("the parts of a tournament need a common --seed");
            return Err(failure.hint("--seed with the same text in every part"));
        }
        let limits = common.checked_limits()?;
        let bots = args.named(&common.host)?;
        let named = bots.iter().map(|(place, who)| read(who).map(|named| (*place, named)));
        let named = named.collect::<Result<Vec<_>, _>>()?;
        // A file that is not there is named before there are too few.
        let entrants = entrants(args, named, &start, &common.host, &limits)?;
        let schedule = args.schedule(entrants.len());
        schedule.check(entrants.len(), start.seats()).map_err(|error| {
            let message = format!("this tournament cannot be played: {error}");
            Failure::usage(message).hint("more or fewer bots, another --schedule, or another --players")
        })?;
        // A test asks whether the first bot is stronger, so the order must stay.
        let usual = if args.test.sprt.is_some() { Seeding::Given } else { Seeding::Lot };
        let seeding = args.seeding.unwrap_or(usual);
        let event = EventPlan { schedule, seeding, withdraw_after: args.withdraw_after };
        let games = common.games(start, entrants, event, args.board.position.is_none())?;
        let run = common.run(&games, limits, args.part.clone());
        let verb = if seeding == Seeding::NewFirst { "compare" } else { "tournament" };
        let command = said.command(verb, &OF_THE_RUN);
        Ok(Plan { games, run, view: args.output.view(&args.test), command })
    }
}

/// Reads `1:alice`.
fn name(text: &str) -> Result<(usize, String), String> {
    let placed = time::placed(text).filter(|(_, name)| !name.is_empty());
    let (place, name) = placed.ok_or_else(|| "expected PLACE:NAME, such as 1:alice".to_owned())?;
    Ok((place, name.to_owned()))
}

/// Looks at every bot. One that cannot be loaded takes part and forfeits; a file that does not exist was mistyped, which is an
/// error.
fn entrants(
    args: &TournamentArgs,
    named: Vec<(usize, Named<'_>)>,
    start: &Position,
    host: &Host,
    limits: &Limits,
) -> Result<Vec<EntrantPlan>, Failure> {
    if let Some((place, _)) = args.name.iter().find(|(place, _)| *place > args.bots.len()) {
        let bots = count(args.bots.len() as u32, "bot");
        let message = format!("--name {place}:… names a place without a bot; the command line has {bots}");
        return Err(Failure::usage(message).hint("--name 1:alice for the first bot"));
    }
    let is_shared = |place| named.iter().filter(|(of, _)| *of == place).count() > 1;
    if let Some((place, name)) = args.name.iter().find(|(place, _)| is_shared(*place)) {
        let message =
            format!("--name {place}:{name} names one bot, and {} has several", args.bots[place - 1]);
        return Err(Failure::usage(message).hint("the files in the folder, each in a place of its own"));
    }
    let core = core(host, limits, false, 0);
    let files = named.iter().filter_map(|(_, named)| named.file());
    let looked = Looked::at(files, host, *limits, core, Host::identify);
    if let Some((file, failure)) = looked.failed_by_the_machine() {
        return Err(machine_failed(file, &failure));
    }
    let entrants = named.into_iter().map(|(place, named)| {
        let time = args.referee.time.of_place(place);
        let entrant = |name, who| Some(EntrantPlan { place: Some(place), name, who, time });
        let own_name = args.name.iter().rfind(|(of, _)| *of == place).map(|(_, name)| name.clone());
        let file = match named {
            Named::Bot(file) => file,
            Named::Program(program) => {
                return Ok(entrant(own_name.unwrap_or_else(|| program.name()), Who::Program(program)));
            }
            Named::Person(_) => {
                let failure = Failure::usage("people play matches, and no tournaments");
                let hint = format!("arbiter human BOT --game {} for a match", start.info().id);
                return Err(failure.hint(hint));
            }
        };
        let error = looked.error(file);
        // One that lies among others in a folder has not been asked for by name.
        let is_in_folder = args.bots[place - 1] != file;
        let Some(bot) = looked.bot(file, options_of(&args.board.bot_options, place)) else {
            if let Some(error) = error.filter(|_| is_in_folder) {
                talk(&format!("warning: {file} is left out: {error}"));
                return Ok(None);
            }
            let failure = Failure::new(ExitCode::Bot, format!("cannot read bot {file}"));
            let failure = error.into_iter().fold(failure, |failure, error| failure.because(error));
            let pattern = if file.contains(['*', '?']) { ": no file fits this pattern" } else { "" };
            return Err(failure.hint(format!("the path of a plugin file{pattern}")));
        };
        if let Some(error) = error {
            if is_in_folder && error.error == LoadError::Bridge {
                return Ok(None);
            }
            let why = error.to_string();
            // The line of an exception is in the reason already.
            let printed = last_lines(&error.printed, 1).filter(|line| !why.contains(&**line));
            let printed: String = printed.map(|line| format!("; it printed: {line}")).collect();
            talk(&format!("warning: {file} cannot be loaded and will lose its games: {why}{printed}"));
        }
        let game = start.info().id;
        if let Some(other) = bot.greeting.as_ref().filter(|greeting| is_in_folder && !greeting.plays(game)) {
            let plays = other.repertoire();
            talk(&format!("warning: {file} is left out: it does not play {game}; it plays {plays}"));
            return Ok(None);
        }
        check_game(&bot, start.info())?;
        Ok(entrant(own_name.unwrap_or_default(), Who::Bot(bot)))
    });
    Ok(together(entrants)?.into_iter().flatten().collect())
}
