//! The text of a report: JSON that people can read, indented, but every game and every group of repeated games on a line
//! of its own. A head, lines, and a tail, so that games can come one by one.

use super::reader::GAMES;
use super::schema::{
    GameRecord, Machine, MatchReport, PartRecord, Plan, SprtRecord, Totals, WithdrawalRecord,
};
use serde::Serialize;
use std::io::{self, Write};

/// A report that is being printed.
pub struct Printer<'a> {
    out: &'a mut dyn Write,
    has_games: bool,
}

/// What stands before the games.
#[derive(Serialize)]
struct Head<'a> {
    format: &'a str,
    format_version: u32,
    arbiter: &'a str,
    plan: &'a Plan,
    machine: &'a Option<Machine>,
    started: &'a Option<String>,
    finished: &'a Option<String>,
    games_asked: u32,
    games_ended: u32,
}

/// What follows the games.
#[derive(Serialize)]
struct Tail<'a> {
    totals: &'a [Totals],
}

/// What follows the list of repeated games.
#[derive(Serialize)]
struct End<'a> {
    withdrawals: &'a [WithdrawalRecord],
    sprt: &'a Option<SprtRecord>,
    parts: &'a [PartRecord],
}

impl<'a> Printer<'a> {
    /// Prints what stands before the games.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn begin(report: &MatchReport, out: &'a mut dyn Write) -> io::Result<Printer<'a>> {
        let MatchReport { format_version, games_asked, games_ended, .. } = *report;
        let MatchReport { format, arbiter, plan, machine, started, finished, .. } = report;
        let head = Head {
            format,
            format_version,
            arbiter,
            plan,
            machine,
            started,
            finished,
            games_asked,
            games_ended,
        };
        out.write_all(b"{")?;
        fields(out, &head)?;
        out.write_all(b",\n  ")?;
        out.write_all(GAMES)?;
        Ok(Printer { out, has_games: false })
    }

    /// Prints a game.
    ///
    /// # Errors
    /// Those of `out`.
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
    ///
    /// # Errors
    /// Those of `out`.
    pub fn end(self, report: &MatchReport) -> io::Result<()> {
        let MatchReport { totals, duplicates, withdrawals, sprt, parts, .. } = report;
        let out = self.out;
        out.write_all(if self.has_games { b"\n  ]," } else { b"]," })?;
        fields(out, &Tail { totals })?;
        out.write_all(b",\n  \"duplicates\": [")?;
        for (index, group) in duplicates.iter().enumerate() {
            out.write_all(if index > 0 { b",\n    " } else { b"\n    " })?;
            serde_json::to_writer(&mut *out, group)?;
        }
        out.write_all(if duplicates.is_empty() { b"]," } else { b"\n  ]," })?;
        fields(out, &End { withdrawals, sprt, parts })?;
        out.write_all(b"\n}\n")
    }
}

/// Prints the fields of a struct without its braces.
fn fields(out: &mut dyn Write, of: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string_pretty(of)?;
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix("\n}"));
    out.write_all(inner.expect("a struct with fields has braces").as_bytes())
}

impl MatchReport {
    /// Whether this is the canonical form, which no machine is named in.
    pub fn is_canonical(&self) -> bool {
        self.machine.is_none()
    }
}
