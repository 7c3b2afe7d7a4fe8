//! A knockout as a bracket: rounds from left to right, and everybody's way from one meeting to the next.

use super::Overview;
use crate::page::counted::BracketMeeting;
use crate::page::html::{Html, cell, head, table};
use std::collections::BTreeSet;

const WIDTH: f64 = 168.0;
const GAP: f64 = 44.0;
const HEIGHT: f64 = 46.0;
const ROW: f64 = 62.0;
const HEAD: f64 = 26.0;

struct Spot {
    column: usize,
    /// The middle, in rows.
    row: f64,
}

impl Overview<'_> {
    pub(super) fn bracket(&self, html: &mut Html) {
        let meetings = &self.counted.meetings;
        if meetings.is_empty() {
            return;
        }
        self.card(html, "bracket", "Bracket", "card wide");
        let lines = &self.standings.lines;
        let first =
            lines.first().filter(|first| lines.iter().filter(|of| of.place == first.place).count() == 1);
        let is_over = self.report.games_ended == self.report.games_asked;
        picture(meetings, first.map(|first| first.player), is_over, &|player| self.name(player), html);
        html.raw("<details><summary>As a table</summary>");
        let rounds = rounds(meetings);
        let columns = [head("n", "Round"), head("", "Players"), head("n", "Score"), head("", "Games from")];
        let row = |meeting: &BracketMeeting| {
            let [a, b] = meeting.players.map(|player| self.name(player));
            let [own, other] = meeting.half_points.map(|half_points| f64::from(half_points) / 2.0);
            let mut first = Html::default();
            self.game_link(&mut first, meeting.first_game, None);
            [
                cell("n", column(&rounds, meeting) + 1),
                cell("", format_args!("{a} – {b}")),
                cell("n", format_args!("{own} – {other}")),
                cell("", first),
            ]
        };
        html.piece(&table("Meetings", columns, meetings.iter().map(row))).raw("</details></section>");
    }
}

/// Who has won a meeting: by points, else whoever goes on alone, and at the end whoever came `first`.
fn winner(meetings: &[BracketMeeting], index: usize, first: Option<usize>) -> Option<usize> {
    let BracketMeeting { players, half_points: [own, other], .. } = meetings[index];
    if own != other {
        return Some(players[usize::from(own < other)]);
    }
    let goes_on = |player: &usize| meetings[index + 1..].iter().any(|next| next.players.contains(player));
    let going: Vec<usize> = players.into_iter().filter(goes_on).collect();
    match going[..] {
        [one] => Some(one),
        [] if index + 1 == meetings.len() => first.filter(|first| players.contains(first)),
        _ => None,
    }
}

/// The bracket as a picture; `names` by player. The table beside it says the same.
fn picture(
    meetings: &[BracketMeeting],
    first: Option<usize>,
    is_over: bool,
    names: &dyn Fn(usize) -> String,
    html: &mut Html,
) {
    let (spots, rows) = spots(meetings);
    let columns = spots.iter().map(|spot| spot.column + 1).max().unwrap_or(0);
    let (width, height) = (columns as f64 * (WIDTH + GAP) - GAP, rows * ROW + HEAD);
    html.raw("<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Bracket\">");
    html.raw("<svg class=\"bracket\" aria-hidden=\"true\"");
    html.attr("width", width + 2.0).attr("height", height).raw(">");
    for (index, meeting) in meetings.iter().enumerate() {
        for (which, &player) in meeting.players.iter().enumerate() {
            let next = (index + 1..meetings.len()).find(|&next| meetings[next].players.contains(&player));
            let Some(next) = next else { continue };
            let won = meeting.half_points[which] >= meeting.half_points[1 - which];
            way(html, &spots[index], &spots[next], if won { "way" } else { "way lost" });
        }
    }
    for column in 0..columns {
        html.raw("<text class=\"round\" y=\"14\"").attr("x", column as f64 * (WIDTH + GAP) + 2.0).raw(">");
        let is_last = is_over && column + 1 == columns;
        html.text(if is_last { "Final".to_owned() } else { format!("Round {}", column + 1) }).raw("</text>");
    }
    for (index, (meeting, spot)) in meetings.iter().zip(&spots).enumerate() {
        let (x, y) = corner(spot);
        let winner = winner(meetings, index, first);
        html.raw("<rect class=\"meeting\" rx=\"6\"").attr("x", x).attr("y", y);
        html.attr("width", WIDTH).attr("height", HEIGHT).raw("/>");
        for (which, &player) in meeting.players.iter().enumerate() {
            let class = if winner == Some(player) { "won" } else { "lost" };
            let line = y + 18.0 + 20.0 * which as f64;
            // What is longer than the letters of most names ends where its box does.
            html.raw("<svg height=\"20\"").attr("x", x + 10.0).attr("y", line - 14.0);
            html.attr("width", WIDTH - 46.0).raw("><text y=\"14\"").attr("class", class).raw(">");
            html.text(shortened(&names(player))).raw("</text></svg><text text-anchor=\"end\"");
            html.attr("class", class).attr("x", x + WIDTH - 10.0).attr("y", line).raw(">");
            html.text(f64::from(meeting.half_points[which]) / 2.0).raw("</text>");
        }
    }
    html.raw("</svg></div>");
}

fn corner(spot: &Spot) -> (f64, f64) {
    (spot.column as f64 * (WIDTH + GAP) + 1.0, HEAD + spot.row * ROW + (ROW - HEIGHT) / 2.0)
}

fn way(html: &mut Html, from: &Spot, to: &Spot, class: &'static str) {
    let ((from_x, from_y), (to_x, to_y)) = (corner(from), corner(to));
    let (from_x, from_y, to_y) = (from_x + WIDTH, from_y + HEIGHT / 2.0, to_y + HEIGHT / 2.0);
    let middle = to_x - GAP / 2.0;
    html.raw("<path").attr("class", class);
    html.attr("d", format_args!("M{from_x} {from_y}H{middle}V{to_y}H{to_x}")).raw("/>");
}

