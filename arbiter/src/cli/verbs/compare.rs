//! `arbiter compare`: whether a bot has got stronger, as the tournament of two that answers it.

use crate::cli::Failure;
use crate::cli::options::{first_line, from_words, with_file};
use crate::cli::plan::TournamentArgs;
use crate::cli::said::Said;
use clap::Args;
use std::ffi::OsString;

#[derive(Args, Debug)]
#[command(
    override_usage = "arbiter compare <OLD> <NEW> [OPTION]...",
    after_help = "\
Examples:
  is the new one stronger? Plays until that is known:
    arbiter compare ./old.so ./new.so --game othello --move-time 20ms
  would ten Elo be worth it? One of a hundred answers may be wrong:
    arbiter compare ./old.so ./new.so --game hex --sprt 0,10 --sprt-errors 0.01,0.01

All options of `arbiter tournament` are taken but --schedule and --seeding; where they name a place, 1 is OLD and 2 is NEW. It asks --sprt 0,20 for at most --rounds 20000 pairs of games unless \
something else is said."
)]
pub(crate) struct CompareArgs {
    /// The version to beat, the one that may be stronger, and options of `arbiter tournament`: --game first of all
    #[arg(value_name = "WORD", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

impl CompareArgs {
    pub(super) fn tournament(&self) -> Result<(TournamentArgs, Said), Failure> {
        let usual = ["--sprt", "0,20", "--rounds", "20000"].map(OsString::from);
        let typed = || self.words.iter().cloned();
        let args = from_words("compare", usual.iter().cloned().chain(typed()));
        let parsed: (TournamentArgs, Said) = args.map_err(|error| {
            Failure::usage(first_line(&error)).hint("arbiter tournament --help lists all options")
        })?;
        let (args, said) = match &parsed.0.file {
            Some(file) => with_file(file, "tournament", usual, typed())?,
            None => parsed,
        };
        Ok((args.of_versions()?, said))
    }
}
