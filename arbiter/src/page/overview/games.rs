//! The games: how long they were, how they ended, and the first of them as rows.

use super::{Overview, player_name, scroll};
use crate::page::axis::{Axis, bar, percent};
use crate::page::html::Html;
use crate::record::schema::{GameRecord, MatchReport};
use crate::report::count;

/// Games that are listed without a script.
const LISTED: usize = 50;

/// The first games, as rows.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    rows: Html,
    games: usize,
}

impl Listed {
    /// Adds a game, if there is room.
    pub(crate) fn add(&mut self, report: &MatchReport, game: &GameRecord) {
        if self.games >= LISTED {
            return;
        }
        self.games += 1;
        let name = |seat: usize| {
            let seat = game.seats.get(seat);
            seat.map_or_else(String::new, |seat| player_name(report, seat.player as usize))
        };
        let winner = match game.outcome.as_ref().map(|outcome| outcome.winner()) {
            Some(Some(seat)) => name(seat as usize),
            Some(None) => "draw".to_owned(),
            None => String::new(),
        };
        let html = &mut self.rows;
        html.raw("<tr>").cell("<td class=\"n\">", game.number).raw("</td>");
        html.raw("<td>");
        for seat in 0..game.seats.len() {
            html.raw(if seat > 0 { " – " } else { "" })
                .cell("<span class=\"player\">", name(seat))
                .raw("</span>");
        }
        html.raw("</td>").cell("<td><span class=\"player\">", winner).raw("</span></td>");
        html.cell("<td>", &game.ending.reason).raw("</td>");
        html.cell("<td class=\"n\">", game.plies.len()).raw("</td></tr>");
    }
}

impl Overview<'_> {
    pub(super) fn lengths(&self, html: &mut Html) {
        let lengths = &self.counted.lengths;
        let (Some((&least, _)), Some((&most, _))) = (lengths.first_key_value(), lengths.last_key_value())
        else {
            return;
        };
        let width = (most - least + 1).div_ceil(24).max(1);
        let bins = (most - least) / width + 1;
        let mut counts = vec![0_u32; bins];
        for (&length, &games) in lengths {
            counts[(length - least) / width] += games;
        }
        let share = 100.0 / bins.max(6) as f64;
        let highest = counts.iter().copied().max().unwrap_or(1).max(1);
        self.card(html, "lengths", "Game lengths", "card");
        html.raw("<svg class=\"histogram\" aria-hidden=\"true\" width=\"100%\" height=\"150\">");
        html.raw("<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"126\" y2=\"126\"/>");
        for (bin, &games) in counts.iter().enumerate().filter(|(_, games)| **games > 0) {
            let height = (110.0 * f64::from(games) / f64::from(highest)).max(2.0);
            html.raw("<rect class=\"box\" rx=\"2\"").attr("x", percent(share * bin as f64 + 0.06 * share));
            html.attr("width", percent(0.88 * share));
            html.attr("y", format_args!("{:.1}", 126.0 - height)).attr("height", format_args!("{height:.1}"));
            html.raw("><title>").text(format_args!(
                "{}: {}",
                bin_name(least, width, bin),
                count(games, "game")
            ));
            html.raw("</title></rect>");
        }
        html.raw("<text x=\"0\" y=\"144\">");
        if most > least {
            html.text(least).raw("</text><text y=\"144\" text-anchor=\"end\"");
            html.attr("x", percent(share * bins as f64)).raw(">");
        }
        html.text(count(most as u32, "move")).raw("</text></svg><details><summary>As a table</summary>");
        scroll(html, "Game lengths");
        html.raw("<thead><tr><th class=\"n\" scope=\"col\">Moves</th><th class=\"n\" scope=\"col\">Games</th></tr></thead><tbody>");
        for (bin, games) in counts.iter().enumerate().filter(|(_, games)| **games > 0) {
            html.cell("<tr><td class=\"n\">", bin_name(least, width, bin));
            html.cell("</td><td class=\"n\">", games).raw("</td></tr>");
        }
        html.raw("</tbody></table></div></details></section>");
    }

    pub(super) fn endings(&self, html: &mut Html) {
        let endings = &self.counted.endings;
        if endings.is_empty() {
            return;
        }
        let mut endings: Vec<_> = endings.iter().collect();
        endings.sort_by_key(|(_, games)| std::cmp::Reverse(**games));
        let all: u32 = endings.iter().map(|(_, games)| **games).sum();
        let axis = Axis::linear(0.0, f64::from(all));
        self.card(html, "endings", "How games ended", "card");
        scroll(html, "How games ended");
        html.raw("<thead><tr><th scope=\"col\">Reason</th><th class=\"n\" scope=\"col\">Games</th>");
        html.raw("<th class=\"n\" scope=\"col\">%</th><th scope=\"col\" class=\"plotted short\">Share</th></tr></thead><tbody>");
        for ((how, reason), &games) in endings {
            html.raw("<tr><th scope=\"row\">").text(reason);
            if *how != "rules" {
                html.raw(" <span class=\"tag\">").text(how).raw("</span>");
            }
            html.cell("</th><td class=\"n\">", games);
            let share = 100.0 * f64::from(games) / f64::from(all.max(1));
            html.cell("</td><td class=\"n\">", format_args!("{share:.1}"))
                .raw("</td><td class=\"plotted short\">");
            html.raw("<svg class=\"plot\" aria-hidden=\"true\" width=\"100%\" height=\"22\">");
            bar(html, if *how == "rules" { "box" } else { "box bad" }, 0.0, axis.at(games.into()));
            html.raw("</svg></td></tr>");
        }
        html.raw("</tbody></table></div></section>");
    }

    pub(super) fn games(&self, html: &mut Html) {
        if self.listed.games == 0 {
            return;
        }
        self.card(html, "games", "Games", "card wide games");
        if self.left_out > 0 {
            html.raw("<p>").text(format_args!(
                "The first {} can be replayed here; {} more are left out, and `arbiter replay` shows them.",
                count(self.kept as u32, "game"),
                self.left_out
            ));
            html.raw("</p>");
        }
        html.raw("<div class=\"live\"").attr("data-games", self.number).raw(">");
        scroll(html, "Games");
        html.raw("<thead><tr><th class=\"n\" scope=\"col\">Game</th><th scope=\"col\">Seats</th><th scope=\"col\">Winner</th>");
        html.raw("<th scope=\"col\">Reason</th><th class=\"n\" scope=\"col\">Moves</th></tr></thead><tbody>");
        html.piece(&self.listed.rows);
        html.raw("</tbody></table></div>");
        let more = (self.report.games_ended as usize).saturating_sub(self.listed.games);
        if more > 0 {
            html.raw("<p>")
                .text(format_args!("{more} more games are listed where scripts are allowed."))
                .raw("</p>");
        }
        html.raw("</div></section>");
    }
}

fn bin_name(least: usize, width: usize, bin: usize) -> String {
    let from = least + bin * width;
    if width == 1 { from.to_string() } else { format!("{from}–{}", from + width - 1) }
}
