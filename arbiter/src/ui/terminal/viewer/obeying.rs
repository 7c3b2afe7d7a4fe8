//! What keys and clicks mean now: an answer, a letter, a page to leaf through, or a command.

use super::pages::About;
use super::{Leaving, Mode, Open, Question, Viewer, Wish};
use crate::player::Touch;
use crate::ui::terminal::keys::{CTRL_C, CTRL_U, CTRL_W, CTRL_Z, arrow, clicked, pressed};
use arbiter_rules::Seat;
use ratatui::crossterm::event::{Event, KeyCode, MouseButton, MouseEvent, MouseEventKind};
use std::time::{Duration, Instant};

const LONGEST: usize = 400;
const DOUBLE: &str = "A double click counts once.";
/// Two clicks on one place within this time are one double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

impl Viewer {
    pub(crate) fn input(&mut self, event: &Event, at: Instant) {
        match event {
            Event::Key(key) => {
                self.pressed = at;
                pressed(key).into_iter().for_each(|key| self.obey(key));
            }
            Event::Mouse(event) => self.mouse(event, at),
            Event::Paste(text) => self.paste(text),
            Event::Resize(..) | Event::FocusGained | Event::FocusLost => {}
        }
    }

    /// A text was pasted: its first line, as if it had been typed.
    fn paste(&mut self, text: &str) {
        match self.open {
            Open::Question(_) => return,
            Open::Typing(_) => {}
            Open::Board | Open::Page(..) => self.open = Open::Typing(String::new()),
        }
        let line = text.lines().next().unwrap_or_default();
        line.chars().filter(|c| !c.is_control()).for_each(|c| self.type_on(KeyCode::Char(c)));
    }

    /// Something was clicked. A click on a cell picks it.
    fn mouse(&mut self, event: &MouseEvent, at: Instant) {
        self.pressed = at;
        let place = (event.column, event.row);
        let is_left = event.kind == MouseEventKind::Down(MouseButton::Left);
        let is_board = self.mode == Mode::Play && matches!(self.open, Open::Board | Open::Question(_));
        let cell = self.drawn.cell_at(place.0, place.1).filter(|_| is_left && is_board);
        let key = clicked(event, &self.drawn, self.mode, matches!(self.open, Open::Page(..)));
        let Some(key) = key.or(cell.map(|_| KeyCode::Char(' '))) else { return };
        if let Some((finished, when)) = self.finished.take()
            && finished == place
            && at.duration_since(when) < DOUBLE_CLICK
        {
            self.alert = DOUBLE.to_owned();
            self.missed = Some(DOUBLE);
            return;
        }
        let turn = self.turn().map(|turn| turn.id);
        if let Some(cell) = cell {
            self.set_cursor(cell);
        }
        self.obey(key);
        let desk = self.company.desk.as_ref();
        let is_open = |id| desk.is_some_and(|desk| desk.turn().is_some_and(|turn| turn.id == id));
        self.finished = turn.filter(|&id| !is_open(id)).map(|_| (place, at));
    }

    pub(in crate::ui::terminal) fn has_mouse(&mut self, has_mouse: bool) {
        self.message = match has_mouse {
            true => "The mouse is on again.",
            false => "The mouse is off: text can be selected. m switches it on again.",
        }
        .to_owned();
    }

    fn obey(&mut self, key: KeyCode) {
        self.alert.clear();
        self.message.clear();
        self.missed = None;
        if !matches!(key, KeyCode::Char('0'..='9')) {
            self.number.clear();
        }
        match (&self.open, key) {
            (Open::Question(Question::Leave(_)), CTRL_C) => self.leaving = Leaving::AtOnce,
            (_, CTRL_C) => self.quit(),
            (&Open::Question(question), key) => self.answer(question, key),
            (_, CTRL_Z) => self.wish = Some(Wish::Suspend),
            (Open::Typing(_), key) => self.type_on(key),
            (_, KeyCode::Char('q')) => self.quit(),
            (Open::Page(..), key) => self.leaf(arrow(key)),
            (Open::Board, key) => self.act(arrow(key)),
        }
    }

