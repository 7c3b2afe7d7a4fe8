//! A page for each bot of a league inside the page of its season: how its versions did and against whom, its marks, and its faults.
//! One of them is shown while the address names it, by the style sheet alone.

use super::{MOST_SECTIONS, Overview, link, list};
use crate::page::html::{Html, cell, head, heads, name, numbers, table};
use crate::record::schema::{ScheduleKind, version_of};
use crate::report::{LEGEND, Line, Mark, points};
use crate::sanitize::sanitize;
use std::collections::BTreeMap;
use std::iter::once;

impl Overview<'_> {
    pub(super) fn is_league(&self) -> bool {
        self.report.plan.schedule.kind == ScheduleKind::League
    }

    /// The bot that a player is a version of, harmless.
    fn bot_of(&self, player: usize) -> String {
        sanitize(version_of(&self.report.plan.players[player].name).0)
    }

    /// The player whose number the page of a bot has: its first version.
    pub(super) fn page_of(&self, player: usize) -> usize {
        let bot = |player: usize| version_of(&self.report.plan.players[player].name).0;
        (0..player).find(|&first| bot(first) == bot(player)).unwrap_or(player)
    }

    /// Who beats whom of those that set marks.
    pub(super) fn marks(&self, html: &mut Html) {
        let bots = self.standings.marks_by_bot();
        let Some(staff) = bots.first() else { return };
        let columns = once(head("name", "Bot")).chain(heads(staff.iter().map(|mark| self.name(mark.staff))));
        let row = |marks: &Vec<Mark>| {
            let told =
                |mark: &Mark| cell(if mark.is_earned { "n good strong" } else { "n quiet" }, mark.told());
            once(self.bot_cell(&marks[0])).chain(marks.iter().map(told)).collect::<Vec<_>>()
        };
        self.card(html, "marks", "Marks: confidence, %", "card wide");
        html.piece(&table("Marks", columns, bots.iter().map(row)));
        html.raw("<p class=\"legend\">").text(LEGEND).raw("</p></section>");
    }

    /// The name of a bot, which leads to its page.
    fn bot_cell(&self, mark: &Mark) -> Html {
        name("name", link(format!("#r{}-e{}", self.number, self.page_of(mark.version)), &mark.bot))
    }

    /// Whose bots could not be let in, after those that play: there may be more of them than of those.
    pub(super) fn not_let_in(&self, html: &mut Html) {
        let refused = &self.standings.circumstances.not_let_in;
        if refused.is_empty() {
            return;
        }
        self.card(html, "refused", "Not let in", "card wide");
        list(html, refused);
        html.raw("</section>");
    }

    fn mark_table(&self, html: &mut Html, marks: &[Mark]) {
        let words = ["beats", "", "as"].map(|name| head("", name));
        let columns =
            once(head("name", "Bot")).chain(words).chain(heads(["Confidence, %", "Points", "Games"]));
        let row = |mark: &Mark| {
            [
                self.bot_cell(mark),
                cell("", self.name(mark.staff)),
                if mark.is_earned { cell("good strong", "yes") } else { cell("quiet", "no") },
                cell("", self.name(mark.version)),
                cell("n", mark.sure()),
                cell("n", points(mark.points)),
                cell("n", 2 * mark.pairs),
            ]
        };
        html.piece(&table("Marks", columns, marks.iter().map(row)))
            .raw("<p class=\"legend\">")
            .text(LEGEND)
            .raw("</p>");
    }

    pub(super) fn entrants(&self, html: &mut Html) {
        let mut versions = BTreeMap::<usize, Vec<&Line>>::new();
        for of in self.standings.lines.iter().take(MOST_SECTIONS) {
            versions.entry(self.page_of(of.player)).or_default().push(of);
        }
        let marks = self.standings.marks();
        for (first, versions) in versions {
            html.raw("<section class=\"entrant wide\"").attr("id", format_args!("r{}-e{first}", self.number));
            html.raw("><nav class=\"crumbs\"><a").attr("href", format_args!("#r{}-standings", self.number));
            html.raw(">← Standings</a></nav><h2>").text(self.bot_of(first)).raw("</h2>");
            let bot = self.bot_of(first);
            let own: Vec<Mark> = marks.iter().filter(|mark| mark.bot == bot).cloned().collect();
            if !own.is_empty() {
                html.raw("<div class=\"card\">");
                self.mark_table(html, &own);
                html.raw("</div>");
            }
            html.raw("<div class=\"bots\">");
            versions.iter().for_each(|of| self.bot(html, of));
            html.raw("</div>");
            versions.iter().for_each(|of| self.opponents(html, of));
            let is_own = |player: usize| versions.iter().any(|of| of.player == player);
            let faults: Vec<_> = self.counted.faults.iter().filter(|fault| is_own(fault.player)).collect();
            if !faults.is_empty() {
                html.raw("<div class=\"card\"><h3>Faults</h3>");
                self.told_faults(html, faults);
                html.raw("</div>");
            }
            html.raw("</section>");
        }
    }

    /// How a version did against everybody whom it met.
    fn opponents(&self, html: &mut Html, of: &Line) {
        let met = |other: &&Line| self.standings.tally.meeting(of.player, other.player).is_some();
        let others: Vec<&Line> = self.standings.lines.iter().filter(met).collect();
        if others.is_empty() {
            return;
        }
        html.raw("<details class=\"card\" open><summary>")
            .text(self.name(of.player))
            .raw(" against each opponent</summary>");
        let numbered = heads(["Place", "Games", "Wins", "Draws", "Losses", "%"]);
        let columns = once(head("name", "Opponent")).chain(numbered);
        let row = |other: &Line| {
            let meeting = self.standings.tally.meeting(of.player, other.player).unwrap_or_default();
            let lost = meeting.games - meeting.wins - meeting.draws;
            let percent = 100.0 * meeting.points() / f64::from(meeting.games.max(1));
            let row = numbers([other.place, meeting.games, meeting.wins, meeting.draws, lost]);
            once(self.name_cell(other.player)).chain(row).chain(numbers([format!("{percent:.0}")]))
        };
        html.piece(&table("Opponents", columns, others.into_iter().map(row))).raw("</details>");
    }
}
