//! The text of a report: JSON that people can read, indented, but every game and every group of repeated games on a line
//! of its own. A head, lines, and a tail, so that games can come one by one.

use super::reader::GAMES;
use super::schema::{GameRecord, MatchReport};
use std::io::{self, Write};

/// A report that is being printed.
pub struct Printer<'a> {
    out: &'a mut dyn Write,
    has_games: bool,
}

impl<'a> Printer<'a> {
    /// Prints what stands before the games.
    pub fn begin(report: &MatchReport, out: &'a mut dyn Write) -> io::Result<Printer<'a>> {
        let (head, _) = around(&frame(report)?, NO_GAMES);
        out.write_all(head.as_bytes())?;
        out.write_all(b"\n  ")?;
        out.write_all(GAMES)?;
        Ok(Printer { out, has_games: false })
    }

    /// Prints a game.
    pub fn game(&mut self, game: &GameRecord) -> io::Result<()> {
        self.text(&serde_json::to_vec(game)?)
    }

    /// Prints a game that is text already.
    pub(super) fn text(&mut self, game: &[u8]) -> io::Result<()> {
        self.out.write_all(if self.has_games { b",\n    " } else { b"\n    " })?;
        self.has_games = true;
        self.out.write_all(game)
    }

    /// Prints what follows the games.
    pub fn end(self, report: &MatchReport) -> io::Result<()> {
        let out = self.out;
        let (_, tail) = around(&frame(report)?, NO_GAMES);
        let (totals, rest) = around(&tail, NO_DUPLICATES);
        out.write_all(if self.has_games { b"\n  ]" } else { b"]" })?;
        out.write_all(totals.as_bytes())?;
        out.write_all(b"\n  \"duplicates\": [")?;
        for (index, group) in report.duplicates.iter().enumerate() {
            out.write_all(if index > 0 { b",\n    " } else { b"\n    " })?;
            serde_json::to_writer(&mut *out, group)?;
        }
        out.write_all(if report.duplicates.is_empty() { b"]" } else { b"\n  ]" })?;
        out.write_all(rest.as_bytes())?;
        out.write_all(b"\n")
    }
}

/// The lists that are printed line by line, as they stand in a report without them.
pub(super) const NO_GAMES: &str = "\n  \"games\": []";
const NO_DUPLICATES: &str = "\n  \"duplicates\": []";

/// The text of a report without these lists.
fn frame(report: &MatchReport) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&MatchReport { games: Vec::new(), duplicates: Vec::new(), ..report.clone() })
}

/// What stands before and behind a list. No text inside of a report has a line of its own.
fn around(frame: &str, list: &str) -> (String, String) {
    let (before, behind) = frame.split_once(list).expect("every report has this list");
    (before.to_owned(), behind.to_owned())
}
