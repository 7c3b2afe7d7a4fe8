//! What opens over the board: keys, rules, legal moves, errors one by one, what bots print, and reviews, for which an adviser
//! thinks in a thread of its own, as it does for hints.

use super::{Mode, Open, Viewer};
use crate::sanitize::sanitize;
use crate::ui::advice::{hint, review};
use crate::ui::log::What;
use crate::ui::story::Misdeed;
use crate::ui::terminal::keys::help;
use crate::ui::terminal::page::Page;
use crate::ui::words;
use arbiter_rules::draw::{Marks, draw};
use parking_lot::Mutex;
use std::sync::Arc;
use std::thread::Builder;

/// Lines of each bot that stand beside the board.
const BESIDE: usize = 4;

/// What a page is about, if that is more than its text.
pub(super) enum About {
    Text,
    Error(isize),
    /// What bots print, as it comes.
    Output,
    /// A review that has not come to its end; it ends when nobody looks at it any more.
    Review(Arc<Mutex<Progress>>),
}

pub(super) enum Progress {
    PerCent(usize),
    Done(String),
}

impl Viewer {
    pub(super) fn open(&mut self, page: Page) {
        self.open = Open::Page(page, About::Text);
    }

    pub(super) fn open_help(&mut self) {
        let text = help(self.mode == Mode::Play, &self.actions());
        self.open(Page::new("Keys", &text));
    }

    pub(super) fn open_rules(&mut self) {
        if let Some(position) = self.story().map(|story| Arc::clone(&story.now().position)) {
            let title = format!("Rules of {}", position.info().title);
            self.open(Page::of_markdown(title, &words::rules_page(&position)));
        }
    }

    pub(super) fn list_moves(&mut self) {
        let Some(story) = self.story() else { return };
        let names = words::legal(&story.frames[self.ply()].position);
        self.open(Page::new(format!("{} legal moves", names.len()), &names.join("  ")));
    }

    /// Opens an error of the game, counted round and round from 0; -1 is the newest. Who tried what, when, and why it was
    /// refused; or what lost the game or the seat.
    pub(super) fn open_error(&mut self, index: isize) {
        let Some(story) = self.story() else { return };
        let Some(index) = index.checked_rem_euclid(story.misdeeds.len() as isize) else {
            self.message = "No errors have been made in this game.".to_owned();
            return;
        };
        let Misdeed { seat, ply, fault, count, frame } = &story.misdeeds[index as usize];
        let who = words::who(*seat, &story.seats);
        let board = draw(&story.frames[*frame].position, self.look.charset, &Marks::default());
        let mut lines = match fault.illegal_move() {
            Some((answer, why)) => vec![
                format!("{who}, error {count}{}, in move {}", story.limit(), ply + 1),
                format!("Tried:   {}", sanitize(answer)),
                format!("Refused: {}", why.reason.code()),
                sanitize(&why.sentence),
            ],
            None => vec![
                format!("{who}, in move {}", ply + 1),
                format!("Lost by: {}", fault.code()),
                sanitize(&fault.sentence()),
            ],
        };
        lines.extend([String::new(), board]);
        let title = format!("Error {} of {} in this game", index + 1, story.misdeeds.len());
        self.open = Open::Page(Page::new(title, &lines.join("\n")), About::Error(index));
    }

    pub(super) fn is_printing(&self) -> bool {
        self.company.printouts.is_some() && self.story().is_none_or(|story| story.ended.is_none())
    }

    /// The last lines that bots have printed, each bot's under its name.
    pub(super) fn printed(&self) -> Vec<String> {
        let all =
            self.company.printouts.iter().flat_map(|printouts| printouts.of_game(self.shown.game, BESIDE));
        all.flat_map(|(name, lines)| {
            std::iter::once(format!("{name} prints:")).chain(lines.into_iter().map(|line| format!(" {line}")))
        })
        .collect()
    }

    pub(super) fn open_output(&mut self) {
        match self.company.printouts {
            Some(_) => self.open = Open::Page(Page::default(), About::Output),
            None => self.message = "What bots print is shown with --show-output.".to_owned(),
        }
    }

    /// Asks for a hint, which comes as a sentence under the board if the turn is still open then.
    pub(super) fn ask_for_a_hint(&mut self) {
        let (Some(desk), Some(turn)) = (self.company.desk.clone(), self.turn().map(|turn| turn.id)) else {
            self.alert = self.why_not().sentence;
            return;
        };
        let (Some(adviser), Some(story)) = (self.company.adviser.clone(), self.story()) else { return };
        let (position, log) = (Arc::clone(&story.now().position), Arc::clone(&self.log));
        let think = move || {
            let sentence = hint(&*adviser, &position);
            if desk.turn().is_some_and(|open| open.id == turn) {
                log.append(turn.game, What::Noted(sentence));
            }
        };
        self.message = match Builder::new().spawn(think) {
            Ok(_) => "A bot is asked for a hint.".to_owned(),
            Err(error) => format!("There is no hint: {error}."),
        };
    }

    pub(super) fn go_over(&mut self) {
        let Some(adviser) = self.company.adviser.clone() else {
            self.message = "Nobody here can go over the game: --review BOT names a bot.".to_owned();
            return;
        };
        let Some(story) = self.story().filter(|story| story.ended.is_some()).cloned() else {
            self.message = "The game can be gone over when it has ended; H asks for a hint.".to_owned();
            return;
        };
        let progress = Arc::new(Mutex::new(Progress::PerCent(0)));
        let shown = Arc::downgrade(&progress);
        let think = move || {
            let tell = |what: Progress| {
                let shown = shown.upgrade();
                shown.map(|shown| *shown.lock() = what).is_some()
            };
            let found = review(&*adviser, &story, |percent| tell(Progress::PerCent(percent)));
            tell(Progress::Done(match found {
                Ok(lines) => lines.join("\n"),
                Err(why) => format!("There is no review: {why}."),
            }));
        };
        match Builder::new().spawn(think) {
            Ok(_) => self.open = Open::Page(Page::default(), About::Review(progress)),
            Err(error) => self.alert = format!("There is no review: {error}."),
        }
    }

    pub(super) fn is_reviewing(&self) -> bool {
        matches!(self.open, Open::Page(_, About::Review(_)))
    }

    /// The page goes on with what is printed, until somebody leafs through it, and with a review until that is done.
    pub(super) fn go_on_with_page(&mut self) {
        match &self.open {
            Open::Page(_, About::Output) => {
                let printouts = self.company.printouts.iter();
                let all = printouts.flat_map(|printouts| printouts.of_game(self.shown.game, usize::MAX));
                let mut text: String =
                    all.map(|(name, lines)| format!("{name}\n  {}\n", lines.join("\n  "))).collect();
                if text.is_empty() {
                    text.push_str("Nothing has been printed in this game.\n");
                }
                self.open = Open::Page(Page::new("What bots print", &text).at_its_end(), About::Output);
            }
            Open::Page(_, About::Review(progress)) => {
                let progress = Arc::clone(progress);
                let (text, about) = match &*progress.lock() {
                    Progress::PerCent(percent) => (
                        format!("A bot goes over the game: {percent} %"),
                        About::Review(Arc::clone(&progress)),
                    ),
                    Progress::Done(text) => (text.clone(), About::Text),
                };
                self.open = Open::Page(Page::new("Review", &text), about);
            }
            Open::Page(_, About::Text | About::Error(_))
            | Open::Board
            | Open::Typing(_)
            | Open::Question(_) => {}
        }
    }
}
