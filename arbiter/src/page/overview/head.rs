//! What was played, who won, and what else there is to say, in sentences.

use super::{Overview, list};
use crate::page::html::Html;
use crate::record::schema::{MatchReport, ScheduleKind};
use crate::report::{
    Line, Standings, chosen_options, count, for_seats, of_rank_points, of_standings, player_name, points,
};
use crate::sanitize::sanitize;
use arbiter_rules::draw::Charset;

const MOST_NAMED: usize = 4;

impl Overview<'_> {
    pub(super) fn head(&self, html: &mut Html) {
        let plan = &self.report.plan;
        let about = [vec![self.file.to_owned()], chosen_options(plan)].concat().join(" · ");
        html.raw("<header class=\"head\"><p class=\"eyebrow\">").text(about).raw("</p><h1>");
        let summary = summary(self.report, self.standings, self.counted.all_faults);
        html.text(title(self.report, self.game)).raw("</h1><p class=\"lead\">").text(summary).raw("</p>");
        let remarks = of_rank_points(plan.seats as usize).into_iter();
        list(html, remarks.chain(of_standings(self.standings, Charset::Unicode)));
        html.raw("</header>");
    }
}

/// `Othello: round robin of 6`, `Chinese checkers for 3: round robin of 6`.
pub(crate) fn title(report: &MatchReport, game: &str) -> String {
    let (plan, players) = (&report.plan, report.plan.players.len());
    let kind = plan.schedule.kind.words();
    if plan.schedule.kind == ScheduleKind::Match && players == 2 {
        return format!("{}: {} – {}", sanitize(game), player_name(report, 0), player_name(report, 1));
    }
    let several = plan.schedule.kind != ScheduleKind::Match || players > 2;
    let of = if several { format!(" of {players}") } else { String::new() };
    format!("{}{}: {kind}{of}", sanitize(game), for_seats(plan))
}

/// Who won, by how much, and what else happened, in sentences.
pub(crate) fn summary(report: &MatchReport, standings: &Standings, faults: u64) -> String {
    let name = |of: &Line| player_name(report, of.player);
    let lines = &standings.lines[..];
    let ended = report.games_ended;
    let all = if ended == report.games_asked {
        count(ended, "game")
    } else {
        format!("{ended} of {}", count(report.games_asked, "game"))
    };
    let Some(first) = lines.first().filter(|_| ended > 0) else { return "No game has ended.".to_owned() };
    let leaders: Vec<&Line> = lines.iter().filter(|line| line.place == first.place).collect();
    let score = |line: &Line| points(line.points);
    let were = if ended == 1 { "was" } else { "were" };
    // Challengers play more games than the others, so that points give nobody a place.
    let challengers = report.plan.schedule.challengers.unwrap_or(0) as usize;
    let challengers = lines.iter().filter(|line| line.player < challengers && lines.len() > 2);
    let made: Vec<String> = challengers
        .take(MOST_NAMED)
        .map(|line| format!("{} made {:.1} %", name(line), line.percent))
        .collect();
    let mut sentence = match (&leaders[..], lines) {
        _ if !made.is_empty() => {
            let whose = if made.len() == 1 { "its" } else { "their" };
            format!("Of the points in {whose} games, {}; {all} {were} played.", made.join(", "))
        }
        ([first], [_, second]) if report.plan.seats == 2 => format!(
            "{} {} {} by {} to {} in {all}.",
            name(first),
            if ended < report.games_asked { "leads against" } else { "beat" },
            name(second),
            score(first),
            score(second)
        ),
        ([first], _) => {
            let had = format!(" with {} points, {:.1} % of those in its games", score(first), first.percent);
            let by = match report.plan.schedule.kind {
                kind if kind.is_bracket() => String::new(),
                // Others may have a larger share, of games against weaker bots.
                ScheduleKind::League => format!(" by its rating,{had}"),
                _ => had,
            };
            let came = if ended < report.games_asked { "is first so far" } else { "came first" };
            format!("{} {came}{by}; {all} {were} played.", name(first))
        }
        (several, _) => {
            let mut names: Vec<String> = several.iter().take(MOST_NAMED).map(|line| name(line)).collect();
            let has_more = several.len() > MOST_NAMED;
            let last = if has_more { "others".to_owned() } else { names.pop().unwrap_or_default() };
            format!("{} and {last} share the first place after {all}.", names.join(", "))
        }
    };
    sentence.push_str(&match (faults, report.plan.seats) {
        (0, _) => " Nobody lost by a fault.".to_owned(),
        (1, 2) => " One fault lost a game.".to_owned(),
        (1, _) => " One fault lost a game or a seat.".to_owned(),
        (many, 2) => format!(" {many} faults lost games."),
        (many, _) => format!(" {many} faults lost games or seats."),
    });
    sentence
}
