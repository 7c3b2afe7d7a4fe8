//! The default verb: play these bots.

mod menu;

use crate::cli::options::people::seated;
use crate::cli::options::{At, Begins, Printing};
use crate::cli::plan::{EntrantPlan, Plan, PlayArgs, Show};
use crate::cli::rehearsal::Refusals;
use crate::cli::runner::{GO_ON, games_are_left, play_games, stopped, wait};
use crate::cli::said::Said;
use crate::cli::saved::{Made, Opened, Saved, finished};
use crate::cli::show::pages;
use crate::cli::show::presentation::{Kind, Presentation, has_screen};
use crate::cli::show::progress::ProgressView;
use crate::cli::show::results::known;
use crate::cli::signals::{BY_RESUME, STOP, Signals};
use crate::cli::{ExitCode, Failure, Output};
use crate::host::Host;
use crate::record::schema::{GameRecord, MatchReport, Player, PlayerKind};
use crate::report::{Detail, Format, Ledger, Style, Tally, summary};
use crate::sanitize::sanitize;
use crate::tournament::{Course, Fixture, Listener, MatchError};
use crate::ui::log::Sitter;
use crate::ui::{After, Leaving, ended, talk, thoughts};
use crate::verdict::{Ending, Event, Played};
use crate::web::{Door, Server};
use arbiter_rules::Position;
use arbiter_rules::draw::{Marks, draw};
use parking_lot::Mutex;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// Plays a match, and what is chosen after it; where nothing says which, the menu asks.
///
/// # Errors
/// Whatever is wrong with the plan, before the first move; later only what cannot be saved.
pub(crate) fn play(args: &PlayArgs, said: &Said, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    // What is chosen on a page is played on that page, one match after the other.
    let is_on_page = args.is_empty() && args.web.web;
    let door = is_on_page.then(|| pages::open_for_all(&args.web)).transpose()?;
    let mut words = said.words_without(&[]);
    let mut failure = None;
    loop {
        let (typed, said) = menu::read(&words)?;
        let has_menu = typed.is_empty() && (door.is_some() || has_screen());
        let (args, said) = match &door {
            _ if !has_menu => (typed, said),
            Some(door) => menu::choose_on_page(&typed, &said, door, host, out)?,
            None => match menu::choose(&typed, &said, failure.as_ref(), host, out)? {
                Some(chosen) => chosen,
                None => return failure.map_or(Ok(ExitCode::Done), Err),
            },
        };
        match play_match(&args, &said, door.as_ref(), host, out) {
            Ok((_, Some(next))) => (words, failure) = (next, None),
            Ok((code, None)) => return Ok(code),
            // Some mistakes show only when a bot is to play. They are mended where they were made.
            Err(wrong) if has_menu && door.is_none() && wrong.code == ExitCode::Usage => {
                failure = Some(wrong);
            }
            Err(wrong) => return Err(wrong),
        }
    }
}

/// Plays a match. Returns the exit code, and the words of the one that is to follow.
fn play_match(
    args: &PlayArgs,
    said: &Said,
    door: Option<&Arc<Door>>,
    host: &Host,
    out: &mut Output,
) -> Result<(ExitCode, Option<Vec<OsString>>), Failure> {
    // Whoever has left the last match has stopped its games.
    STOP.over();
    let plan = Plan::new(args, said, host)?;
    let mut presentation = Presentation::new(&plan, out.charset())?;
    if presentation.keyboard.as_ref().is_some_and(|keyboard| keyboard.is_dead()) {
        return Err(nobody_there(&plan));
    }
    let (mut saved, ledger) = match Saved::open(&plan)? {
        Opened::ToPlay(begun) => *begun,
        Opened::Finished(report) => return Ok((finished(&plan, &report, out)?, None)),
    };
    let (begins, made) = (saved.begins(), saved.made.take());
    let unmake = |_: &Failure| made.iter().for_each(Made::remove);
    // Links are worth something once the match can be saved.
    presentation.open_pages(&plan, begins, door).inspect_err(unmake)?;
    if plan.view.show != Show::Json {
        plan.warnings().for_each(|warning| talk(&warning));
    }
    let (report, path) = (saved.report.clone(), saved.journal.path().to_owned());
    let signals = Signals::listen(is_watched(&plan, &presentation), &path, BY_RESUME, presentation.alarm())?;
    let view = View::new(&plan, &saved, ledger, &presentation);
    let Outcome { end, leaving, after, refused } = view.play(&mut saved, begins)?;
    let ledger = view.progress.finish();
    let ask = |pages: &Server, sentence: &str, code| {
        signals.all_is_saved(pages.hang_up());
        let next = pages.ask(sentence).map(|after| menu::after(after, &plan, said));
        Ok((signals.heard().unwrap_or(code), next))
    };
    let is_stopped = signals.heard().is_some();
    let lost = || (made.is_some() && !is_stopped && view.has_missed_everybody()).then(|| nobody_there(&plan));
    if let Some(failure) = refused.or_else(lost) {
        unmake(&failure);
        let Some(pages) = presentation.pages.as_ref().filter(|_| door.is_some()) else { return Err(failure) };
        failure.tell();
        return ask(pages, &menu::complaint(&failure), failure.code);
    }
    let result = saved.close(ledger);
    if let Err(error) = end {
        // Where games cannot be saved, a report of those that were may fail too: the journal has them.
        if let Ok((result, tally, _)) = result {
            view.show_result(&result, tally, &report, out)?;
        }
        return Err(stopped(&error, &path));
    }
    let (result, tally, _) = result?;
    let code = plan.checked(&result, tally.faults);
    let shown = view.show_result(&result, tally, &report, out).and_then(|()| out.flush());
    let shown = shown.map_err(|failure| failure.but_saved(&report));
    view.progress.tell_again();
    let is_over = result.games_ended == result.games_asked;
    if let Some(pages) = &presentation.pages {
        let how = if is_over { "is over" } else { "was stopped" };
        let sentence = format!("The match {how}. Its report is {}.", sanitize(&report.display().to_string()));
        if door.is_some() && is_over && shown.is_ok() && signals.heard().is_none() {
            talk("What is played next is chosen on the page; Ctrl-C ends.");
            return ask(pages, &sentence, code);
        }
        pages.finish(&sentence);
    }
    shown?;
    if is_over {
        let next = after.map(|after| menu::after(after, &plan, said));
        return Ok((over(&plan, &result, code), next));
    }
    let left = (leaving != Leaving::No).then_some(ExitCode::Interrupted);
    Ok((games_are_left(&result, GO_ON, &signals, left), None))
}

