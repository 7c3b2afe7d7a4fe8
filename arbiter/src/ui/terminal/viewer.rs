//! A person in front of the screen: what is shown of the games, and what keys and clicks do.

use super::board::Board;
use super::colours::Look;
use super::keys::{self, Command, no_such_key};
use super::screen::{Button, Drawn, Page, Screen, Switches};
use super::{mouse, side};
use crate::player::{Desk, OpenTurn, Refused, Touch, TurnId};
use crate::ui::log::{Log, Next, What};
use crate::ui::story::Story;
use crate::ui::words;
use arbiter_rules::draw::{Marks, draw};
use arbiter_rules::{MoveList, Position};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest text that can be typed.
const LONGEST: usize = 400;
/// Games that are kept for looking back at; older ones are in the report.
const KEPT: usize = 200;
/// How long a picture of a replay stays at speed 1.
const PACE: Duration = Duration::from_millis(1000);

/// What the person is here for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To play.
    Play,
    /// To watch games that are being played.
    Watch,
    /// To look at games that were played.
    Replay,
    /// To be shown around: a replay that goes on by itself and ends by itself.
    Tour,
}

/// What the person has decided about leaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// Nothing.
    No,
    /// Leave; open games are forfeited.
    Asked,
    /// Leave now, whatever runs.
    AtOnce,
}

/// Something only the owner of the terminal can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Stop the program for a while.
    Suspend,
    /// Mouse on or off.
    ToggleMouse,
}

/// What has to be answered with yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Leave,
    Resign,
}

/// Everything that a view knows.
pub struct Viewer {
    mode: Mode,
    look: Look,
    log: Arc<Log>,
    desk: Option<Arc<Desk>>,
    next: u64,
    is_over: bool,
    games_asked: u32,
    stories: BTreeMap<u32, Story>,
    shown: u32,
    /// Which picture is shown; `None` for the newest.
    ply: Option<usize>,
    cursor: u16,
    wished: u16,
    switches: Switches,
    is_turned: bool,
    alert: String,
    message: String,
    typing: Option<String>,
    page: Option<Page>,
    question: Option<Question>,
    leaving: Leaving,
    drawn: Drawn,
    is_playing: bool,
    speed: i32,
    stepped: Instant,
    /// What only the owner of the terminal can do, for the next look.
    pub(super) wish: Option<Wish>,
}

impl Viewer {
    /// A view of the games of a log. People play through the desk.
    #[must_use]
    pub fn new(mode: Mode, look: Look, log: Arc<Log>, desk: Option<Arc<Desk>>, games_asked: u32) -> Viewer {
        Viewer {
            mode,
            look,
            log,
            desk,
            next: 0,
            is_over: false,
            games_asked,
            stories: BTreeMap::new(),
            shown: 0,
            ply: None,
            cursor: 0,
            wished: 0,
            switches: Switches { hints: true, named_cells: false, bot: true, turns: 0 },
            is_turned: false,
            alert: String::new(),
            message: String::new(),
            typing: None,
            page: None,
            question: None,
            leaving: Leaving::No,
            drawn: Drawn::default(),
            is_playing: mode == Mode::Tour,
            speed: 0,
            stepped: Instant::now(),
            wish: None,
        }
    }

    /// A view of games that are over.
    #[must_use]
    pub fn of_stories(mode: Mode, look: Look, stories: Vec<Story>) -> Viewer {
        let count = stories.len() as u32;
        let mut viewer = Viewer::new(mode, look, Arc::new(Log::default()), None, count);
        viewer.log.close();
        viewer.shown = stories.first().map_or(0, |story| story.game);
        viewer.stories = stories.into_iter().map(|story| (story.game, story)).collect();
        viewer.ply = Some(0);
        viewer
    }

    /// Shows this game at this picture.
    pub fn go_to(&mut self, game: u32, ply: usize) {
        self.shown = game;
        self.ply = Some(ply);
    }

    /// What the person has decided.
    #[must_use]
    pub fn leaving(&self) -> Leaving {
        self.leaving
    }

