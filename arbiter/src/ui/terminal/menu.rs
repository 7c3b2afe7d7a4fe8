//! The menu: which game, who sits where, with which options and times. Ranges are those of the rules; what is wrong is
//! said by whoever checks the choice.

use super::colours::Look;
use super::keys::{Command, HELP};
use super::screen::{Button, Page, buttons, outline, put, wrap};
use super::{Session, Signal, board::Direction, keys};
use arbiter_rules::options::{OptionInfo, OptionKind};
use arbiter_rules::{GameInfo, registry};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use std::io;
use std::time::Duration;

/// Times that can be chosen; others can be given on the command line.
const TIMES: [&str; 5] = ["1s a move", "5s a move", "100ms a move", "60s+0.5s clock", "no clock"];
/// Longest value that can be typed.
const LONGEST: usize = 40;

/// A bot that can be sat down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotChoice {
    /// Its file.
    pub file: String,
    /// Its name, made harmless.
    pub name: String,
    /// The games that it plays; none for any.
    pub games: Vec<String>,
}

/// The menu as it stands.
pub struct Menu {
    look: Look,
    bots: Vec<BotChoice>,
    game: usize,
    players: usize,
    /// Who sits in each seat: 0 for a person, otherwise a bot.
    seats: [usize; 6],
    /// What was chosen for the options of the game; empty for the default.
    options: Vec<String>,
    time: usize,
    games: u32,
    row: usize,
    top: usize,
    page: Option<Page>,
    alert: String,
    places: Vec<(Rect, Click)>,
}

/// A line of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Game,
    Players,
    Seat(usize),
    Option(usize),
    Time,
    Games,
    Start,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Click {
    Change(usize, isize),
    Press(Command),
}

/// What came of the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Play this: the arguments of a command line.
    Play(Vec<String>),
    /// Leave.
    Leave,
}

