//! The tables of a report: players, games, totals.

use super::layout::{Columns, Format, count, errors_legend, legend, no_room, plain, row, table_in};
use super::remarks::{self, Habits};
use super::standings::{Circumstances, Standings};
use super::standings_table::row_of;
use super::tally::Tally;
use crate::record::schema::{ClockKind, GameRecord, MatchReport, OutcomeRecord, Plan, Player, PlayerKind};
use crate::sanitize::sanitize;
use crate::verdict::instructions;
use arbiter_rules::draw::Charset;
use arbiter_rules::options::told;
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Seek, Write};
use tempfile::SpooledTempFile;

/// Which tables are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Totals, and the games where they are few.
    Result,
    /// Everything.
    Full,
}

/// Games that a result shows one by one; of more only the totals.
pub(crate) const FEW_GAMES: usize = 20;

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
    /// How wide the terminal is that a table goes to.
    pub room: Option<usize>,
}

/// The names of the columns of [`Format::Csv`].
pub(crate) const CSV_HEAD: &str = "report,game,seats,winner,how,reason,plies,duration_ns,errors";

/// A report as text. `tally` has the sums of all games; the report itself holds only the games to be shown.
///
/// # Errors
/// Rows of so many games that they need a file, for which there is no room.
pub fn summary(
    report: &MatchReport,
    tally: Tally,
    circumstances: Circumstances,
    style: &Style<'_>,
) -> Result<String, RowsError> {
    let mut summary = Summary::new(report, *style);
    let mut text = summary.begin() + &summary.games(&report.games)?;
    summary.tally = tally;
    summary.end(report, circumstances, |piece| {
        text.push_str(piece);
        Ok(())
    })?;
    Ok(text)
}

/// A report that is printed while its games come in, some at a time. In tables the rows of games wait until the last has
/// come, since only then it is known how wide their columns are.
pub(crate) struct Summary<'a> {
    /// The report without its games; what follows the games in the file may be missing too.
    frame: &'a MatchReport,
    style: Style<'a>,
    columns: Columns,
    /// The rows of that table: a line each, with [`BETWEEN_CELLS`] between its cells.
    rows: SpooledTempFile,
    tally: Tally,
    habits: Habits,
    has_games: bool,
}

