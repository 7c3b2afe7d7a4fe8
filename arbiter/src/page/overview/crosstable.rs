//! Who did how well against whom, and in which seat.

use super::Overview;
use crate::page::html::{Html, cell, head, name, row, table, table_with_foot};
use crate::report::{Line, MOST_SIDE_BY_SIDE, points};
use std::iter::once;

/// Columns of results that have room side by side on a sheet of paper; of more, there is only the percentage.
const MOST_WIDE: usize = 10;

impl Overview<'_> {
    pub(super) fn cross_table(&self, html: &mut Html) {
        let lines = &self.standings.lines;
        // Of two players the standings say all of it.
        if !(3..=MOST_SIDE_BY_SIDE).contains(&lines.len()) || self.report.games_ended == 0 {
            return;
        }
        let column = |of: &Line| {
            let mut html = Html::default();
            html.raw("<th scope=\"col\" class=\"cross\"").attr("title", self.name(of.player)).raw(">");
            html.text(self.name(of.player)).raw("</th>");
            html
        };
        let columns = once(head("name", "Player")).chain(lines.iter().map(column));
        let row = |of: &Line| {
            let against = |other: &Line| {
                if other.player == of.player {
                    return cell("heat self", "");
                }
                let meeting = self.standings.tally.meeting(of.player, other.player).unwrap_or_default();
                share(meeting.points(), meeting.games.into())
            };
            once(self.name_cell(of.player)).chain(lines.iter().map(against)).collect::<Vec<_>>()
        };
        let class = if lines.len() > MOST_WIDE { "card wide many" } else { "card wide" };
        self.card(html, "cross", "Against each other", class);
        html.piece(&table("Against each other", columns, lines.iter().map(row)))
            .raw("<p class=\"legend\">Percent of the one on the left against the one above");
        html.raw(if self.standings.tally.seats() == 2 {
            ", and points of games. "
        } else {
            ": in how many of their games it came before the other, ties half. "
        });
        html.raw("Blue is more than half, amber less.</p></section>");
    }

    pub(super) fn by_seat(&self, html: &mut Html) {
        let count = self.standings.tally.seats();
        if self.report.games_ended == 0 {
            return;
        }
        let seat = |seat: usize| head("cross", format_args!("Seat {seat}"));
        let columns = once(head("name", "Player")).chain((1..=count).map(seat));
        let mut all = vec![(0_u32, 0.0_f64); count];
        let most = count.saturating_sub(1).max(1) as f64;
        let rows = self.standings.lines.iter().map(|of| {
            let mut row = vec![self.name_cell(of.player)];
            for (sum, all) in self.standings.tally.by_seat[of.player].iter().zip(&mut all) {
                all.0 += sum.games;
                all.1 += sum.points();
                row.push(share(sum.points(), f64::from(sum.games) * most));
            }
            row
        });
        let rows: Vec<_> = rows.collect();
        let everybody = all.into_iter().map(|(games, made)| share(made, f64::from(games) * most));
        let mut foot = Html::default();
        foot.raw("<tfoot>").piece(&row(once(name("name", "Everybody")).chain(everybody))).raw("</tfoot>");
        self.card(html, "seats", "Score by seat", "card");
        html.piece(&table_with_foot("Score by seat", columns, rows, &foot));
        html.raw("<p class=\"legend\">Percent in each seat, and points of those that there were to \
                  win. Numbers in the last row that stay unequal over many games mean that a seat is worth something.</p></section>");
    }
}

/// What was made of what there was to make, in eleven colours from amber over nothing to blue.
fn share(made: f64, most: f64) -> Html {
    if most == 0.0 {
        return cell("heat none", "–");
    }
    let share = made / most;
    let mut told = Html::default();
    told.raw("<b>").text(format_args!("{:.0}", 100.0 * share)).raw("</b><small>");
    told.text(format_args!("{} of {most}", points(made))).raw("</small>");
    cell(&format!("heat h{}", (10.0 * share).round().min(10.0)), told)
}
