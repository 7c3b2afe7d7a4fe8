//! The games: how long they were, how they ended, and the first of them as rows.

use super::Overview;
use crate::page::axis::{Axis, Plot, percent};
use crate::page::html::{Html, cell, head, heads, name, numbers, table};
use crate::record::schema::{GameRecord, MatchReport};
use crate::report::{GameRow, count};

const LISTED: usize = 50;

#[derive(Debug, Default)]
pub(crate) struct Listed(Vec<[Html; 5]>);

impl Listed {
    /// Adds a game, if there is room.
    pub(crate) fn add(&mut self, report: &MatchReport, game: &GameRecord) {
        if self.0.len() >= LISTED {
            return;
        }
        let GameRow { seats: names, winner, .. } = GameRow::new(report, game);
        let mut seats = Html::default();
        for (seat, name) in names.iter().enumerate() {
            seats.raw(if seat > 0 { " – " } else { "" }).piece(&player(name));
        }
        self.0.push([
            cell("n", game.number),
            cell("", seats),
            cell("", player(&winner)),
            cell("", &game.ending.reason),
            cell("n", game.plies.len()),
        ]);
    }
}

fn player(name: &str) -> Html {
    let mut html = Html::default();
    html.raw("<span class=\"player\">").text(name).raw("</span>");
    html
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
        let bins = counts.iter().enumerate().filter(|(_, games)| **games > 0);
        let rows = bins.map(|(bin, games)| numbers([bin_name(least, width, bin), games.to_string()]));
        html.piece(&table("Game lengths", heads(["Moves", "Games"]), rows)).raw("</details></section>");
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
        let columns =
            [head("", "Reason"), head("n", "Games"), head("n", "%"), head("plotted short", "Share")];
        let rows = endings.into_iter().map(|((how, reason), &games)| {
            let share = 100.0 * f64::from(games) / f64::from(all.max(1));
            let mut words = Html::from(reason);
            let mut plot = Plot::bare(&axis);
            if *how == "rules" {
                plot.bar("box", 0.0, games.into());
            } else {
                words.raw(" <span class=\"tag\">").text(how).raw("</span>");
                plot.bar("box bad", 0.0, games.into());
            }
            let share = cell("n", format_args!("{share:.1}"));
            [name("", words), cell("n", games), share, plot.cell("plotted short")]
        });
        self.card(html, "endings", "How games ended", "card");
        html.piece(&table("How games ended", columns, rows)).raw("</section>");
    }

    pub(super) fn games(&self, html: &mut Html) {
        if self.listed.0.is_empty() {
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
        html.raw("<div").attr("data-games", self.number).raw(">");
        let columns = [("n", "Game"), ("", "Seats"), ("", "Winner"), ("", "Reason"), ("n", "Moves")];
        let columns = columns.map(|(class, name)| head(class, name));
        html.piece(&table("Games", columns, self.listed.0.iter().cloned()));
        let more = (self.report.games_ended as usize).saturating_sub(self.listed.0.len());
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
