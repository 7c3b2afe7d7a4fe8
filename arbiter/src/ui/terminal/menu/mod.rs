//! The menu: which game, who sits where, with which options and times. Ranges are those of the rules; what is wrong is
//! said by whoever checks the choice.
//!
//! What has been chosen is the business of `ui::menu`, `drawing` is how it looks; here is what keys and clicks do.

mod drawing;

use super::colours::Look;
use super::keys::{CTRL_C, CTRL_Z, MENU, arrow, no_such_key, pressed};
use super::page::Page;
use super::{Session, Signal};
use crate::ui::menu::Choice;
use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
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
#[derive(Clone, Copy)]
enum Click {
    /// Changes the line that it hits, whatever line was chosen before.
    Change(usize, isize),
    /// The same as a key.
    Press(KeyCode),
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
    pub fn new(look: Look, choice: Choice) -> Menu {
        Menu { look, choice, row: 0, top: 0, page: None, alert: String::new(), places: Vec::new() }
    }

    /// What has been chosen.
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
                Signal::Key(key, _) => pressed(&key).map(Click::Press),
                Signal::Mouse(event, _) => self.mouse(&event),
                Signal::Pasted(text) => {
                    text.chars().all(|c| self.type_on(c));
                    None
                }
                Signal::Stop => return Ok(Chosen::Leave),
                Signal::Resized | Signal::Changed | Signal::Nothing => None,
            };
            let chosen = match click {
                Some(Click::Press(CTRL_Z)) => {
                    session.suspend()?;
                    None
                }
                Some(Click::Press(key)) => self.obey(key),
                Some(Click::Change(row, by)) => self.change(row, by),
                None => None,
            };
            if let Some(chosen) = chosen {
                return Ok(chosen);
            }
        }
    }

    /// Types a letter, where the line takes it.
    fn type_on(&mut self, c: char) -> bool {
        let row = self.choice.rows()[self.row];
        let text = format!("{}{c}", self.choice.text(row));
        let is_taken = self.choice.takes(row, c);
        if is_taken {
            self.choice.fill(row, &text);
        }
        is_taken
    }

    fn mouse(&self, event: &MouseEvent) -> Option<Click> {
        match event.kind {
            MouseEventKind::ScrollUp => return Some(Click::Press(KeyCode::Up)),
            MouseEventKind::ScrollDown => return Some(Click::Press(KeyCode::Down)),
            MouseEventKind::Down(MouseButton::Left) => {}
            _ => return None,
        }
        let is_hit = |area: &Rect| area.contains((event.column, event.row).into());
        self.places.iter().find(|(area, _)| is_hit(area)).map(|&(_, click)| click)
    }

    fn obey(&mut self, key: KeyCode) -> Option<Chosen> {
        self.alert.clear();
        if let Some(page) = &mut self.page {
            if !page.leaf(arrow(key)) {
                self.page = None;
            }
            return None;
        }
        let rows = self.choice.rows();
        let (here, last) = (rows[self.row], rows.len() - 1);
        match arrow(key) {
            _ if matches!(key, KeyCode::Char(c) if self.type_on(c)) => {}
            KeyCode::Char('q') | CTRL_C | KeyCode::Esc => return Some(Chosen::Leave),
            KeyCode::Up | KeyCode::BackTab => self.row = self.row.saturating_sub(1),
            KeyCode::Down | KeyCode::Tab => self.row = (self.row + 1).min(last),
            KeyCode::Left => self.choice.change(here, -1),
            KeyCode::Right | KeyCode::Char(' ') if self.row < last => self.choice.change(here, 1),
            KeyCode::Home => self.row = 0,
            KeyCode::End => self.row = last,
            KeyCode::Enter | KeyCode::Right | KeyCode::Char(' ') => return Some(Chosen::Play),
            KeyCode::Backspace => self.choice.rub(here),
            KeyCode::F(1) => {
                let title = format!("Rules of {}", self.choice.info().title);
                self.page = Some(Page::of_markdown(title, &self.choice.rules()));
            }
            KeyCode::Char('?') => self.page = Some(Page::new("Keys", MENU)),
            key => self.alert = no_such_key(key),
        }
        None
    }

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
