//! Arguments that matches and tournaments share.

use super::shards::part;
use super::{Show, ViewPlan};
use crate::cli::options::{GameName, PrintingArgs, RuntimeArgs, key_value, time};
use crate::cli::parsing::whole;
use crate::host::{Limits, Means, Sandbox};
use crate::player::TimeControl;
use crate::record::KEPT_ERRORS;
use crate::record::schema::SprtModel;
use crate::referee::{Agreement, AtMaxPlies, Policy};
use crate::tournament::{MOST_JOBS, Openings, Shard};
use crate::verdict::{MEMORY_MIB, MOST_THREADS};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// What is played.
#[derive(Args, Debug)]
pub(crate) struct BoardArgs {
    /// Which game; `arbiter rules` lists them
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    pub(crate) game: Option<String>,
    /// Seats in a game
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..))]
    pub(super) players: Option<usize>,
    /// An option of the game
    #[arg(short = 'O', value_name = "KEY=VALUE", value_parser = key_value)]
    pub(super) options: Vec<(String, String)>,
    /// An option for the bot in a place of the command line, from 1: `-B 2:depth=4`
    #[arg(short = 'B', value_name = "PLACE:KEY=VALUE", value_parser = bot_option)]
    pub(super) bot_options: Vec<(usize, String, String)>,
    /// Position text that every game starts from
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) position: Option<String>,
    /// How games are opened: none, random, random:PLIES, or a file with one opening a line, as moves or as a position
    /// (Othello also in OBF and GGF). More than two games are opened randomly by default, each opening played with all seatings
    #[arg(long, value_name = "HOW", value_parser = openings)]
    pub(super) openings: Option<OpeningsArg>,
}

/// Clocks.
#[derive(Args, Debug)]
pub(crate) struct TimeArgs {
    /// Time for every move [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = time::positive, help_heading = "Time", conflicts_with_all = ["clock", "no_clock"])]
    pub(super) move_time: Option<Duration>,
    /// A clock for the game with an increment after every move: 60s+0.5s
    #[arg(long, value_name = "BASE+INC", value_parser = time::clock, help_heading = "Time", conflicts_with = "no_clock")]
    pub(super) clock: Option<TimeControl>,
    /// No limit
    #[arg(long, help_heading = "Time")]
    pub(super) no_clock: bool,
    /// So many instructions for every move instead of time, such as 50M: the same games on every machine and under any load.
    /// For WebAssembly bots only
    #[arg(long, value_name = "N", value_parser = time::instructions, help_heading = "Time", conflicts_with_all = ["move_time", "clock", "no_clock", "time_odds", "margin"])]
    pub(super) fuel: Option<Duration>,
    /// Another time for the bot in a place of the command line, from 1: `2:30s` is of the kind that the others have, a
    /// clock where they have one, otherwise for every move; `2:20ms/move`, `2:30s+0.5s` and `2:none` say their kind
    #[arg(long, value_name = "PLACE:TIME", value_parser = time::odds, help_heading = "Time")]
    pub(super) time_odds: Vec<(usize, time::Odds)>,
    /// Overrun that is forgiven
    #[arg(long, value_name = "TIME", value_parser = time::duration, default_value = time::MARGIN.as_str(), help_heading = "Time")]
    pub(super) margin: Duration,
    /// Time for a bot to load and begin, for interpreters with large libraries; it is processor time where clocks are, and
    /// no bot's clock runs then [default: 5s to load, 100ms or one move to begin]
    #[arg(long, value_name = "TIME", value_parser = time::positive, help_heading = "Time")]
    pub(super) prepare_time: Option<Duration>,
}

impl TimeArgs {
    /// The time control of the bot in a place of the command line, from 1.
    pub(super) fn of_place(&self, place: usize) -> TimeControl {
        let own = self.time_odds.iter().rfind(|(of, _)| *of == place);
        own.map_or_else(|| self.control(), |(_, odds)| odds.beside(self.control()))
    }

    /// The time control of bots that have no other.
    pub(super) fn control(&self) -> TimeControl {
        match (self.move_time.or(self.fuel), self.clock, self.no_clock) {
            (_, _, true) => TimeControl::Unlimited,
            (_, Some(clock), false) => clock,
            (time, None, false) => TimeControl::MoveTime(time.unwrap_or(Duration::from_secs(1))),
        }
    }
}

