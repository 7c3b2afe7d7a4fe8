//! A report as one file that opens in a browser without a network: tables and plots that need no script, and replays that
//! the script makes of what is packed in the file.
//!
//! Nothing of a bot becomes markup (`html.rs`), and a policy in the file lets nothing run but its own script, by its hash
//! (`assets.rs`). The file holds no rules: `replays.rs` says what a move changed where most moves would have changed something
//! else, and `assets/*.js` draw it.

pub(crate) mod assets;
mod axis;
mod card;
mod counted;
mod html;
mod overview;
mod replays;
pub(crate) mod scene;

pub(crate) use card::{Card, live};

use crate::record::schema::{GameRecord, MatchReport};
use crate::report::{Circumstances, OverTime, Standings, Tally};
use arbiter_rules::Position;
use counted::Counted;
use html::Html;
use overview::{Listed, Overview, title};
use replays::Replays;

/// Games of a file that can be replayed from it; of more, the tables alone.
pub(crate) const MOST_REPLAYS: usize = 10_000;

/// Games of a file whose bots' lines are kept as long as pages show any; of more games, lines take most of the file.
const MANY: u32 = 100;
/// What is kept of a line in files of more games.
const FEW_AHEAD: usize = 5;

#[derive(Default)]
pub(crate) struct Page {
    /// What is shown, and what is packed, by report.
    reports: Vec<(Html, String, Vec<String>)>,
    titles: Vec<String>,
    replays: usize,
}

/// A report that is being put on a page, game by game.
pub(crate) struct Part<'a> {
    frame: &'a MatchReport,
    title: String,
    tally: Tally,
    counted: Counted,
    listed: Listed,
    over_time: OverTime,
    replays: Replays,
}

impl<'a> Part<'a> {
    /// A report without games yet. `start` is where its games start from, if its plan makes sense.
    pub(crate) fn new(page: &Page, frame: &'a MatchReport, start: Option<Position>) -> Part<'a> {
        let title = start.as_ref().map_or(frame.plan.game.as_str(), |start| start.info().title).to_owned();
        let most_ahead = if frame.games_asked > MANY { FEW_AHEAD } else { scene::MOST_AHEAD };
        Part {
            frame,
            title,
            tally: Tally::under(&frame.plan),
            counted: Counted::new(frame.plan.players.len()),
            listed: Listed::default(),
            over_time: OverTime::new(&frame.plan),
            replays: Replays::new(start, MOST_REPLAYS.saturating_sub(page.replays), most_ahead),
        }
    }

    pub(crate) fn games(&mut self, games: &[GameRecord]) {
        for game in games {
            self.tally.add(game);
            self.over_time.look(&self.tally);
            self.counted.add(self.frame, game);
            self.listed.add(self.frame, game);
            self.replays.add(self.frame, game);
        }
    }

    /// Puts the report on the page, when all its games have been added. `report` is what the file says at its end, and
    /// `file` its name. `anchor` is a player whose rating is known.
    pub(crate) fn end(
        self,
        page: &mut Page,
        report: &MatchReport,
        circumstances: Circumstances,
        anchor: Option<(usize, f64)>,
        file: &str,
    ) {
        let standings = Standings::new(&self.tally, circumstances).anchored(anchor);
        let overview = Overview {
            number: page.reports.len(),
            file,
            game: &self.title,
            report,
            standings: &standings,
            counted: &self.counted,
            listed: &self.listed,
            moments: &self.over_time.end(&self.tally),
            left_out: self.replays.left_out,
            kept: self.replays.rows.len(),
        };
        let html = overview.html();
        let title = title(report, &self.title);
        page.replays += self.replays.rows.len();
        let (index, blocks) = self.replays.packed(report, file, &title);
        page.reports.push((html, index, blocks));
        page.titles.push(title);
    }
}

impl Page {
    pub(crate) fn html(&self) -> String {
        let script = assets::script("report");
        let mut html = Html::default();
        let title = match &self.titles[..] {
            [one] => one.clone(),
            several => format!("{} reports", several.len()),
        };
        html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.raw("<meta http-equiv=\"Content-Security-Policy\"");
        html.attr("content", assets::policy(&script, &assets::STYLE)).raw(">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
        html.text(&title)
            .raw(" – arbiter</title>\n<style>")
            .raw(assets::STYLE.as_str())
            .raw("</style>\n</head>\n<body>\n");
        html.raw("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header class=\"bar\"><a class=\"brand\" href=\"#\">arbiter</a>");
        html.raw("<nav aria-label=\"Reports\">");
        if self.titles.len() > 1 {
            for (number, title) in self.titles.iter().enumerate() {
                html.raw("<a").attr("href", format_args!("#r{number}")).raw(">").text(title).raw("</a>");
            }
        }
        html.raw("</nav><div id=\"tools\"></div></header>\n<main id=\"main\" tabindex=\"-1\">\n");
        let (head, overview, blocks) = (html.as_str(), self.overview(), self.blocks());
        let script = format!("<script type=\"module\">{script}</script>\n</body>\n</html>\n");
        [head, &overview, "</main>\n", &blocks, &script].concat()
    }

    /// What a page that is served puts into its frame: the reports, and their games.
    pub(crate) fn contents(&self) -> String {
        self.overview() + &self.blocks()
    }

    fn overview(&self) -> String {
        let reports: String = self.reports.iter().map(|(report, ..)| report.as_str()).collect();
        format!("<div id=\"overview\">{reports}</div>\n")
    }

    fn blocks(&self) -> String {
        let mut page = String::new();
        for (number, (_, index, blocks)) in self.reports.iter().enumerate() {
            page.push_str(&block(&format!("index-{number}"), index));
            for (block_number, games) in blocks.iter().enumerate() {
                page.push_str(&block(&format!("games-{number}-{block_number}"), games));
            }
        }
        page
    }
}

/// Packed data; base64 is harmless everywhere.
fn block(id: &str, packed: &str) -> String {
    format!("<script type=\"application/octet-stream\" id=\"{id}\">{packed}</script>\n")
}
