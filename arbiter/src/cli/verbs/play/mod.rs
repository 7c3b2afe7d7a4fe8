//! The default verb: play these bots.

mod menu;

use crate::cli::options::printing::Printing;
use crate::cli::plan::{Plan, PlayArgs, Show};
use crate::cli::rehearsal::Refusals;
use crate::cli::runner::{STOP, play_games, stopped};
use crate::cli::saved::{Made, Opened, Saved, finished};
use crate::cli::show::live::{fault_line, test_line};
use crate::cli::show::pages;
use crate::cli::show::presentation::{Kind, Presentation, has_screen};
use crate::cli::signals::Signals;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::Host;
use crate::record::schema::{self, GameRecord, MatchReport, PlayerKind};
use crate::report::{Detail, Format, Ledger, Style, Tally, summary};
use crate::sanitize::sanitize;
use crate::tournament::{Course, Fixture, Listener};
use crate::ui::log::{Log, Sitter};
use crate::ui::{Leaving, Progress, ended, talk, thoughts};
use crate::verdict::{Ending, Event, Played};
use crate::web::Door;
use arbiter_rules::Position;
use arbiter_rules::draw::{Charset, Marks, draw};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Plays a match; where nothing says which, the menu asks.
///
/// # Errors
/// Whatever is wrong with the plan, before the first move; later only what cannot be saved.
pub(crate) fn play(args: &PlayArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if args.is_empty() && args.web().web {
        return play_in_browser(args, words, host, out);
    }
    if !args.is_empty() || !has_screen() {
        return play_match(args, &words, None, host, out);
    }
    match menu::choose(args, &words, host, out)? {
        Some((args, words)) => play_match(&args, &words, None, host, out),
        None => Ok(ExitCode::Done),
    }
}

/// Plays what is chosen on a page, one match after the other, until that is enough.
fn play_in_browser(
    args: &PlayArgs,
    mut words: Vec<String>,
    host: &Host,
    out: &mut Output,
) -> Result<ExitCode, Failure> {
    let door = pages::open_for_all(args.web())?;
    loop {
        let (args, chosen) = match menu::read(&words)? {
            args if args.is_empty() => menu::choose_on_page(&args, &words, &door, host, out)?,
            args => (args, words),
        };
        let code = play_match(&args, &chosen, Some(&door), host, out)?;
        match out.next() {
            Some(next) => words = next,
            None => return Ok(code),
        }
    }
}

fn play_match(
    args: &PlayArgs,
    words: &[String],
    door: Option<&Arc<Door>>,
    host: &Host,
    out: &mut Output,
) -> Result<ExitCode, Failure> {
    let plan = Plan::new(args, host)?;
    let mut presentation = Presentation::new(&plan, out.charset())?;
    if presentation.keyboard.as_ref().is_some_and(|keyboard| keyboard.is_dead()) {
        return Err(nobody_there(&plan));
    }
    let (mut saved, ledger) = match Saved::open(&plan)? {
        Opened::ToPlay(begun) => *begun,
        Opened::Finished(report) => return finished(&plan, &report, out),
    };
    let made = saved.made.take();
    let unmake = || made.iter().for_each(Made::remove);
    // Links are worth something once the match can be saved.
    presentation.open_pages(&plan, door).inspect_err(|_| unmake())?;
    if let Some(warning) = plan.oversubscribed().filter(|_| plan.view.show != Show::Json) {
        talk(&warning);
    }
    let (report, journal) = (saved.report().to_owned(), saved.journal.path().to_owned());
    let is_watched =
        presentation.kind != Kind::Nothing && plan.view.show != Show::Json || plan.games.has_people();
    let signals = Signals::listen(&STOP, is_watched, &journal, presentation.alarm())?;
    let view = View::new(&plan, &saved, ledger, out.charset(), &presentation);
    let alarm = presentation.alarm();
    let refusals = Refusals::new(move || {
        STOP.now();
        alarm();
    });
    let play = || play_games(&plan, saved, &presentation.desks, Some(&refusals), &STOP, &view);
    let with_game = plan.games.most_games() > 1;
    let ((course, played), leaving) = Printing::during(
        plan.view.printing.as_ref(),
        &report,
        with_game,
        |line| view.tell(line),
        || presentation.run(&plan, &STOP, play),
    )??;
    view.progress.finish();
    if let Some(refused) = refusals.failure(&plan) {
        unmake();
        return Err(refused);
    }
    if made.is_some()
        && let Some(keyboard) = &presentation.keyboard
        && !keyboard.has_spoken()
        && view.standing.lock().has_lost_a_person
    {
        unmake();
        return Err(nobody_there(&plan));
    }
    let result = Saved::write_report(&report, &journal, &course, view.take_ledger());
    if let Err(error) = played {
        // Where games cannot be saved, a report of those that were may fail too: the journal has them.
        if let Ok((result, tally)) = result {
            show_result(&plan, &view, &result, tally, &report, out)?;
        }
        return Err(stopped(&error, &journal));
    }
    let (result, tally) = result?;
    let is_over = result.games_ended == result.games_asked;
    let shown = show_result(&plan, &view, &result, tally, &report, out).and_then(|()| out.flush());
    if let Some(pages) = &presentation.pages {
        let how = if is_over { "is over" } else { "was stopped" };
        let sentence = format!("The match {how}. Its report is {}.", sanitize(&report.display().to_string()));
        match door {
            Some(_) if is_over && shown.is_ok() => {
                talk("What is played next is chosen on the page; Ctrl-C ends.");
                // Nothing runs any more that a signal would have to save.
                drop(signals);
                if let Some(after) = pages.ask(&sentence) {
                    out.go_on_with(menu::after(after, &plan, words));
                }
                return Ok(plan.checked(&result));
            }
            _ => pages.finish(&sentence),
        }
    }
    shown?;
    if is_over {
        if result.games.last().is_some_and(GameRecord::was_left) {
            talk("the same command with --resume goes on with the game that was left");
        }
        let after = *presentation.after.lock().expect("nobody panics with it");
        after.into_iter().for_each(|after| out.go_on_with(menu::after(after, &plan, words)));
        let code = plan.checked(&result);
        return Ok(plan.view.pictures.as_ref().map_or(code, |pictures| pictures.end(code)));
    }
    let (ended, asked) = (result.games_ended, result.games_asked);
    talk(&format!(
        "{ended} of {asked} games ended and are saved; the same command with --resume plays the rest"
    ));
    if leaving != Leaving::No {
        return Ok(signals.heard().unwrap_or(ExitCode::Interrupted));
    }
    // What nobody has stopped was broken off by a bug of ours, which has been told.
    Ok(signals.heard().unwrap_or(ExitCode::Bug))
}

