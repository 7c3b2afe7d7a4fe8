//! The default verb: play these bots.

use super::arena::{STOP, play_games, stopped};
use super::exit_code::ExitCode;
use super::failure::Failure;
use super::live::{fault_line, test_line};
use super::output::Output;
use super::plan::{Plan, PlayArgs, Show};
use super::rehearsal::rehearse;
use super::saved::{Opened, Saved, finished};
use super::signals::Signals;
use super::stage::{Kind, Stage};
use crate::host::Host;
use crate::record::schema::{GameRecord, MatchReport};
use crate::report::{Detail, Format, Style, Tally, summary};
use crate::sanitize::sanitize;
use crate::tournament::{Course, Fixture, Listener};
use crate::ui::log::{Log, Sitter};
use crate::ui::{Leaving, Progress, ended, talk};
use crate::verdict::Event;
use arbiter_rules::draw::{Charset, Marks, draw};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Plays a match.
///
/// # Errors
/// Whatever is wrong with the plan, before the first move; later only what cannot be saved.
pub(super) fn play(args: &PlayArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let mut plan = Plan::new(args, host)?;
    rehearse(&plan)?;
    let stage = Stage::new(&plan, out.charset())?;
    if stage.keyboard.as_ref().is_some_and(|keyboard| keyboard.is_dead()) {
        return Err(nobody_there(&plan));
    }
    let saved = match Saved::open(&mut plan)? {
        Opened::ToPlay(saved) => *saved,
        Opened::Finished(report) => return finished(&plan, &report, out),
    };
    if let Some(warning) = plan.oversubscribed().filter(|_| plan.show != Show::Json) {
        talk(&warning);
    }
    let (report, journal) = (saved.report().to_owned(), saved.journal.path().to_owned());
    let is_watched = stage.kind != Kind::Nothing && plan.show != Show::Json || plan.has_people();
    let signals = Signals::listen(&STOP, is_watched, &journal, stage.alarm())?;
    let view = View::new(&plan, &saved, out.charset(), &stage);
    let ((course, played), leaving) =
        stage.run(&plan, &STOP, || play_games(&plan, saved, &stage.desk, &STOP, &view))?;
    view.progress.finish();
    if let Some(keyboard) = &stage.keyboard
        && !keyboard.has_spoken()
        && view.has_lost_a_person()
    {
        drop(std::fs::remove_file(&journal));
        return Err(nobody_there(&plan));
    }
    let tally = Tally::new(plan.places.len(), plan.start.seats());
    let result = Saved::write_report(&report, &journal, &course, tally);
    if let Err(error) = played {
        // Where games cannot be saved, a report of those that were may fail too: the journal has them.
        if let Ok((result, tally)) = result {
            show_result(&plan, &view, &result, tally, &report, out)?;
        }
        return Err(stopped(&error, &journal));
    }
    let (result, tally) = result?;
    show_result(&plan, &view, &result, tally, &report, out)?;
    if result.games_ended == result.games_asked {
        let code = plan.checked(&result);
        return Ok(plan.pictures.as_ref().map_or(code, |pictures| pictures.end(code)));
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
    let seat = plan.places.iter().position(|place| place.bot.is_none()).unwrap_or_default() + 1;
    let message = format!("seat {seat} is empty and there is no keyboard");
    Failure::new(ExitCode::EmptySeat, message).hint("name a bot for it")
}

/// What is shown while the match runs.
struct View<'a> {
    log: Option<&'a Log>,
    plan: &'a Plan,
    is_on_screen: bool,
    charset: Charset,
    progress: Progress,
    standing: Mutex<Standing>,
}

/// What the view has seen.
struct Standing {
    tally: Tally,
    last_board: String,
    last_words: String,
    has_lost_a_person: bool,
}

impl<'a> View<'a> {
    fn new(plan: &'a Plan, saved: &Saved, charset: Charset, stage: &'a Stage) -> View<'a> {
        let shows_progress = plan.show == Show::Everything && stage.kind == Kind::Nothing;
        let (games, done) = (u64::from(saved.course.games_asked()), u64::from(saved.tally.games()));
        let progress = if shows_progress { plan.progress.of(games, done) } else { Progress::Silent };
        let tally = saved.tally.clone();
        let (last_board, last_words) = (String::new(), String::new());
        let standing = Standing { tally, last_board, last_words, has_lost_a_person: false };
        let log = (stage.kind != Kind::Nothing).then_some(&*stage.log);
        let is_on_screen = stage.kind == Kind::Screen;
        View { log, plan, is_on_screen, charset, progress, standing: Mutex::new(standing) }
    }

    fn has_lost_a_person(&self) -> bool {
        self.standing().has_lost_a_person
    }

    fn standing(&self) -> std::sync::MutexGuard<'_, Standing> {
        self.standing.lock().expect("no view panics with the lock")
    }

    /// Who sits where in a game, and how many errors lose it.
    fn sitters(&self, game: &Fixture) -> (Vec<Sitter>, u32) {
        let sitter = |player: &usize| {
            let place = &self.plan.places[*player];
            Sitter { name: sanitize(&place.name), is_person: place.bot.is_none() }
        };
        (game.players.iter().map(sitter).collect(), self.plan.policy.max_errors)
    }
}

impl Listener for View<'_> {
    fn event(&self, game: &Fixture, event: &Event<'_>) {
        if let Some(log) = self.log {
            log.hear(game.number, event, || self.sitters(game));
        }
        if let Some(pictures) = &self.plan.pictures {
            pictures.hear(game.number, event);
        }
        if let Event::Played(_) = event
            && self.plan.watch
        {
            pause(self.plan.delay);
        }
        if let Event::Ended { ending, position, .. } = event {
            let mut standing = self.standing();
            if self.plan.most_games() == 1 {
                standing.last_board = draw(position, self.charset, &Marks::default());
            }
            standing.last_words = ended(ending, position, &self.sitters(game).0);
            standing.has_lost_a_person |= ending.reason() == "left" || ending.outcome().is_none();
        }
    }

    fn saved(&self, game: &GameRecord, course: &Course) {
        let mut standing = self.standing();
        standing.tally.add(game);
        if self.progress.game_done(u64::from(course.games_asked())).is_some() {
            let points = standing.tally.totals().iter().map(|totals| totals.points.to_string());
            let mut message = points.collect::<Vec<_>>().join(" : ");
            if let Some(test) = course.sprt_record() {
                message.push_str(&format!("  {}", test_line(&test)));
            }
            self.progress.show(&message);
        }
        if let Some(fault) = fault_line(self.plan, game) {
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
    match plan.show {
        Show::Json => {
            let event = serde_json::json!({ "ev": "report", "path": path.display().to_string(), "totals": result.totals });
            out.line(&event.to_string())
        }
        _ if plan.has_people() || plan.watch => {
            // Who had a screen sees what remains of it; lines have told how the game ended.
            if view.is_on_screen {
                out.text(&view.standing().last_board)?;
                out.line(&view.standing().last_words)?;
            }
            let (ended, asked) = (result.games_ended, result.games_asked);
            out.line(&format!("saved {ended} of {asked} games"))?;
            out.line(&format!("report {}", path.display()))
        }
        Show::Result | Show::Everything => {
            if plan.most_games() == 1 && plan.show == Show::Everything {
                out.text(&view.standing().last_board)?;
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
