//! What stands on the page without a script: a sentence, tables, and plots in their rows.

use super::axis::{Axis, bar, dot, line, stroke};
use super::bracket;
use super::counted::{Counted, seats};
use super::html::Html;
use super::times::time;
use crate::record::schema::{
    ClockKind, GameRecord, MatchReport, Plan, Player, PlayerKind, ScheduleKind, Totals,
};
use crate::report::{Line, Standings, chosen_options, count, instructions, rating_range};
use crate::sanitize::sanitize;
use arbiter_rules::draw::Charset;

/// Players whose results against each other are shown side by side, and who get a section each.
const MOST_SIDE_BY_SIDE: usize = 30;
const MOST_SECTIONS: usize = 200;
/// Games that are listed without a script.
const LISTED: usize = 50;

/// Everything that is shown of one report.
pub(super) struct Overview<'a> {
    /// The number of the report on the page.
    pub(super) number: usize,
    /// The file, harmless.
    pub(super) file: &'a str,
    /// The name of the game for people.
    pub(super) game: &'a str,
    pub(super) report: &'a MatchReport,
    pub(super) standings: &'a Standings,
    pub(super) counted: &'a Counted,
    pub(super) listed: &'a Listed,
    /// Games that cannot be replayed from the file.
    pub(super) left_out: u32,
    pub(super) kept: usize,
}

/// The first games, as rows.
#[derive(Debug, Default)]
pub(super) struct Listed {
    rows: Html,
    games: usize,
}

impl Listed {
    /// Adds a game, if there is room.
    pub(super) fn add(&mut self, report: &MatchReport, game: &GameRecord) {
        if self.games >= LISTED {
            return;
        }
        self.games += 1;
        let name = |seat: usize| {
            let seat = game.seats.get(seat);
            seat.map_or_else(String::new, |seat| player_name(report, seat.player as usize))
        };
        let seats: Vec<String> = (0..game.seats.len()).map(name).collect();
        let winner = match game.outcome.as_ref().map(|outcome| outcome.winner()) {
            Some(Some(seat)) => name(seat as usize),
            Some(None) => "draw".to_owned(),
            None => String::new(),
        };
        let html = &mut self.rows;
        html.raw("<tr>").cell("<td class=\"n\">", game.number).raw("</td>");
        html.cell("<td>", seats.join(" – ")).raw("</td>").cell("<td>", winner).raw("</td>");
        html.cell("<td>", &game.ending.reason).raw("</td>");
        html.cell("<td class=\"n\">", game.plies.len()).raw("</td></tr>");
    }
}

/// A name from the plan.
pub(super) fn player_name(report: &MatchReport, player: usize) -> String {
    let known = report.plan.players.get(player);
    known.map_or_else(|| format!("player {player}"), |player| sanitize(&player.name))
}

