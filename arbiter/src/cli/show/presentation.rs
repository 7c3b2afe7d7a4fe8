//! Where a match is shown and played by people: on the whole screen, line by line, or nowhere.

use super::pages;
use crate::cli::Failure;
use crate::cli::options::{At, Begins, Printing};
use crate::cli::plan::{Plan, Show, Ui};
use crate::cli::runner::Desks;
use crate::cli::signals::{self, STOP};
use crate::player::Desk;
use crate::tournament::STACK;
use crate::ui::log::{Log, What};
use crate::ui::terminal::{Company, Look, Mode, Palette, Session, Signal, Viewer, show};
use crate::ui::{Adviser, After, Leaving, LineKeyboard, LineView, Table, Tongue};
use crate::web::{Door, Server};
use arbiter_rules::draw::Charset;
use parking_lot::Mutex;
use scopeguard::{defer, guard};
use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The log that everything is shown from, and the desk that people play at.
pub(crate) struct Presentation {
    log: Arc<Log>,
    pub(crate) desks: Arc<Desks>,
    pub(crate) kind: Kind,
    /// Lines of people, where there is no screen.
    pub(crate) keyboard: Option<Arc<LineKeyboard>>,
    pub(crate) pages: Option<Server>,
    pub(crate) charset: Charset,
    waker: Arc<Mutex<Option<Sender<Signal>>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Screen,
    Lines(Tongue),
    Nothing,
}

/// What came of playing, how people left, and what somebody wants to play after this.
type Played<R> = Result<(R, Leaving, Option<After>), Failure>;

impl Presentation {
    /// Decides how a match is shown, and begins to read lines where people play by them.
    pub(crate) fn new(plan: &Plan, charset: Charset) -> Result<Presentation, Failure> {
        let kind = kind(plan, charset)?;
        // Pages alone show what somebody can look at; whoever plays, and a program, is told everything.
        let is_sparing = kind == Kind::Nothing && !plan.games.has_people();
        let log = Arc::new(if is_sparing { Log::sparing() } else { Log::default() });
        let desk = || {
            let drafts = Arc::clone(&log);
            Desk::new(move |turn| drafts.append(turn.id.game, What::Drafted(turn.clone())))
                .with_longest_absence(plan.view.people.human_away)
        };
        let desks = Arc::new(Desks::each(desk));
        let reads = plan.games.has_people_at(At::Here) && kind != Kind::Screen;
        let keyboard = reads.then(LineKeyboard::stdin).transpose().map_err(Failure::no_thread)?;
        Ok(Presentation { log, desks, kind, keyboard, pages: None, charset, waker: Arc::default() })
    }

    /// Begins to answer browsers where the plan says so, and says where.
    pub(crate) fn open_pages(
        &mut self,
        plan: &Plan,
        begins: Begins,
        door: Option<&Arc<Door>>,
    ) -> Result<(), Failure> {
        let Some(web) = &plan.view.web else { return Ok(()) };
        self.pages = Some(pages::open(plan, web, door, begins, &self.log, &self.desks.web)?);
        if self.kind == Kind::Screen {
            pages::wait_for_enter();
        }
        Ok(())
    }

    /// The log, if anybody looks at it.
    pub(crate) fn log(&self) -> Option<&Log> {
        (self.kind != Kind::Nothing || self.pages.is_some()).then_some(&*self.log)
    }

