//! `arbiter report`: what happened in a match, or in all matches of a folder.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::ggf::{self, ReportFormat};
use super::output::Output;
use super::saved::{files, load, not_read};
use crate::report::{CSV_HEAD, Detail, Format, Style, summary};
use crate::sanitize::sanitize;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arbiter report`.
#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// A match report, a journal, or a folder of them
    #[arg(value_name = "FILE|DIR")]
    path: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value_t = ReportFormat::Table)]
    format: ReportFormat,
}

/// Runs `arbiter report`.
///
/// # Errors
/// Every file that is no report, after the others have been printed; a folder without one.
pub(super) fn report(args: &ReportArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let files = files(&args.path)?;
    let Some(format) = args.format.of_tables() else { return ggf::print(&files, out) };
    let mut failure = None;
    match format {
        Format::Csv => out.line(CSV_HEAD)?,
        Format::Tsv => out.line(&CSV_HEAD.replace(',', "\t"))?,
        Format::Table | Format::Markdown | Format::Json => {}
    }
    for (index, path) in files.iter().enumerate() {
        let report = match load(path) {
            Ok(report) => report,
            Err(error) => {
                failure = Some(not_read(&error).after(failure));
                continue;
            }
        };
        let file = sanitize(&path.display().to_string());
        if files.len() > 1 && matches!(format, Format::Table | Format::Markdown) {
            let mark = if format == Format::Markdown { "## " } else { "" };
            let gap = if index == 0 { "" } else { "\n" };
            out.line(&format!("{gap}{mark}{file}"))?;
        }
        let style = Style { format, detail: Detail::Full, charset: out.charset(), file: &file };
        out.text(&summary(&report, &style))?;
    }
    failure.map_or(Ok(ExitCode::Done), Err)
}
