//! What keys and clicks mean now: an answer, a letter, a page to leaf through, or a command.

use super::{Leaving, Mode, Question, Viewer, Wish};
use crate::player::Touch;
use crate::ui::terminal::board::Direction;
use crate::ui::terminal::keys::{self, Command, no_such_key};
use crate::ui::terminal::mouse;
use crate::ui::terminal::page::Page;
use crate::ui::words;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest text that can be typed.
const LONGEST: usize = 400;
/// The message about a double click.
const DOUBLE: &str = "A double click counts once.";
/// Two clicks on one place within this time are one double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

impl Viewer {
    /// A key was pressed.
    pub fn key(&mut self, key: &KeyEvent, at: Instant) {
        self.pressed = at;
        let command = if self.typing.is_some() { keys::while_typing(key) } else { self.command_of_key(key) };
        if let Some(command) = command {
            self.obey(&command);
        }
    }

    /// A text was pasted: its first line, as if it had been typed.
    pub fn paste(&mut self, text: &str) {
        if self.question.is_some() {
            return;
        }
        (self.page, self.error, self.review) = (None, None, None);
        let typed = self.typing.get_or_insert_default();
        for c in text.lines().next().unwrap_or_default().chars().filter(|c| !c.is_control()) {
            if typed.len() < LONGEST {
                typed.push(c);
            }
        }
    }

    fn command_of_key(&self, key: &KeyEvent) -> Option<Command> {
        match (self.question, key.code) {
            (Some(_), KeyCode::Char('y' | 'Y')) => Some(Command::Letter('y')),
            (Some(_), _) => keys::command(key).map(|command| match command {
                Command::Interrupt => Command::Interrupt,
                _ => Command::Escape,
            }),
            (None, _) => keys::command(key),
        }
    }

    /// Something was clicked.
    pub fn mouse(&mut self, event: &MouseEvent, at: Instant) {
        self.pressed = at;
        let Some(command) = mouse::command(event, &self.drawn, self.mode, self.page.is_some()) else {
            return;
        };
        let place = (event.column, event.row);
        if let Some((finished, when)) = self.finished.take()
            && finished == place
            && at.duration_since(when) < DOUBLE_CLICK
        {
            self.alert = DOUBLE.to_owned();
            self.missed = Some(DOUBLE);
            return;
        }
        let turn = self.turn().map(|turn| turn.id);
        self.obey(&command);
        let is_open =
            |id| self.desk.as_ref().is_some_and(|desk| desk.turn().is_some_and(|turn| turn.id == id));
        self.finished = turn.filter(|&id| !is_open(id)).map(|_| (place, at));
    }

    /// Does what the person wants.
    fn obey(&mut self, command: &Command) {
        self.alert.clear();
        self.message.clear();
        self.missed = None;
        if !matches!(command, Command::Digit(_)) {
            self.number.clear();
        }
        match command {
            Command::Interrupt if self.question == Some(Question::Leave) || self.leaving != Leaving::No => {
                self.leaving = Leaving::AtOnce;
            }
            Command::Interrupt | Command::Quit => self.quit(),
            Command::Suspend => self.wish = Some(Wish::Suspend),
            _ if self.question.is_some() => self.answer(command),
            _ if self.typing.is_some() => self.type_on(command),
            _ if self.page.is_some() => self.leaf(command),
            command => self.act(command),
        }
    }

