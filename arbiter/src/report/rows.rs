//! Games and moves as rows for programs: a value in each column, times in nanoseconds.

use super::layout::{Format, row};
use super::summary::player_name;
use crate::record::schema::{GameRecord, MatchReport, OutcomeRecord, PlyRecord};
use crate::record::totals_of_seat;
use crate::sanitize::sanitize;
use clap::ValueEnum;
use serde_json::{Value, json};

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// A game
    Games,
    /// A move
    Plies,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Export<'a> {
    pub rows: Rows,
    /// Values between commas or tabs, or a JSON object a line.
    pub format: Format,
    pub seats: usize,
    /// The file that each row names.
    pub file: &'a str,
}

/// The columns of a game before those of its seats.
const GAME: [&str; 10] =
    ["report", "game", "round", "unit", "started", "duration_ns", "plies", "how", "reason", "winner"];
/// The columns of a seat of a game, each behind an underscore with the number of the seat.
const SEAT: [&str; 8] =
    ["player", "rank", "errors", "moves", "prepared_ns", "wall_ns", "cpu_ns", "charged_ns"];
const PLY: [&str; 14] = [
    "report", "game", "ply", "seat", "player", "move", "by", "wall_ns", "cpu_ns", "charged_ns",
    "pondered_ns", "depth", "nodes", "score",
];

impl Export<'_> {
    /// The line with the names of the columns; JSON names them in every row.
    pub(crate) fn head(&self) -> String {
        match self.format {
            Format::Csv | Format::Tsv => row(self.format, self.columns()),
            Format::Json | Format::Table | Format::Markdown => String::new(),
        }
    }

    pub(crate) fn rows(&self, report: &MatchReport, games: &[GameRecord]) -> String {
        let columns = self.columns();
        let line = |values: Vec<Value>| self.line(&columns, &values);
        match self.rows {
            Rows::Games => games.iter().map(|game| line(self.game(report, game))).collect(),
            Rows::Plies => games.iter().flat_map(|game| self.plies(report, game)).map(line).collect(),
        }
    }

    fn columns(&self) -> Vec<String> {
        let of_seats = (1..=self.seats).flat_map(|seat| SEAT.map(|column| format!("{column}_{seat}")));
        match self.rows {
            Rows::Games => GAME.map(str::to_owned).into_iter().chain(of_seats).collect(),
            Rows::Plies => PLY.map(str::to_owned).into(),
        }
    }

    fn line(&self, columns: &[String], values: &[Value]) -> String {
        let plain = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(word) => word.clone(),
            other => other.to_string(),
        };
        match self.format {
            Format::Csv | Format::Tsv => row(self.format, values.iter().map(plain)),
            Format::Json | Format::Table | Format::Markdown => {
                let field = |(column, value): (&String, &Value)| format!("\"{column}\":{value}");
                let fields: Vec<String> = columns.iter().zip(values).map(field).collect();
                format!("{{{}}}\n", fields.join(","))
            }
        }
    }

    fn game(&self, report: &MatchReport, game: &GameRecord) -> Vec<Value> {
        let winner = game.outcome.as_ref().and_then(OutcomeRecord::winner).map(|seat| seat + 1);
        let mut row = vec![
            json!(self.file),
            json!(game.number),
            json!(game.round),
            json!(game.unit),
            json!(game.started.as_deref().map(sanitize)),
            json!(game.duration_ns),
            json!(game.plies.len()),
            json!(game.ending.how.word()),
            json!(sanitize(&game.ending.reason)),
            json!(winner),
        ];
        for seat in 0..self.seats {
            let Some(record) = game.seats.get(seat) else {
                row.extend(SEAT.map(|_| Value::Null));
                continue;
            };
            let sums = totals_of_seat(game, seat);
            let rank = game.outcome.as_ref().and_then(|outcome| outcome.ranks.get(seat));
            row.extend([
                json!(player_name(report, record.player as usize)),
                json!(rank),
                json!(sums.faults()),
                json!(sums.moves),
                json!(record.prepared_ns),
                json!(sums.wall_ns),
                json!(sums.cpu_ns),
                json!(sums.charged_ns),
            ]);
        }
        row
    }

    fn plies(&self, report: &MatchReport, game: &GameRecord) -> Vec<Vec<Value>> {
        let row = |(ply, (seat, played)): (usize, (u32, &PlyRecord))| {
            let player = game.seats.get(seat as usize).map(|seat| player_name(report, seat.player as usize));
            let said = played.search.as_ref();
            vec![
                json!(self.file),
                json!(game.number),
                json!(ply + 1),
                json!(seat.saturating_add(1)),
                json!(player),
                json!(sanitize(&played.played)),
                json!(played.by),
                json!(played.wall_ns),
                json!(played.cpu_ns),
                json!(played.times().charged()),
                json!(played.pondered_ns),
                json!(said.map(|said| said.depth)),
                json!(said.map(|said| said.nodes)),
                json!(said.and_then(|said| said.score)),
            ]
        };
        game.turns().enumerate().map(row).collect()
    }
}
