//! What is on the screen: the picture, its sentences, and what can be pressed.

use super::{Leaving, Mode, Viewer};
use crate::ui::log::What;
use crate::ui::story::Story;
use crate::ui::terminal::board::Direction;
use crate::ui::terminal::keys::{self, Command};
use crate::ui::terminal::screen::{Button, Screen, put};
use crate::ui::terminal::side;
use crate::ui::{After, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::time::Instant;

impl Viewer {
    /// Draws everything and remembers what can be clicked; says where the cursor is.
    pub fn draw(&mut self, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        self.go_on_with_output();
        self.go_on_with_review();
        let Some(story) = self.stories.get(&self.shown) else {
            put(buf, area, 1, "Waiting for the first game...", Style::default());
            return None;
        };
        let buttons = self.buttons(story);
        let corner = self.corner(story);
        let typing = self.typing.as_deref().map(|text| (self.question_of_typing(), text));
        let message = self.status(story);
        let falling = self.fall.show(story, self.ply());
        let pose = story.frames[self.ply()].pose.as_ref();
        let screen = Screen {
            look: self.look,
            story,
            ply: self.ply(),
            corner: &corner,
            cursor: self.turn().map(|_| self.cursor).or(pose.map(|pose| pose.cursor)),
            draft: self.turn().or(pose.map(|pose| &pose.turn)),
            alert: &self.alert,
            message: &message,
            happened: &self.happened(story),
            brief: &self.brief(story),
            typing,
            printed: self.printed(),
            page: self.page.as_ref(),
            buttons: &buttons,
            switches: self.switches,
            falling,
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

    /// Nobody can see the board for a while.
    pub fn look_away(&mut self) {
        if let Some(desk) = &self.desk {
            desk.away();
        }
    }

    /// The board can be seen again.
    pub fn look_back(&mut self) {
        let has_clock = self.turn().is_some_and(|turn| turn.hard.is_some());
        let absence = self.desk.as_ref().and_then(|desk| desk.back());
        if let Some(absence) = absence.filter(|absence| has_clock && absence.as_secs() > 0) {
            let text = format!("The clock stood still for {:.0} s.", absence.as_secs_f64());
            self.log.append(self.shown, What::Noted(text));
        }
    }

    /// A picture has been drawn that was begun at this time: a person's clock runs from now on, if the board is on it.
    pub fn was_shown(&mut self, begun: Instant) {
        if self.drawn.board.is_none() {
            if self.story().is_some() {
                self.look_away();
            }
            return;
        }
        self.look_back();
        if let Some(id) = self.turn().map(|turn| turn.id)
            && self.seen.is_none_or(|(seen, _)| seen != id)
        {
            self.seen = Some((id, begun));
        }
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
            Mode::Play if self.games_asked <= 1 => String::new(),
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
    fn happened(&self, story: &Story) -> Vec<String> {
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
        story.frames[first..=shown].iter().flat_map(|frame| frame.sentences.iter().cloned()).collect()
    }

    /// The last move in the fewest words: `2: c5.`.
    fn brief(&self, story: &Story) -> String {
        let moved = story.frames[self.ply()].moved.as_ref();
        moved.map_or(String::new(), |moved| format!("{}: {}.", moved.seat, moved.text))
    }

    /// Whose turn it is and what else the person must know.
    fn status(&self, story: &Story) -> String {
        let mut parts = Vec::new();
        let position = &story.frames[self.ply()].position;
        if self.mode == Mode::Play {
            match (self.turn(), position.to_move()) {
                (Some(turn), Some(seat)) => {
                    parts.push(words::to_move(seat, position, &story.seats, self.look.charset));
                    if position.legal_count() == 1 {
                        parts.push("Only move.".to_owned());
                    }
                    parts.extend(side::time_short(story));
                    if turn.draft.cells.is_empty() && !turn.view.must.is_empty() {
                        let cells = turn.view.must.iter().map(|&cell| position.cell_name(cell));
                        let cells: Vec<_> = cells.collect();
                        parts.push(format!("Pieces marked ! must leave: {}.", cells.join(" or ")));
                    }
                }
                _ if self.ply.is_some() => {
                    let back =
                        if story.ended.is_none() { ": any other key comes back to the game" } else { "" };
                    parts.push(format!("Move {} of {}{back}.", self.ply(), self.newest()));
                }
                (None, Some(seat)) if story.ended.is_none() && !story.seats[seat.index()].is_person => {
                    parts.push(format!("{} is thinking.", words::who(seat, &story.seats)));
                }
                _ => {}
            }
            if self.asks_to_go_on() {
                parts.push("Press Enter to go on.".to_owned());
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
        if self.error.is_some() {
            let mut buttons = vec![
                button("< Previous", Command::Move(Direction::Left)),
                button("> Next", Command::Move(Direction::Right)),
                button("Esc Close", Command::Escape),
            ];
            if story.refusals.len() < 2 {
                buttons.drain(..2);
            }
            return buttons;
        }
        if self.page.is_some() {
            return vec![button("Esc Close", Command::Escape)];
        }
        let mut buttons = Vec::new();
        match (self.mode, self.turn()) {
            (Mode::Play, Some(turn)) => {
                let actions = self.actions();
                let is_action = |done: &&str| actions.iter().any(|action| action.label == *done);
                if let Some(done) = self.what_enter_does().filter(|done| !is_action(done)) {
                    buttons.push(Button::new(format!("Enter {done}"), Command::Finish));
                }
                for action in actions {
                    let key = action.id.chars().next().unwrap_or(' ');
                    buttons.push(Button::new(format!("{key} {}", action.label), Command::Act(key)));
                }
                if !turn.draft.cells.is_empty() {
                    buttons.push(button("u Undo", Command::Undo));
                } else if turn.may_take_back {
                    buttons.push(button("u Take back", Command::Undo));
                }
                buttons.push(button("t Type", Command::Type));
                buttons.push(button("h Hints", Command::Hints));
            }
            (Mode::Play, None) if self.asks_to_go_on() => {
                buttons.push(button("Enter Go on", Command::Finish));
            }
            (Mode::Play, None) if story.ended.is_some() => {
                let label = if self.has_more() { "Enter Next game" } else { "Enter Close" };
                buttons.push(button(label, Command::Finish));
                if !self.has_more() {
                    buttons.push(button("a Again", Command::After(After::Again)));
                    buttons.push(button("w Swap", Command::After(After::Swapped)));
                    buttons.push(button("n New", Command::After(After::Another)));
                }
                buttons.push(button("v Review", Command::Review));
            }
            (Mode::Play, None) => {}
            (Mode::Watch, _) => {
                let label = if self.ply.is_some() { ". Live" } else { "Space Freeze" };
                let command = if self.ply.is_some() { Command::Live } else { Command::Pick };
                buttons.push(button(label, command));
                buttons.push(button("Tab Next game", Command::Next));
            }
            (Mode::Replay | Mode::Tour, _) => {
                buttons.push(button("< Back", Command::Move(Direction::Left)));
                buttons.push(button("> On", Command::Move(Direction::Right)));
                buttons.push(button("Space Play", Command::Pick));
                if self.stories.len() > 1 {
                    buttons.push(button("Down Next game", Command::Move(Direction::Down)));
                }
            }
        }
        if !story.refusals.is_empty() {
            buttons.push(button("e Errors", Command::Errors));
        }
        buttons.extend(keys::standing_buttons());
        if self.adviser.is_some() && self.turn().is_some() {
            buttons.push(button("H Advice", Command::Advice));
        }
        buttons
    }
}
