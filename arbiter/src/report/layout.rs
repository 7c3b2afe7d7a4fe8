//! How tables and rows look, whatever stands in them.

use crate::record::schema::Totals;
use crate::sanitize::sanitize;
use crate::statistics::Interval;
use clap::ValueEnum;
use comfy_table::{CellAlignment, Table, presets};

/// How tables are printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Columns
    Table,
    /// Markdown
    #[value(name = "md")]
    Markdown,
    /// Values between tabs
    Tsv,
    /// Values between commas
    Csv,
    /// One JSON object
    Json,
}

/// An empty table; `numbers` are the columns that align to the right.
pub(super) fn table(format: Format, head: &[&str], numbers: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(if format == Format::Markdown { presets::ASCII_MARKDOWN } else { presets::NOTHING });
    table.set_header(head);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((
            if format == Format::Markdown { 1 } else { 0 },
            if format == Format::Markdown { 1 } else { 2 },
        ));
        if numbers.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A row in which no name can be taken for the marks of a Markdown table or its text.
pub(super) fn cells<const N: usize>(format: Format, row: [String; N]) -> [String; N] {
    row.map(|cell| plain(format, cell))
}

/// Text in which no name can be taken for the marks of Markdown.
pub(super) fn plain(format: Format, text: String) -> String {
    if format == Format::Markdown { escaped(&text) } else { text }
}

fn escaped(text: &str) -> String {
    let mut markdown = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\`*_[]<>|".contains(c) {
            markdown.push('\\');
        }
        markdown.push(c);
    }
    markdown
}

/// The table without blanks at the ends of its lines.
pub(super) fn lines(table: &Table) -> String {
    table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A row of [`Format::Csv`] or [`Format::Tsv`].
pub(super) fn row(format: Format, cells: impl IntoIterator<Item = String>) -> String {
    let is_csv = format == Format::Csv;
    let cell = |cell: String| if is_csv { quoted(&cell) } else { cell.replace('\t', " ") };
    let cells: Vec<String> = cells.into_iter().map(cell).collect();
    cells.join(if is_csv { "," } else { "\t" }) + "\n"
}

/// A field between commas.
fn quoted(field: &str) -> String {
    // A leading sign would make a spreadsheet compute a bot's name; numbers may have theirs.
    let is_formula = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
    let field = if is_formula { format!("'{field}") } else { field.to_owned() };
    if field.contains([',', '"', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

/// `2 occupied, 1 timed-out`, or `0`.
pub(super) fn errors(sums: &Totals) -> String {
    if sums.errors.is_empty() {
        return "0".to_owned();
    }
    sums.errors
        .iter()
        .map(|(kind, count)| format!("{count} {}", sanitize(kind)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Sentences under a table, a line each.
pub(super) fn legend(format: Format, sentences: impl IntoIterator<Item = String>) -> String {
    let gap = if format == Format::Markdown { "\n" } else { "" };
    sentences.into_iter().map(|sentence| format!("{gap}{}\n", plain(format, sentence))).collect()
}

/// What a column of errors counts, where there are any.
pub(super) fn errors_legend(totals: &[Totals]) -> Option<String> {
    let has_errors = totals.iter().any(|sums| !sums.errors.is_empty());
    has_errors
        .then(|| "errors: moves that were refused, by the reason, and what else lost a game.".to_owned())
}

/// Milliseconds of each move, as clocks were charged; empty where they are not known.
pub(super) fn time_per_move(sums: &Totals) -> String {
    match (sums.charged_ns.or(sums.wall_ns), sums.moves) {
        (None, _) | (_, 0) => String::new(),
        (Some(time), moves) => format!("{:.3}", time as f64 / 1e6 / f64::from(moves)),
    }
}

/// A number of Elo with its sign; zero has no minus.
pub(super) fn signed(elo: f64) -> String {
    format!("{:+.0}", elo.round() + 0.0)
}

/// Elo from one end of an interval to the other.
pub(super) fn range(interval: Interval) -> String {
    format!("{} to {}", signed(interval.low), signed(interval.high))
}

/// A chance in percent; never 0 or 100, which would be certainty.
pub(super) fn percent(chance: f64) -> String {
    format!("{:.1}", (100.0 * chance).clamp(0.1, 99.9))
}

/// Points without trailing zeros.
pub fn points(points: f64) -> String {
    format!("{points:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `1 game`, `2 games`.
pub fn count(number: u32, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// A number of instructions as it is asked for: `50M instructions`.
pub fn instructions(number: u64) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k"), (1, "")];
    let unit = units.into_iter().find(|(size, _)| number >= *size && number.is_multiple_of(*size));
    let (size, letter) = unit.unwrap_or((1, ""));
    format!("{}{letter} instructions", number / size)
}

/// Numbers in rising order as ranges: `17-18, 33-34`, and an ellipsis after the first few.
pub fn ranges(numbers: &[u32]) -> String {
    const MOST_NAMED: usize = 20;
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let named = ranges.iter().take(MOST_NAMED);
    let mut words: Vec<String> = named
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    if ranges.len() > MOST_NAMED {
        words.push("…".to_owned());
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody who mistypes a number is not shown ten thousand others.
    #[test]
    fn numbers_are_told_as_a_few_ranges() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[7]), "7");
        assert_eq!(ranges(&[1, 2, 3, 5, 9, 10]), "1-3, 5, 9-10");
        let odd: Vec<u32> = (0..100).map(|number| 2 * number + 1).collect();
        assert!(ranges(&odd).ends_with(", 37, 39, …"), "{}", ranges(&odd));
    }

    /// Half of all ratings are negative, and programs read them as numbers.
    #[test]
    fn a_field_that_a_spreadsheet_would_compute_is_text_unless_it_is_a_number() {
        for number in ["-1.771", "+62", "0", "-3"] {
            assert_eq!(quoted(number), number);
        }
        for (formula, text) in [
            ("=1+1", "'=1+1"),
            ("-1+1", "'-1+1"),
            ("@sum(a1)", "'@sum(a1)"),
            ("+cmd|'/c'!a1", "'+cmd|'/c'!a1"),
            ("=a,b", "\"'=a,b\""),
        ] {
            assert_eq!(quoted(formula), text);
        }
    }
}
