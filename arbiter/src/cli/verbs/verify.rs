//! `arbiter verify`: judge a report again.

use crate::cli::failure::together;
use crate::cli::saved::{Games, files};
use crate::cli::{ExitCode, Failure, Output};
use crate::record::schema::MatchReport;
use crate::record::{Printer, canonical, canonical_game};
use crate::report::count;
use crate::sanitize::sanitize;
use crate::verify::Judge;
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Match reports, journals of matches that did not finish, or folders of them; - for standard input
    #[arg(value_name = "FILE|DIR", required = true)]
    paths: Vec<PathBuf>,
    /// Print the report without times, dates, machine and paths, for comparing runs
    #[arg(long)]
    canonical: bool,
}

pub(crate) fn verify(args: &VerifyArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let files: Vec<Vec<PathBuf>> = args.paths.iter().map(|path| files(path)).collect::<Result<_, _>>()?;
    let judged = together(files.iter().flatten().map(|file| judge(file, args.canonical, out)))?;
    Ok(if judged.contains(&false) { ExitCode::CheckFailed } else { ExitCode::Done })
}

/// Judges a file, and says what is wrong with it. False if anything is.
fn judge(file: &Path, is_canonical: bool, out: &mut Output) -> Result<bool, Failure> {
    let mut games = Games::open(file)?;
    let mut judge = Judge::new(games.frame().clone(), games.source());
    let (mut is_right, mut plies) = (true, 0);
    let mut tell = |judge: &mut Judge| -> Result<bool, Failure> {
        for finding in judge.findings() {
            is_right = false;
            out.line(&sanitize(&format!("{}: {finding}", file.display())))?;
        }
        Ok(is_right)
    };
    for some in games.some() {
        let some = some?;
        plies += some.iter().map(|game| game.plies.len()).sum::<usize>();
        judge.games(&some);
        tell(&mut judge)?;
    }
    let (report, left_out) = (games.end()?, judge.left_out());
    judge.end(&report);
    let is_right = tell(&mut judge)?;
    if is_right && is_canonical {
        print_canonical(file, report, out)?;
    } else if is_right {
        out.line(&sanitize(&format!("{}: ok ({})", file.display(), extent(&report, plies, left_out))))?;
    }
    Ok(is_right)
}

/// Prints a report that has been judged without what two runs may differ in.
fn print_canonical(file: &Path, report: MatchReport, out: &mut Output) -> Result<(), Failure> {
    let mut games = Games::open(file)?;
    let report = canonical(report);
    out.print_json(|out| {
        let mut printer = Printer::begin(&report, out)?;
        for some in games.some() {
            let mut some = some.map_err(io::Error::other)?;
            some.iter_mut().for_each(canonical_game);
            some.iter().try_for_each(|game| printer.game(game))?;
        }
        printer.end(&report)
    })
}

/// How much was judged, and how many games are missing in between: an honest part of a match is right too, and must not look like the
/// whole.
fn extent(report: &MatchReport, plies: usize, left_out: u32) -> String {
    let (ended, asked) = (report.games_ended, report.games_asked);
    let of = if ended == asked { String::new() } else { format!("{ended} of ") };
    let games = format!("{of}{}", count(asked, "game"));
    let plies = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
    let times = if report.is_canonical() { ", without times" } else { "" };
    // Games that ran side by side when a match was broken off leave holes, and so does a game that was taken out.
    let holes = match left_out {
        0 => String::new(),
        1 => "; 1 game before its last one is missing".to_owned(),
        _ => format!("; {left_out} games before its last one are missing"),
    };
    format!("{games}, {plies}{times}{holes}")
}