impl Overview<'_> {
    /// The whole report.
    pub(super) fn html(&self) -> Html {
        let mut html = Html::default();
        html.raw("<article class=\"report\"").attr("id", format_args!("r{}", self.number)).raw(">");
        self.head(&mut html);
        html.raw("<div class=\"cards\">");
        self.standings(&mut html);
        self.bracket(&mut html);
        self.cross_table(&mut html);
        self.by_seat(&mut html);
        html.raw("<div class=\"column\">");
        self.lengths(&mut html);
        self.endings(&mut html);
        html.raw("</div>");
        self.times(&mut html);
        self.faults(&mut html);
        self.bots(&mut html);
        self.games(&mut html);
        self.about(&mut html);
        html.raw("</div></article>");
        html
    }

    fn name(&self, player: usize) -> String {
        player_name(self.report, player)
    }

    fn players(&self) -> usize {
        self.report.plan.players.len()
    }

    fn totals(&self, player: usize) -> Totals {
        self.standings.totals_of(player).cloned().unwrap_or_default()
    }

    fn card(&self, html: &mut Html, name: &'static str, title: &str, class: &'static str) {
        html.raw("<section").attr("class", class).attr("id", format_args!("r{}-{name}", self.number));
        html.raw("><h2>").text(title).raw("</h2>");
    }

    fn head(&self, html: &mut Html) {
        let plan = &self.report.plan;
        let about = [vec![self.file.to_owned()], chosen_options(plan)].concat().join(" · ");
        html.raw("<header class=\"head\"><p class=\"eyebrow\">").text(about).raw("</p><h1>");
        html.text(self.title()).raw("</h1><p class=\"lead\">").text(self.summary()).raw("</p>");
        let mut remarks = self.standings.remarks(Charset::Unicode);
        if plan.seats > 2 {
            remarks.insert(
                0,
                "A place is worth a point for everybody behind it; those who share places share their points."
                    .to_owned(),
            );
        }
        if !remarks.is_empty() {
            html.raw("<ul class=\"remarks\">");
            for remark in remarks {
                html.raw("<li>").text(remark).raw("</li>");
            }
            html.raw("</ul>");
        }
        html.raw("</header>");
    }

    /// `Othello, round robin of 6`.
    pub(super) fn title(&self) -> String {
        let plan = &self.report.plan;
        let kind = plan.schedule.kind.words();
        if plan.schedule.kind == ScheduleKind::Match && self.players() == 2 {
            return format!("{}: {} – {}", sanitize(self.game), self.name(0), self.name(1));
        }
        let several = plan.schedule.kind != ScheduleKind::Match || self.players() > 2;
        let of = if several { format!(" of {}", self.players()) } else { String::new() };
        format!("{}: {kind}{of}", sanitize(self.game))
    }

    /// Who won, by how much, and what else happened, in sentences.
    pub(super) fn summary(&self) -> String {
        let lines = self.standings.lines();
        let ended = self.report.games_ended;
        let all = if ended == self.report.games_asked {
            count(ended, "game")
        } else {
            format!("{ended} of {}", count(self.report.games_asked, "game"))
        };
        let Some(first) = lines.first().filter(|_| ended > 0) else { return "No game has ended.".to_owned() };
        let leaders: Vec<&Line> = lines.iter().filter(|line| line.place == first.place).collect();
        let score = |line: &Line| points(line.points);
        let mut sentence = match (&leaders[..], lines) {
            ([first], [_, second]) if self.report.plan.seats == 2 => format!(
                "{} beat {} by {} to {} in {all}.",
                self.name(first.player),
                self.name(second.player),
                score(first),
                score(second)
            ),
            ([first], _) => {
                let bracket = matches!(
                    self.report.plan.schedule.kind,
                    ScheduleKind::Knockout | ScheduleKind::DoubleElimination
                );
                let by = if bracket {
                    String::new()
                } else {
                    format!(
                        " with {} points, {:.0} % of what its games had to give",
                        score(first),
                        first.percent
                    )
                };
                let were = if ended == 1 { "was" } else { "were" };
                format!("{} came first{by}; {all} {were} played.", self.name(first.player))
            }
            (several, _) => {
                let names: Vec<String> = several.iter().take(4).map(|line| self.name(line.player)).collect();
                let more = if several.len() > 4 { " and others" } else { "" };
                format!("{}{more} share the first place after {all}.", names.join(", "))
            }
        };
        match self.counted.all_faults {
            0 => sentence.push_str(" Nobody lost by a fault."),
            1 => sentence.push_str(" One fault lost a game or a seat."),
            many => sentence.push_str(&format!(" {many} faults lost games or seats.")),
        }
        sentence
    }

    fn standings(&self, html: &mut Html) {
        let lines = self.standings.lines();
        self.card(html, "standings", "Standings", "card wide");
        let bounds = lines.iter().filter_map(|line| line.interval);
        let (low, high) = bounds.fold((0.0_f64, 0.0_f64), |(low, high), interval| {
            (low.min(interval.low.max(-1500.0)), high.max(interval.high.min(1500.0)))
        });
        let room = 0.04 * (high - low).max(50.0);
        let axis = Axis::linear(low - room, high + room);
        scroll(html, "Standings");
        html.raw(
            "<thead><tr><th class=\"n\" scope=\"col\">#</th><th class=\"name\" scope=\"col\">Player</th>",
        );
        html.raw("<th class=\"n\" scope=\"col\">Points</th><th class=\"n\" scope=\"col\">%</th>");
        html.raw("<th scope=\"col\" class=\"plotted\">Rating, 95 %");
        axis.head(html, |elo| if elo == 0.0 { "0".to_owned() } else { format!("{elo:+.0}") });
        html.raw("</th><th class=\"n\" scope=\"col\">Elo</th><th class=\"n\" scope=\"col\">from – to</th>");
        for head in ["Games", "Wins", "Draws", "Losses", "Faults", "A move"] {
            html.cell("<th class=\"n\" scope=\"col\">", head).raw("</th>");
        }
        html.raw("</tr></thead><tbody>");
        for of in lines {
            let totals = self.totals(of.player);
            html.raw("<tr>").cell("<td class=\"n\">", of.place).raw("</td>");
            self.name_cell(html, of.player);
            html.cell("<td class=\"n strong\">", points(of.points)).raw("</td>");
            html.cell("<td class=\"n\">", format_args!("{:.1}", of.percent))
                .raw("</td><td class=\"plotted\">");
            axis.begin(html);
            stroke(html, "zero", axis.at(0.0));
            if let Some((rating, interval)) = of.rating.zip(of.interval) {
                line(html, "span", axis.at(interval.low), axis.at(interval.high));
                stroke(html, "end", axis.at(interval.low));
                stroke(html, "end", axis.at(interval.high));
                dot(html, "point", axis.at(rating));
            }
            let elo = of.rating.map_or_else(String::new, |elo| format!("{:+.0}", elo.round() + 0.0));
            html.raw("</svg></td>").cell("<td class=\"n\">", elo).raw("</td>");
            html.cell("<td class=\"n quiet\">", rating_range(of).replace(" to ", " – ")).raw("</td>");
            for number in [totals.games, totals.wins, totals.draws, totals.losses] {
                html.cell("<td class=\"n\">", number).raw("</td>");
            }
            let faults: u32 = totals.errors.values().fold(0, |sum: u32, &more| sum.saturating_add(more));
            html.raw(if faults > 0 { "<td class=\"n bad\">" } else { "<td class=\"n quiet\">" });
            html.text(faults).raw("</td>");
            let mean = self.counted.times[of.player].mean_ns();
            html.cell("<td class=\"n\">", mean.map_or_else(String::new, time)).raw("</td></tr>");
        }
        html.raw("</tbody></table></div>");
        html.raw("<p class=\"legend\">The dot is the rating in Elo, above or below the mean of all players; the line is the \
                  range that holds the true one in 95 of 100 cases. Faults are refused answers, and what lost games or \
                  seats; “A move” is the mean time.</p></section>");
    }

    fn name_cell(&self, html: &mut Html, player: usize) {
        html.raw("<th scope=\"row\" class=\"name\">");
        if player < MOST_SECTIONS {
            html.raw("<a").attr("href", format_args!("#r{}-p{player}", self.number)).raw(">");
            html.text(self.name(player)).raw("</a></th>");
        } else {
            html.text(self.name(player)).raw("</th>");
        }
    }

    fn bracket(&self, html: &mut Html) {
        let meetings = &self.counted.meetings;
        if meetings.is_empty() {
            return;
        }
        self.card(html, "bracket", "Bracket", "card wide");
        bracket::picture(meetings, &|player| self.name(player), html);
        html.raw("<details><summary>As a table</summary>");
        scroll(html, "Meetings");
        html.raw("<thead><tr><th class=\"n\" scope=\"col\">Round</th><th scope=\"col\">Players</th>");
        html.raw(
            "<th class=\"n\" scope=\"col\">Score</th><th scope=\"col\">Games from</th></tr></thead><tbody>",
        );
        for meeting in meetings {
            let [a, b] = meeting.players;
            html.raw("<tr>").cell("<td class=\"n\">", meeting.round).raw("</td>");
            html.cell("<td>", format_args!("{} – {}", self.name(a), self.name(b))).raw("</td>");
            let [own, other] = meeting.half_points.map(|half_points| f64::from(half_points) / 2.0);
            html.cell("<td class=\"n\">", format_args!("{own} – {other}")).raw("</td><td>");
            self.game_link(html, meeting.first_game, None);
            html.raw("</td></tr>");
        }
        html.raw("</tbody></table></div></details></section>");
    }

    fn game_link(&self, html: &mut Html, game: u32, ply: Option<usize>) {
        let ply = ply.map_or_else(String::new, |ply| format!("&ply={ply}"));
        let report = if self.number == 0 { String::new() } else { format!("report={}&", self.number + 1) };
        html.raw("<a class=\"game\"").attr("href", format_args!("#{report}game={game}{ply}")).raw(">game ");
        html.text(game).raw("</a>");
    }

    fn cross_table(&self, html: &mut Html) {
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

    fn by_seat(&self, html: &mut Html) {
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
        html.raw("</tr></tfoot></table></div><p class=\"legend\">Percent in each seat, and points of games. Unequal \
                  numbers in the last row mean that a seat is worth something.</p></section>");
    }

    fn times(&self, html: &mut Html) {
        let counted = &self.counted.times;
        let limit = |player: &Player| player.time.move_ns.or(player.time.base_ns).map(|ns| ns as f64);
        let players = || self.standings.lines().iter().map(|line| line.player);
        let known = || players().filter(|&player| counted[player].moves() > 0);
        let least = known().filter_map(|player| counted[player].least_ns()).fold(f64::MAX, f64::min);
        let most = known().map(|player| {
            let longest = counted[player].longest().map_or(0.0, |longest| longest.ns as f64);
            longest.max(limit(&self.report.plan.players[player]).unwrap_or(0.0))
        });
        let most = most.fold(0.0, f64::max);
        if known().next().is_none() {
            return;
        }
        let axis = Axis::log(least.max(1e3), most.max(2e3));
        self.card(html, "times", "Time a move", "card wide");
        scroll(html, "Time a move");
        html.raw("<thead><tr><th class=\"name\" scope=\"col\">Player</th>");
        html.raw("<th scope=\"col\" class=\"plotted\">Shortest to longest");
        axis.head(html, time);
        html.raw("</th>");
        for head in ["Moves", "Half below", "9 of 10", "99 of 100", "Longest", "Limit"] {
            html.cell("<th class=\"n\" scope=\"col\">", head).raw("</th>");
        }
        html.raw("</tr></thead><tbody>");
        for player in known() {
            let times = &counted[player];
            let quantile = |share| times.quantile_ns(share).unwrap_or(0.0);
            let longest = times.longest();
            html.raw("<tr>");
            self.name_cell(html, player);
            html.raw("<td class=\"plotted\">");
            axis.begin(html);
            let ends = (times.least_ns().unwrap_or(0.0), longest.map_or(0.0, |longest| longest.ns as f64));
            line(html, "span", axis.at(ends.0), axis.at(ends.1));
            bar(html, "box", axis.at(quantile(0.1)), axis.at(quantile(0.9)));
            stroke(html, "median", axis.at(quantile(0.5)));
            dot(html, "most", axis.at(ends.1));
            let of = &self.report.plan.players[player];
            if let Some(limit) = limit(of) {
                stroke(html, "limit", axis.at(limit));
            }
            html.raw("</svg></td>").cell("<td class=\"n\">", times.moves()).raw("</td>");
            for share in [0.5, 0.9, 0.99] {
                html.cell("<td class=\"n\">", time(quantile(share))).raw("</td>");
            }
            html.raw("<td class=\"n\">");
            if let Some(longest) = longest {
                html.text(time(longest.ns as f64)).raw(" ");
                self.game_link(html, longest.game, Some(longest.ply));
            }
            html.cell("</td><td class=\"n\">", time_control(&self.report.plan, of)).raw("</td></tr>");
        }
        html.raw("</tbody></table></div><p class=\"legend\">The scale is logarithmic: each step is ten times the last. The \
                  bar holds 8 of 10 moves, the light stroke halves them, the dot is the longest, the red stroke the limit \
                  (with a clock for the game, all of it).</p></section>");
    }

    fn lengths(&self, html: &mut Html) {
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
        let highest = counts.iter().copied().max().unwrap_or(1).max(1);
        self.card(html, "lengths", "Game lengths", "card");
        html.raw("<svg class=\"histogram\" aria-hidden=\"true\" width=\"100%\" height=\"150\">");
        html.raw("<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"126\" y2=\"126\"/>");
        for (bin, &games) in counts.iter().enumerate().filter(|(_, games)| **games > 0) {
            let height = (110.0 * f64::from(games) / f64::from(highest)).max(2.0);
            let share = 100.0 / bins.max(6) as f64;
            html.raw("<rect class=\"box\" rx=\"2\"")
                .attr("x", super::axis::percent(share * bin as f64 + 0.06 * share));
            html.attr("width", super::axis::percent(0.88 * share));
            html.attr("y", format_args!("{:.1}", 126.0 - height)).attr("height", format_args!("{height:.1}"));
            html.raw("><title>").text(format_args!(
                "{}: {}",
                bin_name(least, width, bin),
                count(games, "game")
            ));
            html.raw("</title></rect>");
        }
        html.raw("<text x=\"0\" y=\"144\">").text(least);
        html.raw("</text><text x=\"100%\" y=\"144\" text-anchor=\"end\">").text(count(most as u32, "move"));
        html.raw("</text></svg><details><summary>As a table</summary>");
        scroll(html, "Game lengths");
        html.raw("<thead><tr><th class=\"n\" scope=\"col\">Moves</th><th class=\"n\" scope=\"col\">Games</th></tr></thead><tbody>");
        for (bin, games) in counts.iter().enumerate().filter(|(_, games)| **games > 0) {
            html.cell("<tr><td class=\"n\">", bin_name(least, width, bin));
            html.cell("</td><td class=\"n\">", games).raw("</td></tr>");
        }
        html.raw("</tbody></table></div></details></section>");
    }

    fn endings(&self, html: &mut Html) {
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

    fn faults(&self, html: &mut Html) {
        let counted = self.counted;
        if counted.all_faults == 0 && counted.refused == 0 {
            return;
        }
        self.card(html, "faults", "Faults", "card wide");
        if counted.refused > 0 {
            let many = if counted.refused == 1 {
                "1 answer was".to_owned()
            } else {
                format!("{} answers were", counted.refused)
            };
            html.raw("<p>").text(many).raw(" refused; the replays show where. By player: ");
            let mut first = true;
            for player in 0..self.players() {
                let totals = self.totals(player);
                if totals.errors.is_empty() {
                    continue;
                }
                let kinds: Vec<String> =
                    totals.errors.iter().take(8).map(|(kind, times)| format!("{times} {kind}")).collect();
                html.raw(if first { "" } else { "; " });
                html.text(format_args!("{}: {}", self.name(player), kinds.join(", ")));
                first = false;
            }
            html.raw(".</p>");
        }
        if !counted.faults.is_empty() {
            html.raw("<ol class=\"faults\">");
            for fault in &counted.faults {
                let record = &fault.record;
                html.raw("<li><p><span class=\"tag bad\">").text(&record.kind).raw("</span> <b>");
                html.text(self.name(fault.player)).raw("</b> ");
                html.text(record.sentence.as_deref().unwrap_or(&record.kind)).raw(" <span class=\"quiet\">");
                self.game_link(html, fault.game, Some(fault.ply));
                html.text(format_args!(", after {}", count(fault.ply as u32, "move"))).raw("</span></p>");
                if let Some(again) = &record.again {
                    html.raw("<p class=\"again\"><span>Again:</span> <code>").text(again).raw("</code></p>");
                }
                if let Some(output) = &record.output {
                    html.raw("<details><summary>What it printed</summary><pre>");
                    for printed in output.lines().take(60) {
                        html.text(printed).raw("\n");
                    }
                    html.raw("</pre></details>");
                }
                html.raw("</li>");
            }
            html.raw("</ol>");
            let more = counted.all_faults - counted.faults.len() as u64;
            if more > 0 {
                html.raw("<p>").text(format_args!("{more} more are told in the report itself.")).raw("</p>");
            }
        }
        html.raw("</section>");
    }

    fn bots(&self, html: &mut Html) {
        let title = if self.report.plan.players.iter().all(|player| player.kind == PlayerKind::Bot) {
            "The bots"
        } else {
            "The players"
        };
        self.card(html, "bots", title, "card wide plain");
        html.raw("<div class=\"bots\">");
        for of in self.standings.lines().iter().take(MOST_SECTIONS) {
            self.bot(html, of);
        }
        html.raw("</div>");
        if self.players() > MOST_SECTIONS {
            html.raw("<p>Of more players only the standings are shown.</p>");
        }
        html.raw("</section>");
    }

    fn bot(&self, html: &mut Html, of: &Line) {
        let player = of.player;
        let known = &self.report.plan.players[player];
        let totals = self.totals(player);
        html.raw("<section class=\"bot\"")
            .attr("id", format_args!("r{}-p{player}", self.number))
            .raw("><h3>");
        html.text(self.name(player)).raw("</h3><p class=\"quiet\">");
        let mut words = Vec::new();
        let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        words.extend(said(&known.version).map(|version| format!("version {version}")));
        words.extend(said(&known.author).map(|author| format!("by {author}")));
        let kind = match known.kind {
            PlayerKind::Bot => "a bot",
            PlayerKind::Program => "a program, not contained",
            PlayerKind::Human => "a person",
        };
        words.push(kind.to_owned());
        html.text(words.join(", ")).raw("</p><dl>");
        let mut say = |name: &'static str, value: String| {
            if !value.is_empty() {
                html.raw("<div><dt>").raw(name).raw("</dt><dd>").text(value).raw("</dd></div>");
            }
        };
        say("Place", format!("{} of {}", of.place, self.players()));
        say("Result", format!("{} won, {} drawn, {} lost", totals.wins, totals.draws, totals.losses));
        if let Some(rating) = of.rating {
            say("Rating", format!("{:+.0} ({})", rating.round() + 0.0, rating_range(of)));
        }
        let others = self.standings.lines().iter().filter(|other| other.player != player);
        let against = others.filter_map(|other| {
            let meeting = self.standings.meeting(player, other.player).filter(|meeting| meeting.games > 0)?;
            let made = f64::from(meeting.wins) + f64::from(meeting.draws) / 2.0;
            Some((made / f64::from(meeting.games), meeting.games, other.player))
        });
        let mut against: Vec<(f64, u32, usize)> = against.collect();
        against.sort_by(|a, b| b.0.total_cmp(&a.0));
        if let (Some(best), Some(worst)) = (against.first(), against.last())
            && against.len() > 1
        {
            let told = |(share, _, other): &(f64, u32, usize)| {
                format!("{} ({:.0} %)", self.name(*other), 100.0 * share)
            };
            say("Best against", told(best));
            say("Worst against", told(worst));
        }
        let times = &self.counted.times[player];
        if let (Some(mean), Some(longest)) = (times.mean_ns(), times.longest()) {
            say("Time", format!("{} a move, at most {}", time(mean), time(longest.ns as f64)));
        }
        say("Limit", time_control(&self.report.plan, known));
        let searched = &self.counted.depths[player];
        let mut search = Vec::new();
        search.extend(searched.depth().filter(|depth| *depth > 0.0).map(|depth| format!("depth {depth:.1}")));
        search.extend(searched.speed().map(|speed| format!("{} positions a second", thousands(speed))));
        say("Search", search.join(", "));
        let options: Vec<String> =
            known.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        say("Options", options.join(", "));
        say("File", known.file.clone().unwrap_or_default());
        say(
            "SHA-256",
            known.sha256.as_ref().map_or_else(String::new, |hash| hash.chars().take(16).collect()),
        );
        html.raw("</dl></section>");
    }

    fn games(&self, html: &mut Html) {
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

    fn about(&self, html: &mut Html) {
        let report = self.report;
        let plan = &report.plan;
        self.card(html, "about", "How it was played", "card wide about");
        html.raw("<dl class=\"facts\">");
        let mut say = |name: &'static str, value: String| {
            if !value.is_empty() {
                html.raw("<div><dt>").raw(name).raw("</dt><dd>").text(value).raw("</dd></div>");
            }
        };
        let options: Vec<String> = plan.options.iter().map(|(key, value)| format!("{key} {value}")).collect();
        say("Game", format!("{} (rules version {})", plan.game, plan.rules_version));
        say("Options", options.join(", "));
        let times: std::collections::BTreeSet<String> =
            plan.players.iter().map(|player| time_control(plan, player)).collect();
        say("Time", times.into_iter().take(6).collect::<Vec<_>>().join("; "));
        say(
            "Errors",
            match plan.max_errors {
                0 => "any number is forgiven".to_owned(),
                most => format!("number {most} loses the game"),
            },
        );
        say("Seed", plan.seed.clone());
        let when = |date: &Option<String>| {
            date.as_deref()
                .map(|date| date.chars().take(19).collect::<String>().replace('T', " "))
                .unwrap_or_default()
        };
        let span = match (when(&report.started), when(&report.finished)) {
            (from, to) if to.is_empty() => from,
            (from, to) => format!("{from} – {to} UTC"),
        };
        say("When", span);
        if let Some(machine) = &report.machine {
            let processor = machine.processor.as_deref().unwrap_or(&machine.arch);
            say(
                "Machine",
                format!(
                    "{processor}, {}, {} at a time",
                    count(machine.cores, "core"),
                    count(machine.jobs, "game")
                ),
            );
        }
        say("Written by", format!("arbiter {}", report.arbiter));
        html.raw("</dl></section>");
    }
}

