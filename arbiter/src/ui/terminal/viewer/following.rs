//! What is new in the log, and which game is shown.

use super::{Mode, Shown, Viewer};
use crate::ui::log::{Next, What};
use crate::ui::story::Story;
use crate::ui::terminal::board::{is_round, turned};
use arbiter_rules::layout::Layout;

/// Games that are kept for looking back at; older ones are in the report.
const KEPT: usize = 200;

impl Viewer {
    pub(crate) fn hear(&mut self) {
        while let Some(next) = self.next {
            match self.log.at(next) {
                Next::Entry(entry) => {
                    self.next = Some(entry.id + 1);
                    if let Some(story) = Story::of(&entry) {
                        let story = if self.mode == Mode::Play { story.for_the_person() } else { story };
                        self.stories.insert(entry.game, story);
                        self.forget_old_games();
                    }
                    if let Some(story) = self.stories.get_mut(&entry.game) {
                        story.hear(&entry);
                    }
                    if entry.game == self.shown.game {
                        self.mind_alert(&entry.what);
                    }
                }
                Next::Nothing => break,
                Next::End => self.next = None,
            }
        }
        self.begin();
        self.hold_passes();
        self.choose_game();
    }

    /// Shows the first game from its beginning, and all its passes, even if it is over already.
    fn begin(&mut self) {
        if !self.stories.contains_key(&self.shown.game)
            && let Some((&game, _)) = self.stories.first_key_value()
        {
            self.show_game(game, None);
            self.shown.passes_from = 0;
        }
    }

    /// Clears what the person was told, when the next event has made it old. Only the message that something was touched too early
    /// stays until the person's turn, so that no touch is lost without a word.
    fn mind_alert(&mut self, what: &What) {
        match what {
            What::Drafted(turn) if self.seen.is_none_or(|(seen, _)| seen != turn.id) => {
                if let Some(missed) = self.missed.take() {
                    self.alert = missed.to_owned();
                }
            }
            What::Drafted(_) => {}
            What::Noted(_) => self.message.clear(),
            What::Ended { .. } => {
                self.missed = None;
                self.alert.clear();
            }
            _ if self.missed.is_none() => self.alert.clear(),
            _ => {}
        }
    }

    /// In a live view, shows the next game when one is over.
    fn choose_game(&mut self) {
        let is_done = self.story().is_some_and(|story| story.ended.is_some());
        if self.mode == Mode::Watch && self.shown.ply.is_none() && self.shown.hold.is_none() && is_done {
            let running = self.stories.iter().filter(|(_, story)| story.ended.is_none());
            if let Some(game) = running.map(|(&game, _)| game).find(|&game| game > self.shown.game) {
                self.show_game(game, None);
            }
        }
    }

    /// Shows a game at this picture, or at the newest one.
    pub(crate) fn show_game(&mut self, game: u32, ply: Option<usize>) {
        self.shown = Shown { game, ply, ..Shown::default() };
        // Somebody who begins to watch a running game is not held up by its earlier passes.
        if self.mode == Mode::Watch {
            self.shown.passes_from = self.newest() + 1;
        }
        self.alert.clear();
        self.turn_home();
    }

    /// Turns the board so that the home of the person who plays is at the bottom.
    fn turn_home(&mut self) {
        let Some(story) = self.story().filter(|_| self.mode == Mode::Play) else { return };
        let Some(seat) = story.seats.iter().position(|sitter| sitter.is_person) else { return };
        let start = &story.frames[0].position;
        let layout = start.layout();
        let own = |turned: &Layout| -> i64 {
            let cells = start.cells().into_iter().zip(&turned.cells);
            cells
                .filter(|(content, _)| usize::from(*content) == seat + 1)
                .map(|(_, at)| i64::from(at.y))
                .sum()
        };
        let depth = |turns: u8| own(&turned(&layout, turns));
        // Only boards that look the same all round are turned: others keep the way round that people know.
        let best =
            if is_round(&layout) { (0..6).max_by_key(|&turns| (depth(turns), 6 - turns)) } else { None };
        self.switches.turns = best.unwrap_or(0);
    }

    fn forget_old_games(&mut self) {
        while self.stories.len() > KEPT {
            let old =
                self.stories.iter().find(|(game, story)| **game != self.shown.game && story.ended.is_some());
            let Some((&game, _)) = old else { break };
            self.stories.remove(&game);
        }
    }

    /// The game that comes after the one that is shown, if it has begun.
    pub(super) fn next_known(&self) -> Option<u32> {
        self.stories.range(self.shown.game + 1..).next().map(|(&game, _)| game)
    }

    /// Whether games come after the one that is shown.
    pub(super) fn has_more(&self) -> bool {
        self.next_known().is_some() || self.next.is_some() && self.shown.game < self.company.games
    }
}
