//! `arbiter report`: what happened in a match, or in all matches of a folder.

mod ggf;

use crate::cli::failure::{apart, together};
use crate::cli::saved::{Games, files};
use crate::cli::show::names::Names;
use crate::cli::show::results::{self, ShownArgs};
use crate::cli::{ExitCode, Failure, Output};
use crate::record::Reader;
use crate::record::schema::GameRecord;
use crate::report::{CSV_HEAD, Detail, Export, Format, Rows, RowsError, Style, Summary};
use crate::sanitize::sanitize;
use crate::ui::talk;
use arbiter_rules::MAX_SEATS;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  arbiter report results/\n  arbiter report results/ -o report.html     a page to look at, to hand out and to replay games on"
)]
pub(crate) struct ReportArgs {
    /// A match report, a journal, or a folder of them; - for standard input
    #[arg(value_name = "FILE|DIR")]
    path: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value_t = ReportFormat::Tables(Format::Table))]
    format: ReportFormat,
    /// Print a row for each game or for each move, with --format csv, tsv or json (an object a line). A game's row has columns for
    /// each seat. Times are nanoseconds; games, rounds, plies and seats count from 1
    #[arg(long, value_enum)]
    rows: Option<Rows>,
    /// Write a page for a browser: one file with tables, plots and replays that needs no network
    #[arg(short, long, value_name = "FILE.html", conflicts_with = "rows")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shown: ShownArgs,
}

/// How a report is printed: in tables, or as something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReportFormat {
    Tables(Format),
    Ggf,
    Html,
}

impl ValueEnum for ReportFormat {
    fn value_variants<'a>() -> &'a [ReportFormat] {
        use Format::{Csv, Json, Markdown, Table, Tsv};
        use ReportFormat::{Ggf, Html, Tables};
        &[Tables(Table), Tables(Markdown), Tables(Tsv), Tables(Csv), Tables(Json), Ggf, Html]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = |name, help| Some(PossibleValue::new(name).help(help));
        match self {
            ReportFormat::Tables(format) => format.to_possible_value(),
            ReportFormat::Ggf => value("ggf", "The moves of Othello games, one a line, for other programs"),
            ReportFormat::Html => value("html", "A page for a browser, with replays of the games"),
        }
    }
}

pub(crate) fn report(args: &ReportArgs, out: &mut Output) -> Result<(), Failure> {
    let files = files(&args.path)?;
    if args.format == ReportFormat::Html || args.output.as_deref().is_some_and(is_page) {
        return write_page(&files, args.output.as_deref(), &args.shown, out);
    }
    if args.shown.pseudonyms || args.shown.anchor.is_some() {
        let failure = Failure::usage("--pseudonyms and --anchor are for pages here");
        return Err(failure.hint("-o FILE.html, or `arbiter standings`"));
    }
    if let Some(output) = &args.output {
        let message = format!("{} is no page, and only pages are written to files", output.display());
        let failure = Failure::usage(message);
        return Err(failure
            .hint("a name that ends in .html, or --format html; everything else goes to standard output"));
    }
    let ReportFormat::Tables(format) = args.format else { return ggf::print(&files, out) };
    if let Some(rows) = args.rows {
        return export(&files, rows, format, out);
    }
    match format {
        Format::Csv => out.line(CSV_HEAD)?,
        Format::Tsv => out.line(&CSV_HEAD.replace(',', "\t"))?,
        Format::Table | Format::Markdown | Format::Json => {}
    }
    let mut failure = None;
    for (index, path) in files.iter().enumerate() {
        let file = sanitize(&path.display().to_string());
        if files.len() > 1 && matches!(format, Format::Table | Format::Markdown) {
            let mark = if format == Format::Markdown { "## " } else { "" };
            let gap = if index == 0 { "" } else { "\n" };
            out.line(&format!("{gap}{mark}{file}"))?;
        }
        let room = out.columns().filter(|_| format == Format::Table);
        let style = Style { format, detail: Detail::Full, charset: out.charset(), file: &file, room };
        if let Err(error) = print(path, style, out) {
            failure = Some(error.after(failure));
        }
    }
    failure.map_or(Ok(()), Err)
}

fn is_page(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm"))
}

/// Writes a page of some reports to a file, or prints it. Reports that cannot be read are named afterwards.
fn write_page(
    files: &[PathBuf],
    output: Option<&Path>,
    shown: &ShownArgs,
    out: &mut Output,
) -> Result<(), Failure> {
    let Some(output) = output else {
        let (page, failure) = results::page(files, shown);
        page.map_or(Ok(()), |html| out.text(&html))?;
        return failure.map_or(Ok(()), Err);
    };
    let size = results::save(files, output, shown)?.div_ceil(1000);
    talk(&format!("{}: {size} kB; open it in a browser", output.display()));
    Ok(())
}

/// Prints rows of all files, below one head.
fn export(files: &[PathBuf], rows: Rows, format: Format, out: &mut Output) -> Result<(), Failure> {
    if matches!(format, Format::Table | Format::Markdown) {
        let failure = Failure::usage("--rows is for programs, and tables are not");
        return Err(failure.hint("--format csv, tsv or json"));
    }
    let seats_of = |path: &PathBuf| Ok((path.clone(), Reader::open(path)?.plan().seats));
    let (whole, unread) = apart(files.iter().map(seats_of));
    // One game of a folder may have more seats than another.
    let seats = whole.iter().map(|(_, seats)| *seats).max().unwrap_or(0).min(MAX_SEATS as u32) as usize;
    out.text(&Export { rows, format, seats, file: "" }.head())?;
    let printed = whole.iter().map(|(path, _)| {
        let file = sanitize(&path.display().to_string());
        let export = Export { rows, format, seats, file: &file };
        let mut games = Games::open(path)?;
        let frame = games.frame().clone();
        games.some().try_for_each(|some| out.told(&export.rows(&frame, &some?), format))?;
        Ok(games.end().map(drop)?)
    });
    together(unread.into_iter().map(Err).chain(printed)).map(drop)
}

fn print(path: &Path, style: Style<'_>, out: &mut Output) -> Result<(), Failure> {
    let games = Games::open(path)?;
    let frame = games.frame().clone();
    let mut summary = Summary::new(&frame, style);
    out.told(&summary.begin(), style.format)?;
    let shown = |some: &[GameRecord]| out.told(&summary.games(some)?, style.format);
    let (report, circumstances) = results::read(games, &Names::default(), shown)?;
    summary.end(&report, circumstances, |piece| out.told(piece, style.format))
}

impl From<RowsError> for Failure {
    fn from(error: RowsError) -> Failure {
        Failure::of(ExitCode::File, &error).hint("free some room there, or name another folder in TMPDIR")
    }
}
