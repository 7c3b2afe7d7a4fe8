//! What stands on the page without a script: a sentence, tables, and plots in their rows. Each section has its file.

mod bots;
mod bracket;
mod crosstable;
mod faults;
mod games;
mod head;
mod league_bots;
mod over_time;
mod standings;
mod times;

pub(super) use games::Listed;
pub(super) use head::{summary, title};

use super::counted::Counted;
use super::html::{Html, name};
use crate::record::schema::{MatchReport, Totals};
use crate::report::{Moment, Standings, player_name};
use std::fmt::Display;

/// Players who get a section each.
const MOST_SECTIONS: usize = 200;

pub(super) struct Overview<'a> {
    pub(super) number: usize,
    /// The file, harmless.
    pub(super) file: &'a str,
    /// The name of the game for people.
    pub(super) game: &'a str,
    pub(super) report: &'a MatchReport,
    pub(super) standings: &'a Standings,
    pub(super) counted: &'a Counted,
    pub(super) listed: &'a Listed,
    pub(super) moments: &'a [Moment],
    /// Games that cannot be replayed from the file.
    pub(super) left_out: u32,
    pub(super) kept: usize,
}

impl Overview<'_> {
    pub(super) fn html(&self) -> Html {
        let mut html = Html::default();
        html.raw("<article class=\"report\"").attr("id", format_args!("r{}", self.number)).raw(">");
        self.head(&mut html);
        html.raw("<div class=\"cards\">");
        self.standings(&mut html);
        self.marks(&mut html);
        self.not_let_in(&mut html);
        self.bracket(&mut html);
        self.over_time(&mut html);
        self.cross_table(&mut html);
        self.by_seat(&mut html);
        html.raw("<div class=\"column\">");
        self.lengths(&mut html);
        self.endings(&mut html);
        html.raw("</div>");
        self.times(&mut html);
        self.faults(&mut html);
        if self.is_league() {
            self.entrants(&mut html);
        } else {
            self.bots(&mut html);
        }
        self.games(&mut html);
        self.about(&mut html);
        html.raw("</div></article>");
        html
    }

    pub(super) fn name(&self, player: usize) -> String {
        player_name(self.report, player)
    }

    fn players(&self) -> usize {
        self.report.plan.players.len()
    }

    fn totals(&self, player: usize) -> Totals {
        self.standings.tally.totals().get(player).cloned().unwrap_or_default()
    }

    pub(super) fn card(&self, html: &mut Html, name: &'static str, title: &str, class: &'static str) {
        html.raw("<section").attr("class", class).attr("id", format_args!("r{}-{name}", self.number));
        html.raw("><h2>").text(title).raw("</h2>");
    }

    /// The name of a player before its row, which leads to its section where it has one.
    pub(super) fn name_cell(&self, player: usize) -> Html {
        let is_league = self.is_league();
        let (letter, section) = if is_league { ('e', self.page_of(player)) } else { ('p', player) };
        let mut first = self.standings.lines.iter().take(MOST_SECTIONS);
        let has_section =
            if is_league { first.any(|of| of.player == player) } else { player < MOST_SECTIONS };
        let told = match has_section {
            true => link(format!("#r{}-{letter}{section}", self.number), self.name(player)),
            false => self.name(player).into(),
        };
        name("name", told)
    }

    fn game_link(&self, html: &mut Html, game: u32, ply: Option<usize>) {
        let ply = ply.map_or_else(String::new, |ply| format!("&ply={ply}"));
        let report = if self.number == 0 { String::new() } else { format!("report={}&", self.number + 1) };
        html.raw("<a class=\"game\"").attr("href", format_args!("#{report}game={game}{ply}")).raw(">game ");
        html.text(game).raw("</a>");
    }
}

/// Sentences one below the other, if there are any.
fn list(html: &mut Html, sentences: impl IntoIterator<Item = impl Display>) {
    let mut sentences = sentences.into_iter().peekable();
    if sentences.peek().is_some() {
        html.raw("<ul class=\"remarks\">");
        sentences.for_each(|sentence| _ = html.raw("<li>").text(sentence).raw("</li>"));
        html.raw("</ul>");
    }
}

fn link(to: String, name: impl Display) -> Html {
    let mut html = Html::default();
    html.raw("<a").attr("href", to).raw(">").text(name).raw("</a>");
    html
}
