//! The default verb: play these bots.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::output::Output;
use super::plan::{Bot, Plan, PlayArgs, Show};
use super::rehearsal::rehearse;
use super::saved::{Saved, now};
use super::signals::Signals;
use super::stage::{Kind, Stage};
use crate::host;
use crate::player::{BotCommand, Desk, Human, InProcess, Manners, Player, Sandboxed};
use crate::record::Sums;
use crate::record::schema::{GameRecord, MatchReport};
use crate::report::{Detail, Format, Style, summary};
use crate::sanitize::sanitize;
use crate::tournament::{Entrant, Listener, Match, MatchError, Seating, Stop};
use crate::ui::log::{Log, Sitter};
use crate::ui::{Leaving, Progress, ended, talk};
use crate::verdict::Event;
use arbiter_rules::draw::{Charset, Marks, draw};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Whether the match shall stop.
static STOP: Stop = Stop::new();

/// Plays a match.
///
/// # Errors
/// Whatever is wrong with the plan, before the first move; later only what cannot be saved.
pub(super) fn play(args: &PlayArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let plan = Plan::new(args)?;
    rehearse(&plan)?;
    let stage = Stage::new(&plan, out.charset())?;
    if stage.keyboard.as_ref().is_some_and(|keyboard| keyboard.is_dead()) {
        return Err(nobody_there(&plan));
    }
    let saved = Saved::open(&plan)?;
    if let Some(warning) = plan.oversubscribed().filter(|_| plan.show != Show::Json) {
        talk(&warning);
    }
    let (report, journal) = (saved.report().to_owned(), saved.journal.path().to_owned());
    let is_watched = stage.kind != Kind::Nothing && plan.show != Show::Json || plan.has_people();
    let signals = Signals::listen(&STOP, is_watched, &journal, stage.alarm())?;
    let view = View::new(&plan, &saved, out.charset(), &stage);
    let (played, leaving) = stage.run(&plan, &STOP, || run(&plan, saved, &stage, &view))?;
    view.progress.finish();
    if let Some(keyboard) = &stage.keyboard
        && !keyboard.has_spoken()
        && view.has_lost_a_person()
    {
        drop(std::fs::remove_file(&journal));
        return Err(nobody_there(&plan));
    }
    let result = Saved::write_report(&report, &journal);
    if let Err(error) = played {
        // Where games cannot be saved, a report of those that were may fail too: the journal has them.
        if let Ok(result) = &result {
            show_result(&plan, &view, result, &report, out)?;
        }
        return Err(stopped(&error).cause(&format!("what ended is in {}", journal.display())));
    }
    let result = result?;
    show_result(&plan, &view, &result, &report, out)?;
    if result.games_ended == result.games_asked {
        return Ok(plan.pictures.as_ref().map_or(ExitCode::Done, |pictures| pictures.end(ExitCode::Done)));
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

/// A match that could not go on.
fn stopped(error: &MatchError) -> Failure {
    match error {
        MatchError::Journal(_) => {
            Failure::of(ExitCode::File, error).hint("make room, then the same command with --resume")
        }
        MatchError::Openings(_) => {
            Failure::of(ExitCode::Usage, error).hint("--openings none, or fewer plies: --openings random:2")
        }
    }
}

/// Names the command that plays a failed bot's last moment again.
fn name_the_command(plan: &Plan, report: &Path, game: &mut GameRecord) {
    let players: Vec<usize> = game.seats.iter().map(|seat| seat.player as usize).collect();
    let number = game.number;
    let command = |seat: u32| {
        let is_bot = plan.places[players[seat as usize]].bot.is_some();
        is_bot
            .then(|| format!("arbiter again {} --game-number {number} --seat {}", report.display(), seat + 1))
    };
    for out in &mut game.eliminations {
        out.fault.again = command(out.seat);
    }
    if let (Some(seat), Some(fault)) = (game.ending.seat, &mut game.ending.fault) {
        fault.again = command(seat);
    }
}

fn run(plan: &Plan, saved: Saved, stage: &Stage, view: &View<'_>) -> Result<(), MatchError> {
    let entrants: Vec<Box<dyn Entrant + '_>> = plan
        .places
        .iter()
        .map(|place| match &place.bot {
            Some(bot) => Box::new(BotEntrant { bot, plan }) as Box<dyn Entrant>,
            None => Box::new(PersonEntrant { desk: Arc::clone(&stage.desk), manners: plan.manners }),
        })
        .collect();
    let report = saved.report().to_owned();
    let Saved { journal, seed, finished, .. } = saved;
    let games = Match {
        start: &*plan.start,
        entrants: &entrants,
        policy: &plan.policy,
        seed: &seed,
        opening_plies: plan.opening_plies,
        games: plan.games,
        finished: &finished,
        jobs: plan.jobs,
        complete: &|game| name_the_command(plan, &report, game),
        prepare: &|worker| plan.core(worker).into_iter().for_each(host::stay_on),
        stop: &STOP,
        now: &now,
    };
    games.play(journal, view)
}

struct BotEntrant<'a> {
    bot: &'a Bot,
    plan: &'a Plan,
}

impl Entrant for BotEntrant<'_> {
    fn sit_down(&self, seating: &Seating) -> Box<dyn Player> {
        let command = BotCommand {
            library: self.bot.file.clone(),
            options: self.bot.options.clone(),
            limits: self.plan.limits,
            core: self.plan.core(seating.worker),
        };
        if self.plan.in_process {
            Box::new(InProcess::trusting(&command))
        } else {
            Box::new(Sandboxed::start(&command))
        }
    }
}

