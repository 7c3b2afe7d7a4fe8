//! The menu: which game, who sits where, with which options and times. Ranges are those of the rules; what is wrong is
//! said by whoever checks the choice.
//!
//! What has been chosen is the business of `ui::menu`, `drawing` is how it looks; here is what keys and clicks do.

mod drawing;

use super::colours::Look;
use super::keys::{Command, help};
use super::page::Page;
use super::{Session, Signal, board::Direction, keys};
use crate::ui::menu::Choice;
use ratatui::crossterm::event::{KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use std::io;
use std::time::Duration;

/// The menu as it stands.
pub struct Menu {
    look: Look,
    choice: Choice,
    row: usize,
    top: usize,
    page: Option<Page>,
    alert: String,
    places: Vec<(Rect, Click)>,
}

/// What a click does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Click {
    /// Changes the line that it hits, whatever line was chosen before.
    Change(usize, isize),
    /// The same as a key.
    Press(Command),
}

/// What came of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Play what has been chosen.
    Play,
    /// Leave.
    Leave,
}

impl Menu {
    /// A menu of these lines.
    #[must_use]
    pub fn new(look: Look, choice: Choice) -> Menu {
        Menu { look, choice, row: 0, top: 0, page: None, alert: String::new(), places: Vec::new() }
    }

    /// What has been chosen.
    #[must_use]
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// Says what was wrong with the last choice.
    pub fn complain(&mut self, text: &str) {
        self.alert = text.to_owned();
    }

    /// Shows the menu until something has been chosen.
    ///
    /// # Errors
    /// A terminal that is gone.
    pub fn run(&mut self, session: &mut Session) -> io::Result<Chosen> {
        loop {
            session.draw(|area, buf| self.draw(area, buf))?;
            let click = match session.wait(Duration::from_secs(3600)) {
                Signal::Key(key, _) => self.key(&key).map(Click::Press),
                Signal::Mouse(event, _) => self.mouse(&event),
                Signal::Pasted(text) => {
                    text.chars().for_each(|c| self.type_on(c));
                    None
                }
                Signal::Stop => return Ok(Chosen::Leave),
                Signal::Resized | Signal::Changed | Signal::Nothing => None,
            };
            let chosen = match click {
                Some(Click::Press(Command::Suspend)) => {
                    session.suspend()?;
                    None
                }
                Some(Click::Press(command)) => self.obey(&command),
                Some(Click::Change(row, by)) => self.change(row, by),
                None => None,
            };
            if let Some(chosen) = chosen {
                return Ok(chosen);
            }
        }
    }

    fn key(&self, key: &KeyEvent) -> Option<Command> {
        use ratatui::crossterm::event::{KeyCode, KeyEventKind};
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let row = self.choice.rows().get(self.row).copied();
        let is_typed = |c: char| row.is_some_and(|row| self.choice.takes(row, c));
        match key.code {
            KeyCode::Backspace => Some(Command::Rub),
            KeyCode::Char(c) if is_typed(c) && !key.modifiers.contains(KeyModifiers::CONTROL) => {
                Some(Command::Letter(c))
            }
            _ => keys::command(key),
        }
    }

    /// Types where something can be typed.
    fn type_on(&mut self, c: char) {
        let row = self.choice.rows()[self.row];
        if self.choice.takes(row, c) {
            self.choice.type_on(row, c);
        }
    }

    fn mouse(&self, event: &MouseEvent) -> Option<Click> {
        match event.kind {
            MouseEventKind::ScrollUp => return Some(Click::Press(Command::Move(Direction::Up))),
            MouseEventKind::ScrollDown => return Some(Click::Press(Command::Move(Direction::Down))),
            MouseEventKind::Down(MouseButton::Left) => {}
            _ => return None,
        }
        let is_hit = |area: &Rect| area.contains((event.column, event.row).into());
        self.places.iter().find(|(area, _)| is_hit(area)).map(|(_, click)| click.clone())
    }

    fn obey(&mut self, command: &Command) -> Option<Chosen> {
        self.alert.clear();
        if let Some(page) = &mut self.page {
            if !page.leaf(command) {
                self.page = None;
            }
            return None;
        }
        let rows = self.choice.rows();
        let (here, last) = (rows[self.row], rows.len() - 1);
        match command {
            Command::Quit | Command::Interrupt | Command::Escape => return Some(Chosen::Leave),
            Command::Move(Direction::Up) | Command::Previous => self.row = self.row.saturating_sub(1),
            Command::Move(Direction::Down) | Command::Next => self.row = (self.row + 1).min(last),
            Command::Move(Direction::Left) => self.choice.change(here, -1),
            Command::Move(Direction::Right) | Command::Pick if self.row < last => self.choice.change(here, 1),
            Command::First => self.row = 0,
            Command::Last => self.row = last,
            Command::Finish | Command::Pick | Command::Move(Direction::Right) => {
                return Some(Chosen::Play);
            }
            Command::Letter(c) => self.choice.type_on(here, *c),
            Command::Rub => self.choice.rub(here),
            Command::Rules => {
                let title = format!("Rules of {}", self.choice.info().title);
                self.page = Some(Page::of_markdown(title, &self.choice.rules()));
            }
            Command::Help => self.page = Some(Page::new("Keys", &help(true, &[]))),
            Command::Unknown(key) => self.alert = keys::no_such_key(key),
            _ => self.alert = "That key is for games.".to_owned(),
        }
        None
    }

    /// A line was clicked.
    fn change(&mut self, row: usize, by: isize) -> Option<Chosen> {
        self.alert.clear();
        if self.page.take().is_some() {
            return None;
        }
        let rows = self.choice.rows();
        self.row = row;
        if row == rows.len() - 1 {
            return Some(Chosen::Play);
        }
        self.choice.change(rows[row], by);
        None
    }
}