    /// The program is to stop.
    pub fn stop(&mut self) {
        self.leaving = Leaving::AtOnce;
    }

    /// Reads what is new in the log.
    pub fn hear(&mut self) {
        loop {
            match self.log.at(self.next) {
                Next::Entry(entry) => {
                    self.next = entry.id + 1;
                    if let What::Started { seats, max_errors, position } = &entry.what {
                        let story =
                            Story::begin(entry.game, Arc::clone(seats), *max_errors, Arc::clone(position));
                        self.stories.insert(entry.game, story);
                        self.forget_old_games();
                    }
                    if let Some(story) = self.stories.get_mut(&entry.game) {
                        story.hear(&entry);
                    }
                    if entry.game == self.shown && !matches!(entry.what, What::Drafted(_)) {
                        self.alert.clear();
                    }
                }
                Next::Nothing => break,
                Next::End => {
                    self.is_over = true;
                    break;
                }
            }
        }
        self.choose_game();
    }

    /// Shows a first game, and in a live view the next one when one is over.
    fn choose_game(&mut self) {
        if !self.stories.contains_key(&self.shown)
            && let Some((&game, _)) = self.stories.first_key_value()
        {
            self.show_game(game);
        }
        let is_done = self.story().is_some_and(|story| story.ended.is_some());
        if self.mode == Mode::Watch && self.ply.is_none() && is_done {
            let running = self.stories.iter().filter(|(_, story)| story.ended.is_none());
            if let Some(game) = running.map(|(&game, _)| game).find(|&game| game > self.shown) {
                self.show_game(game);
            }
        }
        self.turn_home();
    }

    fn show_game(&mut self, game: u32) {
        (self.shown, self.is_turned) = (game, false);
        self.cursor = 0;
        self.alert.clear();
    }

    /// Turns the board once so that the home of the person who plays is at the bottom.
    fn turn_home(&mut self) {
        let Some(story) = self.story().filter(|_| !self.is_turned && self.mode == Mode::Play) else { return };
        let Some(seat) = story.seats.iter().position(|sitter| sitter.is_person) else { return };
        let start = &story.frames[0].position;
        let board = Board::of(&start.scene(self.look.charset));
        let own: Vec<usize> = words::cells(&**start)
            .iter()
            .enumerate()
            .filter(|(_, content)| usize::from(**content) == seat + 1)
            .map(|(cell, _)| cell)
            .collect();
        let depth = |turns: u8| -> u32 {
            let turned = board.turned(turns);
            own.iter().map(|&cell| u32::from(turned.cells[cell].1)).sum()
        };
        // Only boards that look the same all round are turned: others keep the way round that people know.
        let is_round = board.labels.is_empty() && board.turned(6) == board && board.turned(1) != board;
        let best = if is_round { (0..6).max_by_key(|&turns| (depth(turns), 6 - turns)) } else { None };
        self.switches.turns = best.unwrap_or(0);
        self.is_turned = true;
    }

    fn forget_old_games(&mut self) {
        while self.stories.len() > KEPT {
            let old = self.stories.iter().find(|(game, story)| **game != self.shown && story.ended.is_some());
            let Some((&game, _)) = old else { break };
            self.stories.remove(&game);
        }
    }

    fn story(&self) -> Option<&Story> {
        self.stories.get(&self.shown)
    }

    /// The open turn of a person, while it is shown.
    fn turn(&self) -> Option<&OpenTurn> {
        self.story()?.draft.as_ref().filter(|_| self.mode == Mode::Play)
    }

    fn newest(&self) -> usize {
        self.story().map_or(0, |story| story.frames.len() - 1)
    }

    fn ply(&self) -> usize {
        self.ply.unwrap_or(usize::MAX).min(self.newest())
    }