/// What the referee allows.
#[derive(Args, Debug)]
pub(crate) struct RefereeArgs {
    #[command(flatten)]
    pub(super) time: TimeArgs,
    /// How many illegal moves lose a bot the game, up to 1000: 1 is the first one; 0 is for none, until a bot has made 10,000
    #[arg(long, value_name = "N", default_value_t = Policy::MAX_ERRORS, value_parser = whole::<u32>(0..=KEPT_ERRORS), help_heading = "Refereeing")]
    pub(super) max_errors: u32,
    /// Plies after which a game is adjudicated
    #[arg(long, value_name = "N", default_value_t = Policy::MAX_PLIES, value_parser = whole::<u32>(1..), help_heading = "Refereeing")]
    pub(super) max_plies: u32,
    /// How a game of so many plies is adjudicated
    #[arg(long, value_enum, value_name = "HOW", default_value_t = AtMaxPlies::Draw, help_heading = "Refereeing")]
    pub(super) at_max_plies: AtMaxPlies,
    /// Times that a position may occur before the game is a draw; 0 for any number (games with a rule of their own keep
    /// it)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..), default_value_t = 0, help_heading = "Refereeing")]
    pub(super) max_repetitions: u32,
    /// End a game as won once both bots agree for PLIES plies in a row [default: 8] that one is ahead by SCORE or more. 100 is
    /// about one piece: 1000,6
    #[arg(long, value_name = "SCORE[,PLIES]", value_parser = agreement, help_heading = "Refereeing")]
    pub(super) resign_score: Option<Agreement>,
    /// End a game as drawn once both bots agree for PLIES plies in a row [default: 8] that neither is ahead by more than SCORE
    #[arg(long, value_name = "SCORE[,PLIES]", value_parser = agreement, help_heading = "Refereeing")]
    pub(super) draw_score: Option<Agreement>,
    /// Any text from which openings, chance and the bots' own seeds follow. A short one can be guessed [default: 128
    /// random bits]
    #[arg(long, value_name = "TEXT", help_heading = "Refereeing")]
    pub(super) seed: Option<String>,
}

/// How games are run.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// Games at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=MOST_JOBS), help_heading = "Running")]
    pub(super) jobs: Option<u16>,
    /// Memory that a bot may use, in MiB; stacks of threads count at their full size
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().memory >> 20, value_parser = whole::<u64>(MEMORY_MIB), help_heading = "Running")]
    pub(super) memory: u64,
    /// Cores that each bot may keep busy, for bots that search with several threads: on its clock, the processor time of
    /// all its threads is divided by N, or by the cores there are where these are fewer. With more than one, bots are bound
    /// to no core, so that --jobs times N should be no more than the cores there are
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=MOST_THREADS), help_heading = "Running")]
    pub(super) threads: u16,
    /// Stop bots outside their turns, so that they cannot think on their opponents' time
    #[arg(long, help_heading = "Running")]
    pub(super) stop_between_turns: bool,
    /// How strictly the system calls of bots are judged
    #[arg(long, value_name = "HOW", default_value = "strict", help_heading = "Running")]
    pub(super) sandbox: Sandbox,
    /// What holds bots besides the sandbox, one or both; where it cannot be had the command fails with exit code 2, and
    /// `arbiter doctor` says what to do
    #[arg(long, value_name = "MEANS", value_enum, value_delimiter = ',', help_heading = "Running")]
    pub(super) isolate: Vec<Means>,
    /// Run trusted bots inside arbiter's own process: faster, and a fault of a bot takes everything down
    #[arg(long, help_heading = "Running", conflicts_with_all = ["stop_between_turns", "sandbox", "isolate", "prepare_time", "fuel"])]
    pub(super) in_process: bool,
    /// Go on with what was interrupted, or with a game that a person has left; begin where there is nothing to go on with, and end
    /// at once where all is played
    #[arg(long, help_heading = "Running")]
    pub(super) resume: bool,
    #[command(flatten)]
    pub(super) languages: RuntimeArgs,
}

/// A test that stops two bots as soon as the answer is clear.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TestArgs {
    /// Stop as soon as a sequential test decides whether the first bot is ELO1 stronger than the second (H1) or only ELO0 (H0). It looks
    /// at whole pairs of games in the order of the schedule
    #[arg(long, value_name = "ELO0,ELO1", value_parser = two_numbers, allow_hyphen_values = true, help_heading = "Stopping early")]
    pub(super) sprt: Option<(f64, f64)>,
    /// The chances that the test accepts ELO1 where ELO0 is true, and the other way round
    #[arg(long, value_name = "ALPHA,BETA", value_parser = two_numbers, default_value = "0.05,0.05", requires = "sprt", help_heading = "Stopping early")]
    pub(super) sprt_errors: (f64, f64),
    /// The scale of ELO0 and ELO1
    #[arg(long, value_enum, value_name = "SCALE", default_value_t = SprtModel::Logistic, requires = "sprt", help_heading = "Stopping early")]
    pub(super) sprt_model: SprtModel,
    /// End with exit code 1 unless the test accepts ELO1
    #[arg(long, requires = "sprt", help_heading = "Stopping early")]
    pub(super) sprt_exit: bool,
    /// End with exit code 1 if any bot lost a game or a seat by a fault
    #[arg(long, help_heading = "Stopping early")]
    pub(super) fail_on_fault: bool,
}

