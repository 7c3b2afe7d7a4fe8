//! The menu: which game, who sits where, with which options and times. Ranges are those of the rules; what is wrong is
//! said by whoever checks the choice.
//!
//! What has been chosen is the business of `ui::menu`; here is how it looks, and what keys and clicks do.

use super::colours::Look;
use super::keys::{CTRL_C, CTRL_Z, MENU, arrow, no_such_key, pressed};
use super::page::Page;
use super::screen::{buttons, columns, inner, outline, picture, put, tell, wrap};
use super::{Session, Signal};
use crate::sanitize::seen;
use crate::ui::menu::{Choice, Row};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::io;
use std::time::Duration;

/// The columns of a line that name it; a click there goes back, a click behind them goes on.
const NAME: u16 = 20;
/// Where the ranges begin, if values are not longer.
const RANGES: u16 = 48;
/// The columns that lines usually need, with their ranges.
const LINE: u16 = 74;

pub(crate) struct Menu {
    look: Look,
    pub choice: Choice,
    row: usize,
    top: usize,
    page: Option<Page>,
    pub alert: String,
    /// What can be clicked: the line that is chosen by that, if one is, and the key that is pressed then.
    places: Vec<(Rect, Option<usize>, KeyCode)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    Play,
    Leave,
}

impl Menu {
    pub(crate) fn new(look: Look, choice: Choice) -> Menu {
        Menu { look, choice, row: 0, top: 0, page: None, alert: String::new(), places: Vec::new() }
    }

    pub(crate) fn run(&mut self, session: &mut Session) -> io::Result<Chosen> {
        loop {
            session.draw(|area, buf| self.draw(area, buf))?;
            let key = match session.wait(Duration::MAX) {
                Signal::Input(Event::Key(key), _) => pressed(&key),
                Signal::Input(Event::Mouse(event), _) => self.clicked(&event),
                Signal::Input(Event::Paste(text), _) => {
                    text.chars().all(|c| self.type_on(c));
                    None
                }
                Signal::Stop => return Ok(Chosen::Leave),
                Signal::Input(..) | Signal::Changed | Signal::Nothing => None,
            };
            if key == Some(CTRL_Z) {
                session.suspend()?;
                continue;
            }
            if let Some(chosen) = key.and_then(|key| self.obey(key)) {
                return Ok(chosen);
            }
        }
    }

    fn type_on(&mut self, c: char) -> bool {
        let row = self.choice.rows()[self.row];
        let text = format!("{}{c}", self.choice.text(row));
        let is_taken = self.choice.takes(row, c);
        if is_taken {
            self.choice.write(row, &text);
        }
        is_taken
    }

    /// The key that a click or the wheel stands for, on the line that was hit.
    fn clicked(&mut self, event: &MouseEvent) -> Option<KeyCode> {
        match event.kind {
            MouseEventKind::ScrollUp => return Some(KeyCode::Up),
            MouseEventKind::ScrollDown => return Some(KeyCode::Down),
            MouseEventKind::Down(MouseButton::Left) => {}
            _ => return None,
        }
        let is_hit = |area: &Rect| area.contains((event.column, event.row).into());
        let &(_, row, key) = self.places.iter().find(|(area, ..)| is_hit(area))?;
        if self.page.is_none() {
            self.row = row.unwrap_or(self.row);
        }
        Some(key)
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

    /// Draws everything and remembers what can be clicked; says where the cursor is.
    fn draw(&mut self, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        self.places.clear();
        let bold = Style::new().bold();
        put(buf, area, 1, "arbiter   a referee for board games", bold);
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(4), ..area };
        outline(body, self.look.charset, " What shall be played? ", buf);
        let rows = self.choice.rows();
        let room = usize::from(body.height.saturating_sub(2)).max(1);
        self.top = self.top.min(self.row).max((self.row + 1).saturating_sub(room));
        // A line that is longer than most goes over the board.
        self.board(inner(body), rows.len() as u16, buf);
        if self.top + room < rows.len() {
            put(buf, Rect { y: body.bottom() - 1, height: 1, ..body }, 1, " more below ", Style::new());
        }
        let mut cursor = None;
        for (place, index) in (self.top..rows.len().min(self.top + room)).enumerate() {
            let y = body.y + 1 + place as u16;
            let line = Rect { x: body.x + 1, y, width: body.width.saturating_sub(2), height: 1 };
            self.line(index, rows[index], line, buf);
            if index == self.row {
                cursor = Some((line.x, y));
            }
        }
        let about = self.choice.about(rows[self.row]);
        let (message, style) = match self.alert.as_str() {
            "" => (about.as_str(), Style::new()),
            alert => (alert, self.look.palette.alert()),
        };
        let lines: Vec<_> =
            wrap(message, area.width.saturating_sub(2)).into_iter().map(|line| (line, style)).collect();
        tell(&lines, Rect { y: body.bottom(), height: 2, ..area }.intersection(area), buf);
        if let Some(page) = &self.page {
            page.draw(body, self.look.charset, buf);
        }
        let row = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        let labels: &[&str] = match self.page {
            Some(_) => &["Esc Close"],
            // Letters are typed there.
            None if self.choice.takes(rows[self.row], 'q') => &["Enter Start", "Esc Quit", "F1 Rules"],
            None => &["Enter Start", "? Keys", "q Quit", "F1 Rules"],
        };
        let pressed = buttons(labels, row, buf);
        self.places.splice(0..0, pressed.into_iter().map(|(area, key)| (area, None, key)));
        cursor
    }

    /// The board that would be played on, beside the lines or below them, where there is more room.
    fn board(&self, body: Rect, lines: u16, buf: &mut Buffer) {
        let beside = Rect { x: body.x + LINE, width: body.width.saturating_sub(LINE), ..body };
        let height = body.height.saturating_sub(lines + 1);
        let below = Rect { y: body.bottom() - height, height, ..body };
        // A cell is twice as wide as high.
        let room = |area: &Rect| area.height.min(area.width / 2);
        let area = if room(&beside) > room(&below) { beside } else { below };
        if let Some(start) = self.choice.start() {
            picture(start, self.look, area, buf);
        }
    }

    fn line(&mut self, index: usize, row: Row, area: Rect, buf: &mut Buffer) {
        let line = self.choice.line(row);
        let is_here = index == self.row;
        let style = if is_here { Style::new().bold().reversed() } else { Style::new() };
        let mark = if is_here { ">" } else { " " };
        let text = match row {
            Row::Start => format!("{mark} [Start]"),
            // What cannot be seen would move what stands behind it.
            _ => format!("{mark} {:<15} < {} >", line.name, seen(&line.value)),
        };
        put(buf, area, 0, &text, style);
        let range = format!("  {}", line.range);
        let from = (columns(&text) as u16).max(RANGES.min(area.width.saturating_sub(range.len() as u16)));
        if usize::from(from) + range.len() <= usize::from(area.width) {
            put(buf, area, from, &range, Style::new());
        }
        let behind = Rect { x: area.x + NAME, width: area.width.saturating_sub(NAME), ..area };
        let keys = if row == Row::Start { [KeyCode::Enter; 2] } else { [KeyCode::Left, KeyCode::Right] };
        let areas = [Rect { width: NAME, ..area }, behind];
        self.places.extend(areas.into_iter().zip(keys).map(|(area, key)| (area, Some(index), key)));
    }
}
