//! The plan of a league, from its arguments: everything but who takes part.

use super::args::{BoardArgs, PartArgs, RefereeArgs, RunArgs};
use super::common::{Common, check_max_pairs, numbers};
use super::entrants::check_places;
use super::{EventPlan, Plan, Seeding, Show, ViewPlan};
use crate::cli::Failure;
use crate::cli::options::{Anchor, anchor, time};
use crate::cli::parsing::whole;
use crate::host::Host;
use crate::report::Format;
use crate::tournament::{League, Schedule};
use arbiter_rules::GameInfo;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Versions whose rank stays unclear play up to so many times `--pairs`.
const MORE: u32 = 5;

const EXAMPLES: &str = "\
Examples:
  a course: whoever puts a bot into the folder takes part, for weeks:
    arbiter league course/
  what is new since yesterday, from a timer:
    arbiter league course/ --once
  who stands where, at any moment, also while it plays:
    arbiter standings course/season
  who has earned the marks of mark = \"greedy\" in league.toml:
    arbiter standings course/season --marks --format csv
  the play-offs at the end:
    arbiter league course/ --finals

A league's folder has a league.toml whose keys are the names of the options above without hyphens in front, such as \
game = \"othello\". What is typed counts more. A bot is a library, a .py, .zip or .wasm file, or a folder with bot.py. Every \
version of it plays under its file's name and a number, as in `greedy@3`; earlier ones stay as opponents, and games \
that were played once are never played again. Everything of a season lies in a folder of its own, with a copy of every \
version: stop the program in any way, start it again, and it goes on.";

#[derive(Args, Debug)]
#[command(
    after_help = EXAMPLES,
    args_override_self = true,
    // Bots of a league have no places, and every league goes on with what was interrupted.
    mut_arg("bot_options", |arg| arg.hide(true)),
    mut_arg("time_odds", |arg| arg.hide(true)),
    mut_arg("resume", |arg| arg.hide(true))
)]
pub(crate) struct LeagueArgs {
    /// The folder with the bots, and with league.toml
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) board: BoardArgs,

    /// End the season: the best bots that are there play the tournament that [finals] in league.toml says, a knockout of eight
    /// unless it says otherwise
    #[arg(long, help_heading = "League")]
    pub(crate) finals: bool,
    /// End when there is nothing to play, instead of waiting for other bots
    #[arg(long, help_heading = "League")]
    pub(crate) once: bool,
    /// The folder in DIR in which everything of this season is kept
    #[arg(long, value_name = "NAME", default_value = "season", value_parser = season, help_heading = "League")]
    pub(crate) season: String,
    /// Pairs of games that every version of a bot plays
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<u32>(1..=100_000), help_heading = "League")]
    pairs: u32,
    /// Pairs of games that a version plays at most, as long as it is not clear whether it is stronger than another
    /// [default: 5 times --pairs]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=100_000), help_heading = "League")]
    max_pairs: Option<u32>,
    /// Withdraw a version that has lost so many games in a row by faults; 0 for never
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..), default_value_t = 6, help_heading = "League")]
    withdraw_after: u32,
    /// A bot that sets a mark: others meet it until it is known which is stronger, and the standings say who beats it with 95 %
    /// confidence. `greedy` is its first version, `greedy@2` its second, `libgreedy.so` that of this file
    #[arg(long, value_name = "NAME", help_heading = "League")]
    pub(crate) mark: Vec<String>,
    /// End before round N + 1, so that a machine is free in the morning
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..), help_heading = "League")]
    pub(crate) until_round: Option<u32>,
    /// How often the folder is looked at while there is nothing to play; a file that was written in that time is left alone
    /// until it is whole
    #[arg(long, value_name = "TIME", value_parser = time::positive, default_value = "2s", help_heading = "League")]
    pub(crate) every: Duration,

    #[command(flatten)]
    referee: RefereeArgs,
    #[command(flatten)]
    run: RunArgs,
    /// Print the standings only
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
    /// Give a version this rating, and all others what follows: --anchor greedy@1=1500
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor, help_heading = "Output")]
    pub(crate) anchor: Option<Anchor>,
    /// How the standings are printed
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Format::Table, help_heading = "Output")]
    pub(crate) format: Format,
}

/// Reads the name of a season, which is the name of a folder.
fn season(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if text.starts_with('.') || text.is_empty() || !text.chars().all(is_plain) {
        return Err("a season is named by letters, digits, hyphens and dots, such as 2026-autumn".to_owned());
    }
    Ok(text.to_owned())
}

impl Plan {
    /// Checks everything of a league that can be checked before anybody has come.
    pub(crate) fn of_league(args: &LeagueArgs, host: &Host) -> Result<Plan, Failure> {
        let (board, referee, run) = (&args.board, &args.referee, &args.run);
        let host = run.languages.host(host);
        let common = Common { host, board, referee, test: None, run, output: None, casual: false };
        let start = common.start(|info| two_seats(board.players, info))?;
        check_places(board, &referee.time, &[])?;
        check_max_pairs(args.pairs, args.max_pairs)?;
        let limits = common.checked_limits()?;
        let league = League {
            pairs: args.pairs,
            most_pairs: args.max_pairs.unwrap_or(args.pairs.saturating_mul(MORE)),
            rounds: Some(0),
            attendance: Vec::new(),
            versions: Vec::new(),
        };
        let event = EventPlan {
            schedule: Schedule::League(league),
            seeding: Seeding::Given,
            withdraw_after: args.withdraw_after,
        };
        let games = common.games(start, Vec::new(), event, board.position.is_none())?;
        let run = common.run(&games, limits, PartArgs::default());
        let show = if args.quiet { Show::Result } else { Show::Everything };
        let view = ViewPlan { show, ..ViewPlan::default() };
        // A league goes on by the command that is typed.
        Ok(Plan { games, run, view, command: String::new() })
    }
}

fn two_seats(asked: Option<usize>, info: &GameInfo) -> Result<usize, Failure> {
    if info.seats.contains(&2) && asked.is_none_or(|seats| seats == 2) {
        return Ok(2);
    }
    let message = format!("a league is for games of two; {} is played by {}", info.id, numbers(info.seats));
    Err(Failure::usage(message).hint("another --game, or --players 2; `arbiter tournament` for more seats"))
}
