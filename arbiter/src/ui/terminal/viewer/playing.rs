//! What commands do for somebody who plays.

use super::{After, Leaving, Open, Question, Viewer};
use crate::player::{Refused, Touch};
use crate::ui::terminal::board::Board;
use crate::ui::terminal::keys::no_such_key;
use arbiter_rules::Seat;
use arbiter_rules::draft::{DraftAction, DraftStep};
use ratatui::crossterm::event::KeyCode;

/// The message about keys that were pressed before the turn, shown once it has begun.
const EARLY: &str = "What you did before your turn began was not played.";

impl Viewer {
    pub(super) fn play(&mut self, key: KeyCode) {
        let is_over = self.story().is_some_and(|story| story.ended.is_some());
        match key {
            // A game that is over is looked at, and then perhaps played again.
            KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right if is_over => self.step(key),
            KeyCode::Home | KeyCode::End | KeyCode::Char('.') if is_over => self.step(key),
            KeyCode::PageUp | KeyCode::PageDown if is_over => self.step(key),
            KeyCode::PageUp | KeyCode::PageDown => {
                self.step_by(if key == KeyCode::PageUp { -1 } else { 1 });
                self.shown.ply = self.shown.ply.filter(|&ply| ply < self.newest());
            }
            // Any other key comes back from an earlier picture.
            _ if !is_over && self.shown.ply.take().is_some() => {}
            KeyCode::Char('a') => self.play_after(After::Again, is_over),
            KeyCode::Char('w') => self.play_after(After::Swapped, is_over),
            KeyCode::Char('n') => self.play_after(After::Another, is_over),
            KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right => self.move_cursor(key),
            KeyCode::Char(' ') => self.pick(),
            KeyCode::Char(letter @ ('p' | 'r' | 's')) => self.press(letter),
            KeyCode::Enter if is_over => self.next_game(),
            KeyCode::Enter => self.finish(),
            KeyCode::Char(digit @ '0'..='9') => self.go_to_number(digit),
            KeyCode::Backspace | KeyCode::Char('u') => self.touch(&Touch::Back),
            KeyCode::Esc => self.touch(&Touch::Clear),
            KeyCode::Tab => self.next_target(1),
            KeyCode::BackTab => self.next_target(-1),
            KeyCode::Char('H') => self.ask_for_a_hint(),
            KeyCode::Char('R') if self.turn().is_none() => self.alert = self.why_not().sentence,
            KeyCode::Char('R') => self.open = Open::Question(Question::Resign),
            KeyCode::Home | KeyCode::End | KeyCode::Char('.' | '+' | '=' | '-') => {
                self.alert = "That key is for replays and live views.".to_owned();
            }
            key => self.alert = no_such_key(key),
        }
    }

    fn play_after(&mut self, after: After, is_over: bool) {
        match is_over && !self.has_more() {
            true => (self.after, self.leaving) = (Some(after), Leaving::Asked),
            false => self.alert = "That key is for when the last game is over.".to_owned(),
        }
    }

    /// Picks the cell under the cursor, or presses the first action where it has been picked already.
    fn pick(&mut self) {
        let action = self.turn().and_then(|turn| {
            let is_picked = turn.draft.cells == [self.shown.cursor];
            turn.view.actions.first().filter(|_| is_picked).copied()
        });
        match action {
            Some(action) => self.touch(&Touch::Act(action.id.to_owned())),
            None => self.touch(&Touch::Pick(self.shown.cursor)),
        }
    }

    /// Finishes the move; where it is not ready for that, picks the cell under the cursor, which is a whole move in most games.
    fn finish(&mut self) {
        let is_ready = self.turn().is_some_and(|turn| {
            turn.view.can_finish
                || turn.draft.cells.last() == Some(&self.shown.cursor) && turn.view.actions.is_empty()
        });
        if is_ready { self.touch(&Touch::Finish) } else { self.pick() }
    }

    /// What can be pressed beside the board now, or once the cell under the cursor is picked.
    pub(super) fn actions(&self) -> Vec<DraftAction> {
        let Some((turn, story)) = self.turn().zip(self.story()) else { return Vec::new() };
        let position = &story.now().position;
        match position.pick(&turn.draft, self.shown.cursor) {
            Ok(DraftStep::Unfinished(picked)) if turn.view.actions.is_empty() => {
                position.draft_view(&picked).actions
            }
            _ => turn.view.actions.clone(),
        }
    }