    /// How long nothing needs to be drawn if nothing happens.
    #[must_use]
    pub fn patience(&self) -> Duration {
        if self.is_playing {
            return self.pace().saturating_sub(self.stepped.elapsed()).max(Duration::from_millis(1));
        }
        let Some(story) = self.story() else { return Duration::from_secs(60) };
        let seat = story.asked.map(|asked| asked.seat);
        match seat.and_then(|seat| side::left(story, seat)) {
            Some(left) if left < Duration::from_secs(10) => Duration::from_millis(100),
            Some(_) => Duration::from_secs(1),
            None => Duration::from_secs(60),
        }
    }

    fn pace(&self) -> Duration {
        PACE.mul_f64(0.5_f64.powi(self.speed))
    }

    /// Moves a replay on when it is time; false when a tour is over.
    pub fn tick(&mut self) -> bool {
        if !self.is_playing || self.stepped.elapsed() < self.pace() {
            return true;
        }
        self.stepped = Instant::now();
        if self.ply() < self.newest() {
            self.ply = Some(self.ply() + 1);
            return true;
        }
        let next = self.stories.keys().copied().find(|&game| game > self.shown);
        match (self.mode, next) {
            (Mode::Tour, Some(game)) => {
                self.show_game(game);
                self.ply = Some(0);
                true
            }
            (Mode::Tour, None) => false,
            _ => {
                self.is_playing = false;
                true
            }
        }
    }

    /// Draws everything and remembers what can be clicked; says where the cursor is.
    pub fn draw(&mut self, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let Some(story) = self.stories.get(&self.shown) else {
            super::screen::put(
                buf,
                area,
                1,
                "Waiting for the first game...",
                ratatui::style::Style::default(),
            );
            return None;
        };
        let buttons = self.buttons(story);
        let corner = self.corner(story);
        let typing = self.typing.as_deref().map(|text| (self.question_of_typing(), text));
        let message = self.status(story);
        let screen = Screen {
            look: self.look,
            story,
            ply: self.ply(),
            corner: &corner,
            cursor: self.turn().map(|_| self.cursor),
            draft: self.turn(),
            alert: &self.alert,
            message: &message,
            happened: &self.happened(story),
            typing,
            page: self.page.as_ref(),
            buttons: &buttons,
            switches: self.switches,
        };
        let drawn = screen.draw(area, buf);
        self.drawn = drawn;
        self.drawn.cursor
    }

