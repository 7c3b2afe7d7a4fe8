//! The errors of a game, opened one by one: who tried what, when, and why it was refused.

use super::Viewer;
use crate::ui::story::{Refusal, Story};
use crate::ui::terminal::page::Page;
use crate::ui::words;
use arbiter_rules::draw::{Charset, Marks, draw};

impl Viewer {
    /// Opens the newest error of the game that is shown.
    pub(super) fn open_errors(&mut self) {
        match self.story().map_or(0, |story| story.refusals.len()) {
            0 => self.message = "No errors have been made in this game.".to_owned(),
            count => self.open_error(count - 1),
        }
    }

    /// Opens the next or the previous error, while one is open.
    pub(super) fn other_error(&mut self, by: isize) {
        let count = self.story().map_or(0, |story| story.refusals.len());
        if let Some(here) = self.error.filter(|_| count > 0) {
            self.open_error((here as isize + by).rem_euclid(count as isize) as usize);
        }
    }

    fn open_error(&mut self, index: usize) {
        let charset = self.look.charset;
        let page =
            self.story().and_then(|story| Some(page(story, story.refusals.get(index)?, index, charset)));
        (self.error, self.page) = (page.is_some().then_some(index), page);
    }
}

fn page(story: &Story, refusal: &Refusal, index: usize, charset: Charset) -> Page {
    let who = words::who(refusal.seat, &story.seats);
    let limit = if story.max_errors == 0 { String::new() } else { format!(" of {}", story.max_errors) };
    let board = draw(&story.frames[refusal.frame].position, charset, &Marks::default());
    let lines = [
        format!("{who}, error {}{limit}, in move {}", refusal.count, refusal.ply + 1),
        format!("Tried:   {}", refusal.answer),
        format!("Refused: {}", refusal.reason),
        refusal.why.clone(),
        String::new(),
        board,
    ];
    let title = format!("Error {} of {} in this game", index + 1, story.refusals.len());
    Page::new(title, &lines.join("\n"))
}
