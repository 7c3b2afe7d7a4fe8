//! `arbiter compare`: whether a bot has got stronger, as the tournament of two that answers it.

use crate::cli::plan::TournamentArgs;
use crate::cli::{ExitCode, Failure};
use clap::{Args, Parser};

/// Arguments of `arbiter compare`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  is the new one stronger? Plays until that is known:
    arbiter compare ./old.so ./new.so --game othello --move-time 20ms
  would ten Elo be worth it? One of a hundred answers may be wrong:
    arbiter compare ./old.so ./new.so --game hex --sprt 0,10 --sprt-errors 0.01,0.01

All options of `arbiter tournament` are taken. It asks --sprt 0,20 for at most --rounds 20000 pairs of games unless \
something else is said.")]
pub(crate) struct CompareArgs {
    /// The version to beat
    old: String,
    /// The version that may be stronger
    new: String,
    /// Options of `arbiter tournament`: --game first of all
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    options: Vec<String>,
}

/// A tournament as it is written here.
#[derive(Parser)]
struct Written {
    #[command(flatten)]
    tournament: TournamentArgs,
}

impl CompareArgs {
    /// The tournament that answers the question.
    pub(super) fn tournament(&self) -> Result<TournamentArgs, Failure> {
        let usual = ["arbiter", "--sprt", "0,20", "--rounds", "20000"];
        let bots = [&self.new, &self.old].into_iter().chain(&self.options);
        let words = usual.into_iter().chain(bots.map(String::as_str));
        let written = Written::try_parse_from(words).map_err(|error| {
            let problem = error.to_string();
            let problem = problem.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Failure::new(ExitCode::Usage, problem.to_owned())
                .hint("arbiter tournament --help lists all options")
        })?;
        Ok(written.tournament)
    }
}