struct PersonEntrant {
    desk: Arc<Desk>,
    manners: Manners,
}

impl Entrant for PersonEntrant {
    fn sit_down(&self, seating: &Seating) -> Box<dyn Player> {
        Box::new(Human::new(Arc::clone(&self.desk), seating.game, self.manners))
    }
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
    sums: Sums,
    last_board: String,
    last_words: String,
    has_lost_a_person: bool,
}

impl<'a> View<'a> {
    fn new(plan: &'a Plan, saved: &Saved, charset: Charset, stage: &'a Stage) -> View<'a> {
        let shows_progress = plan.show == Show::Everything && stage.kind == Kind::Nothing;
        let (games, done) = (u64::from(plan.games), saved.finished.len() as u64);
        let progress = if shows_progress { Progress::of(games, done) } else { Progress::Silent };
        let sums = saved.sums.clone();
        let (last_board, last_words) = (String::new(), String::new());
        let standing = Standing { sums, last_board, last_words, has_lost_a_person: false };
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
    fn sitters(&self, game: u32) -> (Vec<Sitter>, u32) {
        let seats = crate::tournament::players_by_seat(game, self.plan.places.len());
        let sitter = |player: usize| {
            let place = &self.plan.places[player];
            Sitter { name: sanitize(&place.name), is_person: place.bot.is_none() }
        };
        (seats.into_iter().map(sitter).collect(), self.plan.policy.max_errors)
    }
}

impl Listener for View<'_> {
    fn event(&self, game: u32, event: &Event<'_>) {
        if let Some(log) = self.log {
            log.hear(game, event, || self.sitters(game));
        }
        if let Some(pictures) = &self.plan.pictures {
            pictures.hear(game, event);
        }
        if let Event::Played(_) = event
            && self.plan.watch
        {
            pause(self.plan.delay);
        }
        if let Event::Ended { ending, position, .. } = event {
            let mut standing = self.standing();
            if self.plan.games == 1 {
                standing.last_board = draw(*position, self.charset, &Marks::default());
            }
            standing.last_words = ended(ending, *position, &self.sitters(game).0);
            standing.has_lost_a_person |= ending.reason() == "left" || ending.outcome().is_none();
        }
    }

    fn saved(&self, game: &GameRecord) {
        let mut standing = self.standing();
        standing.sums.add(game);
        let points = standing.sums.totals().iter().map(|totals| totals.points.to_string());
        self.progress.game_done(&points.collect::<Vec<_>>().join(" : "));
        if let Some(fault) = &game.ending.fault {
            let player = game.ending.seat.and_then(|seat| game.seats.get(seat as usize));
            let name = player.map_or("", |seat| self.plan.places[seat.player as usize].name.as_str());
            let what = fault.sentence.as_deref().unwrap_or(&fault.kind);
            self.progress.note(&sanitize(&format!("game {}: {name} {what}", game.number)));
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
            if plan.games == 1 && plan.show == Show::Everything {
                out.text(&view.standing().last_board)?;
                out.line("")?;
            }
            let file = path.display().to_string();
            let charset = out.charset();
            let style = Style { format: Format::Table, detail: Detail::Result, charset, file: &file };
            out.text(&summary(result, &style))?;
            out.line("")?;
            out.line(&path.display().to_string())
        }
    }
}
