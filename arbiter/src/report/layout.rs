//! How tables and rows look, whatever stands in them.

use crate::record::Sums;
use crate::record::schema::Totals;
use crate::sanitize::sanitize;
use crate::statistics::Interval;
use clap::ValueEnum;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

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

/// Columns that stay as long as they can: the place, the player, and how it did.
const KEPT: usize = 5;

/// The column of names, and how many letters of them stay as long as they can.
const NAMES: usize = 1;
const LEAST_NAME: usize = 9;

/// The columns of a table, each as wide as its widest cell.
pub(super) struct Columns {
    format: Format,
    head: Vec<String>,
    numbers: Vec<bool>,
    widths: Vec<usize>,
}

impl Columns {
    /// Columns with these names. What stands under one that begins with `>` is aligned to the right.
    pub(super) fn new(format: Format, names: impl IntoIterator<Item = impl AsRef<str>>) -> Columns {
        let (mut head, mut numbers) = (Vec::new(), Vec::new());
        for name in names {
            let number = name.as_ref().strip_prefix('>');
            numbers.push(number.is_some());
            head.push(number.unwrap_or(name.as_ref()).to_owned());
        }
        let widths = head.iter().map(|name| name.width()).collect();
        Columns { format, head, numbers, widths }
    }

    pub(super) fn fit(&mut self, row: &[String]) {
        for (width, cell) in self.widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }

    /// Leaves out columns for which there is no room, the last first, and cuts names where only a few columns are left.
    /// Returns the heads of those that are left out.
    pub(super) fn within(&mut self, room: usize) -> Vec<String> {
        let over =
            |widths: &[usize]| (widths.iter().sum::<usize>() + 2 * (widths.len() - 1)).saturating_sub(room);
        while over(&self.widths) > 0 && self.widths.len() > KEPT {
            self.widths.pop();
        }
        let cut = over(&self.widths);
        if let Some(name) = self.widths.get_mut(NAMES) {
            *name = name.saturating_sub(cut).max(LEAST_NAME.min(*name));
        }
        while over(&self.widths) > 0 && self.widths.len() > 1 {
            self.widths.pop();
        }
        self.head.split_off(self.widths.len())
    }

    pub(super) fn head(&self) -> String {
        let names = self.line(self.head.iter().map(String::as_str));
        if self.format != Format::Markdown {
            return names;
        }
        let rules = self.widths.iter().map(|width| "-".repeat(width + 2));
        format!("{names}|{}|\n", rules.collect::<Vec<_>>().join("|"))
    }

    /// A row, without blanks at its end.
    pub(super) fn line<'a>(&self, row: impl Iterator<Item = &'a str>) -> String {
        let (before, behind) = if self.format == Format::Markdown { ("| ", " ") } else { ("", "  ") };
        let mut line = String::new();
        for ((cell, width), is_number) in row.zip(&self.widths).zip(&self.numbers) {
            let cell = cut(cell, *width);
            let gap = " ".repeat(width.saturating_sub(cell.width()));
            let (left, right) = if *is_number { (&*gap, "") } else { ("", &*gap) };
            [before, left, cell, right, behind].into_iter().for_each(|piece| line.push_str(piece));
        }
        line.push_str(before);
        line.truncate(line.trim_end().len());
        line.push('\n');
        line
    }
}