    /// What wakes everybody who waits for a person when the program is to stop.
    pub(crate) fn alarm(&self) -> impl Fn() + Send + Sync + 'static {
        let (desks, waker) = (Arc::clone(&self.desks), Arc::clone(&self.waker));
        move || {
            desks.close();
            if let Some(waker) = &*waker.lock() {
                drop(waker.send(Signal::Stop));
            }
        }
    }

    /// Plays the games while they are shown.
    pub(crate) fn run<R: Send>(&self, plan: &Plan, play: impl FnOnce() -> R + Send) -> Played<R> {
        match self.kind {
            Kind::Nothing => Ok((play(), Leaving::No, None)),
            Kind::Lines(tongue) => self.by_line(plan, tongue, play),
            Kind::Screen => self.on_screen(plan, play),
        }
    }

    /// A person who types `quit` leaves the match, not only the game: nobody would be there for the next one.
    fn by_line<R: Send>(&self, plan: &Plan, tongue: Tongue, play: impl FnOnce() -> R + Send) -> Played<R> {
        let leave = || STOP.after_running_games();
        let table = self.keyboard.clone().map(|keyboard| Table {
            desk: Arc::clone(&self.desks.here),
            keyboard,
            leave: &leave,
            adviser: Presentation::adviser(plan),
            reviews: plan.view.review.review.is_some(),
            after_pass: plan.view.people.after_pass(),
        });
        let mut view = LineView::new(tongue, Arc::clone(&self.log), table);
        std::thread::scope(|scope| {
            defer!(self.desks.close());
            let playing = self.begin(scope, play)?;
            // Standard output belongs to this thread.
            let leaving = view.run();
            let after = view.ask_for_more();
            Ok((joined(playing), leaving, after))
        })
    }

    /// Begins to play in a thread of its own; the log is closed at the end.
    fn begin<'scope, R: Send + 'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        play: impl FnOnce() -> R + Send + 'scope,
    ) -> Result<ScopedJoinHandle<'scope, R>, Failure> {
        let play = move || {
            // No view waits for a game that has panicked.
            defer!(self.log.close());
            play()
        };
        Builder::new().stack_size(STACK).spawn_scoped(scope, play).map_err(Failure::no_thread)
    }

    /// Who is asked for hints and goes over the game.
    fn adviser(plan: &Plan) -> Arc<dyn Adviser> {
        plan.view.review.adviser(&plan.run.host, plan.games.start.info().id)
    }

    fn on_screen<R: Send>(&self, plan: &Plan, play: impl FnOnce() -> R + Send) -> Played<R> {
        let look = plan.view.screen.colour.look(self.charset);
        let mut session = enter(look)?;
        let waker = session.waker();
        *self.waker.lock() = Some(waker.clone());
        self.log.on_change(move || drop(waker.send(Signal::Changed)));
        let mode = if plan.games.has_people_at(At::Here) { Mode::Play } else { Mode::Watch };
        let company = Company {
            desk: Some(Arc::clone(&self.desks.here)),
            adviser: (mode == Mode::Play || plan.view.review.review.is_some())
                .then(|| Presentation::adviser(plan)),
            printouts: plan.view.printing.as_ref().and_then(Printing::shown).cloned(),
            after_pass: plan.view.people.after_pass(),
            games: plan.games.most_games(),
        };
        let mut viewer = Viewer::new(mode, look, Arc::clone(&self.log), company);
        std::thread::scope(|scope| {
            // A panic of the view must not leave a game waiting for somebody who will never answer.
            let stops = Cell::new(true);
            let end = guard((), |()| {
                if stops.get() {
                    STOP.now();
                }
                self.desks.close();
            });
            let playing = self.begin(scope, play)?;
            let shown = show(&mut session, &mut viewer);
            drop(session);
            let leaving = if shown.is_err() { Leaving::AtOnce } else { viewer.leaving };
            if leaving == Leaving::Asked && mode == Mode::Play {
                stops.set(false);
                STOP.after_running_games();
            }
            drop(end);
            Ok((joined(playing), leaving, viewer.after))
        })
    }
}

/// The result of a thread; its panic is ours.
fn joined<R>(thread: ScopedJoinHandle<'_, R>) -> R {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

pub(crate) fn enter(look: Look) -> Result<Session, Failure> {
    signals::begin()?;
    Session::enter(look.palette != Palette::None)
        .map_err(|error| Failure::file("cannot take over the terminal").because(&error).hint("--ui line"))
}

pub(crate) fn show_stories(mut viewer: Viewer, look: Look) -> Result<(), Failure> {
    show(&mut enter(look)?, &mut viewer)
        .map_err(|error| Failure::file("the terminal is gone").because(&error))
}

/// Whether standard input and output are a terminal that can show a screen.
pub(crate) fn has_screen() -> bool {
    let term = std::env::var("TERM").unwrap_or_default();
    io::stdin().is_terminal() && io::stdout().is_terminal() && term != "dumb"
}

fn kind(plan: &Plan, charset: Charset) -> Result<Kind, Failure> {
    let is_played_here = plan.games.has_people_at(At::Here);
    let is_shown = is_played_here || plan.view.screen.watch;
    let on_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let lines =
        Kind::Lines(if io::stdout().is_terminal() { Tongue::Sentences(charset) } else { Tongue::Keywords });
    match (plan.view.show, plan.view.screen.ui) {
        (Show::Json, _) => Ok(Kind::Lines(Tongue::Json)),
        (_, Ui::Full) if !on_terminal => {
            let failure = Failure::usage("--ui full needs a terminal for input and output");
            Err(failure.hint("--ui line, or --json for a program"))
        }
        (_, Ui::Full) => Ok(Kind::Screen),
        // Whoever plays in a browser sees the links above everything else.
        (_, Ui::Auto) if plan.games.has_people() && !is_played_here && io::stdout().is_terminal() => {
            Ok(lines)
        }
        _ if !is_shown => Ok(Kind::Nothing),
        (_, Ui::Auto) if has_screen() => Ok(Kind::Screen),
        (_, Ui::Auto | Ui::Line) => Ok(lines),
    }
}
