//! What is printed about games while they are played.

use super::circumstances::{circumstances, title};
use crate::cli::failure::last_lines;
use crate::cli::plan::Show;
use crate::cli::plan::args::ProgressArg;
use crate::cli::saved::Saved;
use crate::record::schema::{self, GameRecord, PlayerKind, ScheduleKind, SprtDecision, SprtRecord};
use crate::report::{Ledger, Standings, leaders_table, rating_range};
use crate::sanitize::sanitize;
use crate::tournament::{Course, Listener};
use crate::ui::{Progress, Room, say_json, talk};
use crate::verdict::hint_on_number;
use parking_lot::Mutex;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The shortest time between two progress events of `--json`.
const PAUSE: Duration = Duration::from_secs(1);

/// How many games that a player has lost by faults of one kind are told one by one.
const MOST_FAULTS: u32 = 5;

/// What is shown of how far games have come: a bar, of a tournament with a table below, lines, or events.
pub(crate) struct ProgressView {
    show: Show,
    pub(crate) plan: schema::Plan,
    /// None where nothing is shown of it.
    progress: Option<Progress>,
    state: Mutex<State>,
}

struct State {
    ledger: Ledger,
    withdrawn: usize,
    told: Option<Instant>,
    /// How many games each player has lost by each kind of fault.
    faults: BTreeMap<(u32, String), u32>,
    /// The first game that was lost by a fault, and the command that plays its moment again.
    again: Option<(u32, String)>,
}

impl ProgressView {
    pub(crate) fn new(show: Show, progress: ProgressArg, saved: &Saved, ledger: Ledger) -> ProgressView {
        let (games, done) = (u64::from(saved.course.games_asked()), u64::from(ledger.tally.games()));
        let plan = saved.plan.clone();
        let progress = match (show, progress) {
            (Show::Json | Show::Result, _) | (_, ProgressArg::None) => None,
            (Show::Everything, ProgressArg::Plain) => Some(Progress::lines(games, done)),
            (Show::Everything, ProgressArg::Auto) if is_match(&plan) => Some(Progress::of(games, done)),
            (Show::Everything, ProgressArg::Auto) => Some(Progress::with_table(&title(&plan), games, done)),
        };
        let (withdrawn, told, faults, again) =
            (saved.course.withdrawals().len(), None, BTreeMap::new(), None);
        let state = State { ledger, withdrawn, told, faults, again };
        ProgressView { show, plan, progress, state: Mutex::new(state) }
    }

    pub(crate) fn tell(&self, line: &str) {
        self.progress.as_ref().map_or_else(|| talk(line), |progress| progress.note(line));
    }

    /// Says something beside the progress, and nothing where that is not shown.
    fn note(&self, line: &str) {
        self.progress.iter().for_each(|progress| progress.note(line));
    }

    /// Nothing more will be shown. Returns what has been played.
    pub(crate) fn finish(&self) -> Ledger {
        self.progress.iter().for_each(Progress::finish);
        let mut state = self.state.lock();
        std::mem::replace(&mut state.ledger, Ledger::under(&self.plan))
    }

    /// Says how the moment of a fault can be seen, once the report is there.
    pub(crate) fn tell_again(&self) {
        if let Some((_, command)) = self.state.lock().again.as_ref().filter(|_| self.show == Show::Everything)
        {
            talk(&format!("`{command}` plays the moment of the first fault once more"));
        }
    }

    pub(crate) fn name(&self, player: usize) -> String {
        self.plan.players.get(player).map_or_else(String::new, |player| sanitize(&player.name))
    }

    fn note_withdrawals(&self, state: &mut State, course: &Course) {
        for of in &course.withdrawals()[state.withdrawn..] {
            let name = self.name(of.player as usize);
            let times = self.plan.withdraw_after;
            let game = of.after_game;
            if self.show == Show::Json {
                say_json(&json!({ "ev": "withdrawn", "player": name, "after_game": game }));
            }
            self.note(&format!("game {game}: {name} is withdrawn: {times} games in a row lost by faults"));
        }
        state.withdrawn = course.withdrawals().len();
    }

    /// A game that was lost by a fault, in a line; nothing where the player has lost many by faults of that kind.
    fn told_fault(&self, state: &mut State, game: &GameRecord) -> Option<String> {
        let (seat, fault) = game.lost_by()?;
        let player = game.seats.get(seat as usize).map_or(u32::MAX, |seat| seat.player);
        let times = state.faults.entry((player, fault.kind.clone())).or_default();
        *times += 1;
        // Why a bot cannot be loaded is the same in every game.
        let most = if fault.kind == "not-loaded" { 1 } else { MOST_FAULTS };
        let line = fault_line(&self.plan, game).filter(|_| *times <= most)?;
        let no_more = if *times == most { "; further faults like this are only counted" } else { "" };
        Some(line + no_more)
    }