/// Rows of games have no place to wait in.
#[derive(Debug, thiserror::Error)]
#[error("the rows of games cannot wait in a file in {}", std::env::temp_dir().display())]
pub struct RowsError(#[source] io::Error);

/// Rows of more bytes than this wait in a file without a name.
const MOST_IN_MEMORY: usize = 1 << 20;

/// Stands in no cell: the names of players are made harmless, and the rest is ours.
const BETWEEN_CELLS: &str = "\u{1f}";

impl<'a> Summary<'a> {
    pub(crate) fn new(frame: &'a MatchReport, style: Style<'a>) -> Summary<'a> {
        let names = [">game", "seats", "winner", "reason", ">plies", ">seconds", ">errors"];
        let columns = Columns::new(style.format, names);
        let rows = SpooledTempFile::new(MOST_IN_MEMORY);
        let tally = Tally::under(&frame.plan);
        Summary { frame, style, columns, rows, tally, habits: Habits::new(frame), has_games: false }
    }

    /// What stands before the games.
    pub(crate) fn begin(&self) -> String {
        let Style { format, detail, charset, file, room } = self.style;
        let frame = self.frame;
        match format {
            Format::Csv | Format::Tsv => String::new(),
            Format::Json => {
                let names: Vec<&str> = frame.plan.players.iter().map(|player| player.name.as_str()).collect();
                let (asked, ended) = (frame.games_asked, frame.games_ended);
                let (file, game, names) = (json!(file), json!(frame.plan.game), json!(names));
                format!(
                    "{{\"report\":{file},\"game\":{game},\"players\":{names},\"games_asked\":{asked},\"games_ended\":{ended},\"games\":["
                )
            }
            Format::Table | Format::Markdown if detail == Detail::Full => {
                let players = players(frame, format, room);
                format!("{}\n{players}\n", plain(format, headline(frame, charset)))
            }
            Format::Table | Format::Markdown => String::new(),
        }
    }

    /// The next games: what can be printed of them now.
    pub(crate) fn games(&mut self, games: &[GameRecord]) -> Result<String, RowsError> {
        Ok(match self.style.format {
            Format::Csv | Format::Tsv => games.iter().map(|game| self.values(game)).collect(),
            Format::Json => {
                let mut text = String::new();
                for game in games {
                    text.push_str(if std::mem::replace(&mut self.has_games, true) { "," } else { "" });
                    text.push_str(&json_game(game).to_string());
                }
                text
            }
            Format::Table | Format::Markdown => {
                games.iter().for_each(|game| self.tally.add(game));
                self.habits.add(games);
                if self.shows_games() {
                    self.keep_rows(games)?;
                }
                String::new()
            }
        })
    }

    /// Prints the rest, once all games have come: in tables the rows of games, and what follows them.
    pub(crate) fn end<E: From<RowsError>>(
        &mut self,
        report: &MatchReport,
        circumstances: Circumstances,
        mut print: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let Style { format, detail, room, .. } = self.style;
        match format {
            Format::Csv | Format::Tsv => Ok(()),
            Format::Json => {
                let (totals, duplicates) = (json!(report.totals), json!(report.duplicates));
                print(&format!("],\"totals\":{totals},\"duplicates\":{duplicates}}}\n"))
            }
            Format::Table | Format::Markdown => {
                let mut text = String::new();
                if self.shows_games() {
                    let left_out = room.map_or_else(Vec::new, |room| self.columns.within(room));
                    print(&self.columns.head())?;
                    self.print_rows(&mut print)?;
                    text.push_str(&format!("{}\n", no_room(&left_out)));
                }
                let standings = Standings::new(&self.tally, circumstances);
                text.push_str(&totals(&standings, format, room));
                if !report.parts.is_empty() {
                    text.push_str(&format!("\n{}", parts(report, format, room)));
                }
                let sentences = remarks::of_report(report, &self.habits, detail);
                for sentence in remarks::without_play(&standings).into_iter().chain(sentences) {
                    text.push_str(&format!("\n{}\n", plain(format, sentence)));
                }
                print(&text)
            }
        }
    }

    fn shows_games(&self) -> bool {
        self.style.detail == Detail::Full || self.frame.games_ended as usize <= FEW_GAMES
    }

    fn row(&self, game: &GameRecord) -> [String; 7] {
        let between = if self.style.charset == Charset::Unicode { " – " } else { " - " };
        let row = GameRow::new(self.frame, game);
        let row = [
            game.number.to_string(),
            row.seats.join(between),
            row.winner,
            row.reason,
            game.plies.len().to_string(),
            row.seconds,
            row.errors.to_string(),
        ];
        row.map(|cell| plain(self.style.format, cell))
    }

    fn values(&self, game: &GameRecord) -> String {
        let GameRow { seats, winner, errors, .. } = GameRow::new(self.frame, game);
        let fields = [
            self.style.file.to_owned(),
            game.number.to_string(),
            seats.join("|"),
            winner,
            game.ending.how.word().to_owned(),
            sanitize(&game.ending.reason),
            game.plies.len().to_string(),
            game.duration_ns.map_or(String::new(), |ns| ns.to_string()),
            errors.to_string(),
        ];
        row(self.style.format, fields)
    }

    /// Lets the rows of games wait, and notes how wide their cells are.
    fn keep_rows(&mut self, games: &[GameRecord]) -> Result<(), RowsError> {
        let mut text = String::new();
        for game in games {
            let row = self.row(game);
            self.columns.fit(&row);
            text.extend([row.join(BETWEEN_CELLS), "\n".to_owned()]);
        }
        self.rows.write_all(text.as_bytes()).map_err(RowsError)
    }

    fn print_rows<E: From<RowsError>>(
        &mut self,
        mut print: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        self.rows.rewind().map_err(RowsError)?;
        let (mut kept, mut row, mut text) = (BufReader::new(&mut self.rows), String::new(), String::new());
        while kept.read_line(&mut row).map_err(RowsError)? > 0 {
            text.push_str(&self.columns.line(row.trim_end_matches('\n').split(BETWEEN_CELLS)));
            row.clear();
            if text.len() >= PRINTED_AT_ONCE {
                print(&text)?;
                text.clear();
            }
        }
        print(&text)
    }
}

/// Bytes of rows that are printed at a time.
const PRINTED_AT_ONCE: usize = 1 << 16;

/// Who played what: unequal machines make unequal clocks.
fn parts(report: &MatchReport, format: Format, room: Option<usize>) -> String {
    let rows = report.parts.iter().map(|part| {
        let shown = |text: &Option<String>| sanitize(text.as_deref().unwrap_or(""));
        let per_move = part.wall_ns as f64 / 1e6 / part.moves.max(1) as f64;
        [
            shown(&part.shard),
            shown(&part.machine.host),
            shown(&part.machine.processor),
            part.machine.jobs.to_string(),
            part.games.to_string(),
            format!("{per_move:.3}"),
        ]
    });
    table_in(room, format, ["part", "host", "processor", ">jobs", ">games", ">ms/move"], rows)
}

/// The options of the game that somebody has chosen, as they are given: `earthquake=true`. Hostile text, if the report is.
pub(crate) fn chosen_options(plan: &Plan) -> Vec<String> {
    let known = arbiter_rules::registry::find(&plan.game).map_or(&[][..], |info| info.options);
    let is_default = |name: &str, value: &str| {
        known.iter().find(|option| option.name == name).is_some_and(|option| option.is_default(value))
    };
    let options = plan.options.iter().map(|(name, value)| (name, value.to_string()));
    let chosen = options.filter(|(name, value)| !is_default(name, value));
    chosen.map(|(name, value)| told(name, &value)).collect()
}