/// Which of the games this process plays; by default all.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PartArgs {
    /// Play part I of N only: 2/4, or auto/4 for the number that a cluster's scheduler gives this process: in an array of
    /// Slurm from 1 to 4 or from 0 to 3, of Grid Engine, LSF or PBS, in GitLab or GNU parallel from 1, in Kubernetes, AWS
    /// Batch or Cloud Run from 0. Other numbers are refused. `arbiter merge` puts the parts together
    #[arg(long, value_name = "I/N", value_parser = part, help_heading = "Several machines")]
    pub(crate) shard: Option<Shard>,
    /// Reports and journals with results that are known already: rounds that depend on results, and tests, go on from
    /// there
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Several machines")]
    pub(crate) after: Vec<PathBuf>,
    /// Play so many units (pairs of games) beyond the known ones, then stop
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..), help_heading = "Several machines")]
    pub(crate) wave: Option<u32>,
}

/// Where results go.
#[derive(Args, Debug)]
pub(crate) struct OutputArgs {
    /// Folder for the report
    #[arg(long, value_name = "DIR", default_value = "results", help_heading = "Output")]
    pub(super) results: PathBuf,
    /// File for the report instead of a new one in the folder; a report that is there is replaced
    #[arg(short, long, value_name = "FILE", conflicts_with = "results", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
    /// Print the result only
    #[arg(long, short, help_heading = "Output")]
    pub(super) quiet: bool,
    /// Print every event as a JSON object, one a line
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,
    /// How progress is shown [default: a bar on a terminal, lines elsewhere]
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ProgressArg::Auto, hide_default_value = true, help_heading = "Output")]
    pub(super) progress: ProgressArg,
    #[command(flatten)]
    pub(super) printing: PrintingArgs,
}

impl OutputArgs {
    /// What is shown of games between bots, and what the program ends with.
    pub(super) fn view(&self, test: &TestArgs) -> ViewPlan {
        let show = match (self.json, self.quiet) {
            (true, _) => Show::Json,
            (false, true) => Show::Result,
            (false, false) => Show::Everything,
        };
        let printing = self.printing.plan();
        ViewPlan { show, progress: self.progress, test: test.clone(), printing, ..ViewPlan::default() }
    }
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressArg {
    /// A bar on a terminal, lines elsewhere
    #[default]
    Auto,
    /// Lines without control characters
    Plain,
    /// Not at all
    None,
}

/// How games are opened, as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OpeningsArg {
    None,
    Random(Option<u32>),
    File(PathBuf),
}

fn openings(text: &str) -> Result<OpeningsArg, String> {
    match text.split_once(':') {
        None if text == "none" => Ok(OpeningsArg::None),
        None if text == "random" => Ok(OpeningsArg::Random(None)),
        Some(("random", plies)) => match plies.parse() {
            Ok(plies @ 1..=Openings::LONGEST) => Ok(OpeningsArg::Random(Some(plies))),
            _ => Err(format!("random:PLIES takes 1 to {} plies", Openings::LONGEST)),
        },
        _ if text == "-" || text.contains(['.', '/']) => Ok(OpeningsArg::File(PathBuf::from(text))),
        _ => Err("openings are none, random, random:PLIES, or a file such as ./openings.txt".to_owned()),
    }
}

fn bot_option(text: &str) -> Result<(usize, String, String), String> {
    let form = || "expected PLACE:KEY=VALUE, such as 2:depth=4".to_owned();
    let (place, option) = time::placed(text).ok_or_else(form)?;
    let (key, value) = key_value(option).map_err(|_| form())?;
    Ok((place, key, value))
}

/// Plies in a row for which both bots have to agree, unless somebody says otherwise.
const AGREED_PLIES: u32 = 8;

fn agreement(text: &str) -> Result<Agreement, String> {
    let (score, plies) = text.split_once(',').map_or((text, None), |(score, plies)| (score, Some(plies)));
    let plies =
        plies.map_or(Some(AGREED_PLIES), |plies| plies.trim().parse().ok().filter(|plies| *plies >= 2));
    match (score.trim().parse(), plies) {
        (Ok(score), Some(plies)) if i32::try_from(score).is_ok() => Ok(Agreement { score, plies }),
        _ => Err("expected a score and from 2 on a number of plies, such as 1000,6".to_owned()),
    }
}

fn two_numbers(text: &str) -> Result<(f64, f64), String> {
    let form = || "expected two numbers, such as 0,5".to_owned();
    let (first, second) = text.split_once(',').ok_or_else(form)?;
    let number =
        |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(form);
    Ok((number(first)?, number(second)?))
}
