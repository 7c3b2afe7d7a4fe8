//! Standings in the forms in which people and programs read them.

use super::layout::{
    Format, count, cut, errors, errors_legend, legend, percent, plain, points, range, row, short_name,
    signed, table_in, table_in_parts, time_per_move,
};
use super::remarks;
use super::standings::{ENOUGH_UNITS, Line, Standings};
use arbiter_rules::draw::Charset;
use std::iter::once;

/// Players whose results against each other are shown side by side; of more, only the standings.
pub(crate) const MOST_SIDE_BY_SIDE: usize = 30;

/// Standings as text. A table for a terminal has as many columns as there is `room` for.
pub(crate) fn standings_text(
    standings: &Standings,
    format: Format,
    charset: Charset,
    room: Option<usize>,
) -> String {
    match format {
        Format::Csv | Format::Tsv => rows(standings, format),
        Format::Json => format!("{}\n", standings.json()),
        Format::Table => tables(standings, format, charset, room),
        Format::Markdown => tables(standings, format, charset, None),
    }
}

fn tables(standings: &Standings, format: Format, charset: Charset, room: Option<usize>) -> String {
    let mut text = format!("{}\n\n", plain(format, title(standings)));
    text.push_str(&main_table(standings, format, room));
    text.push_str(&legend(format, main_legend(standings)));
    let marks = standings.marks_text(format, room);
    if !marks.is_empty() {
        text.push_str(&format!("\n{marks}"));
    }
    let players = standings.lines.len();
    if (2..=MOST_SIDE_BY_SIDE).contains(&players) && standings.tally.games() > 0 {
        text.push_str(&format!("\n{}", cross_table(standings, format, room)));
        text.push_str(&legend(format, [cross_legend(standings)]));
        if players > 2 {
            text.push_str(&format!("\n{}", superiority(standings, format, charset, room)));
        }
    }
    text.push_str(&format!("\n{}", seat_table(standings, format, room)));
    text.push_str(&legend(format, ["Points and games in each seat.".to_owned()]));
    for remark in remarks::of_standings(standings, charset) {
        text.push_str(&format!("\n{}\n", plain(format, remark)));
    }
    let refused = legend(format, standings.circumstances.not_let_in.iter().cloned());
    let gap = if refused.is_empty() || format == Format::Markdown { "" } else { "\n" };
    text.push_str(&format!("{gap}{refused}"));
    text
}

/// What a unit of these results is called.
fn units(standings: &Standings) -> &'static str {
    if standings.tally.seats() == 2 { "pairs of games" } else { "rotations of games" }
}

/// Why ranges are wider where results decided who met whom.
pub(crate) const OF_PAIRINGS: &str = "; twice as wide as elsewhere, since those who had luck met each other";

fn main_legend(standings: &Standings) -> Vec<String> {
    let scale = standings.scale();
    let doubt = if standings.circumstances.is_paired_by_results { OF_PAIRINGS } else { "" };
    let rating = format!(
        "rating 95%: {scale}, and the range that holds the true rating in 95 of 100 cases, by {}{doubt}.",
        units(standings)
    );
    let explained = tie_breaks(standings).into_iter().map(|(name, _)| match name {
        ">SB" => "SB: what was scored against each opponent, times the points of that one.".to_owned(),
        ">BH" => "BH: the points of all opponents.".to_owned(),
        _ => "H2H: points against those with as many points.".to_owned(),
    });
    let rank_points = remarks::of_rank_points(standings.tally.seats()).into_iter();
    let counts = "W, D, L: games won, drawn and lost; ms/move: a move's time on its clock.".to_owned();
    rank_points
        .chain([rating, counts])
        .chain(explained)
        .chain(errors_legend(standings.tally.totals()))
        .collect()
}

fn cross_legend(standings: &Standings) -> String {
    let what = if standings.tally.seats() == 2 { "Points" } else { "Games ahead, ties half," };
    format!("{what} of the one on the left and games against the one of the column.")
}

fn title(standings: &Standings) -> String {
    let circumstances = &standings.circumstances;
    let (ended, asked) = (standings.tally.games(), circumstances.games_asked);
    let games = count(asked, "game");
    let done = if ended == asked { games } else { format!("{ended} of {games}") };
    format!("{}: {done}", circumstances.title)
}

/// `+178 (+110 to +251)`; nothing for somebody who has not played.
fn rating(line: &Line) -> String {
    match (line.rating, line.interval) {
        (Some(rating), Some(interval)) => format!("{} ({})", signed(rating), range(interval)),
        (rating, _) => rating.map_or_else(String::new, signed),
    }
}

pub(crate) fn rating_range(line: &Line) -> String {
    line.interval.map_or_else(String::new, range)
}