/// One line: what was played, when, how much of it.
fn headline(report: &MatchReport, charset: Charset) -> String {
    let plan = &report.plan;
    let (ended, asked) = (report.games_ended, report.games_asked);
    let games = format!("{ended} of {} ended", count(asked, "game"));
    let options = chosen_options(plan);
    let options = (!options.is_empty()).then(|| options.join(", "));
    let parts = [Some(plan.game.clone()), options, Some(format!("{} seats", plan.seats)), Some(games)];
    let parts = parts.into_iter().chain([report.started.clone()]).flatten();
    let parts: Vec<String> = parts.map(|part| sanitize(&part)).collect();
    parts.join(if charset == Charset::Unicode { " · " } else { ", " }) + "\n"
}

fn players(report: &MatchReport, format: Format, room: Option<usize>) -> String {
    let rows = report.plan.players.iter().map(|player| {
        let kind = match player.kind {
            PlayerKind::Bot => "",
            PlayerKind::Program => "(not contained)",
            PlayerKind::Human => "(a person)",
        };
        let shown = |text: &Option<String>| sanitize(text.as_deref().unwrap_or(kind));
        let time = time_control(&report.plan, player);
        [sanitize(&player.name), shown(&player.version), shown(&player.author), shown(&player.file), time]
    });
    table_in(room, format, ["player", "version", "author", "file", "time"], rows)
}

/// `0.1 s a move`, `60 s + 1 s`, `no limit`.
pub(crate) fn time_control(plan: &Plan, player: &Player) -> String {
    match (player.time.move_ns, player.time.base_ns, player.time.increment_ns) {
        (Some(limit), ..) if plan.clock == Some(ClockKind::Instructions) => {
            format!("{} a move", instructions(limit))
        }
        (Some(limit), ..) => format!("{} a move", seconds(limit)),
        (None, Some(base), None | Some(0)) => format!("{} a game", seconds(base)),
        (None, Some(base), Some(increment)) => format!("{} + {}", seconds(base), seconds(increment)),
        (None, None, _) => "no limit".to_owned(),
    }
}

fn totals(standings: &Standings, format: Format, room: Option<usize>) -> String {
    let names =
        [">#", "player", ">games", ">points", ">%", ">wins", ">draws", ">losses", "errors", ">ms/move"];
    let rows = standings.lines.iter().map(|line| row_of(standings, line, None, []));
    table_in(room, format, names, rows) + &legend(format, errors_legend(standings.tally.totals()))
}

fn json_game(game: &GameRecord) -> Value {
    json!({
        "number": game.number,
        "seats": game.seats.iter().map(|seat| seat.player).collect::<Vec<_>>(),
        "winner": game.outcome.as_ref().and_then(OutcomeRecord::winner),
        "how": game.ending.how.word(),
        "reason": game.ending.reason,
        "plies": game.plies.len(),
        "duration_ns": game.duration_ns,
        "errors": game.refused(),
    })
}

/// The parts of a game's row that take some looking up.
pub(crate) struct GameRow {
    pub(crate) seats: Vec<String>,
    pub(crate) winner: String,
    reason: String,
    seconds: String,
    errors: usize,
}

impl GameRow {
    pub(crate) fn new(report: &MatchReport, game: &GameRecord) -> GameRow {
        let seats: Vec<String> =
            game.seats.iter().map(|seat| player_name(report, seat.player as usize)).collect();
        let winner = game.outcome.as_ref().map(|outcome| match outcome.winner() {
            Some(seat) => seats.get(seat as usize).cloned().unwrap_or_default(),
            None => "draw".to_owned(),
        });
        let told = |seat: Option<u32>, reason: &str| match seat.and_then(|seat| seats.get(seat as usize)) {
            Some(loser) => format!("{loser} {}", sanitize(reason)),
            None => sanitize(reason),
        };
        let out = game.eliminations.iter().map(|out| told(Some(out.seat), &out.fault.kind));
        let reasons: Vec<_> = out.chain([told(game.ending.seat, &game.ending.reason)]).collect();
        let reason = reasons.join(", ");
        let seconds = game.duration_ns.map_or(String::new(), |ns| format!("{:.2}", ns as f64 / 1e9));
        GameRow { winner: winner.unwrap_or_default(), reason, seconds, errors: game.refused(), seats }
    }
}

pub(crate) fn player_name(report: &MatchReport, player: usize) -> String {
    report
        .plan
        .players
        .get(player)
        .map_or_else(|| format!("player {player}"), |player| sanitize(&player.name))
}

fn seconds(ns: u64) -> String {
    format!("{} s", ns as f64 / 1e9)
}