fn nobody_there(plan: &Plan) -> Failure {
    let seat = plan.games.places.iter().position(|place| place.is_person()).unwrap_or_default() + 1;
    let message = format!("seat {seat} is empty and there is no keyboard");
    Failure::new(ExitCode::EmptySeat, message).hint("name a bot for it, or play in a browser with --web")
}

/// What is shown while the match runs.
struct View<'a> {
    log: Option<&'a Log>,
    plan: &'a Plan,
    /// The plan as it is saved.
    saved: schema::Plan,
    is_on_screen: bool,
    charset: Charset,
    progress: Progress,
    standing: parking_lot::Mutex<Standing>,
}

/// What the view has seen.
struct Standing {
    ledger: Ledger,
    last_board: String,
    last_words: String,
    has_lost_a_person: bool,
}

impl<'a> View<'a> {
    fn new(
        plan: &'a Plan,
        saved: &Saved,
        ledger: Ledger,
        charset: Charset,
        presentation: &'a Presentation,
    ) -> View<'a> {
        let shows_progress = plan.view.show == Show::Everything && presentation.kind == Kind::Nothing;
        let (games, done) = (u64::from(saved.course.games_asked()), u64::from(ledger.tally.games()));
        let progress = if shows_progress { plan.view.progress.of(games, done) } else { Progress::Silent };
        let (last_board, last_words) = (String::new(), String::new());
        let standing = Standing { ledger, last_board, last_words, has_lost_a_person: false };
        let is_heard = presentation.kind != Kind::Nothing || presentation.pages.is_some();
        let log = is_heard.then_some(&*presentation.log);
        let is_on_screen = presentation.kind == Kind::Screen;
        View {
            log,
            plan,
            saved: saved.plan.clone(),
            is_on_screen,
            charset,
            progress,
            standing: parking_lot::Mutex::new(standing),
        }
    }

    /// Tells what a bot has printed. The screen shows it by itself.
    fn tell(&self, line: &str) {
        match self.progress {
            _ if self.is_on_screen => {}
            Progress::Silent => talk(line),
            Progress::Bar(_) | Progress::Lines(_) => self.progress.note(line),
        }
    }

    /// Tells what a bot thought of the move that it has played.
    fn tell_thoughts(&self, game: &Fixture, event: &Event<'_>) {
        let Event::Played(Played { report: Some(report), seat, text, .. }) = event else { return };
        let name = sanitize(&self.saved.players[game.players[seat.index()]].name);
        let of_game =
            if self.plan.games.most_games() > 1 { format!("game {}: ", game.number) } else { String::new() };
        self.tell(&format!("{of_game}{name} plays {text}"));
        thoughts(report).iter().for_each(|line| self.tell(&format!("  {line}")));
    }

    /// Keeps what is told of the last game at the end of the match.
    fn tell_end(&self, game: &Fixture, ending: &Ending, position: &Position) {
        if self.plan.games.most_games() == 1 {
            self.standing.lock().last_board = draw(position, self.charset, &Marks::default());
        }
        if self.is_on_screen {
            self.standing.lock().last_words = ended(ending, position, &self.sitters(game).0);
        }
        if ending.reason() == "left" || ending.outcome().is_none() {
            self.standing.lock().has_lost_a_person = true;
        }
    }

    /// What has been played, once, when nothing more is.
    fn take_ledger(&self) -> Ledger {
        std::mem::replace(&mut self.standing.lock().ledger, Ledger::under(&self.saved))
    }

    /// Who sits where in a game, and how many errors lose it.
    fn sitters(&self, game: &Fixture) -> (Vec<Sitter>, u32) {
        let sitter = |number: &usize| {
            let player = &self.saved.players[*number];
            let is_person = player.kind == PlayerKind::Human;
            Sitter { name: sanitize(&player.name), is_person, player: Some(*number) }
        };
        (game.players.iter().map(sitter).collect(), self.saved.max_errors)
    }
}

