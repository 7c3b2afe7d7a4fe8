//! The tables of a report: players, games, totals.

use super::layout::{Format, cells, count, errors, lines, plain, points, quoted, table, time_per_move};
use super::remarks;
use crate::record::schema::{GameRecord, How, MatchReport, OutcomeRecord, PlayerKind};
use crate::sanitize::sanitize;
use arbiter_rules::draw::Charset;
use serde_json::{Value, json};

/// Which tables are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Totals, and the games where they are few.
    Result,
    /// Everything.
    Full,
}

/// Games that a result shows one by one; of more only the totals.
pub const FEW_GAMES: usize = 20;

/// How a report is printed.
#[derive(Clone, Copy, Debug)]
pub struct Style<'a> {
    /// The form.
    pub format: Format,
    /// How much of it.
    pub detail: Detail,
    /// Which characters our own words may use.
    pub charset: Charset,
    /// Where the report is saved, for rows and objects of several reports.
    pub file: &'a str,
}

/// The names of the columns of [`Format::Csv`].
pub const CSV_HEAD: &str = "report,game,seats,winner,how,reason,plies,seconds,errors";

/// A report as text.
#[must_use]
pub fn summary(report: &MatchReport, style: &Style<'_>) -> String {
    match style.format {
        Format::Csv => csv(report, style.file, ","),
        Format::Tsv => csv(report, style.file, "\t"),
        Format::Json => format!("{}\n", json_summary(report, style.file)),
        Format::Table | Format::Markdown => tables(report, style),
    }
}

fn tables(report: &MatchReport, style: &Style<'_>) -> String {
    let format = style.format;
    let mut text = String::new();
    if style.detail == Detail::Full {
        text.push_str(&plain(format, headline(report, style.charset)));
        text.push('\n');
        text.push_str(&players(report, format));
        text.push('\n');
    }
    if style.detail == Detail::Full || report.games_ended as usize <= FEW_GAMES {
        text.push_str(&games(report, style));
        text.push('\n');
    }
    text.push_str(&totals(report, format));
    if !report.parts.is_empty() {
        text.push_str(&format!("\n{}", parts(report, format)));
    }
    for sentence in remarks::of_report(report, style.detail) {
        text.push_str(&format!("\n{}\n", plain(format, sentence)));
    }
    text
}

/// Who played what: unequal machines make unequal clocks.
fn parts(report: &MatchReport, format: Format) -> String {
    let head = ["part", "host", "processor", "jobs", "games", "ms/move"];
    let mut table = table(format, &head, &[3, 4, 5]);
    for part in &report.parts {
        let per_move = part.wall_ns as f64 / 1e6 / part.moves.max(1) as f64;
        table.add_row(cells(
            format,
            [
                sanitize(part.shard.as_deref().unwrap_or("")),
                sanitize(part.machine.host.as_deref().unwrap_or("")),
                sanitize(part.machine.processor.as_deref().unwrap_or("")),
                part.machine.jobs.to_string(),
                part.games.to_string(),
                format!("{per_move:.3}"),
            ],
        ));
    }
    lines(&table)
}

/// One line: what was played, when, how much of it.
fn headline(report: &MatchReport, charset: Charset) -> String {
    let plan = &report.plan;
    let (ended, asked) = (report.games_ended, report.games_asked);
    let games = format!("{ended} of {} ended", count(asked, "game"));
    let parts = [plan.game.clone(), format!("{} seats", plan.seats), games];
    let parts: Vec<String> =
        parts.into_iter().chain(report.started.clone()).map(|part| sanitize(&part)).collect();
    parts.join(if charset == Charset::Unicode { " · " } else { ", " }) + "\n"
}

fn players(report: &MatchReport, format: Format) -> String {
    let mut table = table(format, &["player", "version", "author", "file", "time"], &[]);
    for player in &report.plan.players {
        let kind = if player.kind == PlayerKind::Human { "(a person)" } else { "" };
        let shown = |text: &Option<String>| sanitize(text.as_deref().unwrap_or(kind));
        let time = match (player.time.move_ns, player.time.base_ns) {
            (Some(time), _) => format!("{} a move", seconds(time)),
            (None, Some(base)) => {
                format!("{} + {}", seconds(base), seconds(player.time.increment_ns.unwrap_or(0)))
            }
            (None, None) => "no limit".to_owned(),
        };
        table.add_row(cells(
            format,
            [
                sanitize(&player.name),
                shown(&player.version),
                shown(&player.author),
                shown(&player.file),
                time,
            ],
        ));
    }
    lines(&table)
}