    #[expect(clippy::disallowed_methods, reason = "what is shown comes at the pace of people")]
    fn tell_json(&self, state: &mut State, game: &GameRecord, course: &Course) {
        let names: Vec<String> = game.seats.iter().map(|seat| self.name(seat.player as usize)).collect();
        let winner = game.outcome.as_ref().and_then(schema::OutcomeRecord::winner);
        say_json(&json!({
            "ev": "game", "number": game.number, "players": names, "winner": winner,
            "how": game.ending.how, "reason": game.ending.reason, "plies": game.plies.len(),
        }));
        let is_last = state.ledger.tally.games() >= course.games_asked();
        if state.told.is_some_and(|told| told.elapsed() < PAUSE) && !is_last {
            return;
        }
        state.told = Some(Instant::now());
        let mut event = self.standings(state, course).json();
        event["ev"] = json!("progress");
        say_json(&event);
    }

    fn standings(&self, state: &State, course: &Course) -> Standings {
        Standings::new(&state.ledger.tally, circumstances(&self.plan, course, 0))
    }

    /// The players, the best first, as far as there are rows and columns.
    fn table(&self, state: &State, course: &Course, (rows, columns): (usize, usize)) -> String {
        let test =
            course.sprt_record().map(|test| format!("\n{:.columns$}", format!("SPRT {}", test_line(&test))));
        let rows = rows.saturating_sub(usize::from(test.is_some()));
        leaders_table(&self.standings(state, course), (rows, columns)) + &test.unwrap_or_default()
    }

    fn points(state: &State, course: &Course) -> String {
        let points = state.ledger.tally.totals().iter().map(|totals| totals.points.to_string());
        let mut parts = vec![points.collect::<Vec<_>>().join(" : ")];
        parts.extend(course.sprt_record().map(|test| test_line(&test)));
        parts.join("  ")
    }

    fn leaders(&self, state: &State, course: &Course) -> String {
        let leader = |line: &crate::report::Line| {
            let range = rating_range(line);
            let rating = if range.is_empty() { range } else { format!(" ({range} Elo)") };
            format!("{}. {} {}{rating}", line.place, self.name(line.player), line.points)
        };
        let mut parts: Vec<String> = self.standings(state, course).lines.iter().take(3).map(leader).collect();
        parts.push(format!("forfeits {}", state.ledger.tally.faults));
        parts.extend(course.sprt_record().map(|test| test_line(&test)));
        parts.join("  ")
    }
}

impl Listener for ProgressView {
    fn saved(&self, games: &[GameRecord], course: &Mutex<&mut Course>) {
        let mut state = self.state.lock();
        games.iter().for_each(|game| state.ledger.add(game));
        let course = &**course.lock();
        for game in games {
            let again = game.lost_by().and_then(|(_, fault)| Some((game.number, fault.again.clone()?)));
            state.again = state.again.take().into_iter().chain(again).min();
            if self.show == Show::Json {
                self.tell_json(&mut state, game, course);
            } else if let Some(fault) = self.told_fault(&mut state, game) {
                self.note(&fault);
            }
        }
        self.note_withdrawals(&mut state, course);
        let Some(progress) = &self.progress else { return };
        match progress.games_done(games.len(), u64::from(course.games_asked())) {
            None => {}
            Some(_) if is_match(&self.plan) => progress.show(&Self::points(&state, course)),
            Some(Room::Table { rows, columns }) => {
                progress.show(&self.table(&state, course, (rows, columns)));
            }
            Some(Room::Line) => progress.show(&self.leaders(&state, course)),
        }
    }
}

fn is_match(plan: &schema::Plan) -> bool {
    plan.schedule.kind == ScheduleKind::Match
}

fn fault_line(plan: &schema::Plan, game: &GameRecord) -> Option<String> {
    let (seat, fault) = game.lost_by()?;
    let player = game.seats.get(seat as usize).map(|seat| &plan.players[seat.player as usize]);
    let name = player.map_or("", |player| player.name.as_str());
    let what = fault.sentence.as_deref().unwrap_or(&fault.kind);
    // A shell that starts a program says why it cannot, and nobody else knows.
    let is_program = player.is_some_and(|player| player.kind == PlayerKind::Program);
    let printed = fault.output.as_deref().filter(|_| is_program);
    // Java says the reason first, and indents where it came from.
    let printed = printed.and_then(|output| {
        let reasons: Vec<&str> = output.lines().filter(|line| !line.starts_with([' ', '\t'])).collect();
        last_lines(&reasons.join("\n"), 1).chain(last_lines(output, 1)).next()
    });
    let printed = printed.map_or_else(String::new, |line| format!("; it printed: {line}"));
    let refused = game.errors.iter().rfind(|error| error.seat == seat && fault.kind == "illegal-move");
    let number = refused.and_then(|error| hint_on_number(&error.answer));
    let number = number.map_or_else(String::new, |hint| format!(" ({hint})"));
    Some(sanitize(&format!("game {}: {name} {what}{number}{printed}", game.number)))
}

fn test_line(test: &SprtRecord) -> String {
    let SprtRecord { llr, lower, upper, .. } = test;
    let decision = match test.decision {
        SprtDecision::Continue => "",
        SprtDecision::H0 => ": H0 accepted",
        SprtDecision::H1 => ": H1 accepted",
    };
    format!("LLR {llr:.2} in [{lower:.2}, {upper:.2}]{decision}")
}
