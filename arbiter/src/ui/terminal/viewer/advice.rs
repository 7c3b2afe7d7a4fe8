//! Hints during a person's turn, and reviews of games that have ended. The adviser thinks in a thread of its own.

use super::{Mode, Viewer};
use crate::player::Refused;
use crate::ui::advice::{hint, review};
use crate::ui::log::What;
use crate::ui::terminal::page::Page;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

/// How far a review has come; it ends when nobody looks at it any more.
pub(super) struct Review(Arc<Mutex<Progress>>);

enum Progress {
    PerCent(usize),
    Done(String),
}

impl Viewer {
    /// Asks for a hint, which comes as a sentence under the board if the turn is still open then.
    pub(super) fn ask_for_a_hint(&mut self) {
        let (Some(desk), Some(turn)) = (self.desk.clone(), self.turn().map(|turn| turn.id)) else {
            self.alert = if self.mode == Mode::Play { self.why_not() } else { Refused::stale() }.sentence;
            return;
        };
        let (Some(adviser), Some(story)) = (self.adviser.clone(), self.story()) else { return };
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

    /// Goes over the game that is shown, if it has ended.
    pub(super) fn go_over(&mut self) {
        let Some(adviser) = self.adviser.clone() else {
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
                shown.map(|shown| *shown.lock().unwrap_or_else(PoisonError::into_inner) = what).is_some()
            };
            let found = review(&*adviser, &story, |percent| tell(Progress::PerCent(percent)));
            tell(Progress::Done(match found {
                Ok(lines) => lines.join("\n"),
                Err(why) => format!("There is no review: {why}."),
            }));
        };
        match Builder::new().spawn(think) {
            Ok(_) => self.review = Some(Review(progress)),
            Err(error) => self.alert = format!("There is no review: {error}."),
        }
        self.go_on_with_review();
    }

    /// The page of the review goes on until it is done or closed.
    pub(super) fn go_on_with_review(&mut self) {
        let Some(Review(progress)) = &self.review else { return };
        let (text, is_done) = match &*progress.lock().unwrap_or_else(PoisonError::into_inner) {
            Progress::PerCent(percent) => (format!("A bot goes over the game: {percent} %"), false),
            Progress::Done(text) => (text.clone(), true),
        };
        self.page = Some(Page::new("Review", &text));
        if is_done {
            self.review = None;
        }
    }
}