fn games(report: &MatchReport, style: &Style<'_>) -> String {
    let format = style.format;
    let between = if style.charset == Charset::Unicode { " – " } else { " - " };
    let mut table =
        table(format, &["game", "seats", "winner", "reason", "plies", "seconds", "errors"], &[0, 4, 5, 6]);
    for game in &report.games {
        let row = GameRow::new(report, game);
        table.add_row(cells(
            format,
            [
                game.number.to_string(),
                row.seats.join(between),
                row.winner,
                row.reason,
                game.plies.len().to_string(),
                row.seconds,
                row.errors.to_string(),
            ],
        ));
    }
    lines(&table)
}

fn totals(report: &MatchReport, format: Format) -> String {
    let head = ["#", "player", "games", "points", "%", "wins", "draws", "losses", "errors", "ms/move"];
    let mut table = table(format, &head, &[0, 2, 3, 4, 5, 6, 7, 9]);
    let mut order: Vec<usize> = (0..report.totals.len()).collect();
    order.sort_by(|&a, &b| report.totals[b].points.total_cmp(&report.totals[a].points));
    for player in order {
        let sums = &report.totals[player];
        let ahead = report.totals.iter().filter(|other| other.points > sums.points).count();
        let percent = if sums.games == 0 { 0.0 } else { 100.0 * sums.points / f64::from(sums.games) };
        table.add_row(cells(
            format,
            [
                (ahead + 1).to_string(),
                name(report, player),
                sums.games.to_string(),
                points(sums.points),
                format!("{percent:.1}"),
                sums.wins.to_string(),
                sums.draws.to_string(),
                sums.losses.to_string(),
                errors(sums),
                time_per_move(sums),
            ],
        ));
    }
    lines(&table)
}

/// One row a game. Between commas, names with commas or quotes are quoted; nothing that is printed has a tab.
fn csv(report: &MatchReport, file: &str, separator: &str) -> String {
    let mut text = String::new();
    for game in &report.games {
        let row = GameRow::new(report, game);
        let fields = [
            file.to_owned(),
            game.number.to_string(),
            row.seats.join("|"),
            row.winner,
            how(game.ending.how).to_owned(),
            sanitize(&game.ending.reason),
            game.plies.len().to_string(),
            row.seconds,
            row.errors.to_string(),
        ];
        let fields = fields.map(|field| if separator == "," { quoted(&field) } else { field });
        text.push_str(&fields.join(separator));
        text.push('\n');
    }
    text
}

fn json_summary(report: &MatchReport, file: &str) -> Value {
    let games: Vec<Value> = report
        .games
        .iter()
        .map(|game| {
            json!({
                "number": game.number,
                "seats": game.seats.iter().map(|seat| seat.player).collect::<Vec<_>>(),
                "winner": game.outcome.as_ref().and_then(OutcomeRecord::winner),
                "how": how(game.ending.how),
                "reason": game.ending.reason,
                "plies": game.plies.len(),
                "duration_ns": game.duration_ns,
                "errors": game.refused(),
            })
        })
        .collect();
    json!({
        "report": file,
        "game": report.plan.game,
        "players": report.plan.players.iter().map(|player| &player.name).collect::<Vec<_>>(),
        "games_asked": report.games_asked,
        "games_ended": report.games_ended,
        "games": games,
        "totals": report.totals,
        "duplicates": report.duplicates,
    })
}

/// The parts of a game's row that take some looking up.
struct GameRow {
    seats: Vec<String>,
    winner: String,
    reason: String,
    seconds: String,
    errors: usize,
}

impl GameRow {
    fn new(report: &MatchReport, game: &GameRecord) -> GameRow {
        let seats: Vec<String> = game.seats.iter().map(|seat| name(report, seat.player as usize)).collect();
        let winner = game.outcome.as_ref().map(|outcome| match outcome.winner() {
            Some(seat) => seats.get(seat as usize).cloned().unwrap_or_default(),
            None => "draw".to_owned(),
        });
        let loser = game.ending.seat.and_then(|seat| seats.get(seat as usize));
        let reason = match loser {
            Some(loser) => format!("{loser} {}", sanitize(&game.ending.reason)),
            None => sanitize(&game.ending.reason),
        };
        let seconds = game.duration_ns.map_or(String::new(), |ns| format!("{:.2}", ns as f64 / 1e9));
        GameRow { winner: winner.unwrap_or_default(), reason, seconds, errors: game.refused(), seats }
    }
}

/// The name of a player, harmless.
pub(super) fn name(report: &MatchReport, player: usize) -> String {
    report
        .plan
        .players
        .get(player)
        .map_or_else(|| format!("player {player}"), |player| sanitize(&player.name))
}

fn how(how: How) -> &'static str {
    match how {
        How::Rules => "rules",
        How::Forfeit => "forfeit",
        How::Adjudication => "adjudication",
        How::Abandoned => "abandoned",
    }
}

fn seconds(ns: u64) -> String {
    format!("{} s", ns as f64 / 1e9)
}
