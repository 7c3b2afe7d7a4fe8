//! `arbiter cluster`: a tournament on many machines, by a scheduler that is there already.

use crate::cli::options::with_file;
use crate::cli::parsing::whole;
use crate::cli::plan::Plan;
use crate::cli::saved::{course, seated};
use crate::cli::{Failure, Output};
use crate::host::Host;
use crate::sanitize::{quoted, sanitize};
use clap::{Args, Subcommand};
use std::env;
use std::path::{Path, PathBuf};

/// Units (pairs of games) that each part of a test plays in a wave.
const UNITS_A_WAVE: u32 = 20;

#[derive(Subcommand, Debug)]
pub(crate) enum ClusterArgs {
    /// Print a script for Slurm: an array that plays the parts, merges them, and plays what is missing
    #[command(after_help = "Example:\n  arbiter cluster slurm cup.toml --parts 64 > cup.sh && sbatch cup.sh")]
    Slurm(PartsArgs),
    /// Print a line for GNU parallel, on one machine or several
    #[command(
        after_help = "Example:\n  arbiter cluster parallel cup.toml --parts 64 > cup.sh && bash cup.sh"
    )]
    Parallel(PartsArgs),
}

/// What is played, and in how many parts.
#[derive(Args, Debug)]
pub(crate) struct PartsArgs {
    /// The tournament file. It, the bots and this program have to be found by the same paths on all machines
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many parts
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=100_000))]
    parts: u32,
    /// Cores of each part: so many games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=1024))]
    cores: u16,
    /// The folder for journals, logs and the report, which all machines see [default: the file's name without its ending, and
    /// -results]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
}

/// Runs `arbiter cluster`. The tournament is checked as if it were played here, so that mistakes show before anything waits in a
/// queue.
pub(crate) fn cluster(args: &ClusterArgs, host: &Host, out: &mut Output) -> Result<(), Failure> {
    match args {
        ClusterArgs::Slurm(args) => out.text(&args.checked(host)?.fill(include_str!("slurm.sh"))),
        ClusterArgs::Parallel(args) => out.line(&args.checked(host)?.parallel()?),
    }
}

/// A tournament that can be played in parts.
struct Parts {
    /// What stands for the words in braces, as a shell reads it.
    words: [(&'static str, String); 10],
    /// Whether all games are known from the beginning: no round follows from results, and no test ends them.
    is_fixed: bool,
}

impl PartsArgs {
    fn checked(&self, host: &Host) -> Result<Parts, Failure> {
        let (args, said) = with_file(&self.file, "tournament", [], [])?;
        let plan = Plan::of_tournament(&args, &said, host)?;
        let seated = seated(&plan)?;
        let (saved, course) = course(&plan, &seated)?;
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let name: String = stem.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
        let usual = || self.file.with_file_name(format!("{stem}-results"));
        let results = self.results.clone().unwrap_or_else(usual);
        let program = env::current_exe().map_err(|error| {
            let failure = Failure::file("the system does not say where this program is");
            failure.because(&error).hint("arbiter by its whole path")
        })?;
        let (title, games, bots) = (stem.escape_default(), course.games_asked(), saved.players.len());
        let wave = plan.games.sprt.map(|_| format!("--wave {} ", self.parts.saturating_mul(UNITS_A_WAVE)));
        let is_fixed = course.is_fixed() && wave.is_none();
        let words = [
            ("{title}", format!("{title} ({}, {bots} bots, {games} games)", saved.game)),
            ("{script}", format!("{name}.sh")),
            ("{name}", name),
            ("{arbiter}", word(&program)?),
            ("{file}", word(&self.file)?),
            ("{seed}", quoted(&seated.seed.to_string())),
            ("{results}", word(&results)?),
            ("{parts}", self.parts.to_string()),
            ("{cores}", self.cores.to_string()),
            ("{wave}", wave.unwrap_or_default()),
        ];
        Ok(Parts { words, is_fixed })
    }
}

impl Parts {
    fn fill(&self, text: &str) -> String {
        self.words.iter().fold(text.to_owned(), |text, (place, word)| text.replace(place, word))
    }

    /// The line for a tournament that is one wave.
    fn parallel(&self) -> Result<String, Failure> {
        if !self.is_fixed {
            let message = "this tournament goes on from its results, which one line cannot wait for";
            return Err(Failure::usage(message)
                .hint("arbiter cluster slurm, or one machine: the command without parts"));
        }
        let part = self.fill(
            "{arbiter} tournament --file {file} --seed {seed} --shard {}/{parts} --jobs {cores} --results {results} --resume \
             --quiet",
        );
        let part = quoted(&part);
        let merge = self.fill("{arbiter} merge {results} -o {results}/{name}.json");
        Ok(format!("{} {part}; {merge}", self.fill("seq {parts} | parallel --line-buffer")))
    }
}

/// A path as every machine and every shell finds it.
fn word(path: &Path) -> Result<String, Failure> {
    let whole = std::path::absolute(path).map_err(|error| {
        let failure = Failure::file(format!("cannot tell where {} is", path.display()));
        failure.because(&error).hint("a whole path, beginning with /")
    })?;
    match whole.to_str() {
        Some(text) if sanitize(text) == text => Ok(quoted(text)),
        _ => Err(Failure::usage(format!("{} is no path for a script", path.display()))
            .hint("a path of readable characters")),
    }
}
