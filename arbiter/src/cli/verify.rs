//! `arbiter verify`: judge a report again.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::output::Output;
use super::saved::{files, load, not_read};
use crate::record::schema::MatchReport;
use crate::record::{canonical, print_report};
use crate::report::count;
use crate::sanitize::sanitize;
use crate::verify::verify as judge_again;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arbiter verify`.
#[derive(Args, Debug)]
pub(super) struct VerifyArgs {
    /// Match reports, journals of matches that did not finish, or folders of them
    #[arg(value_name = "FILE|DIR", required = true)]
    paths: Vec<PathBuf>,
    /// Print the report without times, dates, machine and paths, for comparing runs
    #[arg(long)]
    canonical: bool,
}

/// Runs `arbiter verify`.
///
/// # Errors
/// Every file that is no report, after the others have been judged.
pub(super) fn verify(args: &VerifyArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::Done;
    let mut failure = None;
    let files: Vec<Vec<PathBuf>> = args.paths.iter().map(|path| files(path)).collect::<Result<_, _>>()?;
    for file in files.iter().flatten() {
        let report = match load(file) {
            Ok(report) => report,
            Err(error) => {
                failure = Some(not_read(&error).after(failure));
                continue;
            }
        };
        let findings = judge_again(&report);
        if !findings.is_empty() {
            code = ExitCode::CheckFailed;
        }
        if args.canonical && findings.is_empty() {
            let mut text = Vec::new();
            print_report(&canonical(report), &mut text).expect("memory takes every byte");
            out.text(&String::from_utf8_lossy(&text))?;
            continue;
        }
        for finding in &findings {
            out.line(&sanitize(&format!("{}: {finding}", file.display())))?;
        }
        if findings.is_empty() {
            out.line(&sanitize(&format!("{}: ok ({})", file.display(), extent(&report))))?;
        }
    }
    failure.map_or(Ok(code), Err)
}

/// How much was judged: an honest part of a match is right too, and must not look like the whole.
fn extent(report: &MatchReport) -> String {
    let (ended, asked) = (report.games_ended, report.games_asked);
    let of = if ended == asked { String::new() } else { format!("{ended} of ") };
    let games = format!("{of}{}", count(asked, "game"));
    let plies: usize = report.games.iter().map(|game| game.plies.len()).sum();
    let plies = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
    let times = if report.is_canonical() { ", without times" } else { "" };
    format!("{games}, {plies}{times}")
}