impl Menu {
    /// A menu with these bots.
    #[must_use]
    pub fn new(look: Look, bots: Vec<BotChoice>) -> Menu {
        let mut menu = Menu {
            look,
            bots,
            game: 0,
            players: 2,
            seats: [0; 6],
            options: Vec::new(),
            time: 0,
            games: 1,
            row: 0,
            top: 0,
            page: None,
            alert: String::new(),
            places: Vec::new(),
        };
        menu.choose_game(0);
        menu
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
            let command = match session.wait(Duration::from_secs(3600)) {
                Signal::Key(key) => self.key(&key),
                Signal::Mouse(event) => self.mouse(&event),
                Signal::Stop => return Ok(Chosen::Leave),
                Signal::Resized | Signal::Changed | Signal::Nothing => None,
            };
            match command {
                Some(Command::Suspend) => session.suspend()?,
                Some(command) => {
                    if let Some(chosen) = self.obey(&command) {
                        return Ok(chosen);
                    }
                }
                None => {}
            }
        }
    }

    fn info(&self) -> &'static GameInfo {
        registry::GAMES[self.game]
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::Game, Row::Players];
        rows.extend((0..self.players).map(Row::Seat));
        rows.extend((0..self.info().options.len()).map(Row::Option));
        rows.extend([Row::Time, Row::Games, Row::Start]);
        rows
    }

    fn choose_game(&mut self, game: usize) {
        self.game = game;
        self.players = self.info().seats.first().copied().unwrap_or(2);
        self.options = vec![String::new(); self.info().options.len()];
        self.seats = [0; 6];
    }

    /// The bots that play this game, by their places in the list.
    fn fitting(&self) -> Vec<usize> {
        let id = self.info().id;
        let plays = |bot: &BotChoice| bot.games.is_empty() || bot.games.iter().any(|game| game == id);
        self.bots.iter().enumerate().filter(|(_, bot)| plays(bot)).map(|(index, _)| index + 1).collect()
    }

    fn key(&self, key: &KeyEvent) -> Option<Command> {
        use ratatui::crossterm::event::{KeyCode, KeyEventKind};
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let is_typing = matches!(self.rows().get(self.row), Some(Row::Option(_) | Row::Games));
        match key.code {
            KeyCode::Backspace => Some(Command::Rub),
            KeyCode::Char(c) if is_typing && c.is_ascii_digit() => Some(Command::Letter(c)),
            _ => keys::command(key),
        }
    }

    fn mouse(&self, event: &MouseEvent) -> Option<Command> {
        match event.kind {
            MouseEventKind::ScrollUp => return Some(Command::Move(Direction::Up)),
            MouseEventKind::ScrollDown => return Some(Command::Move(Direction::Down)),
            MouseEventKind::Down(MouseButton::Left) => {}
            _ => return None,
        }
        let is_in = |area: &Rect| {
            (area.x..area.right()).contains(&event.column) && (area.y..area.bottom()).contains(&event.row)
        };
        let (_, click) = self.places.iter().find(|(area, _)| is_in(area))?;
        match click {
            Click::Press(command) => Some(command.clone()),
            Click::Change(row, by) => {
                // A click changes the line that it hits, whatever line was chosen before.
                Some(Command::Unknown(format!("{row} {by}")))
            }
        }
    }

    fn obey(&mut self, command: &Command) -> Option<Chosen> {
        self.alert.clear();
        if let Some(page) = &mut self.page {
            match command {
                Command::Move(Direction::Up) => page.top = page.top.saturating_sub(1),
                Command::Move(Direction::Down) => page.top += 1,
                Command::Pick => page.top += 10,
                _ => self.page = None,
            }
            return None;
        }
        let last = self.rows().len() - 1;
        match command {
            Command::Quit | Command::Interrupt | Command::Escape => return Some(Chosen::Leave),
            Command::Move(Direction::Up) | Command::Previous => self.row = self.row.saturating_sub(1),
            Command::Move(Direction::Down) | Command::Next => self.row = (self.row + 1).min(last),
            Command::Move(Direction::Left) => self.change(self.row, -1),
            Command::Move(Direction::Right) | Command::Pick if self.row < last => self.change(self.row, 1),
            Command::First => self.row = 0,
            Command::Last => self.row = last,
            Command::Finish | Command::Pick | Command::Move(Direction::Right) => {
                if self.row == last || *command == Command::Finish {
                    return Some(Chosen::Play(self.arguments()));
                }
            }
            Command::Letter(c) => self.type_on(*c),
            Command::Rub => self.rub(),
            Command::Rules => {
                let info = self.info();
                let text = format!("{}\n{}", info.page, info.options_page());
                self.page = Some(Page::new(format!("Rules of {}", info.title), &text));
            }
            Command::Help => self.page = Some(Page::new("Keys", HELP)),
            Command::Unknown(text) => {
                let clicked =
                    text.split_once(' ').and_then(|(row, by)| Some((row.parse().ok()?, by.parse().ok()?)));
                match clicked {
                    Some((row, by)) => {
                        self.row = row;
                        if row == last {
                            return Some(Chosen::Play(self.arguments()));
                        }
                        self.change(row, by);
                    }
                    None => self.alert = keys::no_such_key(text),
                }
            }
            _ => self.alert = "That key is for games.".to_owned(),
        }
        self.row = self.row.min(self.rows().len() - 1);
        None
    }

    /// The next or the previous value of a line.
    fn change(&mut self, row: usize, by: isize) {
        let turn =
            |value: usize, count: usize| (value as isize + by).rem_euclid(count.max(1) as isize) as usize;
        match self.rows()[row] {
            Row::Game => self.choose_game(turn(self.game, registry::GAMES.len())),
            Row::Players => {
                let seats = self.info().seats;
                let here = seats.iter().position(|&count| count == self.players).unwrap_or(0);
                self.players = seats[turn(here, seats.len())];
            }
            Row::Seat(seat) => {
                let choices: Vec<usize> = std::iter::once(0).chain(self.fitting()).collect();
                let here = choices.iter().position(|&choice| choice == self.seats[seat]).unwrap_or(0);
                self.seats[seat] = choices[turn(here, choices.len())];
            }
            Row::Option(index) => {
                let values = values(&self.info().options[index]);
                let here = values.iter().position(|value| *value == self.options[index]).unwrap_or(0);
                self.options[index].clone_from(&values[turn(here, values.len())]);
            }
            Row::Time => self.time = turn(self.time, TIMES.len()),
            Row::Games => self.games = self.games.saturating_add_signed(by as i32).max(1),
            Row::Start => {}
        }
    }

    fn type_on(&mut self, c: char) {
        match self.rows()[self.row] {
            Row::Option(index) if self.options[index].len() < LONGEST => self.options[index].push(c),
            Row::Games => {
                let typed = u64::from(self.games) * 10 + u64::from(c.to_digit(10).unwrap_or(0));
                self.games = u32::try_from(typed).unwrap_or(self.games).min(1_000_000);
            }
            _ => {}
        }
    }

    fn rub(&mut self) {
        match self.rows()[self.row] {
            Row::Option(index) => drop(self.options[index].pop()),
            Row::Games => self.games /= 10,
            _ => {}
        }
    }

    /// The command line that plays what has been chosen.
    fn arguments(&self) -> Vec<String> {
        let mut arguments = vec!["--game".to_owned(), self.info().id.to_owned()];
        arguments.extend(["--players".to_owned(), self.players.to_string()]);
        for (seat, &who) in self.seats.iter().enumerate().take(self.players) {
            let who = who.checked_sub(1).and_then(|bot| self.bots.get(bot)).map_or("human", |bot| &bot.file);
            arguments.push(format!("--seat={}={who}", seat + 1));
        }
        for (option, value) in
            self.info().options.iter().zip(&self.options).filter(|(_, value)| !value.is_empty())
        {
            arguments.push(format!("-O{}={value}", option.name));
        }
        let time = TIMES[self.time].split(' ').next().unwrap_or_default();
        arguments.push(match TIMES[self.time] {
            "no clock" => "--no-clock".to_owned(),
            text if text.ends_with("clock") => format!("--clock={time}"),
            _ => format!("--move-time={time}"),
        });
        if self.games > 1 {
            arguments.push(format!("--games={}", self.games));
        }
        if self.seats[..self.players].iter().all(|&who| who != 0) {
            arguments.extend(["--watch".to_owned(), "--delay=300ms".to_owned()]);
        }
        arguments
    }

    /// A line as name, value and what may be chosen.
    fn line(&self, row: Row) -> (String, String, String) {
        match row {
            Row::Game => {
                ("Game".to_owned(), self.info().title.to_owned(), format!("1 of {}", registry::GAMES.len()))
            }
            Row::Players => {
                let seats: Vec<_> = self.info().seats.iter().map(usize::to_string).collect();
                ("Players".to_owned(), self.players.to_string(), seats.join(", "))
            }
            Row::Seat(seat) => {
                let bot = self.seats[seat].checked_sub(1).and_then(|bot| self.bots.get(bot));
                let who =
                    bot.map_or("a person here".to_owned(), |bot| format!("{} ({})", bot.name, bot.file));
                (
                    format!("Seat {}", seat + 1),
                    who,
                    format!("a person, or {} bots found", self.fitting().len()),
                )
            }
            Row::Option(index) => {
                let option = &self.info().options[index];
                let value = &self.options[index];
                let value =
                    if value.is_empty() { format!("{} (default)", option.default) } else { value.clone() };
                (option.name.to_owned(), value, option.kind.to_string())
            }
            Row::Time => ("Time of bots".to_owned(), TIMES[self.time].to_owned(), String::new()),
            Row::Games => ("Games".to_owned(), self.games.to_string(), "1 or more".to_owned()),
            Row::Start => ("Start".to_owned(), String::new(), String::new()),
        }
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        self.places.clear();
        let bold = Style::default().add_modifier(Modifier::BOLD);
        put(buf, area, 1, "arbiter   a referee for board games", bold);
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(4), ..area };
        outline(body, self.look.charset, " What shall be played? ", buf);
        let rows = self.rows();
        let room = usize::from(body.height.saturating_sub(2)).max(1);
        self.top = self.top.min(self.row).max((self.row + 1).saturating_sub(room));
        let mut cursor = None;
        for (place, index) in (self.top..rows.len().min(self.top + room)).enumerate() {
            let y = body.y + 1 + place as u16;
            let line = Rect { x: body.x + 1, y, width: body.width.saturating_sub(2), height: 1 };
            let (name, value, range) = self.line(rows[index]);
            let is_here = index == self.row;
            let style = if is_here { bold.add_modifier(Modifier::REVERSED) } else { Style::default() };
            let mark = if is_here { ">" } else { " " };
            let text = match rows[index] {
                Row::Start => format!("{mark} [Start]"),
                _ => format!("{mark} {name:<13} < {value} >"),
            };
            put(buf, line, 0, &text, style);
            let end = text.chars().count() as u16;
            let range = format!("  {range}");
            put(
                buf,
                line,
                end.max(46.min(line.width.saturating_sub(range.len() as u16))),
                &range,
                Style::default(),
            );
            if is_here {
                cursor = Some((line.x, y));
            }
            self.places.push((Rect { width: 18, ..line }, Click::Change(index, -1)));
            self.places.push((
                Rect { x: line.x + 18, width: line.width.saturating_sub(18), ..line },
                Click::Change(index, 1),
            ));
        }
        let about = match rows[self.row] {
            Row::Option(index) => self.info().options[index].about,
            Row::Seat(_) if self.bots.is_empty() => {
                "No bots were found: arbiter --bots DIR looks into another folder."
            }
            _ => "",
        };
        let message = if self.alert.is_empty() { about } else { &self.alert };
        for (row, line) in wrap(message, area.width.saturating_sub(2)).iter().take(2).enumerate() {
            let style = if self.alert.is_empty() { Style::default() } else { self.look.palette.alert() };
            put(buf, Rect { y: body.bottom() + row as u16, height: 1, ..area }, 1, line, style);
        }
        if let Some(page) = &self.page {
            page.draw(body, self.look.charset, buf);
        }
        let row = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        let list = [
            Button::new("Enter Start", Command::Finish),
            Button::new("F1 Rules", Command::Rules),
            Button::new("? Keys", Command::Help),
            Button::new("q Quit", Command::Quit),
        ];
        let pressed = buttons(&list, row, buf);
        self.places.splice(0..0, pressed.into_iter().map(|(area, command)| (area, Click::Press(command))));
        cursor
    }
}

/// What can be chosen for an option without typing; the empty text stands for the default.
fn values(option: &OptionInfo) -> Vec<String> {
    let mut values = vec![String::new()];
    match option.kind {
        OptionKind::Flag => values.extend(["true", "false"].map(str::to_owned)),
        OptionKind::Number(least, most) => {
            values.extend((least..=most.min(least + 100)).map(|n| n.to_string()))
        }
        OptionKind::OffOrFrom(least) => {
            values.extend(std::iter::once(0).chain(least..least + 100).map(|n| n.to_string()));
        }
        OptionKind::Word(words) => values.extend(words.iter().map(|&word| word.to_owned())),
        OptionKind::Shorthand(_) => {}
    }
    values
}
