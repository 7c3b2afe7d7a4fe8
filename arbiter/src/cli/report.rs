//! `arbiter report`: what happened in a match, or in all matches of a folder.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::ggf::{self, ReportFormat};
use super::output::Output;
use super::saved::{Games, files, not_read};
use crate::record::Reader;
use crate::record::schema::GameRecord;
use crate::report::{CSV_HEAD, Detail, Export, Format, Rows, RowsError, Style, Summary};
use crate::sanitize::sanitize;
use arbiter_rules::MAX_SEATS;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Arguments of `arbiter report`.
#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// A match report, a journal, or a folder of them; - for standard input
    #[arg(value_name = "FILE|DIR")]
    path: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value_t = ReportFormat::Table)]
    format: ReportFormat,
    /// Print a row for each game, with columns for each seat, or for each move: with --format csv, tsv or json (an object
    /// a line); times are nanoseconds, and games, rounds, plies and seats count from 1
    #[arg(long, value_enum)]
    rows: Option<RowsArg>,
}

/// What a row is.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum RowsArg {
    /// A game
    Games,
    /// A move
    Plies,
}

/// Runs `arbiter report`.
///
/// # Errors
/// Every file that is no report, after the others have been printed; a folder without one.
pub(super) fn report(args: &ReportArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let files = files(&args.path)?;
    let Some(format) = args.format.of_tables() else { return ggf::print(&files, out) };
    let mut failure = None;
    if let Some(rows) = args.rows {
        let rows = match rows {
            RowsArg::Games => Rows::Games,
            RowsArg::Plies => Rows::Plies,
        };
        return export(&files, rows, format, out);
    }
    match format {
        Format::Csv => out.line(CSV_HEAD)?,
        Format::Tsv => out.line(&CSV_HEAD.replace(',', "\t"))?,
        Format::Table | Format::Markdown | Format::Json => {}
    }
    for (index, path) in files.iter().enumerate() {
        let file = sanitize(&path.display().to_string());
        if files.len() > 1 && matches!(format, Format::Table | Format::Markdown) {
            let mark = if format == Format::Markdown { "## " } else { "" };
            let gap = if index == 0 { "" } else { "\n" };
            out.line(&format!("{gap}{mark}{file}"))?;
        }
        let style = Style { format, detail: Detail::Full, charset: out.charset(), file: &file };
        if let Err(error) = print(path, style, out) {
            failure = Some(error.after(failure));
        }
    }
    failure.map_or(Ok(ExitCode::Done), Err)
}

/// Prints rows of all files, below one head.
fn export(files: &[PathBuf], rows: Rows, format: Format, out: &mut Output) -> Result<ExitCode, Failure> {
    if matches!(format, Format::Table | Format::Markdown) {
        let failure = Failure::new(ExitCode::Usage, "--rows is for programs, and tables are not");
        return Err(failure.hint("--format csv, tsv or json"));
    }
    // One game of a folder may have more seats than another.
    let mut failure = None;
    let mut seats = 0;
    let mut whole = Vec::new();
    for path in files {
        match Reader::open(path) {
            Ok(reader) => {
                seats = seats.max(reader.plan().seats.min(MAX_SEATS as u32) as usize);
                whole.push(path);
            }
            Err(error) => failure = Some(not_read(&error).after(failure)),
        }
    }
    out.text(&Export { rows, format, seats, file: "" }.head())?;
    for path in whole {
        let file = sanitize(&path.display().to_string());
        let export = Export { rows, format, seats, file: &file };
        let mut print = || {
            let mut games = Games::open(path).map_err(|error| not_read(&error))?;
            let frame = games.frame().clone();
            each(&mut games, |some| out.text(&export.rows(&frame, some)))?;
            games.end().map_err(|error| not_read(&error)).map(drop)
        };
        if let Err(error) = print() {
            failure = Some(Failure::after(error, failure));
        }
    }
    failure.map_or(Ok(ExitCode::Done), Err)
}

/// Prints what happened in one match or tournament.
fn print(path: &Path, style: Style<'_>, out: &mut Output) -> Result<(), Failure> {
    let mut games = Games::open(path).map_err(|error| not_read(&error))?;
    let frame = games.frame().clone();
    let mut summary = Summary::new(&frame, style);
    out.text(&summary.begin())?;
    each(&mut games, |some| out.text(&summary.games(some)?))?;
    let report = games.end().map_err(|error| not_read(&error))?;
    summary.end(&report, |piece| out.text(piece))
}

impl From<RowsError> for Failure {
    fn from(error: RowsError) -> Failure {
        Failure::of(ExitCode::File, &error).hint("free some room there, or name another folder in TMPDIR")
    }
}

/// Reads all games, some at a time.
pub(super) fn each(
    games: &mut Games,
    mut show: impl FnMut(&[GameRecord]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    loop {
        let some = games.some().map_err(|error| not_read(&error))?;
        if some.is_empty() {
            return Ok(());
        }
        show(&some)?;
    }
}
