//! `arbiter report`: what happened in a match, or in all matches of a folder.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::output::Output;
use super::saved::{load, not_read};
use super::standings::FormatArg;
use crate::report::{CSV_HEAD, Detail, Format, Style, summary};
use crate::sanitize::sanitize;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments of `arbiter report`.
#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// A match report, a journal, or a folder of them
    #[arg(value_name = "FILE|DIR")]
    path: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value_t = FormatArg::Table)]
    format: FormatArg,
}

/// Runs `arbiter report`.
///
/// # Errors
/// Every file that is no report, after the others have been printed; a folder without one.
pub(super) fn report(args: &ReportArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let files = files(&args.path)?;
    let format = args.format.into();
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

/// The file, or the reports and journals in the folder by name.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).map_err(|error| {
        Failure::new(ExitCode::File, format!("cannot read the folder {}", path.display())).because(&error)
    })?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| is_saved(path)).collect();
    files.sort();
    if files.is_empty() {
        let failure = Failure::new(ExitCode::File, format!("there is no match report in {}", path.display()));
        return Err(failure.hint("a folder with reports (.json) or journals (.journal); matches are saved in results, unless --results said another"));
    }
    Ok(files)
}

/// A report, or the journal of a match that has none yet.
fn is_saved(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let is_lonely = |report: &str| !Path::new(report).exists();
    name.ends_with(".json") || name.strip_suffix(".journal").is_some_and(is_lonely)
}