    fn act(&mut self, key: KeyCode) {
        match key {
            KeyCode::Char('h') => self.switches.marks ^= true,
            KeyCode::Char('c') => self.switches.hides_names ^= true,
            KeyCode::Char('d') => {
                self.switches.bot ^= true;
                let how = if self.switches.bot { "shown" } else { "hidden" };
                self.message = format!("What bots say of their moves is {how}.");
            }
            KeyCode::Char('b') => self.switches.bar ^= true,
            KeyCode::Char('f') => self.switches.turns = (self.switches.turns + 1) % 6,
            KeyCode::Char('m') => self.wish = Some(Wish::ToggleMouse),
            KeyCode::Char('t') => self.open = Open::Typing(String::new()),
            KeyCode::Char('e') => self.open_error(-1),
            KeyCode::Char('o') => self.open_output(),
            KeyCode::Char('v') => self.go_over(),
            KeyCode::Char('g') => self.save(),
            KeyCode::Char('y') => self.copy(),
            KeyCode::Char('L') => self.list_moves(),
            KeyCode::Char('?') => self.open_help(),
            KeyCode::F(1) => self.open_rules(),
            key if self.shown.hold.is_some() && self.shown.ply.is_none() => self.pass_by(key),
            key if self.mode == Mode::Play => self.play(key),
            key => self.step(key),
        }
    }

    /// A page is open: arrows leaf through it, anything else closes it.
    fn leaf(&mut self, key: KeyCode) {
        let Open::Page(page, about) = &mut self.open else { return };
        match (&*about, key) {
            (&About::Error(here), KeyCode::Left | KeyCode::BackTab) => return self.open_error(here - 1),
            (&About::Error(here), KeyCode::Right | KeyCode::Tab) => return self.open_error(here + 1),
            // New output would move the lines away that somebody who leafs is reading.
            (About::Output, _) => *about = About::Text,
            (About::Text | About::Error(_) | About::Review(_), _) => {}
        }
        if !page.leaf(key) {
            self.open = Open::Board;
        }
    }

    fn type_on(&mut self, key: KeyCode) {
        let Open::Typing(text) = &mut self.open else { return };
        match key {
            CTRL_U => text.clear(),
            CTRL_W => {
                let word = text.trim_end().rfind(char::is_whitespace);
                text.truncate(word.map_or(0, |blank| blank + 1));
            }
            KeyCode::Char(c) if text.len() < LONGEST && !c.is_control() => text.push(c),
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Esc => self.open = Open::Board,
            KeyCode::Enter => {
                let text = text.trim().to_owned();
                self.open = Open::Board;
                self.typed(text);
            }
            _ => {}
        }
    }

    /// A typed move that is refused stays, so that it can be mended.
    fn typed(&mut self, text: String) {
        match text.parse::<usize>() {
            _ if text.is_empty() => {}
            _ if self.mode == Mode::Play => {
                self.shown.ply = None;
                self.touch(&Touch::Typed(text.clone()));
                if !self.alert.is_empty() {
                    self.open = Open::Typing(text);
                }
            }
            Ok(ply) if ply <= self.newest() => self.shown.ply = Some(ply),
            _ => self.alert = format!("This game has moves 0 to {}.", self.newest()),
        }
    }

    /// Leaves, after a question where somebody plays: the next game may have begun behind the one that is shown.
    fn quit(&mut self) {
        let open = self.story().into_iter().chain(self.stories.values());
        let open = open.into_iter().find(|story| story.ended.is_none()).filter(|_| self.mode == Mode::Play);
        let person = open.and_then(|story| {
            let asked = story.draft.as_ref().map(|turn| turn.id.seat);
            asked.or_else(|| Seat::all(story.seats.len()).find(|seat| story.seats[seat.index()].is_person))
        });
        match person {
            Some(seat) => self.open = Open::Question(Question::Leave(seat)),
            None => self.leaving = Leaving::Asked,
        }
    }

    fn answer(&mut self, question: Question, key: KeyCode) {
        self.open = Open::Board;
        match question {
            _ if !matches!(key, KeyCode::Char('y' | 'Y')) => {}
            // The desk is closed once the match has been told to stop, so that no other game begins.
            Question::Leave(_) => self.leaving = Leaving::Asked,
            Question::Resign => self.touch(&Touch::Resign),
        }
    }
}
