//! What the plans of matches and tournaments have in common: everything that both kinds of arguments say.

use super::args::{BoardArgs, OpeningsArg, OutputArgs, PartArgs, RefereeArgs, RunArgs, TestArgs};
use super::{Bot, EntrantPlan, EventPlan, MatchPlan, RunPlan, Who};
use crate::cli::Failure;
use crate::cli::options::{isolation, start};
use crate::host::{CAN_STOP, Host, Isolation, Limits};
use crate::record::{read_text, schema};
use crate::referee::Policy;
use crate::tournament::schedule::Unit;
use crate::tournament::{Book, MatchSeed, OpeningList, Openings, Repeated, test_of};
use crate::ui::talk;
use arbiter_rules::{GameInfo, Position, Seat, registry};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The arguments that all plans are made from.
pub(super) struct Common<'a> {
    pub(super) host: Host,
    pub(super) board: &'a BoardArgs,
    pub(super) referee: &'a RefereeArgs,
    pub(super) test: Option<&'a TestArgs>,
    pub(super) run: &'a RunArgs,
    pub(super) output: Option<&'a OutputArgs>,
    /// People may take moves back.
    pub(super) casual: bool,
}

impl Common<'_> {
    /// The position that games start from; `seats` says how many take part in one.
    pub(super) fn start(
        &self,
        seats: impl FnOnce(&'static GameInfo) -> Result<usize, Failure>,
    ) -> Result<Position, Failure> {
        let game = self.board.game.as_deref().ok_or_else(no_game)?;
        let players = registry::find(game).map(seats).transpose()?;
        let start = start(game, players, &self.board.options, self.board.position.as_deref())?;
        if start.end().is_some() {
            let failure = Failure::usage("the game is over in the position of --position");
            return Err(failure.hint("a position in which somebody is to move"));
        }
        if Seat::all(start.seats()).filter(|&seat| start.is_in(seat)).count() == 1 {
            let failure =
                Failure::usage("only one seat is left in the position of --position, so it has won");
            return Err(failure.hint("a position with two seats or more"));
        }
        Ok(start)
    }

    /// What bots may use, once it is clear that this machine can enforce it.
    pub(super) fn checked_limits(&self) -> Result<Limits, Failure> {
        let (usual, time) = (Limits::default(), &self.referee.time);
        let limits = Limits {
            memory: self.run.memory << 20,
            threads: u32::from(self.run.threads),
            instructions: time.fuel.is_some(),
            sandbox: self.run.sandbox,
            isolation: Isolation::of(&self.run.isolate),
            stop_between_turns: self.run.stop_between_turns,
            prepare: time.prepare_time.unwrap_or(usual.prepare),
            new_game: time.prepare_time,
            ..usual
        };
        if limits.stop_between_turns && !CAN_STOP {
            let failure = Failure::usage("this system has no means to stop a bot between its turns");
            return Err(failure.hint("the same command without --stop-between-turns; Linux and macOS can"));
        }
        isolation::check(&self.host, limits.isolation).map(|()| limits)
    }

    pub(super) fn games(
        &self,
        start: Position,
        entrants: Vec<EntrantPlan>,
        event: EventPlan,
        opens_randomly: bool,
    ) -> Result<MatchPlan, Failure> {
        let needs_process = |bot: &&Bot| self.run.in_process && bot.file.runtime().is_some();
        if let Some(bot) = entrants.iter().filter_map(EntrantPlan::bot).find(needs_process) {
            let message = format!("bot {} runs in a process of its own, not inside arbiter", bot.named);
            return Err(Failure::usage(message).hint("the same command without --in-process"));
        }
        self.check_fuel(&entrants)?;
        let asks_both = self.referee.resign_score.or(self.referee.draw_score).is_some();
        if asks_both && start.seats() != 2 {
            let message = format!(
                "--resign-score and --draw-score are for games of two; here are {} seats",
                start.seats()
            );
            return Err(Failure::usage(message).hint("the same without them, or --players 2"));
        }
        let book = self.book(&start, opens_randomly)?;
        let time = &self.referee.time;
        check_starts(&entrants, &book)?;
        Ok(MatchPlan {
            policy: Policy {
                // Instructions are counted exactly.
                margin: if time.fuel.is_some() { Duration::ZERO } else { time.margin },
                max_errors: self.referee.max_errors,
                max_plies: self.referee.max_plies,
                at_max_plies: self.referee.at_max_plies,
                resign_score: self.referee.resign_score,
                draw_score: self.referee.draw_score,
                max_repetitions: self.referee.max_repetitions,
                take_backs: self.casual,
                time: Vec::new(),
            },
            bot_time: time.control(),
            seed: self.referee.seed.as_deref().map(MatchSeed::new),
            book,
            sprt: self.sprt(entrants.len(), start.seats())?,
            in_process: self.run.in_process,
            event,
            start,
            entrants,
        })
    }

    /// Checks that the instructions of all players can be counted, where `--fuel` asks for it.
    fn check_fuel(&self, entrants: &[EntrantPlan]) -> Result<(), Failure> {
        let counts = |entrant: &&EntrantPlan| entrant.bot().is_some_and(|bot| bot.file.counts_instructions());
        let other =
            entrants.iter().find(|entrant| !counts(entrant)).filter(|_| self.referee.time.fuel.is_some());
        other.map_or(Ok(()), |other| {
            let who = other.bot().map_or(&other.name, |bot| &bot.named);
            let message = format!("--fuel counts instructions, and those of {who} cannot be counted");
            let failure = Failure::usage(message);
            Err(failure.hint("bots that are WebAssembly modules, or a time, such as --move-time 100ms"))
        })
    }

    pub(super) fn run(&self, games: &MatchPlan, limits: Limits, part: PartArgs) -> RunPlan {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let asked = self.run.jobs.map_or(cores / limits.threads as usize, usize::from);
        // People play one game after another.
        let most = if games.has_people() { 1 } else { games.most_games() as usize };
        RunPlan {
            host: self.host.clone(),
            limits,
            jobs: asked.clamp(1, most.max(1)),
            part,
            resume: self.run.resume,
            results: self.output.map_or_else(PathBuf::new, |output| output.results.clone()),
            output: self.output.and_then(|output| output.output.clone()),
        }
    }

    fn sprt(&self, players: usize, seats: usize) -> Result<Option<schema::SprtPlan>, Failure> {
        let Some((test, (elo0, elo1))) = self.test.and_then(|test| Some((test, test.sprt?))) else {
            return Ok(None);
        };
        if players != 2 || seats != 2 {
            let message =
                format!("--sprt decides between two bots of a game of two; here {players} take part");
            return Err(Failure::usage(message).hint("a match or tournament of the two bots"));
        }
        let (model, (alpha, beta)) = (test.sprt_model, test.sprt_errors);
        let plan = schema::SprtPlan { model, elo0, elo1, alpha, beta };
        test_of(&plan)
            .map(|_| Some(plan))
            .map_err(|problem| Failure::usage(format!("--sprt: {problem}")).hint("--sprt 0,5"))
    }

    fn book(&self, start: &Position, opens_randomly: bool) -> Result<Book, Failure> {
        let default = (start.info().opening_plies)(start.options());
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
            Failure::usage(error.to_string()).hint("--openings none, or fewer plies: --openings random:2")
        })
    }
}

