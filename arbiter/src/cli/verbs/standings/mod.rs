//! `arbiter standings`: how everybody stands, from reports and journals.

mod pool;
mod sources;

use crate::cli::options::anchored;
use crate::cli::saved::all_files;
use crate::cli::show::circumstances::circumstances;
use crate::cli::show::results::ShownArgs;
use crate::cli::{Failure, Output};
use crate::report::{Format, Ledger, Standings, standings_text};
use crate::ui::talk;
use clap::Args;
use pool::pool;
use sources::{Tournament, tournaments};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(
    after_help = "Reports and journals of one tournament are put together, each game once; files that differ in a game are \
                  refused. Those of several matches and tournaments of one game make a common table: a bot is the same if \
                  its name, file and options are, whatever its time; what they differ in is said.\n\n\
                  Equal points are told apart by the points of those with as many against each other (H2H), then by \
                  Sonneborn-Berger (SB: the points of opponents, by what was scored against them), then by wins; in Swiss \
                  tournaments by Buchholz (BH: the points of all opponents), then by Sonneborn-Berger. Ratings are in Elo, \
                  with the range that holds the true one in 95 of 100 cases, however few games there were (it is twice as \
                  wide where results decide who meets whom, in Swiss tournaments and brackets); who is \
                  stronger is told from five pairs of games of a bot on. In games of three and more seats the last place \
                  is worth no points and each place before it one more; those who share places share their points."
)]
pub(crate) struct StandingsArgs {
    /// Reports, journals, or folders of them; - for standard input
    #[arg(value_name = "FILE|DIR", required = true)]
    paths: Vec<PathBuf>,
    /// How to print them
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Print for a league who beats the bots that set marks, and nothing else
    #[arg(long)]
    marks: bool,
    #[command(flatten)]
    shown: ShownArgs,
}

pub(crate) fn standings(args: &StandingsArgs, out: &mut Output) -> Result<(), Failure> {
    let paths = all_files(&args.paths)?;
    let tournaments = tournaments(&paths, &args.shown)?;
    let standings = match &tournaments[..] {
        [one] => of_one(one, &args.shown)?,
        several => {
            let (standings, unlike) = pool(several)?;
            if let Some(unlike) = unlike
                && !matches!(args.format, Format::Table | Format::Markdown)
            {
                talk(&format!("warning: {unlike}"));
            }
            standings
        }
    };
    let standings = anchored(standings, args.shown.anchor.as_ref())?;
    if args.marks {
        if standings.marks().is_empty() {
            let failure = Failure::usage("nobody sets a mark there");
            return Err(failure.hint("the folder of a season whose league.toml has a mark = [\"greedy\"]"));
        }
        out.told(&standings.marks_alone(args.format, out.columns()), args.format)
    } else {
        out.told(&standings_text(&standings, args.format, out.charset(), out.columns()), args.format)
    }
}

fn of_one(tournament: &Tournament<'_>, shown: &ShownArgs) -> Result<Standings, Failure> {
    let mut ledger = Ledger::under(&tournament.plan);
    let course = tournament.visit(|game| ledger.add(&game))?;
    let Ledger { tally, duplicates } = ledger;
    let repeated = duplicates.groups().iter().map(|group| group.len() as u32 - 1).sum();
    let mut circumstances = circumstances(&tournament.plan, &course, repeated);
    circumstances.not_let_in = tournament.files.iter().flat_map(|file| shown.not_let_in(file)).collect();
    circumstances.not_let_in.sort();
    circumstances.not_let_in.dedup();
    Ok(Standings::new(&tally, circumstances))
}