/// The rounds in which meetings begin. Others only hold more games of meetings that were tied.
fn rounds(meetings: &[BracketMeeting]) -> Vec<u32> {
    let rounds: BTreeSet<u32> = meetings.iter().map(|meeting| meeting.round).collect();
    rounds.into_iter().collect()
}

/// The column of a meeting, from 0.
fn column(rounds: &[u32], meeting: &BracketMeeting) -> usize {
    rounds.iter().position(|&round| round == meeting.round).unwrap_or(0)
}

/// Rounds are columns. A meeting lies between those that its players come from; others are put where there is room.
fn spots(meetings: &[BracketMeeting]) -> (Vec<Spot>, f64) {
    let rounds = rounds(meetings);
    let mut spots: Vec<Spot> =
        meetings.iter().map(|meeting| Spot { column: column(&rounds, meeting), row: -1.0 }).collect();
    // From the last meeting back to the first: the leaves below each other, everything else between them.
    let mut next_row = 0.0;
    let mut done = vec![false; meetings.len()];
    for last in (0..meetings.len()).rev() {
        lay(last, meetings, &mut spots, &mut done, &mut next_row);
    }
    // Meetings of one round must not lie on each other.
    for column in 0..rounds.len() {
        let mut of: Vec<usize> = (0..spots.len()).filter(|&index| spots[index].column == column).collect();
        of.sort_by(|&a, &b| spots[a].row.total_cmp(&spots[b].row));
        for pair in 1..of.len() {
            let least = spots[of[pair - 1]].row + 1.0;
            let spot = &mut spots[of[pair]];
            spot.row = spot.row.max(least);
        }
    }
    let rows = spots.iter().map(|spot| spot.row + 1.0).fold(1.0, f64::max);
    (spots, rows)
}

fn lay(index: usize, meetings: &[BracketMeeting], spots: &mut [Spot], done: &mut [bool], next_row: &mut f64) {
    if std::mem::replace(&mut done[index], true) {
        return;
    }
    // Those that its players won on their way here; who comes from a lost meeting is drawn to it.
    let before: Vec<usize> = meetings[index]
        .players
        .iter()
        .filter_map(|player| {
            let before = (0..index).rev().find(|&before| meetings[before].players.contains(player))?;
            let which = usize::from(meetings[before].players[1] == *player);
            let half_points = meetings[before].half_points;
            (half_points[which] >= half_points[1 - which] && !done[before]).then_some(before)
        })
        .collect();
    before.iter().for_each(|&before| lay(before, meetings, spots, done, next_row));
    spots[index].row = if before.is_empty() {
        *next_row += 1.0;
        *next_row - 1.0
    } else {
        before.iter().map(|&before| spots[before].row).sum::<f64>() / before.len() as f64
    };
}

fn shortened(name: &str) -> String {
    const MOST: usize = 17;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    name.chars().take(MOST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(round: u32, players: [usize; 2]) -> BracketMeeting {
        BracketMeeting { round, last_round: round, players, half_points: [4, 0], first_game: 1 }
    }

    #[test]
    fn the_final_lies_between_the_meetings_that_lead_to_it() {
        let meetings = [meeting(1, [0, 3]), meeting(1, [1, 2]), meeting(2, [0, 1])];
        let (spots, rows) = spots(&meetings);
        let rows_of: Vec<f64> = spots.iter().map(|spot| spot.row).collect();
        assert_eq!((rows_of, rows), (vec![0.0, 1.0, 0.5], 2.0));
        let columns: Vec<usize> = spots.iter().map(|spot| spot.column).collect();
        assert_eq!(columns, [0, 0, 1]);
    }

    #[test]
    fn rounds_are_counted_as_they_are_drawn_and_none_is_the_final_before_it_is_over() {
        let meetings = [meeting(1, [0, 3]), meeting(1, [1, 2]), meeting(3, [0, 1])];
        let drawn = |is_over| {
            let mut html = Html::default();
            picture(&meetings, None, is_over, &|player| player.to_string(), &mut html);
            let said = |word: &str| html.as_str().contains(&format!(">{word}</text>"));
            ["Round 1", "Round 2", "Round 3", "Final"].map(said)
        };
        assert_eq!(drawn(false), [true, true, false, false]);
        assert_eq!(drawn(true), [true, false, false, true]);
    }

    #[test]
    fn a_meeting_that_stays_tied_is_won_by_whoever_goes_on_or_came_first() {
        let tied = |round, players| BracketMeeting { half_points: [2, 2], ..meeting(round, players) };
        let meetings = [tied(1, [0, 3]), tied(1, [1, 2]), tied(2, [0, 2])];
        let winners = [0, 1, 2].map(|index| winner(&meetings, index, Some(2)));
        assert_eq!(winners, [Some(0), Some(2), Some(2)]);
        assert_eq!(winner(&meetings, 2, None), None, "nobody has come first yet");
    }

    #[test]
    fn no_two_meetings_of_a_round_lie_on_each_other() {
        let meetings = [
            meeting(1, [0, 3]),
            meeting(1, [1, 2]),
            meeting(1, [4, 5]),
            meeting(2, [3, 2]),
            meeting(2, [0, 1]),
        ];
        let (spots, _) = spots(&meetings);
        for (index, a) in spots.iter().enumerate() {
            for b in spots[index + 1..].iter().filter(|b| b.column == a.column) {
                assert!((a.row - b.row).abs() >= 1.0, "{} {}", a.row, b.row);
            }
        }
    }
}
