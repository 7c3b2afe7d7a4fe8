//! `arbiter report`: what happened in a match, or in all matches of a folder.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::output::Output;
use crate::record::{ReadError, read};
use crate::report::{Detail, Format, summary};
use clap::{Args, ValueEnum};
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

#[derive(ValueEnum, Clone, Copy, Debug)]
enum FormatArg {
    Table,
    Md,
    Csv,
    Json,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Format {
        match format {
            FormatArg::Table => Format::Table,
            FormatArg::Md => Format::Markdown,
            FormatArg::Csv => Format::Csv,
            FormatArg::Json => Format::Json,
        }
    }
}

/// Runs `arbiter report`.
///
/// # Errors
/// A file that is no report, or a folder without one.
pub(super) fn report(args: &ReportArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let files = files(&args.path)?;
    let format = args.format.into();
    for (index, file) in files.iter().enumerate() {
        let report = read(file).map_err(|error| not_read(&error))?.into_report();
        if files.len() > 1 && matches!(format, Format::Table | Format::Markdown) {
            let mark = if format == Format::Markdown { "## " } else { "" };
            let gap = if index == 0 { "" } else { "\n" };
            out.line(&format!("{gap}{mark}{}", file.display()))?;
        }
        out.text(&summary(&report, format, Detail::Full))?;
    }
    Ok(ExitCode::Done)
}

fn not_read(error: &ReadError) -> Failure {
    Failure::of(ExitCode::File, error)
}

/// The file, or the reports and journals in the folder by name.
fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
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
        return Err(Failure::new(ExitCode::File, format!("there is no match report in {}", path.display())));
    }
    Ok(files)
}

/// A report, or the journal of a match that has none yet.
fn is_saved(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let is_lonely = |report: &str| !Path::new(report).exists();
    name.ends_with(".json") || name.strip_suffix(".journal").is_some_and(is_lonely)
}