/// As much of a text as these columns of a terminal take.
pub(super) fn cut(text: &str, columns: usize) -> &str {
    // Signs that join take less room together than each by itself.
    if text.width() <= columns {
        return text;
    }
    let mut letters = text.char_indices();
    let mut used = 0;
    let end = letters.find(|(_, letter)| {
        used += letter.width().unwrap_or(0);
        used > columns
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// A name before a row of which no column is left out: a third of the room is enough for it.
pub(super) fn short_name(name: &str, room: Option<usize>) -> String {
    room.map_or(name, |room| cut(name, (room / 3).max(LEAST_NAME))).to_owned()
}

/// A table for people with as many columns as there is room for, and below it which are left out. No name in it can be taken for
/// the marks of a Markdown table or its text.
pub(super) fn table_in<R: IntoIterator<Item = String>>(
    room: Option<usize>,
    format: Format,
    names: impl IntoIterator<Item = impl AsRef<str>>,
    rows: impl IntoIterator<Item = R>,
) -> String {
    let mut columns = Columns::new(format, names);
    let cells = |row: R| row.into_iter().map(|cell| plain(format, cell)).collect();
    let rows: Vec<Vec<String>> = rows.into_iter().map(cells).collect();
    rows.iter().for_each(|row| columns.fit(row));
    let left_out = room.map_or_else(Vec::new, |room| columns.within(room));
    let lines = rows.iter().map(|row| columns.line(row.iter().map(String::as_str)));
    [columns.head()].into_iter().chain(lines).chain([no_room(&left_out)]).collect()
}

/// A table of which no column is left out. Where they have no room side by side, they are printed in parts, each with the
/// number and the name of its rows in front.
pub(super) fn table_in_parts(
    room: Option<usize>,
    format: Format,
    names: &[String],
    mut rows: Vec<Vec<String>>,
) -> String {
    const FRONT: [usize; 2] = [0, NAMES];
    rows.iter_mut().for_each(|row| row[NAMES] = short_name(&row[NAMES], room));
    let room = room.unwrap_or(usize::MAX);
    let mut columns = Columns::new(format, names);
    rows.iter().for_each(|row| columns.fit(row));
    let front: usize = FRONT.iter().map(|&column| columns.widths[column] + 2).sum();
    let mut parts = vec![FRONT.to_vec()];
    let mut used = front;
    for (column, width) in columns.widths.iter().enumerate().skip(FRONT.len()) {
        if used.saturating_add(*width) > room && used > front {
            parts.push(FRONT.to_vec());
            used = front;
        }
        used += width + 2;
        parts.last_mut().expect("there is always one").push(column);
    }
    let part = |shown: Vec<usize>| {
        let of = |cells: &[String]| shown.iter().map(|&column| cells[column].clone()).collect::<Vec<_>>();
        table_in(None, format, of(names), rows.iter().map(|row| of(row)))
    };
    parts.into_iter().map(part).collect::<Vec<_>>().join("\n")
}

/// Which columns a table has no room for, in a sentence.
pub(super) fn no_room(left_out: &[String]) -> String {
    let words = format!("A wider window has room for {}.\n", left_out.join(", "));
    if left_out.is_empty() { String::new() } else { words }
}

/// Text in which no name can be taken for the marks of Markdown.
pub(super) fn plain(format: Format, text: String) -> String {
    if format != Format::Markdown {
        return text;
    }
    let escaped = |c| r"\`*_[]<>|".contains(c).then_some('\\').into_iter().chain([c]);
    text.chars().flat_map(escaped).collect()
}

/// A row of [`Format::Csv`] or [`Format::Tsv`].
pub(super) fn row(format: Format, cells: impl IntoIterator<Item = String>) -> String {
    let is_csv = format == Format::Csv;
    let cell = |cell: String| match is_csv {
        true => quoted(as_text(cell)),
        // Readers of quoted fields would go on to the next quote, whatever is between.
        false if cell.starts_with('"') => format!("'{cell}"),
        false => as_text(cell).replace('\t', " "),
    };
    let cells: Vec<String> = cells.into_iter().map(cell).collect();
    cells.join(if is_csv { "," } else { "\t" }) + "\n"
}

/// A cell that no spreadsheet computes: a leading sign would make a formula of a bot's name, so an apostrophe goes in front.
/// Numbers keep their sign, and so do moves of stacks, `+b2`, which programs read; a spreadsheet looks up a cell at most for one.
fn as_text(cell: String) -> String {
    let is_harmless = |rest: &str| rest.chars().all(|c| c.is_ascii_alphanumeric());
    let is_formula = match cell.strip_prefix(['+', '-']) {
        Some(rest) => cell.parse::<f64>().is_err() && !is_harmless(rest),
        None => cell.starts_with(['=', '@', '＝', '＋', '－', '＠']),
    };
    if is_formula { format!("'{cell}") } else { cell }
}

fn quoted(field: String) -> String {
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

/// Milliseconds of a player's moves on average, as its clock was charged; empty where they are not known.
pub(super) fn time_per_move(sums: &Sums, player: usize) -> String {
    sums.mean_move_ns(player).map_or_else(String::new, |ns| format!("{:.3}", ns / 1e6))
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
pub(crate) fn points(points: f64) -> String {
    format!("{points:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `1 game`, `2 games`.
pub(crate) fn count(number: u32, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Numbers in rising order as ranges: `17-18, 33-34`, and an ellipsis after the first few.
pub(crate) fn ranges(numbers: &[u32]) -> String {
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

    /// Otherwise a name in Arabic would lose its last letter.
    #[test]
    fn a_name_for_which_there_is_room_is_shown_whole() {
        for name in ["سلام", "👍🏽"] {
            for room in [None, Some(80)] {
                let text = table_in(room, Format::Table, ["bot"], [[name.to_owned()]]);
                assert!(text.contains(name), "{text}");
            }
        }
    }

    /// A row that is wrapped is no row any more, and half a number is a wrong one.
    #[test]
    fn a_table_fits_into_its_terminal_and_shows_whole_columns_only() {
        let names = [">#", "bot", ">games", ">score", ">%", ">rating 95%", "errors"];
        let row =
            ["100", "a name as long as they come", "12345", "12345.5", "100.0", "-1200 to -1100", "1 late"];
        for (room, last, left_out) in
            [(1, "100", 6), (17, "a name as", 5), (40, " 100.0", 2), (72, " -1100", 1), (79, " 1 late", 0)]
        {
            let rows = [row.map(str::to_owned)];
            let text = table_in(Some(room), Format::Table, names, rows);
            let line = text.lines().nth(1).unwrap();
            assert!(line.width() <= room.max(3) && line.ends_with(last), "{room}: {text}");
            let left = text.lines().nth(2).map_or(0, |left| 1 + left.matches(',').count());
            assert_eq!(left, left_out, "{room}: {text}");
        }
    }

    /// Who meets many has no terminal that is as wide as all of them.
    #[test]
    fn a_table_of_everybody_against_everybody_is_shown_in_parts_that_fit() {
        let names: Vec<String> =
            ["", "against"].map(str::to_owned).into_iter().chain((1..=30).map(|n| format!(">{n}"))).collect();
        let row: Vec<String> = names.iter().map(|name| format!("of {name}")).collect();
        let table = |room| table_in_parts(room, Format::Table, &names, vec![row.clone(); 2]);
        assert_eq!(table(None).lines().count(), 3, "without a terminal there is one part");
        for room in [24, 60, 80, 160] {
            let text = table(Some(room));
            assert!(text.lines().all(|line| line.width() <= room), "{room}: {text}");
            let parts: Vec<&str> = text.split("\n\n").collect();
            assert!(parts.iter().all(|part| part.contains("of   of agains")), "{room}: {text}");
            let cells = |part: &&str| part.lines().nth(1).unwrap().matches("of >").count();
            assert_eq!(parts.iter().map(cells).sum::<usize>(), 30, "{room}: {text}");
        }
    }

    /// Half of all ratings are negative, and programs read them as numbers, and moves as moves.
    #[test]
    fn a_field_that_a_spreadsheet_would_compute_is_text_unless_it_is_a_number_or_a_move() {
        let field = |format, text: &str| row(format, [text.to_owned()]).trim_end().to_owned();
        for text in ["-1.771", "+62", "0", "-3", "-", "+b2", "-i9", "Greedy", "16-39-60"] {
            assert_eq!([Format::Csv, Format::Tsv].map(|format| field(format, text)), [text; 2]);
        }
        for formula in ["=1+1", "-1+1", "@sum(a1)", "+cmd|'/c'!a1", "-b2:b4", "＝1+1"] {
            let text = format!("'{formula}");
            assert_eq!([Format::Csv, Format::Tsv].map(|format| field(format, formula)), [&*text; 2]);
        }
        assert_eq!(field(Format::Csv, "=a,b"), "\"'=a,b\"");
        assert_eq!(field(Format::Csv, "\"a"), "\"\"\"a\"");
        assert_eq!(field(Format::Tsv, "\"a"), "'\"a", "nothing is quoted between tabs");
    }
}