/// The head of the standings and their first rows, as many lines and columns as there is room for.
pub(crate) fn leaders_table(standings: &Standings, (lines, columns): (usize, usize)) -> String {
    let table = main_table(standings, Format::Table, Some(columns));
    let lines = table.lines().take(lines.min(1 + standings.lines.len()));
    lines.map(|line| cut(line, columns)).collect::<Vec<_>>().join("\n")
}

fn main_table(standings: &Standings, format: Format, room: Option<usize>) -> String {
    let tie_breaks = tie_breaks(standings);
    let mut names = vec![">#", "player", ">games", ">points", ">%", ">rating 95%", ">W", ">D", ">L"];
    names.extend(tie_breaks.iter().map(|(name, _)| name));
    names.extend(["errors", ">ms/move"]);
    let row = |line| {
        let values = tie_breaks.iter().map(|(_, value)| points(value(line)));
        row_of(standings, line, Some(rating(line)), values)
    };
    table_in(room, format, names, standings.lines.iter().map(row))
}

/// A row for people: how somebody did, with what stands between points and results, and behind these.
pub(super) fn row_of(
    standings: &Standings,
    line: &Line,
    rating: Option<String>,
    tie_breaks: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let totals = standings.totals(line.player);
    let (name, games) = (standings.name(line.player), totals.games.to_string());
    let front = [line.place.to_string(), name, games, points(line.points), format!("{:.1}", line.percent)];
    let results = [totals.wins, totals.draws, totals.losses].map(|games| games.to_string());
    let end = [errors(totals), time_per_move(&standings.tally.sums, line.player)];
    front.into_iter().chain(rating).chain(results).chain(tie_breaks).chain(end).collect()
}