/// Whether somebody sees or plays the games move by move, and a signal breaks off the one that is being played.
fn is_watched(plan: &Plan, presentation: &Presentation) -> bool {
    presentation.kind != Kind::Nothing && plan.view.show != Show::Json || plan.games.has_people()
}

/// What remains to be done when all games have ended, and the exit code.
fn over(plan: &Plan, result: &MatchReport, code: ExitCode) -> ExitCode {
    if result.games.last().is_some_and(GameRecord::was_left) {
        talk("the same command with --resume goes on with the game that was left");
    }
    plan.view.pictures.as_ref().map_or(code, |pictures| pictures.end(code))
}

fn nobody_there(plan: &Plan) -> Failure {
    let seats = || plan.games.entrants.iter().map(EntrantPlan::person);
    let is_here = |person| person == Some(At::Here);
    let seat = seats().position(is_here).or_else(|| seats().position(|person| person.is_some()));
    let seat = seat.unwrap_or_default() + 1;
    let message = format!("seat {seat} is empty and there is no keyboard");
    Failure::new(ExitCode::EmptySeat, message).hint("name a bot for it, or play in a browser with --web")
}

struct Outcome {
    end: Result<(), MatchError>,
    leaving: Leaving,
    after: Option<After>,
    /// A bot that did not get through its rehearsal.
    refused: Option<Failure>,
}

struct View<'a> {
    plan: &'a Plan,
    presentation: &'a Presentation,
    progress: ProgressView,
    tells_thoughts: bool,
    last: Mutex<Last>,
}

/// What is told of the last game at the end of the match.
#[derive(Default)]
struct Last {
    board: String,
    words: String,
    has_lost_a_person: bool,
}

