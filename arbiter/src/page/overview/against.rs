//! Who did how well against whom, and in which seat.

use super::{Overview, points, scroll};
use crate::page::counted::seats;
use crate::page::html::Html;

/// Players whose results against each other are shown side by side.
const MOST_SIDE_BY_SIDE: usize = 30;

impl Overview<'_> {
    pub(super) fn cross_table(&self, html: &mut Html) {
        let lines = self.standings.lines();
        // Of two players the standings say all of it.
        if !(3..=MOST_SIDE_BY_SIDE).contains(&lines.len()) || self.report.games_ended == 0 {
            return;
        }
        self.card(html, "cross", "Against each other", "card wide");
        scroll(html, "Against each other");
        html.raw("<thead><tr><th class=\"name\" scope=\"col\">Player</th>");
        for of in lines {
            html.raw("<th scope=\"col\" class=\"cross\"").attr("title", self.name(of.player)).raw(">");
            html.text(self.name(of.player)).raw("</th>");
        }
        html.raw("</tr></thead><tbody>");
        for of in lines {
            html.raw("<tr>");
            self.name_cell(html, of.player);
            for against in lines {
                if against.player == of.player {
                    html.raw("<td class=\"heat self\"></td>");
                    continue;
                }
                let meeting = self.standings.meeting(of.player, against.player);
                let Some(meeting) = meeting.filter(|meeting| meeting.games > 0) else {
                    html.raw("<td class=\"heat none\">–</td>");
                    continue;
                };
                let points_made = f64::from(meeting.wins) + f64::from(meeting.draws) / 2.0;
                let share = points_made / f64::from(meeting.games);
                html.raw("<td class=\"heat ").raw(heat(share)).raw("\">");
                html.raw("<b>").text(format_args!("{:.0}", 100.0 * share)).raw("</b><small>");
                html.text(format_args!("{} of {}", points(points_made), meeting.games)).raw("</small></td>");
            }
            html.raw("</tr>");
        }
        html.raw(
            "</tbody></table></div><p class=\"legend\">Percent of the one on the left against the one above",
        );
        html.raw(if seats(self.report) == 2 {
            ", and points of games. "
        } else {
            ": in how many of their games it came before the other, ties half. "
        });
        html.raw("Blue is more than half, amber less.</p></section>");
    }

    pub(super) fn by_seat(&self, html: &mut Html) {
        let count = seats(self.report);
        if self.report.games_ended == 0 {
            return;
        }
        self.card(html, "seats", "Score by seat", "card");
        scroll(html, "Score by seat");
        html.raw("<thead><tr><th class=\"name\" scope=\"col\">Player</th>");
        for seat in 1..=count {
            html.cell("<th scope=\"col\" class=\"cross\">Seat ", seat).raw("</th>");
        }
        html.raw("</tr></thead><tbody>");
        let mut all = vec![(0_u32, 0.0_f64); count];
        let most = count.saturating_sub(1).max(1) as f64;
        for of in self.standings.lines() {
            html.raw("<tr>");
            self.name_cell(html, of.player);
            for (sum, all) in self.standings.by_seat(of.player).iter().zip(&mut all) {
                all.0 += sum.games;
                all.1 += sum.points();
                seat_cell(html, sum.points(), sum.games, most);
            }
            html.raw("</tr>");
        }
        html.raw("</tbody><tfoot><tr><th scope=\"row\" class=\"name\">Everybody</th>");
        for (games, made) in all {
            seat_cell(html, made, games, most);
        }
        html.raw("</tr></tfoot></table></div><p class=\"legend\">Percent in each seat, and points of those that there were to \
                  win. Unequal numbers in the last row mean that a seat is worth something.</p></section>");
    }
}

fn seat_cell(html: &mut Html, made: f64, games: u32, most: f64) {
    if games == 0 {
        html.raw("<td class=\"heat none\">–</td>");
        return;
    }
    let most = f64::from(games) * most;
    let share = made / most;
    html.raw("<td class=\"heat ").raw(heat(share)).raw("\"><b>").text(format_args!("{:.0}", 100.0 * share));
    html.raw("</b><small>").text(format_args!("{} of {most}", points(made))).raw("</small></td>");
}

/// The class of a share: eleven steps from amber over nothing to blue.
fn heat(share: f64) -> &'static str {
    const STEPS: [&str; 11] = ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9", "h10"];
    STEPS[((10.0 * share).round() as usize).min(10)]
}
