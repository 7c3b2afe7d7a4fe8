//! The text of a report.

use super::schema::MatchReport;
use std::io::{self, Write};

/// Prints a report as JSON that people can read: indented, but every game on a line of its own.
///
/// # Errors
/// Those of `out`.
pub fn print_report(report: &MatchReport, out: &mut dyn Write) -> io::Result<()> {
    let games = report.games.iter().map(|game| Ok(serde_json::to_vec(game)?));
    print_parts(&report.clone_without_games(), games, out)
}

/// Prints a report whose games come one by one, instead of those that it has.
pub(super) fn print_parts(
    report: &MatchReport,
    games: impl Iterator<Item = io::Result<Vec<u8>>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bare = MatchReport { duplicates: Vec::new(), ..report.clone_without_games() };
    let frame = serde_json::to_string_pretty(&bare)?;
    let (head, rest) = split_at_list(&frame, "games");
    let (middle, end) = split_at_list(rest, "duplicates");
    out.write_all(head.as_bytes())?;
    print_list(games, out)?;
    out.write_all(middle.as_bytes())?;
    print_list(report.duplicates.iter().map(|group| Ok(serde_json::to_vec(group)?)), out)?;
    out.write_all(end.as_bytes())?;
    out.write_all(b"\n")
}

/// The text before and after the inside of an empty list. No text inside the JSON can look like the list, because its
/// quotes would be escaped.
fn split_at_list<'a>(text: &'a str, name: &str) -> (&'a str, &'a str) {
    let list = format!("\"{name}\": []");
    let at = text.find(&list).expect("the report has this list");
    text.split_at(at + list.len() - 1)
}

/// Prints each item on a line of its own.
fn print_list(items: impl Iterator<Item = io::Result<Vec<u8>>>, out: &mut dyn Write) -> io::Result<()> {
    let mut is_empty = true;
    for item in items {
        out.write_all(if is_empty { b"\n    " } else { b",\n    " })?;
        out.write_all(&item?)?;
        is_empty = false;
    }
    if is_empty { Ok(()) } else { out.write_all(b"\n  ") }
}

impl MatchReport {
    /// Whether this is the canonical form, which no machine is named in.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        self.machine.is_none()
    }

    fn clone_without_games(&self) -> MatchReport {
        let MatchReport { plan, machine, totals, duplicates, started, finished, format, arbiter, .. } = self;
        MatchReport {
            format: format.clone(),
            format_version: self.format_version,
            arbiter: arbiter.clone(),
            plan: plan.clone(),
            machine: machine.clone(),
            started: started.clone(),
            finished: finished.clone(),
            games_asked: self.games_asked,
            games_ended: self.games_ended,
            games: Vec::new(),
            totals: totals.clone(),
            duplicates: duplicates.clone(),
            withdrawals: self.withdrawals.clone(),
            sprt: self.sprt.clone(),
            parts: self.parts.clone(),
        }
    }
}