    /// Whether news may wait for the next picture: not for somebody whose move it is.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        self.turn().is_none()
    }

    /// The position has been drawn: a person's clock runs from now on.
    pub fn was_shown(&mut self) {
        let Some(id) = self.turn().filter(|turn| turn.running_since.is_none()).map(|turn| turn.id) else {
            return;
        };
        let Some(desk) = &self.desk else { return };
        desk.shown(id);
        let running_since = desk.turn().filter(|turn| turn.id == id).and_then(|turn| turn.running_since);
        let draft = self.stories.get_mut(&self.shown).and_then(|story| story.draft.as_mut());
        if let Some(draft) = draft {
            draft.running_since = running_since;
        }
    }

    fn corner(&self, story: &Story) -> String {
        let game = format!("game {} of {}", story.game, self.games_asked.max(story.game));
        match self.mode {
            Mode::Play => game,
            Mode::Watch if self.ply.is_some() => format!("{game}  frozen at {}", self.ply()),
            Mode::Watch => {
                let running = self.stories.values().filter(|story| story.ended.is_none()).count();
                if running > 1 { format!("{game}  {running} running") } else { format!("{game}  live") }
            }
            Mode::Replay | Mode::Tour => {
                let state = if self.is_playing { "playing" } else { "paused" };
                format!("{game}  move {} of {}  {state}", self.ply(), self.newest())
            }
        }
    }

    /// What has happened since the person's own last move, or in the picture that is shown.
    fn happened(&self, story: &Story) -> String {
        let shown = self.ply();
        let is_own = |index: usize| {
            let moved = story.frames[index].moved.as_ref();
            moved.is_some_and(|moved| story.seats[moved.seat.index()].is_person)
        };
        let first = match self.mode {
            Mode::Play => (1..=shown).rev().find(|&index| is_own(index)).unwrap_or(0),
            Mode::Watch | Mode::Replay | Mode::Tour => shown,
        };
        let first = first.max(shown.saturating_sub(5));
        let sentences = story.frames[first..=shown].iter().flat_map(|frame| frame.sentences.iter());
        sentences.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Whose turn it is and what else the person must know.
    fn status(&self, story: &Story) -> String {
        let mut parts = Vec::new();
        let position = &story.frames[self.ply()].position;
        if self.mode == Mode::Play {
            match (self.turn(), position.to_move()) {
                (Some(turn), Some(seat)) => {
                    parts.push(words::to_move(seat, &**position, &story.seats, self.look.charset));
                    if position.legal_count() == 1 {
                        parts.push("Only move.".to_owned());
                    }
                    parts.extend(side::time_short(story));
                    if turn.draft.cells.is_empty() && !turn.view.must.is_empty() {
                        parts.push("Pieces marked ! must leave.".to_owned());
                    }
                }
                (None, Some(seat)) if story.ended.is_none() && !story.seats[seat.index()].is_person => {
                    parts.push(format!("{} is thinking.", words::who(seat, &story.seats)));
                }
                _ => {}
            }
            if self.leaving == Leaving::Asked {
                parts.push("Leaving after this move; Ctrl-C leaves at once.".to_owned());
            }
        }
        if !self.message.is_empty() {
            parts.push(self.message.clone());
        }
        parts.join(" ")
    }

    fn question_of_typing(&self) -> &'static str {
        if self.mode == Mode::Play { "Move:" } else { "Go to move:" }
    }

    fn buttons(&self, story: &Story) -> Vec<Button> {
        let button = |label: &str, command| Button::new(label, command);
        if self.question.is_some() {
            return vec![button("y Yes", Command::Letter('y')), button("n No", Command::Escape)];
        }
        if self.typing.is_some() {
            return vec![button("Enter OK", Command::Finish), button("Esc Cancel", Command::Escape)];
        }
        if self.page.is_some() {
            return vec![button("Esc Close", Command::Escape)];
        }
        let mut buttons = Vec::new();
        match (self.mode, self.turn()) {
            (Mode::Play, Some(turn)) => {
                for action in &turn.view.actions {
                    let key = action.id.chars().next().unwrap_or(' ');
                    buttons.push(Button::new(format!("{key} {}", action.label), Command::Act(key)));
                }
                if turn.view.can_finish {
                    buttons.push(button("Enter Finish", Command::Finish));
                }
                if !turn.draft.cells.is_empty() {
                    buttons.push(button("u Undo", Command::Undo));
                }
                buttons.push(button("t Type", Command::Type));
                buttons.push(button("h Hints", Command::Hints));
            }
            (Mode::Play, None) if story.ended.is_some() => {
                let label = if self.has_more() { "Enter Next game" } else { "Enter Close" };
                buttons.push(button(label, Command::Finish));
            }
            (Mode::Play, None) => {}
            (Mode::Watch, _) => {
                let label = if self.ply.is_some() { ". Live" } else { "Space Freeze" };
                let command = if self.ply.is_some() { Command::Live } else { Command::Pick };
                buttons.push(button(label, command));
                buttons.push(button("Tab Next game", Command::Next));
            }
            (Mode::Replay | Mode::Tour, _) => {
                buttons.push(button("< Back", Command::Move(super::board::Direction::Left)));
                buttons.push(button("> On", Command::Move(super::board::Direction::Right)));
                buttons.push(button("Space Play", Command::Pick));
                if self.stories.len() > 1 {
                    buttons.push(button("Down Next game", Command::Move(super::board::Direction::Down)));
                }
            }
        }
        buttons.extend(keys::standing_buttons());
        buttons
    }

    /// Whether games come after the one that is shown.
    fn has_more(&self) -> bool {
        self.stories.keys().any(|&game| game > self.shown) || !self.is_over && self.shown < self.games_asked
    }

    /// A key was pressed.
    pub fn key(&mut self, key: &KeyEvent) {
        let command = if self.typing.is_some() { keys::while_typing(key) } else { self.command_of_key(key) };
        if let Some(command) = command {
            self.obey(&command);
        }
    }

    fn command_of_key(&self, key: &KeyEvent) -> Option<Command> {
        use ratatui::crossterm::event::KeyCode;
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
    pub fn mouse(&mut self, event: &MouseEvent) {
        if let Some(command) = mouse::command(event, &self.drawn, self.mode, self.page.is_some()) {
            self.obey(&command);
        }
    }

    /// Does what the person wants.
    fn obey(&mut self, command: &Command) {
        self.alert.clear();
        self.message.clear();
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
            Command::Coordinates => self.switches.named_cells ^= true,
            Command::Bot => self.switches.bot ^= true,
            Command::Turn => self.switches.turns = (self.switches.turns + 1) % 6,
            Command::Mouse => self.wish = Some(Wish::ToggleMouse),
            Command::Save => self.save(),
            Command::Help => self.page = Some(Page::new("Keys", keys::HELP)),
            Command::Rules => {
                if let Some(info) = self.story().map(|story| story.now().position.info()) {
                    let text = format!("{}\n{}", info.page, info.options_page());
                    self.page = Some(Page::new(format!("Rules of {}", info.title), &text));
                }
            }
            Command::Legal => self.list_moves(),
            Command::Type => self.typing = Some(String::new()),
            Command::Unknown(key) => self.alert = no_such_key(key),
            Command::Letter(c) => self.alert = no_such_key(&c.escape_debug().to_string()),
            command if self.mode == Mode::Play => self.play(command),
            command => self.step(command),
        }
    }

    /// What a command does for somebody who plays.
    fn play(&mut self, command: &Command) {
        match command {
            Command::Move(direction) => self.move_cursor(*direction),
            Command::Pick => self.pick(),
            Command::PickCell(cell) => {
                self.set_cursor(*cell);
                self.pick();
            }
            Command::Act(letter) => self.press(*letter),
            Command::Finish => match self.story().map(|story| story.ended.is_some()) {
                Some(true) => self.next_game(),
                _ => self.touch(&Touch::Finish),
            },
            Command::Undo => self.touch(&Touch::Back),
            Command::Escape => self.touch(&Touch::Clear),
            Command::Next => self.next_target(1),
            Command::Previous => self.next_target(-1),
            Command::Resign => {
                self.question = self.turn().map(|_| Question::Resign);
                self.alert = "Resign? The game is lost then. y/N".to_owned();
            }
            _ => self.alert = "That key is for replays and live views.".to_owned(),
        }
    }

    /// Picks the cell under the cursor, or presses the first action where it has been picked already.
    fn pick(&mut self) {
        let action = self.turn().and_then(|turn| {
            let is_picked = turn.draft.cells == [self.cursor];
            turn.view.actions.first().filter(|_| is_picked).copied()
        });
        match action {
            Some(action) => self.touch(&Touch::Act(action.id.to_owned())),
            None => self.touch(&Touch::Pick(self.cursor)),
        }
    }

    /// Presses the action with this letter, on the cell under the cursor if none has been picked. Where the game has
    /// no such action, `p` picks.
    fn press(&mut self, letter: char) {
        let is_picked = self.turn().is_some_and(|turn| turn.draft.cells.last() == Some(&self.cursor));
        let has_action = |viewer: &Viewer| {
            viewer.desk.as_ref().and_then(|desk| desk.turn()).and_then(|turn| turn.action(letter))
        };
        if !is_picked || has_action(self).is_none() {
            let is_game_of_actions = self.turn().is_some_and(|turn| turn.draft.cells.len() <= 1);
            if letter != 'p' && !is_game_of_actions {
                self.alert = no_such_key(&letter.to_string());
                return;
            }
            self.touch(&Touch::Pick(self.cursor));
        }
        if let Some(action) = has_action(self) {
            self.touch(&Touch::Act(action.id.to_owned()));
        } else if letter != 'p' && self.alert.is_empty() {
            self.touch(&Touch::Clear);
            self.alert = no_such_key(&letter.to_string());
        }
    }

    /// Passes a touch on to the desk, and says why if nothing came of it.
    fn touch(&mut self, touch: &Touch) {
        let done = match (&self.desk, self.turn().map(|turn| turn.id)) {
            (Some(desk), Some(id)) => self.touch_turn(desk, id, touch),
            _ => Err(self.why_not()),
        };
        if let Err(refused) = done {
            self.alert = refused.sentence;
        }
    }

    fn touch_turn(&self, desk: &Desk, id: TurnId, touch: &Touch) -> Result<(), Refused> {
        desk.touch(id, touch).map(|_| ())
    }

    /// Why nothing can be touched now.
    fn why_not(&self) -> Refused {
        let Some(story) = self.story() else { return Refused::stale() };
        match (&story.ended, story.asked) {
            (Some(ended), _) => Refused { code: "game-over", sentence: format!("The game is over. {ended}") },
            (None, Some(asked)) => Refused::not_your_turn(asked.seat),
            (None, None) => Refused::stale(),
        }
    }

    fn board(&self) -> Option<Board> {
        let story = self.story()?;
        let board = Board::of(&story.now().position.scene(self.look.charset));
        Some(board.turned(self.switches.turns))
    }

    fn set_cursor(&mut self, cell: u16) {
        let Some(board) = self.board() else { return };
        self.cursor = cell;
        self.wished = board.cells[usize::from(cell)].0;
    }

    fn move_cursor(&mut self, direction: super::board::Direction) {
        use super::board::Direction;
        let Some(board) = self.board() else { return };
        if let Some(cell) = board.beside(self.cursor, direction, self.wished) {
            self.cursor = cell;
            if matches!(direction, Direction::Left | Direction::Right) {
                self.wished = board.cells[usize::from(cell)].0;
            }
        }
    }

    /// The next cell that can be picked, in the order in which one reads the board.
    fn next_target(&mut self, by: isize) {
        let (Some(board), Some(turn)) = (self.board(), self.turn()) else {
            self.alert = self.why_not().sentence;
            return;
        };
        let mut targets = turn.view.targets.clone();
        targets.sort_by_key(|&cell| {
            let (x, y) = board.cells[usize::from(cell)];
            (y, x)
        });
        if targets.is_empty() {
            return;
        }
        let here = targets.iter().position(|&cell| cell == self.cursor);
        let next = match here {
            Some(here) => (here as isize + by).rem_euclid(targets.len() as isize) as usize,
            None if by > 0 => 0,
            None => targets.len() - 1,
        };
        self.set_cursor(targets[next]);
    }

    fn next_game(&mut self) {
        let next = self.stories.keys().copied().find(|&game| game > self.shown);
        match next {
            Some(game) => self.show_game(game),
            None if self.has_more() => self.message = "The next game has not begun yet.".to_owned(),
            None => self.leaving = Leaving::Asked,
        }
    }

    /// What a command does for somebody who looks on.
    fn step(&mut self, command: &Command) {
        use super::board::Direction;
        match command {
            Command::Move(Direction::Left) => self.ply = Some(self.ply().saturating_sub(1)),
            Command::Move(Direction::Right) => self.ply = Some((self.ply() + 1).min(self.newest())),
            Command::Move(Direction::Up) => self.other_game(-1),
            Command::Move(Direction::Down) => self.other_game(1),
            Command::First => self.ply = Some(0),
            Command::Last => self.ply = Some(self.newest()),
            Command::Live => self.ply = None,
            Command::Pick | Command::Act('p') if self.mode == Mode::Watch => {
                self.ply = if self.ply.is_some() { None } else { Some(self.ply()) };
            }
            Command::Pick | Command::Act('p') => {
                self.is_playing ^= true;
                self.stepped = Instant::now();
                if self.is_playing && self.ply() == self.newest() {
                    self.ply = Some(0);
                }
            }
            Command::Next if self.mode == Mode::Watch => self.other_running(1),
            Command::Previous if self.mode == Mode::Watch => self.other_running(-1),
            Command::Next => self.notable(1),
            Command::Previous => self.notable(-1),
            Command::Faster => self.set_speed(self.speed + 1),
            Command::Slower => self.set_speed(self.speed - 1),
            Command::Finish | Command::Escape | Command::PickCell(_) => {}
            _ => self.alert = "That key is for games that you play.".to_owned(),
        }
    }

    /// How fast a replay goes: every step is twice as fast.
    pub fn set_speed(&mut self, speed: i32) {
        self.speed = speed.clamp(-1, 6);
        let times = 2.0_f64.powi(self.speed);
        self.message = format!("Speed {times}x.");
    }

    fn other_game(&mut self, by: isize) {
        let games: Vec<u32> = self.stories.keys().copied().collect();
        self.other_of(&games, by);
    }

    fn other_running(&mut self, by: isize) {
        let running =
            self.stories.iter().filter(|(game, story)| story.ended.is_none() || **game == self.shown);
        let games: Vec<u32> = running.map(|(&game, _)| game).collect();
        self.other_of(&games, by);
        self.ply = None;
    }

    fn other_of(&mut self, games: &[u32], by: isize) {
        let Some(here) = games.iter().position(|&game| game == self.shown) else { return };
        let there = (here as isize + by).rem_euclid(games.len().max(1) as isize) as usize;
        self.show_game(games[there]);
        if self.mode != Mode::Watch {
            self.ply = Some(0);
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
            Some(ply) => self.ply = Some(ply),
            None => self.message = "Nothing more worth seeing in this direction.".to_owned(),
        }
    }

    /// A page is open: arrows leaf through it, anything else closes it.
    fn leaf(&mut self, command: &Command) {
        use super::board::Direction;
        let Some(page) = &mut self.page else { return };
        let last = page.lines.len().saturating_sub(1);
        match command {
            Command::Move(Direction::Up) => page.top = page.top.saturating_sub(1),
            Command::Move(Direction::Down) => page.top = (page.top + 1).min(last),
            Command::Pick => page.top = (page.top + 10).min(last),
            Command::First => page.top = 0,
            Command::Last => page.top = last,
            _ => self.page = None,
        }
    }

    fn type_on(&mut self, command: &Command) {
        let Some(text) = &mut self.typing else { return };
        match command {
            Command::Letter(c) if text.len() < LONGEST => text.push(*c),
            Command::Rub => drop(text.pop()),
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
                self.page = None;
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
        let position = &story.frames[ply].position;
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let names: Vec<_> = moves.iter().map(|&m| position.move_text(m)).collect();
        let title = format!("{} legal moves", names.len());
        self.page = Some(Page::new(title, &names.join("  ")));
    }

    /// Saves the position as text, in a file of its own.
    fn save(&mut self) {
        let ply = self.ply();
        let Some(story) = self.story() else { return };
        let frame = &story.frames[ply];
        let marks = Marks { last: frame.last().to_vec(), ..Marks::default() };
        let picture = picture(&*frame.position, &draw(&*frame.position, self.look.charset, &marks));
        let name = format!("{}-game{}-ply{ply}", frame.position.info().id, story.game);
        let file = (1..100).find_map(|number| {
            let tail = if number == 1 { String::new() } else { format!("-{number}") };
            let path = format!("{name}{tail}.txt");
            match File::create_new(&path) {
                Ok(file) => Some(Ok((path, file))),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
                Err(error) => Some(Err(error)),
            }
        });
        let saved = file
            .map(|file| file.and_then(|(path, mut file)| file.write_all(picture.as_bytes()).map(|()| path)));
        match saved {
            Some(Ok(path)) => self.message = format!("The board is saved in {path}."),
            Some(Err(error)) => self.alert = format!("The board cannot be saved: {error}."),
            None => self.alert = format!("There are 99 pictures of this position: {name}.txt and others."),
        }
    }
}

/// A drawing with the text of the position under it.
fn picture(position: &dyn Position, drawing: &str) -> String {
    format!("{drawing}{}\n", position.text())
}