    fn act(&mut self, command: &Command) {
        match command {
            Command::Hints => self.switches.hints ^= true,
            Command::Coordinates => self.switches.hides_names ^= true,
            Command::Errors => self.open_errors(),
            Command::Bot => {
                self.switches.bot ^= true;
                let how = if self.switches.bot { "shown" } else { "hidden" };
                self.message = format!("What bots say of their moves is {how}.");
            }
            Command::Bar => self.switches.bar ^= true,
            Command::Output => self.open_output(),
            Command::Advice => self.ask_for_a_hint(),
            Command::Review => self.go_over(),
            Command::Turn => self.switches.turns = (self.switches.turns + 1) % 6,
            Command::Mouse => self.wish = Some(Wish::ToggleMouse),
            Command::Save => self.save(),
            Command::Help => {
                let text = keys::help(self.mode == Mode::Play, &self.actions());
                self.page = Some(Page::new("Keys", &text));
            }
            Command::Copy => self.copy(),
            Command::Rules => {
                if let Some(position) = self.story().map(|story| Arc::clone(&story.now().position)) {
                    let title = format!("Rules of {}", position.info().title);
                    self.page = Some(Page::of_markdown(title, &words::rules_page(&position)));
                }
            }
            Command::Legal => self.list_moves(),
            Command::Type => self.typing = Some(String::new()),
            Command::Unknown(key) => self.alert = no_such_key(key),
            Command::Letter(c) => self.alert = no_such_key(&c.escape_debug().to_string()),
            command if self.hold.is_some() && self.ply.is_none() => self.pass_by(command),
            command if self.mode == Mode::Play => self.play(command),
            command => self.step(command),
        }
    }

    /// A page is open: arrows leaf through it, anything else closes it.
    fn leaf(&mut self, command: &Command) {
        if let (Some(_), Command::Move(Direction::Left) | Command::Previous) = (self.error, command) {
            return self.other_error(-1);
        }
        if let (Some(_), Command::Move(Direction::Right) | Command::Next) = (self.error, command) {
            return self.other_error(1);
        }
        let Some(page) = &mut self.page else { return };
        // New output would move the lines away that somebody who leafs is reading.
        self.is_about_output = false;
        if !page.leaf(command) {
            (self.page, self.error, self.review) = (None, None, None);
        }
    }

    fn type_on(&mut self, command: &Command) {
        let Some(text) = &mut self.typing else { return };
        match command {
            Command::Letter(c) if text.len() < LONGEST => text.push(*c),
            Command::Rub => drop(text.pop()),
            Command::RubAll => text.clear(),
            Command::RubWord => {
                let word = text.trim_end().rfind(char::is_whitespace);
                text.truncate(word.map_or(0, |blank| blank + 1));
            }
            Command::Escape => self.typing = None,
            Command::Finish => self.typed(),
            _ => {}
        }
    }

    /// A typed move that is refused stays, so that it can be mended.
    fn typed(&mut self) {
        let text = self.typing.take().unwrap_or_default();
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if self.mode == Mode::Play {
            self.ply = None;
            self.touch(&Touch::Typed(text.to_owned()));
            if !self.alert.is_empty() {
                self.typing = Some(text.to_owned());
            }
            return;
        }
        match text.parse::<usize>() {
            Ok(ply) if ply <= self.newest() => self.ply = Some(ply),
            _ => self.alert = format!("This game has moves 0 to {}.", self.newest()),
        }
    }

    fn quit(&mut self) {
        let person = self.story().and_then(|story| {
            let seat = story.draft.as_ref().map(|turn| turn.id.seat);
            let first = || story.seats.iter().position(|sitter| sitter.is_person).map(|index| index + 1);
            let seat = seat.map(|seat| seat.index() + 1).or_else(first);
            seat.filter(|_| story.ended.is_none() && self.mode == Mode::Play)
        });
        match person {
            Some(_) if self.leaving == Leaving::Asked => self.leaving = Leaving::AtOnce,
            Some(seat) => {
                self.question = Some(Question::Leave);
                (self.page, self.error) = (None, None);
                self.typing = None;
                self.alert = format!("Leave? Seat {seat} forfeits. y/N");
            }
            None => self.leaving = Leaving::Asked,
        }
    }

    fn answer(&mut self, command: &Command) {
        let question = self.question.take();
        if *command != Command::Letter('y') {
            return;
        }
        match question {
            Some(Question::Leave) => {
                // The desk is closed once the match has been told to stop, so that no other game begins.
                self.leaving = Leaving::Asked;
            }
            Some(Question::Resign) => self.touch(&Touch::Resign),
            None => {}
        }
    }

    fn list_moves(&mut self) {
        let ply = self.ply();
        let Some(story) = self.story() else { return };
        let names = words::legal(&story.frames[ply].position);
        let title = format!("{} legal moves", names.len());
        self.page = Some(Page::new(title, &names.join("  ")));
    }
}