/// So many seats, if the game can be played by so many.
pub(super) fn checked_seats(seats: usize, info: &GameInfo) -> Result<usize, Failure> {
    if info.seats.contains(&seats) {
        return Ok(seats);
    }
    let message = format!("{} has no {seats} seats; it is played by {}", info.id, numbers(info.seats));
    Err(Failure::usage(message).hint("another number after --players"))
}

pub(super) fn numbers(seats: &[usize]) -> String {
    seats.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

/// Checks that `--max-pairs`, if it is given, leaves room for `--pairs`.
pub(super) fn check_max_pairs(pairs: u32, most: Option<u32>) -> Result<(), Failure> {
    if most.is_none_or(|most| most >= pairs) {
        return Ok(());
    }
    let message = format!("--max-pairs is less than --pairs {pairs}");
    Err(Failure::usage(message).hint("a larger number after --max-pairs"))
}

/// Checks that every program can begin at each of the openings.
fn check_starts(entrants: &[EntrantPlan], book: &Book) -> Result<(), Failure> {
    let Book::List(list) = book else { return Ok(()) };
    for entrant in entrants {
        let Who::Program(program) = &entrant.who else { continue };
        list.positions_of_its_own().try_for_each(|start| program.check(start)).map_err(|problem| {
            let failure = Failure::usage(format!("{program} cannot play: {problem}"));
            failure.hint("--openings with a file of moves, or --openings random")
        })?;
    }
    Ok(())
}

fn list(path: &Path, start: &Position) -> Result<Book, Failure> {
    let hint = "--openings with the path of a file that can be read, or --openings random";
    let text = read_text(path).map_err(Failure::cannot("read the openings", path, hint))?;
    let (list, repeated) = OpeningList::read(&text, start).map_err(|error| {
        let failure =
            Failure::usage(format!("there is a mistake in the openings {}", path.display())).because(&error);
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
    Failure::usage("nothing says which game to play: --game is missing")
        .cause(&format!("the games are {}", games.join(", ")))
        .hint("--game othello, or arbiter on a terminal without arguments for a menu")
}