    /// What Enter does now, in a word; nothing where it is refused.
    pub(super) fn what_enter_does(&self) -> Option<&'static str> {
        let (turn, story) = self.turn().zip(self.story())?;
        if turn.view.can_finish {
            return Some("Finish");
        }
        if turn.draft.cells == [self.shown.cursor] {
            return turn.view.actions.first().map(|action| action.label);
        }
        match story.now().position.pick(&turn.draft, self.shown.cursor) {
            Ok(DraftStep::Finished(_)) => Some("Play"),
            Ok(DraftStep::Unfinished(_)) => Some("Choose"),
            Err(_) => None,
        }
    }

    /// Presses the action with this letter, if need be on the cell under the cursor; the rules say why where they refuse it. In a
    /// game without such an action, `p` picks.
    fn press(&mut self, letter: char) {
        let Some((turn, story)) = self.turn().zip(self.story()) else {
            self.alert = self.why_not().sentence;
            return;
        };
        let position = &story.now().position;
        let known = position.actions().iter().find(|action| action.id.starts_with(letter));
        let is_picked = turn.draft.cells.last().is_none_or(|&picked| picked == self.shown.cursor);
        let is_ready = is_picked && turn.action(letter).is_some() || turn.draft.cells == [self.shown.cursor];
        let Some(action) = known else {
            if letter == 'p' {
                self.touch(&Touch::Pick(self.shown.cursor))
            } else {
                self.alert = no_such_key(KeyCode::Char(letter))
            }
            return;
        };
        let picked = position.pick(&turn.draft, self.shown.cursor);
        if !is_ready && matches!(picked, Ok(DraftStep::Unfinished(_))) {
            self.touch(&Touch::Pick(self.shown.cursor));
        }
        if self.alert.is_empty() {
            self.touch(&Touch::Act(action.id.to_owned()));
        }
    }

    /// Moves the cursor to the row, column or cell that bears this number, or the number that this digit makes with those before.
    fn go_to_number(&mut self, digit: char) {
        let Some((board, story)) = self.board().zip(self.story()) else { return };
        let position = &story.now().position;
        let find = |number: &str| board.numbered(self.shown.cursor, number, |cell| position.cell_name(cell));
        let longer = format!("{}{digit}", self.number);
        let found = [longer, digit.to_string()].into_iter().find_map(|number| Some((find(&number)?, number)));
        match found {
            Some((cell, number)) => {
                self.number = number;
                self.set_cursor(cell);
            }
            None => {
                self.alert = format!("Nothing on this board is numbered {digit} alone. Type a move with t.")
            }
        }
    }

    /// Passes a touch on to the desk, and says why if nothing came of it.
    pub(super) fn touch(&mut self, touch: &Touch) {
        // What came before the turn was on the screen was not meant for it.
        let has_seen = |id| self.seen.is_some_and(|(seen, since)| seen == id && self.pressed >= since);
        let done = match (&self.company.desk, self.turn().map(|turn| turn.id)) {
            (Some(desk), Some(id)) if has_seen(id) => desk.touch(id, touch),
            (Some(_), Some(_)) => Err(Refused::stale()),
            _ => Err(self.why_not()),
        };
        if let Err(refused) = done {
            self.missed = matches!(refused.code, "stale" | "not-your-turn").then_some(EARLY);
            self.alert = refused.sentence;
        }
    }

    pub(super) fn why_not(&self) -> Refused {
        let Some(story) = self.story() else { return Refused::stale() };
        // A bot that is still getting ready has not been asked.
        let is_bots = |seat: &Seat| !story.seats[seat.index()].is_person;
        let asked = story.asked.map(|(seat, _)| seat);
        match (&story.ended, asked.or(story.now().position.to_move().filter(is_bots))) {
            (Some(ended), _) => Refused { code: "game-over", sentence: format!("The game is over. {ended}") },
            (None, Some(seat)) => Refused::not_your_turn(seat),
            (None, None) => Refused::stale(),
        }
    }

    fn board(&self) -> Option<&Board> {
        self.drawn.board.as_ref().map(|(board, _)| board)
    }

    pub(super) fn set_cursor(&mut self, cell: u16) {
        (self.shown.cursor, self.shown.wished) = (cell, None);
    }

    fn move_cursor(&mut self, arrow: KeyCode) {
        let Some(board) = self.board() else { return };
        let wished = self.shown.wished.unwrap_or(board.middle(self.shown.cursor).0);
        let Some(cell) = board.beside(self.shown.cursor, arrow, wished) else { return };
        self.set_cursor(cell);
        self.shown.wished = matches!(arrow, KeyCode::Up | KeyCode::Down).then_some(wished);
    }

    /// The next cell that can be picked, in the order in which one reads the board.
    fn next_target(&mut self, by: isize) {
        let (Some(board), Some(turn)) = (self.board(), self.turn()) else {
            self.alert = self.why_not().sentence;
            return;
        };
        let mut targets = turn.view.targets.clone();
        targets.sort_by_key(|&cell| {
            let (x, y) = board.middle(cell);
            (y, x)
        });
        if targets.is_empty() {
            return;
        }
        let here = targets.iter().position(|&cell| cell == self.shown.cursor);
        let next = match here {
            Some(here) => (here as isize + by).rem_euclid(targets.len() as isize) as usize,
            None if by > 0 => 0,
            None => targets.len() - 1,
        };
        self.set_cursor(targets[next]);
    }

    fn next_game(&mut self) {
        match self.next_known() {
            Some(game) => self.show_game(game, None),
            None if self.has_more() => self.message = "The next game has not begun yet.".to_owned(),
            None => self.leaving = Leaving::Asked,
        }
    }
}