impl<'a> View<'a> {
    fn new(plan: &'a Plan, saved: &Saved, ledger: Ledger, presentation: &'a Presentation) -> View<'a> {
        // Where games are shown move by move, they say by themselves how far they have come.
        let show = if presentation.kind == Kind::Nothing { plan.view.show } else { Show::Result };
        View {
            plan,
            presentation,
            progress: ProgressView::new(show, plan.view.progress, saved, ledger),
            tells_thoughts: plan.view.screen.debug.is_wanted(),
            last: Mutex::default(),
        }
    }

    fn is_on_screen(&self) -> bool {
        self.presentation.kind == Kind::Screen
    }

    fn play(&self, saved: &mut Saved, begins: Begins) -> Result<Outcome, Failure> {
        let (plan, presentation) = (self.plan, self.presentation);
        let alarm = presentation.alarm();
        let refusals = Refusals::new(move || {
            STOP.now();
            alarm();
        });
        let report = saved.report.clone();
        let play = || play_games(plan, saved, &presentation.desks, Some(&refusals), self);
        let (end, leaving, after) = Printing::during(
            plan.view.printing.as_ref(),
            (&report, begins),
            plan.games.most_games() > 1,
            |line| self.tell(line),
            || presentation.run(plan, play),
        )??;
        Ok(Outcome { end, leaving, after, refused: refusals.failure(plan) })
    }

    /// Whether a person had to play, and there was nobody at the keyboard.
    fn has_missed_everybody(&self) -> bool {
        let is_silent = self.presentation.keyboard.as_ref().is_some_and(|keyboard| !keyboard.has_spoken());
        is_silent && self.last.lock().has_lost_a_person
    }

    /// Tells what a bot has printed. The screen shows it by itself.
    fn tell(&self, line: &str) {
        if !self.is_on_screen() {
            self.progress.tell(line);
        }
    }

    fn tell_thoughts(&self, game: &Fixture, event: &Event<'_>) {
        let Event::Played(Played { report: Some(report), seat, text, .. }) = event else { return };
        let name = self.progress.name(game.players[seat.index()]);
        let of_game =
            if self.plan.games.most_games() > 1 { format!("game {}: ", game.number) } else { String::new() };
        self.tell(&format!("{of_game}{name} plays {text}"));
        thoughts(report).iter().for_each(|line| self.tell(&format!("  {line}")));
    }

    /// Keeps what is told of the last game at the end of the match. Of many games between bots nothing is, and no worker waits
    /// for another here.
    fn keep_end(&self, game: &Fixture, ending: &Ending, position: &Position) {
        let is_only_game = self.plan.games.most_games() == 1;
        if !(is_only_game || self.is_on_screen() || self.plan.games.has_people()) {
            return;
        }
        let mut last = self.last.lock();
        if is_only_game {
            last.board = draw(position, self.presentation.charset, &Marks::default());
        }
        if self.is_on_screen() {
            last.words = ended(ending, position, &self.sitters(game).0, None);
        }
        last.has_lost_a_person |= ending.reason() == "left" || ending.outcome().is_none();
    }

    /// Who sits where in a game, and how many errors lose it.
    fn sitters(&self, game: &Fixture) -> (Vec<Sitter>, u32) {
        let plan = &self.progress.plan;
        let is_person = |player: &&Player| player.kind == PlayerKind::Human;
        let people = || plan.players.iter().filter(is_person).map(|player| player.name.as_str());
        let sitter = |(seat, &number): (usize, &usize)| {
            let player = &plan.players[number];
            let is_person = is_person(&player);
            // Programs are told the names that the report has.
            let name = match is_person && self.plan.view.show != Show::Json {
                true => seated(&player.name, seat, people()),
                false => self.progress.name(number),
            };
            Sitter { name, is_person, player: Some(number) }
        };
        (game.players.iter().enumerate().map(sitter).collect(), plan.max_errors)
    }

    /// The board of a single game, a table, the path of the report last.
    fn show_result(
        &self,
        result: &MatchReport,
        tally: Tally,
        path: &Path,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let plan = self.plan;
        match plan.view.show {
            Show::Json => {
                let event = serde_json::json!({ "ev": "report", "path": path.display().to_string(), "totals": result.totals });
                out.json(&event)
            }
            _ if plan.games.has_people() || plan.view.screen.watch => {
                // Who had a screen sees what remains of it; lines have told how the game ended.
                if self.is_on_screen() {
                    out.text(&self.last.lock().board)?;
                    out.line(&self.last.lock().words)?;
                }
                let (ended, asked) = (result.games_ended, result.games_asked);
                out.line(&format!("saved {ended} of {asked} games"))?;
                out.line(&format!("report {}", path.display()))
            }
            Show::Result | Show::Everything => {
                if plan.games.most_games() == 1 && plan.view.show == Show::Everything {
                    out.text(&self.last.lock().board)?;
                    out.line("")?;
                }
                let file = path.display().to_string();
                let (charset, room) = (out.charset(), out.columns());
                let style =
                    Style { format: Format::Table, detail: Detail::Result, charset, file: &file, room };
                out.told(&summary(result, tally, known(result, None), &style)?, style.format)?;
                out.line("")?;
                out.line(&path.display().to_string())
            }
        }
    }
}

impl Listener for View<'_> {
    fn event(&self, game: &Fixture, event: &Event<'_>) {
        if let Some(log) = self.presentation.log() {
            log.hear(game.number, event, || self.sitters(game));
        }
        if self.tells_thoughts {
            self.tell_thoughts(game, event);
        }
        if let Some(pictures) = &self.plan.view.pictures {
            pictures.hear(game.number, event);
        }
        if let Event::Played(_) = event
            && (self.plan.view.screen.watch || self.plan.view.web.is_some())
            && let Some(delay) = self.plan.view.screen.delay
        {
            wait(delay);
        }
        if let Event::Ended { ending, position, .. } = event {
            self.keep_end(game, ending, position);
        }
    }

    fn saved(&self, games: &[GameRecord], course: &Mutex<&mut Course>) {
        self.progress.saved(games, course);
    }
}