/// Begins a table that can be scrolled sideways where there is little room.
fn scroll(html: &mut Html, name: &'static str) {
    html.raw("<div class=\"scroll\" role=\"region\" tabindex=\"0\"")
        .attr("aria-label", format_args!("{name}, table"));
    html.raw("><table>");
}

fn seat_cell(html: &mut Html, made: f64, games: u32, most: f64) {
    if games == 0 {
        html.raw("<td class=\"heat none\">–</td>");
        return;
    }
    let share = made / (f64::from(games) * most);
    html.raw("<td class=\"heat ").raw(heat(share)).raw("\"><b>").text(format_args!("{:.0}", 100.0 * share));
    html.raw("</b><small>").text(format_args!("{} of {games}", points(made))).raw("</small></td>");
}

/// The class of a share: eleven steps from amber over nothing to blue.
fn heat(share: f64) -> &'static str {
    const STEPS: [&str; 11] = ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9", "h10"];
    STEPS[((10.0 * share).round() as usize).min(10)]
}

/// Points without zeros behind them.
pub(super) fn points(points: f64) -> String {
    format!("{points:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn thousands(number: f64) -> String {
    match number {
        number if number >= 1e6 => format!("{:.1} million", number / 1e6),
        number if number >= 1e3 => format!("{:.0} thousand", number / 1e3),
        number => format!("{number:.0}"),
    }
}

fn bin_name(least: usize, width: usize, bin: usize) -> String {
    let from = least + bin * width;
    if width == 1 { from.to_string() } else { format!("{from}–{}", from + width - 1) }
}

/// `100 ms a move`, `60 s + 1 s`, `no limit`.
fn time_control(plan: &Plan, player: &Player) -> String {
    let told = |ns: u64| time(ns as f64);
    match (player.time.move_ns, player.time.base_ns) {
        (Some(limit), _) if plan.clock == Some(ClockKind::Instructions) => {
            format!("{} a move", instructions(limit))
        }
        (Some(limit), _) => format!("{} a move", told(limit)),
        (None, Some(base)) => match player.time.increment_ns {
            Some(increment) if increment > 0 => format!("{} + {}", told(base), told(increment)),
            _ => format!("{} a game", told(base)),
        },
        (None, None) => "no limit".to_owned(),
    }
}
