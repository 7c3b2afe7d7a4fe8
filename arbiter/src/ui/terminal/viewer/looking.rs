//! What commands do for somebody who looks on, and how a replay goes on by itself.

use super::{Mode, Viewer};
use crate::ui::story::Story;
use crate::ui::terminal::keys::no_such_key;
use crate::ui::terminal::side;
use ratatui::crossterm::event::KeyCode;
use std::time::{Duration, Instant};

/// How long a picture of a replay stays at speed 1.
const PACE: Duration = Duration::from_millis(1000);

impl Viewer {
    /// How long nothing needs to be drawn if nothing happens.
    pub(crate) fn until_next_drawing(&self) -> Duration {
        let usual = self.until_next_drawing_of_the_game();
        self.fall.until_next_drawing().map_or(usual, |falling| falling.min(usual))
    }

    fn until_next_drawing_of_the_game(&self) -> Duration {
        if let Some(stepped) = self.stepped {
            return self.pace().saturating_sub(stepped.elapsed()).max(Duration::from_millis(1));
        }
        if let Some(until) = self.shown.hold.and_then(|hold| hold.until) {
            return until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        }
        if self.is_printing() || self.is_reviewing() {
            return Duration::from_millis(100);
        }
        let left = self.story().and_then(|story| side::left(story, story.asked?.0));
        match left {
            Some(left) if left < side::SHORT => Duration::from_millis(100),
            _ => Duration::MAX,
        }
    }

    /// What a hand does takes longer to read than a move.
    fn pace(&self) -> Duration {
        let is_posed = self.story().is_some_and(|story| story.frames[self.ply()].pose.is_some());
        PACE.mul_f64(0.5_f64.powi(self.speed)) * if is_posed { 4 } else { 1 }
    }

    /// Moves a replay on when it is time; false when a tour is over.
    pub(crate) fn tick(&mut self) -> bool {
        if self.stepped.is_none_or(|stepped| stepped.elapsed() < self.pace()) {
            return true;
        }
        self.stepped = Some(Instant::now());
        if self.ply() < self.newest() {
            self.shown.ply = Some(self.ply() + 1);
            return true;
        }
        match (self.mode, self.next_known()) {
            (Mode::Tour, Some(game)) => {
                self.show_game(game, Some(0));
                true
            }
            (Mode::Tour, None) => false,
            _ => {
                self.stepped = None;
                true
            }
        }
    }

    pub(super) fn step(&mut self, key: KeyCode) {
        match key {
            KeyCode::Left => self.step_by(-1),
            KeyCode::Right => self.step_by(1),
            KeyCode::PageUp => self.step_by(-10),
            KeyCode::PageDown => self.step_by(10),
            KeyCode::Up => self.other_game(-1, |_| true),
            KeyCode::Down => self.other_game(1, |_| true),
            KeyCode::Home => self.shown.ply = Some(0),
            KeyCode::End => self.shown.ply = Some(self.newest()),
            KeyCode::Char('.') => self.shown.ply = None,
            KeyCode::Char(' ' | 'p') if self.mode == Mode::Watch => {
                self.shown.ply = if self.shown.ply.is_some() { None } else { Some(self.ply()) };
            }
            KeyCode::Char(' ' | 'p') => {
                self.stepped = self.stepped.is_none().then(Instant::now);
                if self.stepped.is_some() && self.ply() == self.newest() {
                    self.shown.ply = Some(0);
                }
            }
            KeyCode::Tab if self.mode == Mode::Watch => self.other_game(1, |story| story.ended.is_none()),
            KeyCode::BackTab if self.mode == Mode::Watch => {
                self.other_game(-1, |story| story.ended.is_none())
            }
            KeyCode::Tab => self.notable(1),
            KeyCode::BackTab => self.notable(-1),
            KeyCode::Char('+' | '=') => self.change_speed(1),
            KeyCode::Char('-') => self.change_speed(-1),
            KeyCode::Enter | KeyCode::Esc => {}
            KeyCode::Backspace | KeyCode::Char('u' | 'r' | 's' | 'H' | 'R' | 'a' | 'w' | 'n' | '0'..='9') => {
                self.alert = "That key is for games that you play.".to_owned();
            }
            key => self.alert = no_such_key(key),
        }
    }

    fn change_speed(&mut self, by: i32) {
        self.set_speed(self.speed + by);
        self.message = format!("Speed {}x.", 2.0_f64.powi(self.speed));
    }

    pub(super) fn step_by(&mut self, moves: isize) {
        self.shown.ply = Some(self.ply().saturating_add_signed(moves).min(self.newest()));
    }

    /// How fast a replay goes: every step is twice as fast.
    pub(crate) fn set_speed(&mut self, speed: i32) {
        self.speed = speed.clamp(-1, 6);
    }

    /// The next or the previous of the games that are offered, from its start or as it is now.
    fn other_game(&mut self, by: isize, is_offered: fn(&Story) -> bool) {
        let offered =
            self.stories.iter().filter(|(game, story)| **game == self.shown.game || is_offered(story));
        let games: Vec<u32> = offered.map(|(&game, _)| game).collect();
        let here = games.iter().position(|&game| game == self.shown.game);
        if let Some(here) = here.filter(|_| games.len() > 1) {
            let game = games[(here as isize + by).rem_euclid(games.len() as isize) as usize];
            self.show_game(game, (self.mode != Mode::Watch).then_some(0));
        }
    }

    fn notable(&mut self, by: isize) {
        let Some(story) = self.story() else { return };
        let is_notable = |&ply: &usize| story.frames[ply].is_notable;
        let found = match by {
            1 => (self.ply() + 1..=self.newest()).find(is_notable),
            _ => (0..self.ply()).rev().find(is_notable),
        };
        match found {
            Some(ply) => self.shown.ply = Some(ply),
            None => self.message = "Nothing more worth seeing in this direction.".to_owned(),
        }
    }
}
