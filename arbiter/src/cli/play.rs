//! The default verb: play these bots.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::output::Output;
use super::plan::{Bot, Plan, PlayArgs, Show};
use super::saved::{Saved, now};
use super::signals::Signals;
use crate::host;
use crate::player::{BotCommand, Human, InProcess, Player, Sandboxed, Slips};
use crate::record::Sums;
use crate::record::schema::{GameRecord, MatchReport};
use crate::report::{Detail, Format, Style, summary};
use crate::tournament::{Entrant, Listener, Match, MatchError, Seating, Stop};
use crate::ui::{LineKeyboard, LineView, Progress, event_json, say, talk};
use crate::verdict::Event;
use arbiter_rules::Seat;
use arbiter_rules::draw::{Charset, Marks, draw};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Whether the match shall stop.
static STOP: Stop = Stop::new();

/// Plays a match.
///
/// # Errors
/// Whatever is wrong with the plan, before the first move; later only what cannot be saved.
pub(super) fn play(args: &PlayArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let plan = Plan::new(args)?;
    let keyboard = plan.has_people().then(|| Arc::new(LineKeyboard::stdin(&STOP)));
    if keyboard.as_ref().is_some_and(|keyboard| keyboard.is_dead()) {
        return Err(nobody_there(&plan));
    }
    let saved = Saved::open(&plan)?;
    if let Some(warning) = plan.oversubscribed().filter(|_| plan.show != Show::Json) {
        talk(&warning);
    }
    let (report, journal) = (saved.report().to_owned(), saved.journal.path().to_owned());
    let signals = Signals::listen(&STOP, plan.has_people(), &journal)?;
    let view = View::new(&plan, &saved, out.charset());
    let played = run(&plan, saved, keyboard.as_ref(), &view);
    view.progress.finish();
    if let Some(keyboard) = &keyboard
        && !keyboard.has_spoken()
        && view.has_lost_a_person()
    {
        drop(std::fs::remove_file(&journal));
        return Err(nobody_there(&plan));
    }
    let result = Saved::write_report(&report, &journal)?;
    show_result(&plan, &view, &result, &report, out)?;
    played.map_err(|error| stopped(&error))?;
    if result.games_ended == result.games_asked {
        return Ok(ExitCode::Done);
    }
    let (ended, asked) = (result.games_ended, result.games_asked);
    talk(&format!(
        "{ended} of {asked} games ended and are saved; the same command with --resume plays the rest"
    ));
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

fn run(
    plan: &Plan,
    saved: Saved,
    keyboard: Option<&Arc<LineKeyboard>>,
    view: &View,
) -> Result<(), MatchError> {
    let entrants: Vec<Box<dyn Entrant + '_>> = plan
        .places
        .iter()
        .map(|place| match (&place.bot, keyboard) {
            (Some(bot), _) => Box::new(BotEntrant { bot, plan }) as Box<dyn Entrant>,
            (None, keyboard) => {
                let keyboard = keyboard.expect("there is a keyboard where there are people");
                let slips = if plan.count_slips { Slips::Count } else { Slips::AreForgiven };
                Box::new(PersonEntrant { keyboard: Arc::clone(keyboard), slips })
            }
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
    keyboard: Arc<LineKeyboard>,
    slips: Slips,
}

impl Entrant for PersonEntrant {
    fn sit_down(&self, _: &Seating) -> Box<dyn Player> {
        Box::new(Human::new(Arc::clone(&self.keyboard) as _, self.slips))
    }
}

fn nobody_there(plan: &Plan) -> Failure {
    let seat = plan.places.iter().position(|place| place.bot.is_none()).unwrap_or_default() + 1;
    let message = format!("seat {seat} is empty and there is no keyboard");
    Failure::new(ExitCode::EmptySeat, message).hint("name a bot for it")
}

/// What is shown while the match runs.
struct View<'a> {
    show: Show,
    plan: &'a Plan,
    charset: Charset,
    progress: Progress,
    standing: Mutex<Standing>,
}

/// What the view has seen.
struct Standing {
    sums: Sums,
    last_board: String,
    has_lost_a_person: bool,
}

impl<'a> View<'a> {
    fn new(plan: &'a Plan, saved: &Saved, charset: Charset) -> View<'a> {
        let shows_progress = plan.show == Show::Everything && !plan.has_people();
        let (games, done) = (u64::from(plan.games), saved.finished.len() as u64);
        let progress = if shows_progress { Progress::of(games, done) } else { Progress::Silent };
        let standing =
            Standing { sums: saved.sums.clone(), last_board: String::new(), has_lost_a_person: false };
        View { show: plan.show, plan, charset, progress, standing: Mutex::new(standing) }
    }

    fn has_lost_a_person(&self) -> bool {
        self.standing().has_lost_a_person
    }

    fn standing(&self) -> std::sync::MutexGuard<'_, Standing> {
        self.standing.lock().expect("no view panics with the lock")
    }

    fn people(&self, game: u32) -> Vec<Seat> {
        let seats = crate::tournament::players_by_seat(game, self.plan.places.len());
        let is_person = |(_, player): &(Seat, usize)| self.plan.places[*player].bot.is_none();
        Seat::all(seats.len()).zip(seats).filter(is_person).map(|(seat, _)| seat).collect()
    }
}

impl Listener for View<'_> {
    fn event(&self, game: u32, event: &Event<'_>) {
        if self.show == Show::Json {
            say(&event_json(game, event).to_string());
        } else if self.plan.has_people() {
            let board = std::io::stdout().is_terminal().then_some(self.charset);
            LineView::new(self.people(game), board).event(event);
        }
        if let Event::Ended { ending, position, .. } = event {
            let mut standing = self.standing();
            if self.plan.games == 1 {
                standing.last_board = draw(*position, self.charset, &Marks::default());
            }
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
            self.progress.note(&crate::sanitize::sanitize(&format!("game {}: {name} {what}", game.number)));
        }
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
        _ if plan.has_people() => out.line(&format!("report {}", path.display())),
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