/// The head of a column, and what stands in it.
type TieBreak = (&'static str, fn(&Line) -> f64);

/// What sets equal points apart, in the order in which it counts: points against each other are shown only where somebody
/// has equal points, and say nothing elsewhere. Between two players it says nothing.
fn tie_breaks(standings: &Standings) -> Vec<TieBreak> {
    let sonneborn_berger: TieBreak = (">SB", |line| line.sonneborn_berger);
    let has_equals =
        standings.lines.len() > 2 && standings.lines.windows(2).any(|pair| pair[0].points == pair[1].points);
    if standings.circumstances.opponents_differ {
        vec![(">BH", |line| line.buchholz), sonneborn_berger]
    } else if has_equals && standings.circumstances.places.is_empty() {
        vec![(">H2H", |line| line.head_to_head), sonneborn_berger]
    } else if standings.lines.len() > 2 {
        vec![sonneborn_berger]
    } else {
        Vec::new()
    }
}

/// What everybody made against everybody: points of games of two, games ahead of the other where there are more seats.
fn cross_table(standings: &Standings, format: Format, room: Option<usize>) -> String {
    grid(standings, format, room, "against", |line, other| {
        let Some(meeting) = standings.tally.meeting(line.player, other.player) else { return String::new() };
        format!("{}/{}", points(meeting.points()), meeting.games)
    })
}

/// A table with a row and a column for everybody, and what is said of the two in each cell.
fn grid(
    standings: &Standings,
    format: Format,
    room: Option<usize>,
    what: &str,
    said: impl Fn(&Line, &Line) -> String,
) -> String {
    let numbered = || (1..=standings.lines.len()).zip(&standings.lines);
    let mut names = vec![String::new(), what.to_owned()];
    names.extend(numbered().map(|(number, _)| format!(">{number}")));
    let row = |(number, line): (usize, &Line)| -> Vec<String> {
        let is_same = |other: &Line| line.player == other.player;
        let cell = |other| if is_same(other) { "-".to_owned() } else { said(line, other) };
        let who = [number.to_string(), standings.name(line.player)];
        who.into_iter().chain(standings.lines.iter().map(cell)).collect()
    };
    table_in_parts(room, format, &names, numbered().map(row).collect())
}

/// The chance in percent that the one on the left is stronger, where enough was played to say so.
fn superiority(standings: &Standings, format: Format, charset: Charset, room: Option<usize>) -> String {
    let units = units(standings);
    if standings.lines.iter().filter(|line| standings.has_enough_units(line.player)).count() < 2 {
        let words =
            format!("Who is stronger is not told before two players have {ENOUGH_UNITS} {units} each.");
        return format!("{}\n", plain(format, words));
    }
    let unknown = if charset == Charset::Unicode { "·" } else { "." };
    let has_enough = |line: &Line| standings.has_enough_units(line.player);
    let table = grid(standings, format, room, "stronger than, %", |line, other| {
        match standings.superiority(line.player, other.player) {
            Some(chance) => percent(chance),
            None if has_enough(line) && has_enough(other) => unknown.to_owned(),
            None => "few".to_owned(),
        }
    });
    let words = format!(
        "How surely the one on the left is stronger than the one of the column. few: fewer than {ENOUGH_UNITS} {units} of one \
         of them. {unknown}: they never met, not even over others."
    );
    format!("{table}{}", legend(format, [words]))
}

fn seat_table(standings: &Standings, format: Format, room: Option<usize>) -> String {
    let seats = standings.tally.by_seat.first().map_or(0, Vec::len);
    let names = once("points by seat".to_owned()).chain((1..=seats).map(|seat| format!(">seat {seat}")));
    let rows = standings.lines.iter().map(|line| {
        let sums = standings.tally.by_seat[line.player].iter();
        let cells = sums.map(|sum| format!("{}/{}", points(sum.points()), sum.games));
        once(short_name(&standings.name(line.player), room)).chain(cells)
    });
    table_in(None, format, names, rows)
}

fn rows(standings: &Standings, format: Format) -> String {
    let head = row(format, COLUMNS.map(|(name, _)| name.to_owned()));
    let line = |line: &Line| row(format, COLUMNS.map(|(_, value)| value(standings, line)));
    once(head).chain(standings.lines.iter().map(line)).collect()
}

/// The name of a column, and what stands in it for a player.
type Column = (&'static str, fn(&Standings, &Line) -> String);

const COLUMNS: [Column; 21] = [
    ("place", |_, line| line.place.to_string()),
    ("name", |standings, line| standings.name(line.player)),
    ("games", |standings, line| standings.totals(line.player).games.to_string()),
    ("points", |_, line| points(line.points)),
    ("percent", |_, line| format!("{:.3}", line.percent)),
    ("rating", |_, line| thousandths(line.rating)),
    ("lower", |_, line| thousandths(line.interval.map(|interval| interval.low))),
    ("upper", |_, line| thousandths(line.interval.map(|interval| interval.high))),
    ("wins", |standings, line| standings.totals(line.player).wins.to_string()),
    ("draws", |standings, line| standings.totals(line.player).draws.to_string()),
    ("losses", |standings, line| standings.totals(line.player).losses.to_string()),
    ("head_to_head", |_, line| points(line.head_to_head)),
    ("sonneborn_berger", |_, line| points(line.sonneborn_berger)),
    ("buchholz", |_, line| points(line.buchholz)),
    ("errors_by_kind", |standings, line| errors(standings.totals(line.player))),
    ("errors", |standings, line| standings.totals(line.player).faults().to_string()),
    ("moves", |standings, line| standings.totals(line.player).moves.to_string()),
    ("ms_per_move", |standings, line| time_per_move(&standings.tally.sums, line.player)),
    ("bye_points", |standings, line| points(standings.points_without_play(line.player))),
    ("withdrawn_after", |standings, line| {
        let withdrawn = standings.circumstances.withdrawn_after.get(line.player).copied().flatten();
        withdrawn.map_or_else(String::new, |game| game.to_string())
    }),
    ("group", |standings, line| {
        standings.group(line.player).map_or_else(String::new, |group| group.to_string())
    }),
];

fn thousandths(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| format!("{number:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Circumstances, Tally};
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn a_rating_of_nearly_nothing_is_not_negative() {
        assert_eq!([-0.3, 0.3, -0.6, 178.2].map(signed), ["+0", "+0", "-1", "+178"]);
    }

    fn of(names: &[&str]) -> Standings {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        Standings::new(&Tally::new(names.len(), 2), Circumstances { names, ..Circumstances::default() })
    }

    /// A row that fills its line is taken for two where the table is drawn anew, and each time one line of it stays.
    #[test]
    fn leaders_with_wide_letters_stay_within_their_columns() {
        let standings = of(&["🚀 Rakete", "围棋机器人"]);
        for columns in [5, 20, 39, 79] {
            let table = leaders_table(&standings, (10, columns));
            assert!(table.lines().all(|line| line.width() <= columns), "{columns}: {table}");
        }
    }

    /// Otherwise the terminal breaks every row, since all are as wide as the widest.
    #[test]
    fn one_long_name_breaks_no_row_of_another() {
        let standings = of(&["Alice", &"long ".repeat(40)]);
        let text = standings_text(&standings, Format::Table, Charset::Unicode, Some(60));
        let rows = text.lines().skip_while(|line| !line.starts_with("points by seat")).take(3);
        assert!(rows.clone().count() == 3 && rows.into_iter().all(|row| row.width() <= 60), "{text}");
    }
}
