//! A person in front of the screen: what is shown of the games, and what keys and clicks do.
//!
//! [`Viewer`] is everything that a view knows: the games, which of them is [`Shown`], and what is [`Open`] over it.
//! `following` reads the log and chooses the game that is shown, `drawing` says what is on the screen, `obeying` sorts out
//! what keys and clicks mean now; `playing` is what they do for somebody who plays, `looking` for somebody who looks on.
//! `passes` keeps passes on the screen, `falling` lets pieces fall; `pages` are what opens over the board, `saving` what is
//! taken away from it.

mod drawing;
mod falling;
mod following;
mod looking;
mod obeying;
mod pages;
mod passes;
mod playing;
mod saving;

use super::colours::Look;
use super::marks::Switches;
use super::page::Page;
use super::screen::Drawn;
use crate::player::{Desk, OpenTurn, TurnId};
use crate::ui::log::Log;
use crate::ui::printouts::Printouts;
use crate::ui::story::Story;
use crate::ui::{Adviser, After, AfterPass, Leaving};
use arbiter_rules::Seat;
use falling::Fall;
use pages::About;
use passes::Hold;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Play,
    Watch,
    Replay,
    /// To be shown around: a replay that goes on by itself and ends by itself.
    Tour,
}

/// Something only the owner of the terminal can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Suspend,
    ToggleMouse,
    /// Put a text where the terminal keeps what was copied.
    Copy(String),
}

/// Which picture of which game is shown, and where one is on it.
#[derive(Default)]
struct Shown {
    game: u32,
    /// Which picture; `None` for the newest.
    ply: Option<usize>,
    /// The pass that is shown although the game may have gone on.
    hold: Option<Hold>,
    /// The first picture that has not been searched for passes.
    passes_from: usize,
    cursor: u16,
    /// The column that arrows up and down keep to, if it is another than the cursor's.
    wished: Option<u16>,
}

/// What keys and clicks go to.
enum Open {
    Board,
    Page(Page, About),
    Typing(String),
    Question(Question),
}

/// What has to be answered with yes or no.
#[derive(Clone, Copy)]
enum Question {
    /// Whether to leave, which forfeits a seat.
    Leave(Seat),
    Resign,
}

impl Question {
    fn sentence(self) -> String {
        match self {
            Question::Leave(seat) => {
                format!("Leave? Seat {seat} forfeits, but --resume can go on later. y/N")
            }
            Question::Resign => "Resign? The game is lost then. y/N".to_owned(),
        }
    }
}

#[derive(Default)]
pub(crate) struct Company {
    pub desk: Option<Arc<Desk>>,
    pub adviser: Option<Arc<dyn Adviser>>,
    /// What bots print, where that is to be shown.
    pub printouts: Option<Arc<Printouts>>,
    pub after_pass: AfterPass,
    pub games: u32,
}

pub(crate) struct Viewer {
    mode: Mode,
    look: Look,
    log: Arc<Log>,
    company: Company,
    /// The next entry of the log; `None` once it has ended.
    next: Option<u64>,
    stories: BTreeMap<u32, Story>,
    shown: Shown,
    open: Open,
    /// The turn of a person that is on the screen, and since when.
    seen: Option<(TurnId, Instant)>,
    /// When the key or click came that is obeyed now.
    pressed: Instant,
    /// What there is to say about something that was done before the turn began, until it begins.
    missed: Option<&'static str>,
    /// Where and when a click has finished a move.
    finished: Option<((u16, u16), Instant)>,
    switches: Switches,
    alert: String,
    message: String,
    /// The digits that were typed last.
    number: String,
    pub leaving: Leaving,
    pub after: Option<After>,
    drawn: Drawn,
    fall: Fall,
    /// Since when this picture of a replay is shown, while it goes on by itself.
    stepped: Option<Instant>,
    speed: i32,
    /// What only the owner of the terminal can do, for the next look.
    pub(super) wish: Option<Wish>,
}

impl Viewer {
    pub(crate) fn new(mode: Mode, look: Look, log: Arc<Log>, company: Company) -> Viewer {
        Viewer {
            mode,
            look,
            log,
            company,
            next: Some(0),
            stories: BTreeMap::new(),
            shown: Shown::default(),
            open: Open::Board,
            seen: None,
            pressed: Instant::now(),
            missed: None,
            finished: None,
            switches: Switches { marks: true, bot: mode != Mode::Play, ..Switches::default() },
            alert: String::new(),
            message: String::new(),
            number: String::new(),
            leaving: Leaving::No,
            after: None,
            drawn: Drawn::default(),
            fall: Fall::of_environment(),
            stepped: (mode == Mode::Tour).then(Instant::now),
            speed: 0,
            wish: None,
        }
    }

    pub(crate) fn of_stories(
        mode: Mode,
        look: Look,
        stories: Vec<Story>,
        adviser: Option<Arc<dyn Adviser>>,
    ) -> Viewer {
        let games = stories.len() as u32;
        let company = Company { adviser, games, ..Company::default() };
        let mut viewer = Viewer::new(mode, look, Arc::new(Log::default()), company);
        viewer.next = None;
        viewer.show_game(stories.first().map_or(0, |story| story.game), Some(0));
        viewer.stories = stories.into_iter().map(|story| (story.game, story)).collect();
        viewer
    }

    /// Whether no game has come and none will: all were played before.
    pub(super) fn is_empty(&self) -> bool {
        self.next.is_none() && self.stories.is_empty()
    }

    pub(super) fn story(&self) -> Option<&Story> {
        self.stories.get(&self.shown.game)
    }

    /// The open turn of a person, while it is shown.
    fn turn(&self) -> Option<&OpenTurn> {
        let is_shown = self.mode == Mode::Play && self.shown.hold.is_none() && self.shown.ply.is_none();
        let draft = self.story()?.draft.as_ref().filter(|_| is_shown)?;
        // Others may play through pages: their turns are open at another desk.
        let is_here = self.company.desk.as_ref()?.turn().is_some_and(|turn| turn.id == draft.id);
        is_here.then_some(draft)
    }

    fn newest(&self) -> usize {
        self.story().map_or(0, |story| story.frames.len() - 1)
    }

    fn ply(&self) -> usize {
        let held = self.shown.hold.as_ref().map(|hold| hold.picture);
        self.shown.ply.or(held).unwrap_or(usize::MAX).min(self.newest())
    }
}
