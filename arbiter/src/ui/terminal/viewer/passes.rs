//! Passes stay on the screen long enough to be read, whatever the game does meanwhile.

use super::{AfterPass, Mode, Viewer};
use crate::verdict::ChosenBy;
use ratatui::crossterm::event::KeyCode;
use std::time::{Duration, Instant};

/// How long a pass is shown at least.
const LONG_ENOUGH: Duration = Duration::from_millis(1500);

/// A pass that is shown although the game may have gone on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hold {
    pub(super) picture: usize,
    /// When it makes way; `None` for when the person says so.
    pub(super) until: Option<Instant>,
}

impl Viewer {
    /// Lets go of a pass that was shown long enough, and holds the next one.
    pub(super) fn hold_passes(&mut self) {
        let is_live = matches!(self.mode, Mode::Play | Mode::Watch) && self.shown.ply.is_none();
        if !is_live
            || self.shown.hold.is_some_and(|hold| hold.until.is_none_or(|until| Instant::now() < until))
        {
            return;
        }
        self.shown.hold = None;
        let Some(story) = self.stories.get(&self.shown.game) else { return };
        let is_pass = |index: &usize| {
            story.frames[*index].moved.as_ref().is_some_and(|moved| moved.by == ChosenBy::Rules)
        };
        let pass = (self.shown.passes_from..story.frames.len()).find(is_pass);
        self.shown.passes_from = pass.map_or(story.frames.len(), |picture| picture + 1);
        let until = match (self.company.after_pass, self.mode) {
            (AfterPass::OnEnter, Mode::Play) => None,
            _ => Some(Instant::now() + LONG_ENOUGH),
        };
        self.shown.hold = pass.map(|picture| Hold { picture, until });
    }

    pub(super) fn go_on(&mut self) {
        self.shown.hold = None;
        self.hold_passes();
    }

    pub(super) fn pass_by(&mut self, key: KeyCode) {
        let shown = self.ply();
        let is_over = self.story().is_some_and(|story| story.ended.is_some()) && !self.asks_to_go_on();
        match (self.mode, key) {
            (Mode::Play, KeyCode::Enter) if is_over => self.play(key),
            (Mode::Play, KeyCode::Enter | KeyCode::Char(' ') | KeyCode::Esc) => self.go_on(),
            (Mode::Play, _) => self.play(key),
            (_, KeyCode::Char(' ' | 'p')) => self.shown.ply = Some(shown),
            (_, KeyCode::Char('.') | KeyCode::Enter) => self.go_on(),
            (_, KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right) => {
                (self.shown.hold, self.shown.ply) = (None, Some(shown));
                self.step(key);
            }
            _ => {
                self.shown.hold = None;
                self.step(key);
            }
        }
    }

    pub(super) fn asks_to_go_on(&self) -> bool {
        self.shown.hold.is_some_and(|hold| hold.until.is_none())
    }
}