impl Listener for View<'_> {
    fn event(&self, game: &Fixture, event: &Event<'_>) {
        if let Some(log) = self.log {
            log.hear(game.number, event, || self.sitters(game));
        }
        if self.plan.view.debug {
            self.tell_thoughts(game, event);
        }
        if let Some(pictures) = &self.plan.view.pictures {
            pictures.hear(game.number, event);
        }
        if let Event::Played(_) = event
            && (self.plan.view.watch || self.plan.view.web.is_some())
            && !self.plan.view.delay.is_zero()
        {
            pause(self.plan.view.delay);
        }
        if let Event::Ended { ending, position, .. } = event {
            self.tell_end(game, ending, position);
        }
    }

    fn saved(&self, games: &[GameRecord], course: &Mutex<Course>) {
        let mut standing = self.standing.lock();
        games.iter().for_each(|game| standing.ledger.add(game));
        let course = course.lock().expect("no worker panics with the lock");
        if self.progress.games_done(games.len(), u64::from(course.games_asked())).is_some() {
            let points = standing.ledger.tally.totals().iter().map(|totals| totals.points.to_string());
            let mut message = points.collect::<Vec<_>>().join(" : ");
            if let Some(test) = course.sprt_record() {
                message.push_str(&format!("  {}", test_line(&test)));
            }
            self.progress.show(&message);
        }
        for fault in games.iter().filter_map(|game| fault_line(&self.saved, game)) {
            self.progress.note(&fault);
        }
    }
}

/// Waits, but not for longer than the match goes on.
fn pause(delay: Duration) {
    let end = Instant::now() + delay;
    while !STOP.is_now() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        std::thread::sleep(left.min(Duration::from_millis(20)));
    }
}

/// The board of a single game, a table, the path of the report last.
fn show_result(
    plan: &Plan,
    view: &View<'_>,
    result: &MatchReport,
    tally: Tally,
    path: &Path,
    out: &mut Output,
) -> Result<(), Failure> {
    match plan.view.show {
        Show::Json => {
            let event = serde_json::json!({ "ev": "report", "path": path.display().to_string(), "totals": result.totals });
            out.line(&event.to_string())
        }
        _ if plan.games.has_people() || plan.view.watch => {
            // Who had a screen sees what remains of it; lines have told how the game ended.
            if view.is_on_screen {
                out.text(&view.standing.lock().last_board)?;
                out.line(&view.standing.lock().last_words)?;
            }
            let (ended, asked) = (result.games_ended, result.games_asked);
            out.line(&format!("saved {ended} of {asked} games"))?;
            out.line(&format!("report {}", path.display()))
        }
        Show::Result | Show::Everything => {
            if plan.games.most_games() == 1 && plan.view.show == Show::Everything {
                out.text(&view.standing.lock().last_board)?;
                out.line("")?;
            }
            let file = path.display().to_string();
            let charset = out.charset();
            let style = Style { format: Format::Table, detail: Detail::Result, charset, file: &file };
            out.text(&summary(result, tally, &style)?)?;
            out.line("")?;
            out.line(&path.display().to_string())
        }
    }
}
